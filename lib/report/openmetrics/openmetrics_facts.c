// SPDX-License-Identifier: LGPL-2.1
/*
 * openmetrics_facts.c - the families that describe a recording: what was recorded, its
 * hits, and what was lost
 */
#include "lib/report/openmetrics/openmetrics_text.h"

static const struct {
	const char *name, *type, *suffix, *help;
} facts[OM_FACTS] = {
	[OM_HITS] = { "trace_cmd_hist_hits", "counter", "_total", "Hits of the histogram" },
	[OM_DROPPED] = { "trace_cmd_hist_dropped_hits", "counter", "_total",
			 "Hits that are in no row as the table was full" },
	[OM_MISSED] = { "trace_cmd_hist_missed_snapshots", "counter", "_total",
			"Snapshots that were due and not taken" },
	[OM_EVENTS_LOST] = { "trace_cmd_hist_lost_events", "counter", "_total",
			     "Events that were lost before they could be counted" },
	[OM_PROBE_MISSES] = { "trace_cmd_hist_probe_missed_hits", "counter", "_total",
			      "Hits that the probe missed" },
	[OM_LOST] = { "trace_cmd_hist_lost_snapshots", "counter", "_total",
		      "Snapshots that are damaged or not in the file" },
	[OM_RESETS] = { "trace_cmd_hist_resets", "counter", "_total",
			"Times that somebody cleared the histogram" },
	[OM_ENTRIES] = { "trace_cmd_hist_entries", "gauge", "", "Entries of the kernel's table" },
	[OM_AMBIGUOUS] = { "trace_cmd_hist_ambiguous", "gauge", "",
			   "1 where names could be read in more than one way" },
	[OM_LEFT_OUT] = { "trace_cmd_hist_left_out_hits", "gauge", "",
			  "Hits before the first snapshot that are in no number: the set-up" },
	[OM_SET_UP] = { "trace_cmd_hist_set_up", "gauge", "",
			"1 if the only snapshot is shown whole: the numbers include the set-up" },
	[OM_STOPPED] = { "trace_cmd_hist_stopped", "gauge", "",
			 "1 if another program or trigger paused the counting" },
	[OM_FULL_STACKS] = { "trace_cmd_hist_full_stacks", "gauge", "",
			     "Stacks of 16 frames, the most that the kernel keeps: they may be cut" },
};

static void put_fact(struct om_text *t, const struct om_hist *hists, uint32_t n,
		     unsigned int fact)
{
	uint32_t i, m;

	om_put_family(t, facts[fact].name, facts[fact].type, HIST_UNIT_NONE, facts[fact].help, NULL);
	for (i = 0; i < n; i++) {
		om_begin_labels(t, &hists[i], "", 0);
		om_add_label(t, "histogram", hists[i].name);
		for (m = 0; m < hists[i].nmoments; m++) {
			if (hists[i].moments[m].facts[fact] == OM_UNKNOWN)
				continue;
			om_put_sample(t, facts[fact].name, facts[fact].suffix);
			hist_strbuf_u64(&t->out, hists[i].moments[m].facts[fact]);
			om_put_time(&t->out, &hists[i].moments[m]);
		}
	}
}

void om_put_facts(struct om_text *t, const struct om_hist *hists, uint32_t n)
{
	unsigned int fact;

	for (fact = 0; fact < OM_FACTS; fact++)
		put_fact(t, hists, n, fact);
}

void om_put_info(struct om_text *t, const struct om_hist *hists, uint32_t n)
{
	uint32_t i, m;

	om_put_family(t, "trace_cmd_hist", "info", HIST_UNIT_NONE, "What was recorded, and how", NULL);
	for (i = 0; i < n; i++) {
		const struct hist_definition *def = &hists[i].info->def;

		om_begin_labels(t, &hists[i], "", 0);
		om_add_label(t, "histogram", hists[i].name);
		om_add_label(t, "event", def->event);
		om_add_label(t, "trigger", def->trigger);
		om_add_label(t, "engine", def->engine);
		om_add_label(t, "clock", def->clock);
		om_add_label(t, "uname", def->uname);
		for (m = 0; m < hists[i].nmoments; m++) {
			om_put_sample(t, "trace_cmd_hist", "_info");
			hist_strbuf_char(&t->out, '1');
			om_put_time(&t->out, &hists[i].moments[m]);
		}
	}
}

void om_put_damage(struct om_text *t, const struct om_hist *hists, uint32_t n,
		   const struct hist_series_damage *damage)
{
	static const char *const kinds[] = { "unfinished", "truncated", "bad_sections",
					     "lost_snapshots" };
	const uint64_t values[] = { damage->unfinished, damage->truncated, damage->bad_sections,
				    damage->lost_snapshots };
	const struct om_hist *h = n ? &hists[0] : NULL;
	struct om_moment last = { 0 };
	unsigned int i;

	for (i = 0; i < n; i++) {
		uint32_t m = hists[i].nmoments;

		if (m && hists[i].moments[m - 1].ms >= last.ms)
			last = hists[i].moments[m - 1];
	}
	om_put_family(t, "trace_cmd_hist_file_damage", "gauge", HIST_UNIT_NONE,
		   "What is not in order with the file", NULL);
	for (i = 0; i < 4; i++) {
		om_begin_labels(t, h, "", 0);
		om_add_label(t, "kind", kinds[i]);
		om_put_sample(t, "trace_cmd_hist_file_damage", "");
		hist_strbuf_u64(&t->out, values[i]);
		om_put_time(&t->out, &last);
	}
}

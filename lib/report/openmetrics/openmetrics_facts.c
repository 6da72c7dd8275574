// SPDX-License-Identifier: LGPL-2.1
/*
 * openmetrics_facts.c - the families that describe a recording: what was recorded, its
 * hits, and what was lost
 *
 * openmetrics_hist_add() (openmetrics.c) computes the numbers; this file names and writes them.
 */
#include "lib/report/openmetrics/openmetrics.h"

static const struct {
	const char *name, *type, *suffix, *help;
} facts[OM_FACTS] = {
	[OM_HITS] = { "trace_cmd_hist_hits", "counter", "_total", "Hits of the histogram" },
	[OM_DROPPED] = { "trace_cmd_hist_dropped_hits", "counter", "_total",
			 "Hits that were dropped because the table was full" },
	[OM_MISSED] = { "trace_cmd_hist_missed_snapshots", "counter", "_total",
			"Snapshots that were due but not taken" },
	[OM_EVENTS_LOST] = { "trace_cmd_hist_lost_events", "counter", "_total",
			     "Events that were lost before they were counted" },
	[OM_PROBE_MISSES] = { "trace_cmd_hist_probe_missed_hits", "counter", "_total",
			      "Hits that the probe missed" },
	/* of the files that are given, and record --keep removes files: no counter */
	[OM_LOST] = { "trace_cmd_hist_lost_snapshots", "gauge", "",
		      "Snapshots that are damaged or missing in the file" },
	[OM_RESETS] = { "trace_cmd_hist_resets", "counter", "_total",
			"Number of times that another program cleared the histogram" },
	[OM_ENTRIES] = { "trace_cmd_hist_entries", "gauge", "", "Entries in the kernel's table" },
	[OM_AMBIGUOUS] = { "trace_cmd_hist_ambiguous", "gauge", "",
			   "1 if names are ambiguous, so some rows may be wrong" },
	[OM_LEFT_OUT] = { "trace_cmd_hist_left_out_hits", "gauge", "",
			  "Hits before the first snapshot of the recording (its set-up), which are "
			  "not included" },
	[OM_SET_UP] = { "trace_cmd_hist_set_up", "gauge", "",
			"1 if the counts include the set-up of the recording, because its first "
			"snapshot is missing" },
	[OM_STOPPED] = { "trace_cmd_hist_stopped", "gauge", "",
			 "1 if another program or trigger paused or stopped the counting" },
	[OM_FULL_STACKS] = { "trace_cmd_hist_full_stacks", "gauge", "",
			     "Stacks with the maximum number of frames: outer frames may be "
			     "missing" },
};

static void openmetrics_put_fact(struct openmetrics *o, unsigned int fact)
{
	const struct om_hist *h;
	const struct om_moment *m;
	size_t i, k;

	openmetrics_put_family(o, facts[fact].name, facts[fact].type, HIST_UNIT_NONE,
			       facts[fact].help,
			       NULL);
	for (i = 0; i < o->nhists; i++) {
		h = &o->hists[i];
		openmetrics_begin_labels(o, h, "", 0);
		openmetrics_add_label(o, "histogram", h->name);
		for (k = 0; k < h->nmoments; k++) {
			m = &h->moments[k];
			if (m->facts[fact] != OM_UNKNOWN)
				openmetrics_put_count(o, facts[fact].name, facts[fact].suffix,
						      m->facts[fact], m);
		}
	}
}

/* @any: the family has begun */
static void openmetrics_put_loss(struct openmetrics *o, const struct om_hist *h, unsigned int kind,
				 bool *any)
{
	bool falls = hist_loss_traits(kind)->falls;
	const char *family = falls ? "trace_cmd_hist_open_losses" : "trace_cmd_hist_losses";
	size_t k;

	if (!h->nmoments || !h->moments[h->nmoments - 1].losses[kind])
		return;
	if (!*any)
		openmetrics_put_family(
			o, family, falls ? "gauge" : "counter", HIST_UNIT_NONE,
			falls ? "What the rows do not count, and may count later, by kind"
			      : "What the rows do not count, or count with a reservation, by "
				"kind",
			NULL);
	*any = true;
	openmetrics_begin_labels(o, h, "", 0);
	openmetrics_add_label(o, "histogram", h->name);
	openmetrics_add_label(o, "kind", hist_loss_traits(kind)->name);
	for (k = 0; k < h->nmoments; k++)
		openmetrics_put_count(o, family, falls ? "" : "_total", h->moments[k].losses[kind],
				      &h->moments[k]);
}

/* The family of the kinds that can become smaller, or of the others. */
static void openmetrics_put_losses(struct openmetrics *o, bool falls)
{
	unsigned int kind;
	bool any = false;
	size_t i;

	for (i = 0; i < o->nhists; i++) {
		for (kind = 0; kind < HIST_LOSS_KINDS; kind++)
			if (hist_loss_traits(kind)->falls == falls)
				openmetrics_put_loss(o, &o->hists[i], kind, &any);
	}
}

void openmetrics_put_facts(struct openmetrics *o)
{
	unsigned int fact;

	for (fact = 0; fact < OM_FACTS; fact++)
		openmetrics_put_fact(o, fact);
	openmetrics_put_losses(o, false);
	openmetrics_put_losses(o, true);
}

void openmetrics_put_info(struct openmetrics *o)
{
	const struct om_hist *h;
	size_t i, k;

	openmetrics_put_family(o, "trace_cmd_hist", "info", HIST_UNIT_NONE,
			       "Event, trigger and other properties of the recording",
			       NULL);
	for (i = 0; i < o->nhists; i++) {
		const struct hist_definition *def = &o->hists[i].info->def;

		h = &o->hists[i];
		openmetrics_begin_labels(o, h, "", 0);
		openmetrics_add_label(o, "histogram", h->name);
		openmetrics_add_label(o, "event", def->event);
		openmetrics_add_label(o, "trigger", def->trigger);
		openmetrics_add_label(o, "engine", def->engine);
		openmetrics_add_label(o, "clock", def->clock);
		openmetrics_add_label(o, "uname", def->uname);
		for (k = 0; k < h->nmoments; k++)
			openmetrics_put_count(o, "trace_cmd_hist", "_info", 1, &h->moments[k]);
	}
}

void openmetrics_put_damage(struct openmetrics *o, const struct hist_series_damage *damage)
{
	const struct {
		const char *kind;
		uint64_t value;
	} damages[] = {
		{ "unfinished", damage->unfinished },
		{ "truncated", damage->truncated },
		{ "bad_sections", damage->bad_sections },
		{ "lost_snapshots", damage->lost_snapshots },
	};
	struct om_moment last = { 0 };
	const struct om_hist *h;
	unsigned int i;

	for (i = 0; i < o->nhists; i++) {
		h = &o->hists[i];
		if (h->nmoments && h->moments[h->nmoments - 1].ms >= last.ms)
			last = h->moments[h->nmoments - 1];
	}
	openmetrics_put_family(o, "trace_cmd_hist_file_damage", "gauge", HIST_UNIT_NONE,
			       "Damage found in the file, by kind", NULL);
	for (i = 0; i < 4; i++) {
		openmetrics_begin_labels(o, o->nhists ? o->hists : NULL, "", 0);
		openmetrics_add_label(o, "kind", damages[i].kind);
		openmetrics_put_count(o, "trace_cmd_hist_file_damage", "", damages[i].value, &last);
	}
}

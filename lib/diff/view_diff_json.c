// SPDX-License-Identifier: LGPL-2.1
/*
 * view_diff_json.c - a comparison as JSON, schema "trace-cmd-hist-diff/1"
 *
 * trace-cmd-hist-diff(1) lists the members.  A missing number (a side without the key, a
 * change from 0, no test) is null, never 0.
 */
#include <errno.h>
#include <math.h>

#include "lib/base/json_writer.h"
#include "lib/base/reason.h"
#include "lib/diff/diff_text.h"
#include "lib/diff/view_diff.h"
#include "lib/report/data/json_keys.h"

static const char *const kind_names[] = {
	[HIST_METRIC_RATE] = "rate",
	[HIST_METRIC_MEAN] = "mean",
	[HIST_METRIC_QUANTILE] = "quantile",
	[HIST_METRIC_MAX] = "max",
	[HIST_METRIC_LARGEST] = "largest",
	[HIST_METRIC_EXCEED] = "exceed",
};

static void diff_json_put_interval(struct json_writer *w, const char *name, double low, double high)
{
	json_object_begin(w, name);
	json_double(w, "low", low);
	json_double(w, "high", high);
	json_object_end(w);
}

static void diff_json_put_change(struct json_writer *w, const struct hist_change *c)
{
	json_object_begin(w, "change");
	json_double(w, "low", c->low);
	json_double(w, "high", c->high);
	/* json_double() writes NAN as null */
	json_double(w, "ci_low", c->tested ? c->ci_low : NAN);
	json_double(w, "ci_high", c->tested ? c->ci_high : NAN);
	json_double(w, "p", c->tested ? c->p : NAN);
	json_double(w, "p_adjusted", c->tested ? c->p_family : NAN);
	json_bool(w, "resolvable", c->resolvable);
	if (c->is_placed)
		json_double(w, "placed", c->placed);
	if (c->has_edge) {
		json_object_begin(w, "boundary");
		json_double(w, "above", c->edge);
		json_double(w, "base_share", c->base_share);
		json_double(w, "new_share", c->new_share);
		json_object_end(w);
	}
	json_object_end(w);
}

static void diff_json_put_metric(struct json_writer *w, const struct hist_metric_result *m,
				 const struct hist_key_result *key)
{
	json_object_line(w, NULL);
	json_string(w, "name", m->name);
	json_string(w, "kind", kind_names[m->kind]);
	if (m->kind == HIST_METRIC_QUANTILE)
		json_double(w, "quantile", (double)m->p / 1000000);
	json_string(w, "unit", hist_unit_is_time(m->unit) ? hist_unit_name(m->unit) : "");
	if (key->presence != HIST_NEW)
		diff_json_put_interval(w, "base", m->change.base_low, m->change.base_high);
	if (key->presence != HIST_VANISHED)
		diff_json_put_interval(w, "new", m->change.new_low, m->change.new_high);
	if (m->has_budget)
		json_double(w, "budget", m->budget);
	else if (key->presence == HIST_BOTH || key->presence == HIST_RENAMED)
		diff_json_put_change(w, &m->change);
	json_bool(w, "gated", m->gated);
	json_double(w, "threshold", m->threshold);
	json_string(w, "verdict", hist_significance_verdict_name(m->verdict));
	json_reason(w, "reason", m->why);
	json_object_end(w);
}

static void diff_json_put_key(struct json_writer *w, const struct hist_key_result *k)
{
	unsigned int i;

	json_object_begin(w, NULL);
	json_string(w, "key", k->label);
	if (k->presence == HIST_RENAMED)
		json_string(w, "old_key", k->old_label);
	json_string(w, "presence", diff_presence_name(k->presence));
	json_string(w, "verdict", hist_significance_verdict_name(k->verdict));
	json_u64(w, "base_hits", k->base_hits);
	json_u64(w, "new_hits", k->new_hits);
	json_array_begin(w, "metrics");
	for (i = 0; i < k->nmetrics; i++)
		diff_json_put_metric(w, &k->metrics[i], k);
	json_array_end(w);
	json_object_end(w);
}

static void diff_json_put_side(struct json_writer *w, const char *name,
			       const struct hist_side_result *s)
{
	json_object_line(w, name);
	json_u64(w, "runs", s->runs);
	json_u64(w, "replicates", s->replicates);
	json_bool(w, "split", s->blocks);
	json_double(w, "seconds", s->seconds);
	json_u64(w, "hits", s->hits);
	json_u64(w, "dropped", s->dropped);
	json_u64(w, "missed", s->missed);
	if (s->events_lost)
		json_u64(w, "events_lost", s->events_lost);
	if (s->probe_misses)
		json_u64(w, "probe_misses", s->probe_misses);
	else if (s->misses_unknown)
		json_null(w, "probe_misses");
	json_put_losses(w, s->losses);
	json_bool(w, "reset", s->reset);
	if (s->stopped)
		json_bool(w, "stopped", s->stopped);
	json_object_end(w);
}

static void diff_json_put_histogram(struct json_writer *w, const struct hist_hist_result *h)
{
	unsigned int i;
	uint32_t n;

	json_object_begin(w, NULL);
	json_string(w, "name", h->name);
	json_string(w, "trigger", h->trigger);
	json_string(w, "presence", diff_presence_name(h->presence));
	json_string(w, "verdict", hist_significance_verdict_name(h->verdict));
	json_reason(w, "reason", h->why);
	diff_json_put_side(w, "base", &h->base);
	diff_json_put_side(w, "new", &h->new_);
	json_u64(w, "keys_total", h->keys_total);
	json_object_line(w, "counts");
	for (i = 0; i <= HIST_INCOMPARABLE; i++)
		json_u64(w, hist_significance_verdict_name(i), h->counts[i]);
	json_u64(w, "added", h->appeared);
	json_u64(w, "removed", h->vanished);
	json_u64(w, "renamed", h->renamed);
	json_object_end(w);
	json_array_begin(w, "keys");
	for (n = 0; n < h->nkeys && !json_writer_error(w); n++)
		diff_json_put_key(w, &h->keys[n]);
	json_array_end(w);
	json_object_end(w);
}

static void diff_json_put_files(struct json_writer *w, const char *name,
				const struct hist_side_info *side)
{
	unsigned int i;

	json_object_begin(w, name);
	json_array_line(w, "files");
	for (i = 0; i < side->nfiles; i++)
		json_string(w, NULL, side->files[i]);
	json_array_end(w);
	json_string(w, "uname", side->uname);
	json_string(w, "host", side->host);
	json_bool(w, "mixed_machines", side->mixed_machines);
	json_object_end(w);
}

int hist_diff_write_json(FILE *f, const struct hist_comparison *c)
{
	struct json_writer *w = json_writer_new(f, true);
	const char *hint;
	unsigned int i;
	int len;

	if (!w)
		return -ENOMEM;
	json_object_begin(w, NULL);
	json_string(w, "schema", "trace-cmd-hist-diff/1");
	json_string(w, "verdict", hist_significance_verdict_name(c->verdict));
	json_double(w, "decided", c->decided);
	json_double(w, "min_decided", c->min_decided);
	json_bool(w, "undecided", c->undecided);
	json_double(w, "confidence", c->judge.confidence);
	json_double(w, "threshold", c->judge.threshold);
	json_string(w, "worse", hist_threshold_worse_name(c->judge.worse));
	diff_json_put_files(w, "base", &c->base);
	diff_json_put_files(w, "new", &c->new_);
	json_bool(w, "same_machine", c->same_machine);
	json_array_begin(w, "notes");
	for (i = 0; i < c->nnotes; i++) {
		len = reason_split_hint(c->notes[i], &hint);
		json_string_len(w, NULL, c->notes[i], len);
		if (*hint)
			json_string(w, NULL, hint);
	}
	json_array_end(w);
	json_array_begin(w, "histograms");
	for (i = 0; i < c->nhists && !json_writer_error(w); i++)
		diff_json_put_histogram(w, &c->hists[i]);
	json_array_end(w);
	json_object_end(w);
	return json_writer_free(w);
}

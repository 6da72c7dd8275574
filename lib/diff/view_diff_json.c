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
#include "lib/diff/diff_text.h"
#include "lib/diff/view_diff.h"

static const char *const kind_names[] = {
	[HIST_METRIC_RATE] = "rate",
	[HIST_METRIC_MEAN] = "mean",
	[HIST_METRIC_QUANTILE] = "quantile",
	[HIST_METRIC_MAX] = "max",
	[HIST_METRIC_EXCEED] = "exceed",
};

static void string(struct json_writer *w, const char *name, const char *s)
{
	json_name(w, name);
	json_string(w, s);
}

static void whole(struct json_writer *w, const char *name, uint64_t v)
{
	json_name(w, name);
	json_u64(w, v);
}

static void number(struct json_writer *w, const char *name, double v)
{
	json_name(w, name);
	json_double(w, v);
}

static void truth(struct json_writer *w, const char *name, bool v)
{
	json_name(w, name);
	json_bool(w, v);
}

static void object(struct json_writer *w, const char *name)
{
	json_name(w, name);
	json_object_begin(w);
}

static void array(struct json_writer *w, const char *name)
{
	json_name(w, name);
	json_array_begin(w);
}

static void interval(struct json_writer *w, const char *name, double low, double high)
{
	object(w, name);
	number(w, "low", low);
	number(w, "high", high);
	json_object_end(w);
}

static void change(struct json_writer *w, const struct hist_change *c)
{
	object(w, "change");
	number(w, "low", c->low);
	number(w, "high", c->high);
	/* json_double() writes NAN as null */
	number(w, "ci_low", c->tested ? c->ci_low : NAN);
	number(w, "ci_high", c->tested ? c->ci_high : NAN);
	number(w, "p", c->tested ? c->p : NAN);
	number(w, "p_family", c->tested ? c->p_family : NAN);
	truth(w, "resolvable", c->resolvable);
	if (c->has_edge) {
		object(w, "edge");
		number(w, "above", c->edge);
		number(w, "base_share", c->base_share);
		number(w, "new_share", c->new_share);
		json_object_end(w);
	}
	json_object_end(w);
}

static void metric(struct json_writer *w, const struct hist_metric_result *m,
		   const struct hist_key_result *key)
{
	json_object_begin(w);
	string(w, "name", m->name);
	string(w, "kind", kind_names[m->kind]);
	if (m->kind == HIST_METRIC_QUANTILE)
		number(w, "quantile", (double)m->p / 1000000);
	string(w, "unit", hist_unit_name(m->unit));
	if (key->presence != HIST_NEW)
		interval(w, "base", m->change.base_low, m->change.base_high);
	if (key->presence != HIST_VANISHED)
		interval(w, "new", m->change.new_low, m->change.new_high);
	if (m->has_budget)
		number(w, "budget", m->budget);
	else if (key->presence == HIST_BOTH || key->presence == HIST_RENAMED)
		change(w, &m->change);
	truth(w, "gated", m->gated);
	number(w, "threshold", m->threshold);
	string(w, "verdict", hist_verdict_name(m->verdict));
	string(w, "why", m->why);
	json_object_end(w);
}

static void key(struct json_writer *w, const struct hist_key_result *k)
{
	unsigned int i;

	json_object_begin(w);
	string(w, "key", k->label);
	if (k->presence == HIST_RENAMED)
		string(w, "old_key", k->old_label);
	string(w, "presence", diff_presence_name(k->presence));
	string(w, "verdict", hist_verdict_name(k->verdict));
	whole(w, "base_hits", k->base_hits);
	whole(w, "new_hits", k->new_hits);
	array(w, "metrics");
	json_one_line(w, true);
	for (i = 0; i < k->nmetrics; i++)
		metric(w, &k->metrics[i], k);
	json_one_line(w, false);
	json_array_end(w);
	json_object_end(w);
}

static void side(struct json_writer *w, const char *name, const struct hist_side_result *s)
{
	json_one_line(w, true);
	object(w, name);
	whole(w, "runs", s->runs);
	whole(w, "replicates", s->replicates);
	truth(w, "blocks", s->blocks);
	number(w, "seconds", s->seconds);
	whole(w, "hits", s->hits);
	whole(w, "dropped", s->dropped);
	whole(w, "missed", s->missed);
	if (s->events_lost)
		whole(w, "events_lost", s->events_lost);
	if (s->probe_misses)
		whole(w, "probe_misses", s->probe_misses);
	truth(w, "reset", s->reset);
	if (s->stopped)
		truth(w, "stopped", s->stopped);
	json_object_end(w);
	json_one_line(w, false);
}

static void histogram(struct json_writer *w, const struct hist_hist_result *h)
{
	unsigned int i;
	uint32_t n;

	json_object_begin(w);
	string(w, "name", h->name);
	string(w, "trigger", h->trigger);
	string(w, "presence", diff_presence_name(h->presence));
	string(w, "verdict", hist_verdict_name(h->verdict));
	string(w, "why", h->why);
	side(w, "base", &h->base);
	side(w, "new", &h->new_);
	whole(w, "keys_total", h->keys_total);
	json_one_line(w, true);
	object(w, "counts");
	for (i = 0; i <= HIST_INCOMPARABLE; i++)
		whole(w, hist_verdict_name(i), h->counts[i]);
	whole(w, "new", h->appeared);
	whole(w, "vanished", h->vanished);
	whole(w, "renamed", h->renamed);
	json_object_end(w);
	json_one_line(w, false);
	array(w, "keys");
	for (n = 0; n < h->nkeys && !json_writer_error(w); n++)
		key(w, &h->keys[n]);
	json_array_end(w);
	json_object_end(w);
}

static void files(struct json_writer *w, const char *name, const struct hist_side_info *side)
{
	unsigned int i;

	object(w, name);
	json_one_line(w, true);
	array(w, "files");
	for (i = 0; i < side->nfiles; i++)
		json_string(w, side->files[i]);
	json_array_end(w);
	json_one_line(w, false);
	string(w, "uname", side->uname);
	string(w, "host", side->host);
	truth(w, "mixed_machines", side->mixed_machines);
	json_object_end(w);
}

int hist_diff_json(FILE *f, const struct hist_comparison *c)
{
	struct json_writer *w = json_writer_new(f, true);
	unsigned int i;

	if (!w)
		return -ENOMEM;
	json_object_begin(w);
	string(w, "schema", "trace-cmd-hist-diff/1");
	string(w, "verdict", hist_verdict_name(c->verdict));
	number(w, "decided", c->decided);
	number(w, "min_decided", c->min_decided);
	number(w, "confidence", c->judge.confidence);
	number(w, "threshold", c->judge.threshold);
	string(w, "worse", hist_worse_name(c->judge.worse));
	files(w, "base", &c->base);
	files(w, "new", &c->new_);
	truth(w, "same_machine", c->same_machine);
	array(w, "notes");
	for (i = 0; i < c->nnotes; i++)
		json_string(w, c->notes[i]);
	json_array_end(w);
	array(w, "histograms");
	for (i = 0; i < c->nhists && !json_writer_error(w); i++)
		histogram(w, &c->hists[i]);
	json_array_end(w);
	json_object_end(w);
	return json_writer_free(w);
}

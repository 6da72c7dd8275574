// SPDX-License-Identifier: LGPL-2.1
/*
 * diff.c - compare the recordings of two sides
 *
 * The steps are: open all files, pair their histograms, measure each pair, judge all
 * metrics together.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "lib/analysis/loss_notes.h"
#include "lib/base/error.h"
#include "lib/base/suggest.h"
#include "lib/check/check.h"
#include "lib/diff/diff_private.h"
#include "lib/diff/key_metrics.h"
#include "lib/label/label.h"

static char *diff_escape_string(const char *s)
{
	struct hist_strbuf b = { 0 };

	hist_escape(&b, s, strlen(s), 0);
	return hist_strbuf_string(&b);
}

/* Allocate the results about limits. */
static int diff_init_limits(struct diff_state *c)
{
	const struct hist_thresholds *t = c->options->thresholds;
	unsigned int n = 0, line;
	const char *text;

	while (t && !hist_thresholds_section(t, n, &text, &line))
		n++;
	c->limits = calloc(hist_thresholds_limits(t), sizeof(*c->limits));
	c->sections = calloc(n + 1, sizeof(*c->sections));
	return c->limits && c->sections ? 0 : -ENOMEM;
}

static int open_files(struct diff_state *c)
{
	unsigned int i;
	int ret;

	for (i = 0; i < c->nfiles; i++) {
		ret = hist_series_open_in(c->pool, &c->files[i], c->names[i], c->error);
		if (ret)
			return hist_error_prefix(c->error, ret, "%s: ", c->names[i]);
	}
	return 0;
}

/* Join the files of each rotated recording; a recording is one sample of its side. */
static int join_files(struct diff_state *c)
{
	unsigned int i, nbase, nnew;
	int ret;

	ret = hist_series_join(c->files, c->nbase, &nbase);
	if (ret)
		return ret;
	ret = hist_series_join(c->files + c->nbase, c->nfiles - c->nbase, &nnew);
	memmove(c->files + nbase, c->files + c->nbase, nnew * sizeof(*c->files));
	for (i = nbase + nnew; i < c->nfiles; i++)
		c->files[i] = NULL;
	c->nbase = nbase;
	c->nfiles = nbase + nnew;
	if (ret)
		return ret;
	for (i = 0; i < c->nfiles; i++) {
		c->names[i] = hist_series_path(c->files[i]);
		if (c->options->raw_names)
			hist_series_show_numbers(c->files[i]);
	}
	return hist_pairs_make(&c->pairs, c->files, c->nfiles);
}

static const struct hist_definition *diff_get_machine(const struct diff_state *c, unsigned int file)
{
	return &hist_series_info(c->files[file], 0)->def;
}

static bool same_machine(const struct hist_definition *a, const struct hist_definition *b)
{
	return !strcmp(a->uname, b->uname) && !strcmp(a->host, b->host);
}

static int fill_side(const struct diff_state *c, struct hist_side_info *side, unsigned int first,
		     unsigned int n)
{
	const struct hist_definition *def = diff_get_machine(c, first);
	unsigned int i;

	side->nfiles = n;
	side->files = calloc(n, sizeof(*side->files));
	side->uname = diff_escape_string(def->uname);
	side->host = diff_escape_string(def->host);
	if (!side->files || !side->uname || !side->host)
		return -ENOMEM;
	for (i = 0; i < n; i++) {
		side->files[i] = diff_escape_string(c->names[first + i]);
		if (!side->files[i])
			return -ENOMEM;
		side->mixed_machines |= !same_machine(def, diff_get_machine(c, first + i));
	}
	return 0;
}

static int fill_sides(struct diff_state *c)
{
	unsigned int i;
	int ret;

	ret = fill_side(c, &c->c->base, 0, c->nbase);
	if (!ret)
		ret = fill_side(c, &c->c->new_, c->nbase, c->nfiles - c->nbase);
	c->c->same_machine = same_machine(diff_get_machine(c, 0), diff_get_machine(c, c->nbase));
	c->offsets = true;
	for (i = 1; i < c->nfiles; i++)
		c->offsets &= !strcmp(diff_get_machine(c, 0)->uname, diff_get_machine(c, i)->uname);
	return ret;
}

static bool is_chosen(const struct diff_state *c, const char *name)
{
	unsigned int i;

	for (i = 0; i < c->options->nevents; i++)
		if (hist_series_name_matches(name, c->options->events[i]))
			return true;
	return !c->options->nevents;
}

/* Check that each -e names a histogram. */
static int check_events(struct diff_state *c)
{
	const char **names, *near;
	unsigned int i, e;

	names = calloc(c->pairs.n + 1, sizeof(*names));
	if (!names)
		return -ENOMEM;
	for (i = 0; i < c->pairs.n; i++)
		names[i] = c->pairs.pairs[i].name;
	for (e = 0; e < c->options->nevents; e++) {
		for (i = 0; i < c->pairs.n &&
		     !hist_series_name_matches(names[i], c->options->events[e]); i++)
			;
		if (i < c->pairs.n)
			continue;
		near = hist_suggest(c->options->events[e], names, c->pairs.n);
		if (near)
			hist_error_set(c->error, -ESRCH,
				       "-e %s: no such histogram\ndid you mean \"%s\"?",
				       c->options->events[e], near);
		else
			hist_error_set(
				c->error, -ESRCH,
				"-e %s: no such histogram\nrun 'trace-cmd hist report --list'",
				c->options->events[e]);
		free(names);
		return -ESRCH;
	}
	free(names);
	return 0;
}

static int compare_pairs(struct diff_state *c)
{
	struct hist_hist_result *h;
	unsigned int i;
	int ret = 0;

	c->c->hists = calloc(c->pairs.n + 1, sizeof(*c->c->hists));
	if (!c->c->hists)
		return -ENOMEM;
	for (i = 0; i < c->pairs.n && !ret; i++) {
		if (!is_chosen(c, c->pairs.pairs[i].name))
			continue;
		h = &c->c->hists[c->c->nhists++];
		h->name = diff_escape_string(c->pairs.pairs[i].name);
		h->trigger = diff_escape_string(c->pairs.pairs[i].trigger);
		ret = h->name && h->trigger ? diff_compare_pair(c, h, &c->pairs.pairs[i]) : -ENOMEM;
	}
	return ret;
}

static int check_buckets(struct diff_state *c)
{
	return c->options->buckets ? hist_buckets_check(c->options->buckets, "--bucket", c->error)
				   : 0;
}

static int note_files(struct diff_state *c)
{
	char words[200];
	unsigned int i;
	int ret = 0;

	for (i = 0; i < c->nfiles && !ret; i++)
		if (hist_loss_format_damage(hist_series_damage(c->files[i]), words, sizeof(words)))
			ret = diff_add_note(c->c, "%s: %s", c->names[i], words);
	return ret;
}

static int note_machines(struct diff_state *comparing)
{
	struct hist_comparison *c = comparing->c;
	int ret = 0;

	if (!c->same_machine)
		ret = diff_add_note(c, "BASE and NEW are from different machines or kernels, which "
				    "may cause differences");
	if (!ret && (c->base.mixed_machines || c->new_.mixed_machines))
		ret = diff_add_note(c, "%s files from different machines or kernels",
				    !c->new_.mixed_machines ? "BASE contains" :
				    !c->base.mixed_machines ? "NEW contains" :
				    "BASE and NEW each contain");
	return ret;
}

static int note_blocks(struct diff_state *c)
{
	bool blocks = false;
	unsigned int i;

	for (i = 0; i < c->c->nhists; i++)
		blocks |= c->c->hists[i].base.blocks || c->c->hists[i].new_.blocks;
	return blocks ? diff_add_note(c->c,
				      "BASE or NEW is a single file: time intervals within it "
				      "are compared, so the variation between runs is not "
				      "known") : 0;
}

static int compare_all(struct diff_state *c)
{
	static int (*const steps[])(struct diff_state * c) = {
		diff_init_limits, open_files,	     join_files,    check_events, fill_sides,
		compare_pairs,	  check_buckets,     diff_set_verdicts, note_machines,
		note_blocks,	  note_files,
	};
	unsigned int i;
	int ret = 0;

	for (i = 0; i < sizeof(steps) / sizeof(*steps) && !ret; i++)
		ret = steps[i](c);
	return ret;
}

int hist_diff_compare(struct hist_comparison **result, const struct hist_side *base,
		      const struct hist_side *new_, const struct hist_compare_options *options,
		      struct hist_error *error)
{
	struct diff_state c = {
		.options = options,
		.nbase = base->nfiles,
		.nfiles = base->nfiles + new_->nfiles,
		.error = error,
	};
	unsigned int i;
	int ret = -ENOMEM;

	c.c = calloc(1, sizeof(*c.c));
	c.files = calloc(c.nfiles + 1, sizeof(*c.files));
	c.names = calloc(c.nfiles + 1, sizeof(*c.names));
	c.pool = tracedat_pool_new();
	if (c.c && c.files && c.names && c.pool) {
		c.c->judge = options->judge;
		c.c->judge.threshold = options->gate.threshold;
		c.c->judge.worse = options->gate.worse;
		for (i = 0; i < c.nfiles; i++)
			c.names[i] = i < c.nbase ? base->files[i] : new_->files[i - c.nbase];
		ret = compare_all(&c);
	}
	hist_pairs_clear(&c.pairs);
	for (i = 0; c.files && i < c.nfiles; i++)
		hist_series_free(c.files[i]);
	if (ret && c.pool && tracedat_pool_lost(c.pool))
		hist_error_set(error, ret, "%s: the file was removed or replaced while it was read",
			       tracedat_pool_lost(c.pool));
	tracedat_pool_free(c.pool);
	free(c.files);
	free(c.names);
	free(c.limits);
	free(c.sections);
	if (!ret)
		*result = c.c;
	else
		hist_diff_free(c.c);
	return ret;
}

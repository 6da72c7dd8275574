// SPDX-License-Identifier: LGPL-2.1
/*
 * diff.c - compare the recordings of two sides
 *
 * The steps are: open all files, pair their histograms, measure each pair, judge all
 * metrics together.
 */
#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lib/analysis/loss_notes.h"
#include "lib/base/array.h"
#include "lib/base/error.h"
#include "lib/base/reason.h"
#include "lib/base/suggest.h"
#include "lib/check/check.h"
#include "lib/diff/diff_private.h"
#include "lib/label/label.h"

static char *diff_escape_string(const char *s)
{
	struct hist_strbuf b = { 0 };

	hist_escape(&b, s, strlen(s), 0);
	return hist_strbuf_string(&b);
}

/* Copy @fmt without its hint to @problem.  Arguments may contain newlines, which are escaped. */
static const char *diff_cut_hint(char *problem, size_t size, const char *fmt)
{
	const char *hint;
	int len = reason_split_hint(fmt, &hint);

	snprintf(problem, size, "%.*s", len, fmt);
	return hint;
}

int diff_add_note(struct hist_comparison *c, const char *fmt, ...)
{
	char problem[HIST_ESCAPE_SHORT], *text, *safe;
	const char *hint = diff_cut_hint(problem, sizeof(problem), fmt);
	struct hist_strbuf b = { 0 };
	va_list args;
	int len;

	va_start(args, fmt);
	len = vasprintf(&text, problem, args);
	va_end(args);
	if (len < 0)
		return -ENOMEM;
	hist_escape(&b, text, len, 0);
	free(text);
	if (*hint)
		hist_strbuf_printf(&b, "\n%s", hint);
	safe = hist_strbuf_string(&b);
	if (!safe || array_add(&c->notes, c->nnotes, sizeof(*c->notes))) {
		free(safe);
		return -ENOMEM;
	}
	c->notes[c->nnotes++] = safe;
	return 0;
}

void diff_add_reason(struct hist_hist_result *h, const char *fmt, ...)
{
	char problem[HIST_ESCAPE_SHORT], text[HIST_ESCAPE_SHORT], safe[HIST_ESCAPE_SHORT];
	const char *hint = diff_cut_hint(problem, sizeof(problem), fmt), *old;
	int len = reason_split_hint(h->why, &old);
	bool more = !strstr(old, hint);
	char hints[HIST_ESCAPE_SHORT];
	va_list args;

	va_start(args, fmt);
	vsnprintf(text, sizeof(text), problem, args);
	va_end(args);
	hist_escape_short(safe, sizeof(safe), text);
	snprintf(hints, sizeof(hints), "%s%s%s", old, more && *old ? "; " : "", more ? hint : "");
	/* the sentences are truncated, so that the hints have room */
	len += snprintf(h->why + len, HIST_ESCAPE_SHORT - len, "%s%s", len ? "; " : "", safe);
	if (len > HIST_ESCAPE_SHORT - 1)
		len = HIST_ESCAPE_SHORT - 1;
	if (*hints)
		snprintf(h->why + len, sizeof(h->why) - len, "\n%s", hints);
}

static void diff_clear_side_info(struct hist_side_info *side)
{
	unsigned int i;

	for (i = 0; side->files && i < side->nfiles; i++)
		free(side->files[i]);
	free(side->files);
	free(side->uname);
	free(side->host);
}

void hist_diff_free(struct hist_comparison *c)
{
	struct hist_hist_result *h;
	unsigned int i;
	uint32_t k;

	if (!c)
		return;
	for (i = 0; i < c->nhists; i++) {
		h = &c->hists[i];
		for (k = 0; k < h->nkeys; k++)
			diff_clear_key(&h->keys[k]);
		free(h->keys);
		free(h->name);
		free(h->trigger);
	}
	free(c->hists);
	for (i = 0; i < c->nnotes; i++)
		free(c->notes[i]);
	free(c->notes);
	diff_clear_side_info(&c->base);
	diff_clear_side_info(&c->new_);
	free(c);
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
	static int (*const steps[])(struct diff_state *c) = {
		diff_limits_init, open_files, join_files, check_events, fill_sides, compare_pairs,
		diff_limits_check, diff_limits_note, /* before --top removes keys */
		diff_set_verdicts, note_machines, note_blocks, note_files,
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

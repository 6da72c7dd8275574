// SPDX-License-Identifier: GPL-2.0
/*
 * report_pick.c - which histograms of a file, and which of their snapshots
 *
 * All is settled, by walks that show nothing, before the first byte is
 * written: what cannot be had is told without half a report before it.
 */
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <tracehist/axis.h>
#include <tracehist/check.h>
#include <tracehist/expr.h>
#include <tracehist/label.h>
#include <tracehist/percentiles.h>
#include <tracehist/view.h>

#include "command.h"
#include "report_pick.h"

#define NSEC 1000000000ull

static int complain_event(const struct report_picks *all, const struct report_options *o,
			  const char *wanted)
{
	const char **names = calloc(all->n, sizeof(*names)), *near;
	unsigned int i;

	if (!names)
		return -ENOMEM;
	for (i = 0; i < all->n; i++)
		names[i] = all->hists[i].name;
	near = hist_suggest(wanted, names, all->n);
	free(names);
	if (near)
		complain("%s: no histogram of \"%s\": did you mean \"%s\"?", o->file, wanted, near);
	else
		complain("%s: no histogram of \"%s\": see trace-cmd hist report --list", o->file,
			 wanted);
	return -ENOENT;
}

/* Leaves only those that -e names, in the order of the file. */
static int pick_events(struct report_picks *picks, const struct report_options *o)
{
	bool *wanted;
	unsigned int i, e, n = 0;
	int ret = 0;

	if (!o->nevents)
		return 0;
	wanted = calloc(picks->n, sizeof(*wanted));
	if (!wanted)
		return -ENOMEM;
	for (e = 0; e < o->nevents && !ret; e++) {
		bool any = false;

		for (i = 0; i < picks->n; i++) {
			if (hist_name_fits(picks->hists[i].name, o->events[e]))
				wanted[i] = any = true;
		}
		if (!any)
			ret = complain_event(picks, o, o->events[e]);
	}
	for (i = 0; i < picks->n && !ret; i++) {
		if (wanted[i])
			picks->hists[n++] = picks->hists[i];
		else
			free(picks->hists[i].name);
	}
	if (!ret)
		picks->n = n;
	free(wanted);
	return ret;
}

static bool is_bucketed(const struct hist_schema *schema)
{
	return schema->keys[0].kind == HIST_KEY_LOG2 || schema->keys[0].kind == HIST_KEY_BUCKETS;
}

/*
 * --sort; or for the table what sort= of the trigger says; or an axis in its
 * order, which for plain numbers only bars need; or the largest first, by the
 * value that the trigger sorts by.  Where --top cuts, always the largest.
 */
static int pick_order(struct report_hist *h, const struct report_options *o)
{
	const struct hist_schema *schema = h->info->def.schema;
	struct hist_order asked = { 0 };
	bool has_asked = false, bars = o->needs & REPORT_AXIS_ORDER;
	struct hist_expr *expr;
	char why[256];
	int ret;

	if (o->sort) {
		ret = hist_order_parse(&h->order, schema, o->sort, why, sizeof(why));
		if (ret)
			complain("%s: --sort %s: %s", h->name, o->sort, why);
		return ret;
	}
	if (!(o->needs & REPORT_SORT))
		return 0;
	ret = hist_expr_parse(&expr, h->info->def.trigger, NULL);
	if (ret == -ENOMEM)
		return ret;
	if (!ret) {
		has_asked = hist_order_of_expr(&asked, schema, expr);
		hist_expr_free(expr);
	}
	if (has_asked && !bars && !o->top) {
		h->order = asked;
		return 0;
	}
	h->has_axis = hist_view_axis(schema, &h->axis) &&
		      (bars || (is_bucketed(schema) && !has_asked));
	h->grouped = bars && schema->nkeys > 1 && hist_axis_key(schema) >= 0;
	hist_order_largest(&h->order, hist_main_value(schema, has_asked ? &asked : NULL));
	return 0;
}

/* -ENOENT, after a message, for a histogram that cannot be shown so. */
static int pick_view(const struct report_hist *h, const struct report_options *o)
{
	const struct hist_schema *schema = h->info->def.schema;
	int value = hist_main_value(schema, &h->order);
	char why[256];

	if (o->needs & REPORT_NEEDS_AXIS &&
	    hist_percentiles_why_not(schema, why, sizeof(why))) {
		complain("%s: %s", h->name, why);
		return -ENOENT;
	}
	if (o->needs & REPORT_DRAWS &&
	    (value < 0 || !hist_value_is_sum(schema->values[value].kind))) {
		complain("%s: no heat map: no value is a sum: record without nohitcount", h->name);
		return -ENOENT;
	}
	/* a heat map has an order of its own */
	if (o->needs & REPORT_DRAWS && o->sort &&
	    (h->order.n != 1 || h->order.sorts[0].is_key)) {
		complain("%s: --sort %s: a heat map has the order of its axis: give the one value to show",
			 h->name, o->sort);
		return -EINVAL;
	}
	return 0;
}

/* What find() looks for. */
struct wish {
	enum { WISH_LAST, WISH_NOT_AFTER, WISH_SEQ } kind;
	uint64_t time;
	uint32_t seq;
};

/* 1: found, 0: the walk saw snapshots but none that will do, or none at all. */
static int walk_for(struct hist_cursor *cursor,
		    const struct wish *wish, uint32_t *seq)
{
	const struct hist_snapshot *snap;
	int ret, found = 0;

	while ((ret = hist_cursor_next(cursor, &snap)) == 1) {
		if (wish->kind == WISH_NOT_AFTER && snap->time > wish->time)
			break;
		if (wish->kind == WISH_SEQ && snap->seq > wish->seq)
			break;
		if (wish->kind == WISH_SEQ && snap->seq != wish->seq)
			continue;
		*seq = snap->seq;
		found = 1;
	}
	return ret < 0 ? ret : found;
}

/*
 * The number of the snapshot that is wished for; 0 where there is none.
 * Where the part that was jumped to is damaged, the whole file is walked.
 */
static int find(struct hist_series *series, const struct report_hist *h, const struct wish *wish,
		uint32_t *seq)
{
	struct hist_cursor *cursor;
	int ret;

	if (wish->kind == WISH_NOT_AFTER)
		ret = hist_cursor_open_at(&cursor, series, h->hist, wish->time);
	else
		ret = hist_cursor_open(&cursor, series, h->hist,
				       wish->kind == WISH_SEQ ? wish->seq : h->info->last_seq);
	if (!ret) {
		ret = walk_for(cursor, wish, seq);
		hist_cursor_free(cursor);
	}
	if (ret)
		return ret;
	ret = hist_cursor_open(&cursor, series, h->hist, h->info->first_seq);
	if (!ret) {
		ret = walk_for(cursor, wish, seq);
		hist_cursor_free(cursor);
	}
	return ret;
}

/*
 * A point in time as a number of the clock.  Times are printed rounded to
 * microseconds; one given so means all that is printed so.
 */
static int time_of(const struct report_hist *h, const struct report_point *p, uint64_t *time)
{
	uint64_t ns;

	if (!hist_clock_is_ns(h->info->def.clock)) {
		if (p->has_point) {
			complain("%s: %s: the clock \"%s\" counts no seconds: give a whole number",
				 h->name, p->text, h->info->def.clock);
			return -EINVAL;
		}
		ns = p->number;
	} else if (p->number > (INT64_MAX - NSEC) / NSEC) {
		ns = INT64_MAX;
	} else {
		ns = p->number * NSEC + p->ns + (p->digits <= 6 ? 499 : 0);
	}
	if (p->kind == REPORT_AFTER_FIRST)
		ns = h->info->first_time > UINT64_MAX - ns ? UINT64_MAX : h->info->first_time + ns;
	*time = ns;
	return 0;
}

static void complain_time(const struct report_hist *h, const char *text)
{
	struct hist_strbuf first = { 0 };

	hist_label_time(&first, h->info->first_time, hist_clock_is_ns(h->info->def.clock));
	hist_strbuf_char(&first, '\0');
	complain("%s: %s: no snapshot so early: the first is at %s", h->name, text,
		 first.error ? "?" : first.data);
	hist_strbuf_free(&first);
}

/* The number of the snapshot that @p means; -ENOENT after a message. */
static int find_point(struct hist_series *series, const struct report_hist *h,
		      const struct report_point *p, uint32_t *seq)
{
	struct wish wish = { .kind = WISH_SEQ, .seq = p->number };
	int ret;

	if (p->kind != REPORT_SEQ) {
		wish.kind = WISH_NOT_AFTER;
		ret = time_of(h, p, &wish.time);
		if (ret)
			return ret;
	} else if (p->number < h->info->first_seq || p->number > h->info->last_seq) {
		complain("%s: no snapshot %" PRIu64 ": there are %" PRIu32 " to %" PRIu32, h->name,
			 p->number, h->info->first_seq, h->info->last_seq);
		return -ENOENT;
	}
	ret = find(series, h, &wish, seq);
	if (ret == 1)
		return 0;
	if (ret < 0)
		return ret;
	if (p->kind == REPORT_SEQ)
		complain("%s: snapshot %" PRIu64 " is damaged or missing", h->name, p->number);
	else
		complain_time(h, p->text);
	return -ENOENT;
}

static int find_between(struct hist_series *series, struct report_hist *h,
			const struct report_options *o)
{
	int ret;

	ret = find_point(series, h, &o->a, &h->first);
	if (!ret)
		ret = find_point(series, h, &o->b, &h->last);
	if (ret)
		return ret;
	if (h->first < h->last)
		return 0;
	if (h->first == h->last)
		complain("%s: --between %s,%s: both are snapshot %" PRIu32, h->name, o->a.text,
			 o->b.text, h->first);
	else
		complain("%s: --between %s,%s: snapshot %" PRIu32 " comes before %" PRIu32,
			 h->name, o->a.text, o->b.text, h->last, h->first);
	return -ENOENT;
}

static int pick_span(struct hist_series *series, struct report_hist *h,
		     const struct report_options *o)
{
	struct wish last = { .kind = WISH_LAST };
	int ret = 0;

	switch (o->span) {
	case REPORT_LAST:
		ret = find(series, h, &last, &h->last);
		h->first = h->last;
		if (ret == 0) {
			complain("%s: no intact snapshot", h->name);
			return -ENOENT;
		}
		return ret < 0 ? ret : 0;
	case REPORT_AT:
	case REPORT_SNAPSHOT:
		ret = find_point(series, h, &o->a, &h->last);
		h->first = h->last;
		return ret;
	case REPORT_BETWEEN:
		return find_between(series, h, o);
	case REPORT_ALL:
	case REPORT_INTERVALS:
		h->first = 0;
		h->last = h->info->last_seq;
		return 0;
	}
	return ret;
}

int report_pick(struct report_picks *picks, struct hist_series *series,
		const struct report_options *o)
{
	unsigned int i, found = 0, count = hist_series_count(series);
	int ret = -ENOMEM;

	picks->n = 0;
	picks->hists = calloc(count, sizeof(*picks->hists));
	if (!picks->hists)
		goto fail;
	for (; picks->n < count; picks->n++) {
		struct report_hist *h = &picks->hists[picks->n];

		h->hist = picks->n;
		h->info = hist_series_info(series, h->hist);
		h->name = hist_series_name(series, h->hist);
		if (!h->name)
			goto fail;
	}
	ret = pick_events(picks, o);
	for (i = 0; i < picks->n && !ret; i++)
		ret = pick_order(&picks->hists[i], o);
	for (i = 0; i < picks->n && !ret; i++) {
		ret = pick_view(&picks->hists[i], o);
		if (!ret)
			ret = pick_span(series, &picks->hists[i], o);
		picks->hists[i].missing = ret != 0;
		found += !ret;
		if (ret == -ENOENT)
			ret = 0;
	}
	if (!ret && !found)
		ret = -ENOENT;
fail:
	if (ret == -ENOMEM || ret == -EIO)
		complain("%s: %s", o->file, strerror(-ret));
	if (ret)
		report_picks_clear(picks);
	return ret;
}

void report_picks_clear(struct report_picks *picks)
{
	unsigned int i;

	for (i = 0; i < picks->n; i++)
		free(picks->hists[i].name);
	free(picks->hists);
	memset(picks, 0, sizeof(*picks));
}

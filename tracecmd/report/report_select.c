// SPDX-License-Identifier: GPL-2.0
/*
 * report_select.c - select the histograms of the files and their snapshots, and walk over these
 *
 * Walks without output settle everything before the first byte is written.  An error is therefore
 * reported before any part of the report.  If all checksums are correct, the headers are
 * sufficient for a report from the first snapshot to the last.
 *
 * Times are given on the clock of the file, or on the common line of several files, and are
 * searched on the clock of the file.
 */
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lib/analysis/axis.h"
#include "lib/analysis/percentiles.h"
#include "lib/analysis/snapshot_view.h"
#include "lib/base/error.h"
#include "lib/base/suggest.h"
#include "lib/check/check.h"
#include "lib/label/label.h"
#include "tracecmd/base/message.h"
#include "tracecmd/base/timer.h"
#include "tracecmd/report/report_inputs.h"
#include "tracecmd/report/report_select.h"

/* The criteria of report_range_find_snapshot(). */
struct range_query {
	enum { WISH_FIRST, WISH_LAST, WISH_NOT_AFTER, WISH_SEQ } kind;
	uint64_t time;
	uint32_t seq;
};

/* The result of report_range_find_snapshot(). */
struct moment {
	uint32_t seq;
	uint64_t time;
};

/* Returns 1 if found, 0 if no snapshot of the walk matches, or -errno. */
static int report_range_search(struct hist_cursor *cursor, const struct range_query *wish,
			       struct moment *moment)
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
		*moment = (struct moment){ snap->seq, snap->time };
		found = 1;
		if (wish->kind == WISH_FIRST)
			break;
	}
	return ret < 0 ? ret : found;
}

/* Free @cursor; keep it in *@at instead if @at is not NULL and the cursor is at @seq. */
static void put_away(struct hist_cursor *cursor, struct hist_cursor **at, uint32_t seq)
{
	const struct hist_snapshot *snap = hist_cursor_snapshot(cursor);

	if (at && snap && snap->seq == seq)
		*at = cursor;
	else
		hist_cursor_free(cursor);
}

/*
 * find - find the snapshot that matches @wish
 * Returns 1, 0 if there is none, or -errno.  The whole file is walked if the cursor jumped to
 * a part without a match, which may be damaged.
 */
static int report_range_find_snapshot(const struct report_hist *h, const struct range_query *wish,
				      struct moment *moment, struct hist_cursor **at)
{
	uint32_t seqs[] = { wish->kind == WISH_LAST ? h->info->last_seq : wish->seq,
			    h->info->first_seq };
	struct hist_series *series = h->input->series;
	struct hist_cursor *cursor;
	unsigned int i;
	int ret = 0;

	for (i = 0; i < 2 && !ret; i++) {
		if (!i && wish->kind == WISH_NOT_AFTER)
			ret = hist_cursor_open_at(&cursor, series, h->hist, wish->time);
		else
			ret = hist_cursor_open(&cursor, series, h->hist, seqs[i]);
		if (!ret) {
			ret = report_range_search(cursor, wish, moment);
			put_away(cursor, ret == 1 ? at : NULL, moment->seq);
		}
	}
	return ret;
}

/* On the clock of @h: the start of the line of several files, or of @h in a single file. */
static uint64_t report_range_begin(const struct report_hist *h)
{
	return h->on_line ? h->origin - h->offset : h->info->first_time;
}

/*
 * report_range_convert_time - convert a point in time to a number of the clock
 * Times are printed rounded to microseconds.  A time given with such precision includes all
 * times that are printed alike.
 */
static int report_range_convert_time(const struct report_hist *h, const struct report_point *p,
				     uint64_t *time)
{
	uint64_t ns, begin;

	if (h->input->label && !h->on_line)
		return message_refuse(-ENOENT,
				      "%s: %s: the times of this file cannot be "
				      "aligned with those of the other files\n"
				      "report this file alone",
				      h->name, p->text);
	if (!hist_clock_is_ns(h->info->def.clock)) {
		if (p->has_point)
			return message_refuse(-EINVAL,
					      "%s: %s: the clock \"%s\" is not in "
					      "nanoseconds, so a time in seconds cannot be used\n"
					      "use a whole number in units of this clock",
					      h->name, p->text, h->info->def.clock);
		ns = p->number;
	} else if (p->number > (INT64_MAX - NSEC_PER_SEC) / NSEC_PER_SEC) {
		ns = INT64_MAX;
	} else {
		ns = p->number * NSEC_PER_SEC + p->ns + (p->digits <= 6 ? 499 : 0);
	}
	if (p->kind == REPORT_AFTER_FIRST) {
		begin = report_range_begin(h);
		/* the line may begin before this clock was 0 */
		ns = (int64_t)begin < 0 && h->on_line ? (ns > -begin ? ns + begin : 0)
		     : begin > UINT64_MAX - ns	      ? UINT64_MAX
						      : begin + ns;
	} else if (h->on_line) {
		ns = (int64_t)ns > h->offset ? ns - h->offset : 0;
	}
	*time = ns;
	return 0;
}

static void report_range_refuse_time(const struct report_hist *h, const char *text)
{
	struct hist_strbuf first = { 0 };

	hist_label_put_time(&first,
			    hist_series_info(h->input->series, h->hist)->first_time +
				    (h->on_line ? h->offset : 0),
			    hist_clock_is_ns(h->info->def.clock));
	hist_strbuf_char(&first, '\0');
	message_error("%s: time %s is before the first snapshot, which is at %s", h->name, text,
		      first.error ? "?" : first.data);
	hist_strbuf_free(&first);
}

/* Find the snapshot that @p selects; -ENOENT after a message. */
static int find_point(const struct report_hist *h, const struct report_point *p,
		      struct moment *moment)
{
	struct range_query wish = { .kind = WISH_SEQ, .seq = p->number };
	int ret;

	if (p->kind != REPORT_SEQ) {
		wish.kind = WISH_NOT_AFTER;
		ret = report_range_convert_time(h, p, &wish.time);
		if (ret)
			return ret;
	} else if (p->number < h->info->first_seq || p->number > h->info->last_seq)
		return message_refuse(-ENOENT,
				      "%s: no snapshot %" PRIu64 ": the sequence numbers "
				      "are %" PRIu32 " to %" PRIu32,
				      h->name, p->number, h->info->first_seq, h->info->last_seq);
	ret = report_range_find_snapshot(h, &wish, moment, NULL);
	if (ret == 1)
		return 0;
	if (ret < 0)
		return ret;
	if (p->kind == REPORT_SEQ)
		return message_refuse(-ENOENT, "%s: snapshot %" PRIu64 " is damaged or missing",
				      h->name, p->number);
	report_range_refuse_time(h, p->text);
	return -ENOENT;
}

static int find_between(struct report_hist *h, const struct report_options *o)
{
	struct moment a, b;
	int ret;

	ret = find_point(h, &o->a, &a);
	if (!ret)
		ret = find_point(h, &o->b, &b);
	if (ret)
		return ret;
	h->walk = HIST_INTERVALS_BETWEEN;
	h->first = a.seq;
	h->last = b.seq;
	h->first_time = a.time;
	h->last_time = b.time;
	if (h->first < h->last)
		return 0;
	if (h->first == h->last)
		return message_refuse(-ENOENT,
				      "%s: --between %s,%s: both values select snapshot %" PRIu32,
				      h->name, o->a.text, o->b.text, h->first);
	return message_refuse(-ENOENT,
			      "%s: --between %s,%s: snapshot %" PRIu32 " comes before %" PRIu32,
			      h->name, o->a.text, o->b.text, h->last, h->first);
}

/*
 * report_range_presume_ends - take the ends of a report of one difference from the headers
 * True if that is possible; report_range_find_intact() finds the ends if their bodies are invalid.
 */
static bool report_range_presume_ends(struct report_hist *h, const struct report_options *o)
{
	const struct hist_series_info *info = h->info;

	if (o->span != REPORT_RECORDED || o->needs & REPORT_OVER_TIME ||
	    !hist_series_is_sound(h->input->series))
		return false;
	h->extent = hist_extent_find(&info->def, info->first_seq, info->last_seq);
	if (hist_extent_is_whole(h->extent))
		return false;
	h->walk = HIST_INTERVALS_BETWEEN;
	h->first = info->first_seq;
	h->last = info->last_seq;
	h->presumed = true;
	return true;
}

/*
 * report_range_select_all - select the whole recording by the rule of extent.h
 * The whole is the last snapshot, or intervals that start from nothing.  Otherwise the first
 * snapshot is subtracted.
 */
static int report_range_select_all(struct report_hist *h, bool intervals)
{
	struct range_query begin = { .kind = WISH_FIRST, .seq = h->info->first_seq };
	struct range_query end = { .kind = WISH_LAST };
	struct moment first, last;
	int ret;

	ret = report_range_find_snapshot(h, &end, &last, &h->cursor);
	if (ret == 1)
		ret = report_range_find_snapshot(h, &begin, &first, NULL);
	if (!ret)
		return message_refuse(-ENOENT, "%s: no intact snapshot", h->name);
	if (ret < 0)
		return ret;
	h->extent = hist_extent_find(&h->info->def, first.seq, last.seq);
	h->last = last.seq;
	if (hist_extent_is_whole(h->extent)) {
		h->walk = intervals ? HIST_INTERVALS_ALL : HIST_INTERVALS_WHOLE;
		h->first = intervals ? 0 : last.seq;
	} else {
		h->walk = HIST_INTERVALS_BETWEEN;
		h->first = first.seq;
	}
	if (h->first != h->last) {
		hist_cursor_free(h->cursor);
		h->cursor = NULL;
	}
	return 0;
}

/* The same without options for a @presumed histogram whose walk showed nothing. */
static int report_range_find_intact(struct report_hist *h)
{
	h->presumed = false;
	return report_range_select_all(h, false);
}

/*
 * report_range_count - select the snapshots of counters, which begin with the recording
 * The snapshot of a sample has all counts, unless the histogram was cleared.  Damage is counted by
 * a walk over all snapshots.
 */
static int report_range_count(struct report_hist *h, const struct report_options *o)
{
	const struct hist_series *series = h->input->series;
	struct range_query end = { .kind = WISH_LAST };
	bool each = o->span == REPORT_ALL || o->span == REPORT_INTERVALS;
	struct moment last = { h->info->last_seq, 0 };
	int ret = 1;

	h->walk = HIST_INTERVALS_WHOLE;
	h->extent = HIST_EXTENT_CHOSEN;
	if (o->span == REPORT_BETWEEN)
		return message_refuse(-EINVAL,
				      "%s: %s shows only totals since the start\n"
				      "use --snapshot all instead of --between",
				      h->name, o->format->name);
	if (o->span == REPORT_AT || o->span == REPORT_SNAPSHOT) {
		ret = find_point(h, &o->a, &last) ?: 1;
	} else if (o->span != REPORT_ALL) {
		ret = report_range_find_snapshot(h, &end, &last, &h->cursor);
		/* not SINGLE: also the only snapshot is that of the set-up */
		h->extent = hist_extent_find(&h->info->def, 0, UINT32_MAX);
	}
	if (ret != 1)
		return ret ? ret : message_refuse(-ENOENT, "%s: no intact snapshot", h->name);
	h->first = h->last = last.seq;
	if (!each && !h->info->resets && hist_series_is_sound(series))
		return 0;
	h->first = tracedat_trace_id(hist_series_file(series)) ? h->info->first_seq : 0;
	if (h->first != h->last) {
		hist_cursor_free(h->cursor);
		h->cursor = NULL;
	}
	return 0;
}

/*
 * report_range.c - set first, last, their times, and maybe cursor of @h as @o selects
 * Returns 0; -ENOENT after a message if @h does not have such a snapshot; -EINVAL after a
 * message; -errno of reading.
 */
static int report_range_find(struct report_hist *h, const struct report_options *o)
{
	struct moment moment = { 0 };
	int ret = 0;

	h->first_time = hist_series_info(h->input->series, h->hist)->first_time;
	h->last_time = hist_series_info(h->input->series, h->hist)->last_time;

	if (o->needs & REPORT_COUNTERS)
		return report_range_count(h, o);
	h->walk = HIST_INTERVALS_WHOLE;
	h->extent = HIST_EXTENT_CHOSEN;
	switch (o->span) {
	case REPORT_RECORDED:
	case REPORT_INTERVALS:
		if (report_range_presume_ends(h, o))
			return 0;
		return report_range_select_all(h, o->span == REPORT_INTERVALS);
	case REPORT_AT:
	case REPORT_SNAPSHOT:
		ret = find_point(h, &o->a, &moment);
		h->first = h->last = moment.seq;
		return ret;
	case REPORT_BETWEEN:
		return find_between(h, o);
	case REPORT_ALL:
		h->first = 0;
		h->last = h->info->last_seq;
		return 0;
	}
	return ret;
}

#define KEPT_BYTES ((size_t)16 << 20)

static int report_select_refuse_event(const struct report_picks *all,
				      const struct report_options *o, const char *wanted)
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
		return message_refuse(-ENOENT, "%s: no histogram \"%s\"\ndid you mean \"%s\"?",
				      report_files_name(o), wanted, near);
	return message_refuse(-ENOENT, "%s: no histogram \"%s\"\nrun 'trace-cmd hist report "
			      "--list'", report_files_name(o), wanted);
}

/* True if @wanted is EVENT of any file, or LABEL:EVENT of one of several files. */
static bool report_select_name_matches(const struct report_hist *h, const char *wanted)
{
	const char *label = h->input->label;
	size_t len = label ? strlen(label) : 0;

	if (hist_series_name_matches(h->own_name, wanted))
		return true;
	return label && !strncmp(wanted, label, len) && wanted[len] == ':' &&
	       hist_series_name_matches(h->own_name, wanted + len + 1);
}

static void free_hist(struct report_hist *h)
{
	if (h->own_name != h->name)
		free(h->own_name);
	free(h->name);
	hist_cursor_free(h->cursor);
}

/* Keep only the histograms that -e names, in the order of the file. */
static int pick_events(struct report_picks *picks, const struct report_options *o)
{
	bool *wanted;
	unsigned int i, e, n = 0;
	int ret = 0;

	if (!o->events.n)
		return 0;
	wanted = calloc(picks->n, sizeof(*wanted));
	if (!wanted)
		return -ENOMEM;
	for (e = 0; e < o->events.n && !ret; e++) {
		bool any = false;

		for (i = 0; i < picks->n; i++) {
			if (report_select_name_matches(&picks->hists[i], o->events.words[e]))
				wanted[i] = any = true;
		}
		if (!any)
			ret = report_select_refuse_event(picks, o, o->events.words[e]);
	}
	for (i = 0; i < picks->n && !ret; i++) {
		if (wanted[i])
			picks->hists[n++] = picks->hists[i];
		else
			free_hist(&picks->hists[i]);
	}
	if (!ret)
		picks->n = n;
	free(wanted);
	return ret;
}

/* Show the keys of --bucket with these buckets. */
static int report_select_regroup(const struct report_picks *picks, struct hist_buckets *buckets)
{
	struct hist_error error = { 0 };
	const struct report_hist *h;
	unsigned int i;
	int ret;

	for (i = 0; i < picks->n; i++) {
		h = &picks->hists[i];
		ret = hist_series_regroup(h->input->series, h->hist, buckets, &error);
		if (ret)
			return ret == -ENOMEM ? ret : message_report_of(ret, &error, "--bucket: %s",
									h->name);
	}
	ret = hist_buckets_check(buckets, "--bucket", &error);
	return ret ? message_report(ret, &error) : 0;
}

/* Set the order to --sort, or to the usual order. */
static int pick_order(struct report_hist *h, const struct report_options *o)
{
	const struct hist_schema *schema = h->info->def.schema;
	/* the summary is the table if there is no distribution to show */
	bool bars = o->needs & REPORT_AXIS_ORDER && (o->writer.view != HIST_VIEW_SUMMARY ||
						     hist_axis_comes_first(schema));
	struct hist_error error = { 0 };
	int ret;

	if (o->sort) {
		ret = hist_row_order_parse(&h->default_order.order, schema, o->sort, &error);
		if (!ret)
			return 0;
		return message_report_of(ret, &error, "%s: --sort %s", h->name, o->sort);
	}
	if (!(o->needs & REPORT_SORT))
		return 0;
	h->grouped = bars && schema->nkeys > 1 && hist_axis_key(schema) >= 0;
	return hist_default_order_make(&h->default_order, &h->info->def, bars, o->writer.top);
}

/* Returns -ENOENT after a message if the view cannot show this histogram. */
static int pick_view(const struct report_hist *h, const struct report_options *o)
{
	const struct hist_schema *schema = h->info->def.schema;
	int value = hist_row_find_main_value(schema, &h->default_order.order);
	struct hist_error error = { 0 };

	if (o->needs & REPORT_NEEDS_AXIS && hist_percentiles_explain_none(schema, &error))
		return message_report_of(-ENOENT, &error, "%s", h->name);
	if (o->needs & REPORT_DRAWS &&
	    (value < 0 || !hist_value_is_sum(schema->values[value].kind)))
		return message_refuse(-ENOENT, "%s: a heat map needs the hit count or the sum "
					       "of a field\n"
				      "record without nohitcount", h->name);
	/* a heat map has its own order */
	if (o->needs & REPORT_DRAWS && o->sort &&
	    (h->default_order.order.n != 1 || h->default_order.order.sorts[0].is_key))
		return message_refuse(-EINVAL, "%s: --sort %s: the rows of a heat map cannot be "
				      "sorted\nuse --sort only to select the value that the heat "
				      "map shows", h->name, o->sort);
	return 0;
}

/* Several files: add the label to the name, and set the offset to the common line. */
static int report_select_set_timeline(struct report_hist *h, const struct report_options *o,
				      uint64_t origin)
{
	int ret = report_inputs_find_offset(h->input, h->hist, &h->offset);

	if (ret < 0)
		return ret;
	h->on_line = ret;
	h->origin = origin;
	h->timeline.name = h->own_name;
	h->timeline.origin = origin;
	h->timeline.on_line = h->on_line && o->needs & REPORT_LINE;
	h->timeline.offset = h->timeline.on_line ? h->offset : 0;
	h->own_info = *h->info;
	h->own_info.timeline = &h->timeline;
	h->own_info.first_time = h->info->first_time + h->timeline.offset;
	h->own_info.last_time = h->info->last_time + h->timeline.offset;
	h->info = &h->own_info;
	return 0;
}

static int pick_name(struct report_hist *h)
{
	h->own_name = h->name = hist_series_name(h->input->series, h->hist);
	if (!h->name)
		return -ENOMEM;
	if (h->input->label && asprintf(&h->name, "%s:%s", h->input->label, h->own_name) < 0) {
		h->name = h->own_name;
		return -ENOMEM;
	}
	return 0;
}

static int pick_all(struct report_picks *picks, const struct report_inputs *inputs)
{
	unsigned int i, n, count = 0;
	int ret = 0;

	for (i = 0; i < inputs->n; i++)
		count += hist_series_count(inputs->files[i].series);
	picks->hists = calloc(count, sizeof(*picks->hists));
	if (!picks->hists)
		return -ENOMEM;
	for (i = 0; i < inputs->n; i++) {
		n = hist_series_count(inputs->files[i].series);
		for (count = 0; count < n && !ret; count++) {
			struct report_hist *h = &picks->hists[picks->n++];

			h->input = &inputs->files[i];
			h->hist = count;
			h->info = hist_series_info(h->input->series, count);
			ret = pick_name(h);
		}
	}
	return ret;
}

/* Give all charts over time the same ends. */
static void pick_ends(struct report_picks *picks)
{
	uint64_t from = UINT64_MAX, to = 0, time;
	unsigned int i;

	for (i = 0; i < picks->n; i++) {
		const struct report_hist *h = &picks->hists[i];

		if (h->missing || !h->timeline.on_line)
			continue;
		time = h->first_time + h->timeline.offset;
		from = time < from ? time : from;
		time = h->last_time + h->timeline.offset;
		to = time > to ? time : to;
	}
	for (i = 0; i < picks->n; i++) {
		picks->hists[i].timeline.from = from;
		picks->hists[i].timeline.to = to > from ? to : from;
	}
}

/*
 * keep_few - keep the cursor of @h only if the memory of all kept cursors is small
 * A kept cursor saves a second walk, but memory must not grow with the number of histograms.
 * *@kept: the bytes of all kept cursors.
 */
static void keep_few(struct report_hist *h, size_t *kept)
{
	size_t n = h->cursor ? hist_cursor_memory(h->cursor) : 0;

	if (n <= KEPT_BYTES - *kept) {
		*kept += n;
		return;
	}
	hist_cursor_free(h->cursor);
	h->cursor = NULL;
}

int report_select_hists(struct report_picks *picks, const struct report_inputs *inputs,
			const struct report_options *o)
{
	unsigned int i, found = 0;
	size_t kept = 0;
	int ret;

	picks->n = 0;
	ret = pick_all(picks, inputs);
	if (!ret)
		ret = pick_events(picks, o);
	if (!ret)
		ret = report_select_regroup(picks, o->buckets);
	/* from now on hists do not move: own_info points into them */
	for (i = 0; i < picks->n && !ret; i++) {
		if (picks->hists[i].input->label)
			ret = report_select_set_timeline(&picks->hists[i], o, inputs->origin);
		if (!ret)
			ret = pick_order(&picks->hists[i], o);
	}
	for (i = 0; i < picks->n && !ret; i++) {
		ret = pick_view(&picks->hists[i], o);
		if (!ret)
			ret = report_range_find(&picks->hists[i], o);
		keep_few(&picks->hists[i], &kept);
		picks->hists[i].missing = ret != 0;
		found += !ret;
		if (ret == -ENOENT)
			ret = 0;
	}
	if (!ret && !found)
		ret = -ENOENT;
	if (!ret)
		pick_ends(picks);
	if (ret == -ENOMEM || ret == -EIO)
		message_error("%s: %s", report_files_name(o), strerror(-ret));
	if (ret)
		report_picks_clear(picks);
	return ret;
}

void report_picks_clear(struct report_picks *picks)
{
	unsigned int i;

	for (i = 0; i < picks->n; i++)
		free_hist(&picks->hists[i]);
	free(picks->hists);
	memset(picks, 0, sizeof(*picks));
}

/* --- the walk over the selected snapshots --- */

/*
 * @each: show every interval or snapshot; otherwise one view.
 * *@cursor: has the table of the last view; the caller frees it in all cases.
 */
static int report_walk_selected(const struct report_hist *h, hist_intervals_show *to, void *data,
				bool each, bool added_only, struct hist_cursor **cursor)
{
	struct hist_intervals walk = {
		.info = h->info,
		.name = h->name,
		.first = h->first,
		.last = h->last,
		.span = h->walk,
		.extent = h->extent,
		.added_only = added_only,
		.data = data,
	};
	int ret;

	*cursor = NULL;
	if (h->walk == HIST_INTERVALS_BETWEEN && !each)
		walk.total = to;
	else
		walk.each = to;
	ret = h->cursor ? 0 : hist_cursor_open(cursor, h->input->series, h->hist, h->first);
	return ret ? ret : hist_intervals_walk(h->cursor ? h->cursor : *cursor, &walk);
}

/* A callee, and whether it was called. */
struct shown {
	hist_intervals_show *to;
	void *data;
	bool any;
};

static int report_note_shown(void *data, struct hist_view *view,
			     const struct hist_selection *selection)
{
	struct shown *shown = data;

	shown->any = true;
	return shown->to(shown->data, view, selection);
}

int report_walk_hist(const struct report_hist *h, hist_intervals_show *to, void *data, bool each,
		     bool added_only, struct hist_cursor **cursor)
{
	struct shown shown = { to, data, false };
	struct report_hist intact = *h;
	int ret;

	ret = report_walk_selected(h, report_note_shown, &shown, each, added_only, cursor);
	if (ret || shown.any || !h->presumed)
		return ret;
	hist_cursor_free(*cursor);
	*cursor = NULL;
	ret = report_range_find_intact(&intact);
	if (!ret)
		ret = report_walk_selected(&intact, to, data, each, added_only, cursor);
	if (intact.cursor) {
		hist_cursor_free(*cursor);
		*cursor = intact.cursor;
	}
	/* a message was printed, and the damage counts */
	return ret == -ENOENT ? 0 : ret;
}

int report_visit_total(const struct report_hist *h, hist_intervals_show *show, void *data)
{
	struct hist_cursor *cursor;
	int ret = report_walk_hist(h, show, data, false, false, &cursor);

	hist_cursor_free(cursor);
	return ret;
}

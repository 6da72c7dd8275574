// SPDX-License-Identifier: GPL-2.0
/*
 * report_select.c - select the histograms of the files, and their snapshots
 *
 * Walks without output settle everything before the first byte is written.  An error is
 * therefore reported before any part of the report.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lib/analysis/axis.h"
#include "lib/analysis/percentiles.h"
#include "lib/analysis/snapshot_view.h"
#include "lib/base/error.h"
#include "lib/base/suggest.h"
#include "lib/check/check.h"
#include "tracecmd/base/message.h"
#include "tracecmd/report/report_select.h"

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

/* Set the order to --sort, or to the usual order. */
static int pick_order(struct report_hist *h, const struct report_options *o)
{
	const struct hist_schema *schema = h->info->def.schema;
	bool bars = o->needs & REPORT_AXIS_ORDER;
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

uint64_t report_convert_time(const struct report_hist *h, uint64_t time)
{
	return h->timeline.on_line ? time + h->offset : time;
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
	h->own_info.first_time = report_convert_time(h, h->info->first_time);
	h->own_info.last_time = report_convert_time(h, h->info->last_time);
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
		time = report_convert_time(h, h->first_time);
		from = time < from ? time : from;
		time = report_convert_time(h, h->last_time);
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

// SPDX-License-Identifier: LGPL-2.1
/*
 * json_episodes.c - the members of an episode, and of the sum of all episodes
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "lib/report/data/json_episodes.h"

/* Spans of the time line; shorter ones are merged. */
#define JSON_SPANS 500

static void json_put_episode_cell(struct json_writer *w, const char *name,
				  const struct episode_cell *cell)
{
	switch (cell->type) {
	case EPISODE_TEXT:
		json_string(w, name, cell->text);
		return;
	case EPISODE_PERCENT:
		json_fixed(w, name, cell->number, 2);
		return;
	case EPISODE_BOOL:
		json_bool(w, name, cell->number);
		return;
	default:
		json_number(w, name, cell->number, cell->type == EPISODE_SIGNED);
	}
}

static int json_put_episode_stack(struct json_writer *w, const struct hist_report_episode *e,
				  const uint64_t *addresses, unsigned int n)
{
	struct hist_strbuf text = { 0 };
	unsigned int i;
	int ret;

	json_array_line(w, "stack");
	for (i = 0; i < n; i++) {
		hist_report_symbol_put(hist_strbuf_clear(&text), e, addresses[i], 0);
		json_string_len(w, NULL, text.data, text.len);
	}
	json_array_end(w);
	ret = text.error;
	hist_strbuf_free(&text);
	return ret;
}

/* @e: NULL for a sum of several episodes.  0 or -ENOMEM. */
static int json_put_episode_parts(struct json_writer *w, const struct hist_report_episode *e,
				   const struct hist_story_part *parts, uint32_t n, uint64_t all)
{
	const struct episode_part_column *column;
	struct episode_cell cell;
	uint32_t i;
	int ret = 0;

	json_array_begin(w, "parts");
	for (i = 0; i < n; i++) {
		json_object_line(w, NULL);
		for (column = episode_part_columns; column->name; column++)
			if (column->get(&cell, &parts[i], all))
				json_put_episode_cell(w, column->name, &cell);
		if (!ret && e && parts[i].nstack)
			ret = json_put_episode_stack(w, e, parts[i].stack, parts[i].nstack);
		json_object_end(w);
	}
	json_array_end(w);
	return ret;
}

/* What a CPU did, as the columns of a part have it. */
static void json_put_episode_frame(struct json_writer *w, const char *name,
				   const struct hist_story_frame *what)
{
	json_object_line(w, name);
	json_string(w, "kind", hist_story_kind_name(what->kind));
	json_string(w, "name", what->name);
	if (what->has_number)
		json_number(w, what->kind == HIST_STORY_IRQ ? "irq" :
			    what->kind == HIST_STORY_SOFTIRQ ? "vec" : "pid", what->number, true);
	if (what->has_prio)
		json_number(w, "prio", (int64_t)what->prio, true);
	json_object_end(w);
}

static int json_put_episode_waker(struct json_writer *w, const struct hist_report_episode *e)
{
	const struct hist_story_waker *waker = &e->story->waker;
	int ret = 0;

	json_object_begin(w, "waker");
	json_u64(w, "time_ns", waker->time);
	json_u64(w, "cpu", waker->cpu);
	json_put_episode_frame(w, "task", &waker->task);
	json_put_episode_frame(w, "context", &waker->what);
	if (waker->nstack)
		ret = json_put_episode_stack(w, e, waker->stack, waker->nstack);
	json_object_end(w);
	return ret;
}

static int json_put_episode_line(struct json_writer *w, const struct hist_story *story)
{
	struct hist_story_span *spans = calloc(story->nspans + 1ul, sizeof(*spans));
	uint32_t i, n;

	if (!spans)
		return -ENOMEM;
	if (story->nspans)
		memcpy(spans, story->spans, story->nspans * sizeof(*spans));
	n = hist_story_shorten(spans, story->nspans, JSON_SPANS, false);
	json_array_begin(w, "time_line");
	for (i = 0; i < n; i++) {
		json_object_line(w, NULL);
		json_u64(w, "start_ns", spans[i].from);
		json_u64(w, "end_ns", spans[i].to);
		json_u64(w, "part", spans[i].part);
		json_u64(w, "merged", spans[i].merged);
		json_object_end(w);
	}
	json_array_end(w);
	free(spans);
	return 0;
}

int json_put_episode(struct json_writer *w, const struct hist_report_episode *e)
{
	const struct hist_story *story = e->story;
	const struct episode_column *column;
	struct episode_cell cell;
	uint32_t i;
	int ret = 0;

	for (column = episode_columns; column->name; column++)
		if (column->get(&cell, e))
			json_put_episode_cell(w, column->name, &cell);
	if (story && story->has_task)
		json_put_episode_frame(w, "task", &story->task);
	if (story && story->waker.found)
		ret = json_put_episode_waker(w, e);
	if (!ret)
		ret = json_put_episode_parts(w, e, story ? story->parts : NULL,
					     story ? story->nparts : 0, hist_report_episode_ns(e));
	if (!ret && story)
		ret = json_put_episode_line(w, story);
	if (ret || !story)
		return ret;
	json_array_begin(w, "migrations");
	for (i = 0; i < story->nmoves && i < HIST_STORY_MOVES; i++) {
		json_object_line(w, NULL);
		json_u64(w, "time_ns", story->moves[i].time);
		json_u64(w, "from_cpu", story->moves[i].from);
		json_u64(w, "to_cpu", story->moves[i].to);
		json_object_end(w);
	}
	json_array_end(w);
	return 0;
}

void json_put_episodes_total(struct json_writer *w, const struct hist_report_episodes *list)
{
	json_u64(w, "episodes", list->n);
	json_u64(w, "found", list->found);
	json_u64(w, "ns", list->ns);
	if (list->nexcess)
		json_u64(w, "excess_ns", list->excess_ns);
	json_put_episode_parts(w, NULL, list->total, list->ntotal, list->ns);
}

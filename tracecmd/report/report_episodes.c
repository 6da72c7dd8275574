// SPDX-License-Identifier: GPL-2.0
/*
 * report_episodes.c - find the worst episodes of the files of a report, and their stories
 *
 * Only the shown episodes get a story, so the time depends on their number, not on that of all.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lib/analysis/worst.h"
#include "lib/base/array.h"
#include "tracecmd/base/message.h"
#include "tracecmd/report/report.h"
#include "tracecmd/report/report_episodes.h"

/* Most episodes of a report without --worst=N, and of a recording without captured ones. */
#define EPISODES_MOST 100
#define EPISODES_RECORDED 5

/* A file; an input with the files of a rotated recording has several. */
struct report_source {
	const struct report_input *input;
	const char *path;
	struct hist_episode *captured;
	unsigned int ncaptured;
	struct hist_events *events; /* NULL: not opened yet */
	struct hist_story_reader *reader;
};

/* The offset from the trace clock of a histogram to ns since 1970 (UTC). */
struct report_wall {
	bool searched, found;
	int64_t offset;
};

struct episode_search {
	struct report_episodes *to;
	struct report_wall *wall; /* of @h */
	const struct report_hist *h;
	struct hist_worst_list worst;
	unsigned int file, buffer;
	uint32_t most; /* of one histogram */
};

static int source_read_captured(const struct report_episodes *to, struct report_source *s)
{
	const char *path = s->path;
	struct tracedat_reader *dat;
	struct hist_error error = { 0 };
	int ret;

	ret = tracedat_open_in(to->pool, &dat, path, &error);
	if (ret)
		return message_report_of(ret, &error, "%s", path);
	ret = hist_episodes_read(&s->captured, &s->ncaptured, dat);
	tracedat_reader_free(dat);
	return ret ? message_error_errno(path, ret) : 0;
}

static int source_open_events(const struct report_episodes *to, struct report_source *s)
{
	const char *path = s->path;
	struct hist_error error = { 0 };
	int ret;

	if (s->reader)
		return 0;
	ret = hist_events_open_in(to->pool, &s->events, path, &error);
	if (ret)
		return message_report_of(ret, &error, "%s", path);
	return hist_story_reader_new(&s->reader, s->events) ? message_error_memory() : 0;
}

/* The events of a file need much more memory than its histograms. */
static void source_close_events(struct report_source *s)
{
	hist_story_reader_free(s->reader);
	hist_events_free(s->events);
	s->reader = NULL;
	s->events = NULL;
}

static const char *keep_name(struct report_episodes *to, const char *label, const char *event)
{
	char *name;
	int ret;

	if (asprintf(&name, "%s%s%s", label ? label : "", label ? ":" : "", event) < 0)
		return NULL;
	ret = names_add(&to->names, name, strlen(name));
	free(name);
	return ret ? NULL : to->names.names[to->names.n - 1];
}

/* From --time-offset or the file, as for a snapshot. */
static int find_wall(struct report_wall *wall, const struct report_hist *h,
		     const struct report_options *o)
{
	int ret;

	if (wall->searched)
		return 0;
	if (o->has_offset) {
		*wall = (struct report_wall){ true, hist_clock_is_ns(h->info->def.clock),
					      o->offset };
		return 0;
	}
	ret = report_inputs_find_offset(h->input, h->hist, &wall->offset);
	wall->found = ret == 1;
	wall->searched = ret >= 0;
	return ret < 0 ? ret : 0;
}

/* 0 or -errno, without a message. */
static int add_episode(struct report_episodes *to, const struct report_hist *h,
		       struct report_wall *wall, unsigned int file, const struct hist_episode *what,
		       bool captured)
{
	struct hist_report_episode *e;
	int ret = find_wall(wall, h, to->options);

	if (ret)
		return ret;
	if (array_add(&to->list.list, to->list.n, sizeof(*to->list.list)))
		return -ENOMEM;
	e = &to->list.list[to->list.n];
	*e = (struct hist_report_episode){
		.what = *what,
		.histogram = keep_name(to, h->input->label, what->event),
		.host = h->info->def.host,
		.file = file,
		.captured = captured,
		.time_offset = h->timeline.offset,
		.has_wall = wall->found,
		.wall_offset = wall->offset,
	};
	if (!e->histogram)
		return -ENOMEM;
	to->list.n++;
	return 0;
}

/* The captured episodes of the selected histograms of a file. */
static int add_captured(struct report_episodes *to, const struct report_picks *picks,
			unsigned int file)
{
	const struct report_source *s = &to->sources[file];
	unsigned int i, h;
	int ret = 0;

	for (i = 0; !ret && i < s->ncaptured; i++) {
		for (h = 0; h < picks->n; h++) {
			if (picks->hists[h].input == s->input &&
			    !strcmp(picks->hists[h].info->def.event, s->captured[i].event))
				break;
		}
		if (h < picks->n)
			ret = add_episode(to, &picks->hists[h], &to->walls[h], file,
					  &s->captured[i], true);
	}
	return ret ? message_error_errno(s->path, ret) : 0;
}

/* --- the largest latencies of a recording with events --- */

/* True if the same latency was the largest of a row of another histogram. */
static bool is_known(const struct report_episodes *to, unsigned int file,
		     const struct hist_episode *what)
{
	const struct hist_report_episode *e = to->list.list;
	uint32_t i;

	for (i = 0; i < to->list.n; i++, e++) {
		if (e->file == file && e->what.end == what->end && e->what.cpu == what->cpu &&
		    e->what.value == what->value && !strcmp(e->what.event, what->event))
			return true;
	}
	return false;
}

static uint64_t unit_ns(enum hist_unit unit)
{
	switch (unit) {
	case HIST_UNIT_NS:
		return 1;
	case HIST_UNIT_US:
		return 1000;
	default:
		return 0;
	}
}

static int add_worst(struct episode_search *s, const struct hist_worst *worst)
{
	uint64_t ns = unit_ns(s->worst.unit);
	struct hist_worst_place place;
	struct hist_episode what = {
		.event = s->h->info->def.event,
		.key = "",
		.flags = HIST_EPISODE_TIMED,
	};

	hist_worst_get_place(worst, &place);
	if (!worst->exact || !place.has_time || !place.has_cpu || place.cpu > UINT32_MAX || !ns ||
	    worst->value > place.time / ns)
		return 0;
	what.buffer = hist_events_buffer(s->to->sources[s->file].events, s->buffer)->name;
	what.end = place.time;
	what.value = worst->value * ns;
	what.start = what.end - what.value;
	what.cpu = place.cpu;
	if (is_known(s->to, s->file, &what))
		return 0;
	if (place.has_pid && !place.has_previous && strstr(what.event, "..sys_exit")) {
		char key[32];

		snprintf(key, sizeof(key), "common_pid=%u", (unsigned int)place.pid);
		what.key = keep_name(s->to, NULL, key);
		if (!what.key)
			return -ENOMEM;
	}
	return add_episode(s->to, s->h, s->wall, s->file, &what, false);
}

/* hist_intervals_show */
static int add_worst_of_view(void *data, struct hist_view *view,
			     const struct hist_selection *selection)
{
	struct episode_search *s = data;
	uint32_t i;
	int ret;

	(void)selection;
	ret = hist_worst_select(&s->worst, view);
	for (i = 0; !ret && i < s->worst.n && i < s->most; i++)
		ret = add_worst(s, &s->worst.list[i]);
	return ret;
}

static int add_recorded(struct report_episodes *to, const struct report_picks *picks,
			unsigned int file, uint32_t most)
{
	/* some may be the same as in another histogram, or before the events */
	struct episode_search s = {
		.to = to,
		.file = file,
		.most = 2 * (most < EPISODES_MOST ? most : EPISODES_MOST),
	};
	struct report_source *source = &to->sources[file];
	unsigned int i, before = to->list.n;
	int ret;

	ret = source_open_events(to, source);
	if (ret)
		return ret;
	while (s.buffer < hist_events_nbuffers(source->events) &&
	       !hist_events_buffer(source->events, s.buffer)->bytes)
		s.buffer++;
	if (s.buffer == hist_events_nbuffers(source->events))
		goto out;
	for (i = 0; !ret && i < picks->n; i++) {
		s.h = &picks->hists[i];
		s.wall = &to->walls[i];
		if (s.h->input != source->input || s.h->missing ||
		    !hist_clock_is_ns(s.h->info->def.clock) ||
		    hist_schema_worst(s.h->info->def.schema) < 0)
			continue;
		ret = report_visit_total(s.h, add_worst_of_view, &s);
		if (ret)
			message_error_errno(s.h->name, ret);
	}
	hist_worst_free(&s.worst);
out:
	if (to->list.n == before)
		source_close_events(source);
	return ret;
}

/* --- stories --- */

/* The worst first; episodes of a filter have no value and keep their order. */
static int compare_episodes(const void *a, const void *b)
{
	const struct hist_report_episode *x = a, *y = b;

	if (x->what.value != y->what.value)
		return x->what.value > y->what.value ? -1 : 1;
	if (x->file != y->file)
		return x->file < y->file ? -1 : 1;
	return (x->what.end > y->what.end) - (x->what.end < y->what.end);
}

static int make_story(struct report_episodes *to, struct hist_report_episode *e)
{
	struct report_source *source = &to->sources[e->file];
	struct hist_story_window window;
	int ret;

	ret = source_open_events(to, source);
	if (ret || !(e->what.flags & HIST_EPISODE_TIMED))
		return ret;
	e->events = to->raw_names ? NULL : source->events;
	ret = hist_story_window_of(&window, source->events, &e->what);
	if (ret)
		return message_refuse(ret, "%s: the file does not contain the events of %s",
				      source->path, e->what.buffer);
	ret = hist_story_make(&e->story, source->reader, &window);
	if (ret)
		return message_error_errno(source->path, ret);
	e->what.start = e->story->start;
	e->what.end = e->story->end;
	return 0;
}

/* True if the events of the recording do not cover the episode. */
static bool is_unexplained(const struct hist_report_episode *e)
{
	return !e->captured && e->story && e->story->nparts == 1 &&
	       e->story->parts[0].what.kind == HIST_STORY_UNKNOWN;
}

/* Make the stories of the worst episodes, and leave out those that the events do not cover. */
static int make_stories(struct report_episodes *to, uint32_t most)
{
	struct hist_report_episodes *l = &to->list;
	uint32_t i, n = 0, all = l->n;
	uint64_t excess;
	int ret = 0;

	for (i = 0; !ret && i < all && n < most && i - n < EPISODES_MOST; i++) {
		struct hist_report_episode e = l->list[i];

		ret = make_story(to, &e);
		if (ret || is_unexplained(&e)) {
			hist_story_free(e.story);
			continue;
		}
		e.rank = n + 1;
		l->list[n++] = e;
		l->ns += hist_report_episode_ns(&e);
		if (e.story && hist_story_add_total(&l->total, &l->ntotal, e.story))
			ret = message_error_memory();
		if (hist_report_episode_excess(&e, &excess))
			l->excess_ns += excess;
	}
	if (!ret && hist_story_list_excess(&l->excess, &l->nexcess, l->total, l->ntotal))
		ret = message_error_memory();
	/* the others have no story */
	l->found = n + (all - i);
	l->n = n;
	hist_story_sort_total(l->total, l->ntotal);
	hist_story_sort_total(l->excess, l->nexcess);
	return ret;
}

static int refuse_none(const struct report_inputs *inputs)
{
	return message_refuse(-ENOENT, "%s: no episodes (latencies that reached a threshold)\n"
			      "record episodes with --threshold, for example "
			      "'trace-cmd hist record --preset wakeup-latency --threshold 1ms'",
			      inputs->n == 1 ? inputs->files[0].path : "all files");
}

static int add_files(struct report_episodes *to, const struct report_input *input)
{
	const char *path;
	unsigned int i;

	for (i = 0; (path = hist_series_file_path(input->series, i)); i++) {
		if (array_add(&to->sources, to->nsources, sizeof(*to->sources)))
			return message_error_memory();
		to->sources[to->nsources++] =
			(struct report_source){ .input = input, .path = path };
	}
	return 0;
}

int report_episodes_find(struct report_episodes *to, const struct report_picks *picks,
			 const struct report_inputs *inputs, const struct report_options *options)
{
	uint32_t most = options->nepisodes;
	bool captured = false;
	unsigned int i;
	int ret = 0;

	to->options = options;
	to->pool = inputs->pool;
	to->walls = calloc(picks->n + 1ul, sizeof(*to->walls));
	if (!to->walls)
		return message_error_memory();
	for (i = 0; !ret && i < inputs->n; i++)
		ret = add_files(to, &inputs->files[i]);
	for (i = 0; !ret && i < to->nsources; i++) {
		ret = source_read_captured(to, &to->sources[i]);
		if (ret)
			break;
		captured |= to->sources[i].ncaptured != 0;
		/* --rotate cannot be combined with --events */
		if (to->sources[i].ncaptured)
			ret = add_captured(to, picks, i);
		else if (!hist_series_file_path(to->sources[i].input->series, 1))
			ret = add_recorded(to, picks, i, most ? most : EPISODES_RECORDED);
	}
	if (ret)
		return ret;
	if (to->list.n)
		qsort(to->list.list, to->list.n, sizeof(*to->list.list), compare_episodes);
	if (!most)
		most = captured ? EPISODES_MOST : EPISODES_RECORDED;
	ret = make_stories(to, most);
	return !ret && !to->list.n ? refuse_none(inputs) : ret;
}

void report_episodes_clear(struct report_episodes *to)
{
	unsigned int i;

	hist_report_episodes_free(&to->list);
	for (i = 0; i < to->nsources; i++) {
		source_close_events(&to->sources[i]);
		hist_episodes_free(to->sources[i].captured, to->sources[i].ncaptured);
	}
	free(to->sources);
	free(to->walls);
	names_clear(&to->names);
	*to = (struct report_episodes){ 0 };
}

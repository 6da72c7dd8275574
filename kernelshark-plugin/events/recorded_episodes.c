// SPDX-License-Identifier: GPL-2.0
/*
 * recorded_episodes.c - the captured episodes of a recording
 *
 * The story of an episode (lib/story) finds its START and END events, because the kernel
 * counts a latency slightly later, and names what used the CPU.  A recording has at most
 * as many episodes as --worst, so all stories are made when the file is opened.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "kernelshark-plugin/events/recorded_episodes.h"
#include "lib/label/number.h"
#include "lib/report/episodes.h"

#define PARTS_MOST 3 /* parts that the text names */

static char *put_parts(const struct hist_story *story)
{
	const uint64_t all = story->end - story->start;
	struct hist_strbuf b = { 0 };
	uint32_t i, share;

	for (i = 0; i < story->nparts && i < PARTS_MOST; i++) {
		share = (hist_number_share(story->parts[i].ns, all) + 50) / 100;
		if (i && !share)
			break;
		hist_strbuf_printf(&b, "%s%u %% ", i ? "; " : "", share);
		hist_report_frame_put(&b, &story->parts[i].what, 0);
	}
	return hist_strbuf_string(&b);
}

/* 0, also if the file lacks the buffer, or -ENOMEM. */
static int take_episode(struct recorded_episodes *to, const struct hist_episode *what,
			struct hist_story_reader *reader, const struct hist_events *events)
{
	struct recorded_episode *e = &to->list[to->n];
	struct hist_story_window window;
	struct hist_story *story;
	int ret;

	*e = (struct recorded_episode){ .what = *what, .start = what->end, .end = what->end };
	if (hist_story_window_of(&window, events, what))
		return 0;
	if (!(what->flags & HIST_EPISODE_TIMED)) {
		e->parts = strdup("");
	} else {
		ret = hist_story_make(&story, reader, &window);
		if (ret)
			return ret == -ENOMEM ? ret : 0;
		e->start = story->start;
		e->end = story->end;
		e->has_excess = what->threshold;
		if (e->has_excess && e->end - e->start > what->threshold)
			e->excess = e->end - e->start - what->threshold;
		e->parts = put_parts(story);
		hist_story_free(story);
	}
	if (!e->parts)
		return -ENOMEM;
	to->n++;
	return 0;
}

int recorded_episodes_read(struct recorded_episodes *e, struct tracedat_reader *dat,
			   struct hist_events *events)
{
	struct hist_story_reader *reader = NULL;
	unsigned int i;
	int ret;

	ret = hist_episodes_read(&e->read, &e->nread, dat);
	if (ret || !e->nread)
		return ret;
	e->list = calloc(e->nread, sizeof(*e->list));
	if (!e->list)
		return -ENOMEM;
	ret = hist_story_reader_new(&reader, events);
	for (i = 0; i < e->nread && !ret; i++)
		ret = take_episode(e, &e->read[i], reader, events);
	hist_story_reader_free(reader);
	return ret;
}

void recorded_episodes_clear(struct recorded_episodes *e)
{
	unsigned int i;

	for (i = 0; i < e->n; i++)
		free(e->list[i].parts);
	free(e->list);
	hist_episodes_free(e->read, e->nread);
	*e = (struct recorded_episodes){ 0 };
}

bool recorded_episode_is_in(const struct recorded_episode *e, const struct hist_key_desc *axis,
			    uint64_t ge, uint64_t le, uint64_t from, uint64_t to)
{
	uint64_t value = e->what.value;

	if (!(e->what.flags & HIST_EPISODE_TIMED) || e->what.end <= from || e->what.end > to)
		return false;
	switch (hist_unit_from_key(axis)) {
	case HIST_UNIT_NS:
		break;
	case HIST_UNIT_US:
		value /= 1000;
		break;
	default:
		return false;
	}
	return value >= ge && value <= le;
}

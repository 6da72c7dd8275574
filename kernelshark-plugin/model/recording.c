// SPDX-License-Identifier: GPL-2.0
/*
 * recording.c - the histograms and episodes of one trace.dat file, and the times of their snapshots
 *
 * Only the reference count changes after the recording is opened: a walk over snapshots
 * uses its own reader, a fork of the series (hist_series_fork()).
 *
 * Times decrease where the clock was set back. A binary search then uses @reach, the
 * running maximum of the times. The first snapshot after a time is the first whose
 * reach is after this time.
 *
 * The story of an episode (lib/story) finds its START and END events, because the kernel
 * counts a latency slightly later, and names what used the CPU.  A recording has at most
 * as many episodes as --worst, so all stories are made when the file is opened.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "kernelshark-plugin/model/recording.h"
#include "lib/base/array.h"
#include "lib/base/error.h"
#include "lib/label/label.h"
#include "lib/label/number.h"
#include "lib/report/episodes.h"
#include "lib/ringbuf/events.h"
#include "lib/ringbuf/file_events.h"
#include "lib/series/snapshot_heads.h"

#define PARTS_MOST 3 /* parts that the text of an episode names */

static int recording_add_head(void *data, unsigned int hist, const struct hist_snapshot *head)
{
	struct recording *r = data;
	struct recorded_hist *h = &r->hists[hist];
	struct recording_snapshot *last;

	if (array_grow(&h->snapshots, &h->room, (size_t)h->n + 1, sizeof(*h->snapshots)))
		return -ENOMEM;
	last = h->n ? &h->snapshots[h->n - 1] : NULL;
	/* decreasing sequence numbers: the file was manipulated */
	if (last && head->seq <= last->seq)
		return 0;
	h->snapshots[h->n++] = (struct recording_snapshot){
		.time = head->time,
		.hits = head->hits,
		.entries = head->entries,
		.dropped = head->dropped,
		.seq = head->seq,
		.flags = head->flags | (last && head->hits < last->hits ? HIST_SNAP_RESET : 0),
		.lost = head->seq - (last ? last->seq + 1 : 0),
	};
	return 0;
}

/* Shrink the array, and make @reach for searches. */
static int recording_index_snapshots(struct recorded_hist *h)
{
	struct recording_snapshot *p;
	bool ascends = true;
	uint32_t i;

	if (!h->n)
		return 0;
	p = reallocarray(h->snapshots, h->n, sizeof(*p));
	if (p)
		h->snapshots = p;
	for (i = 1; i < h->n; i++)
		ascends &= h->snapshots[i].time >= h->snapshots[i - 1].time;
	if (ascends)
		return 0;
	h->reach = malloc(h->n * sizeof(*h->reach));
	if (!h->reach)
		return -ENOMEM;
	h->reach[0] = h->snapshots[0].time;
	for (i = 1; i < h->n; i++)
		h->reach[i] = h->snapshots[i].time > h->reach[i - 1] ? h->snapshots[i].time :
								       h->reach[i - 1];
	return 0;
}

static int recording_name_hists(struct recording *r, const char *path)
{
	unsigned int i;

	r->path = strdup(path);
	r->count = hist_series_count(r->series);
	r->hists = calloc(r->count, sizeof(*r->hists));
	if (!r->path || !r->hists)
		return -ENOMEM;
	for (i = 0; i < r->count; i++) {
		r->hists[i].ns = hist_clock_is_ns(hist_series_info(r->series, i)->def.clock);
		r->hists[i].name = hist_series_name(r->series, i);
		if (!r->hists[i].name)
			return -ENOMEM;
	}
	r->has_events = tracedat_has_events(hist_series_file(r->series));
	return 0;
}

static char *recording_put_parts(const struct hist_story *story)
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
static int recording_take_episode(struct recorded_episodes *to, const struct hist_episode *what,
				  struct hist_story_reader *reader,
				  const struct hist_events *events)
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
		e->parts = recording_put_parts(story);
		hist_story_free(story);
	}
	if (!e->parts)
		return -ENOMEM;
	to->n++;
	return 0;
}

/* Read the episodes of @dat, with the stories from @events. */
static int recording_take_episodes(struct recorded_episodes *e, struct tracedat_reader *dat,
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
	if (ret)
		return ret;
	for (i = 0; i < e->nread; i++) {
		ret = recording_take_episode(e, &e->read[i], reader, events);
		if (ret)
			break;
	}
	hist_story_reader_free(reader);
	return ret;
}

/* A file whose episodes cannot be read is still a valid recording. */
static int recording_read_episodes(struct recording *r, struct hist_events *events)
{
	struct tracedat_reader *dat;
	int ret;

	ret = tracedat_open(&dat, r->path, NULL);
	if (!ret) {
		ret = recording_take_episodes(&r->episodes, dat, events);
		tracedat_reader_free(dat);
	}
	return ret == -ENOMEM ? ret : 0;
}

/* A file with missing or damaged formats is still a valid recording. */
static int recording_read_events(struct recording *r, struct hist_events *events)
{
	unsigned int i;
	int ret = 0;

	for (i = 0; events && i < r->count && !ret; i++)
		ret = file_events_parse(&r->hists[i].event, events, r->hists[i].info->def.event,
					strlen(r->hists[i].info->def.event));
	return events && !ret ? recording_read_episodes(r, events) : ret;
}

/* Check all bodies once, so that forks know all damage. */
static int recording_read_heads(struct recording *r)
{
	unsigned int i;
	int ret;

	ret = hist_series_visit_heads(r->series, recording_add_head, r);
	for (i = 0; i < r->count && !ret; i++) {
		r->hists[i].info = hist_series_info(r->series, i);
		ret = recording_index_snapshots(&r->hists[i]);
	}
	return ret;
}

int recording_open_with(struct recording **recording, const char *path, struct hist_events *events,
			struct hist_error *error)
{
	struct recording *r = calloc(1, sizeof(*r));
	int ret;

	if (!r)
		return -ENOMEM;
	r->references = 1;
	ret = hist_series_open(&r->series, path, error);
	if (ret)
		goto fail;
	ret = recording_name_hists(r, path);
	if (!ret)
		ret = recording_read_heads(r);
	if (!ret)
		ret = recording_read_events(r, events);
	if (ret)
		goto fail;
	*recording = r;
	return 0;
fail:
	recording_unref(r);
	return ret;
}

int recording_open(struct recording **recording, const char *path, struct hist_error *error)
{
	struct hist_events *events = NULL;
	int ret;

	/* the error of the file as a recording is the better one */
	ret = hist_events_open(&events, path, NULL);
	if (ret == -ENOMEM)
		return ret;
	ret = recording_open_with(recording, path, events, error);
	hist_events_free(events);
	return ret;
}

struct recording *recording_ref(struct recording *r)
{
	__atomic_fetch_add(&r->references, 1, __ATOMIC_RELAXED);
	return r;
}

static void recording_clear_episodes(struct recorded_episodes *e)
{
	unsigned int i;

	for (i = 0; i < e->n; i++)
		free(e->list[i].parts);
	free(e->list);
	hist_episodes_free(e->read, e->nread);
	*e = (struct recorded_episodes){ 0 };
}

void recording_unref(struct recording *r)
{
	unsigned int i;

	if (!r || __atomic_fetch_sub(&r->references, 1, __ATOMIC_ACQ_REL) != 1)
		return;
	for (i = 0; r->hists && i < r->count; i++) {
		free(r->hists[i].name);
		free(r->hists[i].snapshots);
		free(r->hists[i].reach);
		hist_event_free(r->hists[i].event);
	}
	free(r->hists);
	recording_clear_episodes(&r->episodes);
	free(r->path);
	hist_series_free(r->series);
	free(r);
}

int64_t recording_find_snapshot(const struct recording *r, unsigned int hist, uint64_t time)
{
	const struct recorded_hist *h = &r->hists[hist];
	uint32_t low = 0, high = h->n, mid;

	while (low < high) {
		mid = low + (high - low) / 2;
		if ((h->reach ? h->reach[mid] : h->snapshots[mid].time) <= time)
			low = mid + 1;
		else
			high = mid;
	}
	return (int64_t)low - 1;
}

uint32_t recording_find_nearest(const struct recorded_hist *h, uint32_t seq)
{
	uint32_t low = 0, high = h->n, mid;

	while (low < high) {
		mid = low + (high - low) / 2;
		if (h->snapshots[mid].seq < seq)
			low = mid + 1;
		else
			high = mid;
	}
	if (low == h->n)
		return h->n ? h->n - 1 : 0;
	if (low && h->snapshots[low].seq - seq > seq - h->snapshots[low - 1].seq)
		low--;
	return low;
}

bool recording_episode_is_in(const struct recorded_episode *e, const struct hist_key_desc *axis,
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

// SPDX-License-Identifier: GPL-2.0
/*
 * recording.c - the histograms of one trace.dat file, and the times of their snapshots
 *
 * Only the reference count changes after the recording is opened: a walk over snapshots
 * uses its own reader, a fork of the series (hist_series_fork()).
 *
 * Times decrease where the clock was set back. A binary search then uses @reach, the
 * running maximum of the times. The first snapshot after a time is the first whose
 * reach is after this time.
 */
#include <errno.h>
#include <stdlib.h>

#include "kernelshark-plugin/model/recording.h"
#include "lib/base/array.h"
#include "lib/base/error.h"
#include "lib/label/label.h"
#include "lib/ringbuf/events.h"
#include "lib/ringbuf/file_events.h"
#include "lib/series/snapshot_heads.h"

static int add_head(void *data, unsigned int hist, const struct hist_snapshot *head)
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

/* A file whose episodes cannot be read is still a valid recording. */
static int read_episodes(struct recording *r, struct hist_events *events)
{
	struct tracedat_reader *dat;
	int ret;

	ret = tracedat_open(&dat, r->path, NULL);
	if (!ret) {
		ret = recorded_episodes_read(&r->episodes, dat, events);
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
	return events && !ret ? read_episodes(r, events) : ret;
}

/* Check all bodies once, so that forks know all damage. */
static int recording_read_heads(struct recording *r)
{
	unsigned int i;
	int ret;

	ret = hist_series_visit_heads(r->series, add_head, r);
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
	recorded_episodes_clear(&r->episodes);
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

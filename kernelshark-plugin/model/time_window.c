// SPDX-License-Identifier: GPL-2.0
/* time_window.c - map a visible time range to snapshots */
#include <inttypes.h>

#include "kernelshark-plugin/model/time_window.h"
#include "lib/analysis/extent.h"
#include "lib/analysis/loss_notes.h"
#include "lib/base/text.h"
#include "lib/base/wide.h"
#include "lib/label/label.h"

/* Set the fields about the snapshots between the two ends. */
static void time_window_check_range(const struct recorded_hist *h, struct time_window *w)
{
	uint32_t i;

	for (i = w->from + 1; i <= w->to; i++) {
		w->from_nothing |= (h->snapshots[i].flags & HIST_SNAP_RESET) != 0;
		w->lost += h->snapshots[i].lost;
	}
}

void time_window_find(const struct recording *r, unsigned int hist, uint64_t t0, uint64_t t1,
		      struct time_window *w)
{
	uint64_t begin = t0 < t1 ? t0 : t1, end = t0 < t1 ? t1 : t0;
	const struct recorded_hist *h = &r->hists[hist];
	int64_t from, to;

	memset(w, 0, sizeof(*w));
	from = recording_find_snapshot(r, hist, begin);
	to = recording_find_snapshot(r, hist, end);
	if (!h->n) {
		w->kind = WINDOW_NONE;
	} else if (h->n == 1) {
		w->kind = WINDOW_SINGLE;
	} else if (to < 0) {
		w->kind = WINDOW_BEFORE;
	} else if (from == h->n - 1) {
		w->kind = WINDOW_AFTER;
		w->from = w->to = h->n - 1;
	} else {
		/* counts before the first snapshot are unknown */
		w->from = from < 0 ? 0 : from;
		w->kind = to > w->from ? WINDOW_INTERVALS : WINDOW_INSIDE;
		w->to = to > w->from ? to : w->from + 1;
		time_window_check_range(h, w);
	}
}

void time_window_set(const struct recording *r, unsigned int hist, uint32_t a, uint32_t b,
		     struct time_window *w)
{
	const struct recorded_hist *h = &r->hists[hist];

	memset(w, 0, sizeof(*w));
	if (!h->n) {
		w->kind = WINDOW_NONE;
		return;
	}
	a = a < h->n ? a : h->n - 1;
	b = b < h->n ? b : h->n - 1;
	w->from = a < b ? a : b;
	w->to = a < b ? b : a;
	w->kind = w->from == w->to ? WINDOW_SINGLE : WINDOW_INTERVALS;
	time_window_check_range(h, w);
}

void time_window_set_whole(const struct recording *r, unsigned int hist, struct time_window *w)
{
	const struct recorded_hist *h = &r->hists[hist];
	uint32_t last = h->n ? h->n - 1 : 0;
	enum hist_extent extent;

	extent = h->n ? hist_extent_find(&h->info->def, h->snapshots[0].seq, h->snapshots[last].seq)
		      : HIST_EXTENT_SINGLE;
	time_window_set(r, hist, hist_extent_is_whole(extent) ? last : 0, last, w);
}

uint64_t time_window_count_outside(const struct recording *r, unsigned int hist,
				   const struct time_window *w)
{
	const struct recording_snapshot *s = r->hists[hist].snapshots;
	struct time_window whole;

	time_window_set_whole(r, hist, &whole);
	if (whole.kind != WINDOW_INTERVALS || whole.from_nothing || !time_window_has_numbers(w))
		return 0;
	return s[whole.to].hits - s[whole.from].hits - (s[w->to].hits - s[w->from].hits);
}

uint32_t time_window_find_snapshot(const struct recording *r, unsigned int hist, uint64_t time)
{
	const struct recorded_hist *h = &r->hists[hist];
	int64_t at = recording_find_snapshot(r, hist, time);

	if (!h->n)
		return UINT32_MAX;
	if (at < 0)
		return 0;
	if (at + 1 < h->n && h->snapshots[at + 1].time - time < time - h->snapshots[at].time)
		at++;
	return at;
}

/* Append "3 (12.000000)". */
static void put_snapshot(struct hist_strbuf *b, const struct recorded_hist *h, uint32_t index)
{
	hist_strbuf_printf(b, "%" PRIu32 " (", h->snapshots[index].seq);
	hist_label_put_time(b, h->snapshots[index].time, h->ns);
	hist_strbuf_char(b, ')');
}

/* Append "14 intervals": the intervals between existing snapshots. */
static void put_intervals(struct hist_strbuf *b, const struct time_window *w)
{
	uint32_t n = w->to - w->from;

	hist_strbuf_printf(b, ": %" PRIu32 " interval%s", n, text_plural(n));
	if (w->lost)
		hist_strbuf_printf(b, ", %" PRIu32 " snapshot%s missing", w->lost,
				   text_plural(w->lost));
	if (w->from_nothing)
		hist_strbuf_str(b, ", " HIST_LOSS_CLEARED("this time"));
}

/* Append what is known before the first snapshot; a replay begins at zero. */
static void time_window_put_extent(struct hist_strbuf *b, const struct recorded_hist *h,
				   const struct time_window *w)
{
	const struct recording_snapshot *first = h->snapshots;
	enum hist_extent extent;
	char words[128];

	extent = hist_extent_find(&h->info->def, first->seq, h->snapshots[h->n - 1].seq);
	if (extent == HIST_EXTENT_SINGLE)
		hist_strbuf_printf(b, ", including the %s of the recording",
				   first->seq ? "earlier hits" : "hits from the set-up");
	if (extent == HIST_EXTENT_RECORDED && time_window_has_numbers(w) && !w->from &&
	    !w->from_nothing &&
	    hist_extent_format(extent, first->seq, first->hits, words, sizeof(words)))
		hist_strbuf_printf(b, ", %s: %s", hist_extent_title(first->seq), words);
}

void time_window_describe(struct hist_strbuf *b, const struct recording *r, unsigned int hist,
			  const struct time_window *w)
{
	const struct recorded_hist *h = &r->hists[hist];

	switch (w->kind) {
	case WINDOW_INTERVALS:
	case WINDOW_INSIDE:
		hist_strbuf_str(b, w->kind == WINDOW_INSIDE ?
				"this window is within one interval: snapshots " : "snapshots ");
		put_snapshot(b, h, w->from);
		hist_strbuf_str(b, " to ");
		put_snapshot(b, h, w->to);
		put_intervals(b, w);
		time_window_put_extent(b, h, w);
		return;
	case WINDOW_BEFORE:
		hist_strbuf_str(b, "this window is before the first snapshot: ");
		break;
	case WINDOW_AFTER:
		hist_strbuf_str(b, "this window is after the last snapshot: ");
		break;
	case WINDOW_SINGLE:
		hist_strbuf_str(b, h->n == 1 ? "the only snapshot: " : "snapshot ");
		break;
	case WINDOW_NONE:
		hist_strbuf_str(b, "no snapshot is intact");
		return;
	}
	put_snapshot(b, h, w->to);
	if (w->kind == WINDOW_SINGLE)
		time_window_put_extent(b, h, w);
}

void time_window_describe_snapshot(struct hist_strbuf *b, const struct recording *r,
				   unsigned int hist,
				   uint32_t index)
{
	const struct recorded_hist *h = &r->hists[hist];
	const struct recording_snapshot *s = &h->snapshots[index];

	if (index >= h->n)
		return;
	hist_strbuf_str(b, "snapshot ");
	put_snapshot(b, h, index);
	hist_strbuf_printf(b, ": %" PRIu64 " hit%s in %" PRIu64 " %s, %" PRIu64 " dropped", s->hits,
			   text_plural(s->hits), s->entries,
			   s->entries == 1 ? "entry" : "entries", s->dropped);
	if (s->flags & HIST_SNAP_RESET)
		hist_strbuf_str(b, ", histogram cleared before this snapshot");
	if (s->lost)
		hist_strbuf_printf(b, ", %" PRIu32 " snapshot%s missing before this snapshot",
				   s->lost, text_plural(s->lost));
}

/* The bin of @time, which is in range: floor((time - t0) * nbins / (t1 - t0)). */
static unsigned int time_window_find_bin(uint64_t time, uint64_t t0, uint64_t t1,
					 unsigned int nbins)
{
	uint64_t bin;

	if (time >= t1)
		return nbins - 1;
	bin = hist_mul_div(time - t0, nbins, 0, t1 - t0);
	return bin < nbins ? bin : nbins - 1;
}

uint32_t time_window_fill_bins(const struct recording *r, unsigned int hist, uint64_t t0,
			       uint64_t t1,
			       unsigned int nbins, struct time_window_bin *bins)
{
	const struct recording_snapshot *s;
	uint32_t i, found = 0;
	struct time_window_bin *bin;
	int64_t last;

	if (!nbins)
		return 0;
	memset(bins, 0, nbins * sizeof(*bins));
	if (t1 < t0)
		return 0;
	i = t0 ? recording_find_snapshot(r, hist, t0 - 1) + 1 : 0;
	last = recording_find_snapshot(r, hist, t1);
	for (; i <= last; i++) {
		s = &r->hists[hist].snapshots[i];
		/* after a clock that was set back */
		if (s->time < t0)
			continue;
		bin = &bins[time_window_find_bin(s->time, t0, t1, nbins)];
		if (!bin->n++)
			bin->first = i;
		bin->lost += s->lost;
		bin->reset |= (s->flags & HIST_SNAP_RESET) != 0;
		bin->dropped |= i && s->dropped > s[-1].dropped;
		found++;
	}
	return found;
}

// SPDX-License-Identifier: LGPL-2.1
/*
 * events_time.c - what the options of a trace.dat say of its times
 *
 * Sources: handle_options(), tsync_cpu_offsets_load(), trace_guest_load() and timestamp_calc()
 * in lib/trace-cmd/trace-input.c of trace-cmd 3.1.6, which computes with numbers of 64 bits that
 * wrap.  Ours are unsigned, where that is defined, and come out the same.
 *
 * Invariant: the samples of a CPU are by time, no two of one time, and their shifts are below
 * the width of what is shifted.
 */
#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "lib/ringbuf/events_private.h"

/* TRACECMD_TSYNC_FLAG_INTERPOLATE */
#define INTERPOLATE 1

/* Between two measurements the guest's clock is as far from its host's as at the first one. */
struct events_sample {
	int64_t time, offset;
	uint64_t scaling;
	uint32_t fraction; /* bits of it */
};

struct events_shift {
	struct events_sample *list;
	uint32_t n;
};

struct bytes {
	const unsigned char *at, *end;
	bool be;
};

static bool take(struct bytes *b, unsigned int size, uint64_t *v)
{
	if (size > (size_t)(b->end - b->at))
		return false;
	*v = size == 4 ? bytes_u32(b->be, b->at) : bytes_u64(b->be, b->at);
	b->at += size;
	return true;
}

static void free_shifts(struct events_time *t)
{
	uint32_t i;

	for (i = 0; i < t->nshifts; i++)
		free(t->shifts[i].list);
	free(t->shifts);
	t->shifts = NULL;
	t->nshifts = 0;
}

void events_time_clear(struct events_time *t)
{
	unsigned int i;

	free_shifts(t);
	for (i = 0; i < t->nguests; i++)
		free((char *)t->guests[i].name);
	free(t->guests);
	*t = (struct events_time){ 0 };
}

/* Times, then offsets, then scalings: @n of each. */
static int take_samples(struct bytes *b, struct events_shift *s)
{
	uint64_t n, v[3];
	uint32_t i;

	if (!take(b, 4, &n) || n > (size_t)(b->end - b->at) / 24)
		return -EBADMSG;
	s->list = calloc(n + 1, sizeof(*s->list));
	if (!s->list)
		return -ENOMEM;
	s->n = n;
	for (i = 0; i < n; i++) {
		v[0] = bytes_u64(b->be, b->at + 8 * (size_t)i);
		v[1] = bytes_u64(b->be, b->at + 8 * (n + i));
		v[2] = bytes_u64(b->be, b->at + 8 * (2 * n + i));
		s->list[i].time = v[0];
		s->list[i].offset = v[1];
		s->list[i].scaling = v[2];
	}
	b->at += 24 * n;
	return 0;
}

/* They came with trace-cmd 3.0: before it a scaling had none. */
static int take_fractions(struct bytes *b, struct events_shift *s)
{
	uint64_t v;
	uint32_t i;

	for (i = 0; i < s->n; i++) {
		if (!take(b, 8, &v) || v > 63)
			return -EBADMSG;
		s->list[i].fraction = v;
	}
	return 0;
}

static int by_time(const void *a, const void *b)
{
	const struct events_sample *x = a, *y = b;

	return (x->time > y->time) - (x->time < y->time);
}

static void sort(struct events_shift *s)
{
	uint32_t i, n = 0;

	qsort(s->list, s->n, sizeof(*s->list), by_time);
	for (i = 0; i < s->n; i++) {
		if (!n || s->list[i].time != s->list[n - 1].time)
			s->list[n++] = s->list[i];
	}
	s->n = n;
}

/* u64 id of the host's trace, u32 flags, u32 CPUs, samples of each, fractions of each. */
static int take_shifts(struct events_time *t, struct bytes *b)
{
	uint64_t id, flags, n;
	uint32_t i;
	int ret = 0;

	/* as libtracecmd passes it over */
	if (b->end - b->at < 16)
		return 0;
	if (!take(b, 8, &id) || !take(b, 4, &flags) || !take(b, 4, &n) ||
	    n > (size_t)(b->end - b->at) / 4)
		return -EBADMSG;
	free_shifts(t);
	t->peer = id;
	t->interpolate = flags & INTERPOLATE;
	t->shifts = calloc(n + 1, sizeof(*t->shifts));
	if (!t->shifts)
		return -ENOMEM;
	for (; !ret && t->nshifts < n; t->nshifts++)
		ret = take_samples(b, &t->shifts[t->nshifts]);
	for (i = 0; !ret && b->at < b->end && i < n; i++)
		ret = take_fractions(b, &t->shifts[i]);
	for (i = 0; !ret && i < n; i++)
		sort(&t->shifts[i]);
	return ret;
}

/* u32 factor, u32 bits that it has behind the point, u64 offset, which nobody adds. */
static int take_conversion(struct events_time *t, struct bytes *b)
{
	uint64_t mult, shift;

	if (b->end - b->at < 16)
		return 0;
	/* libtracecmd has an int for the factor */
	if (!take(b, 4, &mult) || !take(b, 4, &shift) || mult > INT_MAX || shift > 32)
		return -EBADMSG;
	t->mult = mult;
	t->shift = shift;
	return 0;
}

/* Name with a NUL, u64 id of its trace, u32 CPUs, and which tasks of the host they are. */
static int take_guest(struct events_time *t, struct bytes *b)
{
	const char *name = (const char *)b->at;
	const unsigned char *nul = memchr(b->at, '\0', b->end - b->at);
	struct hist_events_guest *guests;
	uint64_t id;

	/* what is damaged here only has no name */
	if (!nul)
		return 0;
	b->at = nul + 1;
	if (!take(b, 8, &id))
		return 0;
	guests = realloc(t->guests, (t->nguests + 1) * sizeof(*guests));
	if (!guests)
		return -ENOMEM;
	t->guests = guests;
	guests[t->nguests] = (struct hist_events_guest){ .name = strdup(name), .trace_id = id };
	return guests[t->nguests].name ? (t->nguests++, 0) : -ENOMEM;
}

/* "0x1234" or "-5"; at most so long that any number has room */
static int64_t take_text(const struct bytes *b)
{
	size_t len = b->end - b->at;
	char text[40];

	if (len >= sizeof(text))
		len = sizeof(text) - 1;
	memcpy(text, b->at, len);
	text[len] = '\0';
	return strtoll(text, NULL, 0);
}

bool events_time_wants(uint16_t id)
{
	return id == TRACEDAT_DATE || id == TRACEDAT_OFFSET || id == TRACEDAT_TRACEID ||
	       id == TRACEDAT_TIME_SHIFT || id == TRACEDAT_GUEST || id == TRACEDAT_TSC2NSEC;
}

int events_time_take(struct hist_events *events, uint16_t id, const void *data, size_t size)
{
	const unsigned char *at = data;
	struct bytes b = { at, at + size, events->file->big_endian };
	struct events_time *t = &events->time;

	switch (id) {
	case TRACEDAT_DATE: /* in microseconds */
		t->has_date = true;
		t->offset += (uint64_t)take_text(&b) * 1000;
		return 0;
	case TRACEDAT_OFFSET:
		t->offset += take_text(&b);
		return 0;
	case TRACEDAT_TRACEID:
		take(&b, 8, &t->trace_id);
		return 0;
	case TRACEDAT_TIME_SHIFT:
		return take_shifts(t, &b);
	case TRACEDAT_GUEST:
		return take_guest(t, &b);
	case TRACEDAT_TSC2NSEC:
		return take_conversion(t, &b);
	}
	return 0;
}

static uint64_t shifted(const struct events_time *t, uint64_t time, const struct events_sample *a,
			const struct events_sample *b)
{
	uint64_t offset = a->offset, far;
	int64_t delta;

	if (t->interpolate) {
		delta = (uint64_t)b->time - a->time;
		far = (time - a->time) * ((uint64_t)b->offset - a->offset) + delta / 2;
		/* samples further from each other than time goes have no line between them */
		if (delta > 0)
			offset += (int64_t)far / delta;
	}
	return (time * a->scaling >> a->fraction) + offset;
}

static uint64_t time_of_host(const struct events_time *t, unsigned int cpu, uint64_t time)
{
	const struct events_shift *s = &t->shifts[cpu];
	uint32_t low = 0, high, mid;

	if (!s->n)
		return time;
	/* libtracecmd leaves out its scaling */
	if (s->n == 1)
		return time + s->list[0].offset;
	/* the last that is not behind; the last but one has all that comes later */
	for (high = s->n - 1; low + 1 < high;) {
		mid = low + (high - low) / 2;
		if ((uint64_t)s->list[mid].time <= time)
			low = mid;
		else
			high = mid;
	}
	return shifted(t, time, &s->list[low], &s->list[low + 1]);
}

/* (time * mult) >> shift, of 96 bits. */
static uint64_t converted(uint64_t time, uint64_t mult, unsigned int shift)
{
	uint64_t low = (time & UINT32_MAX) * mult >> shift, high = (time >> 32) * mult;

	return low + (high << (32 - shift));
}

bool hist_events_moves_time(const struct hist_events *events, unsigned int buffer)
{
	const struct events_time *t = &events->time;

	return t->offset || t->mult || (!buffer && t->nshifts);
}

uint64_t hist_events_time(const struct hist_events *events, unsigned int buffer, unsigned int cpu,
			  uint64_t time)
{
	const struct events_time *t = &events->time;

	if (!buffer && cpu < t->nshifts)
		time = time_of_host(t, cpu, time);
	if (t->mult)
		time = converted(time, t->mult, t->shift);
	return time + t->offset;
}

bool hist_events_has_date(const struct hist_events *events)
{
	return events->time.has_date;
}

const struct hist_events_guest *hist_events_guest(const struct hist_events *events, unsigned int i)
{
	return i < events->time.nguests ? &events->time.guests[i] : NULL;
}

// SPDX-License-Identifier: LGPL-2.1
/*
 * events_time.c - adjust the times of events by the options of a trace.dat file
 *
 * Stock trace-cmd computes with signed 64-bit numbers that wrap.  This file uses unsigned numbers,
 * for which wrapping is defined; the results are the same.
 *
 * Invariant: the samples of a CPU are sorted by time, without equal times, and their shifts are
 * less than 64.
 *
 * Source: handle_options(), tsync_cpu_offsets_load(), trace_guest_load() and timestamp_calc() in
 * lib/trace-cmd/trace-input.c of trace-cmd 3.1.6.
 */
#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "lib/base/array.h"
#include "lib/ringbuf/events_private.h"

/* TRACECMD_TSYNC_FLAG_INTERPOLATE */
#define INTERPOLATE 1

/* A measured offset of the guest's clock; without interpolation, valid until the next one. */
struct events_sample {
	int64_t time, offset;
	uint64_t scaling;
	uint32_t fraction; /* bits of it */
};

struct events_shift {
	struct events_sample *list;
	uint32_t n;
};

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

/* Parse u32 n, then n times, n offsets and n scalings. */
static int take_samples(struct events_bytes *b, struct events_shift *s)
{
	uint64_t n = events_take_number(b, 4);
	uint32_t i;

	if (b->take.failed || n > (size_t)(b->take.end - b->take.at) / 24)
		return -EBADMSG;
	s->list = calloc(n + 1, sizeof(*s->list));
	if (!s->list)
		return -ENOMEM;
	s->n = n;
	for (i = 0; i < n; i++)
		s->list[i].time = events_take_number(b, 8);
	for (i = 0; i < n; i++)
		s->list[i].offset = events_take_number(b, 8);
	for (i = 0; i < n; i++)
		s->list[i].scaling = events_take_number(b, 8);
	return 0;
}

/* Parse the fractions of the scalings; files from before trace-cmd 3.0 have none. */
static int take_fractions(struct events_bytes *b, struct events_shift *s)
{
	uint64_t v;
	uint32_t i;

	for (i = 0; i < s->n; i++) {
		v = events_take_number(b, 8);
		if (b->take.failed || v > 63)
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

static void events_time_sort_samples(struct events_shift *s)
{
	uint32_t i, n = 0;

	qsort(s->list, s->n, sizeof(*s->list), by_time);
	for (i = 0; i < s->n; i++) {
		if (!n || s->list[i].time != s->list[n - 1].time)
			s->list[n++] = s->list[i];
	}
	s->n = n;
}

/* Parse u64 id of the host's trace, u32 flags, u32 CPUs, samples of each, fractions of each. */
static int take_shifts(struct hist_events *events, struct events_bytes *b)
{
	struct events_time *t = &events->time;
	uint64_t id, flags, n;
	uint32_t i;
	int ret = 0;

	/* libtracecmd ignores it, too */
	if (b->take.end - b->take.at < 16)
		return 0;
	id = events_take_number(b, 8);
	flags = events_take_number(b, 4);
	n = events_take_number(b, 4);
	if (n > (size_t)(b->take.end - b->take.at) / 4)
		return -EBADMSG;
	free_shifts(t);
	events->machine.host_trace_id = id;
	t->interpolate = flags & INTERPOLATE;
	t->shifts = calloc(n + 1, sizeof(*t->shifts));
	if (!t->shifts)
		return -ENOMEM;
	for (; !ret && t->nshifts < n; t->nshifts++)
		ret = take_samples(b, &t->shifts[t->nshifts]);
	for (i = 0; !ret && b->take.at < b->take.end && i < n; i++)
		ret = take_fractions(b, &t->shifts[i]);
	for (i = 0; !ret && i < n; i++)
		events_time_sort_samples(&t->shifts[i]);
	return ret;
}

/* Parse u32 factor, u32 number of its fractional bits, u64 offset, which is ignored. */
static int take_conversion(struct events_time *t, struct events_bytes *b)
{
	uint64_t mult, shift;

	if (b->take.end - b->take.at < 16)
		return 0;
	mult = events_take_number(b, 4);
	shift = events_take_number(b, 4);
	/* libtracecmd has an int for the factor */
	if (mult > INT_MAX || shift > 32)
		return -EBADMSG;
	t->mult = mult;
	t->shift = shift;
	return 0;
}

/* Parse the name with a NUL and u64 id of the trace; CPUs and their tasks follow. */
static int take_guest(struct events_time *t, struct events_bytes *b)
{
	const char *name = events_take_string(b);
	uint64_t id = events_take_number(b, 8);
	struct hist_events_guest *guest;

	/* a damaged guest only has no name */
	if (b->take.failed)
		return 0;
	if (array_add(&t->guests, t->nguests, sizeof(*t->guests)))
		return -ENOMEM;
	guest = &t->guests[t->nguests];
	*guest = (struct hist_events_guest){ .name = strdup(name), .trace_id = id };
	t->nguests += guest->name != NULL;
	return guest->name ? 0 : -ENOMEM;
}

/* Parse "0x1234" or "-5"; the buffer has room for any number. */
static int64_t events_time_read_text_number(const struct events_bytes *b)
{
	size_t len = b->take.end - b->take.at;
	char text[40];

	if (len >= sizeof(text))
		len = sizeof(text) - 1;
	memcpy(text, b->take.at, len);
	text[len] = '\0';
	return strtoll(text, NULL, 0);
}

int events_time_take(struct hist_events *events, const struct tracedat_option *option)
{
	struct events_bytes b = events_bytes(events, option->data, option->size);
	struct events_time *t = &events->time;

	if (!option->size)
		return 0;
	switch (option->id) {
	case TRACEDAT_DATE: /* in microseconds */
		events->machine.has_date = true;
		t->offset += (uint64_t)events_time_read_text_number(&b) * 1000;
		return 0;
	case TRACEDAT_OFFSET:
		t->offset += events_time_read_text_number(&b);
		return 0;
	case TRACEDAT_TRACEID:
		if (option->size >= 8)
			events->machine.trace_id = events_take_number(&b, 8);
		return 0;
	case TRACEDAT_TIME_SHIFT:
		return take_shifts(events, &b);
	case TRACEDAT_GUEST:
		return take_guest(t, &b);
	case TRACEDAT_TSC2NSEC:
		return take_conversion(t, &b);
	}
	return 0;
}

static uint64_t events_time_shift_time(const struct events_time *t, uint64_t time,
				       const struct events_sample *a,
				       const struct events_sample *b)
{
	uint64_t offset = a->offset, far;
	int64_t delta;

	if (t->interpolate) {
		delta = (uint64_t)b->time - a->time;
		far = (time - a->time) * ((uint64_t)b->offset - a->offset) + delta / 2;
		/* no interpolation if the distance of the samples overflows */
		if (delta > 0)
			offset += (int64_t)far / delta;
	}
	return (time * a->scaling >> a->fraction) + offset;
}

static uint64_t events_time_from_guest(const struct events_time *t, unsigned int cpu, uint64_t time)
{
	const struct events_shift *s = &t->shifts[cpu];
	uint32_t low = 0, high, mid;

	if (!s->n)
		return time;
	/* libtracecmd leaves out its scaling */
	if (s->n == 1)
		return time + s->list[0].offset;
	/* the last sample at or before @time, but at most the last but one */
	for (high = s->n - 1; low + 1 < high;) {
		mid = low + (high - low) / 2;
		if ((uint64_t)s->list[mid].time <= time)
			low = mid;
		else
			high = mid;
	}
	return events_time_shift_time(t, time, &s->list[low], &s->list[low + 1]);
}

/* (time * mult) >> shift, of 96 bits. */
static uint64_t events_time_convert_ticks(uint64_t time, uint64_t mult, unsigned int shift)
{
	uint64_t low = (time & UINT32_MAX) * mult >> shift, high = (time >> 32) * mult;

	return low + (high << (32 - shift));
}

bool hist_events_adjusts_time(const struct hist_events *events, unsigned int buffer)
{
	const struct events_time *t = &events->time;

	return t->offset || t->mult || (!buffer && t->nshifts);
}

uint64_t hist_events_time(const struct hist_events *events, unsigned int buffer, unsigned int cpu,
			  uint64_t time)
{
	const struct events_time *t = &events->time;

	if (!buffer && cpu < t->nshifts)
		time = events_time_from_guest(t, cpu, time);
	if (t->mult)
		time = events_time_convert_ticks(time, t->mult, t->shift);
	return time + t->offset;
}

const struct hist_events_guest *hist_events_guest(const struct hist_events *events, unsigned int i)
{
	return i < events->time.nguests ? &events->time.guests[i] : NULL;
}

// SPDX-License-Identifier: LGPL-2.1
/*
 * story_parts.c - add up what happened into parts and a time line
 *
 * Invariant: the sum of all parts, and the time of all spans, is what was added.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "lib/base/array.h"
#include "lib/base/hash.h"
#include "lib/story/story_parts.h"

/* Tasks differ by process ID, interrupts also by name: one number can have several devices. */
static bool is_same_part(const struct hist_story_frame *a, const struct hist_story_frame *b)
{
	if (a->kind != b->kind || a->has_number != b->has_number || a->number != b->number)
		return false;
	return (a->kind == HIST_STORY_TASK && a->has_number) || !strcmp(a->name, b->name);
}

static uint32_t story_parts_hash(const struct hist_story_frame *what)
{
	return (uint32_t)((what->number * 64 + what->kind) * UINT64_C(0x9e3779b97f4a7c15) >> 32);
}

struct hist_story_part *story_parts_find(struct story_parts *p, const struct hist_story_frame *what)
{
	uint32_t hash = story_parts_hash(what), i;

	if (!p->index.slots)
		return NULL;
	for (i = hash & p->index.mask; p->index.slots[i].number; i = (i + 1) & p->index.mask) {
		struct hist_story_part *part = &p->list[p->index.slots[i].number - 1];

		if (p->index.slots[i].hash == hash && is_same_part(&part->what, what))
			return part;
	}
	return NULL;
}

/* Find or make the part of @what; *@part is its number. */
static int story_parts_get(struct story_parts *p, const struct hist_story_frame *what,
			   uint32_t *part)
{
	static const struct hist_story_frame other = { .kind = HIST_STORY_OTHER };
	struct hist_story_part *found;

	found = story_parts_find(p, what);
	if (!found && p->n >= HIST_STORY_PARTS - 1 && what->kind != HIST_STORY_OTHER)
		return story_parts_get(p, &other, part);
	if (!found) {
		if (array_add(&p->list, p->n, sizeof(*p->list)) ||
		    hash_index_reserve(&p->index, 1))
			return -ENOMEM;
		found = &p->list[p->n++];
		*found = (struct hist_story_part){ .what = *what };
		hash_index_put(&p->index, (struct hash_slot){ p->n, story_parts_hash(what) });
	} else if (what->kind == HIST_STORY_TASK && *what->name) {
		/* the name becomes known later, and execve(2) changes it */
		found->what = *what;
	}
	*part = found - p->list;
	return 0;
}

/* Merge @b into the span before it. */
static void story_span_merge(struct hist_story_span *a, const struct hist_story_span *b)
{
	a->to = b->to;
	if (a->part == b->part && a->merged == 1 && b->merged == 1) {
		a->ns += b->ns;
		return;
	}
	a->merged = a->merged > UINT32_MAX - b->merged ? UINT32_MAX : a->merged + b->merged;
	if (a->part == b->part) {
		a->ns += b->ns;
	} else if (b->ns > a->ns) {
		a->part = b->part;
		a->ns = b->ns;
	}
}

static bool story_span_is_short(const struct hist_story_span *s, uint64_t least)
{
	return s->to - s->from < least;
}

/*
 * Merge neighbours that are both shorter than @least, or of which one is.  Returns the new number.
 */
static uint32_t story_spans_merge(struct hist_story_span *spans, uint32_t n, uint64_t least,
				  bool absorb)
{
	uint32_t i, to = 0;
	bool first, second;

	for (i = 1; i < n; i++) {
		first = story_span_is_short(&spans[to], least);
		second = story_span_is_short(&spans[i], least);
		if ((first && second) || (absorb && (first || second ||
						     spans[to].part == spans[i].part)))
			story_span_merge(&spans[to], &spans[i]);
		else
			spans[++to] = spans[i];
	}
	return n ? to + 1 : 0;
}

uint32_t hist_story_shorten(struct hist_story_span *spans, uint32_t n, uint32_t most, bool absorb)
{
	uint64_t least = 1;

	/* with a limit of all the time, one span is left */
	while (n > most && least) {
		n = story_spans_merge(spans, n, least, absorb);
		least *= 2;
	}
	return n;
}

/*
 * Two neighbours are at least as long as the limit after a merge, so at most twice the width
 * divided by the limit are left: half of HIST_STORY_SPANS.
 */
static int story_parts_add_span(struct story_parts *p, const struct hist_story_span *span)
{
	struct hist_story_span *last = p->nspans ? &p->spans[p->nspans - 1] : NULL;

	if (last && ((last->part == span->part && last->merged == 1) ||
		     (p->least && story_span_is_short(last, p->least) &&
		      story_span_is_short(span, p->least)))) {
		story_span_merge(last, span);
		return 0;
	}
	if (p->nspans == HIST_STORY_SPANS) {
		if (!p->least)
			p->least = p->width / (HIST_STORY_SPANS / 4) + 1;
		p->nspans = story_spans_merge(p->spans, p->nspans, p->least, false);
	}
	if (array_add(&p->spans, p->nspans, sizeof(*p->spans)))
		return -ENOMEM;
	p->spans[p->nspans++] = *span;
	return 0;
}

int story_parts_add(struct story_parts *p, const struct hist_story_frame *what, uint64_t from,
		    uint64_t to)
{
	struct hist_story_span span = { .from = from, .to = to, .merged = 1, .ns = to - from };
	struct hist_story_part *part;
	bool same;
	int ret;

	if (to <= from)
		return 0;
	ret = story_parts_get(p, what, &span.part);
	if (ret)
		return ret;
	part = &p->list[span.part];
	same = p->nspans && p->last == span.part;
	p->run = (same ? p->run : 0) + (to - from);
	p->last = span.part;
	part->ns += to - from;
	part->has_excess = p->limit;
	if (p->limit && to > p->limit)
		part->excess += to - (from > p->limit ? from : p->limit);
	part->spans += !same;
	if (p->run > part->longest)
		part->longest = p->run;
	return story_parts_add_span(p, &span);
}

static int story_part_compare(const void *a, const void *b)
{
	const struct hist_story_part *const *x = a, *const *y = b;

	if ((*x)->ns != (*y)->ns)
		return (*x)->ns > (*y)->ns ? -1 : 1;
	return *x < *y ? -1 : 1;
}

int story_parts_sort(struct story_parts *p)
{
	struct hist_story_part **order = calloc(p->n + 1, sizeof(*order)), *sorted;
	uint32_t *place = calloc(p->n + 1, sizeof(*place)), i;

	sorted = calloc(p->n + 1, sizeof(*sorted));
	if (order && place && sorted) {
		for (i = 0; i < p->n; i++)
			order[i] = &p->list[i];
		qsort(order, p->n, sizeof(*order), story_part_compare);
		for (i = 0; i < p->n; i++) {
			sorted[i] = *order[i];
			place[order[i] - p->list] = i;
		}
		for (i = 0; i < p->nspans; i++)
			p->spans[i].part = place[p->spans[i].part];
		free(p->list);
		p->list = sorted;
		sorted = NULL;
		hash_index_clear(&p->index);
		i = 0;
	} else {
		i = 1;
	}
	free(sorted);
	free(place);
	free(order);
	return i ? -ENOMEM : 0;
}

void story_parts_clear(struct story_parts *p)
{
	uint32_t i;

	for (i = 0; i < p->n; i++)
		free(p->list[i].stack);
	free(p->list);
	free(p->spans);
	free(p->index.slots);
	*p = (struct story_parts){ 0 };
}

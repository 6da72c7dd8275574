// SPDX-License-Identifier: LGPL-2.1
/*
 * story.c - the story of a latency: what used the CPU between its START and its END
 *
 * The first pass (story_scan.c) finds where the task of the latency was.  The second pass goes
 * through the stretches of the task in order of time, each on its CPU.  So each CPU is read once
 * from the start to the end.  What happened is added up into parts and a time line.
 *
 * Invariants: story_add() is called for each moment of the window exactly once, in order of time.
 * The sum of all parts, and the time of all spans, is what was added.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lib/base/array.h"
#include "lib/base/hash.h"
#include "lib/base/hash_index.h"
#include "lib/base/text.h"
#include "lib/story/story_private.h"

struct story_parts {
	struct hist_story_part *list;
	uint32_t n;
	struct hash_index index; /* of @list, by kind, number and name */
	struct hist_story_span *spans;
	uint32_t nspans;
	uint64_t least; /* shorter spans are merged; 0: none so far */
	uint32_t last;	/* the part of the last call */
	uint64_t run;	/* time since that part began, for hist_story_part.longest */
	uint64_t width; /* of the whole window */
	uint64_t limit; /* the time after it is excess; 0: no threshold is known */
};

struct story_work {
	struct story_scan scan; /* the first pass */
	struct story_parts parts;
	struct story_cpu **cpus; /* of the second pass; NULL before the first use */
	uint32_t kept;	  /* the part of the last kept stack */
	uint64_t kept_at; /* time of the event of this stack */
};

const char *hist_story_kind_name(enum hist_story_kind kind)
{
	static const char *const names[] = { "task", "idle", "irq", "softirq", "asleep", "other",
					     "unknown" };

	return names[kind];
}

/* --- parts and spans --- */

/* Tasks differ by process ID, interrupts also by name: one number can have several devices. */
static bool story_part_is_same(const struct hist_story_frame *a, const struct hist_story_frame *b)
{
	if (a->kind != b->kind || a->has_number != b->has_number || a->number != b->number)
		return false;
	return (a->kind == HIST_STORY_TASK && a->has_number) || !strcmp(a->name, b->name);
}

static uint32_t story_parts_hash(const struct hist_story_frame *what)
{
	return (uint32_t)((what->number * 64 + what->kind) * UINT64_C(0x9e3779b97f4a7c15) >> 32);
}

/* The part of @what, or NULL if it has no time so far. */
static struct hist_story_part *story_parts_find(struct story_parts *p,
						const struct hist_story_frame *what)
{
	uint32_t hash = story_parts_hash(what), i;

	if (!p->index.slots)
		return NULL;
	for (i = hash & p->index.mask; p->index.slots[i].number; i = (i + 1) & p->index.mask) {
		struct hist_story_part *part = &p->list[p->index.slots[i].number - 1];

		if (p->index.slots[i].hash == hash && story_part_is_same(&part->what, what))
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
		if (array_add(&p->list, p->n, sizeof(*p->list)) || hash_index_reserve(&p->index, 1))
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
		if ((first && second) ||
		    (absorb && (first || second || spans[to].part == spans[i].part)))
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

/* Give the time from @from, which is the end of the last call, to @to to @what. */
static int story_parts_add(struct story_parts *p, const struct hist_story_frame *what,
			   uint64_t from, uint64_t to)
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

/* Sort the parts, the largest first; the spans keep their parts. */
static int story_parts_sort(struct story_parts *p)
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

static void story_parts_clear(struct story_parts *p)
{
	uint32_t i;

	for (i = 0; i < p->n; i++)
		free(p->list[i].stack);
	free(p->list);
	free(p->spans);
	free(p->index.slots);
	*p = (struct story_parts){ 0 };
}

/* --- second pass --- */

static int story_add(struct story_work *w, const struct story_cpu *c,
		     const struct hist_story_frame *what, uint64_t from, uint64_t to)
{
	static const struct hist_story_frame unknown = { .kind = HIST_STORY_UNKNOWN };

	if (!(w->scan.story->has & HIST_STORY_HAS_SWITCHES) &&
	    (what->kind == HIST_STORY_TASK || what->kind == HIST_STORY_IDLE))
		what = &unknown;
	if (c && c->irqs_off)
		w->scan.story->irqs_off += to - from;
	if (c && c->preempt_off)
		w->scan.story->preempt_off += to - from;
	return story_parts_add(&w->parts, what, from, to);
}

/*
 * Keep the last stack of a part.  The stack follows its event, so its part is what used the CPU
 * before this event.  A stack in another context belongs to an event that the buffer does not have.
 */
static int story_keep_stack(struct story_work *w, const struct story_cpu *c,
			    const struct hist_story_frame *what)
{
	const struct story_event *e = &c->next;
	struct hist_story_part *part;

	if (e->type != STORY_STACK || !e->stack || what->kind == HIST_STORY_UNKNOWN ||
	    (what->kind == HIST_STORY_TASK && what->number != e->pid))
		return 0;
	part = story_parts_find(&w->parts, what);
	if (!part)
		return 0;
	if (!part->stack)
		part->stack = calloc(HIST_STORY_STACK, sizeof(*part->stack));
	if (!part->stack)
		return -ENOMEM;
	part->nstack = story_event_copy_stack(w->scan.reader, e, part->stack);
	w->kept = part - w->parts.list;
	w->kept_at = c->since;
	return 0;
}

/* The task slept after the last kept stack: the sleep has this stack. */
static int story_keep_sleep(struct story_work *w, const struct hist_story_frame *what,
			    uint64_t from)
{
	struct hist_story_part *part = story_parts_find(&w->parts, what), *own;

	own = w->kept < w->parts.n ? &w->parts.list[w->kept] : NULL;
	if (!part || !own || !own->stack || w->kept_at != from ||
	    own->what.kind != HIST_STORY_TASK || own->what.number != w->scan.task.pid)
		return 0;
	if (!part->stack)
		part->stack = calloc(HIST_STORY_STACK, sizeof(*part->stack));
	if (!part->stack)
		return -ENOMEM;
	memcpy(part->stack, own->stack, HIST_STORY_STACK * sizeof(*part->stack));
	part->nstack = own->nstack;
	return 0;
}

/* What a CPU did from @from to @to. */
static int story_follow(struct story_work *w, uint32_t number, uint64_t from, uint64_t to)
{
	struct hist_story_frame before = { .kind = HIST_STORY_UNKNOWN };
	struct story_cpu *c = w->cpus[number];
	uint64_t low, high;
	int ret;

	for (;;) {
		ret = story_cpu_peek(c);
		if (ret < 0)
			return ret;
		low = c->since > from ? c->since : from;
		high = c->has_next && c->next.time < to ? c->next.time : to;
		story_cpu_settle(c);
		if (high > low) {
			ret = story_add(w, c, &c->frame, low, high);
			if (ret)
				return ret;
		}
		/* the stack of an event at the end comes after it */
		ret = c->has_next ? story_keep_stack(w, c, &before) : 0;
		if (ret || !c->has_next || c->next.time > to)
			return ret;
		if (c->next.type != STORY_STACK)
			before = c->frame;
		story_cpu_apply(c);
	}
}

static int story_follow_stretch(struct story_work *w, const struct story_stretch *s)
{
	struct hist_story_frame what = { .kind = HIST_STORY_UNKNOWN };
	int ret = 0;

	if (s->state == STORY_ASLEEP) {
		what.kind = HIST_STORY_ASLEEP;
		what.name[0] = s->why;
	}
	if (s->state != STORY_ON_CPU || s->cpu >= w->scan.ncpus) {
		ret = story_add(w, NULL, &what, s->from, s->to);
		return ret || s->state != STORY_ASLEEP ? ret : story_keep_sleep(w, &what, s->from);
	}
	if (!w->cpus[s->cpu]) {
		w->cpus[s->cpu] = calloc(1, sizeof(struct story_cpu));
		if (!w->cpus[s->cpu])
			return -ENOMEM;
		ret = story_cpu_open(w->cpus[s->cpu], w->scan.reader, &w->scan.window, s->cpu);
		if (ret)
			return ret;
	}
	return story_follow(w, s->cpu, s->from, s->to);
}

static int story_follow_all(struct story_work *w)
{
	uint64_t at = w->scan.window.start, end = w->scan.window.end;
	struct story_stretch s;
	int ret;

	for (; at < end; at = s.to) {
		s = story_scan_next(&w->scan, at);
		ret = story_follow_stretch(w, &s);
		if (ret)
			return ret;
	}
	return 0;
}

/* --- the result --- */

static void story_name_task(struct story_work *w, struct hist_story_frame *task)
{
	const char *comm;

	if (task->kind != HIST_STORY_TASK || *task->name || !task->has_number)
		return;
	comm = hist_events_comm(w->scan.reader->events, task->number);
	if (comm)
		snprintf(task->name, sizeof(task->name), "%s", comm);
}

static int story_finish(struct story_work *w)
{
	struct hist_story *s = w->scan.story;
	uint32_t i;
	int ret;

	ret = story_parts_sort(&w->parts);
	if (ret)
		return ret;
	for (i = 0; i < w->parts.n; i++) {
		struct hist_story_part *part = &w->parts.list[i];

		story_name_task(w, &part->what);
		part->self = s->has_task && part->what.kind == HIST_STORY_TASK &&
			     part->what.number == s->task.number;
	}
	story_name_task(w, &s->task);
	story_name_task(w, &s->waker.task);
	story_name_task(w, &s->waker.what);
	s->parts = w->parts.list;
	s->nparts = w->parts.n;
	s->spans = w->parts.spans;
	s->nspans = w->parts.nspans;
	w->parts.list = NULL;
	w->parts.spans = NULL;
	w->parts.n = w->parts.nspans = 0;
	return hist_events_names_error(w->scan.reader->events) == -ENOMEM ? -ENOMEM : 0;
}

int hist_story_make(struct hist_story **story, struct hist_story_reader *reader,
		    const struct hist_story_window *window)
{
	const struct hist_events_buffer *buffer =
		hist_events_buffer(reader->events, window->buffer);
	struct story_work w = { .scan = { .reader = reader, .window = *window } };
	uint32_t i;
	int ret = 0;

	if (!buffer)
		return -EINVAL;
	w.scan.ncpus = buffer->cpus;
	w.cpus = calloc(w.scan.ncpus + 1ul, sizeof(*w.cpus));
	w.scan.story = calloc(1, sizeof(*w.scan.story));
	if (!w.cpus || !w.scan.story)
		ret = -ENOMEM;
	if (!ret) {
		w.scan.story->cpu = window->cpu;
		w.scan.story->cut = window->cut;
		w.parts.width = window->end > window->start ? window->end - window->start : 0;
		ret = story_scan(&w.scan);
		if (window->threshold)
			w.parts.limit = w.scan.story->start + window->threshold;
	}
	if (!ret)
		ret = story_follow_all(&w);
	if (!ret)
		ret = story_finish(&w);
	for (i = 0; w.cpus && i < w.scan.ncpus; i++) {
		if (w.cpus[i])
			story_cpu_close(w.cpus[i]);
		free(w.cpus[i]);
	}
	free(w.cpus);
	free(w.scan.task.list);
	story_parts_clear(&w.parts);
	if (ret)
		hist_story_free(w.scan.story);
	else
		*story = w.scan.story;
	return ret;
}

void hist_story_free(struct hist_story *s)
{
	uint32_t i;

	if (!s)
		return;
	for (i = 0; i < s->nparts; i++)
		free(s->parts[i].stack);
	free(s->parts);
	free(s->spans);
	free(s);
}

/* The number after "pid=" or "NAME_pid=" in the key of an episode; 0: none. */
static int64_t story_key_pid(const char *key)
{
	const char *at = key, *end;
	int64_t pid = 0;

	for (; (at = strstr(at, "pid=")); at += 4) {
		if (at != key && at[-1] != ' ' && at[-1] != '_')
			continue;
		for (end = at + 4; text_is_digit(*end) && pid < INT32_MAX; end++)
			pid = pid * 10 + (*end - '0');
		if (end > at + 4 && (!*end || *end == ' '))
			return pid <= INT32_MAX ? pid : 0;
		pid = 0;
	}
	return 0;
}

int hist_story_window_of(struct hist_story_window *window, const struct hist_events *events,
			 const struct hist_episode *e)
{
	const char *name = strstr(e->event, "..");
	unsigned int i, n = hist_events_nbuffers(events);

	for (i = 0; i < n && strcmp(hist_events_buffer(events, i)->name, e->buffer); i++)
		;
	if (i == n)
		return -ENOENT;
	*window = (struct hist_story_window){
		.buffer = i,
		.start = e->flags & HIST_EPISODE_TIMED ? e->start : e->end,
		.end = e->end,
		.cpu = e->cpu,
		.pid = story_key_pid(e->key),
		.cut = e->flags & HIST_EPISODE_CUT,
		.threshold = e->threshold,
		.end_event = name ? name + 2 : NULL,
	};
	return 0;
}

// SPDX-License-Identifier: LGPL-2.1
/*
 * story.c - the story of a latency: what used the CPU between its START and its END
 *
 * The first pass reads the events of all CPUs, and finds where the task of the latency was and who
 * woke it.  The second pass goes through the stretches of the task in order of time, each on its
 * CPU, so each CPU is read once from the start to the end.
 *
 * Invariant: story_add() is called for each moment of the window exactly once, in order of time.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lib/base/text.h"
#include "lib/story/story.h"
#include "lib/story/story_cpu.h"
#include "lib/story/story_parts.h"
#include "lib/story/story_task.h"

/*
 * Both passes begin before the window, in ns: the START event comes up to a microsecond before the
 * start, which is rounded, and an event before it has the context.
 */
#define LOOK_BACK 10000000
#define START_NS 1000000

struct hist_story_reader {
	struct hist_events *events;
	struct story_formats *formats;
};

struct story_work {
	struct hist_story_reader *reader;
	struct hist_story_window window;
	struct hist_story *story;
	struct story_task task;
	struct story_parts parts;
	struct story_cpu **cpus; /* of the second pass; NULL before the first use */
	uint32_t ncpus;
	uint32_t kept;	  /* the part of the last kept stack */
	uint64_t kept_at; /* time of the event of this stack */
};

const char *hist_story_kind_name(enum hist_story_kind kind)
{
	static const char *const names[] = { "task", "idle", "irq", "softirq", "asleep", "other",
					     "unknown" };

	return names[kind];
}

int hist_story_reader_new(struct hist_story_reader **reader, struct hist_events *events)
{
	struct hist_story_reader *r = calloc(1, sizeof(*r));
	int ret = r ? 0 : -ENOMEM;

	if (!ret)
		ret = story_formats_new(&r->formats, events);
	if (ret) {
		free(r);
		return ret;
	}
	r->events = events;
	*reader = r;
	return 0;
}

void hist_story_reader_free(struct hist_story_reader *r)
{
	if (!r)
		return;
	story_formats_free(r->formats);
	free(r);
}

static int story_open(struct story_work *w, struct story_cpu *c, uint32_t number)
{
	uint64_t start = w->window.start, from = start > LOOK_BACK ? start - LOOK_BACK : 0;

	return story_cpu_open(c, w->reader->events, w->reader->formats, w->window.buffer, number,
			      from, w->window.cut);
}

/* --- first pass --- */

static void story_note_kind(struct hist_story *story, const struct story_event *e)
{
	switch (e->type) {
	case STORY_SWITCH:
		story->has |= HIST_STORY_HAS_SWITCHES;
		break;
	case STORY_ENTRY:
	case STORY_EXIT:
		story->has |= e->what.kind == HIST_STORY_IRQ ? HIST_STORY_HAS_IRQS :
								HIST_STORY_HAS_SOFTIRQS;
		break;
	case STORY_IRQS_OFF:
	case STORY_IRQS_ON:
		story->has |= HIST_STORY_HAS_IRQS_OFF;
		break;
	case STORY_PREEMPT_OFF:
	case STORY_PREEMPT_ON:
		story->has |= HIST_STORY_HAS_PREEMPT_OFF;
		break;
	default:
		break;
	}
}

/*
 * The last request to wake the task belongs to the wait that ends at END.  Returns true if the
 * event is this request so far.
 */
static bool story_take_waker(struct story_work *w, struct story_cpu *c, uint32_t number)
{
	struct hist_story_waker *waker = &w->story->waker;
	const struct story_event *e = &c->next;

	if (e->type != STORY_WAKING || e->what.number != w->task.pid ||
	    (waker->found && waker->time > e->time))
		return false;
	story_cpu_settle(c);
	*waker = (struct hist_story_waker){
		.found = true,
		.time = e->time,
		.cpu = number,
		.task = c->task,
		.what = c->nstack ? c->stack[c->nstack - 1] : c->task,
	};
	/* an interrupt without an entry event is known by the flags */
	if (!c->nstack && e->flags & (STORY_HARDIRQ | STORY_SOFTIRQ))
		waker->what = (struct hist_story_frame){
			.kind = e->flags & STORY_HARDIRQ ? HIST_STORY_IRQ : HIST_STORY_SOFTIRQ,
		};
	return true;
}

static void story_take_waker_stack(struct story_work *w, const struct story_cpu *c)
{
	struct hist_story_waker *waker = &w->story->waker;

	if (c->next.type == STORY_STACK && c->next.stack && c->next.pid == waker->task.number)
		waker->nstack = story_event_copy_stack(w->reader->formats, &c->next, waker->stack);
}

static int story_scan_cpu(struct story_work *w, uint32_t number)
{
	struct story_cpu c;
	bool waked = false;
	int ret;

	ret = story_open(w, &c, number);
	while (!ret && (ret = story_cpu_peek(&c)) == 1) {
		ret = 0;
		if (waked)
			story_take_waker_stack(w, &c);
		if (c.next.time > w->window.end)
			break;
		story_note_kind(w->story, &c.next);
		if (w->task.pid) {
			waked = story_take_waker(w, &c, number);
			ret = story_task_add(&w->task, &c.next, number);
		}
		story_cpu_settle(&c);
		story_cpu_apply(&c);
	}
	story_cpu_close(&c);
	return ret;
}

/* True if the event can be the END of the latency. */
static bool story_is_end(const struct story_work *w, const struct story_event *e, unsigned int id)
{
	if (e->id != id)
		return false;
	if (!w->task.pid)
		return true;
	return e->type == STORY_SWITCH ? e->next.number == w->task.pid : e->pid == w->task.pid;
}

/* Move the window to the END event, and find its task. */
static int story_find_end(struct story_work *w)
{
	struct hist_story_window *window = &w->window;
	uint64_t width = window->end - window->start, end = 0;
	struct hist_story_frame next = { 0 };
	struct story_cpu c;
	unsigned int id;
	int ret;

	id = window->end_event ? story_formats_find(w->reader->events, window->end_event) : 0;
	if (!id || window->cpu >= w->ncpus || window->end < window->start)
		return 0;
	ret = story_open(w, &c, window->cpu);
	while (!ret && (ret = story_cpu_peek(&c)) == 1 && c.next.time <= window->end) {
		ret = 0;
		if (story_is_end(w, &c.next, id)) {
			end = c.next.time;
			next = c.next.next;
		}
		story_cpu_apply(&c);
	}
	story_cpu_close(&c);
	if (end >= width && end) {
		window->end = end;
		window->start = end - width;
		if (!w->task.pid)
			w->task.pid = next.number;
	}
	return ret < 0 ? ret : 0;
}

/* A wake-up before the task last ran does not belong to the latency. */
static void story_check_waker(struct story_work *w)
{
	struct hist_story_waker *waker = &w->story->waker;
	uint32_t i;

	for (i = 0; i < w->task.n && w->task.list[i].time <= w->story->start; i++)
		if (w->task.list[i].runs && w->task.list[i].time >= waker->time)
			waker->found = false;
}

static void story_note_moves(struct story_work *w)
{
	struct hist_story *s = w->story;
	uint32_t i;

	for (i = 0; i < w->task.n; i++) {
		const struct story_change *c = &w->task.list[i];

		if (c->type != STORY_MIGRATE || c->time < s->start || c->cpu_before == c->cpu_after)
			continue;
		if (s->nmoves < HIST_STORY_MOVES)
			s->moves[s->nmoves] = (struct hist_story_move){ c->time, c->cpu_before,
									c->cpu_after };
		s->nmoves++;
	}
}

static int story_scan(struct story_work *w)
{
	uint32_t i;
	int ret;

	w->task.pid = w->window.pid;
	ret = story_find_end(w);
	w->story->start = w->window.start;
	w->story->end = w->window.end;
	for (i = 0; !ret && i < w->ncpus; i++)
		ret = story_scan_cpu(w, i);
	if (ret || !w->task.pid)
		return ret;
	story_task_sort(&w->task);
	w->story->has_task = true;
	w->story->task = w->task.name;
	w->story->task.kind = HIST_STORY_TASK;
	w->story->task.has_number = true;
	w->story->task.number = w->task.pid;
	story_check_waker(w);
	story_note_moves(w);
	return 0;
}

/* --- second pass --- */

static int story_add(struct story_work *w, const struct story_cpu *c,
		     const struct hist_story_frame *what, uint64_t from, uint64_t to)
{
	static const struct hist_story_frame unknown = { .kind = HIST_STORY_UNKNOWN };

	if (!(w->story->has & HIST_STORY_HAS_SWITCHES) &&
	    (what->kind == HIST_STORY_TASK || what->kind == HIST_STORY_IDLE))
		what = &unknown;
	if (c && c->irqs_off)
		w->story->irqs_off += to - from;
	if (c && c->preempt_off)
		w->story->preempt_off += to - from;
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
	part->nstack = story_event_copy_stack(w->reader->formats, e, part->stack);
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
	    own->what.kind != HIST_STORY_TASK || own->what.number != w->task.pid)
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
	if (s->state != STORY_ON_CPU || s->cpu >= w->ncpus) {
		ret = story_add(w, NULL, &what, s->from, s->to);
		return ret || s->state != STORY_ASLEEP ? ret : story_keep_sleep(w, &what, s->from);
	}
	if (!w->cpus[s->cpu]) {
		w->cpus[s->cpu] = calloc(1, sizeof(struct story_cpu));
		ret = w->cpus[s->cpu] ? story_open(w, w->cpus[s->cpu], s->cpu) : -ENOMEM;
	}
	return ret ? ret : story_follow(w, s->cpu, s->from, s->to);
}

/*
 * A latency that begins with a wake-up begins up to START_NS before the event that the buffer has
 * of it, because the latency is rounded and measured by another clock reading.  This time is a
 * wait.
 */
static void story_begin_wait(const struct story_work *w, struct story_stretch *s, uint32_t next)
{
	if (s->state != STORY_ASLEEP || s->from != w->window.start || next >= w->task.n ||
	    s->to - s->from >= START_NS || w->task.list[next].time != s->to ||
	    w->task.list[next].after != STORY_ON_CPU)
		return;
	s->state = STORY_ON_CPU;
	s->cpu = w->task.list[next].cpu_after;
}

static int story_follow_all(struct story_work *w)
{
	struct story_stretch s = { .state = STORY_ON_CPU, .cpu = w->window.cpu };
	uint64_t at = w->window.start, end = w->window.end;
	uint32_t next = 0;
	int ret = 0;

	while (!ret && at < end) {
		if (w->task.pid) {
			s = story_task_next(&w->task, at, end, &next);
			story_begin_wait(w, &s, next);
		} else {
			s.from = at;
			s.to = end;
		}
		ret = story_follow_stretch(w, &s);
		at = s.to;
	}
	return ret;
}

/* --- the result --- */

static void story_name_task(struct story_work *w, struct hist_story_frame *task)
{
	const char *comm;

	if (task->kind != HIST_STORY_TASK || *task->name || !task->has_number)
		return;
	comm = hist_events_comm(w->reader->events, task->number);
	if (comm)
		snprintf(task->name, sizeof(task->name), "%s", comm);
}

static int story_finish(struct story_work *w)
{
	struct hist_story *s = w->story;
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
	return hist_events_names_error(w->reader->events) == -ENOMEM ? -ENOMEM : 0;
}

int hist_story_make(struct hist_story **story, struct hist_story_reader *reader,
		    const struct hist_story_window *window)
{
	const struct hist_events_buffer *buffer =
		hist_events_buffer(reader->events, window->buffer);
	struct story_work w = { .reader = reader, .window = *window };
	uint32_t i;
	int ret = 0;

	if (!buffer)
		return -EINVAL;
	w.ncpus = buffer->cpus;
	w.cpus = calloc(w.ncpus + 1ul, sizeof(*w.cpus));
	w.story = calloc(1, sizeof(*w.story));
	if (!w.cpus || !w.story)
		ret = -ENOMEM;
	if (!ret) {
		w.story->cpu = window->cpu;
		w.story->cut = window->cut;
		w.parts.width = window->end > window->start ? window->end - window->start : 0;
		ret = story_scan(&w);
		if (window->threshold)
			w.parts.limit = w.story->start + window->threshold;
	}
	if (!ret)
		ret = story_follow_all(&w);
	if (!ret)
		ret = story_finish(&w);
	for (i = 0; w.cpus && i < w.ncpus; i++) {
		if (w.cpus[i])
			story_cpu_close(w.cpus[i]);
		free(w.cpus[i]);
	}
	free(w.cpus);
	free(w.task.list);
	story_parts_clear(&w.parts);
	if (ret)
		hist_story_free(w.story);
	else
		*story = w.story;
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

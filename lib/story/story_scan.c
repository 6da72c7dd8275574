// SPDX-License-Identifier: LGPL-2.1
/*
 * story_scan.c - the first pass of a story: where the task of the latency was, and who woke it
 *
 * The pass reads the events of the window on all CPUs, one CPU after the other.  The changes of the
 * task are then sorted by time.  A change tells the state after it, and mostly also the state
 * before it, which is used if no earlier change is known.
 *
 * A wake-up of a task that still runs or waits does not change its state.
 *
 * Invariant: the stretches cover the window in order of time, without gaps.
 */
#include <errno.h>
#include <stdlib.h>

#include "lib/base/array.h"
#include "lib/story/story_private.h"

/* The START event comes up to this time before the start, which is rounded. */
#define STORY_START_NS 1000000

/* A change of the task.  Events tell about the time before them, too. */
struct story_change {
	uint64_t time;
	uint32_t order; /* of events with equal times */
	enum story_type type;
	enum story_state before, after;
	uint32_t cpu_before, cpu_after;
	bool runs;  /* it runs after the change */
	char state; /* 'S', 'D'...: why it sleeps after the change */
};

/* More changes than this are not followed: the rest of the window is unknown. */
#define STORY_CHANGES_MAX 65536

/* Bits of prev_state that mean "not runnable": TASK_REPORT in include/linux/sched.h. */
#define STATE_BITS 0xff
static const char state_letters[] = "SDTtXZPI";

static char story_task_letter(uint64_t state)
{
	unsigned int bit = __builtin_ctz(state & STATE_BITS);

	return state_letters[bit];
}

/* The change that a switch from or to the task makes. */
static void story_task_take_switch(const struct story_task *task, const struct story_event *e,
				   struct story_change *change)
{
	change->before = change->after = STORY_ON_CPU;
	change->runs = e->what.number != task->pid;
	if (e->what.number == task->pid && e->state & STATE_BITS) {
		change->after = STORY_ASLEEP;
		change->state = story_task_letter(e->state);
	}
}

static int story_task_add(struct story_task *task, const struct story_event *e, uint32_t cpu)
{
	struct story_change change = {
		.time = e->time,
		.order = task->n,
		.type = e->type,
		.cpu_before = cpu,
		.cpu_after = cpu,
	};
	bool names = e->what.number == task->pid;

	switch (e->type) {
	case STORY_SWITCH:
		if (!names && e->next.number != task->pid)
			return 0;
		story_task_take_switch(task, e, &change);
		task->name = names ? e->what : e->next;
		break;
	case STORY_WAKING:
	case STORY_WAKEUP:
		if (!names)
			return 0;
		change.before = e->type == STORY_WAKING ? STORY_ASLEEP : STORY_STATE_UNKNOWN;
		change.after = STORY_ON_CPU;
		change.cpu_after = e->to;
		task->name = e->what;
		break;
	case STORY_MIGRATE:
		if (!names)
			return 0;
		change.cpu_before = e->from;
		change.cpu_after = e->to;
		break;
	default:
		/* the task itself runs, unless an interrupt made the event */
		if (e->type == STORY_STACK || e->type == STORY_SYNTH || e->pid != task->pid ||
		    e->flags & (STORY_HARDIRQ | STORY_SOFTIRQ))
			return 0;
		if (task->n && task->list[task->n - 1].cpu_after == cpu)
			return 0;
		change.before = change.after = STORY_ON_CPU;
		break;
	}
	if (task->n >= STORY_CHANGES_MAX) {
		task->full = true;
		return 0;
	}
	if (array_add(&task->list, task->n, sizeof(*task->list)))
		return -ENOMEM;
	task->list[task->n++] = change;
	return 0;
}

static int story_change_compare(const void *a, const void *b)
{
	const struct story_change *x = a, *y = b;

	if (x->time != y->time)
		return x->time < y->time ? -1 : 1;
	return x->order < y->order ? -1 : 1;
}

static void story_task_sort(struct story_task *task)
{
	enum story_state state = STORY_STATE_UNKNOWN;
	uint32_t i, cpu = 0;

	if (task->n)
		qsort(task->list, task->n, sizeof(*task->list), story_change_compare);
	for (i = 0; i < task->n; i++) {
		struct story_change *c = &task->list[i];

		if (c->type == STORY_MIGRATE && c->after == STORY_STATE_UNKNOWN)
			c->before = c->after = state;
		/* woken while it runs or waits: sched_waking has the CPU where it was */
		if (c->type == STORY_WAKING && state == STORY_ON_CPU) {
			c->before = state;
			c->cpu_after = cpu;
		}
		state = c->after;
		cpu = c->cpu_after;
	}
}

static void story_scan_note_kind(struct hist_story *story, const struct story_event *e)
{
	switch (e->type) {
	case STORY_SWITCH:
		story->has |= HIST_STORY_HAS_SWITCHES;
		break;
	case STORY_ENTRY:
	case STORY_EXIT:
		story->has |= e->what.kind == HIST_STORY_IRQ ? HIST_STORY_HAS_IRQS
							     : HIST_STORY_HAS_SOFTIRQS;
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
static bool story_scan_take_waker(struct story_scan *s, struct story_cpu *c, uint32_t number)
{
	struct hist_story_waker *waker = &s->story->waker;
	const struct story_event *e = &c->next;

	if (e->type != STORY_WAKING || e->what.number != s->task.pid ||
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

static void story_scan_take_stack(struct story_scan *s, const struct story_cpu *c)
{
	struct hist_story_waker *waker = &s->story->waker;

	if (c->next.type == STORY_STACK && c->next.stack && c->next.pid == waker->task.number)
		waker->nstack = story_event_copy_stack(s->reader, &c->next, waker->stack);
}

static int story_scan_cpu(struct story_scan *s, uint32_t number)
{
	struct story_cpu c;
	bool waked = false;
	int ret;

	ret = story_cpu_open(&c, s->reader, &s->window, number);
	while (!ret && (ret = story_cpu_peek(&c)) == 1) {
		ret = 0;
		if (waked)
			story_scan_take_stack(s, &c);
		if (c.next.time > s->window.end)
			break;
		story_scan_note_kind(s->story, &c.next);
		if (s->task.pid) {
			waked = story_scan_take_waker(s, &c, number);
			ret = story_task_add(&s->task, &c.next, number);
		}
		story_cpu_settle(&c);
		story_cpu_apply(&c);
	}
	story_cpu_close(&c);
	return ret;
}

/* True if the event can be the END of the latency. */
static bool story_scan_is_end(const struct story_scan *s, const struct story_event *e,
			      unsigned int id)
{
	if (e->id != id)
		return false;
	if (!s->task.pid)
		return true;
	return e->type == STORY_SWITCH ? e->next.number == s->task.pid : e->pid == s->task.pid;
}

/* Move the window to the END event, and find its task. */
static int story_scan_find_end(struct story_scan *s)
{
	struct hist_story_window *window = &s->window;
	uint64_t width = window->end - window->start, end = 0;
	struct hist_story_frame next = { 0 };
	struct story_cpu c;
	unsigned int id;
	int ret;

	id = window->end_event ? story_event_find_id(s->reader->events, window->end_event) : 0;
	if (!id || window->cpu >= s->ncpus || window->end < window->start)
		return 0;
	ret = story_cpu_open(&c, s->reader, &s->window, window->cpu);
	while (!ret && (ret = story_cpu_peek(&c)) == 1 && c.next.time <= window->end) {
		ret = 0;
		if (story_scan_is_end(s, &c.next, id)) {
			end = c.next.time;
			next = c.next.next;
		}
		story_cpu_apply(&c);
	}
	story_cpu_close(&c);
	if (end >= width && end) {
		window->end = end;
		window->start = end - width;
		if (!s->task.pid)
			s->task.pid = next.number;
	}
	return ret < 0 ? ret : 0;
}

/* A wake-up before the task last ran does not belong to the latency. */
static void story_scan_check_waker(struct story_scan *s)
{
	struct hist_story_waker *waker = &s->story->waker;
	uint32_t i;

	for (i = 0; i < s->task.n && s->task.list[i].time <= s->story->start; i++)
		if (s->task.list[i].runs && s->task.list[i].time >= waker->time)
			waker->found = false;
}

static void story_scan_note_moves(struct story_scan *s)
{
	struct hist_story *story = s->story;
	uint32_t i;

	for (i = 0; i < s->task.n; i++) {
		const struct story_change *c = &s->task.list[i];

		if (c->type != STORY_MIGRATE || c->time < story->start ||
		    c->cpu_before == c->cpu_after)
			continue;
		if (story->nmoves < HIST_STORY_MOVES)
			story->moves[story->nmoves] =
				(struct hist_story_move){ c->time, c->cpu_before, c->cpu_after };
		story->nmoves++;
	}
}

int story_scan(struct story_scan *s)
{
	uint32_t i;
	int ret;

	s->task.pid = s->window.pid;
	ret = story_scan_find_end(s);
	if (ret)
		return ret;
	s->story->start = s->window.start;
	s->story->end = s->window.end;
	for (i = 0; i < s->ncpus; i++) {
		ret = story_scan_cpu(s, i);
		if (ret)
			return ret;
	}
	if (!s->task.pid)
		return 0;
	story_task_sort(&s->task);
	s->story->has_task = true;
	s->story->task = s->task.name;
	s->story->task.kind = HIST_STORY_TASK;
	s->story->task.has_number = true;
	s->story->task.number = s->task.pid;
	story_scan_check_waker(s);
	story_scan_note_moves(s);
	return 0;
}

static struct story_stretch story_task_next(struct story_task *task, uint64_t at, uint64_t end)
{
	struct story_stretch s = { .from = at, .to = end };
	const struct story_change *before, *after;
	uint32_t i = task->next;

	while (i < task->n && task->list[i].time <= at)
		i++;
	before = i ? &task->list[i - 1] : NULL;
	after = i < task->n ? &task->list[i] : NULL;
	task->next = i;
	if (after && after->time < end)
		s.to = after->time;
	if (before && before->after != STORY_STATE_UNKNOWN) {
		s.state = before->after;
		s.cpu = before->cpu_after;
		s.why = before->state;
	} else if (after) {
		s.state = after->before;
		s.cpu = after->cpu_before;
	}
	if (task->full && !after)
		s.state = STORY_STATE_UNKNOWN;
	return s;
}

/*
 * A latency that begins with a wake-up begins up to STORY_START_NS before the event that the buffer
 * has of it, because the latency is rounded and measured by another clock reading.  This time is a
 * wait.
 */
static void story_scan_begin_wait(const struct story_scan *scan, struct story_stretch *s)
{
	const struct story_change *next;

	if (s->state != STORY_ASLEEP || s->from != scan->window.start ||
	    scan->task.next >= scan->task.n || s->to - s->from >= STORY_START_NS)
		return;
	next = &scan->task.list[scan->task.next];
	if (next->time != s->to || next->after != STORY_ON_CPU)
		return;
	s->state = STORY_ON_CPU;
	s->cpu = next->cpu_after;
}

struct story_stretch story_scan_next(struct story_scan *scan, uint64_t at)
{
	struct story_stretch s;

	if (!scan->task.pid)
		return (struct story_stretch){
			.from = at,
			.to = scan->window.end,
			.state = STORY_ON_CPU,
			.cpu = scan->window.cpu,
		};
	s = story_task_next(&scan->task, at, scan->window.end);
	story_scan_begin_wait(scan, &s);
	return s;
}

// SPDX-License-Identifier: LGPL-2.1
/*
 * story_task.c - where the task of a latency was
 *
 * The changes of a task come from the ring buffers of all CPUs.  A change tells the state after it,
 * and mostly also the state before it, which is used if no earlier change is known.
 *
 * A wake-up of a task that still runs or waits does not change its state.
 */
#include <errno.h>
#include <stdlib.h>

#include "lib/base/array.h"
#include "lib/story/story_task.h"

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

int story_task_add(struct story_task *task, const struct story_event *e, uint32_t cpu)
{
	struct story_change change = {
		.time = e->time, .order = task->n, .type = e->type, .cpu_before = cpu,
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

void story_task_sort(struct story_task *task)
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

struct story_stretch story_task_next(const struct story_task *task, uint64_t at, uint64_t end,
				     uint32_t *next)
{
	struct story_stretch s = { .from = at, .to = end };
	const struct story_change *before, *after;
	uint32_t i = *next;

	while (i < task->n && task->list[i].time <= at)
		i++;
	before = i ? &task->list[i - 1] : NULL;
	after = i < task->n ? &task->list[i] : NULL;
	*next = i;
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

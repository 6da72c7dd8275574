/* SPDX-License-Identifier: LGPL-2.1 */
/*
 * story_task.h - where the task of a latency was: on which CPU it ran or waited, and when it slept
 */
#ifndef LIB_STORY_STORY_TASK_H
#define LIB_STORY_STORY_TASK_H

#include "lib/story/story_event.h"

enum story_state {
	STORY_STATE_UNKNOWN,
	STORY_ON_CPU, /* it runs or waits on a CPU */
	STORY_ASLEEP,
};

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

struct story_task {
	int64_t pid;
	struct hist_story_frame name;
	struct story_change *list;
	uint32_t n;
	bool full;
};

/* Add an event on CPU @cpu if it concerns the task.  0 or -ENOMEM. */
int story_task_add(struct story_task *task, const struct story_event *event, uint32_t cpu);

/* Sort the changes by time, and correct those of a task that is woken while it runs. */
void story_task_sort(struct story_task *task);

/* A stretch of the window with one state. */
struct story_stretch {
	uint64_t from, to;
	enum story_state state;
	uint32_t cpu;
	char why; /* it sleeps */
};

/*
 * story_task_next - the next stretch from @at up to @end
 * @next: number of the next change, initially 0.
 */
struct story_stretch story_task_next(const struct story_task *task, uint64_t at, uint64_t end,
				     uint32_t *next);

#endif

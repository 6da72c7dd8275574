/* SPDX-License-Identifier: GPL-2.0 */
/*
 * story_fixture.h - ring buffers with scheduler and interrupt events, put together by hand
 *
 * A story is a list of events, one for each CPU in order of time.  story_fixture_append() makes pages
 * of them and appends them to a file as a buffer.
 */
#ifndef UTEST_UNIT_LIB_STORY_STORY_FIXTURE_H
#define UTEST_UNIT_LIB_STORY_STORY_FIXTURE_H

#include "lib/tracedat/tracedat.h"

enum tell {
	TELL_END,     /* of the list */
	TELL_SWITCH,  /* from the current task in @state to task @n */
	TELL_WAKING,  /* task @n, whose CPU was @to */
	TELL_WAKEUP,  /* task @n, into the queue of CPU @to */
	TELL_MIGRATE, /* task @n from CPU @state to CPU @to */
	TELL_IRQ,     /* interrupt @n begins */
	TELL_IRQ_END,
	TELL_SOFTIRQ, /* vector @n begins */
	TELL_SOFTIRQ_END,
	TELL_TIMER, /* the interrupt of the local timer begins */
	TELL_TIMER_END,
	TELL_STACK, /* of the event before, with addresses from @n on */
	TELL_IRQS_OFF,
	TELL_IRQS_ON,
	TELL_SYNTH, /* a synthetic event that the event before caused */
	TELL_LOST,  /* events are lost here */
	TELL_PAGE,  /* a new page begins */
	TELL_ODD,   /* another event, of which only common_pid is of interest */
};

/* The current task is the one of the last switch of the CPU; before, it is @pid of the first event. */
struct tell_event {
	enum tell what;
	uint64_t time;
	unsigned int cpu;
	int n, to, state;
	int pid;   /* of the current task, if no switch tells it */
	int flags; /* common_flags */
};

/* An event of a list: T(SWITCH, 1000, 0, HOG, .state = 1). */
#define T(kind, time_, cpu_, n_, ...) \
	{ .what = TELL_##kind, .time = time_, .cpu = cpu_, .n = n_, ##__VA_ARGS__ }
#define TELL_LAST { .what = TELL_END }

/* Tasks by number: pid, name, priority.  0 is the idle task. */
struct tell_task {
	int pid, prio;
	const char *comm;
};
extern const struct tell_task tell_tasks[];
enum { IDLE, WAITER, HOG, WORKER, DD, EVIL };

/* Formats of these events, for a file with them. */
const struct tracedat_format *story_fixture_formats(size_t *n);
struct tracedat_contents story_fixture_contents(void);

/* Append the events of CPUs 0 to @cpus - 1 as the buffer @name; link it afterwards.  0 or -errno. */
int story_fixture_append(struct tracedat_writer *dat, const char *name,
			 const struct tell_event *events, unsigned int cpus);

/* The file PATH with the only buffer "story".  0 or -errno. */
int story_fixture_write(const char *path, const struct tell_event *events, unsigned int cpus);

#endif

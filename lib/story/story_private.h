/* SPDX-License-Identifier: LGPL-2.1 */
/*
 * story_private.h - the steps of making a story, for the files that implement it
 *
 * story_cpu.c decodes events, and follows what a CPU does with them.  Two passes use it:
 * story_scan.c finds where the task was, and story.c adds up what the CPUs did there.
 */
#ifndef LIB_STORY_STORY_PRIVATE_H
#define LIB_STORY_STORY_PRIVATE_H

#include "lib/story/story.h"

/* --- story_cpu.c: events --- */

/* The formats of the events that tell what a CPU does. */
struct story_formats;

struct hist_story_reader {
	struct hist_events *events;
	struct story_formats *formats;
};

enum story_type {
	STORY_OTHER,
	STORY_SWITCH,
	STORY_WAKING, /* a wake-up is requested */
	STORY_WAKEUP, /* the task is in the queue of a CPU */
	STORY_MIGRATE,
	STORY_ENTRY, /* of an interrupt or a softirq */
	STORY_EXIT,
	STORY_IRQS_OFF,
	STORY_IRQS_ON,
	STORY_PREEMPT_OFF,
	STORY_PREEMPT_ON,
	STORY_STACK, /* the kernel or user stack of the event before it */
	STORY_SYNTH, /* a synthetic event: made while another event is handled */
};

/* Bits of common_flags, TRACE_FLAG_ in include/linux/trace_events.h. */
#define STORY_HARDIRQ 0x08
#define STORY_SOFTIRQ 0x10

struct story_event {
	enum story_type type;
	unsigned int id; /* common_type */
	uint64_t time;
	int32_t pid; /* current task */
	unsigned int flags;
	/* SWITCH: previous and next task.  WAKING, WAKEUP, MIGRATE: @what is the task. */
	struct hist_story_frame what, next;
	uint64_t state;		    /* SWITCH: of the previous task */
	uint32_t from, to;	    /* CPUs: MIGRATE has both, WAKING and WAKEUP have @to */
	const unsigned char *stack; /* of the kernel, in the page; NULL: a user stack */
	unsigned int nstack;
};

/* common_type of the event @name of any system; 0: not in the file. */
unsigned int story_event_find_id(const struct hist_events *events, const char *name);

/*
 * Copy the stack of an event to @stack, which has HIST_STORY_STACK elements.  The number of
 * addresses.
 */
unsigned int story_event_copy_stack(const struct hist_story_reader *reader,
				    const struct story_event *event, uint64_t *stack);

/*
 * --- story_cpu.c: what a CPU does ---
 *
 * For each event: story_cpu_peek() reads it, story_cpu_settle() finds what the CPU did before it,
 * and story_cpu_apply() goes on to what the CPU does after it.
 */

/* Interrupts in softirqs in interrupts. */
#define STORY_NESTED 8

struct story_cpu {
	const struct hist_story_reader *reader;
	struct hist_events_pages *pages;
	struct hist_ring_page page;
	bool has_page;
	bool whole; /* no event is missing before the first one */
	bool fresh; /* no event was applied since the beginning or a gap */
	bool gap;   /* events are missing before @next, or at the end */
	bool ended;
	bool has_next, settled;
	struct story_event next;
	uint64_t since; /* time of the last applied event */
	struct hist_story_frame task;
	struct hist_story_frame stack[STORY_NESTED]; /* innermost last */
	unsigned int nstack;
	/* What the CPU did from @since to the next event; valid after story_cpu_settle(). */
	struct hist_story_frame frame;
	bool irqs_off, preempt_off;
};

/* Begin a little before the window.  0, -EINVAL, -ENOMEM or -EIO. */
int story_cpu_open(struct story_cpu *cpu, const struct hist_story_reader *reader,
		   const struct hist_story_window *window, unsigned int number);
void story_cpu_close(struct story_cpu *cpu);

/* 1: @next is valid; 0: no more events; -ENOMEM, -EIO. */
int story_cpu_peek(struct story_cpu *cpu);
/* Set @frame; may be called again for the same event. */
void story_cpu_settle(struct story_cpu *cpu);
void story_cpu_apply(struct story_cpu *cpu);

/* --- story_scan.c --- */

enum story_state {
	STORY_STATE_UNKNOWN,
	STORY_ON_CPU, /* it runs or waits on a CPU */
	STORY_ASLEEP,
};

/* Where the task of a latency was. */
struct story_task {
	int64_t pid;
	struct hist_story_frame name;
	struct story_change *list; /* sorted by time */
	uint32_t n;
	uint32_t next; /* the first change after the last stretch */
	bool full;
};

/* The input and the result of the first pass; the caller frees @task.list. */
struct story_scan {
	struct hist_story_reader *reader;
	struct hist_story_window window; /* story_scan() moves it to the END event */
	uint32_t ncpus;
	struct hist_story *story;
	struct story_task task; /* @pid is 0 if the latency has no task */
};

/* Set what the events of all CPUs tell: all of @story except parts and spans.  0 or -errno. */
int story_scan(struct story_scan *scan);

/* A stretch of the window with one state. */
struct story_stretch {
	uint64_t from, to;
	enum story_state state;
	uint32_t cpu;
	char why; /* it sleeps */
};

/* The stretch that begins at @at, which is the end of the last one. */
struct story_stretch story_scan_next(struct story_scan *scan, uint64_t at);

#endif

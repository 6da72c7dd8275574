/* SPDX-License-Identifier: LGPL-2.1 */
/*
 * story_cpu.h - follow what one CPU does, event by event
 *
 * For each event: story_cpu_peek() reads it, story_cpu_settle() finds what the CPU did before it,
 * and story_cpu_apply() goes on to what the CPU does after it.
 */
#ifndef LIB_STORY_STORY_CPU_H
#define LIB_STORY_STORY_CPU_H

#include "lib/story/story_event.h"

/* Interrupts in softirqs in interrupts. */
#define STORY_NESTED 8

struct story_cpu {
	const struct story_formats *formats;
	struct hist_events_pages *pages;
	struct hist_ring_page page;
	bool has_page;
	bool whole;   /* no event is missing before the first one */
	bool fresh;   /* no event was applied since the beginning or a gap */
	bool gap;     /* events are missing before @next, or at the end */
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

/*
 * story_cpu_open - begin near the time @from, or at the first event
 * @cut: events are missing before the first one.  0, -EINVAL, -ENOMEM or -EIO.
 */
int story_cpu_open(struct story_cpu *cpu, const struct hist_events *events,
		   const struct story_formats *formats, unsigned int buffer, unsigned int number,
		   uint64_t from, bool cut);
void story_cpu_close(struct story_cpu *cpu);

/* 1: @next is valid; 0: no more events; -ENOMEM, -EIO. */
int story_cpu_peek(struct story_cpu *cpu);
/* Set @frame; may be called again for the same event. */
void story_cpu_settle(struct story_cpu *cpu);
void story_cpu_apply(struct story_cpu *cpu);

#endif

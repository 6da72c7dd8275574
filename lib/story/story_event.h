/* SPDX-License-Identifier: LGPL-2.1 */
/*
 * story_event.h - the recorded events that tell what a CPU does
 */
#ifndef LIB_STORY_STORY_EVENT_H
#define LIB_STORY_STORY_EVENT_H

#include "lib/story/story.h"

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
	uint64_t state;	  /* SWITCH: of the previous task */
	uint32_t from, to; /* CPUs: MIGRATE has both, WAKING and WAKEUP have @to */
	const unsigned char *stack; /* of the kernel, in the page; NULL: a user stack */
	unsigned int nstack;
};

struct story_formats;

/* The events of a file; 0 or -ENOMEM. */
int story_formats_new(struct story_formats **formats, struct hist_events *events);
void story_formats_free(struct story_formats *formats);

/* common_type of the event @name of any system; 0: not in the file. */
unsigned int story_formats_find(const struct hist_events *events, const char *name);

/* Decode @data of @len bytes, at least 4.  Fields that the event does not have are zero. */
void story_event_decode(const struct story_formats *formats, struct story_event *event,
			const unsigned char *data, uint32_t len);

/*
 * Copy the stack of an event to @stack, which has HIST_STORY_STACK elements.  The number of
 * addresses.
 */
unsigned int story_event_copy_stack(const struct story_formats *formats,
				    const struct story_event *event, uint64_t *stack);

#endif

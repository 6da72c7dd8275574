/* SPDX-License-Identifier: LGPL-2.1 */
/*
 * story.h - the story of a latency: what used the CPU between its START and its END
 *
 * The input is a buffer of recorded events and a window of time.  The output are parts: the time of
 * each task, interrupt and softirq in the window.
 *
 * If the latency belongs to a task, the story follows this task.  While the task waits for a CPU or
 * runs, the parts are what this CPU did; a task that waits may be moved to another CPU.  While the
 * task is blocked, the part is "asleep": what a CPU does then does not delay the task.  Otherwise
 * the story is what the CPU of END did.
 *
 * Time belongs to the innermost context: to an interrupt before the softirq or the interrupt that
 * it interrupts, and to a softirq before the task that it interrupts.  Time that the events do not
 * explain is "unknown": before the first event of a ring buffer that begins late, where events are
 * lost, or if task switches are not recorded.
 *
 * Invariants: the parts of a story add up to its end minus its start.  Its spans cover this time in
 * order, without gaps.
 *
 * Memory: at most HIST_STORY_PARTS parts and HIST_STORY_SPANS spans.  Time: each page of the window
 * is read twice.
 */
#ifndef LIB_STORY_STORY_H
#define LIB_STORY_STORY_H

#include "lib/ringbuf/events.h"
#include "lib/series/episode.h"

#define HIST_STORY_NAME 64
/* More tasks and interrupts are one part of the kind "other". */
#define HIST_STORY_PARTS 512
/* Shorter spans are merged if there are more. */
#define HIST_STORY_SPANS 4096
#define HIST_STORY_STACK 64
#define HIST_STORY_MOVES 16

enum hist_story_kind {
	HIST_STORY_TASK,
	HIST_STORY_IDLE,
	HIST_STORY_IRQ,
	HIST_STORY_SOFTIRQ,
	HIST_STORY_ASLEEP, /* the task of the latency is blocked */
	HIST_STORY_OTHER,
	HIST_STORY_UNKNOWN,
};

/* "task", "idle", "irq", "softirq", "asleep", "other", "unknown" */
const char *hist_story_kind_name(enum hist_story_kind kind);

/* What a CPU does. */
struct hist_story_frame {
	enum hist_story_kind kind;
	bool has_number, has_prio;
	int64_t number; /* process ID, interrupt, or vector of a softirq */
	int prio;	/* of a task, as sched_switch has it: 120 is nice 0 */
	/*
	 * of the task, the interrupt or the softirq; "D" for a blocked task; not escaped; may be ""
	 */
	char name[HIST_STORY_NAME];
};

struct hist_story_part {
	struct hist_story_frame what;
	bool self; /* the task of the latency itself */
	uint64_t ns;
	uint64_t excess;  /* of it, after the threshold */
	bool has_excess;  /* the threshold is known */
	uint64_t longest; /* the longest time without an interruption */
	uint64_t spans;	  /* how often it began */
	/*
	 * Its last recorded kernel stack, innermost first; NULL: none.  The stack of a task that
	 * used the CPU is mostly that of the switch away from it; the stack of a blocked task is
	 * that of the switch after which it slept.
	 */
	uint64_t *stack;
	unsigned int nstack;
};

/* A part of the time line. */
struct hist_story_span {
	uint64_t from, to;
	uint32_t part;	/* the largest one if several were merged */
	uint32_t merged; /* number of spans that this one stands for; 1: it is exact */
	uint64_t ns;	/* time of @part in it; if several were merged, at least */
};

struct hist_story_move {
	uint64_t time;
	uint32_t from, to; /* CPUs */
};

struct hist_story_waker {
	bool found;
	uint64_t time;
	uint32_t cpu;
	struct hist_story_frame task; /* the current task */
	struct hist_story_frame what; /* the context: the task, an interrupt or a softirq */
	uint64_t stack[HIST_STORY_STACK]; /* of the request, innermost first */
	unsigned int nstack; /* 0: not recorded */
};

/* What the buffer has. */
#define HIST_STORY_HAS_SWITCHES 0x01
#define HIST_STORY_HAS_IRQS 0x02
#define HIST_STORY_HAS_SOFTIRQS 0x04
#define HIST_STORY_HAS_IRQS_OFF 0x08
#define HIST_STORY_HAS_PREEMPT_OFF 0x10

struct hist_story {
	uint64_t start, end;
	uint32_t cpu; /* of END */
	bool has_task;
	struct hist_story_frame task; /* the task of the latency */
	struct hist_story_waker waker;
	struct hist_story_part *parts; /* largest first; only those with time */
	uint32_t nparts;
	struct hist_story_span *spans;
	uint32_t nspans;
	struct hist_story_move moves[HIST_STORY_MOVES]; /* the first ones */
	uint32_t nmoves; /* number of all */
	uint64_t irqs_off, preempt_off; /* time with interrupts or preemption disabled, if known */
	unsigned int has; /* HIST_STORY_HAS_ */
	bool cut; /* events after the start are missing */
};

struct hist_story_reader;

/*
 * hist_story_reader_new - prepare to read the stories of a file
 * @events must outlive the reader.  0 or -ENOMEM.
 */
int hist_story_reader_new(struct hist_story_reader **reader, struct hist_events *events);
void hist_story_reader_free(struct hist_story_reader *reader);

/* A window of a buffer. */
struct hist_story_window {
	unsigned int buffer; /* number (hist_events_buffer()) */
	uint64_t start, end; /* of the trace clock, without adjustments */
	uint32_t cpu;	     /* of END */
	int64_t pid;	     /* of the task of the latency; 0: not known */
	bool cut;	     /* the events begin after the start */
	uint64_t threshold;  /* in ns after the start; 0: not known */
	/*
	 * The name of the END event, or NULL.  The window is then moved so that it ends with the
	 * last such event of @cpu up to @end: a captured episode has the time of the synthetic
	 * event, which the kernel makes later.  If END is sched_switch and @pid is 0, its next task
	 * is the task of the latency.
	 */
	const char *end_event;
};

/*
 * hist_story_make - find the story of a window
 * -EINVAL: no such buffer; -ENOMEM; -EIO.  Damaged pages only make time unknown.
 */
int hist_story_make(struct hist_story **story, struct hist_story_reader *reader,
		    const struct hist_story_window *window);
void hist_story_free(struct hist_story *story);

/*
 * hist_story_window_of - the window of an episode
 * Strings belong to the episode.  -ENOENT: the file does not have its buffer.
 */
int hist_story_window_of(struct hist_story_window *window, const struct hist_events *events,
			 const struct hist_episode *episode);

/*
 * hist_story_shorten - merge short spans until there are at most @most
 * @absorb: a long span takes in the short ones next to it, so interruptions of a task disappear;
 * otherwise only neighbours that are both short are merged, which keeps the picture.
 * Returns the new number of spans.
 */
uint32_t hist_story_shorten(struct hist_story_span *spans, uint32_t n, uint32_t most, bool absorb);

/*
 * hist_story_add_total - add the parts of a story to the sums over several stories
 * @parts, @n: the sums, at first NULL and 0; free() them.  Tasks with one name and priority are one
 * part, whose process ID is not valid.  hist_story_sort_total() sorts them.  0 or -ENOMEM.
 */
int hist_story_add_total(struct hist_story_part **parts, uint32_t *n,
			 const struct hist_story *story);
/*
 * hist_story_list_excess - make a list of the sums in which ns is the time above the threshold
 * Parts without such time are left out.  *@excess is NULL if there are none; free() it.  0 or
 * -ENOMEM.
 */
int hist_story_list_excess(struct hist_story_part **excess, uint32_t *nexcess,
			   const struct hist_story_part *parts, uint32_t n);
void hist_story_sort_total(struct hist_story_part *parts, uint32_t n);

#endif

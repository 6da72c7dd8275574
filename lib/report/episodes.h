/* SPDX-License-Identifier: LGPL-2.1 */
/*
 * episodes.h - the worst episodes of a report, with their stories, as columns
 *
 * One table of columns serves json, ndjson, csv and html.
 */
#ifndef LIB_REPORT_EPISODES_H
#define LIB_REPORT_EPISODES_H

#include "lib/base/strbuf.h"
#include "lib/story/story.h"

/* The strings belong to the caller. */
struct hist_report_episode {
	struct hist_episode what;
	uint32_t rank;	       /* 1: the worst */
	const char *histogram; /* its name for -e */
	const char *host;
	unsigned int file;     /* its number, in the order of the inputs */
	bool captured;	       /* by --threshold; false: found in the events of the recording */
	struct hist_story *story; /* NULL: the episode is not a latency, and has no time */
	struct hist_events *events; /* for the symbols of stacks; NULL: show addresses */
	int64_t time_offset;   /* added to times in texts */
	bool has_wall;	       /* the wall-clock time is known */
	int64_t wall_offset;   /* from the trace clock to ns since 1970 (UTC) */
};

struct hist_report_episodes {
	struct hist_report_episode *list; /* the worst first */
	uint32_t n;
	uint32_t found; /* number of episodes in the files */
	struct hist_story_part *total; /* over all of @list, largest first */
	uint32_t ntotal;
	uint64_t ns; /* of all stories */
	/* of the time above the threshold, likewise; empty if no threshold is known */
	struct hist_story_part *excess;
	uint32_t nexcess;
	uint64_t excess_ns;
};

/* The value of a column. */
struct episode_cell {
	enum { EPISODE_NUMBER, EPISODE_SIGNED, EPISODE_TEXT, EPISODE_PERCENT, EPISODE_BOOL } type;
	uint64_t number; /* PERCENT: in hundredths */
	const char *text;
};

/*
 * A column: its name, and the function that gets its cell.
 * Returns false if the episode or the part has no such value.
 */
struct episode_column {
	const char *name;
	bool (*get)(struct episode_cell *cell, const struct hist_report_episode *e);
};

struct episode_part_column {
	const char *name;
	bool is_text;
	/* @all: the time of which the part is a share */
	bool (*get)(struct episode_cell *cell, const struct hist_story_part *part, uint64_t all);
};

/* Each list ends with a column without a name. */
extern const struct episode_column episode_columns[];
extern const struct episode_part_column episode_part_columns[];

/* The latency in ns: the end minus the start. */
uint64_t hist_report_episode_ns(const struct hist_report_episode *e);

/* The wall-clock time of the end, in ns since 1970 (UTC); 0: unknown. */
uint64_t hist_report_episode_wall(const struct hist_report_episode *e);

/* The latency in ns above the threshold of the recording; false if the threshold is not known. */
bool hist_report_episode_excess(const struct hist_report_episode *e, uint64_t *ns);

/*
 * hist_report_frame_put - write "hog/30 [RT 50]", "irq 27 virtio0-input", "softirq TIMER", "asleep
 * (D)"
 * @flags: of hist_escape().  A task without a process ID is "hog [49]".
 */
void hist_report_frame_put(struct hist_strbuf *b, const struct hist_story_frame *what,
			   unsigned int flags);

/*
 * Write "61 % hog [49]; 22 % irq 27 virtio0-input": the largest parts, at most @most.
 * hist_report_excess_put(): of the time above the threshold.
 */
void hist_report_total_put(struct hist_strbuf *b, const struct hist_report_episodes *list,
			   uint32_t most, unsigned int flags);
void hist_report_excess_put(struct hist_strbuf *b, const struct hist_report_episodes *list,
			    uint32_t most, unsigned int flags);

/* Write the time @ns with a unit, "+2.1 ms". */
void hist_report_offset_put(struct hist_strbuf *b, uint64_t ns);

/*
 * Note @i of an episode, such as what its events do not show; false after the last one.
 * *@hint is "" if the note does not have one.
 */
bool hist_report_episode_note(const struct hist_report_episode *e, unsigned int i,
			      struct hist_strbuf *note, const char **hint);

/* A kernel stack that explains an episode, innermost address first. */
struct hist_report_stack {
	const struct hist_story_part *part; /* NULL: the stack of the waker */
	const uint64_t *addresses;
	unsigned int n;
};

/*
 * hist_report_stack_get - stack @i of an episode with a story; false after the last one
 * The first one is that of the largest part that has a stack.  If the task mostly slept, that of
 * its waker follows.
 */
bool hist_report_stack_get(const struct hist_report_episode *e, unsigned int i,
			   struct hist_report_stack *stack);

/* Write "kernel stack of hog/30 [49]", "kernel stack of the waker ..." or "... while asleep". */
void hist_report_stack_title_put(struct hist_strbuf *b, const struct hist_report_episode *e,
				 const struct hist_report_stack *stack, unsigned int flags);

/* The symbol of an address of a stack, or the address in hexadecimal. */
void hist_report_symbol_put(struct hist_strbuf *b, const struct hist_report_episode *e,
			    uint64_t address, unsigned int flags);

void hist_report_episodes_free(struct hist_report_episodes *list); /* not the struct */

struct hist_series_info;

/* True if the episode is one of the histograms of this event and host. */
bool hist_report_episode_is_of(const struct hist_report_episode *e,
			       const struct hist_series_info *info);

#endif

/* SPDX-License-Identifier: LGPL-2.1 */
/*
 * run.h - the state of a run, and interfaces of the files that count hits
 */
#ifndef LIB_ENGINE_RUN_H
#define LIB_ENGINE_RUN_H

#include "lib/base/strbuf.h"
#include "lib/engine/engine_private.h"

/*
 * Contexts that can interrupt each other: task, softirq, hardirq, NMI; each with a synthetic event.
 */
#define STACK_WAIT_MAX 8

/* An event that waits for its kernel_stack. */
struct stack_wait_event {
	const struct engine_event
		*on; /* NULL: it is not counted, and keeps its stack from others */
	uint64_t time;
	struct hist_strbuf data;
	enum hist_run_scope scope;
};

struct stack_wait_queue {
	struct stack_wait_event event[STACK_WAIT_MAX];
	unsigned int n;
};

struct hist_run {
	const struct hist_engine *engine;
	struct map *maps; /* one for each histogram */
	bool *paused;	  /* by trigger */
	bool *seen;	  /* by id of an event with triggers: it occurred */
	uint64_t *left;	  /* by trigger: how often a switch may still switch */
	uint64_t *unresolved; /* by histogram: hits without a variable of another histogram */
	struct stack_wait_queue *waiting; /* two for each CPU */
	uint32_t nwaiting;
	struct hist_run_counts counts;
	unsigned int nesting;
	struct hist_strbuf records[ENGINE_NESTING]; /* of synthetic events */
	bool is_part; /* other runs count other events */
	bool is_far; /* a map is too large for the caches of a CPU */
	unsigned int calls; /* of hist_run_count_page() */
};

static inline struct hit run_hit(const struct hist_run *run, unsigned int cpu, uint64_t time,
				 const unsigned char *data, uint32_t len)
{
	return (struct hit){
		.data = data,
		.len = len,
		.swap = run->engine->machine.layout.swap,
		.cpu = cpu,
		.queue = 2 * cpu,
		.time = time,
		.machine = &run->engine->machine,
	};
}

/* trigger_hit.c: runs all triggers of an event.  0 or -ENOMEM. */
int trigger_hit_event(struct hist_run *run, const struct engine_event *on, struct hit *hit);

/*
 * trigger_count_plain - count a hit of a histogram with is_plain
 * 0 or -ENOMEM.  If a string is outside the event, the function sets @hit->damaged.
 */
int trigger_count_plain(struct hist_run *run, const struct engine_histogram *hist,
			struct hit *hit);

/* True: a field of a synthetic event takes bytes at an address, not a number. */
static inline bool synth_has_bytes(const struct hist_event_field *field)
{
	return hist_field_is_string(field) || hist_field_is_stack(field);
}

#endif

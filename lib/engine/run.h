/* SPDX-License-Identifier: LGPL-2.1 */
/*
 * run.h - what a run has, and what its files share
 */
#ifndef LIB_ENGINE_RUN_H
#define LIB_ENGINE_RUN_H

#include "lib/base/strbuf.h"
#include "lib/engine/engine_private.h"

#define WAITING_MAX 4 /* an interrupt comes before the stack of what it interrupted: NMI at most \
		       */

/* An event whose stack has not come yet. */
struct waiting {
	const struct engine_event *on;
	uint64_t time;
	struct hist_strbuf data;
};

struct waiting_cpu {
	struct waiting event[WAITING_MAX];
	unsigned int n;
};

struct hist_run {
	const struct hist_engine *engine;
	struct map *maps; /* of each histogram */
	bool *paused;	  /* each trigger */
	uint64_t *left;	  /* of each switch: how often it may switch yet */
	struct waiting_cpu *waiting;
	uint32_t ncpus;
	struct hist_run_counts counts;
	unsigned int nesting;
	struct hist_strbuf records[ENGINE_NESTING]; /* of synthetic events */
	bool unbounded;
};

/* trigger_hit.c: all triggers of an event.  0 or -ENOMEM. */
int hit_event(struct hist_run *run, const struct engine_event *on, struct hit *hit);

/* synth_fire.c: the synthetic event of an action, with what its references are. */
int fire_synth(struct hist_run *run, const struct engine_action *action, const struct hit *hit,
	       const uint64_t *refs);

/*
 * stack_wait.c: an event of @cpu that is to wait for its stack; and one that may be that
 * stack, or shows that none will come.  0 or -ENOMEM.
 */
int waiting_add(struct hist_run *run, const struct engine_event *on, const struct hit *hit);
int waiting_see(struct hist_run *run, unsigned int type, const struct hit *hit);

#endif

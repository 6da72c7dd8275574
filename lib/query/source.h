/* SPDX-License-Identifier: LGPL-2.1 */
/*
 * source.h - what an expansion asks of the machine or file whose events are counted
 *
 * The expansions are pure: the caller finds events, and says what the kernel of their triggers
 * knows.
 */
#ifndef LIB_QUERY_SOURCE_H
#define LIB_QUERY_SOURCE_H

#include "lib/event/event.h"
#include "lib/expr/expr.h"
#include "lib/expr/kernel_features.h"
#include "lib/query/query.h"

/*
 * Why a query was refused: @why is "SENTENCE" or "SENTENCE\nHINT" (lib/base/reason.h). If it is "",
 * @error is a mistake in @text, which belongs to the query; @text can be NULL. Both are empty if
 * the source has told the user itself.
 */
struct query_refusal {
	char why[512];
	const char *text;
	struct hist_error error;
};

/* An event. Initialize with zeros; query_found_clear() at the end. */
struct query_found {
	char *full_name; /* "sched:sched_switch" */
	struct hist_event *event;
	/* the event as it is if the kernel chooses strings for types that are not given; or NULL */
	struct hist_event *guess;
};

struct query_source {
	/*
	 * Find the event @name, "SYS:EVENT" or "EVENT", of @wanted. -ENOMEM, or another -errno after
	 * @refusal is set or the user is told.
	 */
	int (*find)(const struct query_source *source, const struct query *query,
		    const struct query_event *wanted, const char *name, struct query_found *found,
		    struct query_refusal *refusal);
	const struct hist_kernel *kernel; /* what its hist triggers know; NULL: the engine counts */
	const char *clock;		  /* for triggers that measure a time; NULL: not named */
	/* of the synthetic event of a latency; NULL: a unique name */
	const char *synth;
	bool lists_tasks;		  /* a list of tasks chooses whose events count */
	bool names_pairs;		  /* latencies carry the keys of their END, for a threshold */
};

void query_found_clear(struct query_found *found);

#endif

/* SPDX-License-Identifier: GPL-2.0 */
/*
 * probe_misses.h - count the hits that the kernel missed at the probe of an event
 *
 * A kretprobe misses a return if too many calls are in progress. A kprobe misses a hit inside
 * another kprobe. kprobe_profile counts both. The kernel does not count misses of uprobes and
 * fprobes.
 */
#ifndef TRACECMD_KERNEL_PROBE_MISSES_H
#define TRACECMD_KERNEL_PROBE_MISSES_H

#include "helper/local/target.h"

struct probe_misses {
	enum {
		PROBE_MISSES_NONE, /* the event does not belong to a probe */
		PROBE_MISSES_KNOWN,
		PROBE_MISSES_UNKNOWN,
	} kind;
	uint64_t before; /* misses before the recording; other programs may use the probe */
	uint64_t count;	 /* misses since then */
};

/*
 * probe_misses_sum - sum of the missed hits in @profile for the event @system:@name
 * @events: text of kprobe_events. @profile: text of kprobe_profile, without systems, in the same
 * order. False if the event is not listed or the texts do not agree.
 */
bool probe_misses_sum(const char *events, const char *profile, const char *system,
		      const char *name, uint64_t *sum);

/* Set @m->kind and the misses so far. Call it before the trigger of the event is set. */
void probe_misses_begin(struct probe_misses *m, struct hist_target *t, const char *system,
			const char *name);
/* Set @m->count. If the misses can no longer be read, the count does not change. */
void probe_misses_update(struct probe_misses *m, struct hist_target *t, const char *system,
			 const char *name);

#endif

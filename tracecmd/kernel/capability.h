/* SPDX-License-Identifier: GPL-2.0 */
/*
 * capability.h - detect what the kernel of a target can do for histograms
 *
 * The detection uses tracefs: which files exist, and the text of its README. Some files are in
 * /proc, and cgroup v2 must be mounted to be used. The grammar of
 * triggers is detected by lib/expr/kernel_features.h, which also uses the release. The detection
 * works for any target, without its kernel configuration.
 */
#ifndef TRACECMD_KERNEL_CAPABILITY_H
#define TRACECMD_KERNEL_CAPABILITY_H

#include <stdbool.h>

#include "helper/local/target.h"
#include "lib/expr/kernel_features.h"

enum capability {
	CAP_HIST_TRIGGERS,
	CAP_SYNTHETIC_EVENTS,
	CAP_DYNAMIC_EVENTS,
	CAP_KPROBES,
	CAP_UPROBES,
	CAP_USDT,
	CAP_FPROBES,
	CAP_FUNCTION_TRACER,
	CAP_FUNCTION_GRAPH,
	CAP_TIMERLAT_TRACER,
	CAP_OSNOISE_TRACER,
	CAP_HWLAT_TRACER,
	CAP_PROBE_ARGUMENTS,
	CAP_PROBE_FIELDS,
	CAP_SYSCALL_EVENTS,
	CAP_LOCK_EVENTS,
	CAP_TRACE_MARKER,
	CAP_STACK_KEYS,
	CAP_COMMON_STACKTRACE,
	CAP_COMMON_COMM,
	CAP_STACK_FIELDS,
	CAP_STACK_CHAINS,
	CAP_BUCKETS,
	CAP_FINE_LOG2,
	CAP_PERCENT_GRAPH,
	CAP_NOHITCOUNT,
	CAP_ERROR_LOG,
	CAP_SNAPSHOT,
	CAP_INSTANCES,
	CAP_TASK_CHILDREN,
	CAP_TASK_EXCLUSION,
	CAP_CGROUPS,
	CAP_MACHINE_NAMES,
	CAP_POLL,
	CAP_HIST_RAW,
	CAPABILITIES,
};

enum presence {
	PRESENCE_NO,
	PRESENCE_YES,
	PRESENCE_UNKNOWN, /* tracefs does not show it */
};

struct capability_info {
	const char *name;    /* "hist_triggers" */
	const char *what;    /* its purpose in a few words */
	const char *configs; /* options without CONFIG_, separated by blanks; or NULL */
	const char *since;   /* a Linux version that has it, or NULL */
	const char *instead; /* what happens, or what the user can do, without it; sentences */
	enum capability base; /* capability that this one requires; itself: none */
	const char *file;    /* in tracefs, or "/proc/..."; NULL: any kernel may have it */
	const char *word;    /* in the README of tracefs, or NULL; without file and word: unknown */
	bool is_tracer;	     /* only the user-space engine can count what it writes */
	bool in_engine;	     /* the user-space engine has it on any kernel */
};

extern const struct capability_info capability_info[CAPABILITIES];

struct capabilities {
	enum presence has[CAPABILITIES];
	char *clocks; /* "local [global] ...", without a newline; malloc'ed */
};

/* The entry of capability_info with this name, or NULL. */
const struct capability_info *capability_find(const char *name);

/* Only the grammar of triggers. Without a README no feature is assumed to be missing. */
void capability_detect_kernel(struct hist_kernel *kernel, struct hist_target *t);

/* 0, or -errno without a message; then *@caps is zeroed. */
int capability_detect(struct capabilities *caps, struct hist_target *t);
void capability_clear(struct capabilities *caps);

static inline bool capability_is_present(const struct capabilities *caps, enum capability which)
{
	return caps->has[which] == PRESENCE_YES;
}

#endif

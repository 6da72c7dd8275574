/* SPDX-License-Identifier: LGPL-2.1 */
/*
 * capability_info.h - what a kernel can have for histograms: names, configuration, purpose
 *
 * Presets need some of it, and messages name it.  tracecmd/kernel/capability.h detects it.
 */
#ifndef LIB_QUERY_CAPABILITY_INFO_H
#define LIB_QUERY_CAPABILITY_INFO_H

#include <stdbool.h>

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

/* The entry with this name, or NULL. */
const struct capability_info *capability_info_find(const char *name);

#endif

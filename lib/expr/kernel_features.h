/* SPDX-License-Identifier: LGPL-2.1 */
/*
 * kernel_features.h - detect the hist trigger features of a kernel
 *
 * There are three sources: the files in tracefs, the text of its README (readme_msg[] in
 * kernel/trace/trace.c), and the release.  README is also right for kernels with backports.  A
 * feature is present if any source shows it.  A feature that depends on the kernel's configuration
 * is decided by its file alone.  If the detection is wrong, the kernel refuses the trigger and its
 * own reason is shown.
 */
#ifndef LIB_EXPR_KERNEL_FEATURES_H
#define LIB_EXPR_KERNEL_FEATURES_H

#include <stdbool.h>

/*
 * HIST_STACKTRACE_DEPTH: how many frames a stack of a histogram has at most, before and since 7.0
 */
#define HIST_STACK_FRAMES 16
#define HIST_STACK_FRAMES_DEEP 31

struct hist_kernel {
	bool hist;	   /* hist triggers (CONFIG_HIST_TRIGGERS) */
	bool synthetic;	   /* synthetic events (CONFIG_SYNTH_EVENTS) */
	bool variables;	   /* VAR=FIELD, $VAR and handlers (4.17) */
	bool trace_action; /* trace(SYNTH,...) next to SYNTH(...) (5.1) */
	bool onchange;	   /* (5.1) */
	bool snapshot;	   /* the action (5.1); needs CONFIG_TRACER_SNAPSHOT too */
	bool strings;	   /* char name[] in synthetic events, of any length (5.10) */
	bool common_cpu;   /* (5.14); before, the name is "cpu" */
	bool buckets;	   /* .buckets=N (5.14) */
	bool literals;	   /* numbers, * and / in expressions (5.16) */
	bool percent;	   /* .percent and .graph (6.1) */
	/* a char * as a string of a synthetic event (6.1); earlier kernels could crash */
	bool string_pointers;
	bool nohitcount;   /* nohitcount and hitcount.percent (6.2) */
	/*
	 * common_stacktrace (formerly "stacktrace"), stacks in variables and in synthetic events,
	 * FIELD.stacktrace (6.4)
	 */
	bool stacks;
	/*
	 * A stack that is a field can be saved and passed to another event (6.19, and the stable
	 * releases with the fix 90f9f5d64cae); earlier kernels crash
	 */
	bool stack_chains;
	bool filter_cpus;     /* CPUS{} in filters (6.6); not in README */
	bool filter_function; /* FIELD.function in filters (6.3) */
	bool common_comm;     /* the task's name as a string (6.16); not in README */
	bool deep_stacks;     /* HIST_STACK_FRAMES_DEEP (7.0); not in README */
	bool fine_log2;       /* .log2=K: kernels with our patches */
	/* FIELD.function ~ GLOB in filters: the user-space engine, and no kernel */
	bool function_globs;
};

/* The sources of the detection.  Any member may be NULL. */
struct hist_kernel_signs {
	/* The text of tracefs's README; NULL: no feature is known to be missing. */
	const char *readme;
	/* "6.5.0-14-generic"; ignored if it does not begin with two numbers. */
	const char *release;
	/*
	 * Does @file exist in tracefs, such as "synthetic_events"?  1, 0, or -errno if not known.
	 */
	int (*exists)(void *data, const char *file);
	void *data;
};

/* hist_kernel_set_newest - set all features of 7.3 */
void hist_kernel_set_newest(struct hist_kernel *kernel);

/* hist_kernel_set_engine - set all features of the user-space engine */
void hist_kernel_set_engine(struct hist_kernel *kernel);

void hist_kernel_from_signs(struct hist_kernel *kernel, const struct hist_kernel_signs *signs);

/* The release in @uname, "Linux HOST RELEASE MACHINE", and what follows; NULL if there is none. */
const char *hist_kernel_find_release(const char *uname);

/* hist_kernel_stack_frames - how many frames a stack has at most on the kernel of @uname */
unsigned int hist_kernel_stack_frames(const char *uname);

#endif

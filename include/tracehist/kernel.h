/* SPDX-License-Identifier: LGPL-2.1 */
/*
 * kernel.h - what a kernel's hist triggers can do
 *
 * Taken from tracefs's README, which every kernel prints for itself: it is
 * right for kernels with backports, where a version number is not.  The marks
 * are those that the kernel's own selftests look for, and readme_msg[] in
 * kernel/trace/trace.c.  Only for what it does not tell there is the release.
 */
#ifndef TRACEHIST_KERNEL_H
#define TRACEHIST_KERNEL_H

#include <stdbool.h>

struct hist_kernel {
	bool hist;	   /* hist triggers (CONFIG_HIST_TRIGGERS) */
	bool synthetic;	   /* synthetic events (CONFIG_SYNTH_EVENTS) */
	bool variables;	   /* VAR=FIELD, $VAR and handlers (4.17) */
	bool trace_action; /* trace(SYNTH,...) beside SYNTH(...) (5.1) */
	bool onchange;	   /* (5.1) */
	bool snapshot;	   /* the action; needs CONFIG_TRACER_SNAPSHOT too */
	bool strings;	   /* char name[] in synthetic events, of any length (5.11) */
	bool common_cpu;   /* else "cpu" is the name (5.14) */
	bool buckets;	   /* .buckets=N (5.14) */
	bool literals;	   /* numbers, * and / in expressions (5.16) */
	bool percent;	   /* .percent and .graph (6.1) */
	bool nohitcount;   /* and with it hitcount.percent (6.2) */
	/*
	 * common_stacktrace (before: "stacktrace"), stacks in variables and in
	 * synthetic events, FIELD.stacktrace (6.3)
	 */
	bool stacks;
	/*
	 * CPUS{} in filters (6.6).  The README does not tell: taken as had with
	 * @stacks, until the release says that it is 6.3 to 6.5.
	 */
	bool filter_cpus;
	bool filter_function; /* FIELD.function in filters: came with @stacks */
};

/* hist_kernel_newest - all that 6.12 has */
void hist_kernel_newest(struct hist_kernel *kernel);

/* hist_kernel_from_readme - from the text of tracefs's README, NUL-terminated */
void hist_kernel_from_readme(struct hist_kernel *kernel, const char *text);

/*
 * hist_kernel_from_release - what the README does not tell, from "6.5.0-14-generic"
 * Behind hist_kernel_from_readme(): takes away, and adds nothing.  A text that
 * does not begin with two numbers changes nothing.
 */
void hist_kernel_from_release(struct hist_kernel *kernel, const char *release);

#endif

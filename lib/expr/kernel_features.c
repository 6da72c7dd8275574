// SPDX-License-Identifier: LGPL-2.1
/*
 * kernel_features.c - detect the hist trigger features of a kernel
 *
 * One table has a line for each way to detect a feature.  If a feature has several lines, any of
 * them is enough.
 */
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include "lib/expr/kernel_features.h"

/* A file that only kernels from 5.2 have: it implies all older features. */
#define ERROR_LOG "error_log"

/* major << 8 | minor */
#define LINUX(major, minor) ((major) << 8 | (minor))

/* The stable releases that have the fix of stack_chains, by series. */
static const struct {
	unsigned int series, patch;
} chain_fixes[] = { { LINUX(6, 6), 122 }, { LINUX(6, 12), 68 }, { LINUX(6, 18), 8 } };

#define FLAG(name) offsetof(struct hist_kernel, name)

static const struct {
	size_t flag;
	const char *needs;    /* without this file the feature is not configured */
	const char *file;     /* a file that shows the feature */
	const char *word;     /* a word of README that shows the feature */
	unsigned int release; /* the first release with the feature; 0: another sign decides */
} signs[] = {
	{ FLAG(hist), NULL, "events/sched/sched_switch/hist", "hist trigger\t- If set", 0 },
	{ FLAG(hist), NULL, "events/ftrace/print/hist", "[:<handler>.<action>]", 0 },
	{ FLAG(synthetic), "synthetic_events", "synthetic_events", "synthetic_events", 0 },
	{ FLAG(variables), NULL, "synthetic_events", "onmatch(", LINUX(4, 17) },
	{ FLAG(trace_action), NULL, ERROR_LOG, "trace(<synthetic_event>", LINUX(5, 1) },
	{ FLAG(onchange), NULL, ERROR_LOG, "onchange(", LINUX(5, 1) },
	{ FLAG(snapshot), "snapshot", NULL, "snapshot()", LINUX(5, 1) },
	{ FLAG(strings), NULL, NULL, "char name[]", LINUX(5, 10) },
	{ FLAG(common_cpu), NULL, NULL, "common_cpu", LINUX(5, 14) },
	{ FLAG(buckets), NULL, NULL, ".buckets=", LINUX(5, 14) },
	{ FLAG(literals), NULL, NULL, "numeric_literal", LINUX(5, 16) },
	{ FLAG(percent), NULL, NULL, ".percent", LINUX(6, 1) },
	{ FLAG(string_pointers), NULL, NULL, ".percent", LINUX(6, 1) },
	{ FLAG(nohitcount), NULL, NULL, "nohitcount", LINUX(6, 2) },
	{ FLAG(stacks), NULL, NULL, "common_stacktrace", LINUX(6, 4) },
	{ FLAG(filter_function), NULL, NULL, "common_stacktrace", LINUX(6, 3) },
	{ FLAG(filter_cpus), NULL, NULL, NULL, LINUX(6, 6) },
	{ FLAG(common_comm), NULL, NULL, NULL, LINUX(6, 16) },
	{ FLAG(deep_stacks), NULL, NULL, NULL, LINUX(7, 0) },
	{ FLAG(fine_log2), NULL, NULL, ".log2=", 0 },
};

#define N_SIGNS (sizeof(signs) / sizeof(*signs))

static bool *kernel_get_flag(struct hist_kernel *kernel, size_t i)
{
	return (bool *)((char *)kernel + signs[i].flag);
}

void hist_kernel_set_newest(struct hist_kernel *kernel)
{
	size_t i;

	memset(kernel, 0, sizeof(*kernel));
	for (i = 0; i < N_SIGNS; i++)
		*kernel_get_flag(kernel, i) = true;
	kernel->stack_chains = true;
	kernel->fine_log2 = false;
}

void hist_kernel_set_engine(struct hist_kernel *kernel)
{
	hist_kernel_set_newest(kernel);
	kernel->fine_log2 = true;
	kernel->function_globs = true;
	kernel->deep_stacks = false;
}

static unsigned int kernel_parse_release(const char *text)
{
	unsigned int major, minor;

	if (!text || sscanf(text, "%3u.%3u", &major, &minor) != 2)
		return 0;
	return LINUX(major, minor);
}

const char *hist_kernel_find_release(const char *uname)
{
	const char *release = uname ? strchr(uname, ' ') : NULL;

	release = release ? strchr(release + 1, ' ') : NULL;
	return release ? release + 1 : NULL;
}

unsigned int hist_kernel_stack_frames(const char *uname)
{
	return kernel_parse_release(hist_kernel_find_release(uname)) >= LINUX(7, 0) ?
	       HIST_STACK_FRAMES_DEEP : HIST_STACK_FRAMES;
}

/* An unknown release is not trusted: the mistake would crash the kernel. */
static bool kernel_has_stack_chains(const char *release)
{
	unsigned int series = kernel_parse_release(release), patch, i;

	if (series >= LINUX(6, 19))
		return true;
	if (!series || sscanf(release, "%*u.%*u.%7u", &patch) != 1)
		return false;
	for (i = 0; i < sizeof(chain_fixes) / sizeof(*chain_fixes); i++) {
		if (chain_fixes[i].series == series)
			return patch >= chain_fixes[i].patch;
	}
	return false;
}

/* 1, 0, or negative if not known. */
static int has_file(const struct hist_kernel_signs *from, const char *file)
{
	return from->exists ? from->exists(from->data, file) : -1;
}

static bool kernel_has_sign(const struct hist_kernel_signs *from, size_t i)
{
	unsigned int release = kernel_parse_release(from->release), since = signs[i].release;

	if (signs[i].needs && !has_file(from, signs[i].needs))
		return false;
	if (!from->readme)
		return true;
	if (signs[i].word && strstr(from->readme, signs[i].word))
		return true;
	if (since && release >= since)
		return true;
	/*
	 * only an unknown release could show it: guess by README, as the kernel reports a wrong
	 * guess
	 */
	if (since && !release && !signs[i].word && !signs[i].file)
		return strstr(from->readme, "common_stacktrace");
	return signs[i].file && has_file(from, signs[i].file) > 0;
}

void hist_kernel_from_signs(struct hist_kernel *kernel, const struct hist_kernel_signs *from)
{
	size_t i;

	memset(kernel, 0, sizeof(*kernel));
	for (i = 0; i < N_SIGNS; i++) {
		if (!*kernel_get_flag(kernel, i) && kernel_has_sign(from, i))
			*kernel_get_flag(kernel, i) = true;
	}
	kernel->stack_chains = !from->readme || kernel_has_stack_chains(from->release);
	/* all other features depend on this one */
	if (!kernel->hist)
		memset(kernel, 0, sizeof(*kernel));
}

// SPDX-License-Identifier: LGPL-2.1
/*
 * kernel.c - what a kernel's hist triggers can do
 *
 * One table: a flag and the words of README that go with it, any of them where
 * there are two.
 */
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include <tracehist/kernel.h>

static const struct {
	size_t flag;
	const char *mark;
} marks[] = {
	{ offsetof(struct hist_kernel, hist), "hist trigger\t- If set" },
	{ offsetof(struct hist_kernel, synthetic), "events/synthetic_events" },
	{ offsetof(struct hist_kernel, variables), "onmatch(matching.event)" },
	/* From 4.17 to 5.0 the README does not speak of handlers. */
	{ offsetof(struct hist_kernel, variables), "events/synthetic_events" },
	{ offsetof(struct hist_kernel, trace_action), "trace(<synthetic_event>" },
	{ offsetof(struct hist_kernel, onchange), "onchange(var)" },
	{ offsetof(struct hist_kernel, snapshot), "snapshot()" },
	{ offsetof(struct hist_kernel, strings), "char name[]" },
	{ offsetof(struct hist_kernel, common_cpu), "common_cpu" },
	{ offsetof(struct hist_kernel, buckets), ".buckets=" },
	{ offsetof(struct hist_kernel, literals), "numeric_literal" },
	{ offsetof(struct hist_kernel, percent), ".percent" },
	{ offsetof(struct hist_kernel, nohitcount), "nohitcount" },
	{ offsetof(struct hist_kernel, stacks), "common_stacktrace" },
	{ offsetof(struct hist_kernel, filter_cpus), "common_stacktrace" },
	{ offsetof(struct hist_kernel, filter_function), "common_stacktrace" },
};

#define N_MARKS (sizeof(marks) / sizeof(*marks))

static bool *flag_of(struct hist_kernel *kernel, size_t i)
{
	return (bool *)((char *)kernel + marks[i].flag);
}

void hist_kernel_newest(struct hist_kernel *kernel)
{
	size_t i;

	for (i = 0; i < N_MARKS; i++)
		*flag_of(kernel, i) = true;
}

void hist_kernel_from_readme(struct hist_kernel *kernel, const char *text)
{
	size_t i;

	memset(kernel, 0, sizeof(*kernel));
	for (i = 0; i < N_MARKS; i++)
		if (strstr(text, marks[i].mark))
			*flag_of(kernel, i) = true;
}

void hist_kernel_from_release(struct hist_kernel *kernel, const char *release)
{
	unsigned int major, minor;

	if (sscanf(release, "%3u.%5u", &major, &minor) != 2)
		return;
	if (major < 6 || (major == 6 && minor < 6))
		kernel->filter_cpus = false;
}

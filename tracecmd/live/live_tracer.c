// SPDX-License-Identifier: GPL-2.0
/*
 * live_tracer.c - run the tracer of a plan in the instance of a session
 *
 * The filter is set before the tracer, which otherwise traces all functions. The kernel refuses to
 * change the tracer while trace_pipe_raw is open, so the tracer is set before, with tracing_on 0,
 * and stops with tracing_on. The instance is removed with its tracer.
 */
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "tracecmd/base/command.h"
#include "tracecmd/live/live_events.h"
#include "tracecmd/live/live_tracer.h"

bool live_tracer_writes(const struct trigger_set *s, unsigned int e)
{
	return s->plan->tracer && s->sources[e].function_field && !strcmp(s->sources[e].system, "ftrace");
}

/* The kernel adds the functions of each pattern. */
static int set_filter(const struct trigger_set *s)
{
	const char *at = s->plan->functions;
	char path[TARGET_PATH_MAX];
	size_t len;
	int ret;

	snprintf(path, sizeof(path), "%s/set_ftrace_filter", s->instance->dir);
	for (; *at; at += len + (at[len] == ',')) {
		len = strcspn(at, ",");
		ret = s->target->ops->write(s->target, path, at, len, true);
		if (!ret)
			continue;
		message_error("set_ftrace_filter: %.*s: %s", (int)len, at, strerror(-ret));
		return ret;
	}
	return 0;
}

static int set_tracer(const struct trigger_set *s)
{
	int ret = live_events_set(s, "current_tracer", s->plan->tracer);

	if (ret == -EINVAL)
		message_error("--engine user: this kernel cannot run the tracer \"%s\" in an "
			      "instance\n"
			      "use --engine kernel", s->plan->tracer);
	else if (ret)
		message_error_errno("current_tracer", ret);
	return ret;
}

int live_tracer_prepare(const struct trigger_set *s, bool stacks)
{
	int ret;

	if (!s->plan->tracer)
		return 0;
	if (!s->instance->made) {
		message_error("-B %s: the instance exists, and the tracer \"%s\" needs an instance of its own\n"
			      "leave out -B, or use --engine kernel", s->instance->name, s->plan->tracer);
		return -EBUSY;
	}
	ret = live_events_set(s, "tracing_on", "0");
	if (ret)
		return message_error_errno("tracing_on", ret);
	ret = set_filter(s);
	if (!ret)
		ret = set_tracer(s);
	/* the option exists while the tracer runs */
	if (!ret && stacks && !strcmp(s->plan->tracer, "function"))
		live_events_set(s, "options/func_stack_trace", "1");
	return ret;
}

int live_tracer_switch(const struct trigger_set *s, bool on)
{
	int ret = s->plan->tracer ? live_events_set(s, "tracing_on", on ? "1" : "0") : 0;

	return ret ? message_error_errno("tracing_on", ret) : 0;
}

// SPDX-License-Identifier: GPL-2.0
/*
 * live_tracer.c - run the tracer of a plan in the instance of a session
 *
 * The filter is set before the tracer, which otherwise traces all functions. The kernel refuses to
 * change the tracer while trace_pipe_raw is open, so the tracer is set before, with tracing_on 0,
 * and stops with tracing_on. The instance is removed with its tracer.
 *
 * Settings are files that all instances share. The undo log restores them while the tracer still
 * runs. hwlat puts its own threshold into tracing_thresh when it starts, and remembers the
 * threshold at its end for its next start: a threshold of the plan is therefore set after the
 * tracer, and the one of hwlat is restored before the tracer ends.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tracecmd/base/message.h"
#include "tracecmd/kernel/kernel_tracers.h"
#include "tracecmd/live/live_tracer.h"

bool live_tracer_writes(const struct trigger_set *s, unsigned int e)
{
	return s->plan->query.tracer && s->sources[e].of_tracer;
}

/* The kernel adds the functions of each pattern. */
static int set_filter(const struct trigger_set *s)
{
	const char *at = s->plan->query.functions ? s->plan->query.functions : "";
	char path[TARGET_PATH_MAX];
	size_t len;
	int ret;

	snprintf(path, sizeof(path), "%s/set_ftrace_filter", s->instance->tracer_dir);
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

/* Set one file, unless it has the value. 0, or -errno without a message. */
static int set_setting(const struct trigger_set *s, const struct query_setting *setting)
{
	bool is_set;
	int ret = kernel_setting_is(s->target, setting->file, setting->value, &is_set);

	return ret || is_set ? ret : undo_set_value(s->undo, setting->file, setting->value);
}

static int report_setting(const struct trigger_set *s, const struct query_setting *setting, int ret)
{
	if (ret == -EINVAL)
		message_error("--tracer %s: %s: the kernel rejects the value %s\n"
			      "see the limits of the options in trace-cmd-hist-tracers(7)",
			      s->plan->query.tracer, setting->file,
			      setting->value);
	else
		message_error("--tracer %s: %s: %s", s->plan->query.tracer, setting->file,
			      strerror(-ret));
	return ret;
}

/*
 * Set the files for before or after the tracer. One value can be the limit of another, so those
 * that the kernel rejects are set once more after the others.
 */
static int set_settings(const struct trigger_set *s, bool after)
{
	const struct query_setting *settings = s->plan->query.settings;
	unsigned int i, turn;
	int ret;

	for (turn = 0; turn < 2; turn++) {
		for (i = 0; i < s->plan->query.nsettings; i++) {
			ret = settings[i].after == after ? set_setting(s, &settings[i]) : 0;
			if (ret && (ret != -EINVAL || turn))
				return report_setting(s, &settings[i], ret);
		}
	}
	return 0;
}

static int set_tracer(const struct trigger_set *s)
{
	int ret = live_tracer_set(s, "current_tracer", s->plan->query.tracer);

	if (ret == -EBUSY)
		message_error("--tracer %s: another program is using this tracer, or a tracer "
			      "that cannot run at the same time\n"
			      "stop the other program",
			      s->plan->query.tracer);
	else if (ret == -EINVAL)
		message_error("--engine user: this kernel cannot run the \"%s\" tracer in an "
			      "instance\n"
			      "use --engine kernel", s->plan->query.tracer);
	else if (ret)
		message_error_errno("current_tracer", ret);
	return ret;
}

int live_tracer_prepare(const struct trigger_set *s, bool stacks)
{
	int ret;

	if (!s->plan->query.tracer)
		return 0;
	if (!s->instance->made) {
		message_error("-B %s: the \"%s\" tracer needs a new instance, but this instance "
			      "already exists\n"
			      "leave out -B to use a private instance",
			      s->instance->name, s->plan->query.tracer);
		return -EBUSY;
	}
	ret = live_tracer_set(s, "tracing_on", "0");
	if (ret)
		return message_error_errno("tracing_on", ret);
	if (s->plan->query.tracer_at_top)
		ret = live_tracer_set(s, "trace_clock", s->instance->clock);
	if (ret)
		return message_error_errno("trace_clock", ret);
	ret = set_filter(s);
	if (!ret)
		ret = set_settings(s, false);
	if (!ret)
		ret = set_tracer(s);
	if (!ret)
		ret = set_settings(s, true);
	/* the option exists while the tracer runs */
	if (!ret && stacks && !strcmp(s->plan->query.tracer, "function"))
		live_tracer_set(s, "options/func_stack_trace", "1");
	return ret;
}

int live_tracer_switch(const struct trigger_set *s, bool on)
{
	int ret;

	if (!s->plan->query.tracer)
		return 0;
	ret = live_tracer_set(s, "tracing_on", on ? "1" : "0");
	return ret ? message_error_errno("tracing_on", ret) : 0;
}

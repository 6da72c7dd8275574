// SPDX-License-Identifier: GPL-2.0
/*
 * plan_options.c - add the options of the command line to a plan
 */
#include <errno.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lib/base/duration.h"
#include "lib/base/error.h"
#include "lib/preset/preset.h"
#include "lib/query/query_option.h"
#include "tracecmd/base/message.h"
#include "tracecmd/plan/plan_options.h"
#include "tracecmd/plan/probe.h"
#include "tracecmd/target/target_url.h"

/* -e, -k, --latency and others that are also options of a preset */
static int plan_options_take_query(void *to, const struct option_row *row, char *text)
{
	struct plan *plan = to;
	struct hist_error error = { 0 };
	char name[32];
	int ret;

	if (row->letter)
		snprintf(name, sizeof(name), "-%c", row->letter);
	else
		snprintf(name, sizeof(name), "--%s", row->name);
	ret = query_option_apply(&plan->query, name, text, &error);
	return ret == -EINVAL ? message_report(ret, &error) : ret;
}

/* "1,2 3" to "1 2 3", the form of set_event_pid; several -P add up. */
static int add_pids(void *to, const struct option_row *row, char *text)
{
	struct plan *plan = to;
	char *list, *c;

	(void)row;
	if (!*text || text[strspn(text, "0123456789, ")] || !strpbrk(text, "0123456789"))
		return message_refuse(-EINVAL, "-P %s: must be a list of process IDs\n"
				      "use -P PID[,PID...]", text);
	if (asprintf(&list, "%s%s%s", plan->pids ? plan->pids : "", plan->pids ? " " : "", text) <
	    0)
		return -ENOMEM;
	for (c = list; *c; c++) {
		if (*c == ',')
			*c = ' ';
	}
	free(plan->pids);
	plan->pids = list;
	return 0;
}

/* The probe is made first; its event is as if -e had been given. */
static int plan_options_add_probe(struct query *query, enum probe_kind kind, const char *text,
				  struct hist_error *error)
{
	char *definition, *event;
	int ret;

	ret = probe_define(kind, text, &definition, &event, error);
	if (ret)
		return ret == -ENOMEM ? ret : -EINVAL;
	if (!query_own(query, definition)) {
		free(event);
		return -ENOMEM;
	}
	if (!query_own(query, event))
		return -ENOMEM;
	query->has_uprobe |= kind != PROBE_KERNEL;
	ret = query_add_dynevent(query, QUERY_DYNAMIC, definition);
	if (!ret)
		ret = query_add_event(query, event);
	if (ret)
		return ret;
	query->dynevents[query->ndynevents - 1].is_plain = probe_is_plain(kind, text);
	query->events[query->nevents - 1].of_probe = true;
	return 0;
}

static int plan_options_take_probe(void *to, const struct option_row *row, char *text)
{
	struct plan *plan = to;
	struct hist_error error = { 0 };
	int ret = plan_options_add_probe(&plan->query, row->arg, text, &error);

	return ret ? message_report_of(ret, &error, "--%s", row->name) : 0;
}

/* The options of a preset that lib/query does not have: those of probes. */
static int plan_options_take_other(struct query *query, const char *name, const char *value,
				   struct hist_error *error)
{
	const struct option_row *row;
	int ret;

	for (row = plan_option_rows; row->help; row++) {
		if (row->take != plan_options_take_probe || strcmp(row->name, name + 2))
			continue;
		ret = plan_options_add_probe(query, row->arg, value, error);
		return ret == -EINVAL ? hist_error_prefix(error, ret, "%s: ", name) : ret;
	}
	return -ENOENT;
}

static int add_cgroup(void *to, const struct option_row *row, char *text)
{
	struct plan *plan = to;

	if (plan->cgroup || !*text)
		return options_refuse(row, text, plan->cgroup ?
				      "only one cgroup can be selected\n"
				      "select a parent cgroup of both" :
				      "the path of the cgroup is empty");
	plan->cgroup = text;
	return 0;
}

/* row->arg is the offset of a uint64_t for the time, in ns. */
static int plan_take_time(void *to, const struct option_row *row, char *text)
{
	uint64_t *ns = (uint64_t *)((char *)to + row->arg);

	if (!duration_parse(text, ns)) {
		if (row->letter != 'd' || *ns)
			return 0;
		return message_refuse(-EINVAL, "-d %s: the time must be greater than 0\n"
				      "leave out -d to run until Ctrl-C", text);
	}
	return message_refuse(-EINVAL, "-%c %s: must be a time\n"
			      "use seconds, or a number with " DURATION_UNITS, row->letter,
			      text);
}

static int plan_options_add_preset(void *to, const struct option_row *row, char *text)
{
	struct plan *plan = to;
	struct hist_error error = { 0 };
	int ret = preset_add(&plan->query, text, plan_options_take_other, &error);

	(void)row;
	return ret == -ENOMEM ? ret : ret ? message_report(ret, &error) : 0;
}

static int add_target(void *to, const struct option_row *row, char *text)
{
	struct plan *plan = to;
	struct target_url url;
	struct hist_error error = { 0 };
	int ret;

	(void)row;
	if (plan->ntargets == PLAN_TARGETS_MAX)
		return message_refuse(-EINVAL, "--target %s: at most %d targets are supported\n"
				      "record the other targets in another run", text,
				      PLAN_TARGETS_MAX);
	ret = target_url_parse(&url, text, &error);
	target_url_clear(&url);
	if (ret)
		return message_report(ret, &error);
	plan->targets[plan->ntargets++] = text;
	return 0;
}

int plan_take_key(void *to, const struct option_row *row, char *file)
{
	(void)to;
	(void)row;
	/* for this process and its children */
	return setenv(TARGET_KEY_ENV, file, 1) ? message_error_memory() : 0;
}

const struct option_row plan_option_rows[] = {
	OPTION_GROUP("What to count"),
	{ 'e', NULL, "SYS:EVENT", plan_options_take_query, 0,
	  "choose the event for the following -k, -v, -s, -f and -R" },
	{ 'k', NULL, "KEYS", plan_options_take_query, 0,
	  "count by FIELD[.MODIFIER][,...] or stacktrace" },
	{ 'v', NULL, "VALS", plan_options_take_query, 0,
	  "sum up these fields, in addition to hitcount" },
	{ 's', NULL, "SORT", plan_options_take_query, 0,
	  "sort by keys or values, such as hitcount.descending" },
	{ 'f', NULL, "FILTER", plan_options_take_query, 0,
	  "count only events that match, such as 'bytes_req > 100'" },
	{ 'R', NULL, "TRIGGER", plan_options_take_query, 0,
	  "set TRIGGER as is: hist:... or enable_hist:SYS:EVENT" },
	{ 0, "preset", "NAME[:ARG]", plan_options_add_preset, 0,
	  "use a preset; see 'trace-cmd hist list --presets'" },
	{ 0, "latency", "START:KEY..END:KEY[:UNIT]", plan_options_take_query, 0,
	  "measure the time from START to END, matched by KEY" },
	OPTION_RARE,
	{ 0, "coarse", NULL, NULL, offsetof(struct plan, query.coarse),
	  "count with .log2 where a preset, or an option without -k,\n"
	  "counts with .log2=3" },
	{ 0, "function", "GLOB[,GLOB]...", plan_options_take_query, 0,
	  "count calls to kernel functions, such as 'vfs_*'" },
	{ 0, "function-latency", "GLOB[,GLOB]...[:UNIT]", plan_options_take_query, 0,
	  "measure how long functions take, from entry to return" },
	{ 0, "tracer", "TRACER[:OPTION=VALUE]...", plan_options_take_query, 0,
	  "count the entries of timerlat, osnoise, hwlat, function\n"
	  "or function_graph, with options such as period=1ms" },
	{ 0, "sql", "QUERY", plan_options_take_query, 0,
	  "count the events that an SQL query selects, such as\n"
	  "'SELECT next_comm FROM sched_switch'" },
	{ 0, "synthetic", "'NAME TYPE FIELD[; TYPE FIELD]...'", plan_options_take_query, 0,
	  "define a synthetic event for use with trace() in -R or\n"
	  "with -e synthetic:NAME" },
	{ 0, "kprobe", "[NAME=]SYMBOL[+OFFS][%return] [ARG=FETCH]...", plan_options_take_probe,
	  PROBE_KERNEL,
	  "count the hits of a probe in the kernel, such as\n"
	  "'do_sys_openat2 dfd=$arg1'" },
	{ 0, "uprobe", "[NAME=]PATH:SYMBOL[+OFFS][%return] [ARG=FETCH]...", plan_options_take_probe,
	  PROBE_USER, "count the hits of a probe in a program or library" },
	{ 0, "usdt", "[NAME=]PATH:PROVIDER:PROBE [ARG=FETCH]...", plan_options_take_probe,
	  PROBE_STATIC, "count the hits of a USDT probe in a program or library" },
	{ 'P', NULL, "PID[,PID...]", add_pids, 0, "count only events of these tasks" },
	{ 0, "cgroup", "PATH", add_cgroup, 0,
	  "count only events of the tasks in this cgroup (v2)" },
	{ 0, "exclude-self", NULL, NULL, offsetof(struct plan, exclude_self),
	  "do not count events of trace-cmd hist itself" },
	OPTION_GROUP("When"),
	{ 'i', NULL, "INTERVAL", plan_take_time, offsetof(struct plan, interval_ns),
	  "take snapshots every INTERVAL, such as 500ms (default 1s)" },
	{ 'd', NULL, "DURATION", plan_take_time, offsetof(struct plan, duration_ns),
	  "stop after DURATION" },
	OPTION_GROUP("Where"),
	{ 0, "target", "URL", add_target, 0,
	  "count on another machine: ssh://HOST, tcp://HOST:PORT, or\n"
	  "exec:COMMAND, such as socat for a serial line" },
	OPTION_RARE,
	{ 'B', NULL, "INSTANCE", NULL, offsetof(struct plan, instance),
	  "use this tracefs instance (default: a private one)" },
	{ 'C', NULL, "CLOCK", NULL, offsetof(struct plan, clock),
	  "use this trace clock (default: mono; with -B, the current\n"
	  "clock of INSTANCE)" },
	{ 0, "key", "FILE", plan_take_key, 0,
	  "use the secret key in FILE for tcp://; the listener\n"
	  "needs the same file" },
	{ 0, "engine", "auto|kernel|user", options_take_choice, offsetof(struct plan, engine),
	  "count with hist triggers (kernel) or the user-space\n"
	  "engine (user); auto uses hist triggers if available\n"
	  "(default auto)" },
	{ 0, "read", "auto|text|raw", options_take_choice, offsetof(struct plan, read),
	  "read the hist file (text), or hist_raw of patched kernels\n"
	  "(raw); auto uses hist_raw if available (default auto)" },
	{ 0 },
};

int plan_apply_option(void *plan, const struct option_row *row, char *value)
{
	const struct option_row *own;

	for (own = plan_option_rows; own->help; own++) {
		if (row->letter ? own->letter == row->letter :
				  own->name && !strcmp(own->name, row->name))
			return options_apply(own, plan, value);
	}
	return -ENOENT;
}

int plan_check(const struct plan *plan)
{
	bool events_suffice = plan->record_events || plan_has_action(plan, PLAN_CAPTURE);
	struct hist_error error = { 0 };
	int ret = query_option_check(&plan->query, events_suffice, &error);

	if (ret)
		return message_report(ret, &error);
	if (plan->cgroup && (plan->pids || plan->only_command))
		return message_refuse(-EINVAL, "--cgroup %s: cannot be combined with %s\n"
				      "put the tasks into a new cgroup, and select only that "
				      "cgroup", plan->cgroup,
				      plan->pids ? "-P" : "-F");
	if (plan->ntargets && plan->query.has_uprobe)
		return message_refuse(-EINVAL, "--uprobe, --usdt: cannot be combined with "
				      "--target, because the file on the target may differ\n"
				      "run 'trace-cmd hist record' on the target");
	if (plan->instance && (!*plan->instance || strchr(plan->instance, '/') ||
			       plan->instance[0] == '.'))
		return message_refuse(-EINVAL, "-B %s: not a valid instance name\n"
				      "use a name without '/' that does not begin with "
				      "'.'", plan->instance);
	return 0;
}

// SPDX-License-Identifier: GPL-2.0
/*
 * plan_options.c - add the options of the command line to a plan
 *
 * -e begins an event. -R or -k begins a histogram of it. The options -v, -s and -f belong to the
 * histogram of the -k before or after them: parts are collected until a second -k, or a second -v,
 * -s or -f, begins the next histogram.
 */
#include <errno.h>
#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lib/expr/switch_trigger.h"
#include "tracecmd/base/command.h"
#include "tracecmd/base/duration.h"
#include "tracecmd/plan/plan_options.h"
#include "tracecmd/plan/preset.h"
#include "tracecmd/plan/probe.h"
#include "tracecmd/remote/target_url.h"

const char plan_options_help[] =
	"  -e SYS:EVENT      the event that the following histograms are of\n"
	"  -k KEYS           keys of a histogram: FIELD[.MODIFIER][,...], or stacktrace\n"
	"  -v VALS           values to sum up beside hitcount\n"
	"  -s SORT           sort keys, with .descending\n"
	"  -f FILTER         count only events that match, as in 'bytes_req > 100'\n"
	"  -R TRIGGER        a whole hist trigger, written as it is; or enable_hist:SYS:EVENT,\n"
	"                    disable_hist:SYS:EVENT\n"
	"  --latency START:KEY..END:KEY[:UNIT]\n"
	"                    time from one event to another, as in\n"
	"                    sched:sched_waking:pid..sched:sched_switch:next_pid:usecs\n"
	"  --sql QUERY       what a query of libtracefs counts, as in\n"
	"                    'SELECT next_comm FROM sched_switch'\n"
	"  --preset NAME[:ARG]\n"
	"                    a recipe: see 'trace-cmd hist list --presets'\n"
	"  --synthetic 'NAME TYPE FIELD[; TYPE FIELD]...'\n"
	"                    make a synthetic event, for trace() in a -R, and for -e\n"
	"                    synthetic:NAME\n"
	"  --kprobe [NAME=]SYMBOL[+OFFS][%return] [ARG=FETCH]...\n"
	"                    a probe in the kernel, as the event that the following\n"
	"                    histograms are of: --kprobe 'do_sys_openat2 dfd=$arg1'\n"
	"  --uprobe [NAME=]PATH:SYMBOL[+OFFS][%return] [ARG=FETCH]...\n"
	"                    the same in a program or library\n"
	"  -i INTERVAL       time between snapshots (default 1s)\n"
	"  -B INSTANCE       use this tracefs instance (default: one of its own)\n"
	"  -C CLOCK          trace clock (default mono; with -B what it has)\n"
	"  -P PID[,PID...]   count only events of these tasks\n"
	"  --target URL      on another machine: ssh://[USER@]HOST[:PORT], tcp://HOST:PORT, or\n"
	"                    exec:COMMAND whose stdin and stdout lead there\n"
	"  --key FILE        the key for tcp://, the same that the listener there has\n"
	"  --engine auto|kernel|user\n"
	"                    who counts: the kernel, or we, over its events; auto is the\n"
	"                    kernel where it has hist triggers\n"
	"  --read auto|text|raw\n"
	"                    read histograms by hist_raw, where the kernel has it (default\n"
	"                    auto), by their text, or by hist_raw or not at all\n";

/* The member of a histogram that a letter sets. */
static const char **part_of(struct plan_hist *hist, int letter)
{
	switch (letter) {
	case 'k':
		return &hist->keys;
	case 'v':
		return &hist->values;
	case 's':
		return &hist->sort;
	case 'f':
		return &hist->filter;
	}
	return &hist->raw;
}

static int add_part(struct plan *plan, int letter, const char *text)
{
	struct plan_event *event;
	struct plan_hist *hist;

	if (!plan->nevents) {
		complain("-%c: there is no event yet: give -e SYS:EVENT before it", letter);
		return -EINVAL;
	}
	event = &plan->events[plan->nevents - 1];
	hist = event->nhists ? &event->hists[event->nhists - 1] : NULL;
	if (!hist || hist->raw || letter == 'R' || *part_of(hist, letter)) {
		hist = plan_add_hist(plan);
		if (!hist)
			return -ENOMEM;
	}
	*part_of(hist, letter) = text;
	if (letter == 'R')
		hist->is_switch = hist_is_switch(text);
	return 0;
}

/* "1,2 3" to "1 2 3", the form of set_event_pid; several -P add up. */
static int add_pids(struct plan *plan, const char *text)
{
	char *list, *c;

	if (!*text || text[strspn(text, "0123456789, ")] || !strpbrk(text, "0123456789")) {
		complain("-P %s: not a process number, or several with commas between", text);
		return -EINVAL;
	}
	if (asprintf(&list, "%s%s%s", plan->pids ? plan->pids : "", plan->pids ? " " : "", text) < 0)
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
static int add_probe(struct plan *plan, enum probe_kind kind, const char *text)
{
	char *definition, *event, why[512] = "out of memory";
	int ret;

	ret = probe_define(kind, text, &definition, &event, why, sizeof(why));
	if (ret) {
		complain("--%s: %s", kind == PROBE_USER ? "uprobe" : "kprobe", why);
		return ret == -ENOMEM ? ret : -EINVAL;
	}
	if (!plan_own(plan, definition)) {
		free(event);
		return -ENOMEM;
	}
	if (!plan_own(plan, event))
		return -ENOMEM;
	plan->has_uprobe |= kind == PROBE_USER;
	ret = plan_add_object(plan, PLAN_DYNAMIC, definition);
	return ret ? ret : plan_add_event(plan, event);
}

int plan_duration(int letter, const char *text, uint64_t *ns)
{
	if (!duration_parse(text, ns)) {
		if (letter != 'd' || *ns)
			return 0;
		complain("-d %s: the time must be longer than 0: leave out -d to go on until Ctrl-C", text);
		return -EINVAL;
	}
	complain("-%c %s: not a time: give seconds, or a number with ns, us, ms, s, m or h",
		 letter, text);
	return -EINVAL;
}

/* An event of a kind that stands for several until plan_expand(). */
static int add_kind(struct plan *plan, enum plan_event_kind kind, const char *text)
{
	int ret = plan_add_event(plan, text);

	if (!ret)
		plan->events[plan->nevents - 1].kind = kind;
	return ret;
}

static int add_target(struct plan *plan, const char *text)
{
	struct target_url url;
	char why[512];
	int ret;

	if (plan->ntargets == PLAN_TARGETS_MAX) {
		complain("--target %s: more than %d targets: record them in several runs", text,
			 PLAN_TARGETS_MAX);
		return -EINVAL;
	}
	ret = target_url_parse(&url, text, why, sizeof(why));
	target_url_clear(&url);
	if (ret) {
		complain("%s", why);
		return ret;
	}
	plan->targets[plan->ntargets++] = text;
	return 0;
}

/* The number of @text among the three @names, or -1. */
static int choice(const char *const names[3], const char *text)
{
	int i;

	for (i = 0; i < 3; i++) {
		if (!strcmp(names[i], text))
			return i;
	}
	return -1;
}

static int set_read(struct plan *plan, const char *text)
{
	static const char *const names[] = {
		[PLAN_READ_AUTO] = "auto", [PLAN_READ_TEXT] = "text", [PLAN_READ_RAW] = "raw",
	};
	int i = choice(names, text);

	if (i < 0) {
		complain("--read %s: no such way of reading: use auto, text or raw", text);
		return -EINVAL;
	}
	plan->read = i;
	return 0;
}

static int set_engine(struct plan *plan, const char *text)
{
	static const char *const names[] = {
		[PLAN_ENGINE_AUTO] = "auto", [PLAN_ENGINE_KERNEL] = "kernel", [PLAN_ENGINE_USER] = "user",
	};
	int i = choice(names, text);

	if (i < 0) {
		complain("--engine %s: no such engine: use auto, kernel or user", text);
		return -EINVAL;
	}
	plan->engine = i;
	return 0;
}

static int take_option(struct plan *plan, int letter, char *arg)
{
	switch (letter) {
	case PLAN_OPT_LATENCY:
		return add_kind(plan, PLAN_LATENCY, arg);
	case PLAN_OPT_SQL:
		return add_kind(plan, PLAN_SQL, arg);
	case PLAN_OPT_SYNTHETIC:
		return plan_add_object(plan, PLAN_SYNTHETIC, arg);
	case PLAN_OPT_PRESET:
		return preset_add(plan, arg);
	case 'e':
		return plan_add_event(plan, arg);
	case 'R':
	case 'k':
	case 'v':
	case 's':
	case 'f':
		return add_part(plan, letter, arg);
	case PLAN_OPT_KPROBE:
	case PLAN_OPT_UPROBE:
		return add_probe(plan, letter == PLAN_OPT_UPROBE ? PROBE_USER : PROBE_KERNEL, arg);
	case 'i':
		return plan_duration(letter, arg, &plan->interval_ns);
	case 'P':
		return add_pids(plan, arg);
	case 'B':
		plan->instance = arg;
		return 0;
	case 'C':
		plan->clock = arg;
		return 0;
	case PLAN_OPT_TARGET:
		return add_target(plan, arg);
	case PLAN_OPT_KEY:
		return target_use_key(arg);
	case PLAN_OPT_ENGINE:
		return set_engine(plan, arg);
	case PLAN_OPT_READ:
		return set_read(plan, arg);
	}
	return -ENOENT;
}

int plan_option(struct plan *plan, int letter, char *arg)
{
	int ret = take_option(plan, letter, arg);

	/* all else had a message */
	return ret == -ENOMEM ? complain_memory() : ret;
}

int plan_named_option(struct plan *plan, const char *name, char *arg)
{
	static const struct option options[] = { PLAN_LONG_OPTIONS };
	size_t i;

	if (name[1] != '-')
		return name[2] ? -ENOENT : take_option(plan, name[1], arg);
	for (i = 0; i < sizeof(options) / sizeof(*options); i++) {
		if (!strcmp(options[i].name, name + 2))
			return take_option(plan, options[i].val, arg);
	}
	return -ENOENT;
}

int plan_check(const struct plan *plan)
{
	unsigned int e, h, hists = 0;

	for (e = 0; e < plan->nevents; e++) {
		const struct plan_event *event = &plan->events[e];

		for (h = 0; h < event->nhists; h++) {
			if (event->hists[h].is_switch && event->kind != PLAN_EVENT) {
				complain("-R %s: not a switch of an event: put -e SYS:EVENT before",
					 event->hists[h].raw);
				return -EINVAL;
			}
			if (event->hists[h].raw || event->hists[h].keys ||
			    event->kind != PLAN_EVENT)
				continue;
			complain("-e %s: a histogram without keys: give -k KEYS", event->name);
			return -EINVAL;
		}
		if (event->kind != PLAN_EVENT) {
			hists++; /* theirs come by themselves */
			continue;
		}
		if (!event->nhists && !plan->record_events) {
			complain("-e %s: no histogram: give -k KEYS, or -R 'hist:keys=...'",
				 event->name);
			return -EINVAL;
		}
		for (h = 0; h < event->nhists; h++)
			hists += !event->hists[h].is_switch;
	}
	if (!hists) {
		complain("nothing to record: give -e SYS:EVENT and -k KEYS");
		return -EINVAL;
	}
	if (plan->ntargets && plan->has_uprobe) {
		complain("--uprobe: looks its symbol up in the file here, which may be another on the "
			 "target: record it there");
		return -EINVAL;
	}
	if (plan->instance && (!*plan->instance || strchr(plan->instance, '/') ||
			       plan->instance[0] == '.')) {
		complain("-B %s: not a name for an instance", plan->instance);
		return -EINVAL;
	}
	return 0;
}


int plan_getopt_error(const char *verb, int c, char **argv, int index)
{
	complain("%s: %s: see 'trace-cmd hist %s --help'", argv[index - 1],
		 c == ':' ? "needs a value" : "no such option", verb);
	return -EINVAL;
}

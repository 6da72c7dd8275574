// SPDX-License-Identifier: GPL-2.0
/*
 * top_options.c - the command line of `trace-cmd hist top`
 */
#include <errno.h>
#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lib/base/duration.h"
#include "tracecmd/base/message.h"
#include "tracecmd/base/timer.h"
#include "tracecmd/plan/plan_options.h"
#include "tracecmd/top/top_options.h"

static int top_options_parse_count(void *to, const struct option_row *row, char *text)
{
	struct top_options *o = to;

	(void)row;
	if (!duration_parse_count(&o->count, text, UINT64_MAX) && o->count)
		return 0;
	return message_refuse(-EINVAL, "-n %s: must be a number of refreshes, 1 or more", text);
}

static const struct option_row rows[] = {
	OPTION_GROUP("What to count"),
	{ 0, "attach", "[INSTANCE/]SYS:EVENT", options_take_word,
	  offsetof(struct top_options, attach),
	  "watch the existing histograms of this event" },
	OPTION_RARE,
	{ 'c', NULL, NULL, NULL, offsetof(struct top_options, plan.with_children),
	  "with -P, include threads and child processes" },
	OPTION_GROUP("When"),
	OPTION_RARE,
	{ 'n', NULL, "COUNT", top_options_parse_count, 0, "stop after COUNT refreshes" },
	OPTION_GROUP("Output"),
	{ 0, "view", "table|bars|heatmap", options_take_choice, offsetof(struct top_options, view),
	  "choose the initial view (default table)" },
	{ 'b', "batch", NULL, NULL, offsetof(struct top_options, batch),
	  "print plain text (default if not on a terminal)" },
	OPTION_RARE,
	{ 0, "sort", "COLUMN", NULL, offsetof(struct top_options, sort),
	  "sort by this column, such as hitcount/s.descending" },
	{ 0, "raw-names", NULL, NULL, offsetof(struct top_options, raw_names),
	  "show numbers and addresses instead of names" },
	OPTION_GROUP("Other"),
	OPTION_HELP,
	{ 0 },
};

static const struct options_spec spec = {
	.verb = "top",
	.usage =
	"usage: trace-cmd hist top -e SYS:EVENT -k KEYS [OPTIONS]\n"
	"       trace-cmd hist top --attach [INSTANCE/]SYS:EVENT... [OPTIONS]\n"
	"\n"
	"Start hist triggers, and show their histograms live.  Press h for help.\n",
	.rows = plan_option_rows,
	.more_rows = rows,
	.indent = 2,
	.column = 23,
	.more =
	"\n"
	"Examples:\n"
	"  trace-cmd hist top -e sched:sched_switch -k next_comm -i 500ms\n"
	"  trace-cmd hist top --preset wakeup-latency --view heatmap\n"
	"  trace-cmd hist top --attach sched:sched_switch\n",
	.stop = true,
};

static int top_options_check_conflicts(const struct top_options *o)
{
	const struct plan *plan = &o->plan;

	if (!plan->interval_ns)
		return message_refuse(-EINVAL, "-i 0: the interval must be greater than 0");
	if (!o->attach.n && plan->with_children && !plan->pids)
		return message_refuse(-EINVAL, "-c: needs -P\nadd -P PID");
	if (!o->attach.n)
		return plan_check(plan);
	if (plan->query.nevents || plan->query.ndynevents)
		return message_refuse(-EINVAL,
				      "--attach %s: cannot be combined with options that "
				      "start histograms\nremove -e and its options",
				      o->attach.words[0]);
	if (plan->cgroup || plan->exclude_self)
		return message_refuse(-EINVAL, "--attach %s: cannot be combined with --%s",
				      o->attach.words[0], plan->cgroup ? "cgroup" : "exclude-self");
	if (plan->instance || plan->clock || plan->pids || plan->with_children)
		return message_refuse(-EINVAL, plan->instance ? "--attach %s: cannot be combined "
				      "with %s\nuse --attach INSTANCE/SYS:EVENT" :
				      "--attach %s: cannot be combined with %s", o->attach.words[0],
				      plan->instance ? "-B" : plan->clock ? "-C" :
				      plan->pids ? "-P" : "-c");
	return 0;
}

int top_options_parse(struct top_options *o, int argc, char **argv)
{
	int ret;

	memset(o, 0, sizeof(*o));
	o->plan.interval_ns = NSEC_PER_SEC;
	ret = options_parse(&spec, o, argc, argv);
	if (ret)
		return ret;
	if (optind < argc)
		return message_refuse(-EINVAL, "%s: top does not run a command\n"
				      "run the command in another terminal", argv[optind]);
	if (o->plan.ntargets > 1)
		return message_refuse(-EINVAL, "--target %s: top can show only one target\n"
				      "run another top for this target", o->plan.targets[1]);
	return top_options_check_conflicts(o);
}

void top_options_clear(struct top_options *o)
{
	plan_clear(&o->plan);
	free(o->attach.words);
	memset(o, 0, sizeof(*o));
}

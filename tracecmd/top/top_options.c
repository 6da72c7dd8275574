// SPDX-License-Identifier: GPL-2.0
/*
 * top_options.c - the command line of `trace-cmd hist top`
 */
#include <errno.h>
#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lib/base/array.h"
#include "tracecmd/base/command.h"
#include "tracecmd/base/timer.h"
#include "tracecmd/plan/plan_options.h"
#include "tracecmd/top/top_options.h"
#include "tracecmd/top/top_view.h"

static const char usage[] =
	"usage: trace-cmd hist top -e SYS:EVENT {-R 'hist:...' | -k KEYS [-v VALS] [-s SORT]\n"
	"                          [-f FILTER]}... [OPTIONS]\n"
	"       trace-cmd hist top --attach [INSTANCE/]SYS:EVENT... [OPTIONS]\n"
	"\n"
	"Start hist triggers and watch their histograms live: rates and totals, as a\n"
	"table, bars, or a heat map over time.  At the end the triggers are removed.\n"
	"\n";

static const char more[] =
	"  -d DURATION       stop after this time\n"
	"  -n COUNT          stop after this many refreshes\n"
	"  -b, --batch       print each refresh as text; so it is when stdout is no terminal\n"
	"  --attach [INSTANCE/]SYS:EVENT\n"
	"                    watch the histograms that this event has already\n"
	"  --view table|bars|heatmap\n"
	"                    what to show first\n"
	"  --sort COLUMN     sort by a column, as its head says: next_comm, hitcount/s;\n"
	"                    with .ascending or .descending behind it\n"
	"  -h, --help        this text\n"
	"\n"
	"The -i interval is the time between refreshes.  Times are seconds, or have a\n"
	"unit: ns, us, ms, s, m, h.  Keys: h shows them, q quits.\n"
	"\n"
	"Example: which tasks are switched to, twice a second\n"
	"  trace-cmd hist top -e sched:sched_switch -k next_comm -i 500ms\n";

enum { OPT_ATTACH = 256, OPT_VIEW, OPT_SORT };

static const struct option options[] = {
	PLAN_LONG_OPTIONS,
	{ "batch", no_argument, NULL, 'b' },
	{ "attach", required_argument, NULL, OPT_ATTACH },
	{ "view", required_argument, NULL, OPT_VIEW },
	{ "sort", required_argument, NULL, OPT_SORT },
	{ "help", no_argument, NULL, 'h' },
	{ 0 },
};

static int take_count(struct top_options *o, const char *text)
{
	char *end;

	errno = 0;
	o->count = strtoull(text, &end, 10);
	if (*text >= '0' && *text <= '9' && !*end && !errno && o->count)
		return 0;
	complain("-n %s: not a number of refreshes", text);
	return -EINVAL;
}

static int take_attach(struct top_options *o, const char *what)
{
	if (array_add(&o->attach, o->nattach, sizeof(*o->attach)))
		return complain_memory();
	o->attach[o->nattach++] = what;
	return 0;
}

static int take_view(struct top_options *o, const char *name)
{
	unsigned int i;

	for (i = 0; i < TOP_VIEWS; i++) {
		if (!strcmp(top_view_ops(i)->name, name)) {
			o->view = i;
			return 0;
		}
	}
	complain("--view %s: no such view: use table, bars or heatmap", name);
	return -EINVAL;
}

static int take_option(struct top_options *o, int letter, char *arg)
{
	switch (letter) {
	case 'd':
		return plan_duration(letter, arg, &o->plan.duration_ns);
	case 'n':
		return take_count(o, arg);
	case 'b':
		o->batch = true;
		return 0;
	case OPT_ATTACH:
		return take_attach(o, arg);
	case OPT_VIEW:
		return take_view(o, arg);
	case OPT_SORT:
		o->sort = arg;
		return 0;
	}
	return plan_option(&o->plan, letter, arg);
}

static int check(const struct top_options *o)
{
	const struct plan *plan = &o->plan;

	if (!plan->interval_ns) {
		complain("-i 0: there is no refresh without an interval: give a time above 0");
		return -EINVAL;
	}
	if (!o->nattach)
		return plan_check(plan);
	if (plan->nevents || plan->nobjects) {
		complain("--attach %s: only watches: leave out what starts histograms, as -e",
			 o->attach[0]);
		return -EINVAL;
	}
	if (plan->instance || plan->clock || plan->pids) {
		complain("--attach %s: only watches: leave out %s", o->attach[0],
			 plan->instance ? "-B, and write --attach INSTANCE/SYS:EVENT" :
			 plan->clock ? "-C" : "-P");
		return -EINVAL;
	}
	return 0;
}

int top_options_parse(struct top_options *o, int argc, char **argv)
{
	int c, ret;

	memset(o, 0, sizeof(*o));
	o->plan.interval_ns = NSEC_PER_SEC;
	opterr = 0;
	optind = 0;
	while ((c = getopt_long(argc, argv, "+:" PLAN_SHORT_OPTIONS "d:n:bh", options, NULL)) != -1) {
		if (c == 'h') {
			fputs(usage, stdout);
			fputs(plan_options_help, stdout);
			fputs(more, stdout);
			return 1;
		}
		if (c == ':' || c == '?')
			return plan_getopt_error("top", c, argv, optind);
		ret = take_option(o, c, optarg);
		if (ret)
			return ret;
	}
	if (optind < argc) {
		complain("top: %s: takes no command: start it in another terminal", argv[optind]);
		return -EINVAL;
	}
	if (o->plan.ntargets > 1) {
		complain("--target %s: top shows one machine: start another for it",
			 o->plan.targets[1]);
		return -EINVAL;
	}
	return check(o);
}

void top_options_clear(struct top_options *o)
{
	plan_clear(&o->plan);
	free(o->attach);
	memset(o, 0, sizeof(*o));
}

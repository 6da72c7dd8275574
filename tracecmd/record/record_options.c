// SPDX-License-Identifier: GPL-2.0
/*
 * record_options.c - the command line of `trace-cmd hist record`
 */
#include <errno.h>
#include <getopt.h>
#include <stdio.h>
#include <string.h>

#include "tracecmd/base/command.h"
#include "tracecmd/base/timer.h"
#include "tracecmd/plan/plan_options.h"
#include "tracecmd/record/record_options.h"
#include "tracecmd/remote/address.h"

static const char usage[] =
	"usage: trace-cmd hist record -e SYS:EVENT {-R 'hist:...' | -k KEYS [-v VALS] [-s SORT]\n"
	"                             [-f FILTER]}... [OPTIONS] [--] [COMMAND...]\n"
	"\n"
	"Start hist triggers, take a snapshot of them every interval, write them to a\n"
	"trace.dat, and remove them.  Ends with COMMAND, after -d, or at Ctrl-C.\n"
	"\n";

static const char more[] =
	"  -d DURATION       stop after this time\n"
	"  -o FILE           output (default trace.dat; with -N none)\n"
	"  -N HOST:PORT      send it to a 'trace-cmd listen' while it is recorded\n"
	"  --events          record the events as well, with stock trace-cmd\n"
	"  --dry-run         check, print the triggers, and write nothing\n"
	"  -q, --quiet       no progress line, no summary\n"
	"  -h, --help        this text\n"
	"\n"
	"Times are seconds, or have a unit: ns, us, ms, s, m, h.  -i 0 takes only one\n"
	"snapshot at the start and one at the end.\n"
	"\n"
	"Example: who switches to whom, once a second, while make runs\n"
	"  trace-cmd hist record -e sched:sched_switch -k prev_comm,next_comm \\\n"
	"                        -s hitcount.descending make\n";

enum { OPT_EVENTS = 256, OPT_DRY_RUN };

static const struct option options[] = {
	PLAN_LONG_OPTIONS,
	{ "events", no_argument, NULL, OPT_EVENTS },
	{ "dry-run", no_argument, NULL, OPT_DRY_RUN },
	{ "quiet", no_argument, NULL, 'q' },
	{ "help", no_argument, NULL, 'h' },
	{ 0 },
};

static int set_push(struct plan *plan, const char *text)
{
	struct address address;
	char why[128];
	int ret;

	if (plan->push) {
		complain("-N: given twice: a recording is sent to one listener");
		return -EINVAL;
	}
	ret = address_parse(&address, text, why, sizeof(why));
	if (ret) {
		complain("-N %s: %s", text, why);
		return ret;
	}
	address_clear(&address);
	plan->push = text;
	return 0;
}

static int take_option(struct plan *plan, int letter, char *arg)
{
	switch (letter) {
	case 'd':
		return plan_duration(letter, arg, &plan->duration_ns);
	case 'o':
		plan->output = arg;
		return 0;
	case 'N':
		return set_push(plan, arg);
	case 'q':
		plan->quiet = true;
		return 0;
	case OPT_EVENTS:
		plan->record_events = true;
		return 0;
	case OPT_DRY_RUN:
		plan->dry_run = true;
		return 0;
	}
	return plan_option(plan, letter, arg);
}

static int check_targets(const struct plan *plan)
{
	if (plan->ntargets && plan->record_events) {
		complain("--events: stock trace-cmd records the events, and only of this machine: "
			 "leave it out with --target");
		return -EINVAL;
	}
	if (plan->ntargets > 1 && plan->command) {
		complain("%s: a command runs here, once, and each --target has a recorder of its own: "
			 "give -d, or end with Ctrl-C", plan->command[0]);
		return -EINVAL;
	}
	if (plan->ntargets > 1 && plan->push) {
		complain("-N: a listener gets one recording: give one --target, or -o");
		return -EINVAL;
	}
	return plan_check(plan);
}

int record_options(struct plan *plan, int argc, char **argv)
{
	int c, ret;

	memset(plan, 0, sizeof(*plan));
	plan->interval_ns = NSEC_PER_SEC;
	opterr = 0;
	optind = 0;
	while ((c = getopt_long(argc, argv, "+:" PLAN_SHORT_OPTIONS "d:o:N:qh", options, NULL)) != -1) {
		if (c == 'h') {
			fputs(usage, stdout);
			fputs(plan_options_help, stdout);
			fputs(more, stdout);
			return 1;
		}
		if (c == ':' || c == '?')
			return plan_getopt_error("record", c, argv, optind);
		ret = take_option(plan, c, optarg);
		if (ret)
			return ret;
	}
	if (optind < argc)
		plan->command = argv + optind;
	if (!plan->output && !plan->push)
		plan->output = "trace.dat";
	if (plan->output && !*plan->output) {
		complain("-o: an empty file name");
		return -EINVAL;
	}
	if (plan->record_events && !plan->output) {
		complain("--events: the listener gets histograms only: give -o FILE beside -N");
		return -EINVAL;
	}
	return check_targets(plan);
}

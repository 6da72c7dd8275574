// SPDX-License-Identifier: GPL-2.0
/*
 * record_options.c - the command line of `trace-cmd hist record`
 */
#include <errno.h>
#include <getopt.h>
#include <string.h>

#include "tracecmd/base/command.h"
#include "tracecmd/base/timer.h"
#include "tracecmd/plan/plan_options.h"
#include "tracecmd/record/record_options.h"
#include "tracecmd/remote/address.h"

static int record_options_set_listener(void *to, const struct option_row *row, char *text)
{
	struct plan *plan = to;
	struct address address;
	char why[128];
	int ret;

	(void)row;
	if (plan->push) {
		message_error("-N: given twice: a recording is sent to one listener");
		return -EINVAL;
	}
	ret = address_parse(&address, text, why, sizeof(why));
	if (ret) {
		message_error("-N %s: %s", text, why);
		return ret;
	}
	address_clear(&address);
	plan->push = text;
	return 0;
}

static const struct option_row rows[] = {
	{ 'd', NULL, "DURATION", plan_take_time, offsetof(struct plan, duration_ns),
	  "stop after this time" },
	{ 'o', NULL, "FILE", NULL, offsetof(struct plan, output),
	  "output (default trace.dat; with -N none)" },
	{ 'N', NULL, "HOST:PORT", record_options_set_listener, 0,
	  "send it to a 'trace-cmd listen' while it is recorded" },
	{ 0, "events", NULL, NULL, offsetof(struct plan, record_events),
	  "record the events as well, with stock trace-cmd" },
	{ 0, "dry-run", NULL, NULL, offsetof(struct plan, dry_run),
	  "check, print the triggers, and write nothing" },
	{ 'q', "quiet", NULL, NULL, offsetof(struct plan, quiet), "no progress line, no summary" },
	OPTION_HELP,
	{ 0 },
};

static const struct options_spec spec = {
	.verb = "record",
	.usage =
	"usage: trace-cmd hist record -e SYS:EVENT {-R 'hist:...' | -k KEYS [-v VALS] [-s SORT]\n"
	"                             [-f FILTER]}... [OPTIONS] [--] [COMMAND...]\n"
	"\n"
	"Start hist triggers, take a snapshot of them every interval, write them to a\n"
	"trace.dat, and remove them.  Ends with COMMAND, after -d, or at Ctrl-C.\n"
	"\n",
	.rows = plan_option_rows,
	.more_rows = rows,
	.indent = 2,
	.more =
	"\n"
	"Times are seconds, or have a unit: ns, us, ms, s, m, h.  -i 0 takes only one\n"
	"snapshot at the start and one at the end.\n"
	"\n"
	"Example: who switches to whom, once a second, while make runs\n"
	"  trace-cmd hist record -e sched:sched_switch -k prev_comm,next_comm \\\n"
	"                        -s hitcount.descending make\n",
	.stop = true,
};

static int check_targets(const struct plan *plan)
{
	if (plan->ntargets && plan->record_events) {
		message_error("--events: stock trace-cmd records the events, and only of this machine: "
			       "leave it out with --target");
		return -EINVAL;
	}
	if (plan->ntargets > 1 && plan->command) {
		message_error("%s: a command runs here, once, and each --target has a recorder of its own: "
			       "give -d, or end with Ctrl-C", plan->command[0]);
		return -EINVAL;
	}
	if (plan->ntargets > 1 && plan->push) {
		message_error("-N: a listener gets one recording: give one --target, or -o");
		return -EINVAL;
	}
	return plan_check(plan);
}

int record_options_parse(struct plan *plan, int argc, char **argv)
{
	int ret;

	memset(plan, 0, sizeof(*plan));
	plan->interval_ns = NSEC_PER_SEC;
	ret = options_parse(&spec, plan, argc, argv);
	if (ret)
		return ret;
	if (optind < argc)
		plan->command = argv + optind;
	if (!plan->output && !plan->push)
		plan->output = "trace.dat";
	if (plan->output && !*plan->output) {
		message_error("-o: an empty file name");
		return -EINVAL;
	}
	if (plan->record_events && !plan->output) {
		message_error("--events: the listener gets histograms only: give -o FILE beside -N");
		return -EINVAL;
	}
	return check_targets(plan);
}

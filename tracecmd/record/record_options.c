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
	if (plan->push)
		return message_refuse(-EINVAL, "-N %s: a recording can be sent to only one "
				      "listener\ngive -N only once", text);
	ret = address_parse(&address, text, why, sizeof(why));
	if (ret)
		return message_refuse(ret, "-N %s: %s", text, why);
	address_clear(&address);
	plan->push = text;
	return 0;
}

static const struct option_row rows[] = {
	OPTION_GROUP("What to count"),
	{ 'F', NULL, NULL, NULL, offsetof(struct plan, only_command),
	  "count only events of COMMAND; with -c, also its children" },
	OPTION_GROUP("Output"),
	{ 'o', NULL, "FILE", NULL, offsetof(struct plan, output),
	  "write to FILE (default trace.dat; with -N none)" },
	{ 0, "events", NULL, NULL, offsetof(struct plan, record_events),
	  "record the events too, with stock trace-cmd" },
	OPTION_RARE,
	{ 'N', NULL, "HOST:PORT", record_options_set_listener, 0,
	  "send the recording to a 'trace-cmd listen' meanwhile" },
	OPTION_GROUP("Other"),
	{ 'q', "quiet", NULL, NULL, offsetof(struct plan, quiet),
	  "print no progress line and no summary" },
	OPTION_HELP,
	OPTION_RARE,
	{ 0, "dry-run", NULL, NULL, offsetof(struct plan, dry_run),
	  "check everything, print the triggers, and change nothing" },
	{ 0 },
};

static const struct options_spec spec = {
	.verb = "record",
	.usage =
	"usage: trace-cmd hist record -e SYS:EVENT -k KEYS [OPTIONS] [--] [COMMAND...]\n"
	"       trace-cmd hist record --preset NAME[:ARG] [OPTIONS] [--] [COMMAND...]\n"
	"\n"
	"Count events of all tasks with hist triggers, and write snapshots to a trace.dat\n"
	"file. Stop when COMMAND ends, after -d DURATION, or at Ctrl-C.\n",
	.rows = plan_option_rows,
	.more_rows = rows,
	.indent = 2,
	.column = 23,
	.more =
	"\n"
	"Examples:\n"
	"  trace-cmd hist record -e sched:sched_switch -k prev_comm,next_comm make\n"
	"  trace-cmd hist record -e kmem:kmalloc -k call_site.sym -v bytes_req -d 10\n"
	"  trace-cmd hist record --preset wakeup-latency -i 500ms -o wakeup.dat\n",
	.stop = true,
};

static int check_command(const struct plan *plan)
{
	if (!plan->only_command)
		return 0;
	if (plan->ntargets)
		return message_refuse(-EINVAL, "-F: not possible with --target, as the command runs "
				      "on the host\nuse -P with process IDs of the target");
	if (!plan->command)
		return message_refuse(-EINVAL, "-F: needs a command\n"
				      "give the command after all options, or use -P PID");
	return 0;
}

static int check_targets(const struct plan *plan)
{
	if (plan->ntargets && plan->record_events)
		return message_refuse(-EINVAL, "--events: not possible with --target, as stock "
				      "trace-cmd records this machine\n"
				      "leave out --events, or run 'trace-cmd record' on the "
				      "target");
	if (plan->ntargets > 1 && plan->command)
		return message_refuse(-EINVAL, "%s: a command is not possible with several "
				      "targets\ngive -d DURATION, or end the recording with Ctrl-C",
				      plan->command[0]);
	if (plan->ntargets > 1 && plan->push)
		return message_refuse(-EINVAL, "-N %s: not possible with several targets\n"
				      "give one --target, or write files with -o", plan->push);
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
	if (plan->output && !*plan->output)
		return message_refuse(-EINVAL, "-o: the file name is empty");
	if (plan->record_events && !plan->output)
		return message_refuse(-EINVAL, "--events: -N does not send events\n"
				      "give -o FILE too");
	ret = check_command(plan);
	return ret ? ret : check_targets(plan);
}

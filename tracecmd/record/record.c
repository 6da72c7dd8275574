// SPDX-License-Identifier: GPL-2.0
/*
 * record.c - `trace-cmd hist record`, of one target or of several targets at once
 *
 * Each of several targets has its own file and its own recorder process, so a slow or lost target
 * does not delay the others. This process only forwards signals and waits.
 */
#include <errno.h>
#include <getopt.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "lib/base/duration.h"
#include "lib/base/file_place.h"
#include "tracecmd/base/command.h"
#include "tracecmd/base/message.h"
#include "tracecmd/base/signals.h"
#include "tracecmd/base/timer.h"
#include "tracecmd/plan/plan.h"
#include "tracecmd/plan/plan_options.h"
#include "tracecmd/plan/plan_threshold.h"
#include "tracecmd/record/record.h"
#include "tracecmd/target/address.h"
#include "tracecmd/target/target_url.h"

static int record_options_set_listener(void *to, const struct option_row *row, char *text)
{
	struct plan *plan = to;
	struct address address;
	struct hist_error error = { 0 };
	int ret;

	(void)row;
	if (plan->push)
		return message_refuse(-EINVAL,
				      "-N %s: a recording can be sent to only one "
				      "listener\nuse -N only once",
				      text);
	ret = address_parse(&address, text, &error);
	if (ret)
		return message_report_of(ret, &error, "-N %s", text);
	address_clear(&address);
	plan->push = text;
	return 0;
}

/* Only this machine can connect, unless an address is given. */
static int record_options_set_metrics_listen(void *to, const struct option_row *row, char *text)
{
	struct plan *plan = to;
	struct address address;
	struct hist_error error = { 0 };
	const char *host = text[strspn(text, "0123456789")] ? "" : "127.0.0.1:";
	char *whole;
	int ret;

	(void)row;
	if (asprintf(&whole, "%s%s", host, text) < 0)
		return message_error_memory();
	free(plan->metrics_listen);
	plan->metrics_listen = whole;
	ret = address_parse(&address, whole, &error);
	if (ret)
		return message_report_of(ret, &error, "--metrics-listen %s", text);
	address_clear(&address);
	return 0;
}

/* A time of -d, or a size with K, M or G. */
static int record_options_set_rotate(void *to, const struct option_row *row, char *text)
{
	static const char units[] = "KMG";
	struct plan *plan = to;
	size_t digits = strspn(text, "0123456789");
	const char *unit = text[digits] ? strchr(units, text[digits]) : NULL;
	char number[24];
	uint64_t n = 0;

	plan->rotate_ns = plan->rotate_bytes = 0;
	if (duration_lacks_unit(text))
		return options_refuse(row, text,
				      "a time or a size needs a unit\n"
				      "use a time such as 10m (" DURATION_UNITS "), or a size such "
				      "as 10M (K, M, G)");
	if (!unit || text[digits + 1]) {
		if (duration_parse(text, &plan->rotate_ns) || !plan->rotate_ns)
			return options_refuse(row, text,
					      "must be a time such as 10m (" DURATION_UNITS
					      "), or a size such as 10M (K, M, G)");
		return 0;
	}
	snprintf(number, sizeof(number), "%.*s", (int)digits, text);
	if (digits >= sizeof(number) || duration_parse_count(&n, number, UINT64_MAX >> 34) || !n)
		return options_refuse(row, text,
				      "must be a size of at least 1K, such as 10M or 1G");
	plan->rotate_bytes = n << 10 * (unit - units + 1);
	return 0;
}

static int record_options_set_keep(void *to, const struct option_row *row, char *text)
{
	struct plan *plan = to;

	if (duration_parse_count(&plan->keep, text, UINT32_MAX) || !plan->keep)
		return options_refuse(row, text, "must be a number of files, at least 1");
	return 0;
}

static const struct option_row rows[] = {
	OPTION_GROUP("What to count"),
	{ 'F', NULL, NULL, NULL, offsetof(struct plan, only_command),
	  "count only events of COMMAND; with -c, also its children" },
	OPTION_RARE,
	{ 'c', NULL, NULL, NULL, offsetof(struct plan, with_children),
	  "with -P or -F, include threads and child processes" },
	OPTION_GROUP("When"),
	{ 0, "threshold", "TIME|FILTER", plan_threshold_set, 0,
	  "save events around the worst latencies, or FILTER matches" },
	OPTION_RARE,
	{ 0, "on-threshold", "ACTION", plan_threshold_add_action, 0,
	  "choose what to do when a latency reaches the threshold:\n"
	  "capture (default), stop, continue, 'signal,num=N,pid=PID'\n"
	  "or 'shell,command=COMMAND'; may be given more than once" },
	{ 0, "worst", "N", plan_threshold_set_episodes, 0,
	  "save events only for the N worst occurrences of each\n"
	  "measured latency (default 5)" },
	{ 'b', NULL, "KIB", plan_threshold_set_buffer, 0,
	  "set the size of the ring buffer for --threshold, in KiB\n"
	  "per CPU (default 1024)" },
	{ 0, "stacks", NULL, NULL, offsetof(struct plan, stacks),
	  "also record the kernel stack of each task switch and\n"
	  "wake-up (with --threshold or --events)" },
	OPTION_GROUP("Output"),
	{ 'o', NULL, "FILE", NULL, offsetof(struct plan, output),
	  "write to FILE (default trace.dat; with -N, no file)" },
	OPTION_RARE,
	{ 0, "events", NULL, NULL, offsetof(struct plan, record_events),
	  "also record the events themselves, into the same file" },
	{ 0, "rotate", "TIME|SIZE", record_options_set_rotate, 0,
	  "\nbegin a new file after TIME or SIZE, such as 10m or 10M" },
	{ 0, "keep", "N", record_options_set_keep, 0,
	  "keep only the last N files of --rotate (default: all)" },
	{ 'N', NULL, "HOST:PORT", record_options_set_listener, 0,
	  "send the snapshots to 'trace-cmd listen' while recording" },
	{ 0, "metrics-listen", "[ADDRESS:]PORT", record_options_set_metrics_listen, 0,
	  "\nserve the counters to Prometheus at /metrics" },
	{ 0, "metrics-fine", NULL, NULL, offsetof(struct plan, metrics_fine),
	  "there, keep the buckets of .log2=K" },
	OPTION_GROUP("Other"),
	OPTION_HELP,
	OPTION_RARE,
	{ 'q', "quiet", NULL, NULL, offsetof(struct plan, quiet),
	  "print only errors and warnings" },
	{ 0, "dry-run", NULL, NULL, offsetof(struct plan, dry_run),
	  "check the options and print the triggers; change nothing" },
	{ 0 },
};

static const struct options_spec spec = {
	.verb = "record",
	.usage = "usage: trace-cmd hist record -e SYS:EVENT -k KEYS [OPTIONS] [--] [COMMAND...]\n"
		 "       trace-cmd hist record --preset NAME[:ARG] [OPTIONS] [--] [COMMAND...]\n"
		 "\n"
		 "Count events of all tasks, not only of COMMAND (see -F), and write snapshots to\n"
		 "a trace.dat file. Stop when COMMAND ends, after -d DURATION, or on Ctrl-C.\n",
	.rows = plan_option_rows,
	.more_rows = rows,
	.indent = 2,
	.column = 23,
	.more = "\n"
		"Examples:\n"
		"  trace-cmd hist record -e kmem:kmalloc -k call_site.sym -v bytes_req -d 10\n"
		"  trace-cmd hist record --preset syscall-latency -F -c -- make\n"
		"  trace-cmd hist record --preset wakeup-latency --threshold 10ms -d 60\n",
	.stop = true,
};

static int check_command(const struct plan *plan)
{
	if (plan->with_children && !plan->pids && !plan->only_command)
		return message_refuse(-EINVAL, "-c: needs -P or -F\n"
					       "add -P PID, or -F and a command");
	if (!plan->only_command)
		return 0;
	if (plan->ntargets)
		return message_refuse(-EINVAL, "-F: cannot be combined with --target, because the "
					       "command runs on the host\n"
					       "use -P with process IDs of the target");
	if (!plan->command)
		return message_refuse(-EINVAL, "-F: needs a command\n"
					       "put the command after all options, or use -P PID");
	return 0;
}

static int check_targets(const struct plan *plan)
{
	if (plan->ntargets > 1 && plan->command)
		return message_refuse(-EINVAL,
				      "%s: a command cannot be combined with several "
				      "targets\nuse -d DURATION, or end the recording with Ctrl-C",
				      plan->command[0]);
	if (plan->ntargets > 1 && plan->push)
		return message_refuse(-EINVAL,
				      "-N %s: cannot be combined with several targets\n"
				      "use one --target, or write files with -o",
				      plan->push);
	return 0;
}

static int check_metrics(const struct plan *plan)
{
	const char *port = plan->metrics_listen ? strrchr(plan->metrics_listen, ':') + 1 : NULL;

	if (port && !plan->interval_ns)
		return message_refuse(-EINVAL,
				      "--metrics-listen: cannot be combined with -i 0, because the "
				      "counters change with each snapshot\n"
				      "set an INTERVAL with -i");
	if (plan->metrics_fine && !port)
		return message_refuse(-EINVAL, "--metrics-fine: needs --metrics-listen\n"
					       "add --metrics-listen PORT");
	if (port && plan->ntargets > 1 && atoi(port) + plan->ntargets - 1 > UINT16_MAX)
		return message_refuse(-EINVAL, "--metrics-listen %s: each target needs a port from "
					       "this one on\nuse a smaller PORT",
				      plan->metrics_listen);
	return 0;
}

static int check_rotation(const struct plan *plan)
{
	bool rotates = plan->rotate_ns || plan->rotate_bytes;

	if (plan->keep && !rotates)
		return message_refuse(-EINVAL, "--keep: needs --rotate\n"
					       "add --rotate TIME or --rotate SIZE");
	if (!rotates)
		return 0;
	if (!plan->output)
		return message_refuse(-EINVAL, "--rotate: needs -o, because -N sends only one "
					       "file\nadd -o FILE");
	if (plan->record_events)
		return message_refuse(-EINVAL,
				      "--rotate: cannot be combined with --events, "
				      "because 'trace-cmd record' writes all events to one file\n"
				      "leave out --events");
	if (!plan->interval_ns)
		return message_refuse(-EINVAL, "--rotate: cannot be combined with -i 0\n"
					       "set an INTERVAL with -i");
	if (plan->rotate_ns && plan->rotate_ns < plan->interval_ns)
		return message_refuse(-EINVAL, "--rotate: TIME is shorter than the interval\n"
					       "use a longer TIME, or a shorter INTERVAL with -i");
	return 0;
}

/*
 * record_options_parse - parse the command line into a plan
 * @argv: argv[0] is "record". Strings of the plan point into @argv.
 * 0; 1 if help was printed; -EINVAL after a message on stderr; -ENOMEM.
 * Call plan_clear() in any case.
 */
static int record_options_parse(struct plan *plan, int argc, char **argv)
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
		return message_refuse(-EINVAL, "--events: -N cannot send events\n"
					       "add -o FILE");
	ret = check_command(plan);
	if (!ret)
		ret = check_rotation(plan);
	if (!ret)
		ret = check_targets(plan);
	if (!ret)
		ret = check_metrics(plan);
	if (!ret)
		ret = plan_threshold_check(plan);
	return ret ? ret : plan_check(plan);
}

/* The name of a target in a form that is valid in a file name. */
static char *name_of(const char *text)
{
	struct target_url url;
	char *name = NULL, *c;

	if (!target_url_parse(&url, text, NULL)) {
		name = url.label;
		url.label = NULL;
		for (c = name; c && *c; c++) {
			if (*c == ':' || *c == '/' || *c == '%')
				*c = '_';
		}
	}
	target_url_clear(&url);
	return name;
}

char *record_make_name(const struct plan *plan, unsigned int i)
{
	char *name = name_of(plan->targets[i]), *other, *output = NULL, number[16] = "";
	const char *dot = file_place_suffix(plan->output);
	unsigned int j, same = 0, before = 0;

	for (j = 0; name && j < plan->ntargets; j++) {
		other = name_of(plan->targets[j]);
		if (other && !strcmp(other, name)) {
			same++;
			before += j < i;
		}
		free(other);
	}
	if (same > 1)
		snprintf(number, sizeof(number), "-%u", before + 1);
	if (name && asprintf(&output, "%.*s.%s%s%s", (int)(dot - plan->output), plan->output, name,
			     number, dot) < 0)
		output = NULL;
	free(name);
	return output;
}

/* The recorder of target @i listens at the port that is @i higher.  False without memory. */
static bool record_set_metrics_port(struct plan *plan, unsigned int i)
{
	char *own = NULL;
	int len;

	if (!plan->metrics_listen)
		return true;
	len = (int)(strrchr(plan->metrics_listen, ':') - plan->metrics_listen);
	if (asprintf(&own, "%.*s:%u", len, plan->metrics_listen,
		     (unsigned int)atoi(plan->metrics_listen + len + 1) + i) < 0) {
		message_error_memory();
		return false;
	}
	free(plan->metrics_listen);
	plan->metrics_listen = own;
	return true;
}

/* Run the plan for one target, in the child process. */
static int record_one(struct plan *plan, unsigned int i, const char *output)
{
	plan->targets[0] = plan->targets[i];
	plan->ntargets = 1;
	plan->output = output;
	/* progress lines of several recorders would overwrite each other */
	plan->quiet = true;
	if (!record_set_metrics_port(plan, i))
		return EXIT_TROUBLE;
	return record_run(plan);
}

static void record_report_result(const struct plan *plan, unsigned int i, const char *output,
				 int status)
{
	if (status == EXIT_DONE && !plan->quiet && !plan->dry_run)
		message_print_to(stderr, "%s: recorded from %s", output, plan->targets[i]);
	else if (status != EXIT_DONE)
		message_error("--target %s: the recording failed\nsee the messages above",
			      plan->targets[i]);
}

static int wait_all(const struct plan *plan, pid_t *pids, char **outputs, int signals)
{
	struct pollfd fd = { .fd = signals, .events = POLLIN };
	unsigned int i, left = 0;
	int sig, status, worst = EXIT_DONE;
	bool forward = false;

	for (i = 0; i < plan->ntargets; i++)
		left += pids[i] > 0;
	while (left) {
		poll(&fd, 1, -1);
		sig = signals_ending(signals, &forward);
		for (i = 0; i < plan->ntargets; i++) {
			if (pids[i] <= 0)
				continue;
			/* the children receive a signal of the terminal themselves */
			if (sig && forward)
				kill(pids[i], sig);
			if (waitpid(pids[i], &status, WNOHANG) != pids[i])
				continue;
			status = WIFEXITED(status) ? WEXITSTATUS(status) : EXIT_TROUBLE;
			record_report_result(plan, i, outputs[i], status);
			worst = status > worst ? status : worst;
			pids[i] = 0;
			left--;
		}
	}
	return worst;
}

/*
 * Record all targets. Snapshots have the wall-clock time of their target next to its trace clock,
 * so a common time axis is as exact as the wall clocks agree. Returns the highest exit status.
 */
static int record_many(struct plan *plan)
{
	pid_t pids[PLAN_TARGETS_MAX] = { 0 };
	char *outputs[PLAN_TARGETS_MAX] = { NULL };
	sigset_t before;
	unsigned int i;
	int signals, status = EXIT_DONE, rest;

	sigprocmask(SIG_SETMASK, NULL, &before);
	signals = signals_catch();
	if (signals < 0) {
		message_error_errno("signals", signals);
		return EXIT_TROUBLE;
	}
	for (i = 0; i < plan->ntargets; i++) {
		outputs[i] = record_make_name(plan, i);
		fflush(NULL);
		pids[i] = outputs[i] ? fork() : -1;
		if (!pids[i]) {
			signals_close(signals);
			sigprocmask(SIG_SETMASK, &before, NULL);
			exit(record_one(plan, i, outputs[i]));
		}
		if (pids[i] < 0) {
			message_error("--target %s: %s", plan->targets[i], strerror(errno));
			status = EXIT_TROUBLE;
			break;
		}
	}
	if (status) {
		while (i--)
			kill(pids[i], SIGTERM);
	}
	rest = wait_all(plan, pids, outputs, signals);
	signals_close(signals);
	for (i = 0; i < plan->ntargets; i++)
		free(outputs[i]);
	return rest > status ? rest : status;
}

static int record_run_verb(int argc, char **argv)
{
	struct plan plan;
	int ret = record_options_parse(&plan, argc, argv);

	if (!ret)
		ret = plan.ntargets > 1 ? record_many(&plan) : record_run(&plan);
	else
		ret = ret > 0 ? EXIT_DONE : EXIT_TROUBLE;
	plan_clear(&plan);
	return ret;
}

const struct command record_command = {
	.title = "Record",
	.name = "record",
	.help = "record histograms of kernel events into a trace.dat file",
	.run = record_run_verb,
};

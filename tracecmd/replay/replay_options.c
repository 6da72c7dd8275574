// SPDX-License-Identifier: GPL-2.0
/*
 * replay_options.c - the command line of `trace-cmd hist replay`
 */
#include <errno.h>
#include <getopt.h>
#include <stdlib.h>
#include <string.h>

#include "lib/base/duration.h"
#include "lib/ringbuf/events.h"
#include "tracecmd/base/message.h"
#include "tracecmd/plan/plan_options.h"
#include "tracecmd/replay/replay_options.h"

static int set_threads(void *to, const struct option_row *row, char *text)
{
	uint64_t n;

	(void)row;
	if (duration_parse_count(&n, text, 1024) || !n)
		return message_refuse(-EINVAL, "--threads %s: must be a number from 1 to 1024",
				      text);
	((struct replay_options *)to)->threads = n;
	return 0;
}

static int set_output(void *to, const struct option_row *row, char *path)
{
	(void)row;
	if (!*path)
		return message_refuse(-EINVAL, "-o: the file name is empty");
	((struct replay_options *)to)->plan.output = path;
	return 0;
}

static const struct option_row rows[] = {
	OPTION_GROUP("What to count"),
	{ 'e', NULL, "SYS:EVENT", plan_apply_option, 0,
	  "choose the event for the following -k, -v, -s, -f and -R" },
	{ 'k', NULL, "KEYS", plan_apply_option, 0,
	  "set the keys: FIELD[.MODIFIER][,...], or stacktrace" },
	{ 'v', NULL, "VALS", plan_apply_option, 0, "sum up these fields, in addition to hitcount" },
	{ 's', NULL, "SORT", plan_apply_option, 0,
	  "sort by keys or values, such as hitcount.descending" },
	{ 'f', NULL, "FILTER", plan_apply_option, 0,
	  "count only events that match, such as 'bytes_req > 100'" },
	{ 'P', NULL, "PID[,PID...]", plan_apply_option, 0, "count only events of these tasks" },
	{ 0, "latency", "START:KEY..END:KEY[:UNIT]", plan_apply_option, 0,
	  "measure the time from START to END, matched by KEY" },
	{ 0, "preset", "NAME[:ARG]", plan_apply_option, 0,
	  "use a preset; see 'trace-cmd hist list --presets'" },
	OPTION_RARE,
	{ 0, "function", "GLOB[,GLOB]...", plan_apply_option, 0,
	  "count recorded calls to kernel functions, such as 'vfs_*'" },
	{ 0, "function-latency", "GLOB[,GLOB]...[:UNIT]", plan_apply_option, 0,
	  "measure how long functions took, from recorded\n"
	  "function_graph events" },
	{ 0, "tracer", "TRACER", plan_apply_option, 0,
	  "count the recorded entries of timerlat, osnoise, hwlat,\n"
	  "function:GLOB or function_graph:GLOB" },
	{ 'R', NULL, "TRIGGER", plan_apply_option, 0, "use TRIGGER as is: hist:..." },
	{ 0, "sql", "QUERY", plan_apply_option, 0,
	  "count the events that an SQL query selects, such as\n"
	  "'SELECT next_comm FROM sched_switch'" },
	{ 0, "synthetic", "'NAME TYPE FIELD[; TYPE FIELD]...'", plan_apply_option, 0,
	  "define a synthetic event for use with trace() in -R or\n"
	  "with -e synthetic:NAME" },
	OPTION_GROUP("When"),
	{ 'i', NULL, "INTERVAL", plan_apply_option, 0,
	  "take a snapshot every INTERVAL (default: one at the end)" },
	OPTION_GROUP("Where"),
	{ 'B', NULL, "BUFFER", NULL, offsetof(struct replay_options, buffer),
	  "use this ring buffer (default: the one that has events)" },
	OPTION_RARE,
	{ 0, "threads", "N", set_threads, 0, "use N threads (default: one per CPU)" },
	OPTION_GROUP("Output"),
	{ 'o', NULL, "FILE", set_output, 0,
	  "write the histograms to a trace.dat file for report and diff" },
	{ 'q', "quiet", NULL, NULL, offsetof(struct replay_options, plan.quiet),
	  "print only errors, and warnings about full tables" },
	OPTION_RARE,
	{ 0, "dry-run", NULL, NULL, offsetof(struct replay_options, plan.dry_run),
	  "check the options and print the triggers; count nothing" },
	OPTION_GROUP("Other"),
	OPTION_HELP,
	{ 0 },
};

static const struct options_spec spec = {
	.verb = "replay",
	.usage =
	"usage: trace-cmd hist replay -e SYS:EVENT\n"
	"           {-R 'hist:...' | -k KEYS [-v VALS] [-s SORT] [-f FILTER]}...\n"
	"           [OPTIONS] TRACE.DAT\n"
	"\n"
	"Count the recorded events of a trace.dat file as hist triggers would.\n"
	"Without -o, print the histograms as 'trace-cmd hist report' does.\n",
	.rows = rows,
	.indent = 2,
	.more =
	"\n"
	"Times are seconds, or have a unit: ns, us, ms, s, m, h.\n"
	"\n"
	"Examples:\n"
	"  trace-cmd hist replay -e sched:sched_switch -k next_comm trace.dat\n"
	"  trace-cmd hist replay -e kmem:kmalloc -k call_site.sym -v bytes_req trace.dat\n"
	"  trace-cmd hist replay --preset wakeup-latency -i 1s -o hist.dat trace.dat\n",
};

/* The name that @host has for the machine of @guest, or NULL. */
static const char *name_of_guest(const struct hist_events *host, const struct hist_events *guest)
{
	uint64_t id = hist_events_machine(guest)->trace_id;
	const struct hist_events_guest *g;
	unsigned int i;

	for (i = 0; id && (g = hist_events_guest(host, i)); i++) {
		if (g->trace_id == id)
			return g->name;
	}
	return NULL;
}

static bool told_guest(const char *host_path, const struct hist_events *host, const char *path,
		       const struct hist_events *guest)
{
	const char *name = name_of_guest(host, guest);

	if (!name)
		return false;
	return message_refuse(true, "%s: recorded in the guest \"%s\" of the machine that recorded "
				    "%s, but replay counts the events of only one kernel\n"
				    "replay each file with -o FILE, then run 'trace-cmd hist "
				    "report FILE FILE'", path, name, host_path);
}

/*
 * Print why two files are not counted together: event numbers, fields and symbols belong to one
 * kernel, and therefore also the keys of a histogram. The message names a host and its guest.
 */
static void refuse_files(const char *first, const char *second)
{
	struct hist_events *a = NULL, *b = NULL;
	bool told = false;

	if (!hist_events_open(&a, first, NULL) && !hist_events_open(&b, second, NULL))
		told = told_guest(first, a, second, b) || told_guest(second, b, first, a);
	if (!told && a && b)
		message_error(
			"%s: replay accepts only one file, because files of different kernels "
			"cannot share a histogram\nreplay each file with -o FILE, then run "
			"'trace-cmd hist "
			"report FILE FILE'",
			second);
	else if (!told)
		message_error("%s: replay accepts only one file, but %s was also given", second,
			      first);
	hist_events_free(a);
	hist_events_free(b);
}

static int replay_options_check_files(struct replay_options *o, int argc, char **argv, int at)
{
	unsigned int i;

	if (at == argc)
		return message_refuse(-EINVAL, "no input file is given\n"
				      "add a trace.dat file with events");
	if (argc - at > 1) {
		refuse_files(argv[at], argv[at + 1]);
		return -EINVAL;
	}
	o->file = argv[at];
	for (i = 0; i < o->plan.query.ndynevents; i++) {
		if (o->plan.query.dynevents[i].kind == QUERY_SYNTHETIC)
			continue;
		return message_refuse(-EOPNOTSUPP, "%s: replay cannot add the probe of this preset "
				      "to a recording\n"
				      "use -e if the event was recorded",
				      o->plan.query.dynevents[i].definition);
	}
	return plan_check(&o->plan);
}

int replay_options_parse(struct replay_options *o, int argc, char **argv)
{
	int ret;

	memset(o, 0, sizeof(*o));
	ret = options_parse(&spec, o, argc, argv);
	if (ret)
		return ret;
	return replay_options_check_files(o, argc, argv, optind);
}

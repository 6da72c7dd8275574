// SPDX-License-Identifier: GPL-2.0
/*
 * replay_options.c - the command line of `trace-cmd hist replay`
 */
#include <errno.h>
#include <getopt.h>
#include <stdlib.h>
#include <string.h>

#include "lib/ringbuf/events.h"
#include "tracecmd/base/command.h"
#include "tracecmd/base/duration.h"
#include "tracecmd/plan/plan_options.h"
#include "tracecmd/replay/replay_options.h"

static int set_threads(void *to, const struct option_row *row, char *text)
{
	uint64_t n;

	(void)row;
	if (duration_parse_count(&n, text, 1024) || !n) {
		message_error("--threads %s: not a number of threads, 1 to 1024", text);
		return -EINVAL;
	}
	((struct replay_options *)to)->threads = n;
	return 0;
}

static int set_output(void *to, const struct option_row *row, char *path)
{
	(void)row;
	if (!*path) {
		message_error("-o: an empty file name");
		return -EINVAL;
	}
	((struct replay_options *)to)->plan.output = path;
	return 0;
}

static const struct option_row rows[] = {
	{ 'e', NULL, "SYS:EVENT", plan_apply_option, 0,
	  "the event that the following histograms are of; ftrace's own\n"
	  "too, as ftrace:function" },
	{ 'k', NULL, "KEYS", plan_apply_option, 0,
	  "keys of a histogram: FIELD[.MODIFIER][,...], or stacktrace" },
	{ 'v', NULL, "VALS", plan_apply_option, 0, "values to sum up beside hitcount" },
	{ 's', NULL, "SORT", plan_apply_option, 0, "sort keys, with .descending" },
	{ 'f', NULL, "FILTER", plan_apply_option, 0,
	  "count only events that match, as in 'bytes_req > 100'" },
	{ 'R', NULL, "TRIGGER", plan_apply_option, 0, "a whole hist trigger, written as it is" },
	{ 0, "latency", "START:KEY..END:KEY[:UNIT]", plan_apply_option, 0,
	  "time from one event to another" },
	{ 0, "sql", "QUERY", plan_apply_option, 0, "what a query of libtracefs counts" },
	{ 0, "preset", "NAME[:ARG]", plan_apply_option, 0,
	  "a recipe: see 'trace-cmd hist list --presets'" },
	{ 0, "synthetic", "'NAME TYPE FIELD[; TYPE FIELD]...'", plan_apply_option, 0,
	  "a synthetic event, for trace() in a -R, and for -e synthetic:NAME" },
	{ 'i', NULL, "INTERVAL", plan_apply_option, 0,
	  "a snapshot for each such time of the recording (default: one at\n"
	  "its end)" },
	{ 'B', NULL, "BUFFER", NULL, offsetof(struct replay_options, buffer),
	  "the events of this buffer of the file, \"\" for the top one\n"
	  "(default: the one that has events)" },
	{ 'P', NULL, "PID[,PID...]", plan_apply_option, 0, "count only events of these tasks" },
	{ 'o', NULL, "FILE", set_output, 0,
	  "write a trace.dat with the histograms, for report and diff" },
	{ 0, "threads", "N", set_threads, 0,
	  "count in so many threads (default: one for each CPU)" },
	{ 0, "dry-run", NULL, NULL, offsetof(struct replay_options, plan.dry_run),
	  "check, print the triggers, and count nothing" },
	{ 'q', "quiet", NULL, NULL, offsetof(struct replay_options, plan.quiet),
	  "no progress line, no summary" },
	OPTION_HELP,
	{ 0 },
};

static const struct options_spec spec = {
	.verb = "replay",
	.usage =
	"usage: trace-cmd hist replay -e SYS:EVENT {-R 'hist:...' | -k KEYS [-v VALS] [-s SORT]\n"
	"                             [-f FILTER]}... [OPTIONS] TRACE.DAT\n"
	"\n"
	"Count the recorded events of a trace.dat, as hist triggers would have counted them\n"
	"in the kernel.  Without -o the histograms are printed, as by 'trace-cmd hist report'.\n"
	"\n",
	.rows = rows,
	.indent = 2,
	.more =
	"\n"
	"Times are seconds, or have a unit: ns, us, ms, s, m, h.\n"
	"\n"
	"Example: who allocates how much, of what was recorded yesterday\n"
	"  trace-cmd record -e kmem:kmalloc sleep 10\n"
	"  trace-cmd hist replay -e kmem:kmalloc -k call_site.sym -v bytes_req trace.dat\n",
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
	message_error("%s: recorded in \"%s\", a guest of %s: a histogram is of one kernel's events: replay "
		       "each file with -o FILE, and show both, in the times of the host, with trace-cmd hist "
		       "report FILE FILE", path, name, host_path);
	return true;
}

/*
 * Print why two files are not counted together: event numbers, fields and symbols belong to one
 * kernel, and therefore also the keys of a histogram. The message names a host and its guest.
 */
static void refuse_files(const char *first, const char *second)
{
	struct hist_events *a = NULL, *b = NULL;
	char why[256];
	bool told = false;

	if (!hist_events_open(&a, first, why, sizeof(why)) &&
	    !hist_events_open(&b, second, why, sizeof(why)))
		told = told_guest(first, a, second, b) || told_guest(second, b, first, a);
	if (!told && a && b)
		message_error("%s: replay counts one file: a histogram is of one kernel's events: replay each "
			       "file with -o FILE, and show both with trace-cmd hist report FILE FILE", second);
	else if (!told)
		message_error("%s: replay counts one file: what does this mean behind %s?", second,
			       first);
	hist_events_free(a);
	hist_events_free(b);
}

static int replay_options_check_files(struct replay_options *o, int argc, char **argv, int at)
{
	unsigned int i;

	if (at == argc) {
		message_error("replay: no file to count the events of: give a TRACE.DAT");
		return -EINVAL;
	}
	if (argc - at > 1) {
		refuse_files(argv[at], argv[at + 1]);
		return -EINVAL;
	}
	o->file = argv[at];
	for (i = 0; i < o->plan.ndynevents; i++) {
		if (o->plan.dynevents[i].kind == PLAN_SYNTHETIC)
			continue;
		message_error("%s: a preset with a probe: a recording has only what was recorded: give its "
			       "event with -e, if it has one", o->plan.dynevents[i].definition);
		return -EOPNOTSUPP;
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

// SPDX-License-Identifier: GPL-2.0
/*
 * replay_options.c - the command line of `trace-cmd hist replay`
 */
#include <errno.h>
#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tracecmd/base/command.h"
#include "tracecmd/plan/plan_options.h"
#include "tracecmd/replay/replay_files.h"
#include "tracecmd/replay/replay_options.h"

static const char usage[] =
	"usage: trace-cmd hist replay -e SYS:EVENT {-R 'hist:...' | -k KEYS [-v VALS] [-s SORT]\n"
	"                             [-f FILTER]}... [OPTIONS] TRACE.DAT\n"
	"\n"
	"Count the recorded events of a trace.dat, as hist triggers would have counted them\n"
	"in the kernel.  Without -o the histograms are printed, as by 'trace-cmd hist report'.\n"
	"\n";

static const char help[] =
	"  -e SYS:EVENT      the event that the following histograms are of; ftrace's own\n"
	"                    too, as ftrace:function\n"
	"  -k KEYS           keys of a histogram: FIELD[.MODIFIER][,...], or stacktrace\n"
	"  -v VALS           values to sum up beside hitcount\n"
	"  -s SORT           sort keys, with .descending\n"
	"  -f FILTER         count only events that match, as in 'bytes_req > 100'\n"
	"  -R TRIGGER        a whole hist trigger, written as it is\n"
	"  --latency START:KEY..END:KEY[:UNIT]\n"
	"                    time from one event to another\n"
	"  --sql QUERY       what a query of libtracefs counts\n"
	"  --preset NAME[:ARG]\n"
	"                    a recipe: see 'trace-cmd hist list --presets'\n"
	"  --synthetic 'NAME TYPE FIELD[; TYPE FIELD]...'\n"
	"                    a synthetic event, for trace() in a -R, and for -e synthetic:NAME\n"
	"  -i INTERVAL       a snapshot for each such time of the recording (default: one at\n"
	"                    its end)\n"
	"  -B BUFFER         the events of this buffer of the file, \"\" for the top one\n"
	"                    (default: the one that has events)\n"
	"  -P PID[,PID...]   count only events of these tasks\n"
	"  -o FILE           write a trace.dat with the histograms, for report and diff\n"
	"  --threads N       count in so many threads (default: one for each CPU)\n"
	"  --dry-run         check, print the triggers, and count nothing\n"
	"  -q, --quiet       no progress line, no summary\n"
	"  -h, --help        this text\n"
	"\n"
	"Times are seconds, or have a unit: ns, us, ms, s, m, h.\n"
	"\n"
	"Example: who allocates how much, of what was recorded yesterday\n"
	"  trace-cmd record -e kmem:kmalloc sleep 10\n"
	"  trace-cmd hist replay -e kmem:kmalloc -k call_site.sym -v bytes_req trace.dat\n";

enum { OPT_THREADS = 256, OPT_DRY_RUN };

static const struct option options[] = {
	{ "latency", required_argument, NULL, PLAN_OPT_LATENCY },
	{ "sql", required_argument, NULL, PLAN_OPT_SQL },
	{ "preset", required_argument, NULL, PLAN_OPT_PRESET },
	{ "synthetic", required_argument, NULL, PLAN_OPT_SYNTHETIC },
	{ "threads", required_argument, NULL, OPT_THREADS },
	{ "dry-run", no_argument, NULL, OPT_DRY_RUN },
	{ "quiet", no_argument, NULL, 'q' },
	{ "help", no_argument, NULL, 'h' },
	{ 0 },
};

static int set_threads(struct replay_options *o, const char *text)
{
	char *end;
	unsigned long n = strtoul(text, &end, 10);

	if (*text < '0' || *text > '9' || *end || !n || n > 1024) {
		complain("--threads %s: not a number of threads, 1 to 1024", text);
		return -EINVAL;
	}
	o->threads = n;
	return 0;
}

static int take_option(struct replay_options *o, int letter, char *arg)
{
	switch (letter) {
	case 'B':
		o->buffer = arg;
		return 0;
	case 'o':
		if (!*arg) {
			complain("-o: an empty file name");
			return -EINVAL;
		}
		o->plan.output = arg;
		return 0;
	case 'q':
		o->plan.quiet = true;
		return 0;
	case OPT_THREADS:
		return set_threads(o, arg);
	case OPT_DRY_RUN:
		o->plan.dry_run = true;
		return 0;
	}
	return plan_option(&o->plan, letter, arg);
}

static int check(struct replay_options *o, int argc, char **argv, int at)
{
	unsigned int i;

	if (at == argc) {
		complain("replay: no file to count the events of: give a TRACE.DAT");
		return -EINVAL;
	}
	if (argc - at > 1) {
		replay_refuse_files(argv[at], argv[at + 1]);
		return -EINVAL;
	}
	o->file = argv[at];
	for (i = 0; i < o->plan.nobjects; i++) {
		if (o->plan.objects[i].kind == PLAN_SYNTHETIC)
			continue;
		complain("%s: a preset with a probe: a recording has only what was recorded: give its "
			 "event with -e, if it has one", o->plan.objects[i].definition);
		return -EOPNOTSUPP;
	}
	return plan_check(&o->plan);
}

int replay_options(struct replay_options *o, int argc, char **argv)
{
	int c, ret;

	memset(o, 0, sizeof(*o));
	opterr = 0;
	optind = 0;
	while ((c = getopt_long(argc, argv, ":e:R:k:v:s:f:i:B:P:o:qh", options, NULL)) != -1) {
		if (c == 'h') {
			fputs(usage, stdout);
			fputs(help, stdout);
			return 1;
		}
		if (c == ':' || c == '?')
			return plan_getopt_error("replay", c, argv, optind);
		ret = take_option(o, c, optarg);
		if (ret)
			return ret;
	}
	return check(o, argc, argv, optind);
}

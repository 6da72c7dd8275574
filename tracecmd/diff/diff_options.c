// SPDX-License-Identifier: GPL-2.0
/*
 * diff_options.c - the command line of `trace-cmd hist diff`
 */
#include <errno.h>
#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lib/check/check.h"
#include "tracecmd/base/command.h"
#include "tracecmd/base/duration.h"
#include "tracecmd/diff/diff_options.h"

#define THRESHOLD_DEFAULT 0.05
#define CONFIDENCE_DEFAULT 0.95
#define MIN_HITS_DEFAULT 100
#define MAX_DROPPED_DEFAULT 0.001
#define MIN_DECIDED_DEFAULT 0.5
#define TOP_DEFAULT 50

/* Ends with a NULL name; the first is the default. */
static const struct diff_format diff_formats[] = {
	{ "text", NULL },
	{ "json", hist_diff_write_json },
	{ "markdown", hist_diff_write_markdown },
	{ "junit", hist_diff_write_junit },
	{ "ktap", hist_diff_write_ktap },
	{ NULL, NULL },
};

static const char usage[] =
	"usage: trace-cmd hist diff [OPTIONS] BASE NEW\n"
	"       trace-cmd hist diff [OPTIONS] BASE... -- NEW...\n"
	"\n"
	"Compare the histograms of recordings: did something get worse?  Several files on a\n"
	"side are several runs of the same.  Exit status 1: yes; 0: no; 2: trouble; 3: they\n"
	"cannot be compared; 4: too little could be decided.\n"
	"\n"
	"  -e EVENT              only histograms of this event: SYS:EVENT, EVENT, or\n"
	"                        SYS:EVENT#N; may be repeated\n"
	"  --threshold PERCENT   a smaller change is none (default 5)\n"
	"  --confidence PERCENT  how sure a finding has to be (default 95)\n"
	"  --worse higher|lower|both|none\n"
	"                        which change is a regression (default higher)\n"
	"  --percentiles LIST    percentiles of axes to compare (default 50,90,99)\n"
	"  --max VALUE[UNIT]     budget: no number of new is above VALUE (ns, us, ms, s)\n"
	"  --exceed VALUE[UNIT]:PERCENT\n"
	"                        budget: at most PERCENT of the numbers of new are above\n"
	"                        VALUE; may be repeated\n"
	"  --thresholds FILE     thresholds and budgets for each histogram and key\n"
	"  --min-hits N          keys with fewer hits are not compared (default 100)\n"
	"  --max-dropped PERCENT with more hits dropped a recording is incomparable\n"
	"                        (default 0.1)\n"
	"  --skip DURATION       leave out the beginning of each recording\n"
	"  --top N               show only the N worst keys, 0: all (default 50)\n"
	"  --strict              exit with status 4 if any key is undecided\n"
	"  --min-decided PERCENT exit with status 4 if the keys with a verdict have fewer\n"
	"                        of the hits (default 50)\n"
	"  --format text|json|markdown|junit|ktap\n"
	"                        (default text)\n"
	"  -o OUT                write to the file OUT\n"
	"  -h, --help            this text\n"
	"\n"
	"examples:\n"
	"    trace-cmd hist diff old.dat new.dat\n"
	"    trace-cmd hist diff --threshold 10 old.*.dat -- new.*.dat\n"
	"    trace-cmd hist diff --exceed 1ms:0.1 --format junit -o hist.xml old.dat new.dat\n";

/* Options without a letter. */
enum {
	OPT_THRESHOLD = 256,
	OPT_CONFIDENCE,
	OPT_WORSE,
	OPT_PERCENTILES,
	OPT_MAX,
	OPT_EXCEED,
	OPT_THRESHOLDS,
	OPT_MIN_HITS,
	OPT_MAX_DROPPED,
	OPT_SKIP,
	OPT_TOP,
	OPT_STRICT,
	OPT_MIN_DECIDED,
	OPT_FORMAT,
};

static const struct option options[] = {
	{ "threshold", required_argument, NULL, OPT_THRESHOLD },
	{ "confidence", required_argument, NULL, OPT_CONFIDENCE },
	{ "worse", required_argument, NULL, OPT_WORSE },
	{ "percentiles", required_argument, NULL, OPT_PERCENTILES },
	{ "max", required_argument, NULL, OPT_MAX },
	{ "exceed", required_argument, NULL, OPT_EXCEED },
	{ "thresholds", required_argument, NULL, OPT_THRESHOLDS },
	{ "min-hits", required_argument, NULL, OPT_MIN_HITS },
	{ "max-dropped", required_argument, NULL, OPT_MAX_DROPPED },
	{ "skip", required_argument, NULL, OPT_SKIP },
	{ "top", required_argument, NULL, OPT_TOP },
	{ "strict", no_argument, NULL, OPT_STRICT },
	{ "min-decided", required_argument, NULL, OPT_MIN_DECIDED },
	{ "format", required_argument, NULL, OPT_FORMAT },
	{ "help", no_argument, NULL, 'h' },
	{ NULL, 0, NULL, 0 },
};

/* What a wrong value is told, by option. */
static const char *const hints[] = {
	[OPT_THRESHOLD - OPT_THRESHOLD] = "give a percentage",
	[OPT_CONFIDENCE - OPT_THRESHOLD] = "give a percentage from 50 to below 100",
	[OPT_WORSE - OPT_THRESHOLD] = "there are higher, lower, both, none",
	[OPT_PERCENTILES - OPT_THRESHOLD] = "give percentages: 50,90,99.9",
	[OPT_MAX - OPT_THRESHOLD] = "give a number, with a unit for times: 5ms",
	[OPT_EXCEED - OPT_THRESHOLD] = "give a number and the share above it: 1ms:0.1%",
	[OPT_MIN_HITS - OPT_THRESHOLD] = "give a number of hits",
	[OPT_MAX_DROPPED - OPT_THRESHOLD] = "give a percentage",
	[OPT_SKIP - OPT_THRESHOLD] = "give a duration: 2, 500ms, 1m",
	[OPT_TOP - OPT_THRESHOLD] = "give a number of keys, 0 for all",
	[OPT_MIN_DECIDED - OPT_THRESHOLD] = "give a percentage up to 100",
	[OPT_FORMAT - OPT_THRESHOLD] = "unknown: there are text, json, markdown, junit, ktap",
};

/* Apply an option.  Returns 0, or another value if @value is wrong. */
static int diff_options_parse_option(struct diff_options *o, int c, const char *value)
{
	struct hist_compare_options *compare = &o->compare;
	struct hist_gate *gate = &compare->gate;
	uint64_t top = 0;
	int ret;

	switch (c) {
	case 'e':
		o->events[compare->nevents++] = value;
		return 0;
	case 'o':
		o->out = value;
		return 0;
	case OPT_THRESHOLD:
		return hist_threshold_parse_percent(&gate->threshold, value);
	case OPT_CONFIDENCE:
		return hist_threshold_parse_percent(&compare->judge.confidence, value) ||
		       compare->judge.confidence < 0.5 || compare->judge.confidence >= 1;
	case OPT_WORSE:
		return hist_threshold_parse_worse(&gate->worse, value);
	case OPT_PERCENTILES:
		ret = hist_quantiles_parse(compare->quantiles, value);
		compare->nquantiles = ret < 0 ? 0 : ret;
		return ret < 0;
	case OPT_MAX:
		gate->has_max = true;
		return hist_threshold_parse_limit(&gate->max, value);
	case OPT_EXCEED:
		return hist_threshold_parse_exceed(&gate->exceed[gate->nexceed++], value);
	case OPT_THRESHOLDS:
		o->thresholds = value;
		return 0;
	case OPT_MIN_HITS:
		return duration_parse_count(&gate->min_hits, value, UINT64_MAX - 1);
	case OPT_MAX_DROPPED:
		return hist_threshold_parse_percent(&compare->max_dropped, value);
	case OPT_SKIP:
		return duration_parse(value, &compare->skip_ns);
	case OPT_TOP:
		ret = duration_parse_count(&top, value, UINT32_MAX - 1);
		compare->top = top;
		return ret;
	case OPT_STRICT:
		o->strict = true;
		return 0;
	case OPT_MIN_DECIDED:
		return hist_threshold_parse_percent(&compare->min_decided, value) ||
		       compare->min_decided > 1;
	case OPT_FORMAT:
		for (o->format = diff_formats; o->format->name; o->format++)
			if (!strcmp(o->format->name, value))
				return 0;
	}
	return -EINVAL;
}

/* The same, with a message. */
static int diff_options_take(struct diff_options *o, int c, const char *value)
{
	const char *hint = NULL;

	if (c == OPT_EXCEED && o->compare.gate.nexceed == HIST_EXCEED_MAX)
		hint = "too many: at most 4 can be given";
	else if (diff_options_parse_option(o, c, value))
		hint = hints[c - OPT_THRESHOLD];
	if (!hint)
		return 0;
	message_error("diff: --%s %s: %s", options[c - OPT_THRESHOLD].name, value, hint);
	return -EINVAL;
}

/* Split the @n files in o->files.  @dashes: "--" was given, after @nbase files. */
static int diff_options_split_files(struct diff_options *o, unsigned int n, bool dashes,
				    unsigned int nbase)
{
	if (!dashes) {
		if (n > 2) {
			message_error("diff: more than two files: put -- between the runs of BASE and those of "
				       "NEW");
			return -EINVAL;
		}
		nbase = n ? 1 : 0;
	}
	if (!nbase || nbase == n) {
		message_error("diff: %s to compare: give BASE and NEW, or BASE... -- NEW...",
			       !n ? "no files" : nbase ? "no file of NEW" : "no file of BASE");
		return -EINVAL;
	}
	o->base = (struct hist_side){ nbase, o->files };
	o->new_ = (struct hist_side){ n - nbase, o->files + nbase };
	return 0;
}

static int diff_options_set_defaults(struct diff_options *o, int argc)
{
	memset(o, 0, sizeof(*o));
	o->compare.judge.confidence = CONFIDENCE_DEFAULT;
	o->compare.gate.threshold = THRESHOLD_DEFAULT;
	o->compare.gate.min_hits = MIN_HITS_DEFAULT;
	o->compare.max_dropped = MAX_DROPPED_DEFAULT;
	o->compare.min_decided = MIN_DECIDED_DEFAULT;
	o->compare.top = TOP_DEFAULT;
	o->compare.nquantiles = hist_quantiles_parse(o->compare.quantiles, "50,90,99");
	o->format = diff_formats;
	o->events = calloc(argc, sizeof(*o->events));
	o->files = calloc(argc, sizeof(*o->files));
	o->compare.events = o->events;
	return o->events && o->files ? 0 : message_error_memory();
}

int diff_options_parse(struct diff_options *o, int argc, char **argv)
{
	unsigned int n = 0, nbase;
	bool dashes;
	int c, ret;

	ret = diff_options_set_defaults(o, argc);
	if (ret)
		return ret;
	opterr = 0;
	optind = 0;
	/* '-': getopt returns files as option 1, in order */
	while ((c = getopt_long(argc, argv, "-:e:o:h", options, NULL)) != -1) {
		if (c == 'h') {
			fputs(usage, stdout);
			return 1;
		}
		if (c == ':' || c == '?') {
			message_error("diff: %s: %s: see 'trace-cmd hist diff --help'",
				       argv[optind - 1],
				       c == ':' ? "needs a value" : "no such option");
			return -EINVAL;
		}
		if (c == 1)
			o->files[n++] = optarg;
		else
			ret = diff_options_take(o, c, optarg);
		if (ret)
			return ret;
	}
	/* getopt stops before the end only after "--" */
	dashes = optind < argc || !strcmp(argv[argc - 1], "--");
	nbase = n;
	while (optind < argc)
		o->files[n++] = argv[optind++];
	return diff_options_split_files(o, n, dashes, nbase);
}

void diff_options_clear(struct diff_options *o)
{
	free(o->files);
	free(o->events);
	memset(o, 0, sizeof(*o));
}

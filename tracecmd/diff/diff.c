// SPDX-License-Identifier: GPL-2.0
/*
 * diff.c - `trace-cmd hist diff`
 *
 * The whole comparison ends before the first byte is written.  An error of a file therefore
 * does not leave a partial result.
 */
#include <errno.h>
#include <getopt.h>
#include <malloc.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "lib/base/duration.h"
#include "lib/base/error.h"
#include "lib/base/text_file.h"
#include "lib/check/check.h"
#include "lib/diff/diff.h"
#include "lib/diff/view_diff.h"
#include "tracecmd/base/command.h"
#include "tracecmd/base/message.h"
#include "tracecmd/base/options.h"
#include "tracecmd/base/output_stream.h"
#include "tracecmd/base/text_style.h"
#include "tracecmd/diff/diff.h"

struct diff_options {
	struct hist_side base, new_;
	struct hist_compare_options compare;
	const char *thresholds; /* a file, or NULL */
	const char *metric;	/* the only metric to judge, or NULL */
	unsigned int format;	/* in the order of its names in the help */
	bool strict;
	const char *out; /* NULL: standard output */
	/* private */
	struct option_words files, events;
	struct hist_buckets buckets;
};

#define THRESHOLD_DEFAULT 0.05
#define CONFIDENCE_DEFAULT 0.95
#define MIN_HITS_DEFAULT 100
#define MAX_DROPPED_DEFAULT 0.001
#define MIN_DECIDED_DEFAULT 0.5
#define TOP_DEFAULT 50

static int diff_options_take_percent(void *to, const struct option_row *row, char *value)
{
	if (hist_threshold_parse_percent((double *)((char *)to + row->arg), value))
		return options_refuse(row, value, "must be a percentage");
	return 0;
}

static int diff_options_take_confidence(void *to, const struct option_row *row, char *value)
{
	double *confidence = &((struct diff_options *)to)->compare.judge.confidence;

	if (hist_threshold_parse_percent(confidence, value) || *confidence < 0.5 ||
	    *confidence >= 1)
		return options_refuse(row, value,
				      "must be a percentage, at least 50 and less than "
				      "100");
	return 0;
}

static int diff_options_take_min_decided(void *to, const struct option_row *row, char *value)
{
	double *min = &((struct diff_options *)to)->compare.min_decided;

	if (hist_threshold_parse_percent(min, value) || *min > 1)
		return options_refuse(row, value, "must be a percentage from 0 to 100");
	return 0;
}

static int diff_options_take_percentiles(void *to, const struct option_row *row, char *value)
{
	struct hist_compare_options *compare = &((struct diff_options *)to)->compare;

	return options_parse_quantiles(row, value, compare->quantiles, &compare->nquantiles);
}

static int diff_options_take_max(void *to, const struct option_row *row, char *value)
{
	struct hist_gate *gate = &((struct diff_options *)to)->compare.gate;

	gate->has_max = true;
	if (hist_threshold_parse_limit(&gate->max, value))
		return options_refuse(row, value,
				      "must be a number with an optional unit\n"
				      "use, for example, 5ms");
	return 0;
}

static int diff_options_take_exceed(void *to, const struct option_row *row, char *value)
{
	struct hist_gate *gate = &((struct diff_options *)to)->compare.gate;

	if (gate->nexceed == HIST_EXCEED_MAX)
		return options_refuse(row, value, "at most 4 budgets are allowed");
	if (hist_threshold_parse_exceed(&gate->exceed[gate->nexceed], value))
		return options_refuse(row, value,
				      "must be VALUE[UNIT]:PERCENT\n"
				      "use, for example, 1ms:0.1");
	gate->nexceed++;
	gate->exceed[gate->nexceed - 1].limit.id = gate->nexceed;
	return 0;
}

static int diff_options_take_min_hits(void *to, const struct option_row *row, char *value)
{
	struct hist_gate *gate = &((struct diff_options *)to)->compare.gate;

	if (duration_parse_count(&gate->min_hits, value, UINT64_MAX - 1))
		return options_refuse(row, value, "must be a whole number");
	return 0;
}

static int diff_options_take_skip(void *to, const struct option_row *row, char *value)
{
	if (duration_parse(value, &((struct diff_options *)to)->compare.skip_ns))
		return options_refuse(row, value,
				      "must be a duration\n"
				      "use a time such as 2 (seconds), 500ms or 1m");
	return 0;
}

static int diff_options_take_top(void *to, const struct option_row *row, char *value)
{
	uint64_t top;

	if (duration_parse_count(&top, value, UINT32_MAX - 1))
		return options_refuse(row, value, "must be a whole number below 4294967295");
	((struct diff_options *)to)->compare.top = top;
	return 0;
}

/* METRIC becomes a part of a thresholds file; see diff.c. */
static int diff_options_take_metric(void *to, const struct option_row *row, char *value)
{
	if (!value[strspn(value, " \t")] || strpbrk(value, "=\n"))
		return options_refuse(row, value, "must be the name of a metric, such as p99");
	((struct diff_options *)to)->metric = value;
	return 0;
}

#define AT(member) offsetof(struct diff_options, member)

static const struct option_row rows[] = {
	OPTION_GROUP("What to compare"),
	{ 'e', NULL, "EVENT", options_take_word, AT(events),
	  "compare only this event: SYS:EVENT, EVENT, or SYS:EVENT#N as\n"
	  "in 'report --list'; may be given more than once" },
	{ 0, "percentiles", "LIST", diff_options_take_percentiles, 0,
	  "compare these percentiles (default 50,90,99)" },
	OPTION_RARE,
	OPTION_BUCKET(AT(buckets)),
	{ 0, "min-hits", "N", diff_options_take_min_hits, 0,
	  "ignore keys with fewer than N hits (default 100)" },
	{ 0, "max-dropped", "PERCENT", diff_options_take_percent, AT(compare.max_dropped),
	  "do not compare recordings that dropped more than PERCENT of\n"
	  "the hits (default 0.1)" },
	{ 0, "skip", "DURATION", diff_options_take_skip, 0,
	  "ignore the first DURATION of each recording" },
	OPTION_GROUP("When to fail"),
	{ 0, "threshold", "PERCENT", diff_options_take_percent, AT(compare.gate.threshold),
	  "ignore changes smaller than PERCENT (default 5)" },
	{ 0, "worse", "higher|lower|both|none", options_take_choice, AT(compare.gate.worse),
	  "choose the changes that count as regressions: a higher\n"
	  "metric, a lower one, both, or none (default higher)" },
	{ 0, "metric", "METRIC", diff_options_take_metric, 0,
	  "judge only METRIC, such as hitcount/s or '*mean'" },
	{ 0, "max", "VALUE[UNIT]", diff_options_take_max, 0,
	  "fail if any sample in NEW exceeds VALUE; UNIT: ns, us, ms, s" },
	{ 0, "exceed", "VALUE[UNIT]:PERCENT", diff_options_take_exceed, 0,
	  "fail if more than PERCENT of the samples in NEW exceed\n"
	  "VALUE; may be given up to 4 times" },
	{ 0, "strict", NULL, NULL, AT(strict),
	  "exit with status 4 if inconclusive and nothing regressed" },
	OPTION_RARE,
	{ 0, "confidence", "PERCENT", diff_options_take_confidence, 0,
	  "set the confidence level of the verdicts (default 95)" },
	{ 0, "thresholds", "FILE", NULL, AT(thresholds),
	  "read thresholds and budgets for single histograms\n"
	  "and keys from FILE" },
	{ 0, "min-decided", "PERCENT", diff_options_take_min_decided, 0,
	  "exit with status 4 instead of 0 if the keys that passed or\n"
	  "improved have less than PERCENT of the hits (default 50)" },
	OPTION_GROUP("Output"),
	{ 0, "format", "text|json|markdown|junit|ktap", options_take_choice, AT(format),
	  "choose the format (default text)" },
	{ 0, "top", "N", diff_options_take_top, 0,
	  "show only the N keys that changed most (default 50; 0: all)" },
	OPTION_RARE,
	{ 0, "raw-names", NULL, NULL, AT(compare.raw_names),
	  "compare and show keys as numbers, not as names" },
	{ 'o', NULL, "OUT", NULL, AT(out), "write to the file OUT" },
	OPTION_GROUP("Other"),
	OPTION_HELP,
	{ 0 },
};

static const struct options_spec spec = {
	.verb = "diff",
	.usage = "usage: trace-cmd hist diff [OPTIONS] BASE NEW\n"
		 "       trace-cmd hist diff [OPTIONS] BASE... -- NEW...\n"
		 "\n"
		 "Compare recordings before (BASE) and after (NEW) a change.\n"
		 "Exit status: 0: no regression; 1: regression; 2: error; 3: not comparable;\n"
		 "4: inconclusive (see --min-decided and --strict).\n",
	.rows = rows,
	.indent = 2,
	.argument = &(const struct option_row){ .take = options_take_word, .arg = AT(files) },
	.more = "\n"
		"Examples:\n"
		"  trace-cmd hist diff old.dat new.dat\n"
		"  trace-cmd hist diff --metric '*mean' --threshold 20 old.*.dat -- new.*.dat\n"
		"  trace-cmd hist diff --exceed 1ms:0.1 --format junit -o h.xml a.dat b.dat\n",
};

/* Split o->files.  @dashes: "--" was given, after @nbase files. */
static int diff_options_split_files(struct diff_options *o, bool dashes, unsigned int nbase)
{
	unsigned int n = o->files.n;

	if (!dashes) {
		if (n > 2)
			return message_refuse(-EINVAL,
					      "%u files: \"--\" is missing between the "
					      "BASE files and the NEW files\n"
					      "put -- before the first NEW file",
					      n);
		nbase = n ? 1 : 0;
	}
	if (!nbase || nbase == n)
		return message_refuse(-EINVAL,
				      "%s to compare\nuse BASE and NEW, or BASE... -- NEW...",
				      !n      ? "no files"
				      : nbase ? "no NEW file"
					      : "no BASE file");
	o->base = (struct hist_side){ nbase, o->files.words };
	o->new_ = (struct hist_side){ n - nbase, o->files.words + nbase };
	return 0;
}

static void diff_options_set_defaults(struct diff_options *o)
{
	memset(o, 0, sizeof(*o));
	o->compare.judge.confidence = CONFIDENCE_DEFAULT;
	o->compare.gate.threshold = THRESHOLD_DEFAULT;
	o->compare.gate.min_hits = MIN_HITS_DEFAULT;
	o->compare.max_dropped = MAX_DROPPED_DEFAULT;
	o->compare.min_decided = MIN_DECIDED_DEFAULT;
	o->compare.top = TOP_DEFAULT;
	o->compare.nquantiles = hist_quantiles_parse(o->compare.quantiles, DIFF_QUANTILES);
}

/* After "--", a word that looks like an option is a file, which rarely exists. */
static int diff_options_check_new(const struct diff_options *o, unsigned int nbase)
{
	unsigned int i;

	for (i = nbase; i < o->files.n; i++)
		if (*o->files.words[i] == '-' && o->files.words[i][1] &&
		    access(o->files.words[i], F_OK))
			return message_refuse(-EINVAL,
					      "%s: no such file, and options are not "
					      "allowed after \"--\"\nput options before \"--\"",
					      o->files.words[i]);
	return 0;
}

/*
 * diff_options_parse - parse the command line
 * Strings point into @argv.  Returns 0, 1 after -h printed the help, or -errno after a message.
 */
static int diff_options_parse(struct diff_options *o, int argc, char **argv)
{
	unsigned int nbase;
	bool dashes;
	int ret;

	diff_options_set_defaults(o);
	ret = options_parse(&spec, o, argc, argv);
	if (ret)
		return ret;
	if (o->metric && o->thresholds)
		return message_refuse(-EINVAL, "--metric: cannot be combined with --thresholds\n"
					       "set worse.METRIC in the file");
	/* getopt stops before the end only after "--" */
	dashes = optind < argc || !strcmp(argv[argc - 1], "--");
	nbase = o->files.n;
	while (!ret && optind < argc)
		ret = options_take_word(o, spec.argument, argv[optind++]);
	o->compare.events = o->events.words;
	o->compare.nevents = o->events.n;
	o->compare.buckets = &o->buckets;
	if (ret)
		return message_error_memory();
	ret = dashes ? diff_options_check_new(o, nbase) : 0;
	return ret ? ret : diff_options_split_files(o, dashes, nbase);
}

/*
 * diff_options_parse - parse the command line
 * Strings point into @argv.  Returns 0, 1 after -h printed the help, or -errno after a message.
 */
static void diff_options_clear(struct diff_options *o)
{
	free(o->files.words);
	free(o->events.words);
	hist_buckets_clear(&o->buckets);
	memset(o, 0, sizeof(*o));
}

static int read_thresholds(struct hist_thresholds **thresholds, const struct diff_options *o)
{
	const char *path = o->thresholds;
	struct hist_error error = { 0 };
	char *text;
	unsigned int line;
	size_t size;
	int ret;

	if (o->metric) {
		ret = hist_thresholds_judge_only(thresholds, o->metric, o->compare.gate.worse);
		return ret ? message_error_memory() : 0;
	}
	if (!path)
		return 0;
	ret = text_file_read(&text, &size, path, &error);
	if (ret)
		return message_report_of(ret, &error, "%s", path);
	ret = hist_thresholds_parse(thresholds, text, size, &line, &error);
	free(text);
	if (ret == -EINVAL)
		message_report_of(ret, &error, "%s:%u", path, line);
	else if (ret)
		message_error_errno(path, ret);
	return ret;
}

/* In the order of diff_options.format; NULL: text, with a style. */
static int (*const formats[])(FILE *f, const struct hist_comparison *c) = {
	NULL, hist_diff_write_json, hist_diff_write_markdown, hist_diff_write_junit,
	hist_diff_write_ktap,
};

static int write_result(const struct diff_options *o, const struct hist_comparison *c)
{
	struct hist_view_style style = { 0 };
	struct output_stream file;
	int ret;

	ret = output_stream_open(&file, o->out);
	if (ret)
		return ret;
	if (formats[o->format]) {
		ret = formats[o->format](file.f, c);
	} else {
		text_style_detect(&style, file.f, TEXT_COLOUR_AUTO);
		ret = hist_diff_write_text(file.f, c, &style);
	}
	return output_stream_close(&file, !ret, ret);
}

static int diff_exit_status(const struct hist_comparison *c, bool strict)
{
	switch (c->verdict) {
	case HIST_REGRESSED:
		return EXIT_REGRESSED;
	case HIST_INCOMPARABLE:
		return EXIT_INCOMPARABLE;
	case HIST_INCONCLUSIVE:
		return strict || c->undecided ? EXIT_INCONCLUSIVE : EXIT_DONE;
	default:
		return EXIT_DONE;
	}
}

static int diff_run_comparison(struct diff_options *o)
{
	struct hist_thresholds *thresholds = NULL;
	struct hist_comparison *c = NULL;
	int status = EXIT_TROUBLE, ret;
	struct hist_error error = { 0 };

	if (read_thresholds(&thresholds, o))
		return EXIT_TROUBLE;
	o->compare.thresholds = thresholds;
	o->compare.thresholds_name = o->thresholds;
	ret = hist_diff_compare(&c, &o->base, &o->new_, &o->compare, &error);
	if (ret) {
		message_report(ret, &error);
	} else {
		ret = write_result(o, c);
		/* a reader that closes the pipe early does not change the verdict */
		if (!ret || ret == -EPIPE)
			status = diff_exit_status(c, o->strict);
	}
	hist_diff_free(c);
	hist_thresholds_free(thresholds);
	return status;
}

/*
 * keep_memory - keep freed memory in the process
 * Each file needs about the memory of the previous one.  Memory that is returned to the kernel
 * would be faulted in again, page by page.
 */
static void keep_memory(void)
{
#ifdef M_MMAP_THRESHOLD
	mallopt(M_MMAP_THRESHOLD, 16 << 20);
	mallopt(M_TRIM_THRESHOLD, 32 << 20);
#endif
}

static int diff_run_verb(int argc, char **argv)
{
	int ret, status = EXIT_TROUBLE;
	struct diff_options options;

	keep_memory();
	ret = diff_options_parse(&options, argc, argv);
	if (ret == 1)
		status = EXIT_DONE;
	else if (!ret)
		status = diff_run_comparison(&options);
	diff_options_clear(&options);
	return status;
}

const struct command diff_command = {
	.name = "diff",
	.help = "compare recordings, and show regressions",
	.run = diff_run_verb,
};

// SPDX-License-Identifier: GPL-2.0
/*
 * report_options.c - the command line of `trace-cmd hist report`
 *
 * An option without effect in the selected format and view is an error.  Otherwise a user
 * could misread the report.
 */
#include <errno.h>
#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tracecmd/base/command.h"
#include "tracecmd/base/duration.h"
#include "tracecmd/report/report_options.h"

/* Default of --max-series: most label sets in one openmetrics file. */
#define MAX_SERIES 10000

static const char usage[] =
	"usage: trace-cmd hist report [-i FILE | FILE]... [OPTIONS]\n"
	"\n"
	"Show the histograms of a trace.dat file: what was counted from the first snapshot to\n"
	"the last.  What the set-up counted before the first is left out, and the report says so.\n"
	"Those of several files stand on one line of time.\n"
	"\n"
	"  -i FILE               the file (default trace.dat); may be repeated\n"
	"  -e EVENT              only histograms of this event: SYS:EVENT, EVENT, or\n"
	"                        SYS:EVENT#N as --list names them; of several files also\n"
	"                        HOST:EVENT; may be repeated\n"
	"  --list                one line a histogram: snapshots, times, totals, trigger\n"
	"  --at TIME             the last snapshot not after TIME: seconds of the trace clock (of\n"
	"                        several files: since 1970), or +SECONDS after the first snapshot\n"
	"  --snapshot N|all      all that was counted until snapshot number N, or until each\n"
	"  --between A,B         what was counted between two snapshots: numbers, or times\n"
	"                        written with a point, a '+' or an 's' (12.5, +3, 40s)\n"
	"  --intervals           what was counted from each snapshot to the next\n"
	"  --sort FIELD[.descending][,...]\n"
	"                        order of the rows; FIELD is a key or a value\n"
	"  --top N               only the first N rows; without --sort the N largest\n"
	"  --view table|bars|heatmap|percentiles\n"
	"                        how to show it as text (default table)\n"
	"  --percentiles P,...   which, for --view percentiles (default 50,90,99,99.9)\n"
	"  --color auto|always|never\n"
	"                        colours in text (default auto: on a terminal, without NO_COLOR)\n"
	"  --format text|json|csv|ndjson|folded|openmetrics|svg|html\n"
	"                        (default text); folded is for flame graphs\n"
	"  --max-series N        of openmetrics: refuse more time series (default 10000)\n"
	"  --time-offset SECONDS\n"
	"                        from the trace clock to the time since 1970, where the file\n"
	"                        has no time of day\n"
	"  -o OUT                write to the file OUT\n"
	"  -h, --help            this text\n"
	"\n"
	"examples:\n"
	"    trace-cmd hist report\n"
	"    trace-cmd hist report --view bars --top 20 kmalloc.dat\n"
	"    trace-cmd hist report -e sched_switch --between +1,+2 --format json\n"
	"    trace-cmd hist report --view heatmap trace.board1.dat trace.board2.dat\n";

/* Options without a letter. */
enum {
	OPT_LIST = 256,
	OPT_AT,
	OPT_SNAPSHOT,
	OPT_BETWEEN,
	OPT_INTERVALS,
	OPT_SORT,
	OPT_TOP,
	OPT_VIEW,
	OPT_PERCENTILES,
	OPT_MAX_SERIES,
	OPT_TIME_OFFSET,
	OPT_COLOR,
	OPT_FORMAT,
};

static const struct option options[] = {
	{ "list", no_argument, NULL, OPT_LIST },
	{ "at", required_argument, NULL, OPT_AT },
	{ "snapshot", required_argument, NULL, OPT_SNAPSHOT },
	{ "between", required_argument, NULL, OPT_BETWEEN },
	{ "intervals", no_argument, NULL, OPT_INTERVALS },
	{ "sort", required_argument, NULL, OPT_SORT },
	{ "top", required_argument, NULL, OPT_TOP },
	{ "view", required_argument, NULL, OPT_VIEW },
	{ "percentiles", required_argument, NULL, OPT_PERCENTILES },
	{ "max-series", required_argument, NULL, OPT_MAX_SERIES },
	{ "time-offset", required_argument, NULL, OPT_TIME_OFFSET },
	{ "color", required_argument, NULL, OPT_COLOR },
	{ "format", required_argument, NULL, OPT_FORMAT },
	{ "help", no_argument, NULL, 'h' },
	{ NULL, 0, NULL, 0 },
};

/* The options that were given, for report_options_check_effects(). */
struct given_options {
	const char *span; /* "at" */
	bool view, colour;
};

/* What a wrong value is told, by option. */
static const char *const hints[] = {
	[OPT_AT - OPT_LIST] = "no time: give seconds of the trace clock, or +SECONDS",
	[OPT_SNAPSHOT - OPT_LIST] = "no snapshot: give its number, or \"all\"",
	[OPT_BETWEEN - OPT_LIST] = "give two snapshots as A,B: numbers, or times as 12.5 or +3",
	[OPT_TOP - OPT_LIST] = "give a number of rows",
	[OPT_VIEW - OPT_LIST] = "unknown: there are table, bars, heatmap and percentiles",
	[OPT_PERCENTILES - OPT_LIST] = "give numbers from 0 to 100, at most 16, as 50,90,99.9",
	[OPT_MAX_SERIES - OPT_LIST] = "give a number of series",
	[OPT_TIME_OFFSET - OPT_LIST] =
		"give the seconds from the trace clock to the time since 1970, "
		"as 1700000000.25",
	[OPT_COLOR - OPT_LIST] = "unknown: there are auto, always and never",
	[OPT_FORMAT - OPT_LIST] =
		"unknown: there are text, json, csv, ndjson, folded, openmetrics, svg "
		"and html",
};

static int take_between(struct report_options *o, const char *text)
{
	char *comma;

	o->between = strdup(text);
	if (!o->between) {
		message_error("report: out of memory");
		return -ENOMEM;
	}
	comma = strchr(o->between, ',');
	if (!comma)
		return -EINVAL;
	*comma = '\0';
	return report_point_parse(&o->a, o->between, false) ||
	       report_point_parse(&o->b, comma + 1, false) ? -EINVAL : 0;
}

/* Parse an integer of at least 1. */
static int report_options_parse_count(uint32_t *count, const char *text)
{
	uint64_t n;

	if (duration_parse_count(&n, text, UINT32_MAX) || !n)
		return -EINVAL;
	*count = n;
	return 0;
}

static int report_options_parse_percentiles(struct hist_writer_options *w, const char *text)
{
	int n = hist_quantiles_parse(w->quantiles, text);

	w->nquantiles = n < 0 ? 0 : n;
	return n < 0 ? n : 0;
}

static int report_options_parse_view(struct report_options *o, const char *text)
{
	const struct report_view *view;

	for (view = report_views; view->name; view++) {
		if (!strcmp(view->name, text)) {
			o->writer.view = view - report_views;
			return 0;
		}
	}
	return -EINVAL;
}

static int report_options_parse_format(struct report_options *o, const char *text)
{
	for (o->format = report_formats; o->format->name; o->format++)
		if (!strcmp(o->format->name, text))
			return 0;
	return -EINVAL;
}

/* Apply an option.  Returns 0; -ENOMEM after a message; -EINVAL if @value is wrong. */
static int report_options_parse_option(struct report_options *o, struct given_options *given, int c,
				       const char *value)
{
	switch (c) {
	case 'i':
		o->files[o->nfiles++] = value;
		return 0;
	case 'e':
		o->events[o->nevents++] = value;
		return 0;
	case 'o':
		o->out = value;
		return 0;
	case OPT_LIST:
		o->list = true;
		return 0;
	case OPT_AT:
		o->span = REPORT_AT;
		return report_point_parse(&o->a, value, true);
	case OPT_SNAPSHOT:
		o->span = strcmp(value, "all") ? REPORT_SNAPSHOT : REPORT_ALL;
		return o->span == REPORT_SNAPSHOT && (report_point_parse(&o->a, value, false) ||
						      o->a.kind != REPORT_SEQ) ? -EINVAL : 0;
	case OPT_BETWEEN:
		o->span = REPORT_BETWEEN;
		return take_between(o, value);
	case OPT_INTERVALS:
		o->span = REPORT_INTERVALS;
		return 0;
	case OPT_SORT:
		o->sort = value;
		return 0;
	case OPT_TOP:
		return report_options_parse_count(&o->writer.top, value);
	case OPT_VIEW:
		given->view = true;
		return report_options_parse_view(o, value);
	case OPT_PERCENTILES:
		return report_options_parse_percentiles(&o->writer, value);
	case OPT_TIME_OFFSET:
		o->has_offset = true;
		return report_offset_parse(&o->offset, value);
	case OPT_MAX_SERIES:
		return report_options_parse_count(&o->writer.max_series, value);
	case OPT_COLOR:
		given->colour = true;
		return text_colour_parse(&o->colour, value);
	case OPT_FORMAT:
		return report_options_parse_format(o, value);
	}
	return -EINVAL;
}

/* The same, with a message. */
static int report_options_take(struct report_options *o, struct given_options *given, int c,
			       const char *value)
{
	const char *name = c >= OPT_LIST ? options[c - OPT_LIST].name : NULL;
	int ret;

	if (c >= OPT_AT && c <= OPT_INTERVALS) {
		if (given->span) {
			message_error("report: --%s and --%s do not go together", given->span,
				       name);
			return -EINVAL;
		}
		given->span = name;
	}
	ret = report_options_parse_option(o, given, c, value);
	if (ret && ret != -ENOMEM)
		message_error("report: --%s %s: %s", name, value, hints[c - OPT_LIST]);
	return ret;
}

static int report_options_refuse_useless(const char *option, const char *beside)
{
	message_error("report: --%s does nothing beside --%s: leave one of them out", option,
		       beside);
	return -EINVAL;
}

/* The first option that was given and has no bit in @accepted; NULL: none. */
static const char *find_useless(const struct report_options *o, const struct given_options *given,
				unsigned int accepted)
{
	const struct {
		const char *name;
		unsigned int need;
		bool given;
	} checks[] = {
		{ "sort", REPORT_SORT, o->sort != NULL },
		{ "top", REPORT_TOP, o->writer.top != 0 },
		{ "percentiles", REPORT_PERCENTILES, o->writer.nquantiles != 0 },
		{ "max-series", REPORT_SERIES, o->writer.max_series != 0 },
		{ "time-offset", REPORT_OFFSET, o->has_offset },
		{ "color", REPORT_COLOUR, given->colour },
	};
	unsigned int i;

	for (i = 0; i < sizeof(checks) / sizeof(*checks); i++)
		if (checks[i].given && !(accepted & checks[i].need))
			return checks[i].name;
	return NULL;
}

static int report_options_check_list(const struct report_options *o,
				     const struct given_options *given)
{
	const char *useless = find_useless(o, given, 0);

	if (!useless)
		useless = given->view ? "view" : given->span;
	if (useless)
		return report_options_refuse_useless(useless, "list");
	if (o->format->needs & REPORT_LIST)
		return 0;
	message_error("report: --format %s has no --list: leave one of them out", o->format->name);
	return -EINVAL;
}

/* Check that every option has an effect in this format and view. */
static int report_options_check_effects(const struct report_options *o,
					const struct given_options *given)
{
	const char *view = report_views[o->writer.view].name, *useless;
	bool has_view = o->format->views & 1u << o->writer.view;
	char beside[64];

	snprintf(beside, sizeof(beside), "format %s", o->format->name);
	if (given->view && !has_view) {
		if (!o->format->views)
			return report_options_refuse_useless("view", beside);
		message_error("report: --format %s has no --view %s: leave one of them out",
			       o->format->name, view);
		return -EINVAL;
	}
	if (has_view)
		snprintf(beside, sizeof(beside), "view %s", view);
	useless = find_useless(o, given, o->needs);
	if (useless)
		return report_options_refuse_useless(useless, beside);
	if (o->needs & REPORT_NO_POINTS && given->span && o->span != REPORT_INTERVALS &&
	    o->span != REPORT_BETWEEN) {
		message_error("report: --%s does nothing beside --%s, which shows intervals: leave one "
			       "of "
			       "them out, or give --between",
			       given->span, beside);
		return -EINVAL;
	}
	return 0;
}

/* Set the fields that depend on format and view, after all options are known. */
static int report_options_settle_fields(struct report_options *o, const struct given_options *given)
{
	int ret;

	if (!o->nfiles)
		o->files[o->nfiles++] = "trace.dat";
	if (o->has_offset && o->nfiles > 1) {
		message_error("report: --time-offset is of one file, and there are %u: leave it out",
			       o->nfiles);
		return -EINVAL;
	}
	if (!given->view)
		o->writer.view = o->format->view;
	o->needs = report_find_needs(o->format, o->writer.view);
	ret = o->list ? report_options_check_list(o, given) :
		report_options_check_effects(o, given);
	if (o->needs & REPORT_OVER_TIME && !given->span)
		o->span = REPORT_INTERVALS;
	if (!o->writer.max_series)
		o->writer.max_series = MAX_SERIES;
	return ret;
}

int report_options_parse(struct report_options *o, int argc, char **argv)
{
	struct given_options given = { 0 };
	int c, ret;

	memset(o, 0, sizeof(*o));
	o->format = report_formats;
	o->events = calloc(argc, sizeof(*o->events));
	/* one more for the default file */
	o->files = calloc(argc + 1, sizeof(*o->files));
	if (!o->events || !o->files) {
		message_error("report: out of memory");
		return -ENOMEM;
	}
	opterr = 0;
	optind = 0;
	/* '-': getopt returns files as option 1, in order */
	while ((c = getopt_long(argc, argv, "-:i:e:o:h", options, NULL)) != -1) {
		if (c == 'h') {
			fputs(usage, stdout);
			return 1;
		}
		if (c == ':' || c == '?') {
			message_error("report: %s: %s: see 'trace-cmd hist report --help'",
				       argv[optind - 1],
				       c == ':' ? "needs a value" : "no such option");
			return -EINVAL;
		}
		ret = report_options_take(o, &given, c == 1 ? 'i' : c, optarg);
		if (ret)
			return ret;
	}
	for (; optind < argc; optind++) {
		ret = report_options_take(o, &given, 'i', argv[optind]);
		if (ret)
			return ret;
	}
	return report_options_settle_fields(o, &given);
}

void report_options_clear(struct report_options *o)
{
	free(o->events);
	free(o->files);
	free(o->between);
	memset(o, 0, sizeof(*o));
}

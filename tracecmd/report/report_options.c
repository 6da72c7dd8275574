// SPDX-License-Identifier: GPL-2.0
/*
 * report_options.c - the command line of `trace-cmd hist report`, with its formats and views
 *
 * An option without effect in the selected format and view is an error.  Otherwise a user
 * could misread the report.
 */
#include <errno.h>
#include <getopt.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "lib/base/duration.h"
#include "tracecmd/base/message.h"
#include "tracecmd/base/options.h"
#include "tracecmd/report/report_options.h"

#define VIEW(name) (1u << HIST_VIEW_##name)
#define ROWS (REPORT_SORT | REPORT_TOP)
#define EPISODES (REPORT_EPISODES | REPORT_EPISODES_ONLY)

const struct report_format report_formats[] = {
	{ "text", &hist_writer_text, REPORT_COLOUR | REPORT_LIST | REPORT_LINE | EPISODES,
	  VIEW(TABLE) | VIEW(BARS) | VIEW(HEATMAP) | VIEW(PERCENTILES) | VIEW(SUMMARY),
	  HIST_VIEW_SUMMARY, 0, 0 },
	{ "json", &hist_writer_json,
	  ROWS | REPORT_LIST | REPORT_OFFSET | REPORT_PERCENTILES | REPORT_EPISODES,
	  VIEW(PERCENTILES), 0, 0, REPORT_ALL_ROWS | REPORT_NEEDS_AXIS },
	{ "csv", &hist_writer_csv, REPORT_OFFSET | EPISODES, VIEW(TABLE) | VIEW(PERCENTILES),
	  HIST_VIEW_TABLE, 0, 0 },
	{ "ndjson", &hist_writer_ndjson, ROWS | REPORT_OFFSET | EPISODES, 0, 0, 0, 0 },
	{ "folded", &hist_writer_folded, ROWS, 0, 0, 0, 0 },
	{ "openmetrics", &hist_writer_openmetrics, REPORT_SERIES | REPORT_OFFSET | REPORT_COUNTERS,
	  0, 0, 0, 0 },
	{ "prometheus", &hist_writer_prometheus, REPORT_SERIES | REPORT_COUNTERS, 0, 0, 0, 0 },
	{ "svg", &hist_writer_svg, REPORT_ALL_ROWS | REPORT_LINE | EPISODES,
	  VIEW(BARS) | VIEW(HEATMAP) | VIEW(PERCENTILES), HIST_VIEW_BARS,
	  VIEW(HEATMAP) | VIEW(PERCENTILES), REPORT_SORT },
	{ "html", &hist_writer_html,
	  REPORT_OVER_TIME | REPORT_NO_POINTS | REPORT_ALL_ROWS | REPORT_TOP | REPORT_PERCENTILES |
		  REPORT_LINE | REPORT_EPISODES,
	  0, 0, 0, 0 },
	{ .name = NULL },
};

const struct report_view report_views[] = {
	[HIST_VIEW_TABLE] = { "table", ROWS },
	[HIST_VIEW_BARS] = { "bars", ROWS | REPORT_AXIS_ORDER },
	[HIST_VIEW_HEATMAP] = { "heatmap", ROWS | REPORT_ALL_ROWS | REPORT_OVER_TIME |
						   REPORT_NO_POINTS | REPORT_DRAWS },
	[HIST_VIEW_PERCENTILES] = { "percentiles", REPORT_TOP | REPORT_ALL_ROWS |
							   REPORT_PERCENTILES | REPORT_NEEDS_AXIS },
	[HIST_VIEW_SUMMARY] = { "summary", ROWS | REPORT_AXIS_ORDER | REPORT_PERCENTILES },
};

/* All bits for @format in @view. */
static unsigned int report_find_needs(const struct report_format *format, enum hist_view_name view)
{
	unsigned int needs = format->needs;

	if (format->views)
		needs |= report_views[view].needs & ~format->without;
	if (format->over_time & 1u << view)
		needs |= REPORT_OVER_TIME | REPORT_NO_POINTS;
	return needs;
}

/* Parse digits at *@s; false if there are none or the number exceeds 63 bits. */
static bool take_digits(const char **s, uint64_t *number)
{
	const char *p = *s;
	uint64_t n = 0;

	for (; *p >= '0' && *p <= '9'; p++) {
		if (n > (INT64_MAX - 9) / 10)
			return false;
		n = n * 10 + (*p - '0');
	}
	if (p == *s)
		return false;
	*s = p;
	*number = n;
	return true;
}

/*
 * report_point_parse - parse "7" (a sequence number, unless @time), "1234.5", "12s", "+0.25"
 * Returns 0, or -EINVAL without a message.
 */
static int report_point_parse(struct report_point *point, const char *text, bool time)
{
	struct report_point made = { .text = text, .kind = time ? REPORT_TIME : REPORT_SEQ };
	const char *s = text;
	uint32_t unit;

	if (*s == '+') {
		made.kind = REPORT_AFTER_FIRST;
		s++;
	}
	if (!take_digits(&s, &made.number))
		return -EINVAL;
	if (*s == '.') {
		made.has_point = true;
		for (s++, unit = 100000000; *s >= '0' && *s <= '9'; s++, unit /= 10) {
			if (!unit)
				return -EINVAL;
			made.ns += unit * (*s - '0');
			made.digits++;
		}
		if (!made.digits)
			return -EINVAL;
	}
	if (made.kind == REPORT_SEQ && (made.has_point || *s == 's'))
		made.kind = REPORT_TIME;
	s += *s == 's';
	if (*s)
		return -EINVAL;
	*point = made;
	return 0;
}

/* Parse seconds, maybe negative, with up to nine decimals, to ns.  Returns 0 or -EINVAL. */
static int report_offset_parse(int64_t *ns, const char *text)
{
	bool negative = *text == '-';
	struct report_point point;
	int64_t made;

	if (report_point_parse(&point, text + negative, true) || point.kind != REPORT_TIME ||
	    point.number > INT64_MAX / 1000000000 - 1)
		return -EINVAL;
	made = (int64_t)point.number * 1000000000 + point.ns;
	*ns = negative ? -made : made;
	return 0;
}

/* Default of --max-series: most label sets in one openmetrics file. */
#define MAX_SERIES 10000

/* Largest value of --worst: a story needs up to 300 KB of memory. */
#define WORST_MAX 1000

/* 0, -ENOMEM or -EINVAL. */
static int report_options_parse_between(struct report_options *o, const char *text)
{
	char *comma;

	o->between = strdup(text);
	if (!o->between)
		return -ENOMEM;
	comma = strchr(o->between, ',');
	if (!comma)
		return -EINVAL;
	*comma = '\0';
	return report_point_parse(&o->a, o->between, false) ||
	       report_point_parse(&o->b, comma + 1, false) ? -EINVAL : 0;
}

/* One of --at, --snapshot, --between and --intervals. */
static int report_options_take_span(void *to, const struct option_row *row, char *value)
{
	struct report_options *o = to;
	int ret = 0;

	if (o->given_span)
		return message_refuse(-EINVAL, "--%s: cannot be combined with --%s", row->name,
				      o->given_span);
	o->given_span = row->name;
	o->span = row->arg;
	switch (o->span) {
	case REPORT_AT:
		if (report_point_parse(&o->a, value, true))
			return options_refuse(row, value, "must be a time\nuse a timestamp in "
					      "seconds with at most 9 decimals, or +SECONDS");
		return 0;
	case REPORT_SNAPSHOT:
		if (!strcmp(value, "all"))
			o->span = REPORT_ALL;
		else if (report_point_parse(&o->a, value, false) || o->a.kind != REPORT_SEQ)
			return options_refuse(row, value, "must be a sequence number or \"all\"");
		return 0;
	case REPORT_BETWEEN:
		ret = report_options_parse_between(o, value);
		if (ret == -EINVAL)
			return options_refuse(row, value, "must be two snapshots A,B\nuse "
					      "sequence numbers, or times such as 12.5 or +3");
		return ret;
	default:
		return 0;
	}
}

/* A number of at least 1. */
static int report_options_take_count(void *to, const struct option_row *row, char *value)
{
	uint64_t n;

	if (duration_parse_count(&n, value, UINT32_MAX) || !n)
		return options_refuse(row, value, "must be a number from 1 to 4294967295");
	*(uint32_t *)((char *)to + row->arg) = n;
	return 0;
}

static int report_options_take_episodes(void *to, const struct option_row *row, char *value)
{
	struct report_options *o = to;
	uint64_t n = 0;

	o->episodes = true;
	if (value && (duration_parse_count(&n, value, WORST_MAX) || !n))
		return options_refuse(row, value, "must be a number from 1 to 1000");
	o->nepisodes = n;
	return 0;
}

static int report_options_take_percentiles(void *to, const struct option_row *row, char *value)
{
	struct hist_writer_options *w = &((struct report_options *)to)->writer;

	return options_parse_quantiles(row, value, w->quantiles, &w->nquantiles);
}

static int report_options_take_offset(void *to, const struct option_row *row, char *value)
{
	struct report_options *o = to;

	o->has_offset = true;
	if (report_offset_parse(&o->offset, value))
		return options_refuse(row, value, "must be a number of seconds\n"
				      "use the Unix time minus the time of the trace clock, such "
				      "as 1700000000.25");
	return 0;
}

#define AT(member) offsetof(struct report_options, member)

static const struct option_row rows[] = {
	OPTION_GROUP("What"),
	{ 'i', NULL, "FILE", options_take_word, AT(files),
	  "read FILE (default trace.dat); may be given more than once" },
	{ 'e', NULL, "EVENT", options_take_word, AT(events),
	  "show only this event: SYS:EVENT, EVENT, or SYS:EVENT#N as\n"
	  "in --list; with several files also HOST:EVENT; may be given\n"
	  "more than once" },
	{ 0, "list", NULL, NULL, AT(list), "print one line for each histogram" },
	{ 0, "worst", "[=N]", report_options_take_episodes, 0,
	  "show the N worst latencies that 'record --threshold'\n"
	  "captured, and their causes (default: at most 100)" },
	OPTION_GROUP("When"),
	{ 0, "intervals", NULL, report_options_take_span, REPORT_INTERVALS,
	  "show the counts between consecutive snapshots" },
	{ 0, "between", "A,B", report_options_take_span, REPORT_BETWEEN,
	  "show what was counted between two snapshots, given as\n"
	  "sequence numbers (40) or times (+3, 40s); see --at" },
	OPTION_RARE,
	{ 0, "at", "TIME", report_options_take_span, REPORT_AT,
	  "show the last snapshot at or before TIME: +SECONDS after\n"
	  "the first snapshot, or a timestamp in seconds (with several\n"
	  "files, a Unix time)" },
	{ 0, "snapshot", "N|all", report_options_take_span, REPORT_SNAPSHOT,
	  "show the cumulative counts of snapshot N, or of all\n"
	  "snapshots" },
	{ 0, "time-offset", "SECONDS", report_options_take_offset, 0,
	  "add SECONDS to timestamps to convert them to Unix time, if\n"
	  "the file was recorded without wall-clock time" },
	OPTION_GROUP("Output"),
	{ 0, "view", "table|bars|heatmap|percentiles|summary", options_take_choice, AT(view),
	  "choose the text view (default summary)" },
	{ 0, "format", REPORT_FORMAT_NAMES,
	  options_take_choice, AT(number_of_format),
	  "choose the format (default text); folded is for flame graphs" },
	{ 0, "sort", "FIELD[.descending][,...]", NULL, AT(sort),
	  "sort the rows; FIELD is a key or a value" },
	{ 0, "top", "N", report_options_take_count, AT(writer.top),
	  "show only the first N rows; without --sort the N largest" },
	{ 'o', NULL, "OUT", NULL, AT(out), "write to the file OUT" },
	OPTION_RARE,
	OPTION_BUCKET(AT(own_buckets)),
	{ 0, "percentiles", "LIST", report_options_take_percentiles, 0,
	  "choose the percentiles (default 50,90,99,99.9)" },
	{ 0, "raw-names", NULL, NULL, AT(raw_names),
	  "show numbers and addresses instead of names" },
	{ 0, "color", "auto|always|never", options_take_choice, AT(colour),
	  "use colors in text (default auto: on a terminal, unless\n"
	  "NO_COLOR is set)" },
	{ 0, "max-series", "N", report_options_take_count, AT(writer.max_series),
	  "fail if openmetrics or prometheus output has more than N\n"
	  "time series (default 10000)" },
	OPTION_GROUP("Other"),
	OPTION_HELP,
	{ 0 },
};

static const struct options_spec spec = {
	.verb = "report",
	.usage =
	"usage: trace-cmd hist report [-i FILE | FILE]... [OPTIONS]\n"
	"\n"
	"Show the histograms of a trace.dat file: by default, what was counted from the\n"
	"first snapshot to the last.  Several files are aligned by wall-clock time.\n",
	.rows = rows,
	.indent = 2,
	.column = 20,
	.argument = &(const struct option_row){ .take = options_take_word, .arg = AT(files) },
	.more =
	"\n"
	"Examples:\n"
	"  trace-cmd hist report --view bars --top 20 kmalloc.dat\n"
	"  trace-cmd hist report -e sched_switch --between +1,+2 --format json\n"
	"  trace-cmd hist report --view heatmap trace.board1.dat trace.board2.dat\n",
};

static int report_options_refuse_useless(const char *option, const char *with)
{
	return message_refuse(-EINVAL, "--%s: has no effect with --%s\nremove one of these options",
			      option, with);
}

/* The first option that was given and has no bit in @accepted; NULL: none. */
static const char *find_useless(const struct report_options *o, unsigned int accepted)
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
		{ "color", REPORT_COLOUR, o->colour != OPTION_NOT_GIVEN },
		{ "worst", REPORT_EPISODES, o->episodes },
	};
	unsigned int i;

	for (i = 0; i < sizeof(checks) / sizeof(*checks); i++)
		if (checks[i].given && !(accepted & checks[i].need))
			return checks[i].name;
	return NULL;
}

static int report_options_check_list(const struct report_options *o)
{
	const char *useless = find_useless(o, 0);

	if (!useless)
		useless = o->view != OPTION_NOT_GIVEN ? "view" : o->given_span;
	if (useless)
		return report_options_refuse_useless(useless, "list");
	if (o->format->needs & REPORT_LIST)
		return 0;
	return message_refuse(-EINVAL, "--format %s: does not support --list\n"
			      "remove one of these options", o->format->name);
}

/* A report of episodes alone has no rows and no time. */
static int report_options_check_worst(const struct report_options *o)
{
	const char *useless = find_useless(o, REPORT_EPISODES | REPORT_COLOUR |
					       (o->format->needs & REPORT_OFFSET));

	if (!useless)
		useless = o->view != OPTION_NOT_GIVEN ? "view" : o->given_span;
	return useless ? report_options_refuse_useless(useless, "worst") : 0;
}

/* Check that every option has an effect in this format and view. */
static int report_options_check_effects(const struct report_options *o)
{
	const char *view = report_views[o->writer.view].name, *useless;
	bool has_view = o->format->views & 1u << o->writer.view;
	char with[64];

	snprintf(with, sizeof(with), "format %s", o->format->name);
	if (o->view != OPTION_NOT_GIVEN && !has_view) {
		if (!o->format->views)
			return report_options_refuse_useless("view", with);
		return message_refuse(-EINVAL, "--format %s: does not support --view %s\n"
				      "remove one of these options", o->format->name, view);
	}
	if (has_view)
		snprintf(with, sizeof(with), "view %s", view);
	useless = find_useless(o, o->needs);
	if (useless)
		return report_options_refuse_useless(useless, with);
	if (o->needs & REPORT_NO_POINTS && o->given_span && o->span != REPORT_INTERVALS &&
	    o->span != REPORT_BETWEEN)
		return message_refuse(-EINVAL, "--%s: has no effect with --%s, which shows "
				      "intervals\nuse --between", o->given_span, with);
	return 0;
}

/* Set the fields that depend on format and view, after all options are known. */
static int report_options_settle_fields(struct report_options *o)
{
	int ret;

	if (o->has_offset && o->files.n > 1)
		return message_refuse(-EINVAL, "--time-offset: needs exactly one file, but %u "
					       "are given",
				      o->files.n);
	o->format = report_formats + o->number_of_format;
	o->writer.view = o->view != OPTION_NOT_GIVEN ? o->view : o->format->view;
	o->needs = report_find_needs(o->format, o->writer.view);
	if (o->episodes && !o->list && o->format->needs & REPORT_EPISODES_ONLY)
		ret = report_options_check_worst(o);
	else
		ret = o->list ? report_options_check_list(o) : report_options_check_effects(o);
	if (o->needs & REPORT_OVER_TIME && !o->given_span)
		o->span = REPORT_INTERVALS;
	if (o->colour == OPTION_NOT_GIVEN)
		o->colour = TEXT_COLOUR_AUTO;
	if (!o->writer.max_series)
		o->writer.max_series = MAX_SERIES;
	return ret;
}

/* "--worst 3" is --worst and the file "3". */
static int report_options_check_count(const struct report_options *o)
{
	unsigned int i;

	for (i = 0; o->episodes && !o->nepisodes && i < o->files.n; i++) {
		const char *word = o->files.words[i];

		if (!word[strspn(word, "0123456789")] && access(word, F_OK))
			return message_refuse(-EINVAL, "%s: no such file\nuse --worst=%s", word,
					      word);
	}
	return 0;
}

int report_options_parse(struct report_options *o, int argc, char **argv)
{
	int ret;

	memset(o, 0, sizeof(*o));
	o->view = o->colour = OPTION_NOT_GIVEN;
	o->fd = -1;
	o->buckets = &o->own_buckets;
	ret = options_parse(&spec, o, argc, argv);
	if (ret)
		return ret;
	while (!ret && optind < argc)
		ret = options_take_word(o, spec.argument, argv[optind++]);
	if (!ret && !o->files.n)
		ret = options_take_word(o, spec.argument, "trace.dat");
	if (ret)
		return message_error_memory();
	ret = report_options_check_count(o);
	return ret ? ret : report_options_settle_fields(o);
}

void report_options_clear(struct report_options *o)
{
	free(o->events.words);
	free(o->files.words);
	free(o->between);
	hist_buckets_clear(&o->own_buckets);
	memset(o, 0, sizeof(*o));
}

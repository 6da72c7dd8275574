// SPDX-License-Identifier: GPL-2.0
/*
 * report_options.c - the command line of `trace-cmd hist report`
 *
 * Options that would do nothing beside others are refused, so that nobody
 * believes a report to be what it is not.
 */
#include <errno.h>
#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "command.h"
#include "report_options.h"

static const char usage[] =
	"usage: trace-cmd hist report [-i FILE | FILE] [OPTIONS]\n"
	"\n"
	"Show the histograms of a trace.dat file: the last snapshot, unless asked for others.\n"
	"\n"
	"  -i FILE               the file (default trace.dat)\n"
	"  -e EVENT              only histograms of this event: SYS:EVENT, EVENT, or\n"
	"                        SYS:EVENT#N as --list names them; may be repeated\n"
	"  --list                one line a histogram: snapshots, times, totals, trigger\n"
	"  --at TIME             the last snapshot not after TIME: seconds of the trace clock,\n"
	"                        or +SECONDS after the first snapshot\n"
	"  --snapshot N|all      snapshot number N, or every one\n"
	"  --between A,B         what was counted between two snapshots: numbers, or times\n"
	"                        written with a point, a '+' or an 's' (12.5, +3, 40s)\n"
	"  --intervals           what was counted from each snapshot to the next\n"
	"  --sort FIELD[.descending][,...]\n"
	"                        order of the rows; FIELD is a key or a value\n"
	"  --top N               only the first N rows; without --sort the N largest\n"
	"  --view table|bars     how to show it as text (default table)\n"
	"  --format text|json    (default text)\n"
	"  -o OUT                write to the file OUT\n"
	"  -h, --help            this text\n"
	"\n"
	"examples:\n"
	"    trace-cmd hist report\n"
	"    trace-cmd hist report --view bars --top 20 kmalloc.dat\n"
	"    trace-cmd hist report -e sched_switch --between +1,+2 --format json\n";

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
	{ "format", required_argument, NULL, OPT_FORMAT },
	{ "help", no_argument, NULL, 'h' },
	{ NULL, 0, NULL, 0 },
};

/* What was given, for the check of what goes together. */
struct given {
	const char *span; /* "--at" */
	bool view;
};

/* Digits at *@s; false without one or beyond 63 bits. */
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

int report_point_parse(struct report_point *point, const char *text, bool time)
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

static int take_span(struct report_options *o, struct given *given, enum report_span span,
		     const char *name)
{
	if (given->span) {
		complain("report: %s and %s do not go together", given->span, name);
		return -EINVAL;
	}
	given->span = name;
	o->span = span;
	return 0;
}

static int take_at(struct report_options *o, const char *text)
{
	if (!report_point_parse(&o->a, text, true))
		return 0;
	complain("report: --at %s: no time: give seconds of the trace clock, or +SECONDS", text);
	return -EINVAL;
}

static int take_snapshot(struct report_options *o, const char *text)
{
	if (!strcmp(text, "all")) {
		o->span = REPORT_ALL;
		return 0;
	}
	if (!report_point_parse(&o->a, text, false) && o->a.kind == REPORT_SEQ)
		return 0;
	complain("report: --snapshot %s: no snapshot: give its number, or \"all\"", text);
	return -EINVAL;
}

static int take_between(struct report_options *o, const char *text)
{
	char *comma;

	o->between = strdup(text);
	if (!o->between) {
		complain("report: out of memory");
		return -ENOMEM;
	}
	comma = strchr(o->between, ',');
	if (comma) {
		*comma = '\0';
		if (!report_point_parse(&o->a, o->between, false) &&
		    !report_point_parse(&o->b, comma + 1, false))
			return 0;
	}
	complain("report: --between %s: give two snapshots as A,B: numbers, or times as 12.5 or +3",
		 text);
	return -EINVAL;
}

static int take_top(struct report_options *o, const char *text)
{
	const char *s = text;
	uint64_t n;

	if (!take_digits(&s, &n) || *s || !n || n > UINT32_MAX) {
		complain("report: --top %s: give a number of rows", text);
		return -EINVAL;
	}
	o->top = n;
	return 0;
}

static int take_word(const char *option, const char *text, const char *first, const char *second,
		     bool *is_second)
{
	*is_second = !strcmp(text, second);
	if (*is_second || !strcmp(text, first))
		return 0;
	complain("report: %s %s: unknown: there are %s and %s", option, text, first, second);
	return -EINVAL;
}

static int take_option(struct report_options *o, struct given *given, int c, const char *value)
{
	int ret;

	switch (c) {
	case 'i':
		if (o->file) {
			complain("report: more than one file: %s and %s", o->file, value);
			return -EINVAL;
		}
		o->file = value;
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
		ret = take_span(o, given, REPORT_AT, "--at");
		return ret ? ret : take_at(o, value);
	case OPT_SNAPSHOT:
		ret = take_span(o, given, REPORT_SNAPSHOT, "--snapshot");
		return ret ? ret : take_snapshot(o, value);
	case OPT_BETWEEN:
		ret = take_span(o, given, REPORT_BETWEEN, "--between");
		return ret ? ret : take_between(o, value);
	case OPT_INTERVALS:
		return take_span(o, given, REPORT_INTERVALS, "--intervals");
	case OPT_SORT:
		o->sort = value;
		return 0;
	case OPT_TOP:
		return take_top(o, value);
	case OPT_VIEW:
		given->view = true;
		return take_word("--view", value, "table", "bars", &o->bars);
	case OPT_FORMAT:
		return take_word("--format", value, "text", "json", &o->json);
	}
	return -EINVAL;
}

static int check(const struct report_options *o, const struct given *given)
{
	const char *useless = NULL, *beside = o->list ? "--list" : "--format json";

	if (o->list && given->span)
		useless = given->span;
	else if (o->list && o->sort)
		useless = "--sort";
	else if (o->list && o->top)
		useless = "--top";
	else if ((o->list || o->json) && given->view)
		useless = "--view";
	if (!useless)
		return 0;
	complain("report: %s does nothing beside %s: leave one of them out", useless, beside);
	return -EINVAL;
}

int report_options_parse(struct report_options *o, int argc, char **argv)
{
	struct given given = { 0 };
	int c, ret;

	memset(o, 0, sizeof(*o));
	o->events = calloc(argc, sizeof(*o->events));
	if (!o->events) {
		complain("report: out of memory");
		return -ENOMEM;
	}
	opterr = 0;
	optind = 0;
	/* '-': files come as option 1, in their turn */
	while ((c = getopt_long(argc, argv, "-:i:e:o:h", options, NULL)) != -1) {
		if (c == 'h') {
			fputs(usage, stdout);
			return 1;
		}
		if (c == ':' || c == '?') {
			complain("report: %s: %s: see 'trace-cmd hist report --help'",
				 argv[optind - 1], c == ':' ? "needs a value" : "no such option");
			return -EINVAL;
		}
		ret = take_option(o, &given, c == 1 ? 'i' : c, optarg);
		if (ret)
			return ret;
	}
	for (; optind < argc; optind++) {
		ret = take_option(o, &given, 'i', argv[optind]);
		if (ret)
			return ret;
	}
	if (!o->file)
		o->file = "trace.dat";
	return check(o, &given);
}

void report_options_clear(struct report_options *o)
{
	free(o->events);
	free(o->between);
	memset(o, 0, sizeof(*o));
}

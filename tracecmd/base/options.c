// SPDX-License-Identifier: GPL-2.0
/*
 * options.c - parse the options of a verb, and print its help, by one table
 *
 * The table becomes the string and the array of getopt_long(3).  An option without a letter is
 * returned as FIRST_NUMBER plus its place among all rows.
 */
#include <errno.h>
#include <getopt.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lib/analysis/quantile.h"
#include "lib/base/array.h"
#include "lib/base/duration.h"
#include "lib/base/reason.h"
#include "lib/base/suggest.h"
#include "lib/base/text.h"
#include "lib/hist/regroup.h"
#include "tracecmd/base/message.h"
#include "tracecmd/base/options.h"

#define ROWS_MAX 64
#define FIRST_NUMBER 256
/* --help prints all options if the text has at most this number of lines. */
#define HELP_LINES 40

struct rows {
	const struct option_row *row[ROWS_MAX];
	const char *group[ROWS_MAX]; /* the title of the group of each row; "": none */
	bool rare[ROWS_MAX];
	struct option longs[ROWS_MAX + 1];
	char shorts[2 * ROWS_MAX + 4];
	unsigned int n;
};

/* "[INSTANCE/]SYS:EVENT" is not such a value. */
static bool may_lack_value(const struct option_row *row)
{
	return row->value && !strncmp(row->value, "[=", 2);
}

static void add_rows(struct rows *r, const struct option_row *row)
{
	struct option *o = r->longs;
	char *s = r->shorts + strlen(r->shorts);
	const char *group = "";
	bool rare = false;

	while (o->name)
		o++;
	for (; row && row->help && r->n < ROWS_MAX; row++) {
		if (!row->letter && !row->name) {
			rare = !*row->help;
			group = rare ? group : row->help;
			continue;
		}
		if (row->letter) {
			*s++ = row->letter;
			if (row->value)
				*s++ = ':';
		}
		if (row->name)
			*o++ = (struct option){
				row->name,
				row->letter == 'h' || may_lack_value(row) ? optional_argument
									  : row->value != NULL,
				NULL, row->letter ? row->letter : FIRST_NUMBER + (int)r->n
			};
		r->group[r->n] = group;
		r->rare[r->n] = rare;
		r->row[r->n++] = row;
	}
}

static const struct option_row *find_row(const struct rows *r, int c)
{
	unsigned int i = 0;

	if (c >= FIRST_NUMBER)
		return r->row[c - FIRST_NUMBER];
	while (r->row[i]->letter != c)
		i++;
	return r->row[i];
}

/* "  -q, --quiet     TEXT", the text in lines that begin at @column. */
static void print_row(FILE *f, const struct option_row *row, int indent, int column)
{
	const char *text = row->help;
	int used = fprintf(f, "%*s", indent, ""), len;

	if (row->letter)
		used += fprintf(f, "-%c%s", row->letter, row->name ? ", " : "");
	if (row->name)
		used += fprintf(f, "--%s", row->name);
	if (row->value)
		used += fprintf(f, "%s%s", may_lack_value(row) ? "" : " ", row->value);
	if (used >= column || *text == '\n') {
		fputc('\n', f);
		text += *text == '\n';
		used = 0;
	}
	for (;; text += len + 1) {
		len = strcspn(text, "\n");
		fprintf(f, "%*s%.*s\n", column - used, "", len, text);
		used = 0;
		if (!text[len])
			return;
	}
}

static bool has_rare(const struct rows *r)
{
	unsigned int i = 0;

	while (i < r->n && !r->rare[i])
		i++;
	return i < r->n;
}

/* A group has the rows of both tables. */
static void print_rows(FILE *f, const struct options_spec *spec, const struct rows *r, bool all)
{
	static const struct option_row only_help = {
		'h', "help", NULL, NULL, 0, "print this help"
	};
	const struct option_row *row;
	unsigned int i, j, before;

	for (i = 0; i < r->n; i++) {
		for (before = 0; before < i && strcmp(r->group[before], r->group[i]); before++)
			;
		if (before < i)
			continue;
		if (*r->group[i])
			fprintf(f, "\n%s:\n", r->group[i]);
		for (j = i; j < r->n; j++) {
			if (strcmp(r->group[j], r->group[i]) || (r->rare[j] && !all))
				continue;
			row = r->row[j]->letter == 'h' && !has_rare(r) ? &only_help : r->row[j];
			print_row(f, row, spec->indent, spec->column ? spec->column : 20);
		}
	}
}

static void print_help(FILE *f, const struct options_spec *spec, const struct rows *r, bool all)
{
	all = all || !has_rare(r);
	fputs(spec->usage, f);
	print_rows(f, spec, r, all);
	fputs(spec->more, f);
	fprintf(f, "\nSee trace-cmd-hist-%s(1)%s.\n", spec->verb,
		all ? "" : ", or --help=all for all options");
}

/* @value: of --help=VALUE; @is_short: -h */
static int options_print_help(const struct options_spec *spec, const struct rows *r,
			      const char *value, bool is_short)
{
	bool all = value != NULL;
	char *text = NULL, *c;
	unsigned int lines = 0;
	size_t len;
	FILE *f;

	if (value && strcmp(value, "all"))
		return message_refuse(-EINVAL, "--help=%s: unknown value\nuse --help or --help=all",
				      value);
	if (!all && !is_short) {
		f = open_memstream(&text, &len);
		if (!f)
			return message_error_memory();
		print_help(f, spec, r, true);
		if (fclose(f)) {
			free(text);
			return message_error_memory();
		}
		for (c = text; *c; c++)
			lines += *c == '\n';
		free(text);
		all = lines <= HELP_LINES;
	}
	print_help(stdout, spec, r, all);
	return 1;
}

/* "--treshold=1ms" to the nearest long option of the verb, or NULL. */
static const char *options_suggest(const struct rows *r, const char *word)
{
	const char *names[ROWS_MAX];
	unsigned int n = 0;
	char name[64];

	for (; r->longs[n].name; n++)
		names[n] = r->longs[n].name;
	snprintf(name, sizeof(name), "%.*s", (int)strcspn(word, "="), word);
	return hist_suggest(name, names, n);
}

/*
 * The word with the letter that getopt_long() did not know.  In the middle of a word, the word is
 * still the next one.
 */
static const char *options_find_word(int argc, char **argv)
{
	const char *before = argv[optind - 1];
	size_t len = strlen(before);

	if (before[0] == '-' && before[len - 1] == optopt)
		return before;
	return optind < argc ? argv[optind] : before;
}

/* @c: ':' or '?' of getopt_long(). */
static int options_refuse_unknown(const struct options_spec *spec, const struct rows *r, int c,
				  int argc, char **argv)
{
	const char letter[] = { '-', (char)optopt, '\0' }, *word = argv[optind - 1], *near = NULL;
	int len = strlen(word);

	if (c == ':') {
		/* the letter may be in the middle of a word */
		return message_refuse(-EINVAL, "%s: needs a value\n"
				      "run 'trace-cmd hist %s --help=all'",
				      optopt < FIRST_NUMBER ? letter : word, spec->verb);
	}
	if (!strncmp(word, "--", 2)) {
		len = strcspn(word, "=");
		if (optopt)
			return message_refuse(-EINVAL, "%.*s: does not take a value\n"
					      "leave out '%s'", len, word, word + len);
		near = options_suggest(r, word + 2);
	} else if (optopt) {
		/* "-threshold" */
		near = options_suggest(r, options_find_word(argc, argv) + 1);
		word = letter;
		len = 2;
	}
	if (near)
		return message_refuse(-EINVAL, "%.*s: unknown option\ndid you mean \"--%s\"?", len,
				      word, near);
	return message_refuse(-EINVAL, "%.*s: unknown option\nrun 'trace-cmd hist %s --help=all'",
			      len, word, spec->verb);
}

/* True if the value of @row is a time or a size, and @word is a unit of it. */
static bool options_is_unit(const struct option_row *row, const char *word)
{
	static const char *const times[] = { "TIME", "DURATION", "INTERVAL", "[UNIT]" };
	bool is_time = false;
	size_t i;

	for (i = 0; i < sizeof(times) / sizeof(times[0]); i++)
		is_time |= strstr(row->value, times[i]) != NULL;
	return (is_time && duration_is_unit(word)) ||
	       (strstr(row->value, "SIZE") && *word && strchr("KMG", *word) && !word[1]);
}

/* "-i 10 ms": the unit would be a command or a file. */
static int options_check_unit(const struct option_row *row, const char *value, const char *next)
{
	const char letter[] = { row->letter, '\0' };

	if (!value || !row->value || !next || !*value || value[strspn(value, "0123456789.")] ||
	    !options_is_unit(row, next))
		return 0;
	return message_refuse(-EINVAL, "-%s%s %s %s: a number and its unit must be one word\n"
			      "write %s%s; write -- before a command or file of the name %s",
			      row->name ? "-" : "", row->name ? row->name : letter, value, next,
			      value, next, next);
}

int options_apply(const struct option_row *row, void *to, char *value)
{
	void *member = (char *)to + row->arg;

	if (row->take)
		return row->take(to, row, value);
	if (row->value)
		*(const char **)member = value;
	else
		*(bool *)member = true;
	return 0;
}

int options_parse(const struct options_spec *spec, void *to, int argc, char **argv)
{
	struct rows r = { 0 };
	const struct option_row *row;
	int c, ret;

	strcpy(r.shorts, spec->stop ? "+:" : spec->argument ? "-:" : ":");
	add_rows(&r, spec->rows);
	add_rows(&r, spec->more_rows);
	opterr = 0;
	optind = 0;
	while ((c = getopt_long(argc, argv, r.shorts, r.longs, NULL)) != -1) {
		if (c == 'h')
			return options_print_help(spec, &r, optarg,
						  !strcmp(argv[optind - 1], "-h"));
		if (c == ':' || c == '?')
			return options_refuse_unknown(spec, &r, c, argc, argv);
		/* getopt_long() returns an argument as option 1 if the string begins with '-' */
		row = c == 1 ? spec->argument : find_row(&r, c);
		ret = options_check_unit(row, optarg, argv[optind]);
		if (!ret)
			ret = options_apply(row, to, optarg);
		if (ret == -ENOMEM)
			message_error_memory();
		if (ret)
			return ret;
	}
	return 0;
}

int options_refuse(const struct option_row *row, const char *value, const char *problem)
{
	const char letter[] = { row->letter, '\0' };
	const char *hint;
	int len = reason_split_hint(problem, &hint);

	return message_refuse(-EINVAL, "-%s%s %s: %.*s\n%s", row->name ? "-" : "",
			      row->name ? row->name : letter, value, len, problem, hint);
}

int options_take_word(void *to, const struct option_row *row, char *word)
{
	struct option_words *list = (void *)((char *)to + row->arg);

	if (array_add(&list->words, list->n, sizeof(*list->words)))
		return -ENOMEM;
	list->words[list->n++] = word;
	return 0;
}

int options_take_bucket(void *to, const struct option_row *row, char *text)
{
	struct hist_error error = { 0 };
	int ret = hist_buckets_add((void *)((char *)to + row->arg), text, &error);

	return ret == -EINVAL ? message_report_of(ret, &error, "--%s %s", row->name, text) : ret;
}

int options_parse_quantiles(const struct option_row *row, const char *value, uint32_t *quantiles,
			    unsigned int *n)
{
	int found = hist_quantiles_parse(quantiles, value);

	if (found < 0)
		return options_refuse(row, value,
				      "must be a list of at most 16 numbers from 0 to 100\n"
				      "use, for example, 50,90,99.9");
	*n = found;
	return 0;
}

int options_take_choice(void *to, const struct option_row *row, char *text)
{
	const char *word = row->value;
	char names[256] = "";
	unsigned int i;
	size_t len;

	for (i = 0; *word; word += len + (word[len] == '|'), i++) {
		len = strcspn(word, "|");
		if (text_equals(word, len, text)) {
			*(unsigned int *)((char *)to + row->arg) = i;
			return 0;
		}
		snprintf(names + strlen(names), sizeof(names) - strlen(names), "%s%.*s",
			 i ? ", " : "", (int)len, word);
	}
	return message_refuse(-EINVAL, "--%s %s: unknown value\nuse one of: %s", row->name, text,
			      names);
}

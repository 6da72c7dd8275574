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
#include <string.h>

#include "tracecmd/base/command.h"
#include "tracecmd/base/options.h"

#define ROWS_MAX 64
#define FIRST_NUMBER 256

struct rows {
	const struct option_row *row[ROWS_MAX];
	struct option longs[ROWS_MAX + 1];
	char shorts[2 * ROWS_MAX + 4];
	unsigned int n;
};

static void add_rows(struct rows *r, const struct option_row *row)
{
	struct option *o = r->longs;
	char *s = r->shorts + strlen(r->shorts);

	while (o->name)
		o++;
	for (; row && (row->letter || row->name) && r->n < ROWS_MAX; row++) {
		if (row->letter) {
			*s++ = row->letter;
			if (row->value)
				*s++ = ':';
		}
		if (row->name)
			*o++ = (struct option){ row->name, row->value != NULL, NULL,
						row->letter ? row->letter : FIRST_NUMBER + (int)r->n };
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
static void print_row(const struct option_row *row, int indent, int column)
{
	const char *text = row->help;
	int used = printf("%*s", indent, ""), len;

	if (row->letter)
		used += printf("-%c%s", row->letter, row->name ? ", " : "");
	if (row->name)
		used += printf("--%s", row->name);
	if (row->value)
		used += printf(" %s", row->value);
	if (used >= column || *text == '\n') {
		putchar('\n');
		text += *text == '\n';
		used = 0;
	}
	for (;; text += len + 1) {
		len = strcspn(text, "\n");
		printf("%*s%.*s\n", column - used, "", len, text);
		used = 0;
		if (!text[len])
			return;
	}
}

static void options_print_help(const struct options_spec *spec, const struct rows *r)
{
	unsigned int i;

	fputs(spec->usage, stdout);
	for (i = 0; i < r->n; i++)
		print_row(r->row[i], spec->indent, spec->column ? spec->column : 20);
	fputs(spec->more, stdout);
}

/* @c: ':' or '?' of getopt_long(). */
static int complain_option(const struct options_spec *spec, int c, const char *word)
{
	const char letter[] = { '-', (char)optopt, '\0' };

	/* the letter may be in the middle of a word */
	if (spec->letter_only && c == '?' && optopt > 0 && optopt < FIRST_NUMBER)
		word = letter;
	message_report("%s%s: %s: see %s", spec->prefix ? spec->prefix : "", word,
		       c == ':' ? "needs a value" : "no such option", spec->see);
	return -EINVAL;
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
	int c, ret;

	strcpy(r.shorts, spec->stop ? "+:" : ":");
	add_rows(&r, spec->rows);
	add_rows(&r, spec->more_rows);
	opterr = 0;
	optind = 0;
	while ((c = getopt_long(argc, argv, r.shorts, r.longs, NULL)) != -1) {
		if (c == 'h') {
			options_print_help(spec, &r);
			return 1;
		}
		if (c == ':' || c == '?')
			return complain_option(spec, c, argv[optind - 1]);
		ret = options_apply(find_row(&r, c), to, optarg);
		if (ret == -ENOMEM)
			message_report_memory();
		if (ret)
			return ret;
	}
	return 0;
}

int options_choose(unsigned int *choice, const struct option_row *row, const char *const *names,
		  const char *text, const char *problem)
{
	unsigned int i;

	for (i = 0; names[i]; i++) {
		if (!strcmp(names[i], text)) {
			*choice = i;
			return 0;
		}
	}
	message_report("--%s %s: %s", row->name, text, problem);
	return -EINVAL;
}

/* SPDX-License-Identifier: GPL-2.0 */
/*
 * options.h - parse the options of a verb, and print its help, by one table
 */
#ifndef TRACECMD_BASE_OPTIONS_H
#define TRACECMD_BASE_OPTIONS_H

#include <limits.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/*
 * One option.  A table of options ends with a row of zeros.  A row with nothing but @help is the
 * title of the group that follows: What to count, When, Where, Output, Other.  Groups of two tables
 * with one title are one group.
 */
struct option_row {
	char letter;	   /* 'q' for -q, or 0 */
	const char *name;  /* "quiet" for --quiet, or NULL */
	/*
	 * The value as the help calls it; NULL: the option has no value.  "[=N]": the value may be
	 * left out, and is then NULL for @take.  A name with TIME, DURATION, INTERVAL or [UNIT] is
	 * a time, one with SIZE is a size: options_parse() then refuses a unit that is a word of
	 * its own, as in "-i 10 ms", because the unit would be a command or a file.
	 */
	const char *value;
	/*
	 * Apply the option to the options of the verb, @to.
	 * 0; -ENOMEM; another -errno after a message.
	 * NULL: the bool, or the const char * if the option has a value, at offset @arg of @to is
	 * set.
	 */
	int (*take)(void *to, const struct option_row *row, char *value);
	size_t arg;	   /* an offset in @to, or a number for @take */
	const char *help;  /* lines; a '\n' before the first one moves it below the option */
};

#define OPTION_GROUP(title) { 0, NULL, NULL, NULL, 0, title }
/* -h leaves out the options from here to the next group. */
#define OPTION_RARE { 0, NULL, NULL, NULL, 0, "" }

/*
 * The row of -h, --help and --help=all, which options_parse() handles.  -h leaves out those
 * after OPTION_RARE.  --help=all prints all, and so does --help if these are at most 40 lines.
 * Without OPTION_RARE the row is only "print this help".
 */
#define OPTION_HELP { 'h', "help", NULL, NULL, 0, \
	"print the common options; --help=all prints all options" }

struct options_spec {
	const char *verb;	  /* "report" */
	const char *usage, *more; /* of the help: before and after the options */
	const struct option_row *rows, *more_rows; /* @more_rows may be NULL */
	int indent, column; /* of the help: blanks before an option; of its text, 0: 20 */
	bool stop; /* at the first argument that is not an option */
	/* For each argument that is not an option, in order, up to "--".  NULL: the caller's. */
	const struct option_row *argument;
};

/*
 * options_parse - apply the options in @argv to @to; optind is then the first other argument
 * 0; 1 after the help was printed; -errno after a message.
 */
int options_parse(const struct options_spec *spec, void *to, int argc, char **argv);

/* Apply one option. */
int options_apply(const struct option_row *row, void *to, char *value);

/*
 * options_refuse - print the error "--NAME VALUE: PROBLEM"
 * @problem may have a hint (command.h).  Returns -EINVAL.
 */
int options_refuse(const struct option_row *row, const char *value, const char *problem);

/*
 * options_take_choice - option_row.take of an option with one of the words of @value, "a|b|c"
 * Sets the unsigned int at the offset @arg to the number of the word, from 0.
 */
int options_take_choice(void *to, const struct option_row *row, char *text);

/*
 * options_parse_quantiles - set @quantiles and *@n to the list in @value (lib/analysis/quantile.h)
 * For an option_row.take.  0, or -EINVAL after a message.
 */
int options_parse_quantiles(const struct option_row *row, const char *value, uint32_t *quantiles,
			    unsigned int *n);

/* The values of an option that may be repeated; free @words. */
struct option_words {
	const char **words;
	unsigned int n;
};

/* option_row.take: append @word to the struct option_words at the offset @arg. */
int options_take_word(void *to, const struct option_row *row, char *word);

/* option_row.take: append FIELD.log2[=K]|FIELD.buckets=N to the struct hist_buckets at @arg. */
int options_take_bucket(void *to, const struct option_row *row, char *text);

/* The row of --bucket; @arg: as of options_take_bucket(). */
#define OPTION_BUCKET(arg) { 0, "bucket", "FIELD.log2[=K]|FIELD.buckets=N", \
	options_take_bucket, arg, \
	"merge the buckets of the key FIELD into coarser ones; may\n" \
	"be given more than once" }

/* The choice of an option that was not given, if the program sets it before. */
#define OPTION_NOT_GIVEN UINT_MAX

#endif

// SPDX-License-Identifier: LGPL-2.1
/*
 * print_names.c - the names that the print fmt of an event has for the numbers of a field
 *
 * The arguments after the format string are expressions in C.  An argument names a field if it is a
 * text, uses only this field, and has __print_symbolic() or __print_flags().  "%s%s" without a
 * character between the conversions is one name in two arguments: "R" and "+".
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "lib/base/text.h"
#include "lib/event/print_args.h"
#include "lib/event/print_expr.h"
#include "lib/event/print_names.h"

/* The limit for hostile texts: kernels use at most 12 kB. */
#define TEXT_MAX (64u << 10)
/* The arguments that make one name. */
#define PARTS_MAX 4

struct part {
	char *text;
	size_t len;
};

struct hist_print_names {
	char *field;
	bool is_signed;
	struct part parts[PARTS_MAX];
	unsigned int nparts;
};

bool hist_print_names_put(const struct hist_print_names *names, uint64_t num,
			  struct hist_strbuf *b)
{
	size_t start = b->len;
	const struct print_number number = { names->field, names->is_signed, num };
	struct print_result result;
	unsigned int i;

	for (i = 0; i < names->nparts; i++)
		if (!print_expr_eval(names->parts[i].text, names->parts[i].len, &number, b,
				     &result) || result.is_unnamed)
			break;
	if (i == names->nparts && b->len > start)
		return true;
	b->len = start;
	return false;
}

/* True if the argument is a text that depends on the field.  *@has_list: it lists names. */
static bool print_names_fits(const struct hist_event_field *field, const struct print_arg *arg,
			     bool *has_list, struct hist_strbuf *scratch)
{
	const struct print_number number = { field->name, field->is_signed, 0 };
	struct print_result result = { 0 };
	bool fits;

	scratch->len = 0;
	fits = arg->len <= TEXT_MAX &&
	       print_expr_eval(arg->text, arg->len, &number, scratch, &result) && result.has_field;
	*has_list = result.has_list;
	return fits;
}

/* The first and the last argument of the name; false if there is none. */
static bool print_names_find(const struct hist_event_field *field, const struct print_args *all,
			     unsigned int *first, unsigned int *last, struct hist_strbuf *scratch)
{
	const struct print_arg *args = all->args;
	bool is_bool = !strcmp(field->ctype, "bool"), has_list;
	unsigned int i;

	for (i = 0; i < all->n; i++)
		if (args[i].conversion == 's' &&
		    print_names_fits(field, &args[i], &has_list, scratch) && (has_list || is_bool))
			break;
	*first = *last = i;
	if (i == all->n)
		return false;
	while (*last + 1 < all->n && *last - *first + 1 < PARTS_MAX &&
	       args[*last + 1].conversion == 's' && args[*last + 1].is_joined &&
	       print_names_fits(field, &args[*last + 1], &has_list, scratch))
		++*last;
	return true;
}

int hist_print_names_new(struct hist_print_names **result, const struct hist_event *event,
			 const struct hist_event_field *field)
{
	struct hist_strbuf scratch = { 0 };
	struct hist_print_names *names;
	struct print_args all;
	const struct print_arg *args = all.args;
	unsigned int first, last;
	int ret;

	if (!event->print_fmt || !hist_field_is_number(field))
		return -ENOENT;
	ret = print_args_read(&all, event->print_fmt, strlen(event->print_fmt));
	if (ret)
		return ret;
	ret = print_names_find(field, &all, &first, &last, &scratch) ? 0 : -ENOENT;
	/* text that did not fit into memory looks like an argument without names */
	if (scratch.error)
		ret = scratch.error;
	hist_strbuf_free(&scratch);
	if (ret)
		return ret;
	names = calloc(1, sizeof(*names));
	if (!names)
		return -ENOMEM;
	names->field = strdup(field->name);
	names->is_signed = field->is_signed;
	for (; first <= last; first++) {
		names->parts[names->nparts].text = strndup(args[first].text, args[first].len);
		names->parts[names->nparts].len = args[first].len;
		if (!names->parts[names->nparts++].text)
			break;
	}
	if (!names->field || first <= last) {
		hist_print_names_free(names);
		return -ENOMEM;
	}
	*result = names;
	return 0;
}

void hist_print_names_free(struct hist_print_names *names)
{
	if (!names)
		return;
	while (names->nparts--)
		free(names->parts[names->nparts].text);
	free(names->field);
	free(names);
}

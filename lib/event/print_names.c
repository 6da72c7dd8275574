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
#include "lib/event/print_expr.h"
#include "lib/event/print_names.h"

/* The limits for hostile texts: kernels use at most 35 arguments and 12 kB. */
#define ARGS_MAX 128
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

/* The conversions of the format string. */
struct conversions {
	unsigned int n;
	bool is_text[ARGS_MAX]; /* %s */
	bool is_joined[ARGS_MAX]; /* no character comes between the previous one and this one */
};

/* Read the format string at *@at into @format.  False if the arguments cannot be counted. */
static bool print_names_read_conversions(struct conversions *c, const char **at, const char *limit,
					 struct hist_strbuf *format)
{
	bool ok = print_expr_read_string(at, limit, format) && !format->error;
	const char *p = format->data, *end, *last = NULL;

	end = ok ? p + format->len : p;
	while (ok && p < end) {
		if (*p++ != '%')
			continue;
		if (p < end && *p == '%') {
			p++;
			continue;
		}
		ok = c->n < ARGS_MAX - 1;
		if (!ok)
			break;
		c->is_joined[c->n] = last && last == p - 1;
		/* the width and the precision of "%*.*s" are arguments */
		while (p < end && (text_is_digit(*p) || strchr("-+ #.hlLqjzt*", *p)) &&
		       c->n < ARGS_MAX - 1)
			c->n += *p++ == '*';
		ok = p < end;
		c->is_text[c->n++] = ok && *p == 's';
		p += ok;
		/* "%pI4": the letters after the p belong to the conversion */
		while (ok && p[-1] == 'p' && p < end && text_is_word(*p))
			p++;
		last = p;
	}
	return ok;
}

/* Split the arguments at their commas.  Returns their number. */
static unsigned int print_names_split(struct part *args, const char *p, const char *end)
{
	unsigned int n = 0, depth = 0;

	for (; p < end; p++) {
		if (*p == '"') {
			for (p++; p < end && *p != '"'; p++)
				p += *p == '\\' && p + 1 < end;
		} else if (strchr("([{", *p)) {
			depth++;
		} else if (strchr(")]}", *p)) {
			depth -= depth > 0;
		} else if (*p == ',' && !depth) {
			if (n)
				args[n - 1].len = p - args[n - 1].text;
			if (n == ARGS_MAX)
				return n;
			args[n++] = (struct part){ (char *)p + 1, 0 };
		}
	}
	if (n)
		args[n - 1].len = end - args[n - 1].text;
	return n;
}

/* True if the argument is a text that depends on the field.  *@has_list: it lists names. */
static bool print_names_fits(const struct hist_event_field *field, const struct part *arg,
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
static bool print_names_find(const struct hist_event_field *field, const struct conversions *c,
			     const struct part *args, unsigned int n, unsigned int *first,
			     unsigned int *last, struct hist_strbuf *scratch)
{
	bool is_bool = !strcmp(field->ctype, "bool"), has_list;
	unsigned int i;

	for (i = 0; i < n; i++)
		if (c->is_text[i] && print_names_fits(field, &args[i], &has_list, scratch) &&
		    (has_list || is_bool))
			break;
	*first = *last = i;
	if (i == n)
		return false;
	while (*last + 1 < n && *last - *first + 1 < PARTS_MAX && c->is_text[*last + 1] &&
	       c->is_joined[*last + 1] &&
	       print_names_fits(field, &args[*last + 1], &has_list, scratch))
		++*last;
	return true;
}

int hist_print_names_new(struct hist_print_names **result, const struct hist_event *event,
			 const struct hist_event_field *field)
{
	struct conversions conversions = { 0 };
	struct hist_strbuf scratch = { 0 };
	struct hist_print_names *names;
	struct part args[ARGS_MAX];
	unsigned int n, first, last;
	const char *at = event->print_fmt, *end;
	int ret = -ENOENT;

	if (!at || !hist_field_is_number(field))
		return -ENOENT;
	end = at + strlen(at);
	if (print_names_read_conversions(&conversions, &at, end, &scratch)) {
		n = print_names_split(args, at, end);
		n = n < conversions.n ? n : conversions.n;
		if (print_names_find(field, &conversions, args, n, &first, &last, &scratch))
			ret = 0;
	}
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

// SPDX-License-Identifier: LGPL-2.1
/*
 * print_names.c - the print fmt of an event: its arguments, and the names that it has for numbers
 *
 * The arguments after the format string are expressions in C.  An argument names a field if it is a
 * text, uses only this field, and has __print_symbolic() or __print_flags().  "%s%s" without a
 * character between the conversions is one name in two arguments: "R" and "+".
 *
 * An expression is not compiled: a recursive descent over the text computes the value for one
 * number.  The language is what kernels use around names: the operators of C except division,
 * casts, numbers, one field "REC->NAME", strings and the two lists.  Text goes to the output while
 * it is parsed, except in the branch of a condition that is not taken.  Callers ask once for each
 * number, and a text of 8 kB takes 20 us.
 *
 * Invariant: each step of a loop consumes text, and the recursion is limited, so hostile texts end.
 */
#include <errno.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "lib/base/strbuf.h"
#include "lib/base/text.h"
#include "lib/event/print_names.h"

/* The only field that the expression may use, and its number. */
struct print_number {
	const char *field;
	bool is_signed;
	uint64_t num; /* sign-extended if signed */
};

struct print_result {
	bool has_list; /* the text has __print_symbolic() or __print_flags() with a known number */
	bool has_field;	 /* the text uses the field */
	bool is_unnamed; /* a list does not have the number, so the output is not complete */
};

/* Kernels use at most 20 levels. */
#define DEPTH_MAX 200

/*
 * print_expr_read_string - read the string literals at *@at: "a" "b" is one string
 * @out: gets the characters; may be NULL.  False if a string does not end before @end.
 */
static bool print_expr_read_string(const char **at, const char *end, struct hist_strbuf *out)
{
	const char *p = *at;

	if (p == end || *p != '"')
		return false;
	while (p < end && *p == '"') {
		for (p++; p < end && *p != '"'; p++) {
			p += *p == '\\' && p + 1 < end;
			if (out)
				hist_strbuf_char(out, *p);
		}
		if (p == end)
			return false;
		/* "a" "b" is one string */
		for (*at = ++p; p < end && text_is_blank(*p); p++)
			;
	}
	return true;
}

struct value {
	bool is_text; /* it was written to the output */
	bool is_signed;
	uint64_t num;
};

/* The evaluation of one argument for one number. */
struct eval {
	const char *p, *end;
	const struct print_number *number;
	struct hist_strbuf *out;
	unsigned int mute; /* above 0 in a branch that is not taken: write nothing */
	unsigned int depth;
	bool failed;
	struct print_result result;
};

static struct value eval_choice(struct eval *e);

static struct value eval_fail(struct eval *e)
{
	e->failed = true;
	e->p = e->end;
	return (struct value){ .is_signed = true };
}

static void eval_skip_blanks(struct eval *e)
{
	while (e->p < e->end && text_is_blank(*e->p))
		e->p++;
}

static bool eval_take(struct eval *e, const char *token)
{
	eval_skip_blanks(e);
	if (!text_starts_with(e->p, e->end - e->p, token))
		return false;
	e->p += strlen(token);
	return true;
}

static void eval_expect(struct eval *e, const char *token)
{
	if (!eval_take(e, token))
		eval_fail(e);
}

/* The characters of a word at the current place; 0 if there is none. */
static size_t eval_word_len(struct eval *e)
{
	size_t len = 0;

	eval_skip_blanks(e);
	while (e->p + len < e->end && text_is_word(e->p[len]))
		len++;
	return len;
}

static void eval_string(struct eval *e, struct hist_strbuf *out)
{
	eval_skip_blanks(e);
	if (!print_expr_read_string(&e->p, e->end, out))
		eval_fail(e);
}

static struct value eval_number(struct eval *e)
{
	struct value v = { .is_signed = true };
	size_t len = eval_word_len(e), digits = len, i;
	unsigned int base = 10, digit;
	const char *s = e->p;

	/* the suffix: 1UL */
	while (digits && ((s[digits - 1] | 0x20) == 'u' || (s[digits - 1] | 0x20) == 'l'))
		v.is_signed &= (s[--digits] | 0x20) != 'u';
	i = 0;
	if (digits > 1 && s[0] == '0') {
		base = (s[1] | 0x20) == 'x' ? 16 : 8;
		i = base == 16 ? 2 : 1;
	}
	if (i == digits || digits - i > 22)
		return eval_fail(e);
	for (; i < digits; i++) {
		digit = text_is_digit(s[i]) ? s[i] - '0' : (s[i] | 0x20) - 'a' + 10;
		if (digit >= base)
			return eval_fail(e);
		v.num = v.num * base + digit;
	}
	v.is_signed &= v.num <= INT64_MAX;
	e->p += len;
	return v;
}

/* Convert to the type of a cast; other types have the size of a long or are structs. */
static struct value eval_convert(struct value v, const char *type, size_t len)
{
	static const struct {
		const char *name;
		unsigned int bits;
		bool is_signed;
	} types[] = {
		{ "char", 8, true },	{ "u8", 8, false },	       { "__u8", 8, false },
		{ "short", 16, true },	{ "u16", 16, false },	       { "__u16", 16, false },
		{ "int", 32, true },	{ "u32", 32, false },	       { "__u32", 32, false },
		{ "s32", 32, true },	{ "gfp_t", 32, false },	       { "fmode_t", 32, false },
		{ "unsigned", 32, false }, { "blk_opf_t", 32, false }, { "dev_t", 32, false },
	};
	unsigned int i, bits = 64;
	bool is_signed = false, is_long = memmem(type, len, "long", 4) || memchr(type, '*', len);
	size_t word;

	for (i = 0; !is_long && i < sizeof(types) / sizeof(*types); i++) {
		word = strlen(types[i].name);
		if (!text_ends_with(type, len, types[i].name) ||
		    (len > word && text_is_word(type[len - word - 1])))
			continue;
		bits = types[i].bits;
		is_signed = types[i].is_signed && !text_starts_with(type, len, "unsigned");
	}
	if (bits == 64) {
		v.is_signed = is_long && !text_starts_with(type, len, "unsigned");
		return v;
	}
	v.num <<= 64 - bits;
	v.num = is_signed ? (uint64_t)((int64_t)v.num >> (64 - bits)) : v.num >> (64 - bits);
	v.is_signed = is_signed;
	return v;
}

/* "( unsigned long)" after its '(': the type, and *@len bytes without blanks; NULL if no cast. */
static const char *eval_take_cast(struct eval *e, size_t *len)
{
	const char *end = e->p, *start;
	size_t word = eval_word_len(e);

	start = e->p;
	if (!word || text_is_digit(*start) || text_equals(start, word, "REC"))
		return NULL;
	while (end < e->end && (text_is_word(*end) || text_is_blank(*end) || *end == '*'))
		end++;
	if (end == e->end || *end != ')')
		return NULL;
	e->p = end + 1;
	while (text_is_blank(end[-1]))
		end--;
	*len = end - start;
	return start;
}

/* Pass the rest of an item whose number is not known, after the '{' at @start. */
static void eval_skip_item(struct eval *e, const char *start)
{
	e->failed = false;
	e->p = start;
	while (e->p < e->end && *e->p != '}') {
		if (*e->p != '"')
			e->p++;
		else if (!print_expr_read_string(&e->p, e->end, NULL))
			break;
	}
	eval_expect(e, "}");
}

/*
 * Take one {NUMBER, "NAME"} of a list.  False if the number is an expression that is not known,
 * such as an enum that the kernel has not replaced by its number: the item is passed.
 */
static bool eval_item(struct eval *e, uint64_t *num, struct hist_strbuf *name)
{
	unsigned int mute = e->mute, depth = e->depth;
	const char *start;
	struct value v;

	eval_expect(e, "{");
	start = e->p;
	v = eval_choice(e);
	eval_expect(e, ",");
	name->len = 0;
	eval_string(e, name);
	eval_expect(e, "}");
	*num = v.num;
	if (!e->failed && !v.is_text) {
		e->result.has_list = true;
		return true;
	}
	e->mute = mute;
	e->depth = depth;
	eval_skip_item(e, start);
	return false;
}

/* trace_print_symbols_seq(): the first item with the number. */
static void eval_symbolic(struct eval *e, uint64_t num, struct hist_strbuf *name)
{
	bool found = false;
	uint64_t item;

	while (!e->failed && eval_take(e, ",")) {
		if (!eval_item(e, &item, name) || item != num || found)
			continue;
		found = true;
		if (!e->mute)
			hist_strbuf_append(e->out, name);
	}
	e->result.is_unnamed |= !found && !e->mute;
}

/*
 * trace_print_flags_seq(): all items whose bits are set, and the other bits in hex.  The kernel
 * writes nothing for 0; libtraceevent writes the name of 0 if the list has it.
 */
static void eval_flags(struct eval *e, uint64_t num, struct hist_strbuf *name)
{
	struct hist_strbuf between = { 0 };
	uint64_t rest = num, mask;
	bool any = false;

	eval_expect(e, ",");
	eval_string(e, &between);
	while (!e->failed && eval_take(e, ",")) {
		if (!eval_item(e, &mask, name) ||
		    (rest ? (rest & mask) != mask : any || num || mask))
			continue;
		if (!e->mute) {
			if (any)
				hist_strbuf_append(e->out, &between);
			hist_strbuf_append(e->out, name);
		}
		rest &= ~mask;
		any = true;
	}
	if (any && rest && !e->mute) {
		hist_strbuf_append(e->out, &between);
		hist_strbuf_str(e->out, "0x");
		hist_strbuf_hex(e->out, rest);
	}
	e->result.is_unnamed |= !any && !e->mute;
	hist_strbuf_free(&between);
}

static struct value eval_list(struct eval *e, bool is_flags)
{
	struct hist_strbuf name = { 0 };
	struct value v;

	eval_expect(e, "(");
	v = eval_choice(e);
	if (v.is_text)
		eval_fail(e);
	else if (is_flags)
		eval_flags(e, v.num, &name);
	else
		eval_symbolic(e, v.num, &name);
	eval_expect(e, ")");
	hist_strbuf_fail(e->out, name.error);
	hist_strbuf_free(&name);
	return (struct value){ .is_text = true };
}

static struct value eval_word(struct eval *e)
{
	size_t len = eval_word_len(e);
	const char *word = e->p;

	e->p += len;
	if (text_equals(word, len, "__print_symbolic") ||
	    text_equals(word, len, "__print_symbolic_u64"))
		return eval_list(e, false);
	if (text_equals(word, len, "__print_flags") || text_equals(word, len, "__print_flags_u64"))
		return eval_list(e, true);
	if (!text_equals(word, len, "REC") || !eval_take(e, "->"))
		return eval_fail(e);
	len = eval_word_len(e);
	if (!text_equals(e->p, len, e->number->field))
		return eval_fail(e);
	e->p += len;
	e->result.has_field = true;
	return (struct value){ .is_signed = e->number->is_signed, .num = e->number->num };
}

static struct value eval_unary(struct eval *e)
{
	struct value v;
	const char *type;
	size_t len;

	eval_skip_blanks(e);
	if (e->p == e->end || e->depth == DEPTH_MAX)
		return eval_fail(e);
	e->depth++;
	if (*e->p == '"') {
		eval_string(e, e->mute ? NULL : e->out);
		v = (struct value){ .is_text = true };
	} else if (text_is_digit(*e->p)) {
		v = eval_number(e);
	} else if (text_is_word(*e->p)) {
		v = eval_word(e);
	} else if (eval_take(e, "(")) {
		type = eval_take_cast(e, &len);
		v = type ? eval_unary(e) : eval_choice(e);
		if (type && !v.is_text)
			v = eval_convert(v, type, len);
		else if (!type)
			eval_expect(e, ")");
	} else {
		char sign = *e->p++;

		v = eval_unary(e);
		if (v.is_text || !strchr("-~!+", sign))
			v = eval_fail(e);
		else if (sign == '!')
			v = (struct value){ .is_signed = true, .num = !v.num };
		else
			v.num = sign == '-' ? -v.num : sign == '~' ? ~v.num : v.num;
	}
	e->depth--;
	return v;
}

/* Binary operators; a longer one comes before its own beginning. */
static const struct {
	const char *token;
	unsigned int level;
} operators[] = {
	{ "||", 1 }, { "&&", 2 }, { "|", 3 },  { "^", 4 }, { "&", 5 }, { "==", 6 },
	{ "!=", 6 }, { "<<", 8 }, { ">>", 8 }, { "<=", 7 }, { ">=", 7 }, { "<", 7 },
	{ ">", 7 },  { "+", 9 },  { "-", 9 },  { "*", 10 },
};

static uint64_t eval_compare(const char *op, struct value a, struct value b)
{
	bool less = a.is_signed && b.is_signed ? (int64_t)a.num < (int64_t)b.num : a.num < b.num;
	bool same = a.num == b.num;

	switch (op[0]) {
	case '=':
		return same;
	case '!':
		return !same;
	case '<':
		return less || (op[1] && same);
	default:
		return !less && (op[1] || !same);
	}
}

static struct value eval_operate(const char *op, struct value a, struct value b)
{
	struct value v = { .is_signed = a.is_signed && b.is_signed };

	switch (op[0]) {
	case '|':
		v.num = op[1] ? a.num || b.num : a.num | b.num;
		break;
	case '&':
		v.num = op[1] ? a.num && b.num : a.num & b.num;
		break;
	case '^':
		v.num = a.num ^ b.num;
		break;
	case '+':
		v.num = a.num + b.num;
		break;
	case '-':
		v.num = a.num - b.num;
		break;
	case '*':
		v.num = a.num * b.num;
		break;
	default:
		if (op[0] != op[1] || op[0] == '=')
			return (struct value){ .is_signed = true, .num = eval_compare(op, a, b) };
		v.is_signed = a.is_signed;
		if (b.num > 63)
			v.num = 0;
		else if (op[0] == '<')
			v.num = a.num << b.num;
		else
			v.num = a.is_signed ? (uint64_t)((int64_t)a.num >> b.num) : a.num >> b.num;
	}
	return v;
}

/* Operators of at least @level. */
static struct value eval_binary(struct eval *e, unsigned int level)
{
	struct value a = eval_unary(e), b;
	unsigned int i;

	for (;;) {
		eval_skip_blanks(e);
		for (i = 0; i < sizeof(operators) / sizeof(*operators); i++)
			if (text_starts_with(e->p, e->end - e->p, operators[i].token))
				break;
		if (i == sizeof(operators) / sizeof(*operators) || operators[i].level < level)
			return a;
		e->p += strlen(operators[i].token);
		b = eval_binary(e, operators[i].level + 1);
		if (a.is_text || b.is_text)
			return eval_fail(e);
		a = eval_operate(operators[i].token, a, b);
	}
}

/* "A ? B : C", or only "A". */
static struct value eval_choice(struct eval *e)
{
	struct value v = eval_binary(e, 1), yes, no;

	if (!eval_take(e, "?"))
		return v;
	if (v.is_text || e->depth == DEPTH_MAX)
		return eval_fail(e);
	e->depth++;
	e->mute += !v.num;
	yes = eval_choice(e);
	e->mute -= !v.num;
	eval_expect(e, ":");
	e->mute += !!v.num;
	no = eval_choice(e);
	e->mute -= !!v.num;
	e->depth--;
	return yes.is_text != no.is_text ? eval_fail(e) : v.num ? yes : no;
}

/*
 * print_expr_eval - write the text of the expression @text for @number to @out
 * False: the expression is not a text, or has a constant, a function or a field that is not known.
 * The output is then not complete.  An item of a list whose number is not known is passed.  Errors
 * of memory are kept in @out.
 */
static bool print_expr_eval(const char *text, size_t len, const struct print_number *number,
			    struct hist_strbuf *out, struct print_result *result)
{
	struct eval e = { .p = text, .end = text + len, .number = number, .out = out };
	struct value v = eval_choice(&e);

	eval_skip_blanks(&e);
	*result = e.result;
	return !e.failed && e.p == e.end && v.is_text;
}

/*
 * Read the conversion after the '%' before *@at, and move *@at to its end.  False if it has none.
 */
static bool print_args_read_conversion(struct print_args *a, const char **at, const char *end)
{
	const char *p = *at;
	struct print_arg *arg;
	size_t len = 0;

	/* the width and the precision of "%*.*s" are arguments */
	while (p < end && (text_is_digit(*p) || strchr("-+ #.hlLqjzt*", *p)) &&
	       a->n < PRINT_ARGS_MAX - 1)
		a->n += *p++ == '*';
	if (p == end)
		return false;
	arg = &a->args[a->n++];
	arg->conversion = *p++;
	/* "%pI4": the letters after the p belong to the conversion */
	for (; arg->conversion == 'p' && p < end && text_is_word(*p); p++) {
		if (len < sizeof(arg->more) - 1)
			arg->more[len++] = *p;
	}
	*at = p;
	return true;
}

/* Read the conversions of the format string at *@at.  False if the arguments cannot be counted. */
static bool print_args_read_format(struct print_args *a, const char **at, const char *limit,
				   struct hist_strbuf *format)
{
	const char *p, *end, *last = NULL;
	unsigned int first;

	if (!print_expr_read_string(at, limit, format) || format->error)
		return false;
	if (!format->len)
		return true;
	for (p = format->data, end = p + format->len; p < end;) {
		if (*p++ != '%')
			continue;
		if (p < end && *p == '%') {
			p++;
			continue;
		}
		if (a->n >= PRINT_ARGS_MAX - 1)
			return false;
		first = a->n;
		a->args[first].is_joined = last && last == p - 1;
		if (!print_args_read_conversion(a, &p, end))
			return false;
		last = p;
	}
	return true;
}

/* Split the arguments at their commas.  Returns their number. */
static unsigned int print_args_split(struct print_args *a, const char *p, const char *end)
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
				a->args[n - 1].len = p - a->args[n - 1].text;
			if (n == PRINT_ARGS_MAX)
				return n;
			a->args[n++].text = p + 1;
		}
	}
	if (n)
		a->args[n - 1].len = end - a->args[n - 1].text;
	return n;
}

int print_args_read(struct print_args *a, const char *text, size_t len)
{
	struct hist_strbuf format = { 0 };
	const char *at = text, *end = text + len;
	unsigned int n;
	int ret;

	memset(a, 0, sizeof(*a));
	if (print_args_read_format(a, &at, end, &format)) {
		n = print_args_split(a, at, end);
		a->n = n < a->n ? n : a->n;
	} else {
		a->n = 0;
	}
	ret = format.error;
	hist_strbuf_free(&format);
	return ret;
}

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

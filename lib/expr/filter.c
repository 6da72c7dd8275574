// SPDX-License-Identifier: LGPL-2.1
/*
 * filter.c - parse the kernel's event filters into a tree
 *
 * Recursive descent: or := and {"||" and}, and := not {"&&" not}, not := {"!"} ("(" or ")" |
 * comparison).  The nesting depth is limited, so that a hostile text cannot overflow the stack.  A
 * loop parses a chain of && or ||; its tree is left-leaning.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "lib/expr/expr_parts.h"
#include "lib/expr/filter.h"

/* A limit for the nesting; the kernel's only limit is the 4095 bytes of a trigger. */
#define DEPTH_MAX 200

/* More than a trigger can have; this also limits the recursion over chains. */
#define LENGTH_MAX 4095

/* MAX_FILTER_STR_VAL, and num_buf[] of parse_pred(); both include the NUL. */
#define STRING_ROOM 256
#define NUMBER_ROOM 24

struct filter_parser {
	const char *text, *at, *end;
	size_t start;
	unsigned int depth;
	struct hist_error *error;
};

static const char *const op_names[] = {
	[HIST_FILTER_GLOB] = "~", [HIST_FILTER_NE] = "!=",  [HIST_FILTER_EQ] = "==",
	[HIST_FILTER_LE] = "<=",  [HIST_FILTER_LT] = "<",   [HIST_FILTER_GE] = ">=",
	[HIST_FILTER_GT] = ">",	  [HIST_FILTER_BAND] = "&",
};

#define OPERATORS "==, !=, <, <=, >, >=, &, ~"

#define N_OPS (sizeof(op_names) / sizeof(*op_names))

const char *hist_filter_op_name(enum hist_filter_op op)
{
	return (size_t)op < N_OPS ? op_names[op] : "";
}

static bool is_alnum(char c)
{
	return text_is_digit(c) || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

static void filter_skip_blanks(struct filter_parser *p)
{
	while (p->at < p->end && text_is_blank(*p->at))
		p->at++;
}

static bool next_is(const struct filter_parser *p, const char *word)
{
	return text_starts_with(p->at, p->end - p->at, word);
}

static size_t filter_find_place(const struct filter_parser *p, const char *s)
{
	return p->start + (s - p->text);
}

/* The word at @s for a message and its caret: up to a blank, at least one byte. */
static size_t word_len(const struct filter_parser *p, const char *s)
{
	const char *e = s;

	while (e < p->end && !text_is_blank(*e))
		e++;
	return e - s;
}

static struct hist_filter *filter_new_node(const struct filter_parser *p,
					   enum hist_filter_kind kind,
					   const char *s)
{
	struct hist_filter *node = calloc(1, sizeof(*node));

	if (node) {
		node->kind = kind;
		node->span = (struct hist_span){ filter_find_place(p, s), p->at - s };
	}
	return node;
}

static int filter_set_value(struct hist_filter *node, const char *s, size_t len)
{
	node->value = strndup(s, len);
	return node->value ? 0 : -ENOMEM;
}

static int parse_string(struct filter_parser *p, struct hist_filter *node)
{
	const char *open = p->at, *close = memchr(open + 1, *open, p->end - open - 1);

	if (!close)
		return hist_expr_error_set(p->error, filter_find_place(p, open), 1, "no closing %c",
					   *open);
	node->type = HIST_FILTER_STRING;
	node->quote = *open;
	p->at = close + 1;
	if (close - open - 1 >= STRING_ROOM)
		return hist_expr_error_set(
			p->error, filter_find_place(p, open), p->at - open,
			"the string is longer than the kernel's limit of %u bytes",
			STRING_ROOM - 1);
	return filter_set_value(node, open + 1, close - open - 1);
}

/* CPUS{...}; hist_check_filter() checks the list. */
static int filter_parse_cpus(struct filter_parser *p, struct hist_filter *node)
{
	const char *s = p->at, *open = s + strlen("CPUS"), *close;

	if (open == p->end || *open != '{') {
		hist_expr_error_set(p->error, filter_find_place(p, s), strlen("CPUS"),
				    "no \"{\" after CPUS");
		return hist_expr_error_hint(p->error, "write CPUS{LIST}, such as CPUS{0-3,8}");
	}
	close = memchr(open, '}', p->end - open);
	if (!close)
		return hist_expr_error_set(p->error, filter_find_place(p, open), 1, "no closing }");
	node->type = HIST_FILTER_CPUS;
	p->at = close + 1;
	return filter_set_value(node, open + 1, close - open - 1);
}

static int parse_function(struct filter_parser *p, struct hist_filter *node)
{
	const char *s = p->at;

	node->type = HIST_FILTER_FUNCTION;
	while (p->at < p->end && (text_is_digit(*s) ? is_alnum(*p->at) : !text_is_blank(*p->at)))
		p->at++;
	if (p->at == s)
		return hist_expr_error_set(p->error, filter_find_place(p, s), 0,
					   "no function after \"%s\"",
					   op_names[node->op]);
	if (p->at[-1] == ')') {
		hist_expr_error_set(p->error, filter_find_place(p, s), p->at - s,
				    "\"%.*s\" is not a function",
				    HIST_SHOW(p->at - s), s);
		return hist_expr_error_hint(p->error, "put a space before \")\"");
	}
	return filter_set_value(node, s, p->at - s);
}

static int filter_parse_number(struct filter_parser *p, struct hist_filter *node)
{
	const char *s = p->at, *digits = *s == '-' ? s + 1 : s;
	uint64_t number;

	for (p->at = digits; p->at < p->end && is_alnum(*p->at); p->at++)
		;
	node->type = HIST_FILTER_NUMBER;
	if (p->at - s >= NUMBER_ROOM || !hist_expr_parse_number(digits, p->at - digits, &number))
		return hist_expr_error_set(p->error, filter_find_place(p, s), p->at - s,
					   "\"%.*s\" is not a number",
					   HIST_SHOW(p->at - s), s);
	return filter_set_value(node, s, p->at - s);
}

static int parse_value(struct filter_parser *p, struct hist_filter *node)
{
	const char *s;
	size_t len;
	int ret;

	filter_skip_blanks(p);
	s = p->at;
	len = word_len(p, s);
	if (node->type == HIST_FILTER_FUNCTION)
		ret = parse_function(p, node);
	else if (!len)
		ret = hist_expr_error_set(p->error, filter_find_place(p, s), 0,
					  "no value after \"%s\"",
					  op_names[node->op]);
	else if (next_is(p, "CPUS"))
		ret = filter_parse_cpus(p, node);
	else if (*s == '"' || *s == '\'')
		ret = parse_string(p, node);
	else if (text_is_digit(*s) || *s == '-')
		ret = filter_parse_number(p, node);
	else {
		hist_expr_error_set(p->error, filter_find_place(p, s), len,
				    "\"%.*s\" is not a number or a string in quotes",
				    HIST_SHOW(len), s);
		if (strchr("=&<>", *s))
			hist_expr_error_hint(p->error, "use one of: " OPERATORS);
		return -EINVAL;
	}
	node->value_span = (struct hist_span){ filter_find_place(p, s), p->at - s };
	return ret;
}

static int parse_operator(struct filter_parser *p, struct hist_filter *node)
{
	size_t len, i;

	for (i = 0; i < N_OPS; i++) {
		if (!next_is(p, op_names[i]))
			continue;
		len = strlen(op_names[i]);
		/* The kernel reads the first & of && as the operator and does not find a value. */
		if (next_is(p, "&&"))
			break;
		node->op = i;
		node->op_span = (struct hist_span){ filter_find_place(p, p->at), len };
		p->at += len;
		return 0;
	}
	len = word_len(p, p->at);
	if (!len || *p->at == ')' || next_is(p, "&&") || next_is(p, "||"))
		hist_expr_error_set(p->error, filter_find_place(p, p->at), len ? 1 : 0,
				    "no operator after \"%.*s\"", HIST_SHOW(strlen(node->field)),
				    node->field);
	else
		hist_expr_error_set(p->error, filter_find_place(p, p->at), len,
				    "\"%.*s\" is not an operator", HIST_SHOW(len), p->at);
	return hist_expr_error_hint(p->error,
				    "write FIELD OPERATOR VALUE with an operator of: " OPERATORS);
}

/* FIELD[.ustring][.function] OP VALUE */
static int parse_comparison(struct filter_parser *p, struct hist_filter **result)
{
	const char *s = p->at;
	struct hist_filter *node;
	size_t len;
	int ret;

	while (p->at < p->end && (is_alnum(*p->at) || *p->at == '_'))
		p->at++;
	if (p->at == s) {
		len = word_len(p, s);
		return hist_expr_error_set(p->error, filter_find_place(p, s), len,
					   len ? "\"%.*s\" is not a field" : "no field%.*s",
					   HIST_SHOW(len), s);
	}
	node = filter_new_node(p, HIST_FILTER_COMPARE, s);
	if (!node)
		return -ENOMEM;
	node->field_span = node->span;
	node->field = strndup(s, p->at - s);
	if (next_is(p, ".ustring")) {
		node->is_user_string = true;
		p->at += strlen(".ustring");
	}
	if (next_is(p, ".function")) {
		node->type = HIST_FILTER_FUNCTION;
		p->at += strlen(".function");
	} else {
		node->type = HIST_FILTER_NUMBER;
	}
	filter_skip_blanks(p);
	ret = node->field ? parse_operator(p, node) : -ENOMEM;
	if (!ret)
		ret = parse_value(p, node);
	if (ret) {
		hist_filter_free(node);
		return ret;
	}
	node->span.len = p->at - s;
	*result = node;
	return 0;
}

static int parse_or(struct filter_parser *p, struct hist_filter **result);

static int parse_parentheses(struct filter_parser *p, struct hist_filter **result)
{
	const char *open = p->at++;
	int ret;

	if (++p->depth > DEPTH_MAX)
		return hist_expr_error_set(p->error, filter_find_place(p, open), 1,
					   "more than %d nested parentheses",
					   DEPTH_MAX);
	ret = parse_or(p, result);
	if (ret)
		return ret;
	p->depth--;
	filter_skip_blanks(p);
	if (p->at < p->end && *p->at == ')') {
		p->at++;
		return 0;
	}
	hist_filter_free(*result);
	*result = NULL;
	if (p->at < p->end)
		return hist_expr_error_set(p->error, filter_find_place(p, p->at),
					   word_len(p, p->at),
					   "unexpected \"%.*s\"", HIST_SHOW(word_len(p, p->at)),
					   p->at);
	return hist_expr_error_set(p->error, filter_find_place(p, open), 1,
				   "\"(\" without \")\"");
}

static int parse_not(struct filter_parser *p, struct hist_filter **result)
{
	struct hist_filter *node;
	const char *s;
	bool not = false;
	int ret;

	filter_skip_blanks(p);
	s = p->at;
	/* two ! cancel each other */
	while (p->at < p->end && *p->at == '!' && !next_is(p, "!=") && !next_is(p, "!~")) {
		not = !not ;
		p->at++;
		filter_skip_blanks(p);
	}
	if (p->at < p->end && *p->at == '(')
		ret = parse_parentheses(p, result);
	else
		ret = parse_comparison(p, result);
	if (ret || !not )
		return ret;
	node = filter_new_node(p, HIST_FILTER_NOT, s);
	if (!node) {
		hist_filter_free(*result);
		*result = NULL;
		return -ENOMEM;
	}
	node->left = *result;
	*result = node;
	return 0;
}

/* OPERAND {@word OPERAND} */
static int parse_chain(struct filter_parser *p, struct hist_filter **result, const char *word,
		       enum hist_filter_kind kind,
		       int (*operand)(struct filter_parser *p, struct hist_filter **result))
{
	struct hist_filter *left, *node;
	const char *s;
	int ret;

	filter_skip_blanks(p);
	s = p->at;
	ret = operand(p, &left);
	while (!ret) {
		filter_skip_blanks(p);
		if (!next_is(p, word))
			break;
		p->at += strlen(word);
		node = filter_new_node(p, kind, s);
		if (!node) {
			ret = -ENOMEM;
		} else {
			node->left = left;
			left = node;
			ret = operand(p, &node->right);
			node->span.len = p->at - s;
		}
		if (ret)
			hist_filter_free(left);
	}
	if (!ret)
		*result = left;
	return ret;
}

static int parse_and(struct filter_parser *p, struct hist_filter **result)
{
	return parse_chain(p, result, "&&", HIST_FILTER_AND, parse_not);
}

static int parse_or(struct filter_parser *p, struct hist_filter **result)
{
	return parse_chain(p, result, "||", HIST_FILTER_OR, parse_and);
}

int hist_filter_parse(struct hist_filter **filter, const char *text, size_t len, size_t start,
		      struct hist_error *error)
{
	struct filter_parser p = {
		.text = text, .at = text, .end = text + len, .start = start, .error = error
	};
	int ret;

	if (len > LENGTH_MAX)
		return hist_expr_error_set(
			error, start, len,
			"the filter is longer than the kernel's limit of %u bytes", LENGTH_MAX);
	ret = parse_or(&p, filter);
	if (ret)
		return ret;
	filter_skip_blanks(&p);
	if (p.at == p.end)
		return 0;
	len = word_len(&p, p.at);
	hist_expr_error_set(error, filter_find_place(&p, p.at), len,
			    "unexpected \"%.*s\" in the filter",
			    HIST_SHOW(len), p.at);
	hist_expr_error_hint(error, *p.at == ')' ? "remove it, or add \"(\"" :
						   "join comparisons with && or ||");
	hist_filter_free(*filter);
	*filter = NULL;
	return -EINVAL;
}

static bool filter_read_cpu(const char **s, uint64_t last, uint64_t *n)
{
	const char *start = *s;

	if (**s == 'N') {
		(*s)++;
		*n = last;
		return true;
	}
	for (*n = 0; **s >= '0' && **s <= '9' && *n < HIST_FILTER_CPUS_MAX; (*s)++)
		*n = *n * 10 + (**s - '0');
	return *s > start;
}

bool hist_filter_parse_cpus(uint64_t *cpus, const char *s, unsigned int ncpus)
{
	uint64_t from, to, used, group, cpu, last = ncpus ? ncpus - 1 : HIST_FILTER_CPUS_MAX - 1;

	while (*s) {
		used = group = 1;
		if (!strncmp(s, "all", 3)) {
			s += 3;
			from = 0;
			to = last;
		} else {
			if (!filter_read_cpu(&s, last, &from))
				return false;
			to = from;
			if (*s == '-' && (s++, !filter_read_cpu(&s, last, &to)))
				return false;
		}
		if (*s == ':' &&
		    (s++, !filter_read_cpu(&s, last, &used) || *s++ != '/' ||
		     !filter_read_cpu(&s, last, &group)))
			return false;
		if (from > to || to >= HIST_FILTER_CPUS_MAX || !group || used > group)
			return false;
		for (cpu = from; cpus && cpu <= to; cpu++)
			if ((cpu - from) % group < used)
				cpus[cpu / 64] |= UINT64_C(1) << cpu % 64;
		if (*s && *s++ != ',')
			return false;
	}
	return true;
}

void hist_filter_free(struct hist_filter *filter)
{
	struct hist_filter *left;

	for (; filter; filter = left) {
		left = filter->left;
		hist_filter_free(filter->right);
		free(filter->field);
		free(filter->value);
		free(filter);
	}
}

static void print_comparison(struct hist_strbuf *b, const struct hist_filter *f)
{
	hist_strbuf_str(b, f->field);
	if (f->is_user_string)
		hist_strbuf_str(b, ".ustring");
	if (f->type == HIST_FILTER_FUNCTION)
		hist_strbuf_str(b, ".function");
	hist_strbuf_printf(b, " %s ", op_names[f->op]);
	if (f->type == HIST_FILTER_CPUS)
		hist_strbuf_str(b, "CPUS{");
	if (f->type == HIST_FILTER_STRING)
		hist_strbuf_char(b, f->quote);
	hist_strbuf_str(b, f->value);
	if (f->type == HIST_FILTER_STRING)
		hist_strbuf_char(b, f->quote);
	if (f->type == HIST_FILTER_CPUS)
		hist_strbuf_char(b, '}');
}

static bool ends_in_function(const struct hist_filter *filter)
{
	while (filter->kind != HIST_FILTER_COMPARE)
		filter = filter->kind == HIST_FILTER_NOT ? filter->left : filter->right;
	return filter->type == HIST_FILTER_FUNCTION;
}

static void print_operand(struct hist_strbuf *b, const struct hist_filter *filter,
			  const struct hist_filter *operand)
{
	bool needs = filter->kind == HIST_FILTER_NOT   ? operand->kind != HIST_FILTER_COMPARE
		     : filter->kind == HIST_FILTER_AND ? operand->kind == HIST_FILTER_OR
						       : false;

	/* a && (b && c) means the same without the parentheses, but parses to another tree. */
	if (operand == filter->right && operand->kind == filter->kind)
		needs = true;
	if (needs)
		hist_strbuf_char(b, '(');
	hist_filter_print(b, operand);
	if (needs)
		/* A ')' directly after a function's name would be part of the name. */
		hist_strbuf_str(b, ends_in_function(operand) ? " )" : ")");
}

void hist_filter_print(struct hist_strbuf *b, const struct hist_filter *filter)
{
	switch (filter->kind) {
	case HIST_FILTER_AND:
	case HIST_FILTER_OR:
		print_operand(b, filter, filter->left);
		hist_strbuf_str(b, filter->kind == HIST_FILTER_AND ? " && " : " || ");
		print_operand(b, filter, filter->right);
		break;
	case HIST_FILTER_NOT:
		hist_strbuf_char(b, '!');
		print_operand(b, filter, filter->left);
		break;
	case HIST_FILTER_COMPARE:
		print_comparison(b, filter);
		break;
	}
}

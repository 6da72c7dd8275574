// SPDX-License-Identifier: LGPL-2.1
/*
 * expr_tree.c - parse the tree of a value, a key or a variable's definition
 *
 * The algorithm is the kernel's: the last + or - anywhere is the root; without them the last * or /
 * is the root.  The texts left and right of the root are parsed in the same way.  A text whose
 * *last* minus is its first character is a -(...).  Operators are counted as they are found, root
 * first, and the fourth one is an error.  The recursion is therefore at most four deep, and errors
 * have the same positions as in the kernel.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "lib/expr/expr_parts.h"
#include "lib/expr/expr_tree.h"

#define OPERATORS_MAX 3

/* The operators from HIST_NODE_ADD on. */
static const char binary[] = "+-*/";

struct tree_parser {
	const char *text; /* the whole text */
	size_t start;	  /* position of the text */
	unsigned int operators;
	struct hist_error *error;
};

static int expr_tree_parse_operators(struct tree_parser *p, struct hist_node **node, const char *s,
				     size_t len);

static size_t expr_tree_find_place(const struct tree_parser *p, const char *s)
{
	return p->start + (s - p->text);
}

static struct hist_node *expr_tree_new_node(const struct tree_parser *p, enum hist_node_kind kind,
					    const char *s, size_t len)
{
	struct hist_node *node = calloc(1, sizeof(*node));

	if (node) {
		node->kind = kind;
		node->span = (struct hist_span){ expr_tree_find_place(p, s), len };
	}
	return node;
}

/* The last @op, except the '-' of .sym-offset. */
static const char *find_last(const char *s, size_t len, char op)
{
	const char *end = s + len, *last = NULL;

	while ((s = hist_expr_find_operator(s, end))) {
		if (*s == op)
			last = s;
		s++;
	}
	return last;
}

/* [SYSTEM.EVENT.]$NAME */
static int parse_variable(struct tree_parser *p, struct hist_node **result, const char *s,
			  size_t len)
{
	const char *dollar = memchr(s, '$', len), *end = s + len, *dot;
	struct hist_node *node;

	if (!hist_expr_is_word(dollar + 1, end - dollar - 1))
		return hist_expr_error_set(p->error, expr_tree_find_place(p, dollar), end - dollar,
					   "\"%.*s\" is not a variable", HIST_SHOW(end - dollar),
					   dollar);
	dot = memchr(s, '.', dollar - s);
	if (dollar > s && (!dot || dollar[-1] != '.' || dot == dollar - 1 ||
			   !hist_expr_is_word(s, dot - s) ||
			   !hist_expr_is_word(dot + 1, dollar - dot - 2))) {
		hist_expr_error_set(p->error, expr_tree_find_place(p, s), len,
				    "\"%.*s\" is not a variable",
				    HIST_SHOW(len), s);
		return hist_expr_error_hint(p->error, "write $NAME or SYS.EVENT.$NAME");
	}
	node = expr_tree_new_node(p, HIST_NODE_VARIABLE, s, len);
	if (!node)
		return -ENOMEM;
	node->name = strndup(dollar + 1, end - dollar - 1);
	if (dollar > s) {
		node->system = strndup(s, dot - s);
		node->event = strndup(dot + 1, dollar - dot - 2);
	}
	if (!node->name || (dollar > s && (!node->system || !node->event))) {
		hist_expr_tree_free(node);
		return -ENOMEM;
	}
	*result = node;
	return 0;
}

static int expr_tree_parse_number(struct tree_parser *p, struct hist_node **result, const char *s,
				  size_t len)
{
	struct hist_node *node;
	uint64_t number;

	if (!hist_expr_parse_number(s, len, &number))
		return hist_expr_error_set(p->error, expr_tree_find_place(p, s), len,
					   "\"%.*s\" is not a number", HIST_SHOW(len), s);
	node = expr_tree_new_node(p, HIST_NODE_NUMBER, s, len);
	if (!node)
		return -ENOMEM;
	node->number = number;
	*result = node;
	return 0;
}

static int expr_tree_parse_field(struct tree_parser *p, struct hist_node **result, const char *s,
				 size_t len)
{
	struct hist_field field;
	struct hist_node *node;
	int ret;

	ret = hist_expr_field_parse(&field, s, len, expr_tree_find_place(p, s),
				    HIST_ROLE_DEFINITION, p->error);
	if (ret)
		return ret;
	node = expr_tree_new_node(p, HIST_NODE_FIELD, s, len);
	if (node) {
		node->name = field.name;
		node->modifier = field.modifier;
		node->bucket = field.bucket;
		node->modifier_span = field.modifier_span;
		field.name = NULL;
		*result = node;
	}
	hist_expr_field_clear(&field);
	return node ? 0 : -ENOMEM;
}

static int parse_atom(struct tree_parser *p, struct hist_node **node, const char *s, size_t len)
{
	const char *paren = hist_expr_find_operator(s, s + len);

	/* The only operators left are parentheses. */
	if (paren) {
		hist_expr_error_set(p->error, expr_tree_find_place(p, paren), 1,
				    "unexpected \"%c\"", *paren);
		return hist_expr_error_hint(
			p->error, "use parentheses only in -(...) at the beginning");
	}
	if (*s >= '0' && *s <= '9')
		return expr_tree_parse_number(p, node, s, len);
	if (memchr(s, '$', len))
		return parse_variable(p, node, s, len);
	return expr_tree_parse_field(p, node, s, len);
}

static int expr_tree_refuse_operators(struct tree_parser *p, const char *s, size_t len)
{
	return hist_expr_error_set(p->error, expr_tree_find_place(p, s), len,
				   "the kernel accepts at most %u operators in an expression",
				   OPERATORS_MAX);
}

/* Parse -(...): @s begins with its only minus. */
static int parse_negation(struct tree_parser *p, struct hist_node **result, const char *s,
			  size_t len)
{
	struct hist_node *node;
	const char *close;
	int ret;

	if (++p->operators > OPERATORS_MAX)
		return expr_tree_refuse_operators(p, s, len);
	if (len < 2 || s[1] != '(') {
		hist_expr_error_set(p->error, expr_tree_find_place(p, s), 1,
				    "a minus sign at the beginning needs parentheses");
		return hist_expr_error_hint(p->error, "write -(...)");
	}
	close = find_last(s, len, ')');
	if (!close)
		return hist_expr_error_set(p->error, expr_tree_find_place(p, s + 1), 1,
					   "\"(\" without \")\"");
	if (close != s + len - 1) {
		hist_expr_error_set(p->error, expr_tree_find_place(p, s + 2), len - 2,
				    "only \"-\" can follow -(...)");
		return hist_expr_error_hint(
			p->error, "write the other operands first, or assign -(...) to a variable");
	}
	node = expr_tree_new_node(p, HIST_NODE_NEGATE, s, len);
	if (!node)
		return -ENOMEM;
	ret = expr_tree_parse_operators(p, &node->left, s + 2, close - s - 2);
	if (ret)
		hist_expr_tree_free(node);
	else
		*result = node;
	return ret;
}

static int parse_binary(struct tree_parser *p, struct hist_node **result, const char *s, size_t len,
			const char *op)
{
	const char *right = op + 1, *end = s + len;
	struct hist_node *node;
	int ret;

	p->operators++;
	if (op == s || right == end)
		return hist_expr_error_set(p->error, expr_tree_find_place(p, op), 1,
					   "no operand %s \"%c\"",
					   op == s ? "before" : "after", *op);
	node = expr_tree_new_node(p, HIST_NODE_ADD + (strchr(binary, *op) - binary), s, len);
	if (!node)
		return -ENOMEM;
	ret = expr_tree_parse_operators(p, &node->left, s, op - s);
	if (!ret)
		ret = expr_tree_parse_operators(p, &node->right, right, end - right);
	if (ret)
		hist_expr_tree_free(node);
	else
		*result = node;
	return ret;
}

static int expr_tree_parse_operators(struct tree_parser *p, struct hist_node **node, const char *s,
				     size_t len)
{
	const char *first, *second;

	if (p->operators > OPERATORS_MAX)
		return expr_tree_refuse_operators(p, s, len);
	if (!len)
		return hist_expr_error_set(p->error, expr_tree_find_place(p, s), 0,
					   "empty expression");
	first = find_last(s, len, '-');
	if (first == s)
		return parse_negation(p, node, s, len);
	second = find_last(s, len, '+');
	if (!first && !second) {
		first = find_last(s, len, '/');
		second = find_last(s, len, '*');
	}
	if (!first || (second && second > first))
		first = second;
	return first ? parse_binary(p, node, s, len, first) : parse_atom(p, node, s, len);
}

int hist_expr_tree_parse(struct hist_node **node, const char *text, size_t len, size_t start,
			 struct hist_error *error)
{
	struct tree_parser p = { .text = text, .start = start, .error = error };

	return expr_tree_parse_operators(&p, node, text, len);
}

void hist_expr_tree_print(struct hist_strbuf *b, const struct hist_node *node)
{
	switch (node->kind) {
	case HIST_NODE_FIELD:
		hist_strbuf_str(b, node->name);
		if (node->modifier == HIST_MOD_NONE)
			break;
		hist_strbuf_char(b, '.');
		hist_strbuf_str(b, hist_modifier_name(node->modifier));
		if (node->bucket) {
			hist_strbuf_char(b, '=');
			hist_strbuf_u64(b, node->bucket);
		}
		break;
	case HIST_NODE_VARIABLE:
		if (node->system)
			hist_strbuf_printf(b, "%s.%s.", node->system, node->event);
		hist_strbuf_char(b, '$');
		hist_strbuf_str(b, node->name);
		break;
	case HIST_NODE_NUMBER:
		hist_strbuf_u64(b, node->number);
		break;
	case HIST_NODE_NEGATE:
		hist_strbuf_str(b, "-(");
		hist_expr_tree_print(b, node->left);
		hist_strbuf_char(b, ')');
		break;
	default:
		hist_expr_tree_print(b, node->left);
		hist_strbuf_char(b, binary[node->kind - HIST_NODE_ADD]);
		hist_expr_tree_print(b, node->right);
	}
}

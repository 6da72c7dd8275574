// SPDX-License-Identifier: LGPL-2.1
/*
 * view_tree.c - bars of stacks: a call tree, callees below their callers
 *
 *   hitcount    share
 *         89   26.41%  do_idle
 *         60   17.80%    schedule_idle
 *                        schedule
 *         29    8.61%    cpuidle_idle_call
 *
 * A function with one callee, in which no stack ends, forms a chain with the callee.  The frames
 * of a chain are below each other, with one number.  The walk follows the links of the nodes
 * and does not recurse, because the depth of a hostile stack is not limited.
 *
 * Invariant: no line is wider than the style's width, except for numbers.
 */
#include <errno.h>
#include <inttypes.h>

#include "lib/label/label.h"
#include "lib/report/call_tree.h"
#include "lib/report/text/view_tree.h"
#include "lib/report/text_column.h"

#define FLUSH_AT (64u << 10)
#define NAME_LEAST 16

struct tree_view {
	FILE *f;
	const struct hist_view *view;
	const struct hist_view_style *style;
	struct call_tree tree;
	unsigned int number;
	struct hist_strbuf out, text;
};

static void put_name(struct tree_view *v, const struct call_node *node, unsigned int depth)
{
	unsigned int width = v->style->width, used = v->number + 2 + 2, indent = depth * 2, room;

	used += v->view->rows->has_shares ? 9 : 0;
	room = width > used + NAME_LEAST ? width - used : NAME_LEAST;
	/* limit the indentation, to keep room for names */
	if (indent > room / 2)
		indent = room / 2;
	hist_strbuf_fill(&v->out, ' ', indent);
	v->text.len = 0;
	hist_strbuf_str(&v->text, node->name);
	room -= indent;
	column_put(&v->out, &v->text, node->width, node->width < room ? node->width : room, false,
		   !v->style->utf8);
	hist_strbuf_char(&v->out, '\n');
}

static void put_numbers(struct tree_view *v, const struct call_node *node)
{
	const struct hist_rows *rows = v->view->rows;

	hist_strbuf_add(&v->out, "  ", 2);
	hist_strbuf_pad(&v->out, hist_u64_width(node->total), v->number);
	hist_strbuf_u64(&v->out, node->total);
	if (rows->has_shares) {
		hist_strbuf_add(&v->out, "  ", 2);
		hist_view_share(&v->out, node->total, rows->totals[rows->main_value]);
	}
	hist_strbuf_add(&v->out, "  ", 2);
}

/* The only child of @at, if no stack ends in @at and @at is not a root of the other keys. */
static uint32_t chained(const struct tree_view *v, uint32_t at)
{
	const struct call_node *node = &v->tree.nodes[at];
	const struct call_node *child;
	bool keys = hist_table_schema(v->view->table)->nkeys > 1;

	if (node->child == CALL_TREE_NONE || (keys && node->parent == 0))
		return CALL_TREE_NONE;
	child = &v->tree.nodes[node->child];
	return child->next == CALL_TREE_NONE && child->total == node->total ? node->child :
									    CALL_TREE_NONE;
}

static void print_tree(struct tree_view *v)
{
	const struct call_tree *t = &v->tree;
	unsigned int depth = 0, blanks = 2 + v->number + (v->view->rows->has_shares ? 9 : 0) + 2;
	uint32_t at = t->nodes[0].child, top, next;

	/* the depth of a node is not stored; a chain is one level */
	while (at != CALL_TREE_NONE && !v->out.error) {
		put_numbers(v, &t->nodes[at]);
		put_name(v, &t->nodes[at], depth);
		while ((next = chained(v, at)) != CALL_TREE_NONE) {
			at = next;
			hist_strbuf_fill(&v->out, ' ', blanks);
			put_name(v, &t->nodes[at], depth);
		}
		if (v->out.len >= FLUSH_AT)
			hist_strbuf_flush(&v->out, v->f);
		if (t->nodes[at].child != CALL_TREE_NONE) {
			at = t->nodes[at].child;
			depth++;
			continue;
		}
		while (at && t->nodes[at].next == CALL_TREE_NONE) {
			/* go to the first frame of the chain, then to its parent */
			for (top = t->nodes[at].parent; top && chained(v, top) == at;
			     top = t->nodes[top].parent)
				at = top;
			if (t->nodes[at].next != CALL_TREE_NONE)
				break;
			at = top;
			depth--;
		}
		at = at ? t->nodes[at].next : CALL_TREE_NONE;
	}
}

static void print_rest(struct tree_view *v)
{
	const struct hist_rows *rows = v->view->rows;
	const struct call_node rest = { .total = rows->rest[rows->main_value] };

	if (rows->total == rows->n)
		return;
	put_numbers(v, &rest);
	hist_strbuf_printf(&v->out, "(%" PRIu32 " more stacks)\n", rows->total - rows->n);
}

static void head(struct tree_view *v)
{
	const struct hist_rows *rows = v->view->rows;
	const char *name = hist_table_schema(v->view->table)->values[rows->main_value].name;
	unsigned int width = hist_u64_width(v->tree.nodes[0].total);

	v->text.len = 0;
	v->number = hist_escape(&v->text, name, strlen(name), v->style->utf8 ? 0 : HIST_ESCAPE_ASCII);
	v->number = v->number < width ? width : v->number;
	if (!rows->n)
		return;
	hist_strbuf_add(&v->out, "  ", 2);
	hist_strbuf_pad(&v->out, hist_escape_width(name, strlen(name),
						    v->style->utf8 ? 0 : HIST_ESCAPE_ASCII),
			v->number);
	hist_strbuf_append(&v->out, &v->text);
	hist_strbuf_str(&v->out, rows->has_shares ? "    share\n" : "\n");
}

bool hist_view_is_tree(const struct hist_view *view)
{
	const struct hist_schema *schema = hist_table_schema(view->table);
	int value = view->rows->main_value;

	return hist_schema_stack_key(schema) >= 0 && value >= 0 &&
	       hist_value_is_sum(schema->values[value].kind);
}

int hist_view_tree(FILE *f, const struct hist_view *view, const struct hist_view_style *style)
{
	struct tree_view v = { .f = f, .view = view, .style = style };
	int ret;

	hist_view_header(&v.out, view, style);
	ret = call_tree_make(&v.tree, view, style->utf8 ? 0 : HIST_ESCAPE_ASCII);
	if (!ret) {
		head(&v);
		print_tree(&v);
		print_rest(&v);
		hist_view_totals(&v.out, view);
		ret = hist_strbuf_flush(&v.out, f);
		if (!ret)
			ret = v.text.error;
	}
	call_tree_free(&v.tree);
	hist_strbuf_free(&v.out);
	hist_strbuf_free(&v.text);
	return ret;
}

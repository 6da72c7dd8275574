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

#include "lib/base/text.h"
#include "lib/report/call_tree.h"
#include "lib/report/text/text_view.h"

#define NAME_LEAST 16

struct tree_view {
	struct text_view t;
	struct call_tree tree;
	unsigned int number; /* width of the sums */
	unsigned int used;   /* columns before the names */
};

static void view_tree_put_name(struct tree_view *v, uint32_t at, unsigned int depth)
{
	unsigned int width = v->t.style->width, indent = depth * 2, room;

	room = width > v->used + NAME_LEAST ? width - v->used : NAME_LEAST;
	/* limit the indentation, to keep room for names */
	if (indent > room / 2)
		indent = room / 2;
	hist_strbuf_fill(&v->t.out, ' ', indent);
	hist_strbuf_str(text_clear(&v->t), call_tree_name(&v->tree, at));
	room -= indent;
	text_column_put_title(&v->t.out, &v->t.text, room, !v->t.style->utf8);
	text_line(&v->t);
}

static void view_tree_put_numbers(struct tree_view *v, const struct call_node *node)
{
	hist_strbuf_add(&v->t.out, "  ", 2);
	text_u64(&v->t, node->total, v->number);
	text_share(&v->t, node->total);
	hist_strbuf_add(&v->t.out, "  ", 2);
}

/* The only child of @at, if no stack ends in @at and @at is not a root of the other keys. */
static uint32_t view_tree_find_chained(const struct tree_view *v, uint32_t at)
{
	const struct call_node *node = &v->tree.nodes[at];
	const struct call_node *child;
	bool keys = hist_table_schema(v->t.view->table)->nkeys > 1;

	if (node->child == CALL_TREE_NONE || (keys && node->parent == 0))
		return CALL_TREE_NONE;
	child = &v->tree.nodes[node->child];
	return child->next == CALL_TREE_NONE && child->total == node->total ? node->child :
									    CALL_TREE_NONE;
}

static void print_tree(struct tree_view *v)
{
	const struct call_tree *t = &v->tree;
	unsigned int depth = 0;
	uint32_t at = t->nodes[0].child, top, next;

	/* the depth of a node is not stored; a chain is one level */
	while (at != CALL_TREE_NONE && !v->t.out.error) {
		view_tree_put_numbers(v, &t->nodes[at]);
		view_tree_put_name(v, at, depth);
		while ((next = view_tree_find_chained(v, at)) != CALL_TREE_NONE) {
			at = next;
			hist_strbuf_fill(&v->t.out, ' ', v->used);
			view_tree_put_name(v, at, depth);
		}
		if (t->nodes[at].child != CALL_TREE_NONE) {
			at = t->nodes[at].child;
			depth++;
			continue;
		}
		while (at && t->nodes[at].next == CALL_TREE_NONE) {
			/* go to the first frame of the chain, then to its parent */
			for (top = t->nodes[at].parent; top && view_tree_find_chained(v, top) == at;
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
	const struct hist_rows *rows = v->t.view->rows;
	const struct call_node rest = { .total = rows->rest[rows->main_value] };

	if (rows->total == rows->n)
		return;
	view_tree_put_numbers(v, &rest);
	hist_strbuf_printf(&v->t.out, "(%" PRIu32 " more stack%s)\n", rows->total - rows->n,
			   text_plural(rows->total - rows->n));
}

static void view_tree_put_head(struct tree_view *v)
{
	const struct hist_rows *rows = v->t.view->rows;
	unsigned int width = text_name(&v->t, v->t.schema->values[rows->main_value].name);

	v->number = width;
	text_widen(&v->number, hist_strbuf_u64_width(v->tree.nodes[0].total));
	v->used = 2 + v->number + (rows->has_shares ? 9 : 0) + 2;
	if (!rows->n)
		return;
	text_column(&v->t, width, v->number, true);
	hist_strbuf_str(&v->t.out, rows->has_shares ? "    share\n" : "\n");
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
	struct tree_view v = { .t = text_begin(f, view, style) };
	int ret;

	hist_view_put_header(&v.t.out, view, style);
	hist_view_end_header(&v.t.out);
	ret = call_tree_make(&v.tree, view, v.t.flags);
	if (!ret) {
		view_tree_put_head(&v);
		print_tree(&v);
		print_rest(&v);
	}
	call_tree_free(&v.tree);
	return text_end(&v.t, ret);
}

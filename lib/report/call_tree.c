// SPDX-License-Identifier: LGPL-2.1
/*
 * call_tree.c - fold the stacks of a histogram into a call tree
 *
 * The outermost function is next to the root and callees are below their callers, as in
 * `perf report -g caller`.  Frames with the same function name are one node, regardless of
 * their offsets.  The other keys are a node above the stack, so each combination of them
 * has its own tree.  A hist_table finds a node by its parent and name.
 *
 * Invariant: the total of a node is at least the sum of its children.  The difference was
 * counted in stacks that end at the node.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "lib/base/array.h"
#include "lib/base/saturate.h"
#include "lib/label/label.h"
#include "lib/report/call_tree.h"

void call_tree_free(struct call_tree *t)
{
	free(t->nodes);
	hist_table_free(t->table);
	hist_strbuf_free(&t->text);
}

const char *call_tree_name(const struct call_tree *t, uint32_t at)
{
	size_t len;

	return hist_table_string(t->table, hist_table_cells(t->table, at)[1].str, &len);
}

/* Set *@at to its child with the name in t->text; add the child if it is new. */
static int call_tree_find_child(struct call_tree *t, uint32_t *at)
{
	struct hist_cell cells[2] = { { *at, HIST_NO_STRING }, { 0, HIST_NO_STRING } };
	uint32_t parent = *at;
	int ret = t->text.error;

	if (!ret)
		ret = hist_table_intern(t->table, t->text.len ? t->text.data : "", t->text.len,
					&cells[1].str);
	if (!ret)
		ret = hist_table_add(t->table, cells, at);
	if (ret || *at < t->n)
		return ret;
	ret = array_grow(&t->nodes, &t->room, (size_t)t->n + 1, sizeof(*t->nodes));
	if (!ret)
		t->nodes[t->n++] = (struct call_node){ parent, CALL_TREE_NONE, CALL_TREE_NONE, 0 };
	return ret;
}

static void call_tree_add_value(struct call_tree *t, uint32_t at, uint64_t value)
{
	t->nodes[at].total = saturating_add(t->nodes[at].total, value);
}

static int add_stack(struct call_tree *t, const struct hist_view *view, uint32_t entry,
		     unsigned int flags)
{
	const struct hist_schema *schema = hist_table_schema(view->table);
	const struct hist_cell *cells = hist_table_cells(view->table, entry);
	uint64_t v = hist_rows_amount(view->rows, view->table, view->snap, entry);
	int key = hist_schema_stack_key(schema), ret = 0;
	const char *s, *frame;
	size_t left, len, name;
	unsigned int i;
	uint32_t at = 0;

	call_tree_add_value(t, at, v);
	t->text.len = 0;
	for (i = 0; i < schema->nkeys; i++) {
		if ((int)i == key)
			continue;
		if (t->text.len)
			hist_strbuf_str(&t->text, " / ");
		hist_label_put(&t->text, view->table, i, &cells[i], flags);
	}
	if (schema->nkeys > 1) {
		ret = call_tree_find_child(t, &at);
		if (ret)
			return ret;
		call_tree_add_value(t, at, v);
	}
	s = hist_table_string(view->table, cells[key].str, &left);
	while (!ret && hist_label_last_frame(s, &left, &frame, &len)) {
		name = hist_label_symbol_len(frame, len);
		t->text.len = 0;
		hist_escape(&t->text, frame, name ? name : len, flags);
		ret = call_tree_find_child(t, &at);
		if (!ret)
			call_tree_add_value(t, at, v);
	}
	return ret;
}

static int by_parent(const void *a, const void *b, void *tree)
{
	const struct call_tree *t = tree;
	const struct call_node *x = &t->nodes[*(const uint32_t *)a];
	const struct call_node *y = &t->nodes[*(const uint32_t *)b];

	if (x->parent != y->parent)
		return x->parent < y->parent ? -1 : 1;
	if (x->total != y->total)
		return x->total < y->total ? -1 : 1;
	return -strcmp(call_tree_name(t, x - t->nodes), call_tree_name(t, y - t->nodes));
}

/* Link each node as the first child of its parent, smallest first: the list is largest first. */
static int link_nodes(struct call_tree *t)
{
	uint32_t *order = calloc(t->n, sizeof(*order)), i;

	if (!order)
		return -ENOMEM;
	for (i = 0; i < t->n; i++)
		order[i] = i;
	qsort_r(order + 1, t->n - 1, sizeof(*order), by_parent, t);
	for (i = 1; i < t->n; i++) {
		struct call_node *node = &t->nodes[order[i]];

		node->next = t->nodes[node->parent].child;
		t->nodes[node->parent].child = order[i];
	}
	free(order);
	return 0;
}

int call_tree_make(struct call_tree *t, const struct hist_view *view, unsigned int flags)
{
	const struct hist_schema schema = {
		.nkeys = 2,
		.keys = {
			{ .name = (char *)"parent", .kind = HIST_KEY_NUM },
			{ .name = (char *)"name", .kind = HIST_KEY_STRING },
		},
	};
	uint32_t row, root = CALL_TREE_NONE;
	int ret;

	t->table = hist_table_new(&schema);
	ret = t->table ? call_tree_find_child(t, &root) : -ENOMEM;
	for (row = 0; row < view->rows->n && !ret; row++)
		ret = add_stack(t, view, view->rows->entries[row], flags);
	return ret ? ret : link_nodes(t);
}

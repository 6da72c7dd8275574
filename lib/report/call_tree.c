// SPDX-License-Identifier: LGPL-2.1
/*
 * call_tree.c - fold the stacks of a histogram into a call tree
 *
 * The outermost function is next to the root and callees are below their callers, as in
 * `perf report -g caller`.  Frames with the same function name are one node, regardless of
 * their offsets.  The other keys are a node above the stack, so each combination of them
 * has its own tree.  A hash index finds a node by its parent and name.
 *
 * Invariant: the total of a node is at least the sum of its children.  The difference was
 * counted in stacks that end at the node.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "lib/base/array.h"
#include "lib/base/hash.h"
#include "lib/base/saturate.h"
#include "lib/label/label.h"
#include "lib/report/bar_groups.h"
#include "lib/report/call_tree.h"

void call_tree_free(struct call_tree *t)
{
	uint32_t i;

	for (i = 0; i < t->n; i++)
		free(t->nodes[i].name);
	free(t->nodes);
	free(t->index.slots);
	hist_strbuf_free(&t->text);
}

/* Add a node, but not to the index. */
static int add_node(struct call_tree *t, uint32_t parent, const char *name, unsigned int width)
{
	struct call_node *node;

	if (array_grow(&t->nodes, &t->room, (size_t)t->n + 1, sizeof(*t->nodes)))
		return -ENOMEM;
	node = &t->nodes[t->n];
	*node = (struct call_node){
		.name = strdup(name),
		.width = width,
		.parent = parent,
		.child = CALL_TREE_NONE,
		.next = CALL_TREE_NONE,
	};
	if (!node->name)
		return -ENOMEM;
	t->n++;
	return 0;
}

/* Set *@at to its child with the name in t->text; add the child if it is new. */
static int descend(struct call_tree *t, uint32_t *at, unsigned int width)
{
	uint32_t hash, i;
	int ret;

	hash = hash_mix(hash_bytes(t->seed, t->text.data, t->text.len), *at);
	hist_strbuf_char(&t->text, '\0');
	if (t->text.error)
		return t->text.error;
	for (i = hash & t->index.mask; t->index.slots; i = (i + 1) & t->index.mask) {
		const struct hash_slot *slot = &t->index.slots[i];

		if (!slot->number)
			break;
		if (slot->hash == hash && t->nodes[slot->number - 1].parent == *at &&
		    !strcmp(t->nodes[slot->number - 1].name, t->text.data)) {
			*at = slot->number - 1;
			return 0;
		}
	}
	ret = hash_index_reserve(&t->index, 1);
	if (!ret)
		ret = add_node(t, *at, t->text.data, width);
	if (ret)
		return ret;
	t->nodes[t->n - 1].hash = hash;
	hash_index_put(&t->index, (struct hash_slot){ t->n, hash });
	*at = t->n - 1;
	return 0;
}

static void count(struct call_tree *t, uint32_t at, uint64_t value)
{
	t->nodes[at].total = saturating_add(t->nodes[at].total, value);
}

/* Offsets of the frames.  Frames arrive innermost first and are added in reverse order. */
struct frames {
	struct { const char *s; size_t len; } *at;
	uint32_t n, room;
};

static int split(struct frames *f, const char *s, size_t left)
{
	const char *frame, *plus;
	size_t len;

	f->n = 0;
	while (hist_stack_frame(&s, &left, &frame, &len)) {
		if (array_grow(&f->at, &f->room, (size_t)f->n + 1, sizeof(*f->at)))
			return -ENOMEM;
		plus = memmem(frame, len, "+0x", 3);
		f->at[f->n].s = frame;
		f->at[f->n++].len = plus && plus > frame ? (size_t)(plus - frame) : len;
	}
	return 0;
}

static int add_stack(struct call_tree *t, const struct hist_view *view, struct frames *f,
		     uint32_t entry, unsigned int flags)
{
	const struct hist_schema *schema = hist_table_schema(view->table);
	const struct hist_cell *cells = hist_table_cells(view->table, entry);
	uint64_t v = bar_groups_amount(view, entry);
	int key = hist_schema_stack_key(schema), ret;
	unsigned int i, width;
	uint32_t at = 0, n;
	const char *s;
	size_t len;

	count(t, at, v);
	t->text.len = 0;
	for (i = 0, width = 0; i < schema->nkeys; i++) {
		if ((int)i == key)
			continue;
		if (width) {
			hist_strbuf_str(&t->text, " / ");
			width += 3;
		}
		width += hist_label(&t->text, view->table, i, &cells[i], flags);
	}
	if (schema->nkeys > 1) {
		ret = descend(t, &at, width);
		if (ret)
			return ret;
		count(t, at, v);
	}
	s = hist_table_string(view->table, cells[key].str, &len);
	ret = split(f, s, len);
	for (n = f->n; n && !ret; n--) {
		t->text.len = 0;
		width = hist_escape(&t->text, f->at[n - 1].s, f->at[n - 1].len, flags);
		ret = descend(t, &at, width);
		if (!ret)
			count(t, at, v);
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
	return -strcmp(x->name, y->name);
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
	struct frames f = { 0 };
	uint32_t row;
	int ret;

	t->seed = hash_seed(t);
	ret = add_node(t, CALL_TREE_NONE, "", 0);
	for (row = 0; row < view->rows->n && !ret; row++)
		ret = add_stack(t, view, &f, view->rows->entries[row], flags);
	free(f.at);
	return ret ? ret : link_nodes(t);
}

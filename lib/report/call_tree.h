/* SPDX-License-Identifier: LGPL-2.1 */
/*
 * call_tree.h - fold the stacks of a histogram into a call tree
 */
#ifndef LIB_REPORT_CALL_TREE_H
#define LIB_REPORT_CALL_TREE_H

#include "lib/analysis/snapshot_view.h"

#define CALL_TREE_NONE UINT32_MAX

/* A stack frame below its caller.  A root is the label of the keys other than the stack. */
struct call_node {
	uint32_t parent, child, next; /* or CALL_TREE_NONE; children are linked largest first */
	uint64_t total;		      /* including all nodes below; saturates */
};

/* Begin with all zero. */
struct call_tree {
	struct call_node *nodes; /* node 0 is the parent of all roots; it does not have a name */
	uint32_t n, room;
	struct hist_table *table; /* entry N has the parent and the name of node N */
	struct hist_strbuf text;
};

/* call_tree_make - build the tree.  @flags: of hist_label_put().  Returns 0, -ENOMEM or -E2BIG. */
int call_tree_make(struct call_tree *t, const struct hist_view *view, unsigned int flags);
void call_tree_free(struct call_tree *t);

/* The name of node @at, escaped. */
const char *call_tree_name(const struct call_tree *t, uint32_t at);

#endif

/* SPDX-License-Identifier: LGPL-2.1 */
/*
 * call_tree.h - the stacks of a histogram folded into a tree
 */
#ifndef LIB_REPORT_CALL_TREE_H
#define LIB_REPORT_CALL_TREE_H

#include "lib/analysis/snapshot_view.h"
#include "lib/base/hash_index.h"

#define CALL_TREE_NONE UINT32_MAX

/* A frame, under those that called it; or the other keys, which are the roots. */
struct call_node {
	char *name; /* escaped */
	unsigned int width;
	uint32_t hash;
	uint32_t parent, child, next; /* CALL_TREE_NONE: none.  Children: largest first */
	uint64_t total;		      /* with those below; saturates */
};

/* Begin with all zero. */
struct call_tree {
	struct call_node *nodes; /* node 0 is above all roots, without a name */
	uint32_t n, room;
	struct hash_index index;
	uint64_t seed;
	struct hist_strbuf text;
};

/* @flags: of hist_label().  -ENOMEM. */
int call_tree_make(struct call_tree *t, const struct hist_view *view, unsigned int flags);
void call_tree_free(struct call_tree *t);

#endif

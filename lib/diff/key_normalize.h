/* SPDX-License-Identifier: LGPL-2.1 */
/*
 * key_normalize.h - the keys of several recordings under common names
 *
 * Addresses and process ids differ from boot to boot and from run to run; names
 * do not.  All recordings of a histogram go into one table, whose cells are what
 * a key is called:
 *
 *   symbols	    the name; behind it the offset for .sym-offset, unless left out
 *   stacks	    the names of the frames, without offsets
 *   tasks	    the comm; pids fall together
 *   system calls   the name
 *   numbers, log2, buckets, strings	as they are
 *
 * Functions return 0 or -errno.
 */
#ifndef LIB_DIFF_KEY_NORMALIZE_H
#define LIB_DIFF_KEY_NORMALIZE_H

#include "lib/base/strbuf.h"
#include "lib/hist/table.h"

struct hist_match;

/* @offsets: false where the recordings come from kernels that were built anew. */
struct hist_match *hist_match_new(const struct hist_schema *schema, bool offsets);
void hist_match_free(struct hist_match *m);

/* Its schema has the kinds of what is in the cells; the axis stays what it was. */
const struct hist_table *hist_match_table(const struct hist_match *m);

/* The entry for @cells of @from.  -ENOMEM, -E2BIG. */
int hist_match_entry(struct hist_match *m, const struct hist_table *from,
		     const struct hist_cell *cells, uint32_t *entry);

/*
 * hist_match_is_address - does a cell of the common table show an address?
 * A number in the upper half of the kernel's address space, or a symbol that had no name.
 */
bool hist_match_is_address(const struct hist_match *m, unsigned int key,
			   const struct hist_cell *cell);

/*
 * hist_match_strip - a label without what a compiler or the kernel makes up anew
 * Behind symbols .isra.N, .constprop.N, .part.N, .cold[.N], .llvm.N, .lto_priv.N;
 * the number of a worker in "kworker/2:1" becomes "kworker/2:*".
 */
void hist_match_strip(struct hist_strbuf *b, const char *label, size_t len);

#endif

/* SPDX-License-Identifier: LGPL-2.1 */
/*
 * key_normalize.h - map the keys of several recordings to common names
 *
 * Addresses and process ids differ from boot to boot and from run to run; names do not.
 * All recordings of a histogram go into one table, which has these cells:
 *
 *   symbols	    the name; with the offset for .sym-offset, unless @offsets is false
 *   stacks	    the names of the frames, without offsets
 *   tasks	    the comm; all pids of a comm are one key
 *   system calls   the name
 *   numbers with names	    the name, if all recordings have names (key_names.h); "sda" of "8:0 sda"
 *   other numbers, log2, buckets, strings	unchanged
 *
 * Functions return 0 or -errno.
 */
#ifndef LIB_DIFF_KEY_NORMALIZE_H
#define LIB_DIFF_KEY_NORMALIZE_H

#include "lib/base/strbuf.h"
#include "lib/hist/table.h"

struct hist_key_normalizer;

/*
 * @offsets: keep offsets of symbols; false if the kernels are different builds.
 * @by_name: a bit for each plain number that is matched by its name.
 */
struct hist_key_normalizer *hist_key_normalize_new(const struct hist_schema *schema, bool offsets,
						   unsigned int by_name);
void hist_key_normalize_free(struct hist_key_normalizer *m);

/* The common table.  Its schema has the kinds of the common cells; the axis is unchanged. */
const struct hist_table *hist_key_normalize_table(const struct hist_key_normalizer *m);

/* Find or add the entry for @cells of @from.  Returns 0, -ENOMEM or -E2BIG. */
int hist_key_normalize_entry(struct hist_key_normalizer *m, const struct hist_table *from,
			     const struct hist_cell *cells, uint32_t *entry);

/*
 * hist_key_normalize_is_address - true if a cell of the common table is an address
 * An address is a number in the kernel's part of the address space, or a symbol without a name.
 */
bool hist_key_normalize_is_address(const struct hist_key_normalizer *m, unsigned int key,
				   const struct hist_cell *cell);

/*
 * hist_key_normalize_label - write a label without the parts that differ between builds and runs
 * Removes the suffixes .isra.N, .constprop.N, .part.N, .cold[.N], .llvm.N, .lto_priv.N of
 * symbols.  The number of a worker is replaced: "kworker/2:1" becomes "kworker/2:*".
 */
void hist_key_normalize_label(struct hist_strbuf *b, const char *label, size_t len);

#endif

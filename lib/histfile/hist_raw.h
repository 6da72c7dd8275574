/* SPDX-License-Identifier: LGPL-2.1 */
/*
 * hist_raw.h - read a `hist_raw` file: histograms in binary form
 *
 * Kernels with the patches of kernel-patches/ have this file next to `hist`.  Their
 * include/uapi/linux/trace_hist.h describes the layout; the file contains its own sizes and
 * offsets.  The contents are read into the same table and snapshot as the text (hist_text.h), with
 * the same keys, so that recordings of both look the same; stacks are the names of their frames.
 * Names with line breaks, braces and blanks at the end are unambiguous in this file, unlike in the
 * text.  Only if names of other keys are learned from the text, blanks at the end are removed, so
 * that both find the same entries.
 *
 * The file has addresses and numbers of system calls without their names.  A name is never
 * invented: each name is learned from the text, which must be read again if a new address or number
 * appears.  After some time, no new ones appear.
 */
#ifndef LIB_HISTFILE_HIST_RAW_H
#define LIB_HISTFILE_HIST_RAW_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "lib/base/error.h"
#include "lib/event/kallsyms.h"
#include "lib/hist/table.h"

/* One snapshot of all histograms of an event. */
struct hist_raw {
	const unsigned char *data; /* not owned */
	size_t size;
	size_t first;		/* offset of the first histogram */
	unsigned int long_size; /* of the kernel: 4 or 8 */
	bool big_endian;	/* of the kernel */
	uint64_t timestamp;	/* time of the snapshot, on @clock */
	char clock[17];
};

/* One histogram of the file.  The members below "trigger_len" are for the reader. */
struct hist_raw_block {
	const char *trigger; /* as the text prints it, without [active]; points into the data */
	size_t trigger_len;
	bool paused;
	const unsigned char *data;
	uint64_t size, id, resets, hits, dropped;
	uint32_t nentries, entry_size, nfields, field_size, fields, comm, entries;
};

/*
 * hist_raw_open - check a whole file and read its header
 * @data: must outlive @raw.
 * The function checks all sizes and offsets that lead from one part to another.
 * 0; -EBADMSG: not such a file, or truncated; -ENOTSUP: another version.
 */
int hist_raw_open(struct hist_raw *raw, const void *data, size_t len);

/*
 * hist_raw_next_block - read the histogram at *@pos and move *@pos after it
 * The order is that of the blocks of the text.  Begin with 0; false at the end.
 */
bool hist_raw_next_block(const struct hist_raw *raw, size_t *pos, struct hist_raw_block *block);

struct hist_raw_reader;

/* @table: receives the keys; not owned, must outlive the reader.  NULL if out of memory. */
struct hist_raw_reader *hist_raw_reader_new(struct hist_table *table);
void hist_raw_reader_free(struct hist_raw_reader *reader);

/*
 * Can histograms of this schema be read from such a file?  False if the rows have saved values,
 * which only the text has.
 */
bool hist_raw_can_read(const struct hist_schema *schema);

/*
 * hist_raw_read - read one histogram into a snapshot
 * @symbols: the kernel's symbols, for stacks; NULL if there are none.
 *
 * The function fills the same members and flags of @snap as hist_text_parse().  If RESET is set,
 * clear table and snapshot and read the block again.  AMBIGUOUS: blanks at the end of a name
 * were removed.
 *
 * Returns 0, or:
 * -ENOENT: names must be learned.  Parse the text into the same table and snapshot
 * (hist_text_parse()); the result is this snapshot.
 * -EADDRNOTAVAIL: @symbols do not have an address, or never agree with the text.  Try newer
 * symbols; otherwise read the text from now on.
 * In these two cases @snap is unchanged, and entries may have been added.
 * -EBADMSG: the file does not fit the schema (@error, which may be NULL, is the reason); -ENOMEM,
 * -E2BIG.
 */
int hist_raw_read(struct hist_raw_reader *reader, const struct hist_kallsyms *symbols,
		  const struct hist_raw *raw, const struct hist_raw_block *block,
		  struct hist_snapshot *snap, struct hist_error *error);

/*
 * hist_raw_note_text - note that the snapshot was made from the text
 * The text is of another moment than the last block read by this reader.  Only the values in the
 * snapshot can then show whether the histogram was cleared since.
 */
void hist_raw_note_text(struct hist_raw_reader *reader);

#endif

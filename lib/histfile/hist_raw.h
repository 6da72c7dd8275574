/* SPDX-License-Identifier: LGPL-2.1 */
/*
 * hist_raw.h - read a `hist_raw` file: histograms as they are in the kernel
 *
 * Kernels with the patches of kernel-patches/ have it beside `hist`.  Its
 * layout is told in their include/uapi/linux/trace_hist.h, and tells its own
 * sizes and offsets.  What is read of it goes into the same table and snapshot
 * as the text (hist_text.h), under the same keys, so that nobody can tell
 * recordings of either apart: blanks at the end of a string are lost as in the
 * text's columns, and stacks are the names of their frames.  What the text
 * cannot tell apart (names with line breaks and braces) is told apart here.
 *
 * The file has addresses and numbers of system calls without their names.  A
 * name is never made up: each is learnt from the text, which is to be read
 * once more when a new one turns up.  After some time that is never.
 */
#ifndef LIB_HISTFILE_HIST_RAW_H
#define LIB_HISTFILE_HIST_RAW_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "lib/event/kallsyms.h"
#include "lib/hist/table.h"

/* One snapshot of all histograms of an event. */
struct hist_raw {
	const unsigned char *data; /* not owned */
	size_t size;
	size_t first;		/* offset of the first histogram */
	unsigned int long_size; /* of the kernel: 4 or 8 */
	bool swap;		/* of the other byte order than this machine */
	uint64_t timestamp;	/* when it was taken, on @clock */
	char clock[17];
};

/* One histogram in it.  What is below "trigger_len" is for the reader. */
struct hist_raw_block {
	const char *trigger; /* as the text prints it, without [active]; in the data */
	size_t trigger_len;
	bool paused;
	const unsigned char *data;
	uint64_t size, id, resets, hits, dropped;
	uint32_t nentries, entry_size, nfields, field_size, fields, comm, entries;
};

/*
 * hist_raw_open - the bytes of a whole file
 * @data: must outlive @raw.  Every size and offset that leads from one part to
 * another is checked here.  -EBADMSG: not such a file, or cut; -ENOTSUP: of
 * another version.
 */
int hist_raw_open(struct hist_raw *raw, const void *data, size_t len);

/*
 * hist_raw_next - the histogram at *@pos, which moves behind it
 * In the order of the text's blocks.  Begin with 0; false at the end.
 */
bool hist_raw_next(const struct hist_raw *raw, size_t *pos, struct hist_raw_block *block);

struct hist_raw_reader;

/* @table: where keys go; not owned, must outlive the reader.  NULL without memory. */
struct hist_raw_reader *hist_raw_reader_new(struct hist_table *table);
void hist_raw_reader_free(struct hist_raw_reader *reader);

/*
 * May histograms of this schema be read from such a file?  Not where rows have
 * saved values, which only the text has.
 */
bool hist_raw_can_read(const struct hist_schema *schema);

/*
 * hist_raw_read - one histogram into a snapshot
 * @symbols: of the kernel, for stacks; NULL: there are none.
 * As hist_text_parse(): the same fields and flags of @snap are filled, RESET as
 * well, after which table and snapshot are to be cleared and the block read
 * again.  AMBIGUOUS is never set.
 * -ENOENT: there are names to be learnt: parse the text into the same table and
 * snapshot (hist_text_parse()), which then is this snapshot.
 * -EADDRNOTAVAIL: @symbols do not have an address, or never agree with the
 * text: newer symbols may, else read the text from now on.
 * In both cases @snap is as it was, and entries may have been added.
 * -EBADMSG: not what fits the schema (hist_raw_error() says what); -ENOMEM, -E2BIG.
 */
int hist_raw_read(struct hist_raw_reader *reader, const struct hist_symbols *symbols,
		  const struct hist_raw *raw, const struct hist_raw_block *block,
		  struct hist_snapshot *snap);

/*
 * The snapshot was made of the text: it is of another moment than what was read
 * here before, so that only what it holds tells whether somebody cleared it since.
 */
void hist_raw_pass_over(struct hist_raw_reader *reader);

/* After -EBADMSG: what was wrong; lives as long as the reader. */
const char *hist_raw_error(const struct hist_raw_reader *reader);

#endif

/* SPDX-License-Identifier: LGPL-2.1 */
/*
 * hist_text.h - read the text of a `hist` file
 *
 * The text has one block per hist trigger, in the order in which the triggers were set.  Keys are
 * parsed with the kernel's own print formats and column widths (kernel/trace/trace_events_hist.c).
 * The parser never searches for a closing brace, because a task or file may be named "} hitcount:
 * 5".  If a name is longer than its column, a row may have several readings.  The parser then
 * counts the row as ambiguous and uses the first reading.
 */
#ifndef LIB_HISTFILE_HIST_TEXT_H
#define LIB_HISTFILE_HIST_TEXT_H

#include <stddef.h>
#include <stdint.h>

#include "lib/base/error.h"
#include "lib/hist/table.h"

struct hist_text_block {
	const char *trigger; /* after "# trigger info:", without [active]; in the text */
	size_t trigger_len;
	const char *rows; /* first row, or the "Totals:" part if there are no rows */
	const char *end;  /* one past the block */
	int paused;	  /* [paused] */
};

/*
 * hist_text_next_block - find the next block at or after *@pos
 * @pos: offset into @text, moved after the block; begin with 0.
 * Returns 1 with *@block filled, 0 at the end, -EBADMSG if the rest of the text is neither a block
 * nor empty.
 */
int hist_text_next_block(const char *text, size_t len, size_t *pos, struct hist_text_block *block);

struct hist_text_parser;

/* A block that has some of the rows of a histogram, in other buckets than the histogram. */
struct hist_text_part {
	/* of the block: as that of the table, but for one key; without HIST_KEY_UNKNOWN */
	struct hist_schema *schema;
	unsigned int key;	    /* that key, which has buckets in the table */
	/* a number that belongs to the bucket of a row, for the number in the block */
	uint64_t (*find_number)(const void *data, uint64_t num);
	const void *data;
};

/* @table: receives the keys; not owned, must outlive the parser. */
struct hist_text_parser *hist_text_parser_new(struct hist_table *table);

/*
 * The same for the blocks of @part, which must outlive the parser, too.  Blocks of different parts
 * must not have rows of one bucket.  Of the texts of save(), a bucket has the one with the largest
 * number.
 */
struct hist_text_parser *hist_text_parser_new_part(struct hist_table *table,
						   const struct hist_text_part *part);
void hist_text_parser_free(struct hist_text_parser *parser);

/*
 * hist_text_parse - parse one block into a snapshot
 * Fills hits, entries, dropped, nentries, values, taken and the AMBIGUOUS, PAUSED, RESET and TAKEN
 * flags of @snap.  Does not change seq, time, read_ns and missed.
 *
 * RESET is set if hits or a hitcount are less than before in @snap: another user cleared the
 * histogram.  Clear table and snapshot and parse again in this case.
 *
 * The kernel can print a key twice; the values of rows with the same key are added up.  The rows of
 * a part that belong to one bucket are one entry.  An entry of
 * the table that is not printed keeps its value in @snap, so pass the previous snapshot.  New
 * entries are added to the table.  On failure, added entries stay, and the values of @snap are
 * undefined.
 *
 * The kernel's text about the last snapshot() action becomes one line, a string of the table:
 * "triggering value { onmax($x) }: 7, triggered by event with key: { pid: 5 }".
 * 0; -EBADMSG: the text does not fit this schema (@error, which may be NULL, names the line);
 * -ENOMEM.
 */
int hist_text_parse(struct hist_text_parser *parser, const struct hist_text_block *block,
		    struct hist_snapshot *snap, struct hist_error *error);

#endif

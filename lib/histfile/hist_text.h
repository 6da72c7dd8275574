/* SPDX-License-Identifier: LGPL-2.1 */
/*
 * hist_text.h - read the text of a `hist` file
 *
 * The text holds one block a hist trigger, in the order the triggers were set.
 * Keys are read by the kernel's own print formats and column widths
 * (kernel/trace/trace_events_hist.c), never by searching for a closing brace:
 * a task or file may be named "} hitcount: 5".  Where names longer than their
 * column leave more than one reading, the row is counted as ambiguous and the
 * first reading is taken.
 */
#ifndef LIB_HISTFILE_HIST_TEXT_H
#define LIB_HISTFILE_HIST_TEXT_H

#include <stddef.h>
#include <stdint.h>

#include "lib/hist/table.h"

struct hist_text_block {
	const char *trigger; /* what "# trigger info:" says, without [active]; in the text */
	size_t trigger_len;
	const char *rows; /* first row, or the "Totals:" part when there is none */
	const char *end;  /* one past the block */
	int paused;	  /* [paused] */
};

/*
 * hist_text_next - the next block at or after *@pos
 * @pos: offset into @text, moved behind the block; begin with 0.
 * Returns 1 with *@block filled, 0 at the end, -EBADMSG where the text is
 * neither a block nor empty.
 */
int hist_text_next(const char *text, size_t len, size_t *pos, struct hist_text_block *block);

struct hist_text_parser;

/* @table: where keys go; not owned, must outlive the parser. */
struct hist_text_parser *hist_text_parser_new(struct hist_table *table);
void hist_text_parser_free(struct hist_text_parser *parser);

/*
 * hist_text_parse - one block into a snapshot
 * Fills hits, entries, dropped, nentries, values, taken and the AMBIGUOUS, PAUSED,
 * RESET and TAKEN flags of @snap; leaves seq, time, read_ns and missed alone.  RESET is
 * set when hits or a hitcount are less than what @snap held before: somebody
 * cleared the histogram.  Then clear table and snapshot, and parse again.  Rows of one
 * key, which the kernel can print twice, are added up.  An entry of the table
 * that is not printed keeps the value it has in @snap: pass the snapshot of
 * the read before.  Entries are added to the table; on failure those already
 * added stay, and the values of @snap are undefined.  What the kernel says of the last
 * snapshot() action becomes one line, a string of the table: "triggering value
 * { onmax($x) }: 7, triggered by event with key: { pid: 5 }".
 * -EBADMSG: not what the kernel prints for this schema (hist_text_error()
 * says where); -ENOMEM.
 */
int hist_text_parse(struct hist_text_parser *parser, const struct hist_text_block *block,
		    struct hist_snapshot *snap);

/* After -EBADMSG: what was wrong, with the line; lives as long as the parser. */
const char *hist_text_error(const struct hist_text_parser *parser);

#endif

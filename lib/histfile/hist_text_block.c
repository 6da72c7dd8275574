// SPDX-License-Identifier: LGPL-2.1
/*
 * hist_text_block.c - split a `hist` file into blocks, one for each trigger
 *
 * A block begins with its header and ends at the next header that follows a complete "Totals:"
 * part.  The totals are required so that a file name with a header line cannot start a block.
 */
#include <errno.h>
#include <string.h>

#include "lib/base/text.h"
#include "lib/histfile/hist_text.h"

static const char header[] = "# event histogram\n#\n# trigger info: ";

/* Between two blocks: three newlines, the first of which ends "Dropped: N". */
static const char *block_end(const char *at, const char *end)
{
	static const char gap[] = "\n\n\n# event histogram\n#\n# trigger info: ";
	const char *found, *c;

	while ((found = memmem(at, end - at, gap, sizeof(gap) - 1))) {
		for (c = found; c > at && c[-1] >= '0' && c[-1] <= '9'; c--)
			;
		if (c < found && c - at > 13 && !memcmp(c - 13, "    Dropped: ", 13))
			return found + 1;
		at = found + 1;
	}
	return end;
}

int hist_text_next_block(const char *text, size_t len, size_t *pos, struct hist_text_block *block)
{
	const char *at = text + *pos, *end = text + len, *nl;

	while (at < end && *at == '\n')
		at++;
	if (at == end)
		return 0;
	if (!text_starts_with(at, end - at, header))
		return -EBADMSG;
	at += sizeof(header) - 1;
	nl = memmem(at, end - at, "\n#\n\n", 4);
	if (!nl)
		return -EBADMSG;

	block->trigger = at;
	block->trigger_len = nl - at;
	block->paused = text_ends_with(at, nl - at, " [paused]");
	if (block->paused || text_ends_with(at, nl - at, " [active]"))
		block->trigger_len -= strlen(" [active]");
	block->rows = nl + 4;
	block->end = block_end(block->rows, end);
	*pos = block->end - text;
	return 1;
}

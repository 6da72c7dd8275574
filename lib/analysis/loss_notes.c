// SPDX-License-Identifier: LGPL-2.1
/*
 * loss_notes.c - what is missing in the numbers of a histogram, as sentences
 */
#include <inttypes.h>
#include <stdio.h>

#include "lib/analysis/loss_notes.h"
#include "lib/analysis/rows.h"
#include "lib/analysis/snapshot_view.h"
#include "lib/hist/table.h"
#include "lib/label/label.h"
#include "lib/series/series.h"

/* HIST_STACKTRACE_DEPTH, the same for kernels of 32 and 64 bits */
#define STACK_FRAMES_MAX 16

static unsigned int count_frames(const struct hist_table *table, uint32_t str)
{
	const char *frame, *s;
	unsigned int n = 0;
	size_t left, len;

	s = hist_table_string(table, str, &left);
	while (hist_stack_frame(&s, &left, &frame, &len))
		n++;
	return n;
}

uint64_t hist_full_stacks(const struct hist_table *table, const struct hist_rows *rows)
{
	const struct hist_schema *schema;
	const struct hist_cell *cells;
	uint64_t full = 0;
	unsigned int k;
	uint32_t i;

	if (!rows)
		return 0;
	schema = hist_table_schema(table);
	for (k = 0; k < schema->nkeys; k++) {
		if (schema->keys[k].kind != HIST_KEY_STACK)
			continue;
		for (i = 0; i < rows->n; i++) {
			cells = hist_table_cells(table, rows->entries[i]);
			full += count_frames(table, cells[k].str) >= STACK_FRAMES_MAX;
		}
	}
	return full;
}

static const char *plural(uint64_t n, const char *one, const char *many)
{
	return n == 1 ? one : many;
}

bool hist_loss_words(const struct hist_loss *loss, unsigned int i, char *buf, size_t len)
{
	if (loss->dropped && !i--) {
		snprintf(buf, len, "%" PRIu64 " %s dropped and in no row: the table was full, "
				   "record with a larger size=",
			 loss->dropped, plural(loss->dropped, "hit was", "hits were"));
		return true;
	}
	if (loss->events_lost && !i--) {
		snprintf(buf, len, "%" PRIu64 " %s lost, or more, before they could be counted: the "
				   "numbers may be too low",
			 loss->events_lost, plural(loss->events_lost, "event was", "events were"));
		return true;
	}
	if (loss->probe_misses && !i--) {
		snprintf(buf, len, "the probe missed %" PRIu64 " %s, which %s in no row",
			 loss->probe_misses, plural(loss->probe_misses, "hit", "hits"),
			 plural(loss->probe_misses, "is", "are"));
		return true;
	}
	if (loss->stopped && !i--) {
		snprintf(buf, len, HIST_STOPPED_WORDS);
		return true;
	}
	if (loss->resets && !i--) {
		snprintf(buf, len, "the histogram was cleared during the recording: the total is "
				   "what was counted since then");
		return true;
	}
	if (loss->missed && !i--) {
		snprintf(buf, len, "%" PRIu64 " %s due and not taken", loss->missed,
			 plural(loss->missed, "snapshot was", "snapshots were"));
		return true;
	}
	if (loss->lost && !i--) {
		snprintf(buf, len, "%" PRIu64 " %s not in the file, or damaged", loss->lost,
			 plural(loss->lost, "snapshot is", "snapshots are"));
		return true;
	}
	if (loss->ambiguous && !i--) {
		snprintf(buf, len, "names in the kernel's text could be read in more than one way: "
				   "some rows may be wrong");
		return true;
	}
	if (loss->full_stacks && !i--) {
		snprintf(buf, len, "%" PRIu64 " %s 16 frames, the most that the kernel keeps: outer "
				   "frames may be missing",
			 loss->full_stacks, plural(loss->full_stacks, "stack has", "stacks have"));
		return true;
	}
	if (loss->misses_unknown && !i--) {
		snprintf(buf, len, HIST_MISSES_UNKNOWN_WORDS);
		return true;
	}
	return false;
}

bool hist_damage_words(const struct hist_series_damage *damage, char *buf, size_t len)
{
	size_t at = 0;

	buf[0] = '\0';
	if (damage->truncated)
		at = snprintf(buf, len, "the file ends inside a section");
	else if (damage->unfinished)
		at = snprintf(buf, len, "the recording was interrupted, or is still going on");
	if (damage->bad_sections && at < len)
		at += snprintf(buf + at, len - at, "%s%" PRIu64 " damaged section%s",
			       at ? "; " : "", damage->bad_sections,
			       damage->bad_sections == 1 ? "" : "s");
	if (damage->lost_snapshots && at < len)
		at += snprintf(buf + at, len - at, "%s%" PRIu64 " snapshot%s lost by damage",
			       at ? "; " : "", damage->lost_snapshots,
			       damage->lost_snapshots == 1 ? "" : "s");
	return at != 0;
}

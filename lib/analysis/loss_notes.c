// SPDX-License-Identifier: LGPL-2.1
/*
 * loss_notes.c - what is missing in the numbers of a histogram, as sentences
 */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "lib/analysis/loss_notes.h"
#include "lib/analysis/rows.h"
#include "lib/analysis/snapshot_view.h"
#include "lib/base/text.h"
#include "lib/expr/kernel_features.h"
#include "lib/hist/table.h"
#include "lib/label/label.h"
#include "lib/series/series.h"

/* The user-space engine keeps as many frames on each kernel. */
static unsigned int loss_stack_frames(const struct hist_definition *def)
{
	return def->engine && !strcmp(def->engine, "kernel") ? hist_kernel_stack_frames(def->uname)
							     : HIST_STACK_FRAMES;
}

uint64_t hist_loss_count_full_stacks(const struct hist_definition *def,
				     const struct hist_table *table, const struct hist_rows *rows)
{
	unsigned int most = loss_stack_frames(def);
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
			full += hist_label_count_frames(table, &cells[k]) >= most;
		}
	}
	return full;
}

void hist_loss_add(struct hist_loss *loss, const struct hist_view *view)
{
	const struct hist_snapshot *snap = view->snap;
	unsigned int k;

	loss->dropped += snap->dropped;
	loss->missed += snap->missed;
	loss->events_lost += snap->events_lost;
	loss->probe_misses += snap->probe_misses;
	for (k = 0; k < HIST_LOSS_KINDS; k++)
		loss->kinds[k] += snap->losses[k];
	loss->stopped |= view->stopped;
	loss->misses_unknown |= (snap->flags & HIST_SNAP_MISSES_UNKNOWN) != 0;
	loss->lost += view->lost;
	loss->resets += view->reset || (snap->flags & HIST_SNAP_RESET);
	loss->ambiguous |= (snap->flags & HIST_SNAP_AMBIGUOUS) != 0;
}

bool hist_loss_has_hits(const struct hist_loss *loss)
{
	return loss->dropped || loss->events_lost || loss->probe_misses || loss->stopped ||
	       loss->resets || loss->lost || hist_loss_sum_hits(loss->kinds);
}

/* Write sentence number @i of the kinds of loss.h to @buf; false if there are only @n. */
static bool loss_format_kind(const struct hist_loss *loss, unsigned int i, unsigned int *n,
			     char *buf, size_t len)
{
	const struct hist_loss_traits *traits;
	unsigned int k;

	*n = 0;
	for (k = 0; k < HIST_LOSS_KINDS; k++) {
		traits = hist_loss_traits(k);
		if (!loss->kinds[k] || !traits->one)
			continue;
		if ((*n)++ < i)
			continue;
		snprintf(buf, len, "%" PRIu64 " %s", loss->kinds[k],
			 loss->kinds[k] == 1 ? traits->one : traits->many);
		return true;
	}
	return false;
}

bool hist_loss_format(const struct hist_loss *loss, unsigned int i, char *buf, size_t len)
{
	/* "BEFORE N ONE/MANY AFTER", or only @before for losses without a number */
	const struct {
		uint64_t n;
		const char *before, *one, *many, *after;
	} notes[] = {
		{ loss->dropped, "", "hit was dropped and is", "hits were dropped and are",
		  "not in any row: the table was full" },
		{ loss->dropped, "hint: " HIST_LOSS_DROPPED_HINT, NULL, NULL, NULL },
		{ loss->events_lost, "", "or more events were", "or more events were",
		  "lost before they were counted: the numbers may be too low" },
		{ loss->probe_misses, "the probe missed ", "hit, which is", "hits, which are",
		  "not in any row" },
		{ loss->stopped, HIST_LOSS_STOPPED, NULL, NULL, NULL },
		{ loss->resets, HIST_LOSS_CLEARED("the recording"), NULL, NULL, NULL },
		{ loss->missed, "", "snapshot was", "snapshots were", "due but not taken" },
		{ loss->lost, "", "snapshot is", "snapshots are",
		  "missing in the file or damaged" },
		{ loss->ambiguous, HIST_LOSS_AMBIGUOUS, NULL, NULL, NULL },
		{ loss->full_stacks, "", "stack reaches", "stacks reach", "the maximum number of "
		  "frames: outer frames may be missing" },
		{ loss->misses_unknown, HIST_LOSS_MISSES_UNKNOWN, NULL, NULL, NULL },
	};
	unsigned int k, n;

	if (loss_format_kind(loss, i, &n, buf, len))
		return true;
	i -= n;
	for (k = 0; k < sizeof(notes) / sizeof(*notes); k++) {
		if (!notes[k].n || i--)
			continue;
		if (notes[k].one)
			snprintf(buf, len, "%s%" PRIu64 " %s %s", notes[k].before, notes[k].n,
				 notes[k].n == 1 ? notes[k].one : notes[k].many, notes[k].after);
		else
			snprintf(buf, len, "%s", notes[k].before);
		return true;
	}
	return false;
}

bool hist_loss_format_damage(const struct hist_series_damage *damage, char *buf, size_t len)
{
	uint64_t bad = damage->bad_sections, refused = damage->refused_sections;
	char newer[160];
	size_t at = 0;

	buf[0] = '\0';
	bad = bad > refused ? bad - refused : 0;
	if (damage->truncated)
		at = snprintf(buf, len, "the file is truncated");
	else if (damage->unfinished)
		at = snprintf(buf, len, "the recording was interrupted or is still running");
	if (hist_series_format_refused(damage, newer, sizeof(newer)) && at < len)
		at += snprintf(buf + at, len - at, "%s%s", at ? "; " : "", newer);
	if (bad && at < len)
		at += snprintf(buf + at, len - at, "%s%" PRIu64 " damaged section%s",
			       at ? "; " : "", bad, text_plural(bad));
	if (damage->lost_snapshots && at < len)
		at += snprintf(buf + at, len - at, "%s%" PRIu64 " snapshot%s lost%s",
			       at ? "; " : "", damage->lost_snapshots,
			       text_plural(damage->lost_snapshots), refused ? "" : " to damage");
	return at != 0;
}

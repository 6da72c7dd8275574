// SPDX-License-Identifier: LGPL-2.1
/*
 * records.c - the facts of a snapshot and of a file, for csv and ndjson
 */
#include <string.h>

#include "lib/analysis/loss_notes.h"
#include "lib/report/data/records.h"

unsigned int records_long_snapshot_flags(const struct hist_view *view,
					 struct records_fact flags[LONG_FLAGS])
{
	const struct hist_snapshot *snap = view->snap;

	flags[0] = (struct records_fact){ "reset", view->reset || snap->flags & HIST_SNAP_RESET };
	flags[1] = (struct records_fact){ "paused", (snap->flags & HIST_SNAP_PAUSED) != 0 };
	flags[2] = (struct records_fact){ "stopped", view->stopped };
	flags[3] = (struct records_fact){ "ambiguous", (snap->flags & HIST_SNAP_AMBIGUOUS) != 0 };
	flags[4] = (struct records_fact){ "set-up", view->extent == HIST_EXTENT_SINGLE };
	return LONG_FLAGS;
}

unsigned int records_get_snapshot_facts(const struct hist_view *view,
					struct records_fact facts[RECORDS_FACTS_MAX])
{
	const struct hist_snapshot *snap = view->snap;
	uint64_t full_stacks = hist_loss_count_full_stacks(view->table, view->rows);
	const struct records_fact all[] = {
		{ "hits", snap->hits },
		{ "entries", snap->entries },
		{ "total_rows", view->rows->total },
		{ "dropped", snap->dropped },
		{ "missed", snap->missed },
		{ "lost", view->lost },
	};
	unsigned int n = sizeof(all) / sizeof(*all);

	memcpy(facts, all, sizeof(all));
	n += records_long_snapshot_flags(view, facts + n);
	if (view->difference && !view->from_nothing)
		facts[n++] = (struct records_fact){ "from_hits", view->from_hits };
	/* only recordings that the kernel did not count can lose events */
	if (snap->events_lost)
		facts[n++] = (struct records_fact){ "events_lost", snap->events_lost };
	if (snap->flags & HIST_SNAP_MISSES)
		facts[n++] = (struct records_fact){ "probe_misses", snap->probe_misses };
	if (full_stacks)
		facts[n++] = (struct records_fact){ "full_stacks", full_stacks };
	return n;
}

unsigned int records_get_file_facts(const struct hist_series_damage *damage,
				    struct records_fact facts[RECORDS_FACTS_MAX])
{
	facts[0] = (struct records_fact){ "unfinished", damage->unfinished };
	facts[1] = (struct records_fact){ "truncated", damage->truncated };
	facts[2] = (struct records_fact){ "bad_sections", damage->bad_sections };
	facts[3] = (struct records_fact){ "lost_snapshots", damage->lost_snapshots };
	return 4;
}

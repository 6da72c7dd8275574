// SPDX-License-Identifier: GPL-2.0
/*
 * panel_notes.c - sentences about missing or uncertain data in figures
 *
 * Each loss is reported once. Snapshots that are missing in the window are usually part
 * of the damage of the file. If any is missing, the note about the window also says how
 * many are missing in the whole file, and the note about the file does not mention them.
 */
#include <errno.h>
#include <inttypes.h>
#include <string.h>

#include "kernelshark-plugin/model/panel_data_private.h"
#include "lib/analysis/loss_notes.h"
#include "lib/analysis/snapshot_view.h"

/* Losses in the whole file: gaps in the sequence numbers of this histogram, or the damage. */
static uint64_t lost_in_all(const struct panel_data *f, const struct hist_series_damage *damage)
{
	const struct recorded_hist *h = &f->query.recording->hists[f->query.hist];
	uint64_t gaps = 0;
	uint32_t i;

	for (i = 0; i < h->n; i++)
		gaps += h->snapshots[i].lost;
	return gaps > damage->lost_snapshots ? gaps : damage->lost_snapshots;
}

static int note_lost(struct panel_data *f, struct hist_series_damage *damage)
{
	const struct hist_loss loss = { .lost = f->view.lost };
	uint64_t all = lost_in_all(f, damage);
	char words[256];
	size_t len;

	if (!hist_loss_format(&loss, 0, words, sizeof(words)))
		return 0;
	len = strlen(words);
	if (all > loss.lost)
		snprintf(words + len, sizeof(words) - len, ", %" PRIu64 " in the whole file", all);
	damage->bad_sections = damage->lost_snapshots = 0;
	return names_add(&f->notes, words, strlen(words));
}

int panel_make_notes(struct panel_data *f)
{
	struct hist_series_damage damage = *hist_series_damage(f->query.recording->series);
	struct hist_loss loss = { 0 };
	char words[256];
	unsigned int i;
	int ret = 0;

	hist_loss_add(&loss, &f->view);
	loss.lost = 0; /* see note_lost() */
	loss.full_stacks =
		hist_loss_count_full_stacks(&f->view.info->def, f->view.table, f->view.rows);
	for (i = 0; !ret && hist_loss_format(&loss, i, words, sizeof(words)); i++)
		ret = names_add(&f->notes, words, strlen(words));
	if (!ret)
		ret = note_lost(f, &damage);
	if (!ret && hist_loss_format_damage(&damage, words, sizeof(words)))
		ret = names_add(&f->notes, words, strlen(words));
	return ret;
}

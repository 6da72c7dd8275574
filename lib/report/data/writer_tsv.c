// SPDX-License-Identifier: LGPL-2.1
/*
 * writer_tsv.c - a report as tables with a tab between two cells, for awk and spreadsheets
 *
 * Each snapshot has a line with titles and a line per row, with the cells of HTML (columns.h).
 * Lines that begin with '#' name the histogram and the snapshot, and say what was lost.
 * Invariant: a cell contains neither a tab nor a newline, because names are escaped.
 */
#include <errno.h>
#include <inttypes.h>

#include "lib/analysis/loss_notes.h"
#include "lib/report/writer.h"

static void tsv_put_head(struct hist_writer *w, const struct hist_view *view)
{
	const struct hist_snapshot *snap = view->snap;
	struct hist_loss loss = { 0 };
	char words[256];
	unsigned int i;

	hist_strbuf_str(&w->out, "# ");
	hist_escape(&w->out, w->name, strlen(w->name), 0);
	hist_strbuf_printf(&w->out, "\n# snapshot %" PRIu32 ", %" PRIu64 " hits, %" PRIu32
			   " of %" PRIu32 " rows\n", snap->seq, snap->hits, view->rows->n,
			   view->rows->total);
	hist_loss_add(&loss, view);
	loss.full_stacks = hist_loss_count_full_stacks(&view->info->def, view->table, view->rows);
	for (i = 0; hist_loss_format(&loss, i, words, sizeof(words)); i++)
		hist_strbuf_printf(&w->out, "# %.*s\n", (int)strcspn(words, "\n"), words);
}

static void tsv_put_titles(struct hist_writer *w, const struct hist_columns *columns)
{
	unsigned int i;

	for (i = 0; i < columns->n; i++) {
		hist_strbuf_str(&w->out, i ? "\t" : "");
		hist_escape(&w->out, columns->list[i].title, strlen(columns->list[i].title), 0);
	}
	hist_strbuf_char(&w->out, '\n');
}

static int tsv_put_snapshot(struct hist_writer *w, const struct hist_view *view)
{
	const struct hist_rows *rows = view->rows;
	struct hist_cells cells = {
		.table = view->table, .snap = view->snap, .rows = rows,
		.whole = rows->has_shares ? rows->totals[rows->main_value] : 0,
	};
	struct table_cell cell = { 0 };
	unsigned int i;
	uint32_t row;

	hist_columns_make(&w->columns, hist_table_schema(view->table), HIST_COLUMNS_PAGE, rows);
	tsv_put_head(w, view);
	tsv_put_titles(w, &w->columns);
	for (row = 0; row < rows->n && !w->out.error; row++) {
		for (i = 0; i < w->columns.n; i++) {
			cell.text.len = 0;
			hist_columns_put(&cells, &w->columns.list[i], rows->entries[row], &cell);
			hist_strbuf_str(&w->out, i ? "\t" : "");
			hist_strbuf_append(&w->out, &cell.text);
		}
		hist_strbuf_char(&w->out, '\n');
		hist_strbuf_drain(&w->out, w->o.f);
	}
	table_cell_free(&cell);
	return hist_strbuf_flush(&w->out, w->o.f);
}

static int tsv_put_end(struct hist_writer *w, const struct hist_series_damage *damage)
{
	char words[256];

	if (hist_loss_format_damage(damage, words, sizeof(words)))
		hist_strbuf_printf(&w->out, "# %.*s\n", (int)strcspn(words, "\n"), words);
	return hist_strbuf_flush(&w->out, w->o.f);
}

const struct hist_writer_ops hist_writer_tsv = {
	.size = sizeof(struct hist_writer),
	.snapshot = tsv_put_snapshot,
	.end = tsv_put_end,
};

// SPDX-License-Identifier: LGPL-2.1
/*
 * writer_folded.c - a report as folded stacks, the input of flame graphs
 *
 * A row is one line: frames separated by ';', a blank, and a number that is not negative.
 * Keys are frames in their order, except that stacks are last, outermost function first.
 * The first frame is the name of the histogram if there are several.
 *
 * flamegraph.pl, inferno and speedscope do not accept comments.  What was lost is therefore
 * a frame in brackets.  Its weight is the number lost if the unit is that of the other
 * lines, and 0 otherwise.
 */
#include <errno.h>
#include <inttypes.h>

#include "lib/analysis/loss_notes.h"
#include "lib/label/key_plain.h"
#include "lib/label/label.h"
#include "lib/report/writer.h"

struct folded {
	struct hist_writer base;
	bool any; /* a snapshot of this histogram was written */
};

static int folded_begin_histogram(struct hist_writer *base)
{
	((struct folded *)base)->any = false;
	return 0;
}

/* The first frame is the histogram if there is more than one. */
static void put_root(struct folded *d)
{
	if (d->base.o.nhists <= 1)
		return;
	key_plain_put_frame(&d->base.out, d->base.name, strlen(d->base.name));
	hist_strbuf_char(&d->base.out, ';');
}

/* "[what: ...] weight" */
static void folded_put_note(struct folded *d, uint64_t weight, const char *what, uint64_t n)
{
	put_root(d);
	hist_strbuf_char(&d->base.out, '[');
	hist_strbuf_str(&d->base.out, what);
	if (n)
		hist_strbuf_printf(&d->base.out, ": %" PRIu64, n);
	hist_strbuf_printf(&d->base.out, "] %" PRIu64 "\n", weight);
}

static void folded_put_label(struct folded *d, const struct hist_table *table, unsigned int key,
			     const struct hist_cell *cell)
{
	struct hist_strbuf *label = &d->base.text;
	const char *s, *semicolon;
	size_t left;

	label->len = 0;
	hist_label_put(label, table, key, cell, 0);
	/* the label is escaped already */
	for (s = label->data, left = label->len; left && (semicolon = memchr(s, ';', left));
	     left -= semicolon + 1 - s, s = semicolon + 1) {
		hist_strbuf_add(&d->base.out, s, semicolon - s);
		hist_strbuf_str(&d->base.out, "\\x3b");
	}
	hist_strbuf_add(&d->base.out, s, left);
	hist_strbuf_fail(&d->base.out, label->error);
}

/* Write the frames of a stack, outermost first, without offsets, separated by ';'. */
static void folded_put_frames(struct hist_strbuf *b, const char *s, size_t left)
{
	const char *frame;
	bool any = false;
	size_t len;

	while (hist_label_last_frame(s, &left, &frame, &len)) {
		if (any)
			hist_strbuf_char(b, ';');
		key_plain_put_frame(b, frame, hist_label_symbol_len(frame, len));
		any = true;
	}
}

static void folded_put_stack(struct folded *d, const struct hist_table *table,
			     const struct hist_cell *cell)
{
	const char *s;
	size_t len;

	s = hist_table_string(table, cell->str, &len);
	if (len)
		folded_put_frames(&d->base.out, s, len);
	else
		hist_strbuf_str(&d->base.out, "[no stack]");
}

static void folded_put_row(struct folded *d, const struct hist_view *view, uint32_t entry,
			   uint64_t weight)
{
	const struct hist_schema *schema = hist_table_schema(view->table);
	const struct hist_cell *cells = hist_table_cells(view->table, entry);
	unsigned int pass, k;
	bool any = false;

	put_root(d);
	for (pass = 0; pass < 2; pass++) {
		for (k = 0; k < schema->nkeys; k++) {
			if ((schema->keys[k].kind == HIST_KEY_STACK) != pass)
				continue;
			if (any)
				hist_strbuf_char(&d->base.out, ';');
			any = true;
			if (pass)
				folded_put_stack(d, view->table, &cells[k]);
			else
				folded_put_label(d, view->table, k, &cells[k]);
		}
	}
	hist_strbuf_char(&d->base.out, ' ');
	hist_strbuf_u64(&d->base.out, weight);
	hist_strbuf_char(&d->base.out, '\n');
}

static bool is_negative(const struct hist_schema *schema, int value, uint64_t v)
{
	return schema->values[value].is_signed && v >> 63;
}

static void put_losses(struct folded *d, const struct hist_view *view, uint64_t negative)
{
	const struct hist_snapshot *snap = view->snap;
	const struct hist_rows *rows = view->rows;
	const struct hist_schema *schema = hist_table_schema(view->table);
	bool hits = rows->main_value == hist_schema_hitcount(schema);
	bool cleared = view->reset || snap->flags & HIST_SNAP_RESET;
	uint64_t cut = hist_loss_count_full_stacks(&view->info->def, view->table, rows);
	const struct {
		uint64_t n;
		const char *what;
		bool weighs; /* the number is the weight */
		bool flag;   /* the number is not shown */
	} losses[] = {
		{ negative, "rows with negative values not included", false, false },
		{ snap->dropped, "hits dropped because the table was full", hits, false },
		{ snap->events_lost, "events lost", false, false },
		{ snap->probe_misses, "hits missed by the probe", hits, false },
		{ snap->missed, "snapshots not taken", false, false },
		{ view->lost, "snapshots missing in the file or damaged", false, false },
		{ cut,
		  "stacks with the maximum number of frames, whose outer frames may be missing",
		  false, false },
		{ cleared, "histogram was cleared", false, true },
		{ view->stopped, "another program or trigger paused or stopped the counting", false,
		  true },
		{ snap->flags & HIST_SNAP_AMBIGUOUS, "names ambiguous", false, true },
		{ snap->flags & HIST_SNAP_MISSES_UNKNOWN, "probe misses unknown", false, true },
	};
	uint64_t rest = rows->rest[rows->main_value];
	unsigned int i, k;
	char words[128];

	if (rows->total > rows->n)
		folded_put_note(d, is_negative(schema, rows->main_value, rest) ? 0 : rest,
				"rows not shown", rows->total - rows->n);
	for (i = 0; i < sizeof(losses) / sizeof(*losses); i++)
		if (losses[i].n)
			folded_put_note(d, losses[i].weighs ? losses[i].n : 0, losses[i].what,
					losses[i].weighs || losses[i].flag ? 0 : losses[i].n);
	for (k = 0; k < HIST_LOSS_KINDS; k++) {
		if (snap->losses[k])
			folded_put_note(d, 0, hist_loss_traits(k)->words, snap->losses[k]);
	}
	if (!view->brief && hist_extent_format(view->extent, hist_view_begin(view), view->from_hits,
					       words, sizeof(words))) {
		put_root(d);
		hist_strbuf_printf(&d->base.out, "[%s: %s] 0\n",
				   hist_extent_title(hist_view_begin(view)), words);
	}
}

static int folded_put_snapshot(struct hist_writer *base, const struct hist_view *view)
{
	const struct hist_schema *schema = hist_table_schema(view->table);
	const struct hist_rows *rows = view->rows;
	struct folded *d = (struct folded *)base;
	uint64_t negative = 0, v;
	uint32_t i;

	if (rows->main_value < 0 || !hist_value_is_sum(schema->values[rows->main_value].kind))
		return hist_error_set(&base->failure, -EINVAL,
				      "%s: the folded format needs the hit count or the sum "
				      "of a field\nselect another histogram with -e",
				      view->name);
	if (d->any && !view->difference)
		return hist_error_set(
			&base->failure, -EINVAL,
			"%s: the folded format shows only one snapshot\n"
			"select a snapshot with --at or --snapshot, or use --intervals",
			view->name);
	d->any = true;
	for (i = 0; i < rows->n && !d->base.out.error; i++) {
		v = view->snap->values[(size_t)rows->entries[i] * schema->nvalues +
				       rows->main_value];
		if (is_negative(schema, rows->main_value, v))
			negative++;
		else
			folded_put_row(d, view, rows->entries[i], v);
		if (view->difference)
			hist_strbuf_drain(&d->base.out, base->o.f);
	}
	put_losses(d, view, negative);
	/* a single snapshot stays in the buffer: a later one may be refused */
	return view->difference ? hist_strbuf_flush(&d->base.out, base->o.f) : d->base.out.error;
}

static int folded_end_histogram(struct hist_writer *base)
{
	return hist_strbuf_flush(&base->out, base->o.f);
}

static int folded_put_end(struct hist_writer *base, const struct hist_series_damage *damage)
{
	char words[256];

	if (!hist_loss_format_damage(damage, words, sizeof(words)))
		return 0;
	hist_strbuf_char(&base->out, '[');
	key_plain_put_frame(&base->out, words, strlen(words));
	hist_strbuf_str(&base->out, "] 0\n");
	return hist_strbuf_flush(&base->out, base->o.f);
}

const struct hist_writer_ops hist_writer_folded = {
	.size = sizeof(struct folded),
	.histogram = folded_begin_histogram,
	.snapshot = folded_put_snapshot,
	.histogram_end = folded_end_histogram,
	.end = folded_put_end,
};

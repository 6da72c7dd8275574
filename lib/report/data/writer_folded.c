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
#include <stdlib.h>

#include "lib/analysis/loss_notes.h"
#include "lib/label/key_plain.h"
#include "lib/label/label.h"
#include "lib/report/writer.h"

#define FLUSH_AT (64u << 10)

struct folded {
	struct hist_writer base;
	FILE *f;
	bool named; /* the first frame is the histogram: there is more than one */
	const char *name;
	bool any; /* a snapshot of this histogram was written */
	struct hist_strbuf out;
};

static void histogram(struct hist_writer *base, const struct hist_series_info *info,
		      const char *name)
{
	struct folded *d = (struct folded *)base;

	(void)info;
	d->name = name;
	d->any = false;
}

static void put_root(struct folded *d)
{
	if (!d->named)
		return;
	key_text_frame(&d->out, d->name, strlen(d->name));
	hist_strbuf_char(&d->out, ';');
}

/* "[what: ...] weight" */
static void put_note(struct folded *d, uint64_t weight, const char *what, uint64_t n)
{
	put_root(d);
	hist_strbuf_char(&d->out, '[');
	hist_strbuf_str(&d->out, what);
	if (n)
		hist_strbuf_printf(&d->out, ": %" PRIu64, n);
	hist_strbuf_printf(&d->out, "] %" PRIu64 "\n", weight);
}

static void put_label(struct folded *d, const struct hist_table *table, unsigned int key,
		      const struct hist_cell *cell)
{
	struct hist_strbuf label = { 0 };
	const char *s, *semicolon;
	size_t left;

	hist_label(&label, table, key, cell, 0);
	/* the label is escaped already */
	for (s = label.data, left = label.len; left && (semicolon = memchr(s, ';', left));
	     left -= semicolon + 1 - s, s = semicolon + 1) {
		hist_strbuf_add(&d->out, s, semicolon - s);
		hist_strbuf_str(&d->out, "\\x3b");
	}
	hist_strbuf_add(&d->out, s, left);
	hist_strbuf_fail(&d->out, label.error);
	hist_strbuf_free(&label);
}

static void put_stack(struct folded *d, const struct hist_table *table,
		      const struct hist_cell *cell)
{
	const char *s;
	size_t len;

	s = hist_table_string(table, cell->str, &len);
	if (len)
		key_text_folded(&d->out, s, len);
	else
		hist_strbuf_str(&d->out, "[no stack]");
}

static void put_row(struct folded *d, const struct hist_view *view, uint32_t entry,
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
				hist_strbuf_char(&d->out, ';');
			any = true;
			if (pass)
				put_stack(d, view->table, &cells[k]);
			else
				put_label(d, view->table, k, &cells[k]);
		}
	}
	hist_strbuf_char(&d->out, ' ');
	hist_strbuf_u64(&d->out, weight);
	hist_strbuf_char(&d->out, '\n');
}

static bool is_negative(const struct hist_schema *schema, int value, uint64_t v)
{
	return schema->values[value].is_signed && v >> 63;
}

static void put_losses(struct folded *d, const struct hist_view *view, uint64_t negative)
{
	const struct hist_schema *schema = hist_table_schema(view->table);
	const struct hist_snapshot *snap = view->snap;
	const struct hist_rows *rows = view->rows;
	int main_value = rows->main_value;
	bool hits = main_value == hist_schema_hitcount(schema);
	uint64_t full_stacks;
	char words[128];

	if (rows->total > rows->n) {
		uint64_t rest = rows->rest[main_value];

		put_note(d, is_negative(schema, main_value, rest) ? 0 : rest, "rows not shown",
			 rows->total - rows->n);
	}
	if (negative)
		put_note(d, 0, "rows below zero left out", negative);
	if (snap->dropped)
		put_note(d, hits ? snap->dropped : 0, "hits dropped as the table was full",
			 hits ? 0 : snap->dropped);
	if (snap->events_lost)
		put_note(d, 0, "events lost", snap->events_lost);
	if (snap->probe_misses)
		put_note(d, hits ? snap->probe_misses : 0, "hits missed by the probe",
			 hits ? 0 : snap->probe_misses);
	if (snap->missed)
		put_note(d, 0, "snapshots missed", snap->missed);
	if (view->lost)
		put_note(d, 0, "snapshots lost", view->lost);
	full_stacks = hist_full_stacks(view->table, rows);
	if (full_stacks)
		put_note(d, 0, "stacks of 16 frames, which may be cut", full_stacks);
	if (view->reset || snap->flags & HIST_SNAP_RESET)
		put_note(d, 0, "histogram was cleared", 0);
	if (view->stopped)
		put_note(d, 0, "trigger was paused by another", 0);
	if (snap->flags & HIST_SNAP_AMBIGUOUS)
		put_note(d, 0, "names ambiguous", 0);
	if (!view->brief && hist_extent_words(view->extent, hist_view_begin(view), view->from_hits,
					      words, sizeof(words))) {
		put_root(d);
		hist_strbuf_printf(&d->out, "[" HIST_EXTENT_TITLE ": %s] 0\n", words);
	}
}

static void snapshot(struct hist_writer *base, const struct hist_view *view)
{
	const struct hist_schema *schema = hist_table_schema(view->table);
	const struct hist_rows *rows = view->rows;
	struct folded *d = (struct folded *)base;
	uint64_t negative = 0, v;
	uint32_t i;

	if (rows->main_value < 0 || !hist_value_is_sum(schema->values[rows->main_value].kind)) {
		hist_writer_fail(base, -EINVAL, "%s: has no value that is a sum, and nothing else can "
				 "be folded: choose another histogram with -e", view->name);
		return;
	}
	if (d->any && !view->difference) {
		hist_writer_fail(base, -EINVAL, "%s: folded stacks have no time, and several "
				 "snapshots would count alike things again: ask for one, or for "
				 "--intervals", view->name);
		return;
	}
	d->any = true;
	for (i = 0; i < rows->n && !d->out.error; i++) {
		v = view->snap->values[(size_t)rows->entries[i] * schema->nvalues +
				       rows->main_value];
		if (is_negative(schema, rows->main_value, v))
			negative++;
		else
			put_row(d, view, rows->entries[i], v);
		if (d->out.len >= FLUSH_AT && view->difference)
			hist_strbuf_flush(&d->out, d->f);
	}
	put_losses(d, view, negative);
	/* a single snapshot stays in the buffer: a later one may be refused */
	hist_writer_result(base, view->difference ? hist_strbuf_flush(&d->out, d->f) : d->out.error);
}

static void histogram_end(struct hist_writer *base)
{
	struct folded *d = (struct folded *)base;

	hist_writer_result(base, hist_strbuf_flush(&d->out, d->f));
}

static void end(struct hist_writer *base, const struct hist_series_damage *damage)
{
	struct folded *d = (struct folded *)base;
	char words[256];

	if (!hist_damage_words(damage, words, sizeof(words)))
		return;
	hist_strbuf_char(&d->out, '[');
	key_text_frame(&d->out, words, strlen(words));
	hist_strbuf_str(&d->out, "] 0\n");
	hist_writer_result(base, hist_strbuf_flush(&d->out, d->f));
}

static void free_folded(struct hist_writer *base)
{
	struct folded *d = (struct folded *)base;

	hist_strbuf_free(&d->out);
	free(d);
}

static const struct hist_writer_ops ops = {
	.histogram = histogram,
	.snapshot = snapshot,
	.histogram_end = histogram_end,
	.end = end,
	.free = free_folded,
};

struct hist_writer *hist_writer_folded(const struct hist_writer_options *options)
{
	struct folded *d = calloc(1, sizeof(*d));

	if (!d)
		return NULL;
	d->base.ops = &ops;
	d->f = options->f;
	d->named = options->nhists > 1;
	return &d->base;
}

// SPDX-License-Identifier: LGPL-2.1
/*
 * view_diff_text.c - a comparison as text for a terminal
 *
 * The key is in the first column if it fits, and otherwise on its own line above its
 * metrics.
 */
#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "lib/base/reason.h"
#include "lib/base/text.h"
#include "lib/diff/diff_text.h"
#include "lib/diff/view_diff.h"
#include "lib/label/label.h"
#include "lib/report/ansi.h"
#include "lib/report/text/text_table.h"
#include "lib/report/text_column.h"

enum { COL_KEY, COL_METRIC, COL_BASE, COL_NEW, COL_CHANGE, COL_VERDICT, COLS };

#define LABEL_LEAST 14
#define LABEL_MOST 48

/* A row: a metric of a key.  The first metric has the label of the key. */
struct diff_row {
	const struct hist_key_result *key;
	const struct hist_metric_result *m;
	bool is_first;
};

struct text_view {
	struct table base;
	struct table_column columns[COLS];
	struct diff_row *rows;
	const struct hist_comparison *c;
	const struct hist_view_style *style;
	struct hist_strbuf *b;
};

static const enum ansi_style verdict_styles[] = {
	[HIST_PASS] = ANSI_PASS,
	[HIST_IMPROVED] = ANSI_IMPROVED,
	[HIST_INCONCLUSIVE] = ANSI_INCONCLUSIVE,
	[HIST_REGRESSED] = ANSI_REGRESSED,
	[HIST_INCOMPARABLE] = ANSI_INCOMPARABLE,
};

static void put_verdict(struct text_view *v, enum hist_verdict verdict)
{
	ansi_begin(v->b, v->style, verdict_styles[verdict]);
	hist_strbuf_str(v->b, hist_significance_verdict_name(verdict));
	ansi_end(v->b, v->style, verdict_styles[verdict]);
}

/* Write a text of the model, which is escaped but may have UTF-8.  Returns its columns. */
static unsigned int diff_table_put_escaped(const struct text_view *v, struct hist_strbuf *b,
					   const char *s)
{
	return text_column_escape(b, s, v->style->utf8 ? 0 : HIST_ESCAPE_ASCII);
}

__attribute__((format(printf, 2, 3)))
static void put_text(struct text_view *v, const char *fmt, ...)
{
	va_list args;
	char *text;
	int len;

	va_start(args, fmt);
	len = vasprintf(&text, fmt, args);
	va_end(args);
	if (len < 0) {
		hist_strbuf_fail(v->b, -ENOMEM);
		return;
	}
	diff_table_put_escaped(v, v->b, text);
	free(text);
}

/* Write @why, and its hint in a line of its own that begins with @indent. */
static void put_why(struct text_view *v, const char *indent, const char *why)
{
	const char *hint;
	int len = reason_split_hint(why, &hint);

	put_text(v, "%.*s\n", len, why);
	if (*hint)
		put_text(v, "%shint: %s\n", indent, hint);
}

/* Write one end of a side of @m, or of a change if @m is NULL. */
static void diff_text_put_end(struct hist_strbuf *b, const struct hist_metric_result *m, double end)
{
	if (m)
		diff_put_side(b, m, end, end);
	else if (isinf(end))
		hist_strbuf_str(b, "unknown");
	else
		diff_put_change(b, end);
}

/* Write "33..64 us" or "+1..+2 %": the common unit of both ends appears once. */
static void diff_table_put_range(struct hist_strbuf *b, const struct hist_metric_result *m,
				 double from,
				 double to)
{
	struct hist_strbuf low = { 0 }, high = { 0 };
	const char *unit;
	size_t len;

	diff_text_put_end(&low, m, from);
	diff_text_put_end(&high, m, to);
	unit = low.len ? memrchr(low.data, ' ', low.len) : NULL;
	len = unit ? low.data + low.len - unit : 0;
	if (len && len < high.len && !memcmp(unit, high.data + high.len - len, len))
		low.len -= len;
	hist_strbuf_append(b, &low);
	hist_strbuf_str(b, "..");
	hist_strbuf_append(b, &high);
	hist_strbuf_free(&low);
	hist_strbuf_free(&high);
}

static void diff_table_put_side(struct hist_strbuf *b, const struct hist_metric_result *m,
				double low,
				double high)
{
	if (low == high || isnan(low) || isnan(high))
		diff_put_side(b, m, low, high);
	else
		diff_table_put_range(b, m, low, high);
}

/* A point has its confidence interval in parentheses; that of buckets replaces their interval. */
static void put_change(struct hist_strbuf *b, const struct hist_metric_result *m,
		       const struct hist_key_result *key)
{
	const struct hist_change *c = &m->change;

	if (m->has_budget) {
		hist_strbuf_str(b, "budget ");
		diff_put_side(b, m, m->budget, m->budget);
	} else if (key->presence == HIST_NEW || key->presence == HIST_VANISHED) {
		hist_strbuf_str(b, diff_presence_name(key->presence));
	} else if (isnan(c->low)) {
		hist_strbuf_char(b, '-');
	} else if (!c->resolvable && c->base_low == c->new_low && c->base_high == c->new_high) {
		hist_strbuf_str(b, "same bucket");
		diff_put_placed(b, m);
	} else if (c->low != c->high) {
		if (diff_has_ci(c))
			diff_table_put_range(b, NULL, c->ci_low, c->ci_high);
		else
			diff_table_put_range(b, NULL, c->low, c->high);
		diff_put_placed(b, m);
	} else {
		diff_put_change(b, c->low);
		if (!diff_has_ci(c))
			return;
		hist_strbuf_str(b, " (");
		diff_table_put_range(b, NULL, c->ci_low, c->ci_high);
		hist_strbuf_char(b, ')');
	}
}

static void diff_table_put(const struct table *table, uint32_t row, unsigned int column,
			   struct table_cell *cell)
{
	const struct text_view *v = (const struct text_view *)table;
	const struct hist_metric_result *m = v->rows[row].m;
	struct hist_strbuf *b = &cell->text;

	switch (column) {
	case COL_KEY:
		if (v->rows[row].is_first)
			cell->width = diff_table_put_escaped(v, b, v->rows[row].key->label);
		return;
	case COL_METRIC:
		cell->width = diff_table_put_escaped(v, b, m->name);
		return;
	case COL_BASE:
		diff_table_put_side(b, m, m->change.base_low, m->change.base_high);
		break;
	case COL_NEW:
		diff_table_put_side(b, m, m->change.new_low, m->change.new_high);
		break;
	case COL_CHANGE:
		put_change(b, m, v->rows[row].key);
		break;
	case COL_VERDICT:
		hist_strbuf_str(b, m->gated ? hist_significance_verdict_name(m->verdict) : "-");
		cell->style = m->gated ? verdict_styles[m->verdict] : ANSI_PLAIN;
		break;
	}
	table_cell_ascii(cell);
}

static bool has_gate(const struct hist_key_result *key)
{
	unsigned int i;

	for (i = 0; i < key->nmetrics; i++)
		if (key->metrics[i].gated)
			return true;
	return false;
}

/* If a key passed, only gated metrics are shown. */
static bool diff_table_metric_is_shown(const struct hist_key_result *key,
				       const struct hist_metric_result *m)
{
	return m->gated || key->whole || key->verdict != HIST_PASS || !has_gate(key);
}

/* Make the rows of @h.  Returns true if a key has several. */
static bool diff_table_make_rows(struct text_view *v, const struct hist_hist_result *h)
{
	const struct hist_key_result *key;
	bool is_first, multiple = false;
	unsigned int i;
	uint32_t k;

	v->base.nrows = 0;
	for (k = 0; k < h->nkeys; k++) {
		key = &h->keys[k];
		is_first = true;
		for (i = 0; i < key->nmetrics; i++) {
			if (!diff_table_metric_is_shown(key, &key->metrics[i]))
				continue;
			v->rows[v->base.nrows++] =
				(struct diff_row){ key, &key->metrics[i], is_first };
			multiple |= !is_first;
			is_first = false;
		}
	}
	return multiple;
}

/* A key that does not fit into its line is left out of the table, and has a line of its own. */
static void diff_table_make_columns(struct text_view *v, bool multiple)
{
	static const char *const titles[COLS] = {
		"key", "metric", "base", "new", "change", "verdict",
	};
	unsigned int i;

	v->base.columns = v->columns;
	v->base.ncolumns = COLS;
	v->base.put = diff_table_put;
	for (i = 0; i < COLS; i++) {
		v->columns[i] = (struct table_column){
			.title = titles[i],
			.right = i >= COL_BASE && i <= COL_CHANGE,
		};
	}
	v->columns[COL_KEY].most = LABEL_MOST;
	v->columns[COL_KEY].least = multiple ? LABEL_MOST : LABEL_LEAST;
	v->columns[COL_KEY].fold = 1;
	hist_strbuf_fail(v->b, table_measure(&v->base, 0, v->base.nrows, TABLE_TITLES));
	hist_strbuf_fail(v->b, table_fit(&v->base, v->style->width,
					 v->style->utf8 ? 0 : HIST_ESCAPE_ASCII));
	if (table_line_width(&v->base) > v->style->width)
		v->columns[COL_KEY].left_out = true;
}

static void diff_table_print_rows(struct text_view *v)
{
	struct text_table text = { .table = &v->base, .out = v->b, .style = v->style };
	bool own_line = v->columns[COL_KEY].left_out;
	const struct diff_row *row;
	uint32_t i;

	hist_strbuf_str(v->b, own_line ? "  " : "");
	text_table_put_titles(&text);
	hist_strbuf_char(v->b, '\n');
	for (i = 0; i < v->base.nrows && !v->b->error; i++) {
		row = &v->rows[i];
		if (row->is_first && own_line)
			put_text(v, "  %s\n", row->key->label);
		hist_strbuf_str(v->b, own_line ? "  " : "");
		text_table_put_row(&text, i, 0);
		hist_strbuf_char(v->b, '\n');
		if (row->key->presence == HIST_RENAMED &&
		    (i + 1 == v->base.nrows || v->rows[i + 1].is_first))
			put_text(v, "      renamed, was %s\n", row->key->old_label);
	}
	text_table_end(&text);
}

static void diff_table_print(struct text_view *v, const struct hist_hist_result *h)
{
	size_t n = 0;
	uint32_t k;

	for (k = 0; k < h->nkeys; k++)
		n += h->keys[k].nmetrics;
	v->rows = calloc(n + 1, sizeof(*v->rows));
	if (!v->rows) {
		hist_strbuf_fail(v->b, -ENOMEM);
		return;
	}
	diff_table_make_columns(v, diff_table_make_rows(v, h));
	diff_table_print_rows(v);
	table_free(&v->base);
	free(v->rows);
}

/* Write only the first reason of undecided metrics, to keep the table visible. */
static void put_reason(struct text_view *v, const struct hist_hist_result *h)
{
	const struct hist_key_result *key;
	unsigned int i;
	uint32_t k;

	for (k = 0; k < h->nkeys; k++) {
		key = &h->keys[k];
		for (i = 0; i < key->nmetrics; i++) {
			if (!key->metrics[i].gated ||
			    key->metrics[i].verdict != HIST_INCONCLUSIVE || !*key->metrics[i].why)
				continue;
			put_text(v, "  %s, %s: ", key->label, key->metrics[i].name);
			put_why(v, "  ", key->metrics[i].why);
			return;
		}
	}
}

static void put_counts(struct text_view *v, const struct hist_hist_result *h)
{
	uint32_t unshown = diff_count_unshown(h);

	if (!diff_put_counts(v->b, "  ", h))
		return;
	if (unshown)
		put_text(v, "; %" PRIu32 " not shown", unshown);
	hist_strbuf_char(v->b, '\n');
}

static void put_hist_side(struct text_view *v, const char *name,
			  const struct hist_side_result *side)
{
	struct hist_strbuf *b = v->b, loss = { 0 };

	if (!side->runs)
		return;
	hist_strbuf_printf(b, "  %-5s %u run%s", name, side->runs, text_plural(side->runs));
	if (side->blocks)
		hist_strbuf_printf(b, " in %u part%s", side->replicates,
				   text_plural(side->replicates));
	if (side->seconds > 0)
		hist_strbuf_printf(b, ", %.3g s", side->seconds);
	/* an incomparable histogram does not have counts */
	if (side->replicates) {
		hist_strbuf_str(b, ", ");
		hist_strbuf_u64(b, side->hits);
		hist_strbuf_str(b, side->hits == 1 ? " hit" : " hits");
	}
	if (diff_put_loss(&loss, side))
		hist_strbuf_str(b, "; ");
	hist_strbuf_append(b, &loss);
	hist_strbuf_char(b, '\n');
	hist_strbuf_free(&loss);
}

static void put_hist(struct text_view *v, const struct hist_hist_result *h)
{
	put_text(v, "\n%s: ", h->name);
	put_verdict(v, h->verdict);
	put_text(v, "\n  %s\n", h->trigger);
	put_hist_side(v, "base:", &h->base);
	put_hist_side(v, "new:", &h->new_);
	if (*h->why) {
		put_text(v, "  ");
		put_why(v, "  ", h->why);
	}
	if (h->nkeys) {
		hist_strbuf_char(v->b, '\n');
		diff_table_print(v, h);
		hist_strbuf_char(v->b, '\n');
	}
	put_counts(v, h);
	put_reason(v, h);
}

static void diff_table_put_files(struct text_view *v, const char *name,
				 const struct hist_side_info *side)
{
	unsigned int i;

	hist_strbuf_str(v->b, name);
	for (i = 0; i < side->nfiles; i++)
		put_text(v, " %s", side->files[i]);
	hist_strbuf_char(v->b, '\n');
	if (*side->host || *side->uname)
		put_text(v, "      %s%s%s\n", side->host, *side->host && *side->uname ? ", " : "",
			 side->uname);
}

static void put_metric_cause(struct text_view *v, const struct hist_hist_result *h,
			     const struct hist_key_result *key, const struct hist_metric_result *m)
{
	put_text(v, "%s, %s, %s ", h->name, key->label, m->name);
	diff_table_put_side(v->b, m, m->change.base_low, m->change.base_high);
	hist_strbuf_str(v->b, " -> ");
	diff_table_put_side(v->b, m, m->change.new_low, m->change.new_high);
	if (m->has_budget) {
		hist_strbuf_str(v->b, ", budget ");
		diff_put_side(v->b, m, m->budget, m->budget);
	} else {
		hist_strbuf_str(v->b, ", ");
		diff_put_changes(v->b, m->change.low, m->change.high);
		hist_strbuf_printf(v->b, " (threshold %g %%)", m->threshold * 100);
	}
}

/* A metric that caused the verdict of the comparison. */
struct cause {
	const struct hist_hist_result *h;
	const struct hist_key_result *key;
	const struct hist_metric_result *m;
	double size;
};

#define CAUSES 3

/* Insert @cause into the sorted list; only the CAUSES largest are kept. */
static void add_cause(struct cause *causes, unsigned int n, struct cause cause)
{
	unsigned int at = n < CAUSES ? n : CAUSES;

	for (; at && causes[at - 1].size < cause.size; at--)
		if (at < CAUSES)
			causes[at] = causes[at - 1];
	if (at < CAUSES)
		causes[at] = cause;
}

/* Add the causes of @h to the @n existing ones.  Returns the new number. */
static unsigned int hist_causes(const struct text_view *v, const struct hist_hist_result *h,
				struct cause *causes, unsigned int n)
{
	const struct hist_key_result *key;
	unsigned int i;
	uint32_t k;

	for (k = 0; k < h->nkeys; k++) {
		key = &h->keys[k];
		/* the sum of all keys is a cause only if none of the keys is */
		if (key->whole && h->counts[v->c->verdict])
			continue;
		for (i = 0; i < key->nmetrics; i++) {
			if (!key->metrics[i].gated || key->metrics[i].verdict != v->c->verdict)
				continue;
			add_cause(causes, n++,
				  (struct cause){ h, key, &key->metrics[i],
						  hist_diff_metric_size(&key->metrics[i]) });
		}
	}
	return n;
}

/* Write the causes of the verdict, largest change first, and the number of others. */
static void put_cause(struct text_view *v)
{
	const struct hist_hist_result *h, *silent = NULL;
	struct cause causes[CAUSES];
	unsigned int i, n = 0, before, more = 0;
	const char *hint;

	for (i = 0; i < v->c->nhists; i++) {
		h = &v->c->hists[i];
		if (h->verdict != v->c->verdict)
			continue;
		before = n;
		n = hist_causes(v, h, causes, n);
		if (n > before)
			continue;
		more += silent != NULL;
		if (!silent)
			silent = h;
	}
	for (i = 0; i < n && i < CAUSES; i++) {
		hist_strbuf_str(v->b, i ? "; " : ": ");
		put_metric_cause(v, causes[i].h, causes[i].key, causes[i].m);
	}
	if (silent && !n)
		put_text(v, ": %s%s%.*s", silent->name, *silent->why ? ": " : "",
			 reason_split_hint(silent->why, &hint), silent->why);
	more += n - i + (silent && n);
	if (more)
		hist_strbuf_printf(v->b, "; %u more", more);
}

int hist_diff_write_text(FILE *f, const struct hist_comparison *c,
			 const struct hist_view_style *style)
{
	struct hist_strbuf b = { 0 }, none = { 0 };
	struct text_view v = { .c = c, .style = style, .b = &b };
	unsigned int i;

	diff_table_put_files(&v, "base:", &c->base);
	diff_table_put_files(&v, "new: ", &c->new_);
	for (i = 0; i < c->nnotes; i++) {
		put_text(&v, "note: ");
		put_why(&v, "", c->notes[i]);
	}
	for (i = 0; i < c->nhists; i++)
		put_hist(&v, &c->hists[i]);
	hist_strbuf_str(&b, "\nverdict: ");
	put_verdict(&v, c->verdict);
	if (c->decided < c->min_decided && c->verdict == HIST_INCONCLUSIVE)
		hist_strbuf_printf(&b, " (the keys with a conclusive verdict account for only "
				       "%.3g %% of the hits)", c->decided * 100);
	else if (c->undecided && c->verdict == HIST_INCONCLUSIVE)
		hist_strbuf_str(&b, " (" DIFF_UNDECIDED ")");
	if (c->verdict != HIST_PASS)
		put_cause(&v);
	hist_strbuf_char(&b, '\n');
	return diff_put_end(f, &b, &none);
}

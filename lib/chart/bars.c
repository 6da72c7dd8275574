// SPDX-License-Identifier: LGPL-2.1
/*
 * bars.c - the scene of a bar chart
 *
 * Only visible bars become shapes, so that 65,536 rows scroll as ten do.
 */
#include <errno.h>
#include <math.h>

#include "lib/chart/bars.h"
#include "lib/label/number.h"

#define SLOT_LEAST 5 /* pixels of an upright bar with its gap */
#define SLOT_MOST 96
#define VALUES_LEAST 24 /* narrower bars do not have a value above them */
#define SPACE 6		/* between the parts of a row */
#define LABEL_PART 0.4	/* of the width, at most */
#define PLOT_LEAST 40
#define TICK 4
#define GAP_SIGN "\xe2\x8b\xaf"

static uint64_t bars_gap(const struct chart_bars *v, uint32_t bar)
{
	return v->f->gap ? v->f->gap(v->f->data, bar) : 0;
}

static unsigned int bars_sides(const struct chart_bars *v)
{
	return v->f->sides ? v->f->sides : 1;
}

static double bars_size(const struct chart_bars *v, uint32_t bar, unsigned int side)
{
	return v->f->size ? v->f->size(v->f->data, bar, side) : v->f->value(v->f->data, bar);
}

static void bars_put_tick(struct chart_bars *v, double number)
{
	hist_strbuf_clear(&v->text);
	if (v->f->tick)
		v->f->tick(v->f->data, number, &v->text);
	else
		hist_number_put_short(&v->text, number);
}

static struct hist_strbuf *bars_label(struct chart_bars *v, uint32_t bar)
{
	v->f->label(v->f->data, bar, hist_strbuf_clear(&v->text));
	return &v->text;
}

static double bars_width(const struct chart_bars *v, const char *text)
{
	return v->o.font.measure(v->o.font.data, text, strlen(text));
}

static double bars_count_width(struct chart_bars *v, double value)
{
	hist_number_put_grouped(hist_strbuf_clear(&v->text), value, false);
	return chart_font_width(&v->o.font, &v->text);
}

static double bars_tick_width(struct chart_bars *v, double value)
{
	bars_put_tick(v, value);
	return chart_font_width(&v->o.font, &v->text);
}

static double bars_row(const struct chart_bars_options *o, unsigned int sides)
{
	return o->font.line * sides + 8;
}

/* The place of the end of "513 us-" in "513 us-1.02 ms", or 0. */
static size_t bars_find_break(const struct hist_strbuf *label)
{
	const char *dash = label->len > 1 ? memchr(label->data + 1, '-', label->len - 1) : NULL;

	return dash ? dash + 1 - label->data : 0;
}

/* The width of a label on two lines. */
static double bars_half_width(const struct chart_bars *v, const struct hist_strbuf *label)
{
	size_t at = bars_find_break(label);
	double first, second;

	if (!at)
		return chart_font_width(&v->o.font, label);
	first = v->o.font.measure(v->o.font.data, label->data, at);
	second = v->o.font.measure(v->o.font.data, label->data + at, label->len - at);
	return fmax(first, second);
}

/* From zero to the maximum; a log scale begins below a power of ten. */
static struct chart_scale bars_scale(const struct chart_bars *v, double least, double most,
				     double from, double to)
{
	if (!(most > 0))
		most = least = 1;
	if (!v->o.log)
		return chart_scale_make(CHART_LINEAR, 0, v->o.upright ? most * 1.04 : most, from,
					to);
	return chart_scale_make(CHART_LOG, pow(10, floor(log10(least))) * 0.5, most * 1.3, from,
				to);
}

static uint32_t bars_measured(const struct chart_bars *v)
{
	return v->o.measured && v->o.measured < v->f->n ? v->o.measured : v->f->n;
}

static void bars_measure_upright(struct chart_bars *v, double least, double most)
{
	double line = v->o.font.line, left, half = 0;
	uint32_t i;

	for (i = 0; i < bars_measured(v); i++)
		half = fmax(half, bars_half_width(v, bars_label(v, i)));
	left = fmax(bars_tick_width(v, most * 1.3), bars_width(v, "500k")) + 10 + v->o.margin;
	v->plot.x = left;
	v->plot.w = v->o.width - left - SPACE - v->o.margin;
	v->slot = fmin(fmax(v->plot.w / (v->f->n ? v->f->n : 1), SLOT_LEAST * bars_sides(v)),
		       SLOT_MOST);
	/* all bars can have labels if the two ends of a range are on separate lines */
	v->label = v->labels.widest;
	v->lines = v->label + 10 > v->slot && half + 6 <= v->slot ? 2 : 1;
	if (v->lines == 2)
		v->label = half - 4;
	v->plot.y = v->o.top + line + 2;
	v->plot.h = fmax(v->o.height - v->plot.y - v->lines * line - 8, 20);
	v->scale = bars_scale(v, least, most, v->plot.y + v->plot.h, v->plot.y);
}

static void bars_measure_lying(struct chart_bars *v, double least, double most)
{
	double line = v->o.font.line, below, numbers, rows = v->f->n + (v->f->more != NULL);

	v->label = fmax(v->labels.widest, v->f->key_title ? bars_width(v, v->f->key_title) : 0);
	v->label = fmin(v->label, v->o.width * LABEL_PART);
	v->slot = bars_row(&v->o, bars_sides(v));
	v->plot.x = v->o.margin + v->label + 2 * SPACE;
	v->plot.y = v->o.top + (v->f->key_title ? line + 10 : 0);
	numbers = (v->f->value ? bars_count_width(v, most) : 0) +
		  (v->f->has_shares ? bars_width(v, "  100.00%") : 0);
	v->plot.w = fmax(v->o.width - v->plot.x - SPACE - numbers - v->o.margin, PLOT_LEAST);
	below = line + 8 + (v->f->value_title ? line + 3 : 0);
	v->plot.h = v->o.height ? fmax(v->o.height - v->plot.y - below, 20) : v->slot * rows;
	v->scale = bars_scale(v, least, most, v->plot.x, v->plot.x + v->plot.w);
}

int chart_bars_measure(struct chart_bars *v, const struct chart_bars_figures *f,
		       const struct chart_bars_options *o)
{
	double least = HUGE_VAL, most = 0, size;
	unsigned int side;
	uint32_t i;

	*v = (struct chart_bars){ .f = f, .o = *o };
	hist_cut_init(&v->labels, o->font.measure, o->font.data, HIST_CUT_MARK);
	for (i = 0; i < f->n; i++)
		for (side = 0; side < bars_sides(v); side++) {
			size = bars_size(v, i, side);
			most = fmax(most, size);
			least = size > 0 ? fmin(least, size) : least;
		}
	for (i = 0; i < bars_measured(v); i++)
		hist_cut_add(&v->labels, bars_label(v, i));
	if (o->upright)
		bars_measure_upright(v, least, most);
	else
		bars_measure_lying(v, least, most);
	v->all = v->slot * (f->n + (!o->upright && f->more));
	if (!o->upright)
		hist_cut_fit(&v->labels, v->label);
	return v->labels.error ? v->labels.error : v->text.error;
}

void chart_bars_free(struct chart_bars *v)
{
	hist_cut_free(&v->labels);
	hist_strbuf_free(&v->text);
}

struct chart_box chart_bars_slot(const struct chart_bars *v, double scroll, uint32_t bar)
{
	double at = v->slot * bar - scroll;

	if (v->o.upright)
		return (struct chart_box){ v->plot.x + at, v->plot.y, v->slot, v->plot.h };
	return (struct chart_box){ 0, v->plot.y + at, v->o.width, v->slot };
}

struct chart_box chart_bars_bar(const struct chart_bars *v, double scroll, uint32_t bar,
				unsigned int side)
{
	struct chart_box slot = chart_bars_slot(v, scroll, bar);
	double at, gap, thick, bottom = v->plot.y + v->plot.h, size = bars_size(v, bar, side);

	if (!(size > 0) || bars_gap(v, bar))
		return (struct chart_box){ 0 };
	at = chart_scale_at(&v->scale, size);
	gap = !v->o.upright || v->slot >= 40 ? 6 : v->slot >= 12 ? 2 : 1;
	thick = (v->slot - gap) / bars_sides(v);
	if (!v->o.upright)
		return (struct chart_box){ v->plot.x, slot.y + gap / 2 + side * thick,
					   fmax(1, at - v->plot.x), thick };
	at = fmin(at, bottom - 1);
	return (struct chart_box){ slot.x + gap / 2 + side * thick, at, thick, bottom - at };
}

double chart_bars_height(const struct chart_bars_options *o, uint32_t bars)
{
	return o->top + bars_row(o, 1) * bars + o->font.line + 12;
}

/* Words whose middle is at @y. */
static void bars_put(const struct chart_bars *v, struct chart_scene *scene, enum chart_class look,
		     int32_t item, char anchor, double x, double y, const struct hist_strbuf *text)
{
	chart_scene_words(scene, look, item, anchor, x, y + v->o.font.line / 3, text);
}

/* Add the bars of a slot, the last side on top.  Returns the last one. */
static struct chart_box bars_draw_sides(const struct chart_bars *v, double scroll,
					struct chart_scene *scene, uint32_t bar)
{
	struct chart_box box = { 0 };
	unsigned int side;

	for (side = 0; side < bars_sides(v); side++) {
		box = chart_bars_bar(v, scroll, bar, side);
		if (box.w > 0)
			chart_scene_rect(scene,
					 side + 1 < bars_sides(v) ? CHART_CLASS_BEFORE
								  : CHART_CLASS_BAR,
					 bar, box.x, box.y, box.w, box.h);
	}
	return box;
}

/* --- upright --- */

/* As many labels as fit. */
static void bars_draw_labels(struct chart_bars *v, double scroll, struct chart_scene *scene,
			     uint32_t first, uint32_t last)
{
	uint32_t every = fmax(1, ceil((v->label + 10) / v->slot)), i;
	double bottom = v->plot.y + v->plot.h, x, most = v->o.width - v->label / 2 - 2;
	size_t at;

	for (i = first - first % every; i <= last; i += every) {
		x = v->plot.x + v->slot * (i + 0.5) - scroll;
		if (x < v->plot.x || x > v->plot.x + v->plot.w)
			continue;
		chart_scene_line(scene, CHART_CLASS_AXIS, x, bottom + 1, x, bottom + TICK);
		bars_label(v, i);
		at = v->lines > 1 ? bars_find_break(&v->text) : 0;
		if (at)
			hist_strbuf_char(&v->text, '\0');
		if (at && !v->text.error) {
			memmove(v->text.data + at + 1, v->text.data + at, v->text.len - at - 1);
			v->text.data[at] = '\n';
		}
		/* the last label stays inside */
		chart_scene_words(scene, bars_gap(v, i) ? CHART_CLASS_MUTED : CHART_CLASS_LABEL,
				  CHART_NO_ITEM, 'm', fmin(x, most),
				  bottom + TICK + v->o.font.line * 0.8, &v->text);
	}
}

static void bars_draw_upright_bar(struct chart_bars *v, double scroll, struct chart_scene *scene,
				  uint32_t bar)
{
	struct chart_box slot = chart_bars_slot(v, scroll, bar), box;
	uint64_t gap = bars_gap(v, bar);

	if (gap)
		chart_scene_rect(scene, CHART_CLASS_GAP, CHART_NO_ITEM, slot.x, slot.y, slot.w,
				 slot.h);
	/* also above a small bar, and where its label is */
	chart_scene_area(scene, bar, slot.x, v->o.top, slot.w, v->o.height - v->o.top);
	box = bars_draw_sides(v, scroll, scene, bar);
	if (!v->f->value)
		return;
	hist_strbuf_clear(&v->text);
	if (gap)
		hist_strbuf_str(&v->text, GAP_SIGN);
	else
		hist_number_put_grouped(&v->text, v->f->value(v->f->data, bar), false);
	if (v->slot >= VALUES_LEAST && chart_font_width(&v->o.font, &v->text) <= v->slot - 2)
		bars_put(v, scene, box.h > 0 ? CHART_CLASS_NUMBER : CHART_CLASS_ZERO, bar, 'm',
			 slot.x + slot.w / 2,
			 (box.h > 0 ? box.y : v->plot.y + v->plot.h) - v->o.font.line / 2 - 1,
			 &v->text);
}

static void bars_draw_upright(struct chart_bars *v, double scroll, struct chart_scene *scene,
			      uint32_t first, uint32_t last)
{
	double line = v->o.font.line, bottom = v->plot.y + v->plot.h;
	double end = fmin(v->plot.x + v->plot.w, v->plot.x + v->slot * v->f->n);
	struct chart_ticks ticks =
		chart_scale_ticks(&v->scale, v->plot.h / (line * 2), line, v->f->value != NULL);
	uint32_t i;

	chart_scene_rect(scene, CHART_CLASS_PLOT, CHART_NO_ITEM, v->plot.x, v->plot.y,
			 end - v->plot.x, v->plot.h);
	for (i = 0; i < ticks.n; i++) {
		double y = chart_scale_at(&v->scale, ticks.at[i]);

		chart_scene_line(scene, CHART_CLASS_GRID, v->plot.x, y, end, y);
		bars_put_tick(v, ticks.at[i]);
		bars_put(v, scene, CHART_CLASS_TICK, CHART_NO_ITEM, 'e', v->plot.x - 8, y,
			 &v->text);
	}
	chart_scene_clip(scene, v->plot.x, v->o.top, v->plot.w, v->o.height - v->o.top);
	for (i = first; i <= last; i++)
		bars_draw_upright_bar(v, scroll, scene, i);
	chart_scene_unclip(scene);
	chart_scene_line(scene, CHART_CLASS_AXIS, v->plot.x, bottom, end, bottom);
	bars_draw_labels(v, scroll, scene, first, last);
	scene->height = v->o.height;
}

/* --- lying --- */

/* A label that was not measured is cut alone. */
static void bars_draw_label(struct chart_bars *v, struct chart_scene *scene, uint32_t bar, double y)
{
	enum chart_class look = bars_gap(v, bar) ? CHART_CLASS_MUTED : CHART_CLASS_LABEL;
	double x = v->plot.x - SPACE;
	struct hist_cut cut;

	y += v->o.font.line / 3;
	if (bar < v->labels.n) {
		chart_scene_label(scene, look, bar, 'e', x, y, &v->labels, bar);
		return;
	}
	hist_cut_init(&cut, v->o.font.measure, v->o.font.data, HIST_CUT_MARK);
	hist_cut_add(&cut, bars_label(v, bar));
	hist_cut_fit(&cut, v->label);
	chart_scene_label(scene, look, bar, 'e', x, y, &cut, 0);
	hist_cut_free(&cut);
}

static void bars_draw_row(struct chart_bars *v, double scroll, struct chart_scene *scene,
			  uint32_t bar)
{
	struct chart_box slot = chart_bars_slot(v, scroll, bar), box;
	double y = slot.y + slot.h / 2, x;
	uint64_t value;

	chart_scene_area(scene, bar, slot.x, slot.y, slot.w, slot.h);
	bars_draw_label(v, scene, bar, y);
	box = bars_draw_sides(v, scroll, scene, bar);
	if (bars_gap(v, bar) || !v->f->value)
		return;
	value = v->f->value(v->f->data, bar);
	x = v->plot.x + box.w + SPACE;
	hist_number_put_grouped(hist_strbuf_clear(&v->text), value, false);
	bars_put(v, scene, value ? CHART_CLASS_NUMBER : CHART_CLASS_ZERO, bar, 's', x, y, &v->text);
	if (!v->f->has_shares || !value)
		return;
	x += chart_font_width(&v->o.font, &v->text) + SPACE + 2;
	hist_number_put_share(hist_strbuf_clear(&v->text), value, v->f->whole);
	bars_put(v, scene, CHART_CLASS_SHARE, bar, 's', x, y, &v->text);
}

static void bars_put_string(struct chart_bars *v, struct chart_scene *scene, enum chart_class look,
			    char anchor, double x, double y, const char *text)
{
	hist_strbuf_str(hist_strbuf_clear(&v->text), text);
	chart_scene_words(scene, look, CHART_NO_ITEM, anchor, x, y, &v->text);
}

/* The title of the keys, cut as the labels below it. */
static void bars_draw_key_title(struct chart_bars *v, struct chart_scene *scene)
{
	struct hist_cut cut;

	hist_strbuf_str(hist_strbuf_clear(&v->text), v->f->key_title);
	hist_cut_init(&cut, v->o.font.measure, v->o.font.data, HIST_CUT_MARK);
	hist_cut_add(&cut, &v->text);
	hist_cut_fit(&cut, v->label);
	chart_scene_label(scene, CHART_CLASS_TITLE, CHART_NO_ITEM, 'e', v->plot.x - SPACE,
			  v->plot.y - 8, &cut, 0);
	hist_cut_free(&cut);
}

static void bars_draw_lying(struct chart_bars *v, double scroll, struct chart_scene *scene,
			    uint32_t first, uint32_t last)
{
	double line = v->o.font.line,
	       end = fmin(v->plot.y + v->plot.h, v->plot.y + v->all - scroll);
	struct chart_ticks ticks = chart_scale_ticks(&v->scale, v->plot.w / (line * 6), line * 3.5,
						     v->f->value != NULL);
	double bottom = v->plot.y + v->plot.h;
	uint32_t i;

	chart_scene_rect(scene, CHART_CLASS_PLOT, CHART_NO_ITEM, v->plot.x, v->plot.y, v->plot.w,
			 end - v->plot.y);
	if (v->f->key_title)
		bars_draw_key_title(v, scene);
	for (i = 0; i < ticks.n; i++) {
		double x = chart_scale_at(&v->scale, ticks.at[i]);

		chart_scene_line(scene, CHART_CLASS_GRID, x, v->plot.y, x, end);
		bars_put_tick(v, ticks.at[i]);
		chart_scene_words(scene, CHART_CLASS_TICK, CHART_NO_ITEM, 'm', x,
				  bottom + TICK + line, &v->text);
	}
	if (v->f->value_title)
		bars_put_string(v, scene, CHART_CLASS_TITLE, 'm', v->plot.x + v->plot.w / 2,
				bottom + TICK + 2 * line + 3, v->f->value_title);
	if (v->o.height)
		chart_scene_clip(scene, 0, v->plot.y, v->o.width, v->plot.h);
	for (i = first; i <= last; i++)
		bars_draw_row(v, scroll, scene, i);
	if (v->f->more && last + 1 == v->f->n)
		bars_put_string(v, scene, CHART_CLASS_MUTED, 's', v->plot.x + SPACE,
				v->plot.y + v->slot * (v->f->n + 0.5) - scroll + line / 3,
				v->f->more);
	chart_scene_line(scene, CHART_CLASS_AXIS, v->plot.x, v->plot.y, v->plot.x, end);
	if (v->o.height)
		chart_scene_unclip(scene);
	scene->height = v->o.height ? v->o.height
				    : bottom + 2 * TICK + line + (v->f->value_title ? line + 3 : 0);
}

void chart_bars_draw(struct chart_bars *v, double scroll, struct chart_scene *scene)
{
	double shown = v->o.upright ? v->plot.w : v->plot.h;
	uint32_t first = scroll / v->slot, last = (scroll + shown) / v->slot;

	scene->width = v->o.width;
	if (!v->f->n)
		return;
	last = last >= v->f->n ? v->f->n - 1 : last;
	first = first > last ? last : first;
	if (v->o.upright)
		bars_draw_upright(v, scroll, scene, first, last);
	else
		bars_draw_lying(v, scroll, scene, first, last);
	if (v->text.error && !scene->error)
		scene->error = v->text.error;
}

// SPDX-License-Identifier: LGPL-2.1
/*
 * legend.c - the legend of a chart
 *
 * One walk over the parts both measures and draws, so that they agree.
 */
#include <math.h>

#include "lib/chart/legend.h"

#define BOX 13
#define LINE 24
#define NEAR 4 /* from a sample to its text */
#define FAR 10 /* from a text to the next sample */

struct legend_walk {
	const struct chart_legend *l;
	struct chart_scene *scene; /* NULL: only measure */
	double left, right, x, y;
	double whole; /* the width in one line */
	int error;
	struct hist_strbuf text;
};

static void legend_put_text(struct legend_walk *w)
{
	if (w->scene)
		chart_scene_words(w->scene, CHART_CLASS_TICK, CHART_NO_ITEM, 's', w->x,
				  w->y + w->l->font.line / 3, &w->text);
	w->x += chart_font_width(&w->l->font, &w->text);
}

static double legend_sample(const struct chart_legend *l)
{
	return l->lines ? LINE : BOX;
}

static void legend_put_sample(struct legend_walk *w, uint8_t level)
{
	struct chart_scene *scene = w->scene;

	if (scene && w->l->lines) {
		chart_scene_points(scene, CHART_PATH, w->l->look, NULL);
		chart_scene_point(scene, w->x, w->y, CHART_BEGIN);
		chart_scene_point(scene, w->x + LINE, w->y, CHART_NO_ITEM);
	} else if (scene) {
		chart_scene_rect(scene, w->l->look, CHART_NO_ITEM, w->x, w->y - (BOX - 1) / 2.,
				 BOX, BOX);
	}
	if (scene)
		chart_scene_level(scene, level);
	w->x += legend_sample(w->l);
}

static void legend_put_brief(struct legend_walk *w)
{
	const struct chart_legend *l = w->l;
	unsigned int level;

	l->text(l->data, l->first, hist_strbuf_clear(&w->text));
	legend_put_text(w);
	w->x += NEAR;
	for (level = l->first; level <= l->last; level++)
		legend_put_sample(w, level);
	w->x += NEAR;
	l->text(l->data, l->last, hist_strbuf_clear(&w->text));
	legend_put_text(w);
}

static void legend_next_line(struct legend_walk *w)
{
	w->x = w->left;
	w->y += w->l->font.line + CHART_LEGEND_STEP;
}

static void legend_put_level(struct legend_walk *w, uint8_t level)
{
	const struct chart_legend *l = w->l;

	l->text(l->data, level, hist_strbuf_clear(&w->text));
	if (!w->text.len)
		return;
	if (w->x > w->left &&
	    w->x + legend_sample(l) + NEAR + chart_font_width(&l->font, &w->text) > w->right)
		legend_next_line(w);
	legend_put_sample(w, level);
	w->x += NEAR;
	legend_put_text(w);
	w->x += FAR;
}

static void legend_walk(struct legend_walk *w)
{
	const struct chart_legend *l = w->l;
	unsigned int level;

	if (l->title) {
		hist_strbuf_str(hist_strbuf_clear(&w->text), l->title);
		legend_put_text(w);
		w->x += FAR;
		/* all samples are in one line, if they fit */
		if (w->scene && w->left + w->whole > w->right)
			legend_next_line(w);
	}
	if (l->brief)
		legend_put_brief(w);
	for (level = l->first; level <= l->last && !l->brief; level++)
		legend_put_level(w, level);
	w->error = w->text.error;
	hist_strbuf_free(&w->text);
}

int chart_legend_width(const struct chart_legend *l, double *width)
{
	struct legend_walk w = { .l = l, .right = HUGE_VAL };

	legend_walk(&w);
	*width = w.error ? 0 : l->brief ? w.x : fmax(w.x - FAR, 0);
	return w.error;
}

double chart_legend_draw(const struct chart_legend *l, double x, double y, double width,
			 struct chart_scene *scene)
{
	struct legend_walk w = {
		.l = l,
		.scene = scene,
		.left = x,
		.right = x + width,
		.x = x,
		.y = y,
	};
	int ret;

	ret = chart_legend_width(l, &w.whole);
	legend_walk(&w);
	if (!ret)
		ret = w.error;
	if (ret && !scene->error)
		scene->error = ret;
	return w.y + l->font.line + CHART_LEGEND_STEP;
}

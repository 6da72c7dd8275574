// SPDX-License-Identifier: LGPL-2.1
/*
 * svg_cumulative.c - the part of all counts that is at most a number, as steps along the axis
 *
 * Each bucket adds its part at its upper end, so that the line is never too high.
 */
#include "lib/report/html/svg_chart.h"
#include "lib/report/html/svg_scene.h"

#define HEIGHT 200
#define LEFT 50
#define RIGHT 16

static bool svg_cumulative_has(const struct chart_data *c)
{
	return svg_has_axis(c) && c->rows.n;
}

static void svg_cumulative_put_about(const struct chart_data *c, struct hist_strbuf *b)
{
	(void)c;
	hist_strbuf_str(b, "the part that is at most a number");
}

static void svg_cumulative_add_line(const struct hist_heatmap *map, const struct chart_box *plot,
				    struct chart_scene *scene)
{
	double all = 0, sum = 0, step = plot->w / map->nrows;
	uint32_t i;

	for (i = 0; i < map->nrows; i++)
		all += map->rows[i].total;
	chart_scene_points(scene, CHART_PATH, CHART_CLASS_EDGE, NULL);
	chart_scene_level(scene, 1);
	chart_scene_point(scene, plot->x, plot->y + plot->h, CHART_BEGIN);
	for (i = 0; i < map->nrows; i++) {
		double before = plot->y + plot->h * (1 - (all ? sum / all : 0));

		sum += map->rows[i].total;
		chart_scene_point(scene, plot->x + step * (i + 1), before, CHART_NO_ITEM);
		chart_scene_point(scene, plot->x + step * (i + 1),
				  plot->y + plot->h * (1 - (all ? sum / all : 0)), CHART_NO_ITEM);
	}
}

static void svg_cumulative_add_axes(const struct chart_data *c, const struct hist_heatmap *map,
				    const struct chart_box *plot, struct chart_scene *scene)
{
	bool exact = svg_need_exact_rows(c, map);
	struct hist_strbuf text = { 0 };
	double bottom = plot->y + plot->h;
	int i;

	chart_scene_rect(scene, CHART_CLASS_PLOT, CHART_NO_ITEM, plot->x, plot->y, plot->w,
			 plot->h);
	for (i = 0; i <= 4; i++) {
		hist_strbuf_printf(hist_strbuf_clear(&text), "%d%%", 25 * i);
		chart_scene_line(scene, CHART_CLASS_GRID, plot->x, bottom - plot->h / 4 * i,
				 plot->x + plot->w, bottom - plot->h / 4 * i);
		chart_scene_words(scene, CHART_CLASS_TICK, CHART_NO_ITEM, 'e', plot->x - 6,
				  bottom - plot->h / 4 * i + 4, &text);
	}
	for (i = 0; i < 2; i++) {
		svg_put_row_label(hist_strbuf_clear(&text), c, map,
				  &map->rows[i ? map->nrows - 1 : 0], exact);
		chart_scene_words(scene, CHART_CLASS_TICK, CHART_NO_ITEM, i ? 'e' : 's',
				  plot->x + plot->w * i, bottom + 16, &text);
	}
	hist_strbuf_free(&text);
}

static double svg_cumulative_draw(struct hist_strbuf *b, const struct chart_data *c, double width,
				  const struct hist_writer_options *o)
{
	const struct chart_box plot = { LEFT, 10, width - LEFT - RIGHT, HEIGHT };
	struct chart_scene scene = { 0 };
	int ret = 0;
	struct hist_heatmap *map = chart_data_make_axis_map(c, &ret);

	(void)o;
	hist_strbuf_fail(b, ret);
	if (!map)
		return ret ? 0 : svg_nothing(b, "nothing was counted");
	svg_cumulative_add_axes(c, map, &plot, &scene);
	svg_cumulative_add_line(map, &plot, &scene);
	svg_put_scene(b, &scene);
	chart_scene_free(&scene);
	hist_heatmap_free(map);
	return HEIGHT + 36;
}

const struct svg_chart svg_chart_cumulative = {
	.kind = "cumulative",
	.caption = "Cumulative",
	.width = SVG_HALF,
	.has = svg_cumulative_has,
	.put_about = svg_cumulative_put_about,
	.draw = svg_cumulative_draw,
};

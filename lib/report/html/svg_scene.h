/* SPDX-License-Identifier: LGPL-2.1 */
/*
 * svg_scene.h - draw a scene (lib/chart/scene.h) as SVG
 */
#ifndef LIB_REPORT_HTML_SVG_SCENE_H
#define LIB_REPORT_HTML_SVG_SCENE_H

#include "lib/chart/scene.h"

/* The font of labels, for the functions of lib/chart that measure text. */
extern const struct chart_font svg_font;
/* That of ticks and legends. */
extern const struct chart_font svg_tick_font;

/* Write the shapes of @scene into @b, with its error.  Returns its height. */
double svg_put_scene(struct hist_strbuf *b, const struct chart_scene *scene);

/* Write the steps of a path around a box, which has a least width. */
void svg_put_box(struct hist_strbuf *b, double x, double y, double w, double h);

#endif

/* SPDX-License-Identifier: LGPL-2.1 */
/*
 * svg_scene.h - draw a scene (lib/chart/scene.h), shapes and titles as SVG
 */
#ifndef LIB_REPORT_HTML_SVG_SCENE_H
#define LIB_REPORT_HTML_SVG_SCENE_H

#include "lib/base/strbuf.h"
#include "lib/chart/scene.h"

#define SVG_CHAR 6.7 /* width of a character of the 11px monospace font */

#define SVG_TICK_CHAR 6.2 /* of the proportional font, about */

/* The font of labels, for the functions of lib/chart that measure text. */
extern const struct chart_font svg_font;
/* That of ticks and legends. */
extern const struct chart_font svg_tick_font;

/* Write the shapes of @scene into @b, with its error.  Returns its height. */
double svg_put_scene(struct hist_strbuf *b, const struct chart_scene *scene);

/* Write the steps of a path around a box, which has a least width. */
void svg_put_box(struct hist_strbuf *b, double x, double y, double w, double h);

/* Write @command and @v: a part of a path, or of an attribute. */
void svg_step(struct hist_strbuf *b, char command, double v);
/* Each writes one element. */
void svg_rect(struct hist_strbuf *b, const char *class, double x, double y, double w, double h);
/*
 * A sentence, which is escaped for XML, and cut at its end to @columns.  @anchor: 's'tart, 'm'iddle
 * or 'e'nd.
 */
void svg_title(struct hist_strbuf *b, const char *class, char anchor, double x, double y,
	       const struct hist_strbuf *text, unsigned int columns);

/* Write @why instead of a chart.  Returns the height. */
double svg_nothing(struct hist_strbuf *b, const char *why);

#endif

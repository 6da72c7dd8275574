/* SPDX-License-Identifier: LGPL-2.1 */
/*
 * svg_scene.h - draw a scene (lib/chart/scene.h) as SVG
 */
#ifndef LIB_REPORT_HTML_SVG_SCENE_H
#define LIB_REPORT_HTML_SVG_SCENE_H

#include "lib/chart/scene.h"

/* The font of labels, for the functions of lib/chart that measure text. */
extern const struct chart_font svg_font;

/* Write the shapes of @scene into @b, with its error.  Returns its height. */
double svg_put_scene(struct hist_strbuf *b, const struct chart_scene *scene);

#endif

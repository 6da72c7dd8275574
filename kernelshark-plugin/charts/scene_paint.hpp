/* SPDX-License-Identifier: GPL-2.0 */
/* scene_paint.hpp - paint a scene (lib/chart/scene.h) with Qt */
#ifndef KERNELSHARK_PLUGIN_CHARTS_SCENE_PAINT_HPP
#define KERNELSHARK_PLUGIN_CHARTS_SCENE_PAINT_HPP

#include <QImage>

#include "kernelshark-plugin/charts/chart_style.hpp"

extern "C" {
#include "lib/chart/scene.h"
}

/* A scene that frees itself.  It keeps the image of its cells or dots for the next paint. */
class Scene {
public:
	Scene() = default;
	~Scene() { chart_scene_free(&s_); }
	Scene(const Scene &) = delete;
	Scene &operator=(const Scene &) = delete;

	operator chart_scene *() { return &s_; }
	void clear()
	{
		chart_scene_clear(&s_);
		image = QImage();
	}
	const chart_scene &shapes() const { return s_; }
	int find(const QPoint &at) const
	{
		return chart_scene_find(&s_, at.x() + 0.5, at.y() + 0.5);
	}

	mutable QImage image; /* of scenePaint() */

private:
	chart_scene s_ = {};
};

/* Measures texts in @font, which must stay valid. */
chart_font sceneFont(const QFontMetricsF *font);

/*
 * Paint all shapes. The item @pointed is brighter, or has a frame if it is a cell or a dot, and
 * @framed has a frame; -1: none.
 */
void scenePaint(QPainter *painter, const ChartStyle &style, const Scene &scene, int pointed,
		int framed);

inline QRectF sceneRect(const chart_box &box) { return QRectF(box.x, box.y, box.w, box.h); }

#endif

// SPDX-License-Identifier: GPL-2.0
/*
 * panel_bench.cpp - what painting the heat map costs, beside painting its cells one by one
 *
 * CPU time of this thread, the best of many rounds in turns.
 */
#include <algorithm>
#include <cstdio>
#include <ctime>

#include <QImage>
#include <QPainter>
#include <QTemporaryDir>

#include "panel_bench.hpp"
#include "panel_test.hpp"

#define ROUNDS 30
#define GOAL 0.75 /* of the peer's time */

static double cpuMs()
{
	struct timespec t;

	clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
	return t.tv_sec * 1e3 + t.tv_nsec / 1e6;
}

/* The peer: a rectangle for each cell, in an image of the same size. */
static void paintCells(HeatmapView *view, QImage *image)
{
	const hist_heatmap *map = view->map();
	QPainter painter(image);

	for (uint32_t r = 0; r < map->nrows; r++)
		for (unsigned int c = 0; c < map->ncolumns; c++)
			painter.fillRect(view->itemRect(int(r * map->ncolumns + c)), view->colour(view->level(r, c)));
}

static int row(const char *what, double ours, double peer)
{
	const bool met = ours <= GOAL * peer;
	char texts[2][32];

	snprintf(texts[0], sizeof(texts[0]), "%.2f ms", ours);
	snprintf(texts[1], sizeof(texts[1]), "cell by cell %.2f ms", peer);
	printf("%-58s | %14s | %26s | %7.2f | at most %-4.1f | %s\n", what, texts[0], texts[1], ours / peer, GOAL,
	       met ? "yes" : "NO");
	return met ? 0 : 1;
}

int panelBench()
{
	QTemporaryDir dir;
	PanelFixture p(dir.path());
	double same = 1e9, moved = 1e9, cells = 1e9, begin;
	HeatmapView *map;

	p.top->resize(1600, 600);
	p.load("busy", 100, 600);
	p.panel->setView(HistPanel::HeatMap);
	p.wait();
	map = p.heatmap();
	if (!map->map() || map->map()->ncolumns != 1000 || map->map()->nrows != 63) {
		fprintf(stderr, "panel-test: the map has not 63 x 1000 cells\n");
		return 1;
	}
	QImage image(map->viewport()->size(), QImage::Format_ARGB32_Premultiplied);
	for (int i = 0; i < ROUNDS; i++) {
		/* with the mouse moving, as a user sees it */
		p.hover(map, QPoint(300 + i, 100 + i));
		begin = cpuMs();
		map->viewport()->repaint();
		same = std::min(same, cpuMs() - begin);
		/* and with the graph moving: the image is another each time */
		p.shark.from += SECOND / 10;
		map->setTime(p.shark.from, p.shark.to, 0);
		begin = cpuMs();
		map->viewport()->repaint();
		moved = std::min(moved, cpuMs() - begin);
		begin = cpuMs();
		paintCells(map, &image);
		cells = std::min(cells, cpuMs() - begin);
	}
	return row("panel: a heat map of 63 x 1000 painted again", same, cells) +
	       row("panel: the same, the graph has moved", moved, cells);
}

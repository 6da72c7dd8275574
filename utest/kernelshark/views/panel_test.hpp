/* SPDX-License-Identifier: GPL-2.0 */
/*
 * panel_test.hpp - a panel in a window, offscreen, with what the tests ask it
 */
#ifndef UTEST_KERNELSHARK_VIEWS_PANEL_TEST_HPP
#define UTEST_KERNELSHARK_VIEWS_PANEL_TEST_HPP

#include <memory>

#include <QMainWindow>
#include <QtTest>

#include "kernelshark-plugin/charts/bars_view.hpp"
#include "kernelshark-plugin/charts/call_tree_view.hpp"
#include "kernelshark-plugin/charts/heatmap_view.hpp"
#include "kernelshark-plugin/charts/percentiles_view.hpp"
#include "kernelshark-plugin/charts/table_view.hpp"
#include "kernelshark-plugin/charts/compare_view.hpp"
#include "kernelshark-plugin/charts/latency_list.hpp"
#include "kernelshark-plugin/charts/scatter_view.hpp"
#include "kernelshark-plugin/panel/hist_panel.hpp"
#include "utest/kernelshark/fixture/panel_fake.hpp"

#define SECOND 1000000000ll

/* Each test has one of its own, 1200 x 330, without a file. */
class PanelFixture {
public:
	/* @settings becomes the panel's. */
	explicit PanelFixture(const QString &dir, QSettings *settings = nullptr);
	~PanelFixture();

	/* Opens panelRecording(@kind), shows @from to @to of the graph, in seconds; waits. */
	QString load(const QString &kind, double from = 90, double to = 700);
	void window(double from, double to);
	/* Until the panel is idle and painted; fails the test after a minute. */
	void wait();
	template <typename T> T *find(const char *name) { return panel->findChild<T *>(QLatin1String(name)); }
	QString text(const char *label);
	/* What the panel says of an export; waits. */
	QString exported(const QString &path, const QString &format);
	/* Types an expression and presses Enter; waits, unless the count is to be held. */
	void count(const QString &text, bool wait = true);
	/* Qt (5.15) leaks what fades a clear button in or out if the line is hidden meanwhile: waits. */
	void fade();
	/* What the mouse would do, in a view's viewport. */
	void hover(QAbstractScrollArea *view, const QPoint &at);
	void drag(QAbstractScrollArea *view, const QPoint &from, const QPoint &to, bool drop = true);

	BarsView *bars() { return find<BarsView>("hist_bars"); }
	HeatmapView *heatmap() { return find<HeatmapView>("hist_heatmap"); }
	PercentilesView *percentiles() { return find<PercentilesView>("hist_percentiles"); }
	TableView *table() { return find<TableView>("hist_table"); }

	QString dir;
	FakeShark shark;
	Recordings files{ &shark };
	/* The window is the active one: its widgets can have the focus. */
	void activate();

	std::unique_ptr<QMainWindow> top;
	HistPanel *panel;
};

/* What `trace-cmd hist report` prints; fails the test where that is nothing. */
QByteArray reportOf(const QStringList &arguments);

/* The row of a heat map, or bar of an axis, that covers @number; -1. */
int rowOfNumber(const hist_heatmap *map, uint64_t number);

#endif

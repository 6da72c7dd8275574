// SPDX-License-Identifier: GPL-2.0
/* panel_build.cpp - create the widgets of the panel, and connect them to its behaviour */
#include <QHBoxLayout>
#include <QMenu>

#include "kernelshark-plugin/charts/bars_view.hpp"
#include "kernelshark-plugin/charts/call_tree_view.hpp"
#include "kernelshark-plugin/charts/heatmap_view.hpp"
#include "kernelshark-plugin/charts/percentiles_view.hpp"
#include "kernelshark-plugin/charts/table_view.hpp"
#include "kernelshark-plugin/charts/compare_view.hpp"
#include "kernelshark-plugin/charts/latency_list.hpp"
#include "kernelshark-plugin/charts/scatter_view.hpp"
#include "kernelshark-plugin/panel/expression_row.hpp"
#include "kernelshark-plugin/panel/hist_panel.hpp"
#include "kernelshark-plugin/panel/panel_episodes.hpp"
#include "kernelshark-plugin/panel/panel_figures.hpp"
#include "kernelshark-plugin/panel/panel_filter.hpp"
#include "kernelshark-plugin/panel/panel_height.hpp"
#include "kernelshark-plugin/panel/panel_message.hpp"
#include "kernelshark-plugin/panel/panel_pairs.hpp"
#include "kernelshark-plugin/panel/panel_views.hpp"
#include "kernelshark-plugin/work/chart_text.hpp"

#define BARS_BEST 10 /* the height of the first run */

/* The first line: what is shown. */
QLayout *HistPanel::buildControls()
{
	QHBoxLayout *line = new QHBoxLayout;

	line->setSpacing(4);
	choices->addTo(line);
	line->addWidget(views->scale(body));
	comparing = named<QToolButton>(body, "hist_compare");
	comparing->setText(tr("Compare"));
	comparing->setToolTip(tr("Keep the current numbers, and compare them with those of another "
				 "time, histogram or file"));
	comparing->setCheckable(true);
	counting = named<QToolButton>(body, "hist_count");
	counting->setText(tr("Count"));
	counting->setToolTip(tr("Show the field for expressions that count events"));
	counting->setCheckable(true);
	counting->hide();
	splitting = named<QToolButton>(body, "hist_split");
	splitting->setText(tr("Split"));
	splitting->setToolTip(tr("Open another panel next to this one, for another histogram"));
	splitting->hide();
	exporting = named<QToolButton>(body, "hist_export");
	exporting->setText(tr("Export"));
	exporting->setToolTip(tr("Save this view"));
	exporting->setPopupMode(QToolButton::InstantPopup);
	exporting->setMenu(new QMenu(exporting));
	exporting->menu()->addAction(tr("&Picture (PNG)..."), this,
				     [this] { exportAs(QStringLiteral("png")); });
	exporting->menu()->addAction(tr("&Chart (SVG)..."), this,
				     [this] { exportAs(QStringLiteral("svg")); });
	exporting->menu()->addAction(tr("&Numbers (CSV)..."), this,
				     [this] { exportAs(QStringLiteral("csv")); });

	line->addWidget(counting);
	line->addWidget(comparing);
	line->addWidget(splitting);
	line->addWidget(exporting);
	return line;
}

/* The line above the view: its tab, and the snapshots that it shows. */
QLayout *HistPanel::buildTabs()
{
	QHBoxLayout *line = new QHBoxLayout;
	QWidget *tabs = views->tabs(body);

	area->watchWheel(tabs);
	from = named<LineLabel>(body, "hist_from");
	progress = named<WaitBar>(body, "hist_progress");
	progress->setTextVisible(false);
	progress->setFixedSize(110, 10);
	line->setSpacing(10);
	line->addWidget(tabs);
	line->addWidget(from, 1);
	line->addWidget(progress);
	return line;
}

/* The line below the view: how the events are filtered, and notes about the figures. */
QLayout *HistPanel::buildMessages()
{
	QHBoxLayout *messages = new QHBoxLayout;

	notes = named<LineLabel>(body, "hist_notes");
	notes->setContentsMargins(4, 0, 4, 2);
	/* a message does not move the view */
	message->setFixedHeight(notes->sizeHint().height());
	messages->addWidget(message, 1);
	messages->addWidget(notes, 1);
	return messages;
}

/* In the order of View. */
void HistPanel::buildViews()
{
	bars = views->add<BarsView>({ "Bars", "bars_log", PANEL_DATA_SVG_BARS });
	connect(bars, &BarsView::activated, this, [this](int i) {
		if (bars->upright())
			filter->showBucket(bars->figures()->by_axis->rows[i]);
		else
			filter->showEntry(bars->figures()->rows.entries[i]);
	});
	connect(bars, &BarsView::menuWanted, this, [this](int i, const QPoint &at) {
		if (bars->upright())
			filter->openBucketMenu(bars->figures()->by_axis->rows[i], at);
		else
			filter->openEntryMenu(bars->figures()->rows.entries[i], at);
	});
	heatmap = views->add<HeatmapView>({ "Heat map", "heatmap_log", PANEL_DATA_SVG_HEATMAP });
	connectHeatmap();
	connect(views->add<PercentilesView>(
			{ "Percentiles", "percentiles_log", PANEL_DATA_SVG_PERCENTILES }),
		&PercentilesView::groupActivated, this, [this](const QString &label) {
			if (choices->chooseGroup(label))
				setView(Bars);
		});

	TableView *table = views->add<TableView>({ "Table", nullptr, PANEL_DATA_CSV });

	connect(table, &TableView::rowActivated, filter, &PanelFilter::showEntry);
	connect(table, &TableView::menuWanted, filter, &PanelFilter::openEntryMenu);
	views->add<CallTreeView>({ "Call tree", nullptr, PANEL_DATA_CSV });

	EpisodesView *list = views->add<EpisodesView>({ "Episodes", nullptr, PANEL_DATA_CSV });

	episodes = new PanelEpisodes(shark, files, figures, message, list, this);
	connect(heatmap, &HeatmapView::chosen, episodes, &PanelEpisodes::offer);
	connect(list, &EpisodesView::episodeActivated, this, [this](int episode) {
		if (!closed)
			episodes->goTo(episode);
	});

	PairsView *latencies = views->add<PairsView>({ "Latencies", nullptr, PANEL_DATA_CSV });

	connect(pairs, &PanelPairs::listed, latencies, &PairsView::setPairs);
	connect(latencies, &PairsView::pairActivated, this, [this](quint64 start, quint64 end) {
		if (!closed)
			pairs->goTo(start, end);
	});
	scatter = views->add<ScatterView>({ "Scatter", "scatter_log", PANEL_DATA_CSV });
	connect(pairs, &PanelPairs::listed, scatter, &ScatterView::setPairs);
	connect(scatter, &ScatterView::activated, this, [this](int i) {
		if (!closed)
			pairs->goTo(scatter->pairs()[i].start, scatter->pairs()[i].end);
	});
	compare = views->add<CompareView>({ "Compare", "compare_log", PANEL_DATA_CSV });
}

void HistPanel::connectHeatmap()
{
	connect(heatmap, &HeatmapView::zoomWanted, this,
		[this](qint64 a, qint64 b) { shark->setWindow(a, b); });
	connect(heatmap, &HeatmapView::slowestWanted, pairs, &PanelPairs::findSlowest);
	connect(heatmap, &HeatmapView::goToWanted, this, [this](qint64 time) {
		const Recordings::Item *of = figures->item();

		if (of && !shark->goTo(of->file, QString(), time))
			message->say(tr("The graph does not contain an event at "
					"%1.").arg(timeText(uint64_t(time), true)),
				     false);
	});
	connect(heatmap, &HeatmapView::timePointed, this, [this](bool in, qint64 time) {
		if (!closed)
			shark->setCursor(in, time);
	});
	connect(heatmap, &HeatmapView::snapshotWanted, this, [this](quint64 time) {
		const PanelDataPtr f = figures->data();
		uint32_t i;

		if (!f || figures->shown().counted)
			return;
		const recorded_hist &h = f->query.recording->hists[f->query.hist];
		i = time_window_find_snapshot(f->query.recording, f->query.hist, time);
		if (i < h.n)
			showSnapshot(QString(figures->shown().path), f->query.hist,
				     h.snapshots[i].seq);
	});
	connect(heatmap, &HeatmapView::activated, filter, &PanelFilter::showCell);
}

/* Widgets without a parent get it with their line: the Tab key visits them in this order. */
void HistPanel::build()
{
	QVBoxLayout *rows;

	area = named<RowsArea>(this, "hist_rows");
	body = new QWidget;
	expression = new ExpressionRow;
	message = new PanelMessage;
	views = new PanelViews(&memory);
	choices = new PanelChoices(shark, files, &memory, expression, body);
	figures = new PanelFigures(files, this);
	pairs = new PanelPairs(shark, files, figures, message, this);
	filter = new PanelFilter(shark, figures, pairs, message, this);
	heights = new PanelHeight(this, &memory, [this] { return heightOf(BARS_BEST); });
	rows = new QVBoxLayout(body);
	rows->setContentsMargins(4, 2, 4, 2);
	rows->setSpacing(3);
	rows->addLayout(buildControls());
	rows->addLayout(buildTabs());
	buildViews();
	rows->addWidget(views, 1);
	rows->addLayout(buildMessages());
	rows->insertWidget(1, expression);
	body->setMinimumWidth(1);
	area->setWidget(body);
	for (QWidget *control : choices->wheeled())
		area->watchWheel(control);
	setWidget(area);
	offerViews();
	views->recall();
}

void HistPanel::connectExpression()
{
	connect(expression, &ExpressionRow::changed, this, [this](bool fresh) {
		if (!closed)
			choices->takeCount(fresh);
	});
	connect(expression, &ExpressionRow::countsWanted, this, [this](const QString &of) {
		if (!closed && !shark->busy() && files->find(of))
			expression->setCounts(shark->eventCounts(files->find(of)->file));
	});
	connect(expression, &ExpressionRow::settled, this, &HistPanel::settle);
	connect(expression, &ExpressionRow::historyChanged, this, [this] {
		memory.keep(QStringLiteral("expressions"), expression->history());
	});
	expression->setHistory(memory.texts(QStringLiteral("expressions")));
	expression->setFiles(files->items());
}

void HistPanel::connectAll()
{
	const auto again = [this] { refresh(); };

	connect(shark, &Shark::windowChanged, this, again);
	connect(shark, &Shark::markersChanged, this, [this] {
		qint64 a = 0, b = 0;
		const bool are = !closed && shark->markers(&a, &b);

		heatmap->setMarkers(are, a, b);
		scatter->setMarkers(are, a, b);
		refresh();
	});
	connect(shark, &Shark::graphMoved, this, [this] { showTime(); });
	connect(shark, &Shark::filterChanged, this, [this] {
		if (!shark->filtered())
			message->setShown(false);
	});
	connect(shark, &Shark::closing, this, [this] {
		closed = true;
		pairs->forget();
		heights->keep();
	});
	connect(files, &Recordings::changed, this, [this] {
		expression->setFiles(files->items());
		foldRows();
		choices->fill();
		refresh();
		settle();
	});
	connect(figures, &PanelFigures::changed, this, &HistPanel::showFigures);
	connect(figures, &PanelFigures::described, this, [this] {
		showFrom();
		showNotes();
	});
	connect(figures, &PanelFigures::written, this, &HistPanel::sayWritten);
	connect(figures, &PanelFigures::settled, this, &HistPanel::settle);
	connect(pairs, &PanelPairs::listWanted, this, [this] { setView(Pairs); });
	connect(pairs, &PanelPairs::settled, this, &HistPanel::settle);
	connect(choices, &PanelChoices::chosen, this, [this] {
		if (!shark->filtered())
			forgetRow();
		/* those of the previous histogram */
		figures->forget();
		emit chosenChanged();
	});
	connect(choices, &PanelChoices::changed, this, again);
	connectExpression();
	connect(progress, &WaitBar::tick, this, &HistPanel::watch);

	connect(this, &QDockWidget::visibilityChanged, this, [this](bool visible) {
		if (visible && stale)
			refresh();
	});
	connect(views, &PanelViews::shown, this, &HistPanel::showView);
	connect(splitting, &QToolButton::clicked, this, &HistPanel::anotherWanted);
	connect(comparing, &QToolButton::toggled, this, &HistPanel::setBefore);
	connect(area, &RowsArea::resized, this, &HistPanel::foldRows);
	connect(counting, &QToolButton::toggled, this, &HistPanel::foldRows);
	connect(message, &PanelMessage::changed, this, &HistPanel::foldRows);
	connect(message, &PanelMessage::cleared, this, [this] {
		shark->clearFilter();
		forgetRow();
		listLatencies();
	});
}

// SPDX-License-Identifier: GPL-2.0
/* panel_build.cpp - create the widgets of the panel, and connect them to its behaviour */
#include <QHBoxLayout>
#include <QMenu>
#include <QStackedWidget>

#include "kernelshark-plugin/panel/hist_panel.hpp"
#include "kernelshark-plugin/work/chart_text.hpp"

const HistPanel::ViewKind HistPanel::kinds[] = {
	{ "Bars", "bars_log", PANEL_DATA_SVG_BARS },
	{ "Heat map", "heatmap_log", PANEL_DATA_SVG_HEATMAP },
	{ "Percentiles", "percentiles_log", PANEL_DATA_SVG_PERCENTILES },
	{ "Table", nullptr, PANEL_DATA_CSV },
	{ "Call tree", nullptr, PANEL_DATA_CSV },
	{ "Episodes", nullptr, PANEL_DATA_CSV },
	{ "Latencies", nullptr, PANEL_DATA_CSV },
	{ "Scatter", "scatter_log", PANEL_DATA_CSV },
	{ "Compare", "compare_log", PANEL_DATA_CSV },
};

/* The first line: what is shown. */
QLayout *HistPanel::buildControls()
{
	QHBoxLayout *line = new QHBoxLayout;

	choices = new PanelChoices(shark, files, &memory, expression, body);
	log = named<QToolButton>(body, "hist_log");
	log->setToolTip(tr("Logarithmic or linear scale"));
	log->setCheckable(true);
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
	exporting->menu()->addAction(tr("&Picture (PNG)..."), this, [this] { exportAs(QStringLiteral("png")); });
	exporting->menu()->addAction(tr("&Chart (SVG)..."), this, [this] { exportAs(QStringLiteral("svg")); });
	exporting->menu()->addAction(tr("&Numbers (CSV)..."), this, [this] { exportAs(QStringLiteral("csv")); });

	line->setSpacing(4);
	choices->addTo(line);
	line->addWidget(log);
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

	tabs = named<QTabBar>(body, "hist_view");
	tabs->setAccessibleName(tr("View"));
	for (const ViewKind &kind : kinds)
		tabs->addTab(tr(kind.title));
	tabs->setDrawBase(false);
	tabs->setExpanding(false);
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

	message = new PanelMessage(body);
	notes = named<LineLabel>(body, "hist_notes");
	notes->setContentsMargins(4, 0, 4, 2);
	/* a message does not move the view */
	message->setFixedHeight(notes->sizeHint().height());
	messages->addWidget(message, 1);
	messages->addWidget(notes, 1);
	return messages;
}

void HistPanel::build()
{
	QVBoxLayout *rows;

	area = named<RowsArea>(this, "hist_rows");
	body = new QWidget;
	expression = new ExpressionRow;
	rows = new QVBoxLayout(body);
	rows->setContentsMargins(4, 2, 4, 2);
	rows->setSpacing(3);
	rows->addLayout(buildControls());
	rows->addLayout(buildTabs());

	stack = new QStackedWidget(body);
	stack->addWidget(bars = new BarsView(stack));
	stack->addWidget(heatmap = new HeatmapView(stack));
	stack->addWidget(percentiles = new PercentilesView(stack));
	stack->addWidget(table = new TableView(stack));
	stack->addWidget(calls = new CallTreeView(stack));
	stack->addWidget(episodes_view = new EpisodesView(stack));
	stack->addWidget(pairs_view = new PairsView(stack));
	stack->addWidget(scatter = new ScatterView(stack));
	stack->addWidget(compare = new CompareView(stack));
	views = { bars, heatmap, percentiles, table, calls, episodes_view, pairs_view, scatter, compare };
	rows->addWidget(stack, 1);

	rows->addLayout(buildMessages());
	/* last: the Tab key visits widgets in the order in which they get their parent */
	rows->insertWidget(1, expression);
	body->setMinimumWidth(1);
	area->setWidget(body);
	for (QWidget *control : choices->wheeled())
		area->watchWheel(control);
	area->watchWheel(tabs);
	setWidget(area);

	figures = new PanelFigures(files, this);
	pairs = new PanelPairs(shark, files, figures, message, this);
	filter = new PanelFilter(shark, figures, pairs, message, this);
	episodes = new PanelEpisodes(shark, files, figures, message, episodes_view, this);
	showView(HistPanel::Bars);
	offerViews();
}

void HistPanel::connectControls()
{
	connect(splitting, &QToolButton::clicked, this, &HistPanel::anotherWanted);
	connect(tabs, &QTabBar::currentChanged, this, &HistPanel::showView);
	connect(area, &RowsArea::resized, this, &HistPanel::foldRows);
	connect(counting, &QToolButton::toggled, this, &HistPanel::foldRows);
	connect(log, &QToolButton::toggled, this, [this](bool on) {
		log->setText(on ? tr("Log") : tr("Linear"));
		views[stack->currentIndex()]->setLog(on);
		keepLook();
	});
	connect(tabs, &QTabBar::currentChanged, this, &HistPanel::keepLook);
}

void HistPanel::connectViews()
{
	connect(heatmap, &HeatmapView::zoomWanted, this, [this](qint64 a, qint64 b) { shark->setWindow(a, b); });
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
			showSnapshot(QString(figures->shown().path), f->query.hist, h.snapshots[i].seq);
	});
	connect(heatmap, &HeatmapView::activated, filter, &PanelFilter::showCell);
	connect(heatmap, &HeatmapView::chosen, episodes, &PanelEpisodes::offer);
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
	connect(table, &TableView::rowActivated, filter, &PanelFilter::showEntry);
	connect(table, &TableView::menuWanted, filter, &PanelFilter::openEntryMenu);
	connect(episodes_view, &EpisodesView::episodeActivated, this, [this](int episode) {
		if (!closed)
			episodes->goTo(episode);
	});
	connect(pairs_view, &PairsView::pairActivated, this, [this](quint64 start, quint64 end) {
		if (!closed)
			pairs->goTo(start, end);
	});
	connect(scatter, &ScatterView::activated, this, [this](int i) {
		if (!closed)
			pairs->goTo(scatter->pairs()[i].start, scatter->pairs()[i].end);
	});
	connect(percentiles, &PercentilesView::groupActivated, this, [this](const QString &label) {
		if (choices->chooseGroup(label))
			setView(Bars);
	});
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
	connect(pairs, &PanelPairs::listed, pairs_view, &PairsView::setPairs);
	connect(pairs, &PanelPairs::listed, scatter, &ScatterView::setPairs);
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
	connectCompare();
	connect(progress, &WaitBar::tick, this, &HistPanel::watch);

	connect(this, &QDockWidget::visibilityChanged, this, [this](bool visible) {
		if (visible && stale)
			refresh();
	});
	connectControls();
	connectViews();
	connect(message, &PanelMessage::changed, this, &HistPanel::foldRows);
	connect(message, &PanelMessage::cleared, this, [this] {
		shark->clearFilter();
		forgetRow();
		listLatencies();
	});
}

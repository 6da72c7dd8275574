// SPDX-License-Identifier: GPL-2.0
/* hist_panel.cpp - behaviour of the panel: choices, queries and display */
#include <QSettings>
#include <QStackedWidget>

#include "kernelshark-plugin/panel/hist_panel.hpp"
#include "kernelshark-plugin/work/chart_text.hpp"

#define BARS_BEST 10 /* the height of the first run */

HistPanel::HistPanel(Shark *shark, Recordings *files, QWidget *parent, QSettings *settings)
	: QDockWidget(tr("Histograms"), parent), shark(shark), files(files), memory(settings)
{
	setObjectName(QStringLiteral("hist_panel"));
	if (settings)
		settings->setParent(this);
	heights = new PanelHeight(this, &memory, [this] { return heightOf(BARS_BEST); });
	build();
	recallLook();
	connectAll();
	choices->fill();
	refresh();
}

/* No signal may arrive after the members are gone: destroy or disconnect all senders. */
HistPanel::~HistPanel()
{
	shark->disconnect(this);
	files->disconnect(this);
	delete pairs;
	delete figures;
	delete body;
}

ChartView *HistPanel::chart() const
{
	return qobject_cast<ChartView *>(stack->currentWidget());
}

void HistPanel::refresh()
{
	if (closed || shark->busy())
		return;
	stale = !body->isVisible();
	episodes->show(choices->item());
	if (stale && choices->recording())
		return;
	choices->count();
	if (!choices->recording()) {
		figures->drop(choices->whyNone());
		return;
	}
	wanted = choices->query();
	showTime();
	figures->ask(wanted);
	watch();
}

void HistPanel::showFigures(const QString &why)
{
	showFrom();
	if (figures->data()) {
		heatmap->setSnapshots(!figures->shown().counted);
		heatmap->setLatencies(pairs->isLatency());
		choices->fillGroups(*figures->data());
		showNotes();
		showView(tabs->currentIndex());
		return;
	}
	showNotes();
	for (PanelView *one : views)
		one->setFigures(PanelDataPtr(), why);
	exporting->setEnabled(false);
	comparing->setEnabled(comparing->isChecked());
}

/* "", or what the user must know about the displayed figures. */
QString HistPanel::notesText() const
{
	const QStringList list = figures->notes();

	return list.isEmpty() ? QString() : tr("Note: %1").arg(list.join(QLatin1String("; ")));
}

/* The line is always there unless the panel is low, so that the views keep their size. */
void HistPanel::showNotes()
{
	QPalette colours = palette();

	colours.setColor(QPalette::WindowText, ChartStyle(bars).warn);
	notes->setPalette(colours);
	notes->setText(notesText());
	notes->setToolTip(toolTipText(figures->notes().join(QLatin1Char('\n'))));
	foldRows();
}

/* Only the visible view gets the figures; the other views release theirs. */
void HistPanel::showView(int index)
{
	stack->setCurrentIndex(index);
	log->setEnabled(kinds[index].log);
	QSignalBlocker blocked(log);
	log->setChecked(views[index]->isLog());
	log->setText(log->isChecked() ? tr("Log") : tr("Linear"));
	blocked.unblock();
	exporting->setEnabled(figures->data() != nullptr);
	comparing->setEnabled(figures->data() || comparing->isChecked());
	showFrom();
	if (!figures->data())
		return;
	offerViews();
	for (int i = 0; i < views.size(); i++)
		views[i]->setFigures(i == index ? figures->data() : PanelDataPtr(), QString());
	showTime();
	listLatencies();
}

void HistPanel::offerViews()
{
	const hist_schema *schema = choices->schema();

	tabs->setTabVisible(Calls, (schema && CallTreeView::canShow(schema)) || view() == Calls);
	tabs->setTabVisible(Scatter, pairs->isLatency() || view() == Scatter);
	/* setTabVisible() keeps the old size, which makes the tabs scroll; setTabText() does not */
	tabs->setTabText(Scatter, tabs->tabText(Scatter));
}

/* Follow the graph immediately, even before the figures of its window arrive. */
void HistPanel::showTime()
{
	const Recordings::Item *of = figures->item() ? figures->item() : choices->item();
	int left = 0, right = 0;

	if (closed || !of)
		return;
	if (!wanted.aligned || !shark->graphSpan(heatmap->viewport(), &left, &right))
		left = right = 0;
	heatmap->setTime(wanted.begin, wanted.end, of->file.offset, left, right);
	if (!wanted.aligned || !shark->graphSpan(scatter->viewport(), &left, &right))
		left = right = 0;
	scatter->setTime(wanted.begin, wanted.end, left, right);
}

void HistPanel::forgetRow()
{
	message->setShown(false);
	pairs->forgetRow();
}

void HistPanel::listLatencies()
{
	if (!closed && (view() == Pairs || view() == Scatter))
		pairs->list();
}

void HistPanel::settle()
{
	watch();
	if (idle())
		emit settled();
}

void HistPanel::watch()
{
	progress->setRange(0, files->opening() ? 0 : 1000);
	progress->setValue(figures->done());
	progress->setBusy(!closed && (figures->busy() || files->opening()));
}

bool HistPanel::showSnapshot(const QString &path, unsigned int hist, quint32 seq)
{
	if (!choices->chooseSnapshot(path, hist, seq))
		return false;
	show();
	raise();
	refresh();
	return true;
}

bool HistPanel::idle() const
{
	return !figures->busy() && !files->opening() && !expression->busy() && !pairs->busy();
}

/* Call before the widgets are connected. */
void HistPanel::recallLook()
{
	for (int i = 0; i < views.size(); i++)
		if (kinds[i].log)
			views[i]->setLog(memory.number(QLatin1String(kinds[i].log), 1, views[i]->isLog()));
	tabs->setCurrentIndex(memory.number(QStringLiteral("view"), tabs->count() - 1, HistPanel::Bars));
	showView(tabs->currentIndex());
}

void HistPanel::keepLook()
{
	for (int i = 0; i < views.size(); i++)
		if (kinds[i].log)
			memory.keep(QLatin1String(kinds[i].log), views[i]->isLog());
	memory.keep(QStringLiteral("view"), tabs->currentIndex());
}

void HistPanel::setBeside(const HistPanel *other)
{
	setAttribute(Qt::WA_DeleteOnClose);
	heights->leave();
	choices->chooseAfter(*other->choices);
}

/* A panel that becomes narrow is not aligned with the graph any more. */
void HistPanel::resizeEvent(QResizeEvent *event)
{
	QDockWidget::resizeEvent(event);
	showTime();
}

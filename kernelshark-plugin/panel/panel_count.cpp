// SPDX-License-Identifier: GPL-2.0
/*
 * panel_count.cpp - events that the panel itself counts, as additional histograms
 *
 * The result of a count is a recording, so all views can show it. Only its time range
 * is handled differently. If the graph moves, the panel still shows the events of the
 * old window, and a line that says so. The new events replace them as soon as they are
 * counted.
 */
#include "kernelshark-plugin/panel/hist_panel.hpp"
#include "kernelshark-plugin/work/chart_text.hpp"

#define WINDOW_COLUMNS 240 /* snapshots of a window; the cost of each is proportional to the rows */

void HistPanel::connectCount()
{
	connect(expression, &ExpressionRow::submitted, this, [this] {
		by_hand = true;
		refresh();
	});
	connect(expression, &ExpressionRow::changed, this, &HistPanel::countChanged);
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

RecordingPtr HistPanel::chosenRecording() const
{
	if (counted)
		return expression->counted() ? expression->counted()->recording : RecordingPtr();
	return item() ? item()->recording : RecordingPtr();
}

int HistPanel::addCounted(bool several)
{
	const Recordings::Item *of = files->find(expression->path());
	Recordings::Item item;
	const hist_definition *def;
	int chosen = -1;
	unsigned int i;

	if (!of || !expression->counted())
		return -1;
	item = *of;
	item.recording = expression->counted()->recording;
	for (i = 0; i < item.recording->count; i++) {
		def = &item.recording->hists[i].info->def;
		addChoice(tr("computed: %1").arg(histogramText(item, i, several)), item.file.path, i, true,
			  tr("%1\n%2 %3\ncounted by the panel from the events of the file")
				  .arg(item.file.path, QString::fromUtf8(def->event),
				       QString::fromUtf8(expression->counted()->query.text)));
		if (counted && path == item.file.path && (!i || i == hist))
			chosen = histograms->count() - 1;
	}
	return chosen;
}

void HistPanel::count()
{
	const Recordings::Item *of = files->find(expression->path());
	expression_window window = { 0, UINT64_MAX, 0, 0 };
	qint64 begin, end;
	QString why;

	if (!of || (!counted && !expression->waits()) || source() == OneSnapshot) {
		expression->rest();
		return;
	}
	if (expression->isNs()) {
		if (!timeRange(&begin, &end, &why)) {
			expression->rest();
			return;
		}
		window = { fileTime(begin, of->file.offset), fileTime(end, of->file.offset), WINDOW_COLUMNS, 0 };
	}
	expression->want(window);
}

void HistPanel::countChanged(bool fresh)
{
	if (closed)
		return;
	fillChooser();
	if (fresh) {
		const int first = histograms->count() - int(expression->counted()->recording->count);

		/* the same item may now contain another expression */
		path.clear();
		histograms->setCurrentIndex(first);
		chooseAt(first);
		return;
	}
	refresh();
	showNotes();
}

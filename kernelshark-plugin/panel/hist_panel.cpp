// SPDX-License-Identifier: GPL-2.0
/* hist_panel.cpp - behaviour of the panel: choices, queries and display */
#include <algorithm>

#include <QFileInfo>
#include <QSettings>
#include <QStackedWidget>

#include "kernelshark-plugin/panel/hist_panel.hpp"
#include "kernelshark-plugin/work/chart_text.hpp"

#define GROUPS_MOST 500	/* in the chooser; the largest groups come first */

HistPanel::HistPanel(Shark *shark, Recordings *files, QWidget *parent, QSettings *settings)
	: QDockWidget(tr("Histograms"), parent), shark(shark), files(files), memory(settings)
{
	setObjectName(QStringLiteral("hist_panel"));
	if (settings)
		settings->setParent(this);
	build();
	recallLook();
	connectAll();
	connectMemory();
	fillChooser();
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

const Recordings::Item *HistPanel::item() const
{
	return path.isEmpty() ? nullptr : files->find(path);
}

ChartView *HistPanel::chart() const
{
	return qobject_cast<ChartView *>(stack->currentWidget());
}

QString HistPanel::histogramText(const Recordings::Item &item, unsigned int hist, bool several)
{
	const struct hist_series_info *info = item.recording->hists[hist].info;
	const QString instance = QString::fromUtf8(info->def.instance);
	QString text = QString::fromUtf8(item.recording->hists[hist].name);
	QStringList keys, streams;
	char title[300];
	unsigned int i;

	for (i = 0; i < info->def.schema->nkeys; i++) {
		const char *modifier = hist_key_traits(&info->def.schema->keys[i])->modifier;

		hist_column_format_key(info->def.schema, i, title, sizeof(title));
		keys << QString::fromUtf8(title) +
				(*modifier ? QLatin1Char('.') + QLatin1String(modifier) : QString());
	}
	text += QLatin1String(" by ") + keys.join(QLatin1String(", "));
	/* the names of the recorder's own instances are not useful for the user */
	if (!instance.isEmpty() && !instance.startsWith(QLatin1String("trace-cmd-hist-")))
		text += HistPanel::tr(" in %1").arg(instance);
	if (!several)
		return text;
	for (int stream : item.file.streams)
		streams << QString::number(stream);
	return HistPanel::tr("%1 (stream %2): %3")
		.arg(QFileInfo(item.file.path).fileName(), streams.join(QLatin1String(", ")), text);
}

void HistPanel::addChoice(const QString &text, const QString &file, unsigned int number, bool is_counted,
			  const QString &tip)
{
	histograms->addItem(text, file);
	histograms->setItemData(histograms->count() - 1, number, HIST_ROLE);
	histograms->setItemData(histograms->count() - 1, is_counted, COUNTED_ROLE);
	histograms->setItemData(histograms->count() - 1, toolTipText(tip), Qt::ToolTipRole);
}

void HistPanel::fillChooser()
{
	const QString old_path = path;
	const unsigned int old_hist = hist;
	const QList<Recordings::Item> &items = files->items();
	int chosen = -1;
	unsigned int i;

	QSignalBlocker blocked(histograms);
	histograms->clear();
	for (const Recordings::Item &it : items) {
		for (i = 0; it.recording && i < it.recording->count; i++) {
			const hist_definition *def = &it.recording->hists[i].info->def;

			addChoice(histogramText(it, i, items.size() > 1), it.file.path, i, false,
				  tr("%1\n%2\nclock %3, host %4")
					  .arg(it.file.path, QString::fromUtf8(def->trigger),
					       QString::fromUtf8(def->clock), QString::fromUtf8(def->host)));
			if (it.file.path == old_path && i == old_hist && !counted)
				chosen = histograms->count() - 1;
		}
	}
	const int computed = addCounted(items.size() > 1);

	if (computed >= 0)
		chosen = computed;
	if (chosen < 0 || !by_hand) {
		const int recalled = recalledIndex();

		if (recalled >= 0 && recalled != chosen) {
			histograms->setCurrentIndex(recalled);
			chosen = -1;
		}
	}
	if (chosen >= 0) {
		histograms->setCurrentIndex(chosen);
		const QSignalBlocker kept(snapshot);

		snapshot->setRecording(chosenRecording(), hist);
	}
	blocked.unblock();
	histograms->setEnabled(histograms->count() > 0);
	if (chosen < 0)
		chooseAt(histograms->count() ? histograms->currentIndex() : -1);
}

void HistPanel::chooseAt(int index)
{
	const QString new_path = histograms->itemData(index).toString(); /* index -1: null */
	const unsigned int new_hist = histAt(index);
	const bool new_counted = histograms->itemData(index, COUNTED_ROLE).toBool();

	if (new_path == path && new_hist == hist && new_counted == counted)
		return;
	path = new_path;
	hist = new_hist;
	counted = new_counted;
	if (!shark->filtered())
		forgetRow();
	/* discard figures of the previous histogram that may still arrive */
	figures->forget();
	QSignalBlocker groups(group), snapshots(snapshot);
	group->clear();
	group->hide();
	snapshot->setRecording(chosenRecording(), hist);
	snapshot->setValue(snapshot->maximum());
	groups.unblock();
	snapshots.unblock();
	fillValues();
	recallChoice();
	emit chosenChanged();
	refresh();
}

unsigned int HistPanel::histAt(int index) const
{
	return histograms->itemData(index, HIST_ROLE).toUInt();
}

/* The summed values, if there are several. */
void HistPanel::fillValues()
{
	const QSignalBlocker blocked(value);
	const RecordingPtr r = chosenRecording();
	const hist_schema *schema;
	unsigned int i;

	value->clear();
	if (r) {
		schema = r->hists[hist].info->def.schema;
		for (i = 0; i < schema->nvalues; i++) {
			if (!hist_value_is_sum(schema->values[i].kind))
				continue;
			value->addItem(valueTitleText(schema, i), i);
		}
		value->setCurrentIndex(std::max(0, value->findData(hist_row_find_main_value(schema,
											    nullptr))));
	}
	value->setVisible(value->count() > 1);
}

/* Keep the chosen group even if it does not have counts in this window. */
void HistPanel::fillGroups(const PanelData *f)
{
	const QSignalBlocker blocked(group);
	const QVariant chosen = group->currentData();
	const QString label = chosen.toString();
	uint32_t i;
	int at = 0;

	group->clear();
	group->addItem(tr("all groups"));
	for (i = 0; i < f->ngroups && i < GROUPS_MOST; i++) {
		const QString text = QString::fromUtf8(f->groups[i].label);

		group->addItem(text, text);
		if (chosen.isValid() && text == label)
			at = group->count() - 1;
	}
	if (chosen.isValid() && !at) {
		group->addItem(label, label);
		at = group->count() - 1;
	}
	group->setCurrentIndex(at);
	group->setVisible(group->count() > 1);
}

/* A sentence why no histogram is chosen. */
static QString nothingChosen(const Recordings *files, bool has_events)
{
	QStringList whys;

	for (const Recordings::Item &it : files->items()) {
		if (it.opening)
			return HistPanel::tr("Reading the histograms of %1").arg(it.file.path);
		if (!it.why.isEmpty())
			whys << HistPanel::tr("%1: %2").arg(it.file.path, it.why);
	}
	if (whys.isEmpty())
		return HistPanel::tr("No file is open. Open a trace.dat file recorded with "
				     "`trace-cmd hist record` to show its histograms.");
	if (has_events)
		whys << HistPanel::tr("To count the events of the file, type an expression above, or "
				      "choose a latency.");
	return whys.join(QLatin1Char('\n'));
}

void HistPanel::refresh()
{
	if (closed || shark->busy())
		return;
	stale = !body->isVisible();
	episodes->show(item());
	if (!chosenRecording()) {
		count();
		figures->drop(nothingChosen(files, expression->hasEvents()));
		return;
	}
	if (stale)
		return;
	count();
	wanted = counted ? countedNow() : recordedNow();
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
		fillGroups(figures->data().get());
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
	const RecordingPtr of = chosenRecording();
	const bool stacks = of && CallTreeView::canShow(of->hists[hist].info->def.schema);

	tabs->setTabVisible(Calls, stacks || view() == Calls);
	tabs->setTabVisible(Scatter, pairs->isLatency() || view() == Scatter);
	/* setTabVisible() keeps the old size, which makes the tabs scroll; setTabText() does not */
	tabs->setTabText(Scatter, tabs->tabText(Scatter));
}

/* Follow the graph immediately, even before the figures of its window arrive. */
void HistPanel::showTime()
{
	const Recordings::Item *of = figures->item() ? figures->item() : item();
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

bool HistPanel::choose(const QString &path, unsigned int hist)
{
	int i;

	for (i = 0; i < histograms->count(); i++)
		if (histograms->itemData(i).toString() == path && histAt(i) == hist &&
		    !histograms->itemData(i, COUNTED_ROLE).toBool()) {
			histograms->setCurrentIndex(i);
			chooseAt(i);
			keepChoice();
			return true;
		}
	return false;
}

bool HistPanel::chosen(QString *path, unsigned int *hist) const
{
	if (this->path.isEmpty() || counted)
		return false;
	*path = this->path;
	*hist = this->hist;
	return true;
}

bool HistPanel::showSnapshot(const QString &path, unsigned int hist, quint32 seq)
{
	const recorded_hist *h;

	if (!choose(path, hist) || !item() || !item()->recording)
		return false;
	h = &item()->recording->hists[hist];
	if (!h->n || h->snapshots[snapshotIndex(*h, seq)].seq != seq)
		return false;
	snapshot->setValue(int(seq));
	setSource(OneSnapshot);
	show();
	raise();
	refresh();
	return true;
}

bool HistPanel::idle() const
{
	return !figures->busy() && !files->opening() && !expression->busy() && !pairs->busy();
}

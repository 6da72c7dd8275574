// SPDX-License-Identifier: GPL-2.0
/* panel_choices.cpp - the choosers of histogram, group, value and time */
#include <algorithm>

#include <QBoxLayout>
#include <QFileInfo>
#include <QLineEdit>

#include "kernelshark-plugin/panel/panel_choices.hpp"
#include "kernelshark-plugin/work/chart_text.hpp"

#define GROUPS_MOST 500	/* in the chooser; the largest groups come first */
#define WINDOW_COLUMNS 240 /* snapshots of a window; the cost of each is proportional to the rows */

/* The window can be as narrow as without the panel. */
#define NARROW 40

static QComboBox *chooser(QWidget *parent, const char *name, const QString &tip, int letters)
{
	QComboBox *box = named<QComboBox>(parent, name);

	box->setToolTip(tip);
	box->setAccessibleName(tip);
	box->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
	box->setMinimumContentsLength(letters);
	box->setMinimumWidth(NARROW);
	return box;
}

PanelChoices::PanelChoices(Shark *shark, const Recordings *files, PanelMemory *memory,
			   ExpressionRow *expression, QWidget *parent)
	: QObject(parent), shark_(shark), files_(files), memory_(memory), expression_(expression)
{
	/* a choice is fully applied when it is stored */
	const auto chose = [this] {
		emit changed();
		keep();
	};

	histograms_ = chooser(parent, "hist_choose", tr("Histogram"), 22);
	group_ = chooser(parent, "hist_group", tr("Group: the keys that are not on the axis"), 10);
	value_ = chooser(parent, "hist_value", tr("Value to draw"), 8);
	times_ = chooser(parent, "hist_source", tr("Time range to show"), 12);
	times_->addItems({ tr("Visible window"), tr("Markers A-B"), tr("One snapshot"),
			  tr("Whole recording") });
	snapshot_ = named<SnapshotSpin>(parent, "hist_snapshot");
	snapshot_->setToolTip(tr("Number of the snapshot"));
	snapshot_->setAccessibleName(snapshot_->toolTip());
	search_ = named<QLineEdit>(parent, "hist_search");
	search_->setPlaceholderText(tr("Search keys"));
	search_->setAccessibleName(tr("Search keys"));
	search_->setClearButtonEnabled(true);
	search_->setMinimumWidth(NARROW);
	search_->setMaximumWidth(220);
	group_->hide();
	value_->hide();
	snapshot_->hide();

	connect(histograms_, QOverload<int>::of(&QComboBox::activated), this, [this](int index) {
		chooseAt(index);
		keep();
	});
	connect(group_, QOverload<int>::of(&QComboBox::currentIndexChanged), this, chose);
	connect(value_, QOverload<int>::of(&QComboBox::currentIndexChanged), this, chose);
	connect(times_, QOverload<int>::of(&QComboBox::currentIndexChanged), this,
		[this, chose](int i) {
		snapshot_->setVisible(i == OneSnapshot);
		chose();
	});
	connect(snapshot_, QOverload<int>::of(&QSpinBox::valueChanged), this, chose);
	connect(search_, &QLineEdit::textChanged, this, &PanelChoices::changed);
	connect(expression_, &ExpressionRow::submitted, this, [this] {
		by_hand_ = true;
		emit changed();
	});
}

void PanelChoices::addTo(QBoxLayout *line) const
{
	line->addWidget(histograms_, 8);
	line->addWidget(group_, 4);
	line->addWidget(value_, 2);
	line->addWidget(times_, 3);
	line->addWidget(snapshot_);
	line->addWidget(search_, 3);
}

QList<QWidget *> PanelChoices::wheeled() const
{
	return { histograms_, group_, value_, times_, snapshot_ };
}

void PanelChoices::setSource(Source source)
{
	times_->setCurrentIndex(source);
}

PanelChoices::Source PanelChoices::source() const
{
	return Source(times_->currentIndex());
}

QString PanelChoices::text() const
{
	return histograms_->currentText();
}

bool PanelChoices::chosenOfFile(QString *path, unsigned int *hist) const
{
	if (path_.isEmpty() || counted_)
		return false;
	*path = path_;
	*hist = hist_;
	return true;
}

const Recordings::Item *PanelChoices::item() const
{
	return files_->find(path_);
}

RecordingPtr PanelChoices::recording() const
{
	if (counted_)
		return expression_->counted() ? expression_->counted()->recording : RecordingPtr();
	return item() ? item()->recording : RecordingPtr();
}

const hist_schema *PanelChoices::schema() const
{
	const RecordingPtr r = recording();

	return r ? r->hists[hist_].info->def.schema : nullptr;
}

QString PanelChoices::pathAt(int index) const
{
	return histograms_->itemData(index).toString(); /* index -1: null */
}

unsigned int PanelChoices::histAt(int index) const
{
	return histograms_->itemData(index, HIST_ROLE).toUInt();
}

bool PanelChoices::countedAt(int index) const
{
	return histograms_->itemData(index, COUNTED_ROLE).toBool();
}

/* "kmem:kmalloc by bytes_req.log2"; with file and buffers if @several */
static QString histogramText(const Recordings::Item &item, unsigned int hist, bool several)
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
				(*modifier ? QLatin1Char('.') + QLatin1String(modifier)
					   : QString());
	}
	text += QLatin1String(" by ") + keys.join(QLatin1String(", "));
	/* the names of the recorder's own instances are not useful for the user */
	if (!instance.isEmpty() && !instance.startsWith(QLatin1String("trace-cmd-hist-")))
		text += PanelChoices::tr(" in %1").arg(instance);
	if (!several)
		return text;
	if (item.file.streams.isEmpty())
		return QFileInfo(item.file.path).fileName() + QLatin1String(": ") + text;
	for (int stream : item.file.streams)
		streams << QString::number(stream);
	return PanelChoices::tr("%1 (stream %2): %3")
		.arg(QFileInfo(item.file.path).fileName(), streams.join(QLatin1String(", ")), text);
}

void PanelChoices::add(const QString &text, const QString &file, unsigned int number,
		       bool is_counted, const QString &tip)
{
	histograms_->addItem(text, file);
	histograms_->setItemData(histograms_->count() - 1, number, HIST_ROLE);
	histograms_->setItemData(histograms_->count() - 1, is_counted, COUNTED_ROLE);
	histograms_->setItemData(histograms_->count() - 1, toolTipText(tip), Qt::ToolTipRole);
}

int PanelChoices::addCounted(bool several)
{
	const Recordings::Item *of = files_->find(expression_->path());
	Recordings::Item item;
	const hist_definition *def;
	int chosen = -1;
	unsigned int i;

	if (!of || !expression_->counted())
		return -1;
	item = *of;
	item.recording = expression_->counted()->recording;
	for (i = 0; i < item.recording->count; i++) {
		def = &item.recording->hists[i].info->def;
		add(tr("computed: %1").arg(histogramText(item, i, several)), item.file.path, i,
		    true,
		    tr("%1\n%2 %3\ncounted by the panel from the events of the file")
			    .arg(item.file.path, QString::fromUtf8(def->event),
				 QString::fromUtf8(expression_->counted()->query.text)));
		if (counted_ && path_ == item.file.path && (!i || i == hist_))
			chosen = histograms_->count() - 1;
	}
	return chosen;
}

void PanelChoices::fill()
{
	const QList<Recordings::Item> &items = files_->items();
	int chosen = -1;
	unsigned int i;

	QSignalBlocker blocked(histograms_);
	histograms_->clear();
	for (const Recordings::Item &it : items) {
		for (i = 0; it.recording && i < it.recording->count; i++) {
			const hist_definition *def = &it.recording->hists[i].info->def;

			add(histogramText(it, i, items.size() > 1), it.file.path, i, false,
			    tr("%1\n%2\nclock %3, host %4")
				    .arg(it.file.path, QString::fromUtf8(def->trigger),
					 QString::fromUtf8(def->clock),
					 QString::fromUtf8(def->host)));
			if (it.file.path == path_ && i == hist_ && !counted_)
				chosen = histograms_->count() - 1;
		}
	}
	const int computed = addCounted(items.size() > 1);

	if (computed >= 0)
		chosen = computed;
	if (chosen < 0 || !by_hand_) {
		const int recalled = recalledIndex();

		if (recalled >= 0 && recalled != chosen) {
			histograms_->setCurrentIndex(recalled);
			chosen = -1;
		}
	}
	if (chosen >= 0) {
		histograms_->setCurrentIndex(chosen);
		const QSignalBlocker kept(snapshot_);

		snapshot_->setRecording(recording(), hist_);
	}
	blocked.unblock();
	histograms_->setEnabled(histograms_->count() > 0);
	if (chosen < 0)
		chooseAt(histograms_->count() ? histograms_->currentIndex() : -1);
}

void PanelChoices::chooseAt(int index)
{
	if (pathAt(index) == path_ && histAt(index) == hist_ && countedAt(index) == counted_)
		return;
	path_ = pathAt(index);
	hist_ = histAt(index);
	counted_ = countedAt(index);
	QSignalBlocker groups(group_), snapshots(snapshot_);
	group_->clear();
	group_->hide();
	snapshot_->setRecording(recording(), hist_);
	snapshot_->setValue(snapshot_->maximum());
	groups.unblock();
	snapshots.unblock();
	fillValues();
	recall();
	emit chosen();
	emit changed();
}

/* The summed values, if there are several. */
void PanelChoices::fillValues()
{
	const QSignalBlocker blocked(value_);
	const hist_schema *of = schema();
	unsigned int i;

	value_->clear();
	for (i = 0; of && i < of->nvalues; i++)
		if (hist_value_is_sum(of->values[i].kind))
			value_->addItem(valueTitleText(of, i), i);
	if (of)
		value_->setCurrentIndex(
			std::max(0, value_->findData(hist_row_find_main_value(of, nullptr))));
	value_->setVisible(value_->count() > 1);
}

/* Keep the chosen group even if it does not have counts in this window. */
void PanelChoices::fillGroups(const PanelData &f)
{
	const QSignalBlocker blocked(group_);
	const QVariant chosen = group_->currentData();
	const QString label = chosen.toString();
	uint32_t i;
	int at = 0;

	group_->clear();
	group_->addItem(tr("all groups"));
	for (i = 0; i < f.ngroups && i < GROUPS_MOST; i++) {
		const QString text = QString::fromUtf8(f.groups[i].label);

		group_->addItem(text, text);
		if (chosen.isValid() && text == label)
			at = group_->count() - 1;
	}
	if (chosen.isValid() && !at) {
		group_->addItem(label, label);
		at = group_->count() - 1;
	}
	group_->setCurrentIndex(at);
	group_->setVisible(group_->count() > 1);
}

QString PanelChoices::whyNone() const
{
	QStringList whys;

	for (const Recordings::Item &it : files_->items()) {
		if (it.opening)
			return tr("Reading the histograms of %1").arg(it.file.path);
		if (!it.why.isEmpty())
			whys << tr("%1: %2").arg(it.file.path, it.why);
	}
	if (whys.isEmpty())
		return tr("No file is open. Open a trace.dat file recorded with "
			  "`trace-cmd hist record` to show its histograms.");
	if (expression_->hasEvents())
		whys << tr("To count the events of the file, type an expression above, or "
			   "choose a preset.");
	return whys.join(QLatin1Char('\n'));
}

void PanelChoices::count()
{
	const Recordings::Item *of = files_->find(expression_->path());
	expression_window window = { 0, UINT64_MAX, 0, 0 };
	qint64 begin, end;
	QString why;

	if (!of || (!counted_ && !expression_->waits()) || source() == OneSnapshot) {
		expression_->rest();
		return;
	}
	if (expression_->isNs() && source() != WholeRecording) {
		if (!timeRange(&begin, &end, &why)) {
			expression_->rest();
			return;
		}
		window.from = fileTime(begin, of->file.offset);
		window.to = fileTime(end, of->file.offset);
		window.columns = WINDOW_COLUMNS;
	}
	expression_->want(window);
}

void PanelChoices::takeCount(bool fresh)
{
	fill();
	if (fresh) {
		const int first =
			histograms_->count() - int(expression_->counted()->recording->count);

		/* the same item may now contain another expression */
		path_.clear();
		histograms_->setCurrentIndex(first);
		chooseAt(first);
	} else {
		emit changed();
	}
}

bool PanelChoices::choose(const QString &path, unsigned int hist)
{
	int i;

	for (i = 0; i < histograms_->count(); i++)
		if (pathAt(i) == path && histAt(i) == hist && !countedAt(i)) {
			histograms_->setCurrentIndex(i);
			chooseAt(i);
			keep();
			return true;
		}
	return false;
}

bool PanelChoices::chooseSnapshot(const QString &path, unsigned int hist, quint32 seq)
{
	if (!choose(path, hist) || !recording())
		return false;
	const recorded_hist &h = recording()->hists[hist];

	if (!h.n || h.snapshots[snapshotIndex(h, seq)].seq != seq)
		return false;
	snapshot_->setValue(int(seq));
	setSource(OneSnapshot);
	return true;
}

bool PanelChoices::chooseGroup(const QString &label)
{
	const int i = group_->findData(label);

	if (i >= 0)
		group_->setCurrentIndex(i);
	return i >= 0;
}

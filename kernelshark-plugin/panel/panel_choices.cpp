// SPDX-License-Identifier: GPL-2.0
/*
 * panel_choices.cpp - the choosers of histogram, group, value and time, and their query
 *
 * The memory has what was chosen in the last run, and gets what the user chooses now. The query
 * uses the choices and the state of the graph. It is fast: it does not read files.
 */
#include <algorithm>

#include <QBoxLayout>
#include <QFileInfo>
#include <QLineEdit>

#include "kernelshark-plugin/panel/expression_row.hpp"
#include "kernelshark-plugin/panel/panel_choices.hpp"
#include "kernelshark-plugin/work/chart_text.hpp"

/* More columns would be narrower than a pixel. */
#define COLUMNS_MOST 1000
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
	bucket_ = chooser(parent, "hist_bucket", tr("Width of the buckets"), 8);
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
	bucket_->hide();
	snapshot_->hide();

	connect(histograms_, QOverload<int>::of(&QComboBox::activated), this, [this](int index) {
		chooseAt(index);
		keep();
	});
	connect(group_, QOverload<int>::of(&QComboBox::currentIndexChanged), this, chose);
	connect(value_, QOverload<int>::of(&QComboBox::currentIndexChanged), this, chose);
	connect(bucket_, QOverload<int>::of(&QComboBox::currentIndexChanged), this, chose);
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
	line->addWidget(bucket_, 2);
	line->addWidget(times_, 3);
	line->addWidget(snapshot_);
	line->addWidget(search_, 3);
}

QList<QWidget *> PanelChoices::wheeled() const
{
	return { histograms_, group_, value_, bucket_, times_, snapshot_ };
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
	fillBuckets();
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

/* The coarser buckets that the rows of the axis can be merged into. */
void PanelChoices::fillBuckets()
{
	const QSignalBlocker blocked(bucket_);
	const hist_schema *of = schema();
	const int axis = of ? hist_axis_key(of) : -1;
	const hist_key_desc *key = axis < 0 ? nullptr : &of->keys[axis];
	QStringList all;

	bucket_->clear();
	bucket_->addItem(tr("as recorded"));
	bucket_->hide();
	if (!key)
		return;
	for (int times : { 2, 5, 10, 20, 50, 100 })
		if (hist_key_is_linear(key))
			all << QStringLiteral("buckets=%1").arg(key->bucket * uint64_t(times));
	for (int bits : { 3, 2, 1 })
		all << QStringLiteral("log2=%1").arg(bits);
	all << QStringLiteral("log2");
	for (const QString &one : all) {
		const QString bucket = QString::fromUtf8(key->name) + '.' + one;
		hist_schema *schema = hist_schema_copy(of);
		hist_buckets buckets = {};

		if (schema && !hist_buckets_add(&buckets, bucket.toUtf8(), nullptr) &&
		    hist_buckets_set(&buckets, schema, nullptr) == 1)
			bucket_->addItem(one, bucket);
		hist_buckets_clear(&buckets);
		hist_schema_free(schema);
	}
	bucket_->setVisible(bucket_->count() > 1);
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

	if (!h.n || h.snapshots[recording_find_nearest(&h, seq)].seq != seq)
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

void PanelChoices::chooseAfter(const PanelChoices &other)
{
	after_ = other.path_;
	after_hist_ = other.hist_;
	fill();
	emit changed();
}

int PanelChoices::recalledIndex() const
{
	for (int i = 0; !after_.isEmpty() && i < histograms_->count(); i++)
		if (pathAt(i) == after_ && histAt(i) == after_hist_)
			return (i + 1) % histograms_->count();
	for (const PanelMemory::Choice &c : memory_->choices())
		for (int i = 0; i < histograms_->count(); i++)
			if (!countedAt(i) && c.path == pathAt(i) &&
			    c.isOf(PanelMemory::choiceOf(*files_->find(pathAt(i)), histAt(i))))
				return i;
	return -1;
}

void PanelChoices::recall()
{
	const QSignalBlocker blocked[] = { QSignalBlocker(group_), QSignalBlocker(value_),
					   QSignalBlocker(bucket_), QSignalBlocker(times_),
					   QSignalBlocker(snapshot_) };
	const QList<PanelMemory::Choice> all = memory_->choices();

	if (counted_ || !recording())
		return;
	const PanelMemory::Choice now = PanelMemory::choiceOf(*item(), hist_);
	const auto c = std::find_if(all.begin(), all.end(), [&now](const PanelMemory::Choice &one) {
		return one.isOf(now);
	});

	if (c == all.end())
		return;
	if (!c->value.isNull() && value_->findText(c->value) >= 0)
		value_->setCurrentIndex(value_->findText(c->value));
	if (!c->bucket.isNull() && bucket_->findData(c->bucket) >= 0)
		bucket_->setCurrentIndex(bucket_->findData(c->bucket));
	if (c->recorded != now.recorded)
		return;
	/* fillGroups() keeps this item and adds the others */
	if (!c->group.isNull()) {
		group_->addItem(c->group, c->group);
		group_->setCurrentIndex(group_->count() - 1);
	}
	if (c->source >= 0 && c->source < times_->count())
		times_->setCurrentIndex(c->source);
	snapshot_->setVisible(source() == OneSnapshot);
	if (c->seq >= 0)
		snapshot_->setValue(c->seq);
}

void PanelChoices::keep()
{
	PanelMemory::Choice c;

	by_hand_ |= counted_;
	if (counted_ || !recording())
		return;
	by_hand_ = true;
	c = PanelMemory::choiceOf(*item(), hist_);
	if (group_->currentData().isValid())
		c.group = group_->currentData().toString();
	if (value_->count() > 1)
		c.value = value_->currentText();
	if (bucket_->currentData().isValid())
		c.bucket = bucket_->currentData().toString();
	c.source = times_->currentIndex();
	c.seq = snapshot_->value();
	memory_->keep(c);
}

PanelQuery PanelChoices::queryOfAll() const
{
	PanelQuery p;

	p.path = path_;
	p.query.recording = recording();
	p.query.hist = hist_;
	p.query.search = search_->text().trimmed().toUtf8();
	if (group_->currentData().isValid())
		p.query.group = group_->currentData().toString().toUtf8();
	if (bucket_->currentData().isValid())
		p.query.bucket = bucket_->currentData().toString().toUtf8();
	p.query.value =
		value_->currentData().isValid()
			? value_->currentData().toInt()
			: hist_row_find_main_value(p.query.recording->hists[hist_].info->def.schema,
						   nullptr);
	p.query.columns = COLUMNS_MOST;
	return p;
}

bool PanelChoices::timeRange(qint64 *begin, qint64 *end, QString *why) const
{
	qint64 a, b;

	if (source() != MarkersAB) {
		*why = tr("The graph is empty. Open a trace file.");
		return shark_->window(begin, end);
	}
	if (!shark_->markers(&a, &b)) {
		*why = tr("Set the markers A and B to show what was counted between them. "
			  "Ctrl+A or Ctrl+B selects a marker, and a double click in the "
			  "graph sets it.");
		return false;
	}
	*begin = std::min(a, b);
	*end = std::max(a, b);
	return true;
}

PanelQuery PanelChoices::queryOfCount() const
{
	const Counted &of = *expression_->counted();
	const expression_window &w = of.query.window;
	const uint32_t n = of.recording->hists[hist_].n;
	PanelQuery p = queryOfAll();

	if (source() == OneSnapshot) {
		p.why = tr("The panel counted these events, so there are no snapshots. Select "
			   "\"Visible window\", \"Markers A-B\" or \"Whole recording\".");
		return p;
	}
	if (expression_->isNs() && source() != WholeRecording &&
	    !timeRange(&p.begin, &p.end, &p.why))
		return p;
	p.counted = expression_->counted();
	p.aligned = p.begin < p.end && source() == VisibleWindow;
	p.from = of.words.value(int(hist_));
	p.note = of.notes.join(QLatin1String("; "));
	if (!expression_->isNs())
		p.note = (p.note.isEmpty() ? QString() : p.note + QLatin1String("; ")) +
			 tr("All events are shown: their clock is not in nanoseconds, so "
			    "their times do not match the graph");
	if (w.to != UINT64_MAX) {
		p.after = qint64(w.from) + item()->file.offset - 1;
		p.until = qint64(w.to) + item()->file.offset;
	}
	p.valid = n > 1;
	if (!p.valid)
		p.why = tr("No event was recorded during this time. Zoom out or move the graph.");
	p.query.to = n ? n - 1 : 0;
	return p;
}

QString PanelChoices::noteOfFile(const time_window &shown) const
{
	const RecordingPtr r = recording();
	QStringList notes;
	uint64_t outside;

	if (!r->hists[hist_].ns && source() != WholeRecording)
		notes << tr("All snapshots are shown: the clock \"%1\" is not in "
			    "nanoseconds, so its times do not match the graph")
				 .arg(QString::fromUtf8(r->hists[hist_].info->def.clock));
	outside = source() == VisibleWindow && r->hists[hist_].ns && shark_->isZoomedOut() ?
			  time_window_count_outside(r.get(), hist_, &shown) : 0;
	if (outside)
		notes << tr("%1 hits are before the first or after the last event of the graph; "
			    "\"Whole recording\" shows them").arg(countText(outside));
	if (r->has_events && item()->file.streams.isEmpty())
		notes << (item()->eventsWhy.isEmpty() ?
				  tr("KernelShark cannot read the events of this file") :
				  tr("KernelShark cannot read the events of this file: %1")
					  .arg(item()->eventsWhy));
	return notes.join(QLatin1String("; "));
}

PanelQuery PanelChoices::queryOfFile() const
{
	const qint64 offset = item()->file.offset;
	PanelQuery p = queryOfAll();
	const struct recording *r = p.query.recording.get();
	const recorded_hist &h = r->hists[hist_];
	TextBuffer words;
	time_window w;

	if (!h.n) {
		p.why = tr("All snapshots of this histogram are damaged.");
		return p;
	}
	if (source() == OneSnapshot) {
		p.query.to = recording_find_nearest(&h, uint32_t(snapshot_->value()));
		p.query.from = p.query.to;
		time_window_describe_snapshot(words, r, hist_, p.query.to);
		p.from = words.text();
		p.valid = true;
		p.query.what = PANEL_DATA_SNAPSHOT;
		return p;
	}
	if (source() != WholeRecording && h.ns) {
		if (timeRange(&p.begin, &p.end, &p.why))
			p.aligned = source() != MarkersAB;
		else if (source() == MarkersAB)
			return p;
	}
	/* without a graph, the whole recording is shown */
	if (p.begin < p.end)
		time_window_find(r, hist_, fileTime(p.begin, offset), fileTime(p.end, offset), &w);
	else
		time_window_set_whole(r, hist_, &w);
	if (w.kind == WINDOW_SINGLE && p.begin >= p.end)
		p.query.what = PANEL_DATA_SNAPSHOT;
	time_window_describe(words, r, hist_, &w);
	p.from = words.text();
	p.note = noteOfFile(w);
	p.valid = time_window_has_numbers(&w) || p.query.what == PANEL_DATA_SNAPSHOT;
	if (!p.valid)
		p.why = p.from.left(1).toUpper() + p.from.mid(1) +
			(w.kind == WINDOW_SINGLE ? tr(". Select \"One snapshot\" to show it.") :
			 w.kind == WINDOW_NONE ? tr(".") : tr(". Zoom out or move the graph."));
	p.query.from = w.from;
	p.query.to = w.to;
	return p;
}

PanelQuery PanelChoices::query() const
{
	return counted_ ? queryOfCount() : queryOfFile();
}

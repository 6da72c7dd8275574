// SPDX-License-Identifier: GPL-2.0
/* expression_row.cpp - panel row with an expression, its file and its progress */
#include <QFileInfo>
#include <QHBoxLayout>
#include <QLabel>
#include <QMenu>

#include "kernelshark-plugin/charts/chart_style.hpp"
#include "kernelshark-plugin/panel/expression_row.hpp"
#include "kernelshark-plugin/work/chart_text.hpp"

#define SETTLE_MS 150 /* delay while the user drags the graph */
#define HISTORY_MOST 50
#define BUFFER_ROLE (Qt::UserRole + 1)

ExpressionRow::ExpressionRow(QWidget *parent) : QWidget(parent), worker_(new ExpressionWorker(this))
{
	QHBoxLayout *row = new QHBoxLayout(this);
	QLabel *label = new QLabel(tr("Count:"), this);

	setObjectName(QStringLiteral("hist_expression_row"));
	of_ = named<QComboBox>(this, "hist_expression_of");
	of_->setToolTip(tr("The buffer or file whose events are counted"));
	of_->setAccessibleName(of_->toolTip());
	edit_ = named<ExpressionEdit>(this, "hist_expression");
	edit_->setPlaceholderText(tr("count events of the file: type a part of an event name, or "
				     "choose a preset"));
	edit_->setToolTip(
		tr("Options of 'trace-cmd hist replay' that count the events of the visible "
		   "window:\n"
		   "--preset NAME[:ARG], --latency START:KEY..END:KEY, -e SYS:EVENT -k KEYS,\n"
		   "--function GLOB or --tracer TRACER; or a hist trigger:\n"
		   "SYS:EVENT hist:keys=FIELD[.MODIFIER][:vals=FIELD] [if FILTER]\n"
		   "Down or Ctrl+Space: completions.  Enter: count."));
	edit_->setAccessibleName(tr("Expression"));
	edit_->setClearButtonEnabled(true);
	label->setBuddy(edit_);
	presets_ = named<QToolButton>(this, "hist_expression_presets");
	presets_->setText(tr("Preset"));
	presets_->setToolTip(
		tr("Count what a preset counts, such as the time from one event to another"));
	presets_->setMenu(new QMenu(presets_));
	presets_->setPopupMode(QToolButton::InstantPopup);
	wrong_ = named<LineLabel>(this, "hist_expression_error");
	wrong_->hide();
	progress_ = named<WaitBar>(this, "hist_expression_progress");
	progress_->setMinimumWidth(180);
	progress_->setMaximumHeight(edit_->sizeHint().height());
	progress_->setAlignment(Qt::AlignCenter);
	cancel_ = named<QToolButton>(this, "hist_expression_cancel");
	cancel_->setText(tr("Cancel"));
	cancel_->setToolTip(tr("Stop counting"));
	row->setContentsMargins(0, 0, 0, 0);
	row->setSpacing(4);
	row->addWidget(label);
	row->addWidget(of_);
	row->addWidget(edit_, 1);
	row->addWidget(wrong_, 1);
	row->addWidget(presets_);
	row->addWidget(progress_);
	row->addWidget(cancel_);
	cancel_->hide();
	hide();

	settle_.setSingleShot(true);
	connect(&settle_, &QTimer::timeout, this, &ExpressionRow::ask);
	connect(progress_, &WaitBar::tick, this, &ExpressionRow::watch);
	connect(edit_, &QLineEdit::returnPressed, this, &ExpressionRow::submit);
	connect(cancel_, &QToolButton::clicked, this, &ExpressionRow::cancel);
	connect(of_, QOverload<int>::of(&QComboBox::currentIndexChanged), this, [this] {
		const QString path = of_->currentData().toString();

		for (const File &file : files_)
			if (file.path == path)
				edit_->setEvents(file.events);
		fillPresets();
	});
	connect(edit_, &ExpressionEdit::countsWanted, this, [this] {
		emit countsWanted(of_->currentData().toString());
	});
	connect(edit_, &QLineEdit::textEdited, this, [this] { showError(QString()); });
	connect(worker_, &ExpressionWorker::counted, this, &ExpressionRow::answered);
	connect(worker_, &ExpressionWorker::idle, this, [this] {
		watch();
		if (!busy())
			emit settled();
	});
}

void ExpressionRow::setFiles(const QList<Recordings::Item> &items)
{
	files_.clear();
	for (const Recordings::Item &item : items)
		files_.append(File{ item.file.path, item.events });
	drop();
	fillOf();
}

/* Drop the counts of files that were closed or replaced. */
void ExpressionRow::drop()
{
	const auto gone = [this](const Counting &c) {
		for (const File &file : files_)
			if (file.path == c.path && file.events == c.query.events)
				return false;
		return true;
	};
	bool other = false;

	if (waits() && gone(next_)) {
		next_ = Counting();
		other = true;
	}
	if (!current_.path.isEmpty() && gone(current_)) {
		current_ = Counting();
		counted_.reset();
		other = true;
	}
	if (!other)
		return;
	refused_ = ExpressionQuery();
	showError(QString());
	rest();
	emit changed(false);
}

void ExpressionRow::fillOf()
{
	const QVariant path = of_->currentData(), buffer = of_->currentData(BUFFER_ROLE);
	int at = 0;

	QSignalBlocker blocked(of_);
	of_->clear();
	for (const File &file : files_) {
		const unsigned int n = file.events ? hist_events_nbuffers(file.events.get()) : 0;
		QStringList names;
		unsigned int i;

		for (i = 0; i < n; i++) {
			const struct hist_events_buffer *b =
				hist_events_buffer(file.events.get(), i);
			QString name =
				b->name[0] ? QString::fromUtf8(b->name) : tr("top-level instance");

			if (!b->bytes)
				continue;
			if (files_.size() > 1)
				name = QFileInfo(file.path).fileName() + QLatin1String(": ") + name;
			of_->addItem(name, file.path);
			of_->setItemData(of_->count() - 1, i, BUFFER_ROLE);
			if (path == file.path && buffer == i)
				at = of_->count() - 1;
		}
	}
	of_->setCurrentIndex(of_->count() ? at : -1);
	blocked.unblock();
	emit of_->currentIndexChanged(of_->currentIndex());
	of_->setVisible(of_->count() > 1);
	setVisible(hasEvents() && !folded_);
	if (!of_->count())
		edit_->setEvents(EventsPtr());
}

void ExpressionRow::setFolded(bool is)
{
	folded_ = is;
	setVisible(hasEvents() && !folded_);
}

/* The presets whose events the file has. */
void ExpressionRow::fillPresets()
{
	const EventsPtr events = edit_->events();
	const auto show = [](void *data, const expression_preset *preset) {
		static_cast<ExpressionRow *>(data)->addPreset(*preset);
		return true;
	};

	presets_->menu()->clear();
	if (events)
		expression_list_presets(events.get(), of_->currentData(BUFFER_ROLE).toUInt(), show,
					this);
	presets_->menu()->setToolTipsVisible(true);
	presets_->setVisible(!presets_->menu()->isEmpty());
}

void ExpressionRow::addPreset(const expression_preset &preset)
{
	const QString name = QString::fromUtf8(preset.name),
		      option = QStringLiteral("--preset ") + name;
	const bool complete = !preset.needs_argument;
	QAction *action = presets_->menu()->addAction(
		tr("%1: %2")
			.arg(name, QString::fromUtf8(preset.summary))
			.replace(QLatin1Char('&'), QLatin1String("&&")));

	action->setToolTip(option);
	connect(action, &QAction::triggered, this, [this, option, complete] {
		edit_->setText(complete ? option : option + QLatin1Char(':'));
		if (complete)
			submit();
		else
			edit_->setFocus();
	});
}

/* Next to the input, so that it is seen where the user looks. */
void ExpressionRow::showError(const QString &what)
{
	QPalette colours = palette();

	colours.setColor(QPalette::WindowText, ChartStyle(edit_).warn);
	wrong_->setPalette(colours);
	wrong_->setText(what);
	wrong_->setToolTip(toolTipText(what));
	wrong_->setVisible(!what.isEmpty());
}

void ExpressionRow::setHistory(const QStringList &history)
{
	history_ = history.mid(0, HISTORY_MOST);
	edit_->setHistory(history_);
}

QString ExpressionRow::path() const
{
	return waits() ? next_.path : current_.path;
}

bool ExpressionRow::isNs() const
{
	const ExpressionQuery &q = waits() ? next_.query : current_.query;

	return q.events && hist_clock_is_ns(hist_events_buffer(q.events.get(), q.buffer)->clock);
}

void ExpressionRow::submit()
{
	const QString text = edit_->text().trimmed(), path = of_->currentData().toString();

	if (of_->currentIndex() < 0 || text.isEmpty())
		return;
	rest();
	next_ = Counting();
	next_.path = path;
	for (const File &file : files_)
		if (file.path == path)
			next_.query.events = file.events;
	next_.query.buffer = of_->currentData(BUFFER_ROLE).toUInt();
	refused_ = ExpressionQuery();
	next_.typed = text;
	next_.query.text = edit_->text().toUtf8();
	showError(QString());
	emit submitted();
}

void ExpressionRow::want(const expression_window &window)
{
	ExpressionQuery query = waits() ? next_.query : current_.query;

	query.window = window;
	if (!query.events || query == refused_)
		return;
	if (counted_ && counted_->query == query) {
		rest();
		return;
	}
	if (asked_ == query)
		return;
	rest();
	asked_ = query;
	/* count a new expression immediately, but wait until a moving graph has settled */
	settle_.start(waits() ? 0 : SETTLE_MS);
	watch();
}

void ExpressionRow::rest()
{
	settle_.stop();
	asked_ = ExpressionQuery();
	worker_->forget();
	watch();
}

void ExpressionRow::ask()
{
	number_ = worker_->ask(asked_);
	watch();
}

void ExpressionRow::cancel()
{
	if (!isAsked())
		return;
	refused_ = asked_;
	showError(tr("Counting was canceled; press Enter to count the events of the visible "
		     "window"));
	next_ = Counting();
	rest();
	emit changed(false);
	if (!busy())
		emit settled();
}

void ExpressionRow::answered(quint64 number, const CountedPtr &counted,
			     const ExpressionError &error)
{
	const bool fresh = waits();

	if (!isAsked() || number != number_)
		return;
	showError(error.what);
	if (counted) {
		counted_ = counted;
		if (fresh) {
			const QString text = next_.typed;

			current_ = next_;
			history_.removeAll(text);
			history_.prepend(text);
			setHistory(history_);
			emit historyChanged();
		}
	} else {
		refused_ = asked_;
		if (error.length && edit_->text().toUtf8() == asked_.text)
			edit_->setSelection(error.start, error.length);
	}
	asked_ = ExpressionQuery();
	next_ = Counting();
	watch();
	emit changed(fresh && counted);
}

bool ExpressionRow::busy() const
{
	return settle_.isActive() || worker_->busy();
}

void ExpressionRow::watch()
{
	progress_->setValue(settle_.isActive() ? 0 : worker_->done());
	progress_->setFormat(tr("%p % - %1 counted").arg(countText(worker_->hits())));
	progress_->setBusy(isAsked());
	cancel_->setVisible(!progress_->isHidden());
}

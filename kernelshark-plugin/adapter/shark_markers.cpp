// SPDX-License-Identifier: GPL-2.0
/* shark_markers.cpp - get the times of markers A and B in nanoseconds */
#include <QEvent>
#include <QItemSelectionModel>
#include <QVector>

#include <libkshark-model.h>
#include <libkshark.h>

#include "kernelshark-plugin/adapter/shark_markers.hpp"

/* Format a label with KernelShark's rounding: KsUtils::Ts2String(). */
static QString labelOf(qint64 time, int digits)
{
	return QString::number(time * 1e-9, 'f', digits);
}

static QString textOf(const QLabel *label)
{
	QString text = label ? label->text() : QString();

	return text.remove(QLatin1Char(' '));
}

/*
 * The distinct times of all entries with this label, ascending. A double has 53 bits:
 * for a wall-clock time in ns the additional error is less than 256 ns.
 */
static QVector<qint64> candidates(const kshark_trace_histo *histo, const QString &text)
{
	const qint64 around = qint64(text.toDouble() * 1e9), slack = 2000;
	QVector<qint64> times;
	size_t i = sharkRowAt(histo, around - slack);

	for (; i < histo->data_size && histo->data[i]->ts <= around + slack; i++) {
		const qint64 time = histo->data[i]->ts;

		if ((times.isEmpty() || times.last() != time) && labelOf(time, 6) == text)
			times.append(time);
	}
	return times;
}

SharkMarkers::SharkMarkers(const SharkParts *parts, QObject *parent)
	: QObject(parent), parts_(parts)
{
	for (const QPointer<QLabel> &label : parts->marker)
		if (label)
			label->installEventFilter(this);
	/* connect by name, because KernelShark does not install headers for these classes */
	if (parts->graph) {
		connect(parts->graph, SIGNAL(select(size_t)), this, SLOT(selected(size_t)));
		connect(parts->graph, SIGNAL(updateView(size_t,bool)), this,
			SLOT(shown(size_t,bool)));
	}
}

bool SharkMarkers::eventFilter(QObject *object, QEvent *event)
{
	if (event->type() == QEvent::Paint)
		emit touched();
	return QObject::eventFilter(object, event);
}

void SharkMarkers::selected(size_t row)
{
	selected_ = qint64(row);
}

void SharkMarkers::shown(size_t row, bool mark)
{
	if (mark)
		selected_ = qint64(row);
}

/*
 * The time of the entry that was selected last: in the list, or by a signal if the list
 * hides the entry. Column "#" of the list contains the number of the entry.
 */
bool SharkMarkers::row(const kshark_trace_histo *histo, qint64 *time) const
{
	const QItemSelectionModel *selection =
		parts_->list ? parts_->list->selectionModel() : nullptr;
	qint64 row = selected_;

	if (selection && selection->hasSelection()) {
		const QAbstractItemModel *model = parts_->list->model();
		const QModelIndex at = selection->selectedIndexes().first();

		for (int c = 0; c < model->columnCount(); c++)
			if (model->headerData(c, Qt::Horizontal).toString() == QLatin1String("#"))
				row = model->index(at.row(), c).data().toLongLong();
	}
	if (row < 0 || size_t(row) >= histo->data_size)
		return false;
	*time = histo->data[row]->ts;
	return true;
}

/* Set the times of both markers; shark_markers.hpp describes the rules. */
void SharkMarkers::resolve(const kshark_trace_histo *histo)
{
	const QString delta = textOf(parts_->delta);
	QVector<qint64> times[2];

	for (int m = 0; m < 2; m++) {
		if (marker_[m].hinted && labelOf(marker_[m].hint, 6) == marker_[m].text)
			times[m].append(marker_[m].hint);
		else if (!marker_[m].text.isEmpty() && histo)
			times[m] = candidates(histo, marker_[m].text);
		/* the entry does not exist any more: use the time of the label */
		if (times[m].isEmpty() && !marker_[m].text.isEmpty())
			times[m].append(qint64(marker_[m].text.toDouble() * 1e9));
		marker_[m].time = times[m].isEmpty() ? 0 : times[m].first();
	}
	for (qint64 a : times[0])
		for (qint64 b : times[1])
			if (labelOf(b - a, 9) == delta) {
				marker_[0].time = a;
				marker_[1].time = b;
				return;
			}
}

bool SharkMarkers::update(const kshark_trace_histo *histo)
{
	const Marker before[2] = { marker_[0], marker_[1] };

	if (histo && !histo->data)
		histo = nullptr;
	for (int m = 0; m < 2; m++) {
		const QString text = textOf(parts_->marker[m]);

		if (text == marker_[m].text)
			continue;
		marker_[m].text = text;
		marker_[m].hinted = histo && !text.isEmpty() && row(histo, &marker_[m].hint) &&
				    labelOf(marker_[m].hint, 6) == text;
	}
	resolve(histo);
	for (int m = 0; m < 2; m++)
		if (marker_[m].text.isEmpty() != before[m].text.isEmpty() ||
		    marker_[m].time != before[m].time)
			return true;
	return false;
}

bool SharkMarkers::times(qint64 *a, qint64 *b) const
{
	if (marker_[0].text.isEmpty() || marker_[1].text.isEmpty())
		return false;
	*a = marker_[0].time;
	*b = marker_[1].time;
	return true;
}

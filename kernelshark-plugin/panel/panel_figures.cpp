// SPDX-License-Identifier: GPL-2.0
/* panel_figures.cpp - the figures that the panel shows, and the worker that makes them */
#include "kernelshark-plugin/panel/panel_figures.hpp"

PanelFigures::PanelFigures(const Recordings *files, QObject *parent)
	: QObject(parent), files_(files), worker_(new DataWorker(this))
{
	connect(worker_, &DataWorker::made, this, &PanelFigures::take);
	connect(worker_, &DataWorker::written, this, &PanelFigures::written);
	connect(worker_, &DataWorker::idle, this, &PanelFigures::settled);
}

const Recordings::Item *PanelFigures::item() const
{
	return data_ ? files_->find(shown_.path) : nullptr;
}

bool PanelFigures::hasEvents() const
{
	return data_ && (shown_.counted || data_->query.recording->has_events);
}

QStringList PanelFigures::notes() const
{
	QStringList list;
	unsigned int i;

	if (!shown_.note.isEmpty())
		list << shown_.note;
	for (i = 0; data_ && i < data_->notes.n; i++)
		list << QString::fromUtf8(data_->notes.names[i]);
	return list;
}

void PanelFigures::ask(const PanelQuery &wanted)
{
	if (!wanted.valid) {
		drop(wanted.why);
	} else if (!asked_.isEmpty() && asked_.last().query == wanted.query) {
		asked_.last() = wanted;
	} else if (data_ && shown_.query == wanted.query) {
		/* the figures are already shown, but the line about them may have changed */
		if (!asked_.isEmpty())
			worker_->forget();
		asked_.clear();
		shown_ = wanted;
		emit described();
	} else {
		asked_.insert(worker_->ask(wanted.query), wanted);
	}
}

void PanelFigures::drop(const QString &why)
{
	worker_->forget();
	asked_.clear();
	setNone(why);
}

void PanelFigures::setNone(const QString &why)
{
	shown_ = PanelQuery();
	data_.reset();
	emit changed(why);
}

void PanelFigures::take(quint64 number, const PanelDataPtr &made, const QString &why)
{
	const auto it = asked_.find(number);
	PanelQuery query;

	if (it == asked_.end())
		return;
	query = it.value();
	while (!asked_.isEmpty() && asked_.firstKey() <= number)
		asked_.erase(asked_.begin());
	if (!made) {
		setNone(tr("Cannot show these snapshots: %1.").arg(why));
		return;
	}
	shown_ = query;
	data_ = made;
	emit changed(QString());
}

void PanelFigures::write(const QString &path, panel_data_format format)
{
	PanelDataQuery query = shown_.query;

	/* use the order of reports, unless the user chose another value */
	if (query.value == hist_row_find_main_value(data_->schema, nullptr))
		query.value = -1;
	worker_->write(query, path, format);
}

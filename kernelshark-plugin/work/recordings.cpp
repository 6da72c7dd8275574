// SPDX-License-Identifier: GPL-2.0
/* recordings.cpp - the recordings in the files that the host program has open */
#include <QFileInfo>

#include "kernelshark-plugin/work/data_worker.hpp"

Recordings::Recordings(Shark *shark, QObject *parent)
	: QObject(parent), shark_(shark), worker_(new DataWorker(this))
{
	connect(shark_, &Shark::filesChanged, this, &Recordings::refresh);
	connect(shark_, &Shark::closing, this, &Recordings::close);
	connect(worker_, &DataWorker::eventsOpened, this, &Recordings::eventsOpened);
	connect(worker_, &DataWorker::opened, this, &Recordings::opened);
	refresh();
}

const Recordings::Item *Recordings::find(const QString &path) const
{
	for (const Item &item : items_)
		if (item.file.path == path)
			return &item;
	return nullptr;
}

bool Recordings::opening() const
{
	for (const Item &item : items_)
		if (item.opening)
			return true;
	return false;
}

void Recordings::refresh()
{
	QList<Item> items;

	/* the items do not change while a file is being loaded */
	if (closed_ || shark_->busy())
		return;
	const QList<Shark::File> files = shark_->files();
	for (const Shark::File &file : files) {
		const QFileInfo info(file.path);
		const Item *old = find(file.path);
		Item item;

		if (old && old->size == info.size() && old->modified == info.lastModified()) {
			item = *old;
		} else {
			item.opening = true;
			item.size = info.size();
			item.modified = info.lastModified();
			worker_->open(file.path);
			readings_++;
		}
		item.file = file;
		items.append(item);
	}
	items_ = items;
	emit changed();
}

void Recordings::eventsOpened(const QString &path, const EventsPtr &events, const QString &why)
{
	for (Item &item : items_) {
		if (item.file.path != path)
			continue;
		item.events = events;
		item.eventsWhy = why;
		emit changed();
		return;
	}
}

void Recordings::opened(const QString &path, const RecordingPtr &recording, const QString &why)
{
	for (Item &item : items_) {
		if (item.file.path != path)
			continue;
		item.recording = recording;
		item.why = why;
		item.opening = false;
		emit changed();
		return;
	}
}

void Recordings::close()
{
	closed_ = true;
	items_.clear();
	emit changed();
}

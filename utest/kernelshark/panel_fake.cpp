// SPDX-License-Identifier: GPL-2.0
/*
 * panel_fake.cpp - a program around the panel that is made up
 */
#include <algorithm>

#include "panel_fake.hpp"

bool FakeShark::window(qint64 *f, qint64 *t)
{
	*f = from;
	*t = to;
	return has_window;
}

void FakeShark::setWindow(qint64 f, qint64 t)
{
	asked << QStringLiteral("setWindow %1 %2").arg(f).arg(t);
	has_window = true;
	from = f;
	to = t;
	emit windowChanged(from, to);
}

bool FakeShark::graphSpan(QWidget *, int *l, int *r)
{
	*l = left;
	*r = right;
	return left < right;
}

bool FakeShark::markers(qint64 *x, qint64 *y)
{
	*x = a;
	*y = b;
	return has_markers;
}

bool FakeShark::goTo(int stream, qint64 time)
{
	asked << QStringLiteral("goTo %1 %2").arg(stream).arg(time);
	return time <= last_event;
}

long FakeShark::filterEvents(const File &file, const QString &event, const QString &filter, qint64 after,
			     qint64 until, QString *why)
{
	this->after = after;
	this->until = until;
	asked << QStringLiteral("filter %1 %2 %3").arg(file.streams.value(0)).arg(event, filter);
	if (!filter_why.isEmpty()) {
		*why = filter_why;
		return -1;
	}
	filtered_ = matches > 0;
	return matches;
}

void FakeShark::clearFilter()
{
	asked << QStringLiteral("clearFilter");
	filtered_ = false;
	emit filterChanged();
}

void FakeShark::open(const QString &path, qint64 offset)
{
	File file;

	file.path = path;
	file.streams << streams_++;
	file.offset = offset;
	files_ << file;
	emit filesChanged();
}

void FakeShark::close(const QString &path)
{
	files_.erase(std::remove_if(files_.begin(), files_.end(),
				    [&](const File &file) { return file.path == path; }),
		     files_.end());
	emit filesChanged();
}

void FakeShark::setOffset(const QString &path, qint64 offset)
{
	for (File &file : files_)
		if (file.path == path)
			file.offset = offset;
	emit filesChanged();
}

void FakeShark::setMarkers(qint64 x, qint64 y)
{
	a = x;
	b = y;
	has_markers = true;
	emit markersChanged();
}

void FakeShark::setSpan(int l, int r)
{
	left = l;
	right = r;
	emit graphMoved();
}

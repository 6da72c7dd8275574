// SPDX-License-Identifier: GPL-2.0
/* panel_memory.cpp - store the user's choices between runs of the program */
#include <QSettings>

#include "kernelshark-plugin/model/model.hpp"
#include "kernelshark-plugin/panel/panel_memory.hpp"

enum { FILES_MOST = 50 };

int PanelMemory::number(const QString &key, int most, int otherwise) const
{
	bool good = false;
	const int n = settings_ ? settings_->value(key).toInt(&good) : 0;

	return good && n >= 0 && n <= most ? n : otherwise;
}

void PanelMemory::keep(const QString &key, int number)
{
	if (settings_)
		settings_->setValue(key, number);
}

QStringList PanelMemory::texts(const QString &key) const
{
	return settings_ ? settings_->value(key).toStringList() : QStringList();
}

void PanelMemory::keep(const QString &key, const QStringList &texts)
{
	if (settings_)
		settings_->setValue(key, texts);
}

PanelMemory::Choice PanelMemory::choiceOf(const Recordings::Item &item, unsigned int hist)
{
	const recorded_hist &h = item.recording->hists[hist];
	Choice c;

	c.path = item.file.path;
	c.name = QString::fromUtf8(h.name);
	c.trigger = QString::fromUtf8(h.info->def.trigger);
	/* the time of its first snapshot, because files are often overwritten */
	if (h.n)
		c.recorded = QString::number(h.snapshots[0].time);
	return c;
}

/* Keeps the difference between empty and null strings: a null string is not stored. */
static void put(QSettings *settings, const char *key, const QString &text)
{
	if (text.isNull())
		settings->remove(QLatin1String(key));
	else
		settings->setValue(QLatin1String(key), text);
}

QList<PanelMemory::Choice> PanelMemory::choices() const
{
	QList<Choice> list;
	const int n = settings_ ? settings_->beginReadArray(QStringLiteral("files")) : 0;

	for (int i = 0; i < n && i < FILES_MOST; i++) {
		Choice c;
		bool good;

		settings_->setArrayIndex(i);
		c.path = settings_->value(QStringLiteral("path")).toString();
		c.name = settings_->value(QStringLiteral("name")).toString();
		c.trigger = settings_->value(QStringLiteral("trigger")).toString();
		c.value = settings_->value(QStringLiteral("value")).toString();
		c.bucket = settings_->value(QStringLiteral("bucket")).toString();
		c.recorded = settings_->value(QStringLiteral("recorded")).toString();
		c.group = settings_->value(QStringLiteral("group")).toString();
		c.source = settings_->value(QStringLiteral("source")).toInt();
		c.seq = settings_->value(QStringLiteral("snapshot")).toInt(&good);
		if (!good || c.seq < 0)
			c.seq = -1;
		list.append(c);
	}
	if (settings_)
		settings_->endArray();
	return list;
}

void PanelMemory::keep(const Choice &choice)
{
	QList<Choice> list{ choice };

	if (!settings_)
		return;
	for (const Choice &c : choices())
		if (c.path != choice.path && list.size() < FILES_MOST)
			list.append(c);
	settings_->beginWriteArray(QStringLiteral("files"), int(list.size()));
	for (int i = 0; i < list.size(); i++) {
		settings_->setArrayIndex(i);
		put(settings_, "path", list[i].path);
		put(settings_, "name", list[i].name);
		put(settings_, "trigger", list[i].trigger);
		put(settings_, "value", list[i].value);
		put(settings_, "bucket", list[i].bucket);
		put(settings_, "recorded", list[i].recorded);
		put(settings_, "group", list[i].group);
		settings_->setValue(QStringLiteral("source"), list[i].source);
		if (list[i].seq < 0)
			settings_->remove(QStringLiteral("snapshot"));
		else
			settings_->setValue(QStringLiteral("snapshot"), list[i].seq);
	}
	settings_->endArray();
}

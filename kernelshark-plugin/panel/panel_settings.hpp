/* SPDX-License-Identifier: GPL-2.0 */
/*
 * panel_settings.hpp - what the user chose, from one run of the program to the next
 *
 * Sessions of KernelShark have no place for what a plugin would keep (KsSession.cpp has the
 * names of plugins alone), so it is in the settings of the user: numbers of the panel as a
 * whole, and a choice for each of the files that were seen last.
 */
#ifndef KERNELSHARK_PLUGIN_PANEL_PANEL_SETTINGS_HPP
#define KERNELSHARK_PLUGIN_PANEL_PANEL_SETTINGS_HPP

#include <QList>
#include <QStringList>

class QSettings;

class PanelMemory {
public:
	/* Of a file: its histogram, and how that was seen. */
	struct Choice {
		QString path;
		QString name, trigger; /* of the histogram, as the file has them */
		QString value;	       /* as the chooser has it; null: not chosen */
		/* What is of this very recording, and not of a newer one in its place. */
		QString recorded; /* tells recordings apart */
		QString group;	  /* null: all */
		int source = 0, seq = -1;
	};

	/* @settings stays the caller's; nullptr: nothing is remembered. */
	explicit PanelMemory(QSettings *settings) : settings_(settings) {}

	/* What was kept, where it is one of 0 to @most; else @otherwise. */
	int number(const QString &key, int most, int otherwise) const;
	void keep(const QString &key, int number);

	/* A list of texts; empty where none was kept. */
	QStringList texts(const QString &key) const;
	void keep(const QString &key, const QStringList &texts);

	/* The newest first, one for each file. */
	QList<Choice> choices() const;
	/* Takes the place of an older one of the same file. */
	void keep(const Choice &choice);

private:
	QSettings *settings_;
};

#endif

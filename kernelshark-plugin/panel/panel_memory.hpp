/* SPDX-License-Identifier: GPL-2.0 */
/*
 * panel_memory.hpp - store the user's choices between runs of the program
 *
 * KernelShark sessions cannot store data of plugins (KsSession.cpp stores only plugin
 * names). Therefore the data is in the user's settings: numbers for the whole panel,
 * and a choice for each of the recently used files.
 *
 * Only actions of the user are stored, never automatic choices of the panel. Therefore
 * the default choice remains the default, and a file without histograms in between has
 * no effect.
 */
#ifndef KERNELSHARK_PLUGIN_PANEL_PANEL_MEMORY_HPP
#define KERNELSHARK_PLUGIN_PANEL_PANEL_MEMORY_HPP

#include <QList>
#include <QStringList>

#include "kernelshark-plugin/work/recordings.hpp"

class QSettings;

class PanelMemory {
public:
	/* The histogram of a file, and how the user viewed it. */
	struct Choice {
		QString path;
		QString name, trigger; /* of the histogram, as in the file */
		QString value;	       /* as in the chooser; null: not chosen */
		QString bucket;	       /* as in panel_data_query; null: as recorded */
		/* Valid only for this recording, not for a newer one with the same path. */
		QString recorded; /* identifies the recording */
		QString group;	  /* null: all */
		int source = 0, seq = -1;

		bool isOf(const Choice &o) const
		{
			return path == o.path && name == o.name && trigger == o.trigger;
		}
	};

	/* The choice of a histogram of a file, without how the user viewed it. */
	static Choice choiceOf(const Recordings::Item &item, unsigned int hist);

	/* The caller keeps @settings; nullptr: nothing is stored. */
	explicit PanelMemory(QSettings *settings) : settings_(settings) {}

	/* The stored number if it is in 0 to @most; otherwise @otherwise. */
	int number(const QString &key, int most, int otherwise) const;
	void keep(const QString &key, int number);

	/* The stored list of texts; empty if there is none. */
	QStringList texts(const QString &key) const;
	void keep(const QString &key, const QStringList &texts);

	/* Newest first, one for each file. */
	QList<Choice> choices() const;
	/* Replaces an older choice of the same file. */
	void keep(const Choice &choice);

private:
	QSettings *settings_;
};

#endif

/* SPDX-License-Identifier: GPL-2.0 */
/*
 * data_worker.hpp - a thread that opens recordings, makes figures and writes files
 *
 * The newest query wins: it replaces a waiting query, and cancels a running query that
 * has taken longer than MOMENT. Therefore figures are updated even while the user drags
 * the graph. Files are opened and written in order. All functions are called in the
 * thread that created the worker, and signals are sent in this thread. The worker does
 * not register types with Qt, so that nothing remains in Qt after the plugin is
 * unloaded.
 */
#ifndef KERNELSHARK_PLUGIN_WORK_DATA_WORKER_HPP
#define KERNELSHARK_PLUGIN_WORK_DATA_WORKER_HPP

#include <memory>

#include <QByteArray>
#include <QElapsedTimer>
#include <QString>

#include "kernelshark-plugin/model/model.hpp"
#include "kernelshark-plugin/work/recordings.hpp"
#include "kernelshark-plugin/work/worker_thread.hpp"

/* A name that is not hidden by class members with the name figures. */
typedef struct panel_data PanelData;
typedef std::shared_ptr<const PanelData> PanelDataPtr;

/* A panel_data_query that owns its pointers. */
struct PanelDataQuery {
	RecordingPtr recording;
	unsigned int hist = 0;
	panel_data_kind what = PANEL_DATA_WINDOW;
	uint32_t from = 0, to = 0;
	unsigned int columns = 0;
	QByteArray search, group; /* UTF-8; group null: all */
	QByteArray bucket;	  /* empty: as recorded */
	int value = -1; /* order by this value, largest first; -1: recorded order */

	bool operator==(const PanelDataQuery &other) const;
	bool operator!=(const PanelDataQuery &other) const { return !(*this == other); }
};

/*
 * Write the figures of a query to a file at @path, atomically. False with a sentence in
 * @why. May be called in any thread.
 */
bool writeFigures(const PanelDataQuery &query, const QString &path, panel_data_format format,
		  QString *why, panel_progress *progress = nullptr, void *data = nullptr);

class DataWorker : public WorkerThread {
	Q_OBJECT
public:
	/* In ms: a query that takes less time is completed even if a newer query waits. */
	enum { MOMENT = 120 };

	explicit DataWorker(QObject *parent = nullptr, int moment = MOMENT);
	/* Cancels the running query and waits for the thread. */
	~DataWorker() override { stop(); }

	/* The events of the file first, then its histograms. */
	void open(const QString &path);
	/* Returns the number that the answer will have; newer queries have larger numbers. */
	quint64 ask(const PanelDataQuery &query);
	void write(const PanelDataQuery &query, const QString &path, panel_data_format format);

signals:
	/* @events is null if they cannot be read; @why is the reason. */
	void eventsOpened(const QString &path, const EventsPtr &events, const QString &why);
	void opened(const QString &path, const RecordingPtr &recording, const QString &why);
	/* If @figures is null, @why is the reason. */
	void made(quint64 number, const PanelDataPtr &figures, const QString &why);
	/* @why is "" on success. */
	void written(const QString &path, const QString &why);

private:
	void make(const PanelDataQuery &query, quint64 number);

	const int moment_; /* ms */
	QElapsedTimer since_; /* used only by the worker's thread */
};

#endif

/* SPDX-License-Identifier: GPL-2.0 */
/*
 * data_worker.hpp - a thread that opens recordings, makes figures and writes files
 *
 * Of queries the newest wins: one that waits is replaced, and one that is being
 * computed is given up once it has taken longer than a moment, so that figures still
 * come while the user drags the graph.  Files are opened and written in order.
 * All functions are called in the thread that made the worker, and signals are sent
 * there.  No type needs to be registered with Qt, so that nothing of the plugin is
 * left in Qt when it is unloaded.
 */
#ifndef KERNELSHARK_PLUGIN_WORK_DATA_WORKER_HPP
#define KERNELSHARK_PLUGIN_WORK_DATA_WORKER_HPP

#include <memory>

#include <QByteArray>
#include <QObject>
#include <QString>

#include "kernelshark-plugin/model/panel_data.h"
#include "kernelshark-plugin/work/recordings.hpp"

/* By a name that members called figures do not hide. */
typedef struct figures Figures;
typedef std::shared_ptr<const Figures> FiguresPtr;

/* A figures_query that owns what it points to. */
struct FiguresQuery {
	RecordingPtr recording;
	unsigned int hist = 0;
	figures_what what = FIGURES_WINDOW;
	uint32_t from = 0, to = 0;
	unsigned int columns = 0;
	QByteArray search, group; /* UTF-8; a null group: all */
	uint32_t top = 0;
	int value = -1; /* order by this value, largest first; -1: as recorded */

	bool operator==(const FiguresQuery &other) const;
	bool operator!=(const FiguresQuery &other) const { return !(*this == other); }
};

/*
 * Write a query's figures into a file at @path, which is complete or as it was.
 * False with a sentence in @why.  In any thread.
 */
bool writeFigures(const FiguresQuery &query, const QString &path, figures_format format,
		  QString *why, figures_progress *progress = nullptr, void *data = nullptr);

class FiguresWorker : public QObject {
	Q_OBJECT
public:
	/* In ms: a query that takes no longer is finished, though a newer one waits. */
	enum { MOMENT = 120 };

	explicit FiguresWorker(QObject *parent = nullptr, int moment = MOMENT);
	/* Gives up what is being computed and waits for the thread. */
	~FiguresWorker() override;

	void open(const QString &path);
	/* The answer carries the number that is returned; larger is newer. */
	quint64 ask(const FiguresQuery &query);
	/* No query is wanted any more. */
	void forget();
	void write(const FiguresQuery &query, const QString &path, figures_format format);

	/* Something waits, is computed, or its signal has not been sent yet. */
	bool busy() const;
	/* How many queries were begun to be computed, ever. */
	quint64 begun() const;
	/* Of the query that is computed, thousandths. */
	int done() const;

signals:
	void opened(const QString &path, const RecordingPtr &recording, const QString &why);
	/* Null figures: @why they could not be made. */
	void made(quint64 number, const FiguresPtr &figures, const QString &why);
	/* "" in @why: it is there. */
	void written(const QString &path, const QString &why);
	/* busy() has become false. */
	void idle();

private:
	struct Work;
	std::unique_ptr<Work> w;
};

#endif

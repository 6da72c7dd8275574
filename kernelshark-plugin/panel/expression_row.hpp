/* SPDX-License-Identifier: GPL-2.0 */
/*
 * expression_row.hpp - a row of the panel: an expression, what counts it, how far that is
 *
 * Shown where an open file holds events.  The user types and presses Enter; the panel says
 * of which window it wants the numbers, now and whenever the graph moves.  A newer window or
 * expression gives up the older one, and begins once the graph has settled.
 *
 * An expression takes the place of the one before when it was counted for the first time:
 * until then, and if it is wrong, that one stays.
 */
#ifndef KERNELSHARK_PLUGIN_PANEL_EXPRESSION_ROW_HPP
#define KERNELSHARK_PLUGIN_PANEL_EXPRESSION_ROW_HPP

#include <QComboBox>
#include <QElapsedTimer>
#include <QProgressBar>
#include <QTimer>
#include <QToolButton>

#include "kernelshark-plugin/panel/expression_edit.hpp"

class ExpressionRow : public QWidget {
	Q_OBJECT
public:
	explicit ExpressionRow(QWidget *parent = nullptr);

	/* The files that are open; events of new ones are opened, those of others let go of. */
	void setFiles(const QList<Recordings::Item> &items);
	void setHistory(const QStringList &history);
	const QStringList &history() const { return history_; }

	/* The file of what is being counted, or was; "" for nothing. */
	QString path() const;
	/* Something is to be counted, and was not yet. */
	bool waits() const { return has_next_; }
	/* What was counted last; null: nothing. */
	const CountedPtr &counted() const { return counted_; }
	/*
	 * Count this window, unless that is what counted() is of, or what is being done, or
	 * was wrong, or given up by the user.
	 */
	void want(const expression_window &window);
	/* Nothing is wanted for now: what is being counted is given up. */
	void rest();
	/* The times of the file are on the axis of the graph; of what path() is of. */
	bool isNs() const;

	/* Why the last one could not be counted; "": it could. */
	QString error() const { return error_.what; }
	bool busy() const;
	/* How many counts were begun, ever. */
	quint64 counts() const { return worker_->begun(); }
	/* Files of the program that hold events. */
	bool hasEvents() const { return of_->count() > 0; }

signals:
	/* The user pressed Enter: want() is wanted. */
	void submitted();
	/* counted() or error() is another; @fresh: by an expression that was typed. */
	void changed(bool fresh);
	void historyChanged();
	/* busy() has become false. */
	void settled();

private:
	struct File {
		QString path;
		qint64 size;
		QDateTime modified;
		EventsPtr events;
		bool opening;
	};
	/* An expression, and the file that it is of. */
	struct Counting {
		QString path;
		ExpressionQuery query;
	};
	void fillOf();
	void submit();
	void cancel();
	void ask();
	void opened(const QString &path, const EventsPtr &events);
	void answered(quint64 number, const CountedPtr &counted, const ExpressionError &error);
	void watch();
	void drop();

	ExpressionWorker *worker_;
	ExpressionEdit *edit_;
	QComboBox *of_; /* a buffer of a file with events */
	QProgressBar *progress_;
	QToolButton *cancel_;
	QTimer settle_, watching_;
	QElapsedTimer since_;
	QList<File> files_;
	QStringList history_;

	Counting current_; /* of counted_, without its window */
	Counting next_;	   /* takes its place once it was counted */
	bool has_next_ = false;
	ExpressionQuery asked_; /* or about to be, while settle_ runs */
	bool is_asked_ = false;
	quint64 number_ = 0;
	ExpressionQuery refused_; /* wrong, or given up: not to be asked again */
	CountedPtr counted_;
	ExpressionError error_;
};

#endif

/* SPDX-License-Identifier: GPL-2.0 */
/*
 * expression_row.hpp - panel row with an expression, its file and its progress
 *
 * The row is visible if an open file contains events. The user types an expression and
 * presses Enter. The panel then requests the count of a window, and again whenever the
 * graph moves. A request for another window or expression cancels the running count. A
 * new expression is counted at once, another window after the graph has settled.
 *
 * A new expression replaces the previous one only after its first successful count.
 */
#ifndef KERNELSHARK_PLUGIN_PANEL_EXPRESSION_ROW_HPP
#define KERNELSHARK_PLUGIN_PANEL_EXPRESSION_ROW_HPP

#include <QComboBox>
#include <QTimer>
#include <QToolButton>

#include "kernelshark-plugin/panel/expression_edit.hpp"
#include "kernelshark-plugin/panel/panel_widgets.hpp"

class ExpressionRow : public QWidget {
	Q_OBJECT
public:
	explicit ExpressionRow(QWidget *parent = nullptr);

	/* Set the open files, and release the events of other files. */
	void setFiles(const QList<Recordings::Item> &items);
	void setHistory(const QStringList &history);
	const QStringList &history() const { return history_; }

	/* The file of the running or last count; "": none. */
	QString path() const;
	/* True if a submitted expression has not been counted yet. */
	bool waits() const { return bool(next_.query.events); }
	/* The last count; null: none. */
	const CountedPtr &counted() const { return counted_; }
	/*
	 * Count this window, unless counted() or the running count is of this window,
	 * or the count failed or was cancelled by the user.
	 */
	void want(const expression_window &window);
	/* Cancel the running count; no count is wanted now. */
	void rest();
	/* True if the times of the file path() are on the time axis of the graph. */
	bool isNs() const;

	bool busy() const;
	/* True if an open file contains events. */
	bool hasEvents() const { return of_->count() > 0; }
	/* Hide the row although a file contains events, or show it again. */
	void setFolded(bool is);
	/* How often the events "SYS:EVENT" occur, to rank what is offered. */
	void setCounts(const QHash<QString, quint64> &counts) { edit_->setCounts(counts); }

signals:
	/* The user pressed Enter: the panel should call want(). */
	void submitted();
	/* counted() or error() has changed; @fresh: by a new expression. */
	void changed(bool fresh);
	void historyChanged();
	/* The user begins to type: the panel should call setCounts() for the file. */
	void countsWanted(const QString &path);
	/* busy() became false. */
	void settled();

private:
	struct File {
		QString path;
		EventsPtr events;
	};
	/* An expression and its file. */
	struct Counting {
		QString path;
		QString typed; /* what it was expanded from */
		ExpressionQuery query;
	};
	bool isAsked() const { return bool(asked_.events); }
	void fillOf();
	void submit();
	void cancel();
	void ask();
	void answered(quint64 number, const CountedPtr &counted, const ExpressionError &error);
	void watch();
	void drop();
	void fillPresets();
	void addPreset(const expression_preset &preset);
	void showError(const QString &what);

	bool folded_ = false;
	ExpressionWorker *worker_;
	ExpressionEdit *edit_;
	QToolButton *presets_; /* offers the latencies that the file has events for */
	LineLabel *wrong_;	 /* the error, next to the input */
	QComboBox *of_; /* selects a buffer of a file with events */
	WaitBar *progress_;
	QToolButton *cancel_;
	QTimer settle_;
	QList<File> files_;
	QStringList history_;

	Counting current_; /* the expression of counted_, without its window */
	Counting next_;	   /* replaces current_ after its first count; without events: none */
	ExpressionQuery asked_; /* asked now, or after settle_; without events: none */
	quint64 number_ = 0;
	ExpressionQuery refused_; /* failed or was cancelled: do not ask again */
	CountedPtr counted_;
};

#endif

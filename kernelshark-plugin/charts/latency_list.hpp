/* SPDX-License-Identifier: GPL-2.0 */
/*
 * latency_list.hpp - tables of latencies, one in each row, with START and END
 *
 * Two tables have one base: the captured episodes of a file, and the latencies of the displayed
 * histogram. Each cell has an exact value for copies and for CSV. Enter on a row is a click on
 * it: it asks the panel to show the latency in the graph.
 */
#ifndef KERNELSHARK_PLUGIN_CHARTS_LATENCY_LIST_HPP
#define KERNELSHARK_PLUGIN_CHARTS_LATENCY_LIST_HPP

#include <QTableWidget>
#include <QVector>

#include "kernelshark-plugin/charts/panel_view.hpp"

class LatencyList : public QTableWidget, public PanelView {
	Q_OBJECT
public:
	/* @fields: the names of the columns in CSV; @empty: a sentence in place of rows. */
	LatencyList(const QStringList &titles, const QStringList &fields, const QString &empty,
		    QWidget *parent);

	/* The table does not depend on the figures. */
	void setFigures(const PanelDataPtr &, const QString &) override {}
	/* The table as shown, with exact numbers in ns. */
	QByteArray csv() const override;

protected:
	/* In the first cell of a row: its number before it was sorted. */
	enum { NUMBER_ROLE = Qt::UserRole + 1 };

	/* A column of numbers is sorted by number. */
	void setNumber(int row, int column, qint64 number, const QString &text);
	/* A number that is not known: empty, and below all numbers. */
	void setUnknown(int row, int column);
	void setText(int row, int column, const char *text);
	void setEmpty(const QString &empty) { empty_ = empty; }
	void keyPressEvent(QKeyEvent *event) override;
	void paintEvent(QPaintEvent *event) override;

private:
	const QStringList fields_;
	QString empty_;
};

/*
 * The captured episodes of a file, the worst first. They belong to the whole file, whatever the
 * graph shows.
 */
class EpisodesView : public LatencyList {
	Q_OBJECT
public:
	explicit EpisodesView(QWidget *parent = nullptr);

	/* Show the episodes of a file; @offset is added to its times. Null: none. */
	void setRecording(const RecordingPtr &recording, qint64 offset);
	/* Select the row of an episode. */
	void select(int episode);

signals:
	/* The user clicked a row, or pressed Enter on it; @episode: its number, from 0. */
	void episodeActivated(int episode);

private:
	enum Column { Number, Latency, Excess, Start, End, Cpu, Key, Event, Parts };

	void fill();

	RecordingPtr recording_;
	qint64 offset_ = 0;
};

/*
 * All latencies of the visible window, or those of a row of the histogram. The longest is first,
 * unless the user sorts by another column.
 */
class PairsView : public LatencyList {
	Q_OBJECT
public:
	enum { ROWS_MOST = 10000 };

	explicit PairsView(QWidget *parent = nullptr);

	/*
	 * Show pairs of a file, the longest first; @offset is added to its times. @why: a
	 * sentence if there are none. The table has the ROWS_MOST longest.
	 */
	void setPairs(const QVector<latency_pair> &pairs, qint64 offset, const QString &why);
	const QVector<latency_pair> &pairs() const { return pairs_; }

signals:
	/* The user clicked a row, or pressed Enter on it; times are those of the file. */
	void pairActivated(quint64 start, quint64 end);

private:
	enum Column { Latency, Start, End };

	QVector<latency_pair> pairs_;
};

#endif

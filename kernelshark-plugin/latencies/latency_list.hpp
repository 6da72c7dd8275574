/* SPDX-License-Identifier: GPL-2.0 */
/*
 * latency_list.hpp - table of latencies, one in each row, with START and END
 *
 * Base of the tables of episodes and of pairs. Each cell has an exact value for copies and for
 * CSV. Enter on a row is a click on it.
 */
#ifndef KERNELSHARK_PLUGIN_LATENCIES_LATENCY_LIST_HPP
#define KERNELSHARK_PLUGIN_LATENCIES_LATENCY_LIST_HPP

#include <QTableWidget>

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

#endif

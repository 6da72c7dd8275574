/* SPDX-License-Identifier: GPL-2.0 */
/*
 * panel_latencies_test.hpp - each latency of a histogram, in a table and over time
 */
#ifndef UTEST_KERNELSHARK_PANEL_PANEL_LATENCIES_TEST_HPP
#define UTEST_KERNELSHARK_PANEL_PANEL_LATENCIES_TEST_HPP

#include <QObject>
#include <QTemporaryDir>

class LatenciesTest : public QObject {
	Q_OBJECT
private slots:
	void tableHasAllAndSorts();
	void listOfABarUntilItIsClosed();
	void dotsAreInLineWithTheGraph();
	void clickOnADot();
	void counted();
	void nothingToList();

private:
	QTemporaryDir dir_;
};

#endif

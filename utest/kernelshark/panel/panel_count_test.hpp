/* SPDX-License-Identifier: GPL-2.0 */
/*
 * panel_count_test.hpp - events are found and counted without the manual
 */
#ifndef UTEST_KERNELSHARK_PANEL_PANEL_COUNT_TEST_HPP
#define UTEST_KERNELSHARK_PANEL_PANEL_COUNT_TEST_HPP

#include <QObject>
#include <QTemporaryDir>

class CountTest : public QObject {
	Q_OBJECT
private slots:
	void eventsByTheirCount();
	void latencies();
	void largestAndSmallest();
	void longestAndShortest();

private:
	QTemporaryDir dir_;
};

#endif

/* SPDX-License-Identifier: GPL-2.0 */
/*
 * panel_calls_test.hpp - stacks as a call tree
 */
#ifndef UTEST_KERNELSHARK_PANEL_PANEL_CALLS_TEST_HPP
#define UTEST_KERNELSHARK_PANEL_PANEL_CALLS_TEST_HPP

#include <QObject>
#include <QTemporaryDir>

class CallsTest : public QObject {
	Q_OBJECT
private slots:
	void callersAreAboveTheirCallees();
	void offeredForStacksOnly();
	void numbersEqualReport();

private:
	QTemporaryDir dir_;
};

#endif

/* SPDX-License-Identifier: GPL-2.0 */
/*
 * panel_size_test.hpp - the size of the panel in the window
 */
#ifndef UTEST_KERNELSHARK_PANEL_PANEL_SIZE_TEST_HPP
#define UTEST_KERNELSHARK_PANEL_PANEL_SIZE_TEST_HPP

#include <QObject>
#include <QTemporaryDir>

class SizeTest : public QObject {
	Q_OBJECT
private slots:
	void smallAndHighEnough();
	void smallScreen();
	void lowPanel();
	void wheelScrolls();
	void choicesAreWhole();

private:
	QTemporaryDir dir_;
};

#endif

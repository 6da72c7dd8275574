/* SPDX-License-Identifier: GPL-2.0 */
/*
 * panel_compare_test.hpp - what is shown now, and what was shown before
 */
#ifndef UTEST_KERNELSHARK_PANEL_PANEL_COMPARE_TEST_HPP
#define UTEST_KERNELSHARK_PANEL_PANEL_COMPARE_TEST_HPP

#include <QObject>
#include <QTemporaryDir>

class CompareTest : public QObject {
	Q_OBJECT
private slots:
	void twoWindows();
	void differenceHasASign();
	void colours();
	void twoFiles();
	void otherKeys();
	void keysOfTwoBoots();
	void csv();

private:
	QTemporaryDir dir_;
};

#endif

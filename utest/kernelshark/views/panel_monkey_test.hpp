/* SPDX-License-Identifier: GPL-2.0 */
#ifndef UTEST_KERNELSHARK_VIEWS_PANEL_MONKEY_TEST_HPP
#define UTEST_KERNELSHARK_VIEWS_PANEL_MONKEY_TEST_HPP

#include <QObject>
#include <QTemporaryDir>

/* Anything, in any order, offscreen: `panel-test monkey`, which needs sanitizers to see much. */
class MonkeyTest : public QObject {
	Q_OBJECT
private slots:
	void anything();

private:
	QTemporaryDir dir_;
};

#endif

/* SPDX-License-Identifier: GPL-2.0 */
/*
 * panel_expression_test.hpp - expressions that are typed into the panel
 */
#ifndef UTEST_KERNELSHARK_VIEWS_PANEL_EXPRESSION_TEST_HPP
#define UTEST_KERNELSHARK_VIEWS_PANEL_EXPRESSION_TEST_HPP

#include <QObject>
#include <QTemporaryDir>

class ExpressionTest : public QObject {
	Q_OBJECT
private slots:
	void rowWhereThereAreEvents();
	void completion();
	void errorInItsPlace();
	void sameNumbersAsReplay();
	void followsTheWindow();
	void eventsBehindABar();
	void losses();
	void progressAndCancel();
	void newerWindowGivesUpOlder();
	void closedWhileCounting();
	void endedWhileCounting();
	void besideRecordedHistograms();
	void historyAgain();

private:
	QTemporaryDir dir_;
};

#endif

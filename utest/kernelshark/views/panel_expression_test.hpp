/* SPDX-License-Identifier: GPL-2.0 */
/*
 * panel_expression_test.hpp - expressions that are typed into the panel
 */
#ifndef UTEST_KERNELSHARK_VIEWS_PANEL_EXPRESSION_TEST_HPP
#define UTEST_KERNELSHARK_VIEWS_PANEL_EXPRESSION_TEST_HPP

#include <QObject>
#include <QTemporaryDir>

class PanelFixture;
class QSettings;

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
	/* Types and presses Enter; waits, unless the count is to be held. */
	void count(PanelFixture *p, const QString &text, bool wait = true);
	QTemporaryDir dir_;
};

#endif

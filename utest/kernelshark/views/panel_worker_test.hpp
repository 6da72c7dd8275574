/* SPDX-License-Identifier: GPL-2.0 */
#ifndef UTEST_KERNELSHARK_VIEWS_PANEL_WORKER_TEST_HPP
#define UTEST_KERNELSHARK_VIEWS_PANEL_WORKER_TEST_HPP

#include <QObject>
#include <QTemporaryDir>

/* What the worker gives up and what it never tells, with its computing held by the test. */
class WorkerTest : public QObject {
	Q_OBJECT
private slots:
	void cleanup();
	void replacedIsGivenUp();
	void replacedInTimeIsTold();
	void forgottenIsGivenUp();
	void forgottenWhenMade();
	void forgottenWhenAnswered();
	void forgottenWhileItWaits();
	void askedAgainAfterForgetting();
	void endGivesUp();
	void endGivesUpWriting();
	void panelShowsTheNewest();
	void panelForgetsClosedFiles();
	void scrollingIsCheap();

private:
	QTemporaryDir dir_;
};

#endif

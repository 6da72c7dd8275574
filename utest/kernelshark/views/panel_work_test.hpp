/* SPDX-License-Identifier: GPL-2.0 */
#ifndef UTEST_KERNELSHARK_VIEWS_PANEL_WORK_TEST_HPP
#define UTEST_KERNELSHARK_VIEWS_PANEL_WORK_TEST_HPP

#include <QObject>
#include <QTemporaryDir>

/* The worker, many snapshots, and files that come and go in any order. */
class WorkTest : public QObject {
	Q_OBJECT
private slots:
	void newestWins();
	void giveUpOnExit();
	void thousandsOfSnapshots();
	void filesComeAndGo();
	void severalFiles();
	void fileWrittenAnew();
	void brokenFiles();
	void hiddenPanelAsksNothing();
	void floatAndDock();
	void busyProgram();
	void loadCloseCycles();
	void panelsShareOneReading();

private:
	QTemporaryDir dir_;
};

#endif

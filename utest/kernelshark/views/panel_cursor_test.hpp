/* SPDX-License-Identifier: GPL-2.0 */
#ifndef UTEST_KERNELSHARK_VIEWS_PANEL_CURSOR_TEST_HPP
#define UTEST_KERNELSHARK_VIEWS_PANEL_CURSOR_TEST_HPP

#include <QObject>
#include <QTemporaryDir>

/* What is pointed at, chosen or opened when other figures come. */
class CursorTest : public QObject {
	Q_OBJECT
private slots:
	void zoomByMouse_data();
	void zoomByMouse();
	void zoomByKey_data();
	void zoomByKey();
	void cellsAreFoundAgain();
	void barsAreFoundAgain();
	void dragMeansTimes();
	void menuMeansWhatWasShown();
	void oldFiguresAreOfTheirFile();
	void otherHistogram();
	void figuresAreLetGoOf();
	void widthsStay();

private:
	QTemporaryDir dir_;
};

#endif

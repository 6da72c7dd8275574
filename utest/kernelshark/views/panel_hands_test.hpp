/* SPDX-License-Identifier: GPL-2.0 */
#ifndef UTEST_KERNELSHARK_VIEWS_PANEL_HANDS_TEST_HPP
#define UTEST_KERNELSHARK_VIEWS_PANEL_HANDS_TEST_HPP

#include <QObject>
#include <QTemporaryDir>

/* What the mouse and the keys do. */
class HandsTest : public QObject {
	Q_OBJECT
private slots:
	void dragZooms();
	void doubleClickGoes();
	void keysOfTheHeatMap();
	void pointing();
	void cursorInTheGraph();
	void clickOnABarFilters();
	void clickOnAnAxisFilters();
	void whatCannotBeFiltered();
	void tableSortsAndCopies();
	void snapshotsByNumber();
	void keyboardReachesAll();

private:
	QTemporaryDir dir_;
};

#endif

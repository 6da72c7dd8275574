/* SPDX-License-Identifier: GPL-2.0 */
#ifndef UTEST_KERNELSHARK_VIEWS_PANEL_NUMBERS_TEST_HPP
#define UTEST_KERNELSHARK_VIEWS_PANEL_NUMBERS_TEST_HPP

#include <QObject>
#include <QTemporaryDir>

/* Every number is the one that `trace-cmd hist report` gives for the same snapshots. */
class NumbersTest : public QObject {
	Q_OBJECT
private slots:
	void tableEqualsReport_data();
	void tableEqualsReport();
	void oneSnapshotEqualsReport();
	void everySourceEqualsReport_data();
	void everySourceEqualsReport();
	void wholeRecording();
	void withoutGraph();
	void percentilesEqualReport();
	void barsAddUpToTheTotal();
	void heatmapAddsUpToTheBars();
	void heatmapColumnEqualsInterval();
	void windowsTakeTheSnapshotsBefore();
	void offsetMovesTheSnapshots();
	void markersInAnyOrder();
	void searchFindsKeys();
	void groupsAreShownAlone();
	void otherValue();
	void coarserBuckets();
	void lossIsTold();
	void hintIsASentence();
	void clocksWithoutTime();

private:
	QTemporaryDir dir_;
};

#endif

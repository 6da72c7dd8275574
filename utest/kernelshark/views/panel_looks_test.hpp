/* SPDX-License-Identifier: GPL-2.0 */
#ifndef UTEST_KERNELSHARK_VIEWS_PANEL_LOOKS_TEST_HPP
#define UTEST_KERNELSHARK_VIEWS_PANEL_LOOKS_TEST_HPP

#include <QObject>
#include <QTemporaryDir>

/* What is painted, looked at pixel by pixel where its place and colour are known. */
class LooksTest : public QObject {
	Q_OBJECT
private slots:
	void barsAreAsHighAsTheirCounts_data();
	void barsAreAsHighAsTheirCounts();
	void lyingBars();
	void cellsHaveTheirColours_data();
	void cellsHaveTheirColours();
	void coloursStandOut_data();
	void coloursStandOut();
	void markersAreDrawn();
	void layoutStandsStill();
	void columnsStandBelowTheGraph();
	void narrowLabelsAreWhole();
	void unknownTimeIsHatched();
	void lossesAreMarked();
	void boxesSpanTheirIntervals();
	void linearColours();
	void highDensity();
	void pictures();
	void tipsAreTexts();

private:
	QTemporaryDir dir_;
};

#endif

/* SPDX-License-Identifier: GPL-2.0 */
#ifndef UTEST_KERNELSHARK_VIEWS_PANEL_EPISODES_TEST_HPP
#define UTEST_KERNELSHARK_VIEWS_PANEL_EPISODES_TEST_HPP

#include <QObject>
#include <QTemporaryDir>

/* Captured episodes of data/episodes.dat, and pairs of data/pairs.dat (make/episodes_dat.sh). */
class EpisodesTest : public QObject {
	Q_OBJECT
private slots:
	void tableIsTheReport();
	void excessIsAboveTheThreshold();
	void clickSetsTheMarkers();
	void bucketOffersItsEpisodes();
	void fileWithout();
	void barListsItsPairs();
	void doubleClickGoesToTheSlowest();
	void pairsThatCannotBeFound();

private:
	QTemporaryDir dir_;
};

#endif

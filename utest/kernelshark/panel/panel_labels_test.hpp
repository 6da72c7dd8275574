/* SPDX-License-Identifier: GPL-2.0 */
/*
 * panel_labels_test.hpp - labels that do not fit
 */
#ifndef UTEST_KERNELSHARK_PANEL_PANEL_LABELS_TEST_HPP
#define UTEST_KERNELSHARK_PANEL_PANEL_LABELS_TEST_HPP

#include <QObject>
#include <QTemporaryDir>

class LabelsTest : public QObject {
	Q_OBJECT
private slots:
	void differ();
	void showWhereTheyDiffer();
	void rowsDoNotReadAlike();
	void cellsDoNotReadAlike();
	void offsetsTellStacksApart();

private:
	QTemporaryDir dir_;
};

#endif

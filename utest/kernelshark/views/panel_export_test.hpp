/* SPDX-License-Identifier: GPL-2.0 */
/*
 * panel_export_test.hpp - the files that the panel writes
 */
#ifndef UTEST_KERNELSHARK_VIEWS_PANEL_EXPORT_TEST_HPP
#define UTEST_KERNELSHARK_VIEWS_PANEL_EXPORT_TEST_HPP

#include <QObject>
#include <QTemporaryDir>

class ExportTest : public QObject {
	Q_OBJECT
private slots:
	void csvAndSvgEqualReport_data();
	void csvAndSvgEqualReport();
	void csvIsWhatIsSeen();
	void failedExpressionIsInNoOtherPicture();

private:
	QTemporaryDir dir_;
};

#endif

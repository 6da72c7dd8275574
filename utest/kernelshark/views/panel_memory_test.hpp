/* SPDX-License-Identifier: GPL-2.0 */
#ifndef UTEST_KERNELSHARK_VIEWS_PANEL_MEMORY_TEST_HPP
#define UTEST_KERNELSHARK_VIEWS_PANEL_MEMORY_TEST_HPP

#include <QObject>
#include <QTemporaryDir>

/* What the panel shows again when it is opened again. */
class MemoryTest : public QObject {
	Q_OBJECT
private slots:
	void sameViewAgain();
	void whatNobodyChose();
	void newerRecording();
	void severalFiles();
	void nonsense();

private:
	class QSettings *settings(const QString &name);

	QTemporaryDir dir_;
};

#endif

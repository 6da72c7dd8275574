// SPDX-License-Identifier: GPL-2.0
/*
 * panel_memory_test.cpp - what the panel shows again when it is opened again
 */
#include <QComboBox>
#include <QFile>
#include <QSettings>
#include <QSpinBox>
#include <QTabBar>
#include <QToolButton>

#include "utest/kernelshark/views/panel_memory_test.hpp"
#include "utest/kernelshark/views/panel_test.hpp"

QSettings *MemoryTest::settings(const QString &name)
{
	return new QSettings(dir_.filePath(name + QStringLiteral(".ini")), QSettings::IniFormat);
}

/* As a user does: currentIndexChanged alone is what the panel does itself, too. */
static void choose(QComboBox *box, const QString &part)
{
	const int i = box->findText(part, Qt::MatchContains);

	QVERIFY2(i >= 0, qPrintable(part));
	box->setCurrentIndex(i);
	emit box->activated(i);
}

void MemoryTest::sameViewAgain()
{
	QString group, value, from;
	bool map_log, bars_log;
	int groups;

	{
		PanelFixture p(dir_.path(), settings("same"));

		p.load("latency", 105, 125);
		map_log = p.heatmap()->isLog();
		bars_log = p.bars()->isLog();
		p.panel->setView(HistPanel::HeatMap);
		QTest::mouseClick(p.find<QToolButton>("hist_log"), Qt::LeftButton);
		QCOMPARE(p.heatmap()->isLog(), !map_log);
		p.find<QComboBox>("hist_group")->setCurrentIndex(2);
		value = p.find<QComboBox>("hist_value")->itemText(1);
		p.find<QComboBox>("hist_value")->setCurrentIndex(1);
		p.panel->setSource(PanelChoices::OneSnapshot);
		p.find<QSpinBox>("hist_snapshot")->setValue(23);
		p.wait();
		group = p.find<QComboBox>("hist_group")->currentText();
		from = p.text("hist_from");
		groups = p.find<QComboBox>("hist_group")->count();
		QVERIFY(from.startsWith("snapshot 23 "));
	}
	{
		PanelFixture p(dir_.path(), settings("same"));

		QCOMPARE(int(p.panel->view()), int(HistPanel::HeatMap));
		QVERIFY(p.heatmap()->isVisible());
		QCOMPARE(p.heatmap()->isLog(), !map_log);
		QCOMPARE(p.find<QToolButton>("hist_log")->isChecked(), !map_log);
		QCOMPARE(p.bars()->isLog(), bars_log);
		p.load("latency", 105, 125);
		QCOMPARE(p.text("hist_from"), from);
		QVERIFY(p.find<QSpinBox>("hist_snapshot")->isVisible());
		QCOMPARE(p.find<QComboBox>("hist_group")->currentText(), group);
		QCOMPARE(p.find<QComboBox>("hist_group")->count(), groups);
		QCOMPARE(p.find<QComboBox>("hist_value")->currentText(), value);
		p.panel->setSource(PanelChoices::WholeRecording);
	}
	{
		PanelFixture p(dir_.path(), settings("same"));

		p.load("latency", 105, 125);
		QCOMPARE(int(p.panel->source()), int(PanelChoices::WholeRecording));
		QVERIFY(!p.find<QSpinBox>("hist_snapshot")->isVisible());
		/* all of them go back too */
		p.panel->setSource(PanelChoices::VisibleWindow);
		p.find<QComboBox>("hist_group")->setCurrentIndex(0);
		p.panel->setView(HistPanel::Table);
		p.wait();
	}
	PanelFixture p(dir_.path(), settings("same"));

	p.load("latency", 105, 125);
	QCOMPARE(int(p.panel->view()), int(HistPanel::Table));
	QCOMPARE(int(p.panel->source()), int(PanelChoices::VisibleWindow));
	QVERIFY(!p.find<QSpinBox>("hist_snapshot")->isVisible());
	QCOMPARE(p.find<QComboBox>("hist_group")->currentIndex(), 0);
	QCOMPARE(p.find<QComboBox>("hist_value")->currentText(), value);
}

/* Without settings, and of a file that was only looked at, all is as new. */
void MemoryTest::whatNobodyChose()
{
	{
		PanelFixture p(dir_.path());

		p.load("latency", 105, 125);
		p.panel->setView(HistPanel::Table);
		p.panel->setSource(PanelChoices::OneSnapshot);
		p.wait();
	}
	{
		PanelFixture p(dir_.path(), settings("nobody"));

		QCOMPARE(int(p.panel->view()), int(HistPanel::Bars));
		p.load("latency", 105, 125);
		QCOMPARE(int(p.panel->source()), int(PanelChoices::VisibleWindow));
		p.shark.close(panelRecording(dir_.path(), "latency"));
		p.wait();
	}
	QVERIFY(!QFile::exists(dir_.filePath("nobody.ini")));
}

/* In the place of another: its histogram is the same one, its snapshots and groups are not. */
void MemoryTest::newerRecording()
{
	const QString path = dir_.filePath("over.dat");

	QVERIFY(QFile::copy(panelRecording(dir_.path(), "latency"), path));
	{
		PanelFixture p(dir_.path(), settings("newer"));

		p.load(path, 105, 125);
		p.panel->setSource(PanelChoices::OneSnapshot);
		p.find<QSpinBox>("hist_snapshot")->setValue(3);
		p.wait();
	}
	QVERIFY(QFile::remove(path) && QFile::copy(panelRecording(dir_.path(), "mallocs"), path));
	PanelFixture p(dir_.path(), settings("newer"));

	p.load(path, 105, 125);
	QCOMPARE(int(p.panel->source()), int(PanelChoices::VisibleWindow));
	QVERIFY(p.find<QSpinBox>("hist_snapshot")->value() != 3);
}

/* Of several that are open, the one that was chosen last; not against the user. */
void MemoryTest::severalFiles()
{
	const QString latency = panelRecording(dir_.path(), "latency"), tasks = panelRecording(dir_.path(), "tasks");
	QString path;
	unsigned int hist;

	{
		PanelFixture p(dir_.path(), settings("several"));

		p.load(tasks, 90, 130);
		p.load(latency, 90, 130);
		QVERIFY(p.panel->chosen(&path, &hist));
		QCOMPARE(path, tasks);
		choose(p.find<QComboBox>("hist_choose"), "latency");
		p.wait();
	}
	{
		PanelFixture p(dir_.path(), settings("several"));

		p.load(tasks, 90, 130);
		QVERIFY(p.panel->chosen(&path, &hist));
		QCOMPARE(path, tasks);
		p.load(latency, 90, 130);
		QVERIFY(p.panel->chosen(&path, &hist));
		QCOMPARE(path, latency);
	}
	PanelFixture p(dir_.path(), settings("several"));

	p.load(tasks, 90, 130);
	p.panel->setSource(PanelChoices::OneSnapshot);
	p.load(latency, 90, 130);
	QVERIFY(p.panel->chosen(&path, &hist));
	QCOMPARE(path, tasks);
}

/* Somebody has edited the settings. */
void MemoryTest::nonsense()
{
	QSettings *s = settings("nonsense");
	const QString latency = panelRecording(dir_.path(), "latency");

	s->setValue("view", 77);
	s->setValue("bars_log", "perhaps");
	s->beginWriteArray("files", 3);
	s->setArrayIndex(0);
	s->setValue("path", latency);
	s->setArrayIndex(1);
	s->setValue("path", latency);
	s->setValue("name", "another");
	s->setValue("source", 99);
	s->setArrayIndex(2);
	s->setValue("snapshot", -7);
	s->endArray();
	PanelFixture p(dir_.path(), s);

	QCOMPARE(int(p.panel->view()), int(HistPanel::Bars));
	p.load(latency, 105, 125);
	QCOMPARE(int(p.panel->source()), int(PanelChoices::VisibleWindow));
	/* no more than 50 files, however many there were */
	for (int i = 0; i < 60; i++) {
		const QString path = dir_.filePath(QString("%1.dat").arg(i));

		QVERIFY(QFile::copy(panelRecording(dir_.path(), "single"), path));
		p.load(path, 90, 130);
		p.panel->choose(path, 0);
		p.shark.close(path);
	}
	p.wait();
	QCOMPARE(s->beginReadArray("files"), 50);
	s->setArrayIndex(0);
	QCOMPARE(s->value("path").toString(), dir_.filePath("59.dat"));
	s->endArray();
}

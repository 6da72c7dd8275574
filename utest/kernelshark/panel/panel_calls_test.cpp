// SPDX-License-Identifier: GPL-2.0
/* panel_calls_test.cpp - stacks as a call tree */
#include <QComboBox>

#include "utest/kernelshark/panel/panel_calls_test.hpp"
#include "utest/kernelshark/views/panel_test.hpp"

static CallTreeView *callsOf(PanelFixture *p)
{
	return p->find<CallTreeView>("hist_calls");
}

/* The cells of a row. */
static QStringList cellsOf(const QAbstractItemModel *model, const QModelIndex &at)
{
	QStringList cells;

	for (int column = 0; column < model->columnCount(); column++)
		cells << at.sibling(at.row(), column).data().toString();
	return cells;
}

void CallsTest::callersAreAboveTheirCallees()
{
	PanelFixture p(dir_.path());
	CallTreeView *view = callsOf(&p);
	const QAbstractItemModel *model = view->model();

	p.load("stacks", 99, 110);
	p.panel->setView(HistPanel::Calls);
	p.wait();
	QCOMPARE(model->rowCount(), 2);
	const QModelIndex read = model->index(0, 0), sys = model->index(1, 0);

	QCOMPARE(cellsOf(model, read), (QStringList{ "vfs_read", "180", "60.00%", "30" }));
	QCOMPARE(cellsOf(model, sys), (QStringList{ "do_sys", "120", "40.00%", "" }));
	QCOMPARE(model->rowCount(read), 1);
	QCOMPARE(model->rowCount(sys), 2);
	const QModelIndex seq = model->index(0, 0, read), other = model->index(1, 0, sys);

	QCOMPARE(cellsOf(model, seq), (QStringList{ "seq_read", "150", "50.00%", "" }));
	QCOMPARE(cellsOf(model, other), (QStringList{ "other", "30", "10.00%", "" }));
	QCOMPARE(cellsOf(model, model->index(0, 0, other)), (QStringList{ "kmalloc", "30", "10.00%", "30" }));
	QCOMPARE(model->parent(model->index(0, 0, other)), other);
	QCOMPARE(model->parent(other), sys);
	QVERIFY(!model->parent(sys).isValid());
	/* names that look like HTML are text */
	QCOMPARE(model->index(0, 0, sys).data().toString(), QStringLiteral("<b>sock</b>"));
	QVERIFY(model->index(0, 0, sys).data(Qt::ToolTipRole).toString().contains("&lt;b&gt;"));
	/* what counts most is open */
	QVERIFY(view->isExpanded(read) && view->isExpanded(seq) && view->isExpanded(sys));
	/* another value */
	QComboBox *value = p.find<QComboBox>("hist_value");

	value->setCurrentIndex(value->findText("sum of bytes_req (B)"));
	p.wait();
	QCOMPARE(cellsOf(model, model->index(0, 0)), (QStringList{ "vfs_read", "11,520", "60.00%", "1,920" }));
	QCOMPARE(model->headerData(1, Qt::Horizontal).toString(), QStringLiteral("sum of bytes_req (B)"));
	/* a part of the time */
	value->setCurrentIndex(value->findText("hitcount"));
	p.window(101, 102);
	QCOMPARE(model->index(0, 1).data().toString(), QStringLiteral("60"));
}

/* The tab is there only if it can show something, or is in use. */
void CallsTest::offeredForStacksOnly()
{
	PanelFixture p(dir_.path());
	QTabBar *tabs = p.find<QTabBar>("hist_view");

	p.load("tasks", 100, 110);
	QVERIFY(!tabs->isTabVisible(HistPanel::Calls));
	QVERIFY(!tabs->isTabVisible(HistPanel::Scatter));
	QVERIFY(tabs->isTabVisible(HistPanel::Bars) && tabs->isTabVisible(HistPanel::Table));
	p.load("stacks", 99, 110);
	QVERIFY(p.panel->choose(panelRecording(dir_.path(), "stacks"), 0));
	p.wait();
	QVERIFY(tabs->isTabVisible(HistPanel::Calls));
	p.panel->setView(HistPanel::Calls);
	p.wait();
	QVERIFY(p.panel->choose(panelRecording(dir_.path(), "tasks"), 0));
	p.wait();
	QCOMPARE(p.panel->view(), HistPanel::Calls);
	QVERIFY(tabs->isTabVisible(HistPanel::Calls));
	QCOMPARE(callsOf(&p)->model()->rowCount(), 0);
	p.panel->setView(HistPanel::Bars);
	p.wait();
	QVERIFY(!tabs->isTabVisible(HistPanel::Calls));
}

/* Each total is a line of `report --view bars`. */
void CallsTest::numbersEqualReport()
{
	PanelFixture p(dir_.path());
	const QString path = p.load("stacks", 99, 110), out = dir_.filePath("calls.csv");
	QFile file(out);

	p.panel->setView(HistPanel::Calls);
	p.wait();
	QCOMPARE(p.exported(out, "csv"), "Written: " + out);
	QVERIFY(file.open(QFile::ReadOnly));
	QCOMPARE(file.readAll(), QByteArray("depth,function,total,self\n"
					    "0,vfs_read,180,30\n"
					    "1,seq_read,150,0\n"
					    "2,kmalloc,150,150\n"
					    "0,do_sys,120,0\n"
					    "1,<b>sock</b>,90,0\n"
					    "2,kmalloc,90,90\n"
					    "1,other,30,0\n"
					    "2,kmalloc,30,30\n"));
	const QByteArray text = reportOf({ "--view", "bars", path });

	for (const char *line : { "180   60.00%  vfs_read", "150   50.00%    seq_read", "120   40.00%  do_sys",
				  "90   30.00%    <b>sock</b>", "30   10.00%    other" })
		QVERIFY2(text.contains(line), text.constData());
}

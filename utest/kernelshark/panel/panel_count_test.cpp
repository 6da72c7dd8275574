// SPDX-License-Identifier: GPL-2.0
/*
 * panel_count_test.cpp - events are found and counted without the manual
 *
 * data/events/several.dat has 75 wake-ups of a task with its switch.
 */
#include <QApplication>
#include <QAbstractItemView>
#include <QCompleter>
#include <QContextMenuEvent>
#include <QLabel>
#include <QMenu>

#include "kernelshark-plugin/panel/expression_row.hpp"
#include "utest/kernelshark/panel/panel_count_test.hpp"
#include "utest/kernelshark/views/panel_test.hpp"

#define SEVERAL_DAT QStringLiteral(UTEST_DATA "/events/several.dat")

/* Events that occur most are offered first, with their count, which is not inserted. */
void CountTest::eventsByTheirCount()
{
	PanelFixture p(dir_.path());
	ExpressionEdit *edit = p.find<ExpressionEdit>("hist_expression");
	QStringList shown;

	p.shark.counts = { { "sched:sched_waking", 12345 } };
	p.load(SEVERAL_DAT, 46, 47);
	p.activate();
	edit->setFocus();
	QTest::keyClicks(edit, "sched_");
	QCOMPARE(edit->offered()[0], QStringLiteral("sched:sched_waking"));
	const QAbstractItemModel *model = edit->findChild<QCompleter *>()->popup()->model();

	for (int i = 0; i < 2; i++)
		shown << model->index(i, 0).data().toString();
	QCOMPARE(shown[0], QStringLiteral("sched:sched_waking   (12,345)"));
	QCOMPARE(shown[1], QStringLiteral("sched:sched_switch"));
	QTest::keyClick(edit, Qt::Key_Tab);
	QCOMPARE(edit->text(), QStringLiteral("sched:sched_waking "));
	QTest::keyClick(edit, Qt::Key_Escape);
	p.fade();
}

/* A preset of the menu, and a latency that is typed as for `record`. */
void CountTest::latencies()
{
	PanelFixture p(dir_.path());
	QToolButton *button = p.find<QToolButton>("hist_expression_presets");
	QStringList titles;

	p.load(SEVERAL_DAT, 0, 100);
	QVERIFY(button->isVisible());
	for (const QAction *action : button->menu()->actions())
		titles << action->text();
	const int wakeups = titles.indexOf(QRegularExpression("^wakeup-latency: .*"));

	QVERIFY2(wakeups >= 0, qPrintable(titles.join(',')));
	button->menu()->actions()[wakeups]->trigger();
	p.wait();
	QCOMPARE(p.find<ExpressionEdit>("hist_expression")->text(), QStringLiteral("--preset wakeup-latency"));
	QVERIFY2(p.text("hist_from").startsWith("75 latency:sched_waking..sched_switch events"), qPrintable(p.text("hist_from")));
	/* both histograms of the preset can be chosen, the first one is */
	QComboBox *all = p.find<QComboBox>("hist_choose");
	const int first = all->currentIndex();

	QVERIFY2(all->currentText().contains("next_comm"), qPrintable(all->currentText()));
	QCOMPARE(all->count(), first + 2);
	all->setCurrentIndex(first + 1);
	p.wait();
	QVERIFY2(all->currentText().contains("next_prio"), qPrintable(all->currentText()));
	QVERIFY2(p.text("hist_from").startsWith("75 latency:sched_waking..sched_switch events"), qPrintable(p.text("hist_from")));
	p.count("--latency sched_waking:pid..sched_switch:next_pid");
	/* with its unit, and with the pairs behind each bar */
	p.panel->setView(HistPanel::Bars);
	p.wait();
	QVERIFY(p.bars()->upright());
	int bar = 0;

	while (!p.bars()->count(bar))
		bar++;
	QVERIFY2(p.bars()->label(bar).endsWith("s"), qPrintable(p.bars()->label(bar)));
	const int count = int(p.bars()->count(bar));

	QTest::mouseClick(p.bars()->viewport(), Qt::LeftButton, Qt::NoModifier, p.bars()->itemRect(bar).center());
	p.wait();
	QCOMPARE(p.panel->view(), HistPanel::Pairs);
	QCOMPARE(p.find<PairsView>("hist_pairs")->rowCount(), count);
	p.count("--latency sched_waking:pid");
	QCOMPARE(p.text("hist_expression_error"),
		 QStringLiteral("--latency: \"sched_waking:pid\" does not contain \"..\" "
				"between START:KEY and END:KEY"));
	p.count("--latency sched_waking:pid..sched_switch:next_pid");
	QVERIFY(p.find<QLabel>("hist_expression_error")->isHidden());
	QVERIFY(p.text("hist_from").contains("latency:sched_waking..sched_switch events"));
}

/* A number of an event, by the context menu. */
void CountTest::largestAndSmallest()
{
	PanelFixture p(dir_.path());

	p.load(SEVERAL_DAT, 0, 100);
	p.count("sched:sched_switch hist:keys=next_comm,next_pid.log2 if next_pid > 0");
	p.panel->setView(HistPanel::Table);
	p.wait();
	TableView *table = p.table();
	QContextMenuEvent event(QContextMenuEvent::Mouse, QPoint(),
				table->viewport()->mapToGlobal(table->visualRect(table->model()->index(0, 0)).center()));

	QApplication::sendEvent(table->viewport(), &event);
	QMenu *menu = p.find<QMenu>("hist_row_menu");
	QStringList texts;

	QVERIFY(menu);
	for (const QAction *action : menu->actions())
		texts << action->text().remove('&');
	QCOMPARE(texts, (QStringList{ "Show its events", "Go to the largest next_pid", "Go to the smallest next_pid" }));
	p.shark.asked.clear();
	menu->actions()[1]->trigger();
	menu->close();
	p.wait();
	QCOMPARE(p.shark.asked.size(), 1);
	QVERIFY2(p.shark.asked[0].startsWith("goTo 0 "), qPrintable(p.shark.asked[0]));
	QVERIFY2(p.text("hist_filter_words").startsWith("The largest value in "), qPrintable(p.text("hist_filter_words")));
	/* no number, so no entry that cannot work */
	p.count("sched:sched_switch hist:keys=next_comm");
	p.wait();
	QApplication::sendEvent(table->viewport(), &event);
	menu = p.find<QMenu>("hist_row_menu");
	QVERIFY(menu);
	QCOMPARE(menu->actions().size(), 1);
	menu->close();
}

/* Of a latency that was recorded: the pairs of the bar, by the context menu. */
void CountTest::longestAndShortest()
{
	const QString path = QStringLiteral(UTEST_DATA "/pairs.dat");
	PanelFixture p(dir_.path());
	int tried = 0;

	p.load(path, 0, 100);
	QVERIFY(p.panel->choose(path, 0));
	for (int i = 0; i < 11; i++) {
		p.panel->setView(HistPanel::Bars);
		p.wait();
		const hist_heat_row row = p.bars()->figures()->by_axis->rows[i];
		const QPoint at = p.bars()->itemRect(i).center();
		QContextMenuEvent event(QContextMenuEvent::Mouse, at, p.bars()->viewport()->mapToGlobal(at));
		QList<qint64> found;

		if (p.bars()->count(i) < 2)
			continue;
		for (int which = 1; which <= 2; which++) {
			QApplication::sendEvent(p.bars()->viewport(), &event);
			QMenu *menu = p.find<QMenu>("hist_row_menu");

			QVERIFY(menu);
			QCOMPARE(menu->actions().size(), 3);
			QCOMPARE(menu->actions()[which]->text().remove('&'),
				 which == 1 ? QStringLiteral("Go to the longest latency") :
					      QStringLiteral("Go to the shortest latency"));
			p.shark.asked.clear();
			menu->actions()[which]->trigger();
			delete menu;
			p.wait();
			QCOMPARE(p.panel->view(), HistPanel::Bars);
			QCOMPARE(p.shark.asked.size(), 1);
			QVERIFY2(p.shark.asked[0].startsWith("mark 0  "), qPrintable(p.shark.asked[0]));
			found << p.shark.b - p.shark.a;
			QVERIFY(uint64_t(found.last()) / 1000 + 1 >= row.ge && uint64_t(found.last()) / 1000 <= row.le + 1);
		}
		QVERIFY(found[0] > found[1]);
		/* they are the ends of the list */
		QTest::mouseClick(p.bars()->viewport(), Qt::LeftButton, Qt::NoModifier, at);
		p.wait();
		const QVector<latency_pair> &pairs = p.find<PairsView>("hist_pairs")->pairs();

		QCOMPARE(pairs.size(), int(row.total));
		QCOMPARE(qint64(pairs.first().end - pairs.first().start), found[0]);
		QCOMPARE(qint64(pairs.last().end - pairs.last().start), found[1]);
		tried++;
	}
	QVERIFY(tried >= 3);
}

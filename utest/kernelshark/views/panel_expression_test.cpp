// SPDX-License-Identifier: GPL-2.0
/*
 * panel_expression_test.cpp - expressions that are typed into the panel
 *
 * data/events/several.dat has no histogram, two buffers, and 155 events of
 * sched:sched_switch in the top one.  The linker leads the
 * worker's expression_count() through here (--wrap): what is to be seen while it counts is
 * held before it begins, and no time plays a part.
 */
#include <atomic>
#include <cerrno>

#include <QComboBox>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QLabel>
#include <QProcess>
#include <QProgressBar>
#include <QSemaphore>
#include <QSettings>
#include <QThread>

#include "kernelshark-plugin/panel/expression_row.hpp"
#include "utest/kernelshark/views/panel_expression_test.hpp"
#include "utest/kernelshark/views/panel_test.hpp"

#define NEVER_MS 60000 /* only what is wrong takes so long */
#define SEVERAL QStringLiteral(UTEST_DATA "/events/several.dat")
/* of sched:sched_switch */
#define FIRST 46186099545ll
#define LAST_EVENT 46734762223ll
#define SWITCHES QStringLiteral("sched:sched_switch hist:keys=next_comm")

static QSemaphore arrived, passes;
static std::atomic<bool> is_shut, until_given_up;
static std::atomic<int> gave_up;

extern "C" {
int __real_expression_count(expression *e, const expression_window *window,
			    expression_progress *progress, void *data, expression_result *result,
			    struct hist_error *error);
int __wrap_expression_count(expression *e, const expression_window *window,
			    expression_progress *progress, void *data, expression_result *result,
			    struct hist_error *error);
}

int __wrap_expression_count(expression *e, const expression_window *window,
			    expression_progress *progress, void *data, expression_result *result,
			    struct hist_error *error)
{
	QElapsedTimer timer;

	if (!is_shut)
		return __real_expression_count(e, window, progress, data, result, error);
	progress(data, 420, 12345);
	arrived.release();
	if (!passes.tryAcquire(1, NEVER_MS))
		return -ECANCELED;
	if (!until_given_up)
		return __real_expression_count(e, window, nullptr, nullptr, result, error);
	timer.start();
	while (progress(data, 420, 12345)) {
		if (timer.elapsed() > NEVER_MS)
			return -ECANCELED;
		QThread::yieldCurrentThread();
	}
	gave_up++;
	return -ECANCELED;
}

/* Counts stop before they begin, and go as they are let. */
class Gate {
public:
	Gate()
	{
		arrived.tryAcquire(arrived.available());
		passes.tryAcquire(passes.available());
		gave_up = 0;
		is_shut = true;
	}
	~Gate()
	{
		is_shut = false;
		passes.release(10);
	}
	/* While events are handled: the graph has to settle first. */
	bool waitForOne()
	{
		bool came = false;
		QElapsedTimer timer;

		for (timer.start(); !came && timer.elapsed() < NEVER_MS; QTest::qWait(1))
			came = arrived.tryAcquire(1);
		return came;
	}
	void pass(bool only_to_give_up)
	{
		until_given_up = only_to_give_up;
		passes.release();
	}
};

static ExpressionEdit *editOf(PanelFixture *p)
{
	return p->find<ExpressionEdit>("hist_expression");
}

/* Only the words; where they begin is what is replaced. */
static QStringList wordsAt(ExpressionEdit *edit, const QString &text)
{
	int start;

	edit->setText(text);
	return edit->words(&start);
}

/* "rcu_preempt|12" of the table, sorted. */
static QStringList tableRows(PanelFixture *p)
{
	QAbstractItemModel *model = p->table()->model();
	QStringList rows;

	p->panel->setView(HistPanel::Table);
	p->wait();
	for (int r = 0; r < model->rowCount(); r++)
		rows << model->index(r, 0).data(HistTableModel::ExactRole).toString() + QLatin1Char('|') +
				model->index(r, 1).data(HistTableModel::ExactRole).toString();
	rows.sort();
	return rows;
}

/* The same as `trace-cmd hist replay` and report have them. */
/* All digits of a number, and the unit of a size. */
static QString cellOf(const QVariant &value, const char *key)
{
	return value.toString() + QLatin1String(QLatin1String(key).startsWith(QLatin1String("bytes")) ? " B" : "");
}

static QStringList replayRows(const QString &out, const QStringList &arguments, const char *key, const char *value)
{
	QProcess program;
	QStringList rows;

	program.start(QStringLiteral(UTEST_BIN "/trace-cmd-hist"),
		      QStringList{ "replay", "-q", "-o", out } + arguments);
	if (!program.waitForFinished(NEVER_MS) || program.exitCode())
		QTest::qFail(program.readAllStandardError().constData(), __FILE__, __LINE__);
	const QJsonObject all = QJsonDocument::fromJson(reportOf({ out, "--format", "json" })).object();
	const QJsonArray snapshots = all["histograms"].toArray()[0].toObject()["snapshots"].toArray();

	for (const QJsonValue &row : snapshots[0].toObject()["rows"].toArray())
		rows << cellOf(row.toObject()["key"].toObject()[key].toVariant(), key) + QLatin1Char('|') +
				QString::number(qint64(row.toObject()["value"].toObject()[value].toDouble()));
	rows.sort();
	return rows;
}

void ExpressionTest::rowWhereThereAreEvents()
{
	PanelFixture p(dir_.path());
	QWidget *row = p.find<QWidget>("hist_expression_row");
	QComboBox *of = p.find<QComboBox>("hist_expression_of");

	QVERIFY(!row->isVisible());
	p.load("latency", 105, 125);
	QVERIFY(!row->isVisible());
	p.load(SEVERAL, 46, 47);
	QVERIFY(row->isVisible());
	QVERIFY(of->isVisible());
	QCOMPARE(of->count(), 2);
	QCOMPARE(of->itemText(0), QStringLiteral("several.dat: top-level instance"));
	QCOMPARE(of->itemText(1), QStringLiteral("several.dat: inner"));
	p.shark.close(panelRecording(dir_.path(), "latency"));
	p.wait();
	QCOMPARE(of->itemText(1), QStringLiteral("inner"));
	/* a file without a histogram: what can be done with it */
	QVERIFY2(p.bars()->emptyText().contains("To count the events of the file, type an expression above, or choose a preset."),
		 qPrintable(p.bars()->emptyText()));
	p.shark.close(SEVERAL);
	p.wait();
	QVERIFY(!row->isVisible());
}

void ExpressionTest::completion()
{
	PanelFixture p(dir_.path());

	p.load(SEVERAL, 46, 47);
	ExpressionEdit *edit = editOf(&p);

	/* of the file, not of this machine */
	QCOMPARE(wordsAt(edit, "sched:"), QStringList({ "sched:sched_switch", "sched:sched_waking" }));
	QCOMPARE(wordsAt(edit, "kmem:kmalloc hist:keys=by"), QStringList({ "bytes_req", "bytes_alloc" }));
	QCOMPARE(wordsAt(edit, "kmem:kmalloc hist:keys=common_pid."),
		 QStringList({ "hex", "sym", "sym-offset", "execname", "syscall", "log2", "log2=", "buckets=" }));
	QCOMPARE(wordsAt(edit, "kmem:kmalloc hist:keys=bytes_req if bytes_a"), QStringList{ "bytes_alloc" });
	/* what is there as a whole already is not offered */
	QCOMPARE(wordsAt(edit, "kmem:kmalloc hist:keys=bytes_req.sym-offset"), QStringList());
	QCOMPARE(wordsAt(edit, "kmem:kmalloc hist:keys=bytes_req.log2"), QStringList({ "log2", "log2=" }));
	/* letters of more than one byte before the cursor */
	QCOMPARE(wordsAt(edit, QString::fromUtf8("kmem:kmalloc hist:keys=bytes_req if \"\xc3\xa4\" == x || by")),
		 QStringList({ "bytes_req", "bytes_alloc" }));
	edit->insertWord("bytes_req");
	QCOMPARE(edit->text(), QString::fromUtf8("kmem:kmalloc hist:keys=bytes_req if \"\xc3\xa4\" == x || bytes_req"));
	/* by hand */
	edit->clear();
	edit->setFocus();
	QTest::keyClicks(edit, "sched_sw");
	QCOMPARE(edit->offered(), QStringList{ "sched:sched_switch" });
	QTest::keyClick(edit, Qt::Key_Tab);
	QCOMPARE(edit->text(), QStringLiteral("sched:sched_switch "));
	QCOMPARE(edit->offered(), QStringList{ "hist:keys=" });
	QTest::keyClick(edit, Qt::Key_Tab);
	QCOMPARE(edit->text(), QStringLiteral("sched:sched_switch hist:keys="));
	QVERIFY(edit->offered().contains("prev_state"));
	QTest::keyClicks(edit, "next_c");
	QTest::keyClick(edit, Qt::Key_Tab);
	QCOMPARE(edit->text(), SWITCHES);
	/* in the middle of the line */
	edit->setText("sched:sched_switch hist:keys=nex:vals=hitcount");
	edit->setCursorPosition(32);
	QTest::keyClick(edit, Qt::Key_Down);
	QCOMPARE(edit->offered(), QStringList({ "next_comm", "next_pid", "next_prio" }));
	QTest::keyClick(edit, Qt::Key_Tab);
	QCOMPARE(edit->text(), QStringLiteral("sched:sched_switch hist:keys=next_comm:vals=hitcount"));
	QCOMPARE(edit->cursorPosition(), 38);
	/* Enter counts where nothing was chosen of what is offered */
	edit->setText("sched:sched_switch hist:keys=next_comm");
	QTest::keyClicks(edit, ":");
	QVERIFY(!edit->offered().isEmpty());
	QTest::keyClicks(edit, "s");
	QTest::keyClick(edit, Qt::Key_Backspace);
	QTest::keyClick(edit, Qt::Key_Backspace);
	QTest::keyClick(edit, Qt::Key_Return);
	p.wait();
	QVERIFY2(p.text("hist_from").startsWith("155 sched:sched_switch events"), qPrintable(p.text("hist_from")));
	QVERIFY(edit->offered().isEmpty());
	p.fade();
}

void ExpressionTest::errorInItsPlace()
{
	PanelFixture p(dir_.path());

	p.load(SEVERAL, 46, 47);
	p.count("sched:sched_switch hist:keys=next_com");
	QVERIFY(p.find<QLabel>("hist_expression_error")->isVisible());
	/* next to the input */
	QCOMPARE(p.find<QLabel>("hist_expression_error")->geometry().center().y(), editOf(&p)->geometry().center().y());
	QCOMPARE(p.text("hist_notes"), QString());
	/* as the command line says it */
	QCOMPARE(p.text("hist_expression_error"), QStringLiteral("sched:sched_switch: no field \"next_com\": did you mean "
						       "\"next_comm\"?"));
	QCOMPARE(editOf(&p)->selectedText(), QStringLiteral("next_com"));
	QCOMPARE(p.find<QComboBox>("hist_choose")->count(), 0);
	p.count(QString::fromUtf8("sched:sched_switch hist:keys=next_comm if next_comm ~ \"\xc3\xa4*\" && x == 1"));
	QCOMPARE(editOf(&p)->selectedText(), QStringLiteral("x"));
	p.count("sched:sched_swich hist:keys=next_comm");
	QCOMPARE(p.text("hist_expression_error"), QStringLiteral("no event \"sched_swich\" in sched: did you mean "
						       "\"sched_switch\"?"));
	p.count(SWITCHES);
	QVERIFY(p.find<QLabel>("hist_expression_error")->isHidden());
	const QString from = p.text("hist_from");
	QVERIFY(from.startsWith("155 sched:sched_switch events, "));
	/* what is wrong takes nothing away */
	p.count("sched:sched_switch hist:keys=next_pid.log3");
	QVERIFY(p.text("hist_expression_error").startsWith("unknown modifier \"log3\""));
	QVERIFY(p.find<QLabel>("hist_expression_error")->isVisible());
	QCOMPARE(p.text("hist_from"), from);
	QCOMPARE(p.find<QComboBox>("hist_choose")->currentText(),
		 QStringLiteral("computed: sched:sched_switch by next_comm"));
}

void ExpressionTest::sameNumbersAsReplay()
{
	const QString out = dir_.filePath("replayed.dat");
	PanelFixture p(dir_.path());

	p.load(SEVERAL, 46, 47);
	p.count(SWITCHES);
	QCOMPARE(p.text("hist_from"),
		 QStringLiteral("155 sched:sched_switch events, 46.000000 to 47.000000, none lost"));
	QCOMPARE(tableRows(&p),
		 replayRows(out, { "-e", "sched:sched_switch", "-R", "hist:keys=next_comm", SEVERAL }, "next_comm",
			    "hitcount"));
	QCOMPARE(p.table()->model()->rowCount(), 16);
	/* over time, in columns, which are all of it */
	p.panel->setView(HistPanel::HeatMap);
	p.wait();
	const hist_heatmap *map = p.heatmap()->map();
	uint64_t sum = 0;

	QVERIFY(map != nullptr);
	QVERIFY2(map->ncolumns > 50, qPrintable(QString::number(map->ncolumns)));
	for (uint32_t i = 0; i < map->nrows; i++)
		sum += map->rows[i].total;
	QCOMPARE(sum, uint64_t(155));
	/* what exports of a table write is what reports of the library write */
	p.panel->setView(HistPanel::Table);
	p.wait();
	QCOMPARE(p.exported(dir_.filePath("x.csv"), "csv"), "Written: " + dir_.filePath("x.csv"));
	QFile csv(dir_.filePath("x.csv"));
	QVERIFY(csv.open(QIODevice::ReadOnly));
	QVERIFY(csv.readAll().contains(",hits,155\n"));
	/* the other buffer, with a filter */
	p.find<QComboBox>("hist_expression_of")->setCurrentIndex(1);
	p.count("kmem:kmalloc hist:keys=bytes_req if bytes_req > 100");
	QCOMPARE(tableRows(&p), replayRows(out, { "-B", "inner", "-e", "kmem:kmalloc", "-R",
						   "hist:keys=bytes_req if bytes_req > 100", SEVERAL },
					    "bytes_req", "hitcount"));
	QVERIFY(p.table()->model()->rowCount() > 3);
	QCOMPARE(p.find<QComboBox>("hist_choose")->count(), 1);
}

void ExpressionTest::followsTheWindow()
{
	PanelFixture p(dir_.path());

	p.load(SEVERAL, 46, 47);
	p.count(SWITCHES);
	/* both ends are included: the first event alone, and all but it */
	p.shark.setWindow(FIRST - 1000000, FIRST);
	p.wait();
	QCOMPARE(p.text("hist_from"), QStringLiteral("1 sched:sched_switch event, 46.185099 to 46.186099, none lost"));
	p.shark.setWindow(FIRST + 1, LAST_EVENT);
	p.wait();
	QVERIFY2(p.text("hist_from").startsWith("154 sched:sched_switch events"), qPrintable(p.text("hist_from")));
	/* the offset of the stream */
	p.shark.setOffset(SEVERAL, 5 * SECOND);
	p.shark.setWindow(FIRST + 5 * SECOND, LAST_EVENT + 5 * SECOND);
	p.wait();
	QVERIFY2(p.text("hist_from").startsWith("155 sched:sched_switch events"), qPrintable(p.text("hist_from")));
	p.shark.setOffset(SEVERAL, 0);
	/* nothing there */
	p.window(10, 11);
	QVERIFY2(p.bars()->emptyText().startsWith("No event was recorded during this time."),
		 qPrintable(p.bars()->emptyText()));
	p.shark.setMarkers(LAST_EVENT, FIRST + 1);
	p.panel->setSource(PanelChoices::MarkersAB);
	p.wait();
	QVERIFY2(p.text("hist_from").startsWith("154 sched:sched_switch events"), qPrintable(p.text("hist_from")));
	p.panel->setSource(PanelChoices::OneSnapshot);
	p.wait();
	QVERIFY(p.bars()->emptyText().contains("The panel counted these events, so there are no snapshots. "));
	p.panel->setSource(PanelChoices::VisibleWindow);
	p.window(46, 47);
	QVERIFY2(p.text("hist_from").startsWith("155 sched:sched_switch events"), qPrintable(p.text("hist_from")));
}

void ExpressionTest::eventsBehindABar()
{
	PanelFixture p(dir_.path());

	p.load(SEVERAL, 46, 47);
	p.shark.setOffset(SEVERAL, 100);
	p.count("sched:sched_switch hist:keys=next_comm if prev_pid > 0");
	emit p.bars()->activated(0);
	QVERIFY2(p.shark.asked.last().startsWith("filter 0 sched/sched_switch next_comm == \""),
		 qPrintable(p.shark.asked.last()));
	QVERIFY(p.shark.asked.last().contains("prev_pid > 0"));
	/* the events at both ends of the window count, and so they are shown */
	QCOMPARE(p.shark.after, 46 * SECOND - 1);
	QCOMPARE(p.shark.until, 47 * SECOND);
}

void ExpressionTest::losses()
{
	PanelFixture p(dir_.path());

	p.load(QStringLiteral(UTEST_DATA "/events/lost.dat"), 71, 74);
	p.count("raw_syscalls:sys_enter hist:keys=id.syscall");
	QCOMPARE(p.text("hist_from"),
		 QStringLiteral("3949 raw_syscalls:sys_enter events, 71.000000 to 74.000000, 7057 events lost"));
	QVERIFY2(p.text("hist_notes").contains("7057 or more events were lost before they were counted: "),
		 qPrintable(p.text("hist_notes")));
}

void ExpressionTest::progressAndCancel()
{
	PanelFixture p(dir_.path());
	QString from;

	p.load(SEVERAL, 46, 47);
	QToolButton *cancel = p.find<QToolButton>("hist_expression_cancel");
	QProgressBar *bar = p.find<QProgressBar>("hist_expression_progress");

	p.count(SWITCHES);
	QVERIFY(!cancel->isVisible());
	from = p.text("hist_from");
	Gate gate;
	p.count("sched:sched_waking hist:keys=comm", false);
	QVERIFY(gate.waitForOne());
	QTRY_VERIFY_WITH_TIMEOUT(cancel->isVisible() && bar->isVisible(), NEVER_MS);
	QTRY_COMPARE_WITH_TIMEOUT(bar->value(), 420, NEVER_MS);
	QCOMPARE(bar->text(), QStringLiteral("42 % - 12,345 counted"));
	QVERIFY(!p.panel->idle());
	QCOMPARE(p.text("hist_from"), from);
	QTest::mouseClick(cancel, Qt::LeftButton);
	gate.pass(true);
	p.wait();
	QCOMPARE(int(gave_up), 1);
	QVERIFY(!cancel->isVisible() && !bar->isVisible());
	QCOMPARE(p.text("hist_from"), from);
	QCOMPARE(p.text("hist_expression_error"), QStringLiteral("Counting was canceled; press Enter to "
						       "count the events of the visible window"));
	/* it does not begin again by itself, but with Enter */
	p.find<QLineEdit>("hist_search")->setText("a");
	p.wait();
	QCOMPARE(arrived.available(), 0);
	QTest::keyClick(editOf(&p), Qt::Key_Return);
	QVERIFY(gate.waitForOne());
	gate.pass(false);
	p.wait();
	QVERIFY2(p.text("hist_from").contains("sched:sched_waking events"), qPrintable(p.text("hist_from")));
	QVERIFY(!p.text("hist_expression_error").contains("canceled"));
	/* nor does a window that was given up, whatever else asks for it; another one does */
	from = p.text("hist_from");
	p.shark.setWindow(FIRST, LAST_EVENT);
	QVERIFY(gate.waitForOne());
	QTRY_VERIFY_WITH_TIMEOUT(cancel->isVisible(), NEVER_MS);
	QTest::mouseClick(cancel, Qt::LeftButton);
	gate.pass(true);
	p.wait();
	p.find<QLineEdit>("hist_search")->setText("b");
	p.wait();
	QCOMPARE(arrived.available(), 0);
	QCOMPARE(p.text("hist_from"), from);
	p.shark.setWindow(FIRST, LAST_EVENT - 1);
	QVERIFY(gate.waitForOne());
	gate.pass(false);
	p.wait();
	QVERIFY(p.text("hist_from") != from);
}

void ExpressionTest::newerWindowGivesUpOlder()
{
	PanelFixture p(dir_.path());

	p.load(SEVERAL, 46, 47);
	p.count(SWITCHES);
	Gate gate;
	p.shark.setWindow(FIRST, FIRST + 100000000);
	QVERIFY(gate.waitForOne());
	/* this one is held; what comes now gives it up */
	gate.pass(true);
	p.shark.setWindow(FIRST, LAST_EVENT - 1);
	QTRY_COMPARE_WITH_TIMEOUT(int(gave_up), 1, NEVER_MS);
	/* until the new one is counted, the old numbers stay, with their line */
	QCOMPARE(p.text("hist_from"),
		 QStringLiteral("155 sched:sched_switch events, 46.000000 to 47.000000, none lost"));
	QVERIFY(gate.waitForOne());
	gate.pass(false);
	p.wait();
	QVERIFY2(p.text("hist_from").startsWith("154 sched:sched_switch events"), qPrintable(p.text("hist_from")));
	QCOMPARE(arrived.available(), 0);
}

void ExpressionTest::closedWhileCounting()
{
	PanelFixture p(dir_.path());

	p.load("latency", 105, 125);
	p.load(SEVERAL, 46, 47);
	{
		Gate gate;

		p.count(SWITCHES, false);
		QVERIFY(gate.waitForOne());
		p.shark.close(SEVERAL);
		gate.pass(true);
		p.wait();
		QCOMPARE(int(gave_up), 1);
	}
	QVERIFY(!p.find<QWidget>("hist_expression_row")->isVisible());
	QVERIFY(p.find<QComboBox>("hist_choose")->currentText().startsWith("syscalls:latency"));
	/* once it is counted, it goes with its file */
	p.shark.open(SEVERAL);
	p.window(46, 47);
	p.count(SWITCHES);
	QCOMPARE(p.find<QComboBox>("hist_choose")->count(), 2);
	p.shark.close(SEVERAL);
	p.wait();
	QCOMPARE(p.find<QComboBox>("hist_choose")->count(), 1);
	QVERIFY(p.find<QComboBox>("hist_choose")->currentText().startsWith("syscalls:latency"));
	QVERIFY(p.text("hist_from").isEmpty() || p.text("hist_from").contains("snapshot"));
}

void ExpressionTest::endedWhileCounting()
{
	{
		PanelFixture p(dir_.path());
		Gate gate;

		p.load(SEVERAL, 46, 47);
		p.count(SWITCHES, false);
		QVERIFY(gate.waitForOne());
		emit p.shark.closing();
		gate.pass(true);
	}
	QCOMPARE(int(gave_up), 1);
	{
		PanelFixture p(dir_.path());
		Gate gate;

		p.load(SEVERAL, 46, 47);
		p.count(SWITCHES, false);
		QVERIFY(gate.waitForOne());
		gate.pass(true);
	}
	QCOMPARE(int(gave_up), 1);
}

/* A file with both: each as ever, and the search, groups and values are of what is shown. */
void ExpressionTest::besideRecordedHistograms()
{
	PanelFixture p(dir_.path());
	QString path;
	unsigned int hist;

	p.load(QStringLiteral(UTEST_DATA "/shark.dat"), 6, 8);
	QComboBox *choose = p.find<QComboBox>("hist_choose"), *value = p.find<QComboBox>("hist_value");
	const int recorded = choose->count();
	const QString from = p.text("hist_from");

	QCOMPARE(recorded, 3);
	QVERIFY(p.panel->chosen(&path, &hist));
	p.count("sched:sched_stat_runtime hist:keys=comm,runtime.log2:vals=runtime");
	QCOMPARE(choose->count(), recorded + 1);
	QCOMPARE(choose->currentIndex(), recorded);
	QVERIFY(choose->currentText().startsWith("computed: sched:sched_stat_runtime by comm, runtime.log2"));
	QVERIFY2(p.text("hist_from").startsWith("387 sched:sched_stat_runtime events, "), qPrintable(p.text("hist_from")));
	QVERIFY(value->isVisible());
	QCOMPARE(value->count(), 2);
	QVERIFY(p.find<QComboBox>("hist_group")->count() > 2);
	QVERIFY(!p.panel->chosen(&path, &hist));
	/* another expression in its place: other values, other groups */
	p.count("sched:sched_switch hist:keys=next_comm");
	QCOMPARE(choose->count(), recorded + 1);
	QVERIFY(!value->isVisible());
	QVERIFY(!p.find<QComboBox>("hist_group")->isVisible());
	QVERIFY2(p.text("hist_from").startsWith("411 sched:sched_switch events, "), qPrintable(p.text("hist_from")));
	p.find<QLineEdit>("hist_search")->setText("SWAPPER");
	p.wait();
	QVERIFY(p.bars()->figures()->rows.n > 0);
	QVERIFY(p.bars()->figures()->rows.n < p.bars()->figures()->whole_rows);
	p.find<QLineEdit>("hist_search")->clear();
	/* back to what was recorded, and again */
	choose->setCurrentIndex(0);
	emit choose->activated(0);
	p.wait();
	QCOMPARE(p.text("hist_from"), from);
	QVERIFY(p.panel->chosen(&path, &hist));
	choose->setCurrentIndex(recorded);
	emit choose->activated(recorded);
	p.wait();
	QVERIFY2(p.text("hist_from").startsWith("411 sched:sched_switch events, "), qPrintable(p.text("hist_from")));
	p.fade();
}

void ExpressionTest::historyAgain()
{
	const QString ini = dir_.filePath("history.ini");
	const QString other = QStringLiteral("sched:sched_waking hist:keys=comm,pid");

	{
		PanelFixture p(dir_.path(), new QSettings(ini, QSettings::IniFormat));

		p.load(SEVERAL, 46, 47);
		p.count(SWITCHES);
		p.count(other);
		p.count("sched:sched_waking hist:keys=wrong");
	}
	PanelFixture p(dir_.path(), new QSettings(ini, QSettings::IniFormat));

	p.load(SEVERAL, 46, 47);
	/* the newest first, behind what the file has; nothing that was wrong */
	QStringList words = wordsAt(editOf(&p), "sched:");
	QCOMPARE(words, QStringList({ "sched:sched_switch", "sched:sched_waking", other, SWITCHES }));
	QCOMPARE(wordsAt(editOf(&p), "sched:sched_switch hist:keys=next_comm"), QStringList());
	editOf(&p)->setText("sched:sched_sw");
	editOf(&p)->insertWord(SWITCHES);
	QCOMPARE(editOf(&p)->text(), SWITCHES);
	QTest::keyClick(editOf(&p), Qt::Key_Return);
	p.wait();
	QVERIFY(p.text("hist_from").startsWith("155 sched:sched_switch events"));
	/* it is the newest now */
	words = wordsAt(editOf(&p), "sched:");
	QCOMPARE(words.mid(2), QStringList({ SWITCHES, other }));
	p.fade();
}

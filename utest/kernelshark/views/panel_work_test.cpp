// SPDX-License-Identifier: GPL-2.0
/*
 * panel_work_test.cpp - the worker, many snapshots, files that come and go
 */
#include <QComboBox>
#include <QToolButton>
#include <QLabel>
#include <QLineEdit>
#include <QTableWidget>

#include "kernelshark-plugin/work/data_worker.hpp"
#include "utest/kernelshark/fixture/panel_gate.hpp"
#include "utest/kernelshark/views/panel_test.hpp"
#include "utest/kernelshark/views/panel_work_test.hpp"

static RecordingPtr opened(DataWorker *worker, const QString &path)
{
	RecordingPtr got;
	bool answered = false;

	QObject::connect(worker, &DataWorker::opened, worker,
			 [&](const QString &, const RecordingPtr &r, const QString &) {
				 got = r;
				 answered = true;
			 });
	worker->open(path);
	for (int i = 0; i < 6000 && !answered; i++)
		QTest::qWait(10);
	QObject::disconnect(worker, &DataWorker::opened, worker, nullptr);
	return got;
}

static PanelDataQuery between(const RecordingPtr &r, uint32_t from, uint32_t to)
{
	PanelDataQuery q;

	q.recording = r;
	q.from = from;
	q.to = to;
	q.columns = 100;
	q.value = 0;
	return q;
}

void WorkTest::newestWins()
{
	DataWorker worker;
	const RecordingPtr r = opened(&worker, panelRecording(dir_.path(), "many"));
	QList<quint64> numbers;
	uint32_t last_to = 0;
	quint64 last = 0;

	QVERIFY(r);
	connect(&worker, &DataWorker::made, this,
		[&](quint64 number, const PanelDataPtr &f, const QString &why) {
		QVERIFY2(f != nullptr, qPrintable(why));
		numbers << number;
		last_to = f->query.to;
	});
	PanelGate::shut();
	worker.ask(between(r, 0, 4001));
	QVERIFY(PanelGate::waitForOne());
	for (uint32_t i = 2; i <= 500; i++)
		last = worker.ask(between(r, 0, 4000 + i));
	PanelGate::pass(PanelGate::AskUntilGivenUp);
	PanelGate::open();
	QTRY_VERIFY_WITH_TIMEOUT(!worker.busy(), 60000);
	/* the first is in work already when the others come; those between are not even begun */
	QVERIFY2(numbers.size() == 1, qPrintable(QString::number(numbers.size())));
	QCOMPARE(numbers.last(), last);
	QCOMPARE(last_to, 4500u);
	/* what was asked before forget() is not answered */
	numbers.clear();
	worker.ask(between(r, 0, 4999));
	worker.forget();
	QTRY_VERIFY_WITH_TIMEOUT(!worker.busy(), 60000);
	QVERIFY(numbers.isEmpty());
	last = worker.ask(between(r, 10, 20));
	QTRY_VERIFY_WITH_TIMEOUT(!worker.busy(), 60000);
	QCOMPARE(numbers, QList<quint64>{ last });
	disconnect(&worker, nullptr, this, nullptr);
}

/* Twenty files that wait to be written are not waited for: they are a hundred thousand snapshots. */
void WorkTest::giveUpOnExit()
{
	{
		DataWorker worker;
		const RecordingPtr r = opened(&worker, panelRecording(dir_.path(), "many"));

		QVERIFY(r);
		PanelGate::reset();
		worker.ask(between(r, 0, 4999));
		for (int k = 0; k < 20; k++)
			worker.write(between(r, 0, 4999), dir_.path() + "/x.svg",
				     PANEL_DATA_SVG_HEATMAP);
	}
	QVERIFY2(PanelGate::rebuilt() < 50000, qPrintable(QString::number(PanelGate::rebuilt())));
}

void WorkTest::thousandsOfSnapshots()
{
	PanelFixture p(dir_.path());

	PanelGate::reset();
	p.load("many", 99, 152);
	p.panel->setView(HistPanel::HeatMap);
	p.wait();
	QCOMPARE(p.text("hist_from"), QStringLiteral("snapshots 0 (100.000000) to 4999 (149.990000): 4999 intervals"));
	QVERIFY(p.heatmap()->map()->ncolumns <= 1000);
	/* while the user drags the graph, the program is never kept waiting */
	for (int i = 0; i < 200; i++) {
		p.shark.setWindow((100 + i % 40) * SECOND, (110 + i % 40) * SECOND);
		QCoreApplication::processEvents();
	}
	p.wait();
	QCOMPARE(p.text("hist_from"), QStringLiteral("snapshots 3900 (139.000000) to 4900 (149.000000): 1000 intervals"));
	QVERIFY(PanelGate::rebuilt() > 5000);
	QCOMPARE(PanelGate::inGui(), 0);
}

void WorkTest::filesComeAndGo()
{
	PanelFixture p(dir_.path());
	QSignalSpy chosen(p.panel, &HistPanel::chosenChanged);
	QString path, empty;
	unsigned int hist;

	p.wait();
	QVERIFY(p.bars()->emptyText().contains(QStringLiteral("No file is open")));
	QVERIFY(!p.panel->chosen(&path, &hist));
	empty = panelRecording(dir_.path(), "empty");
	p.shark.open(empty);
	p.wait();
	QVERIFY2(p.bars()->emptyText().startsWith(empty + QStringLiteral(": ")), qPrintable(p.bars()->emptyText()));
	p.shark.close(empty);
	const QString latency = p.load("latency");
	QVERIFY(p.panel->chosen(&path, &hist));
	QCOMPARE(path, latency);
	QCOMPARE(chosen.count(), 1);
	QVERIFY(p.bars()->bars() > 0);
	p.shark.close(latency);
	p.wait();
	QCOMPARE(p.bars()->bars(), 0);
	QVERIFY(!p.panel->chosen(&path, &hist));
	QCOMPARE(p.find<QComboBox>("hist_choose")->count(), 0);
	QVERIFY(!p.find<QToolButton>("hist_export")->isEnabled());
	QVERIFY(p.text("hist_from").isEmpty());
}

void WorkTest::severalFiles()
{
	PanelFixture p(dir_.path());
	const QString latency = p.load("latency"), tasks = p.load("tasks");
	QComboBox *choose = p.find<QComboBox>("hist_choose");
	QString path;
	unsigned int hist;

	QCOMPARE(choose->count(), 2);
	QVERIFY2(choose->itemText(0).startsWith("latency.dat (stream 0): syscalls:latency by id.syscall, lat_us.log2"),
		 qPrintable(choose->itemText(0)));
	QVERIFY(choose->itemText(1).startsWith("tasks.dat (stream 1): sched:sched_switch by common_pid.execname"));
	/* an appended file does not take the choice away */
	QVERIFY(p.panel->chosen(&path, &hist));
	QCOMPARE(path, latency);
	QVERIFY(p.panel->choose(tasks, 0));
	p.wait();
	QCOMPARE(p.bars()->bars(), 40);
	QVERIFY(!p.panel->choose(tasks, 1));
	QVERIFY(!p.panel->choose("/no/such", 0));
	/* closing the other one leaves it alone */
	p.shark.close(latency);
	p.wait();
	QCOMPARE(p.bars()->bars(), 40);
	p.shark.close(tasks);
	p.wait();
	QCOMPARE(p.bars()->bars(), 0);
}

void WorkTest::fileWrittenAnew()
{
	PanelFixture p(dir_.path());
	const QString path = dir_.path() + "/anew.dat";

	QFile::remove(path);
	QVERIFY(QFile::copy(panelRecording(dir_.path(), "tasks"), path));
	p.load(path);
	QCOMPARE(p.bars()->bars(), 40);
	QVERIFY(QFile::remove(path));
	QVERIFY(QFile::copy(panelRecording(dir_.path(), "mallocs"), path));
	emit p.shark.filesChanged();
	p.wait();
	QVERIFY(p.bars()->upright());
	QVERIFY(p.find<QComboBox>("hist_choose")->currentText().startsWith("kmem:kmalloc"));
}

void WorkTest::brokenFiles()
{
	PanelFixture p(dir_.path());
	const QString junk = dir_.path() + "/junk.dat", cut = dir_.path() + "/cut.dat";
	QFile whole(panelRecording(dir_.path(), "latency")), file(junk), part(cut);
	QByteArray bytes;

	QVERIFY(file.open(QIODevice::WriteOnly));
	file.write("no trace at all");
	file.close();
	p.shark.open(junk);
	p.wait();
	QVERIFY2(p.bars()->emptyText().startsWith(junk), qPrintable(p.bars()->emptyText()));
	p.shark.open("/no/such/file.dat");
	p.wait();
	QVERIFY(p.bars()->emptyText().contains("No such file"));
	/* what is whole is shown, what is not is told */
	QVERIFY(whole.open(QIODevice::ReadOnly));
	bytes = whole.readAll();
	QVERIFY(part.open(QIODevice::WriteOnly));
	part.write(bytes.left(bytes.size() * 3 / 4));
	part.close();
	p.load(cut);
	QVERIFY(p.bars()->bars() > 0);
	QVERIFY(!p.text("hist_notes").isEmpty());
}

void WorkTest::hiddenPanelAsksNothing()
{
	PanelFixture p(dir_.path());

	p.load("tasks", 104.2, 109.9);
	p.panel->hide();
	p.window(101, 102);
	QVERIFY(p.text("hist_from").contains("4 (104"));
	p.panel->show();
	QCoreApplication::processEvents();
	p.wait();
	QCOMPARE(p.text("hist_from"), QStringLiteral("snapshots 1 (101.000000) to 2 (102.000000): 1 interval"));
	/* a file closed meanwhile is let go of */
	p.panel->hide();
	p.shark.close(p.shark.files_.first().path);
	p.wait();
	QVERIFY(!p.bars()->figures());
}

void WorkTest::floatAndDock()
{
	PanelFixture p(dir_.path());

	p.load("latency");
	p.panel->setView(HistPanel::HeatMap);
	for (int i = 0; i < 4; i++) {
		p.panel->setFloating(i % 2 == 0);
		p.window(100 + i, 110);
		QVERIFY(p.heatmap()->map());
	}
	p.top->addDockWidget(Qt::TopDockWidgetArea, p.panel);
	p.window(101, 110);
	QVERIFY(p.heatmap()->map());
}

void WorkTest::busyProgram()
{
	PanelFixture p(dir_.path());
	const QString path = p.load("tasks", 104.2, 109.9);

	/* while a file is loaded what is shown stays, though the program has no files */
	p.shark.busy_ = true;
	const QList<Shark::File> files = p.shark.files_;
	p.shark.files_.clear();
	emit p.shark.filesChanged();
	p.window(101, 102);
	QVERIFY(p.text("hist_from").contains("4 (104"));
	p.shark.files_ = files;
	p.shark.busy_ = false;
	emit p.shark.filesChanged();
	p.wait();
	QCOMPARE(p.text("hist_from"), QStringLiteral("snapshots 1 (101.000000) to 2 (102.000000): 1 interval"));
	/* and after the program said good-bye nothing is asked */
	emit p.shark.closing();
	p.shark.asked.clear();
	p.window(103, 104);
	QCOMPARE(p.shark.asked.filter("filter").size(), 0);
	QVERIFY(p.panel->idle());
}

void WorkTest::loadCloseCycles()
{
	static const char *const kinds[] = { "latency", "many", "tasks", "mallocs", "empty", "wide" };

	for (int i = 0; i < 24; i++) {
		PanelFixture p(dir_.path());

		p.panel->setView(HistPanel::View(i % 4));
		for (int k = 0; k < 3; k++) {
			p.shark.open(panelRecording(dir_.path(), kinds[(i + k) % 6]));
			if (i % 3 == 0)
				p.wait();
			p.shark.setWindow(99 * SECOND, (101 + i) * SECOND);
			if (i % 5 == 1)
				p.find<QLineEdit>("hist_search")->setText("s");
			if (i % 4 == 2)
				p.panel->setSource(PanelChoices::Source(k % 3));
		}
		if (i % 2)
			p.shark.close(p.shark.files_.first().path);
		if (i % 7 == 3)
			emit p.shark.closing();
		/* the panel goes while it is still computing */
	}
}

/*
 * However many panels show a file, its histograms and its events are read once, and again
 * only if the file was written anew.
 */
void WorkTest::panelsShareOneReading()
{
	const QString path = dir_.filePath("shared.dat");

	QVERIFY(QFile::copy(QStringLiteral(UTEST_DATA "/pairs.dat"), path));
	PanelFixture p(dir_.path());
	QList<HistPanel *> panels{ p.panel };

	PanelGate::reset();
	p.load(path, 0, 100);
	for (int i = 0; i < 2; i++) {
		HistPanel *other = new HistPanel(&p.shark, &p.files, p.top.get());

		p.top->addDockWidget(Qt::BottomDockWidgetArea, other);
		other->setBeside(panels.last());
		panels << other;
	}
	/* those of one look for events in threads of their own */
	for (HistPanel *panel : panels) {
		QVERIFY(panel->choose(path, 0));
		panel->setView(HistPanel::Pairs);
	}
	for (HistPanel *panel : panels) {
		QTableWidget *list = panel->findChild<QTableWidget *>("hist_pairs");

		QTRY_VERIFY_WITH_TIMEOUT(panel->idle(), 60000);
		QTRY_COMPARE_WITH_TIMEOUT(list->rowCount(), 72, 60000);
	}
	QCOMPARE(PanelGate::opened().count(path), 1);
	QCOMPARE(PanelGate::openedEvents().count(path), 1);
	/* the first one goes, and the file stays open for the others */
	delete panels.takeFirst();
	p.panel = panels[0];
	p.window(23, 24);
	panels[1]->setView(HistPanel::Table);
	QTRY_VERIFY_WITH_TIMEOUT(panels[1]->idle(), 60000);
	QVERIFY(panels[1]->findChild<TableView *>("hist_table")->model()->rowCount() > 0);
	QCOMPARE(PanelGate::opened().count(path), 1);
	/* written anew, it is read once more for both */
	QVERIFY(QFile::remove(path) && QFile::copy(panelRecording(dir_.path(), "mallocs"), path));
	emit p.shark.filesChanged();
	for (HistPanel *panel : panels)
		QTRY_VERIFY_WITH_TIMEOUT(panel->idle(), 60000);
	QCOMPARE(PanelGate::opened().count(path), 2);
	QCOMPARE(PanelGate::openedEvents().count(path), 2);
	for (HistPanel *panel : panels)
		QVERIFY(panel->findChild<QComboBox *>("hist_choose")->itemText(0).contains("kmalloc"));
}

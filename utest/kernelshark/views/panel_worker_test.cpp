// SPDX-License-Identifier: GPL-2.0
/*
 * panel_worker_test.cpp - what the worker gives up and what it never tells
 *
 * No test here waits for a time: the gate (panel_gate.hpp) holds the worker where the
 * test wants it, and what the GUI thread does comes in between.
 */
#include <climits>

#include <QComboBox>

#include "kernelshark-plugin/work/data_worker.hpp"
#include "utest/kernelshark/fixture/panel_gate.hpp"
#include "utest/kernelshark/views/panel_test.hpp"
#include "utest/kernelshark/views/panel_worker_test.hpp"

/* A worker with an open recording; all that it tells is written down. */
struct Watched {
	/* @moment: what a query may take though it was replaced; ALWAYS is longer than any. */
	enum { NONE = -1, ALWAYS = INT_MAX };

	explicit Watched(const QString &path, int moment = ALWAYS) : worker(nullptr, moment)
	{
		QObject::connect(&worker, &DataWorker::made, &worker,
				 [this](quint64 number, const PanelDataPtr &f, const QString &) {
					 made << number;
					 to << (f ? int(f->query.to) : -1);
				 });
		QObject::connect(&worker, &DataWorker::idle, &worker, [this] { idle++; });
		QObject::connect(&worker, &DataWorker::opened, &worker,
				 [this](const QString &, const RecordingPtr &r, const QString &) { recording = r; });
		worker.open(path);
		wait();
		idle = 0;
	}

	/* Handles events until the worker has told all that it will. */
	void wait() { QTRY_VERIFY_WITH_TIMEOUT(!worker.busy(), 60000); }

	quint64 ask(uint32_t end)
	{
		PanelDataQuery q;

		q.recording = recording;
		q.to = end;
		q.columns = 10;
		q.value = 0;
		return worker.ask(q);
	}

	QList<quint64> made;
	QList<int> to;
	RecordingPtr recording;
	int idle = 0;
	DataWorker worker; /* goes first */
};

/* Whatever failed, the next test finds the gate open. */
void WorkerTest::cleanup()
{
	PanelGate::open();
}

/* What takes long is given up as soon as there is something newer. */
void WorkerTest::replacedIsGivenUp()
{
	Watched w(panelRecording(dir_.path(), "tasks"), Watched::NONE);
	quint64 last;

	PanelGate::shut();
	w.ask(3);
	QVERIFY(PanelGate::waitForOne());
	w.ask(4);
	last = w.ask(5);
	PanelGate::pass(PanelGate::AskOnce);
	QVERIFY(PanelGate::waitForOne());
	QCOMPARE(PanelGate::gaveUp(), 1);
	/* there is nothing newer than this one */
	PanelGate::pass(PanelGate::AskOnce);
	w.wait();
	QCOMPARE(PanelGate::gaveUp(), 1);
	/* the one between the two was not even begun */
	QCOMPARE(w.made, QList<quint64>{ last });
	QCOMPARE(w.to, QList<int>{ 5 });
	QCOMPARE(w.idle, 1);
}

/* What takes no longer than a moment is told, so that figures come while the graph moves. */
void WorkerTest::replacedInTimeIsTold()
{
	Watched w(panelRecording(dir_.path(), "tasks"));
	quint64 first, last;

	PanelGate::shut();
	first = w.ask(3);
	QVERIFY(PanelGate::waitForOne());
	last = w.ask(5);
	PanelGate::pass(PanelGate::AskOnce);
	QVERIFY(PanelGate::waitForOne());
	PanelGate::pass(PanelGate::AskOnce);
	w.wait();
	QCOMPARE(PanelGate::gaveUp(), 0);
	QCOMPARE(w.made, (QList<quint64>{ first, last }));
	QCOMPARE(w.to, (QList<int>{ 3, 5 }));
}

/* The first time that it asks it is told to give up. */
void WorkerTest::forgottenIsGivenUp()
{
	Watched w(panelRecording(dir_.path(), "tasks"));

	PanelGate::shut();
	w.ask(3);
	QVERIFY(PanelGate::waitForOne());
	w.worker.forget();
	PanelGate::pass(PanelGate::AskOnce);
	w.wait();
	QCOMPARE(PanelGate::gaveUp(), 1);
	QVERIFY(w.made.isEmpty());
	QCOMPARE(w.idle, 1);
}

/* Forgotten between the last time that it asked and its end. */
void WorkerTest::forgottenWhenMade()
{
	Watched w(panelRecording(dir_.path(), "tasks"));

	PanelGate::shut();
	w.ask(3);
	QVERIFY(PanelGate::waitForOne());
	w.worker.forget();
	PanelGate::pass(PanelGate::Compute);
	w.wait();
	QVERIFY(w.made.isEmpty());
	QCOMPARE(w.idle, 1);
}

/* The answer was already on its way: the worker stands before the next query. */
void WorkerTest::forgottenWhenAnswered()
{
	Watched w(panelRecording(dir_.path(), "tasks"));

	PanelGate::shut();
	w.ask(3);
	QVERIFY(PanelGate::waitForOne());
	w.ask(4);
	PanelGate::pass(PanelGate::Compute);
	/* no event is handled meanwhile */
	QVERIFY(PanelGate::waitForOne());
	w.worker.forget();
	PanelGate::pass(PanelGate::AskOnce);
	w.wait();
	QCOMPARE(PanelGate::gaveUp(), 1);
	QVERIFY(w.made.isEmpty());
	QCOMPARE(w.idle, 1);
}

/* What waits behind another one is never begun. */
void WorkerTest::forgottenWhileItWaits()
{
	Watched w(panelRecording(dir_.path(), "tasks"));

	PanelGate::shut();
	PanelGate::reset();
	w.ask(3);
	QVERIFY(PanelGate::waitForOne());
	w.ask(4);
	w.worker.forget();
	PanelGate::pass(PanelGate::AskOnce);
	w.wait();
	QCOMPARE(PanelGate::computations(), 1);
	QVERIFY(w.made.isEmpty());
	QCOMPARE(w.idle, 1);
	/* with nothing to forget nothing happens, and nobody is told */
	w.worker.forget();
	QVERIFY(!w.worker.busy());
	QCOMPARE(w.idle, 1);
}

/* A query after forget() is answered, though the forgotten one still computes. */
void WorkerTest::askedAgainAfterForgetting()
{
	Watched w(panelRecording(dir_.path(), "tasks"));
	quint64 last;

	PanelGate::shut();
	w.ask(3);
	QVERIFY(PanelGate::waitForOne());
	w.worker.forget();
	last = w.ask(4);
	PanelGate::pass(PanelGate::Compute);
	QVERIFY(PanelGate::waitForOne());
	PanelGate::pass(PanelGate::AskOnce);
	w.wait();
	QCOMPARE(PanelGate::gaveUp(), 0);
	QCOMPARE(w.made, QList<quint64>{ last });
	QCOMPARE(w.to, QList<int>{ 4 });
}

void WorkerTest::endGivesUp()
{
	{
		Watched w(panelRecording(dir_.path(), "tasks"));

		PanelGate::shut();
		w.ask(3);
		QVERIFY(PanelGate::waitForOne());
		PanelGate::pass(PanelGate::AskUntilGivenUp);
		/* now the worker goes, and waits for its thread */
	}
	QVERIFY(!PanelGate::wasNeverTold());
	QCOMPARE(PanelGate::gaveUp(), 1);
}

/* A file that is being written is left as it was. */
void WorkerTest::endGivesUpWriting()
{
	const QString path = dir_.path() + "/given-up.csv";
	const RecordingPtr recording = Watched(panelRecording(dir_.path(), "many")).recording;
	PanelDataQuery q;
	QString why;
	bool go = true;
	int asked = 0;

	q.recording = recording;
	q.to = 4999;
	const auto progress = [](void *data, unsigned int) {
		int *n = static_cast<int *>(data);

		return ++*n < 3;
	};
	go = writeFigures(q, path, PANEL_DATA_CSV, &why, progress, &asked);
	QVERIFY(!go);
	QCOMPARE(asked, 3);
	QVERIFY(!QFile::exists(path));
	QVERIFY(!QFile::exists(path + ".part"));
}

/* The line and the numbers are of the same snapshots, and the newest ones stay. */
void WorkerTest::panelShowsTheNewest()
{
	PanelFixture p(dir_.path());

	p.load("tasks", 100, 110);
	PanelGate::shut();
	p.shark.setWindow(101 * SECOND, 103 * SECOND);
	QVERIFY(PanelGate::waitForOne());
	p.shark.setWindow(104 * SECOND, 108 * SECOND);
	/* the old numbers still stand there, with their line */
	QCOMPARE(p.text("hist_from"), QStringLiteral("snapshots 0 (100.000000) to 10 (110.000000): 10 intervals"));
	QCOMPARE(p.bars()->figures()->query.to, 10u);
	PanelGate::pass(PanelGate::Compute);
	QVERIFY(PanelGate::waitForOne());
	QTRY_COMPARE_WITH_TIMEOUT(p.bars()->figures()->query.to, 3u, 60000);
	QCOMPARE(p.text("hist_from"), QStringLiteral("snapshots 1 (101.000000) to 3 (103.000000): 2 intervals"));
	PanelGate::pass(PanelGate::Compute);
	p.wait();
	QCOMPARE(p.bars()->figures()->query.to, 8u);
	QCOMPARE(p.text("hist_from"), QStringLiteral("snapshots 4 (104.000000) to 8 (108.000000): 4 intervals"));
}

/* What was computed of a file that was closed meanwhile is not shown. */
void WorkerTest::panelForgetsClosedFiles()
{
	PanelFixture p(dir_.path());
	const QString tasks = p.load("tasks", 100, 110);

	p.shark.open(panelRecording(dir_.path(), "mallocs"));
	p.wait();
	PanelGate::shut();
	p.shark.setWindow(101 * SECOND, 103 * SECOND);
	QVERIFY(PanelGate::waitForOne());
	p.shark.files_.clear();
	emit p.shark.filesChanged();
	PanelGate::pass(PanelGate::Compute);
	p.wait();
	QVERIFY(!p.bars()->figures());
	QCOMPARE(p.text("hist_from"), QString());
	QCOMPARE(p.bars()->bars(), 0);
}

/*
 * What one step of scrolling costs, with 5,000 snapshots: one computation at most,
 * however often the program tells of the same window, and of the file what lies in the
 * window and before it down to a full snapshot: those come again when the differences
 * have grown to four times their size (series.h), which in this recording is at least
 * each 400th.
 */
void WorkerTest::scrollingIsCheap()
{
	enum { STEPS = 40, IN_WINDOW = 50, SEEK = 400 };
	PanelFixture p(dir_.path());
	int i;

	p.load("many", 99, 152);
	p.panel->setView(HistPanel::HeatMap);
	p.wait();
	for (i = 0; i < STEPS; i++) {
		PanelGate::reset();
		p.window(110 + i * 0.5, 110.5 + i * 0.5);
		QCOMPARE(p.heatmap()->figures()->query.to - p.heatmap()->figures()->query.from, uint32_t(IN_WINDOW));
		QCOMPARE(PanelGate::computations(), 1);
		QVERIFY2(PanelGate::rebuilt() <= IN_WINDOW + SEEK + 2, qPrintable(QString::number(PanelGate::rebuilt())));
		/* told again, nothing is computed */
		for (int again = 0; again < 5; again++)
			emit p.shark.windowChanged(p.shark.from, p.shark.to);
		p.wait();
		QCOMPARE(PanelGate::computations(), 1);
	}
	/* a window a little beside it shows the same snapshots */
	PanelGate::reset();
	p.window(129.501, 130.001);
	QCOMPARE(PanelGate::computations(), 0);
	/* faster than it can be computed: the one that is, and the last */
	PanelGate::shut();
	p.shark.setWindow(110 * SECOND, 111 * SECOND);
	QVERIFY(PanelGate::waitForOne());
	PanelGate::reset();
	for (i = 1; i <= 200; i++)
		p.shark.setWindow((110 * SECOND) + i * SECOND / 10, (111 * SECOND) + i * SECOND / 10);
	PanelGate::pass(PanelGate::Compute);
	QVERIFY(PanelGate::waitForOne());
	PanelGate::pass(PanelGate::Compute);
	p.wait();
	QCOMPARE(PanelGate::computations(), 1);
	QCOMPARE(p.heatmap()->figures()->query.to, uint32_t(3100));
}

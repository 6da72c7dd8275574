// SPDX-License-Identifier: GPL-2.0
/*
 * panel_test.cpp - tests of the panel for KernelShark, with a program that is made up
 *
 *	panel-test [CLASS [OPTIONS OF QTEST]]	CLASS: numbers, looks, hands, cursor, work, worker, memory,
 *					expression, episodes, export, compare, count, size,
 *					latencies, calls
 *	panel-test monkey			anything, in any order, for KSHIST_SECONDS
 *	panel-test bench			rows of `make bench`
 *
 * Without a screen (QT_QPA_PLATFORM=offscreen), in TAP.
 */
#include <QApplication>
#include <QFontDatabase>
#include <QLabel>
#include <QLineEdit>
#include <QProcess>
#include <QStyleFactory>
#include <QToolButton>

#include "utest/kernelshark/fixture/panel_bench.hpp"
#include "utest/kernelshark/panel/panel_calls_test.hpp"
#include "utest/kernelshark/panel/panel_compare_test.hpp"
#include "utest/kernelshark/panel/panel_count_test.hpp"
#include "utest/kernelshark/panel/panel_labels_test.hpp"
#include "utest/kernelshark/panel/panel_latencies_test.hpp"
#include "utest/kernelshark/panel/panel_size_test.hpp"
#include "utest/kernelshark/views/panel_cursor_test.hpp"
#include "utest/kernelshark/views/panel_episodes_test.hpp"
#include "utest/kernelshark/views/panel_export_test.hpp"
#include "utest/kernelshark/views/panel_expression_test.hpp"
#include "utest/kernelshark/views/panel_hands_test.hpp"
#include "utest/kernelshark/views/panel_looks_test.hpp"
#include "utest/kernelshark/views/panel_memory_test.hpp"
#include "utest/kernelshark/views/panel_monkey_test.hpp"
#include "utest/kernelshark/views/panel_numbers_test.hpp"
#include "utest/kernelshark/views/panel_test.hpp"
#include "utest/kernelshark/views/panel_work_test.hpp"
#include "utest/kernelshark/views/panel_worker_test.hpp"

#ifdef __SANITIZE_ADDRESS__
#include <sanitizer/lsan_interface.h>
#define NO_LEAKS(begin) ((begin) ? __lsan_disable() : __lsan_enable())
#else
#define NO_LEAKS(begin) ((void)(begin))
#endif

PanelFixture::PanelFixture(const QString &dir, QSettings *settings)
	: dir(dir), top(new QMainWindow)
{
	panel = new HistPanel(&shark, &files, top.get(), settings);
	top->addDockWidget(Qt::BottomDockWidgetArea, panel);
	top->resize(1200, 330);
	top->show();
	(void)QTest::qWaitForWindowExposed(top.get());
}

void PanelFixture::activate()
{
	top->activateWindow();
	QVERIFY(QTest::qWaitForWindowActive(top.get()));
}

PanelFixture::~PanelFixture()
{
	top.reset();
}

void PanelFixture::wait()
{
	QTRY_VERIFY_WITH_TIMEOUT(panel->idle(), 60000);
	QCoreApplication::processEvents();
}

void PanelFixture::window(double from, double to)
{
	shark.setWindow(qint64(from * 1e9), qint64(to * 1e9));
	wait();
}

QString PanelFixture::load(const QString &kind, double from, double to)
{
	const QString path = kind.startsWith(QLatin1Char('/')) ? kind : panelRecording(dir, kind);

	shark.open(path);
	wait();
	window(from, to);
	return path;
}

QString PanelFixture::text(const char *label)
{
	return find<QLabel>(label)->text();
}

QString PanelFixture::exported(const QString &path, const QString &format)
{
	panel->exportAs(format, path);
	wait();
	return text("hist_filter_words");
}

void PanelFixture::count(const QString &text, bool until_idle)
{
	QLineEdit *edit = find<QLineEdit>("hist_expression");

	edit->setText(text);
	fade();
	QTest::keyClick(edit, Qt::Key_Return);
	if (until_idle)
		wait();
}

void PanelFixture::fade()
{
	for (QLineEdit *edit : panel->findChildren<QLineEdit *>())
		for (QToolButton *button : edit->findChildren<QToolButton *>())
			if (edit->isVisible())
				QTRY_COMPARE_WITH_TIMEOUT(button->property("opacity").toDouble(),
							  edit->text().isEmpty() ? 0.0 : 1.0, 60000);
	QCoreApplication::sendPostedEvents(nullptr, QEvent::DeferredDelete);
}

void PanelFixture::hover(QAbstractScrollArea *view, const QPoint &at)
{
	QMouseEvent move(QEvent::MouseMove, QPointF(at), QPointF(view->viewport()->mapToGlobal(at)), Qt::NoButton,
			 Qt::NoButton, Qt::NoModifier);

	QCoreApplication::sendEvent(view->viewport(), &move);
}

void PanelFixture::drag(QAbstractScrollArea *view, const QPoint &from, const QPoint &to, bool drop)
{
	QWidget *at = view->viewport();

	QTest::mousePress(at, Qt::LeftButton, Qt::NoModifier, from);
	for (int i = 1; i <= 4; i++) {
		const QPoint p = from + (to - from) * i / 4;
		QMouseEvent move(QEvent::MouseMove, QPointF(p), QPointF(at->mapToGlobal(p)), Qt::NoButton,
				 Qt::LeftButton, Qt::NoModifier);

		QCoreApplication::sendEvent(at, &move);
	}
	if (drop)
		QTest::mouseRelease(at, Qt::LeftButton, Qt::NoModifier, to);
}

QByteArray reportOf(const QStringList &arguments)
{
	QProcess program;

	QByteArray out;

	program.start(QStringLiteral(UTEST_BIN "/trace-cmd-hist"), QStringList() << QStringLiteral("report") << arguments);
	if (program.waitForFinished(60000) && program.exitStatus() == QProcess::NormalExit)
		out = program.readAllStandardOutput();
	/* of a damaged file it says so, ends with 2, and prints what there is */
	if (out.isEmpty())
		QTest::qFail(program.readAllStandardError().constData(), __FILE__, __LINE__);
	return out;
}

int rowOfNumber(const hist_heatmap *map, uint64_t number)
{
	uint32_t i;

	for (i = 0; i < map->nrows; i++)
		if (!map->rows[i].empty && map->rows[i].ge <= number && number <= map->rows[i].le)
			return int(i);
	return -1;
}

int main(int argc, char **argv)
{
	if (!qEnvironmentVariableIsSet("QT_QPA_PLATFORM"))
		qputenv("QT_QPA_PLATFORM", "offscreen");
	/* the screen of the platform "offscreen" is never freed, which is not ours */
	NO_LEAKS(true);
	QApplication app(argc, argv);
	NO_LEAKS(false);
	const QString only = argc > 1 && argv[1][0] != '-' ? QString::fromLocal8Bit(argv[1]) : QString();
	QStringList arguments{ QString::fromLocal8Bit(argv[0]), QStringLiteral("-o"), QStringLiteral("-,tap") };
	QFont font(QStringLiteral("DejaVu Sans"));
	int failed = 0;

	if (!QFontDatabase().families().contains(QStringLiteral("DejaVu Sans"))) {
		fprintf(stderr, "panel-test: no DejaVu Sans: scripts/deps.sh test\n");
		return 2;
	}
	/* the same on every machine */
	font.setPixelSize(12);
	app.setFont(font);
	app.setStyle(QStyleFactory::create(QStringLiteral("Fusion")));
	QApplication::setStartDragDistance(5);
	if (only == QLatin1String("bench"))
		return panelBench() ? 1 : 0;
	for (int i = 2; i < argc; i++)
		arguments << QString::fromLocal8Bit(argv[i]);
	const auto run = [&](QObject &&test, const char *name) {
		if (only.isEmpty() || only == QLatin1String(name))
			failed += QTest::qExec(&test, arguments);
	};
	run(NumbersTest(), "numbers");
	run(LooksTest(), "looks");
	run(HandsTest(), "hands");
	run(CursorTest(), "cursor");
	run(WorkTest(), "work");
	run(WorkerTest(), "worker");
	run(MemoryTest(), "memory");
	run(ExpressionTest(), "expression");
	run(EpisodesTest(), "episodes");
	run(ExportTest(), "export");
	run(CompareTest(), "compare");
	run(CountTest(), "count");
	run(SizeTest(), "size");
	run(LatenciesTest(), "latencies");
	run(CallsTest(), "calls");
	run(LabelsTest(), "labels");
	/* by itself */
	if (only == QLatin1String("monkey"))
		run(MonkeyTest(), "monkey");
	return failed ? 1 : 0;
}

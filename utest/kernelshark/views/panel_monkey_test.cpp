// SPDX-License-Identifier: GPL-2.0
/*
 * panel_monkey_test.cpp - hands that do anything to the panel, and a program that does too
 *
 * The seed is printed; KSHIST_SEED runs it again, KSHIST_SECONDS says how long and
 * KSHIST_STEPS how many steps at most, KSHIST_TELL=1 prints each step before it is done.
 * A crash and what the sanitizers find end the test; so do a chosen item that is none of
 * the figures, a step that hangs, and a panel that does not come to rest.
 */
#include <QElapsedTimer>
#include <QFile>

#include "utest/kernelshark/fixture/panel_monkey.hpp"
#include "utest/kernelshark/views/panel_monkey_test.hpp"
#include "utest/kernelshark/views/panel_test.hpp"

#ifdef __SANITIZE_ADDRESS__
#include <sanitizer/common_interface_defs.h>
#define AT_DEATH(function) __sanitizer_set_death_callback(function)

/* Qt forgets an animation that runs when its window goes. */
extern "C" const char *__lsan_default_suppressions()
{
	return "leak:QPropertyAnimation\n";
}
#else
#define AT_DEATH(function) ((void)(function))
#endif

enum {
	SECONDS = 30,
	LAST_STEPS = 25, /* steps that are told of when it dies */
	HANG_MS = 60000, /* of a step; sanitized, on a machine that has other things to do */
};

static const char *const KINDS[] = { "latency", "mallocs", "tasks", "cycles", "single", "empty", "wide", "many",
				     UTEST_DATA "/shark.dat", UTEST_DATA "/events.dat", UTEST_DATA "/marks.dat" };
static const char *const FORMATS[] = { "png", "svg", "csv" };

/* What was done last, the newest at the end.  Never freed: the sanitizer's last words come at the very end. */
static QStringList &last = *new QStringList;

static void tellLast()
{
	for (const QString &what : last)
		fprintf(stderr, "#   %s\n", qPrintable(what));
}

/* The program around the panel does something. */
static void program(PanelFixture *p, Monkey *monkey, const Monkey::Step &step)
{
	const QString kind = QLatin1String(KINDS[step.part(0, 10)]);
	const qint64 from = 95 * SECOND + qint64(step.n[1]) * 400, length = qint64(step.n[2] >> step.part(3, 26)) * 600;
	const QString path = kind.startsWith('/') ? kind : panelRecording(p->dir, kind);
	const int files = int(p->shark.files_.size());

	switch (step.what % 16) {
	case 0:
	case 1:
		for (const Shark::File &file : p->shark.files_)
			if (file.path == path)
				return monkey->tell(QStringLiteral("open already: ") + kind);
		monkey->tell(QStringLiteral("open ") + kind);
		p->shark.open(path, step.part(4, 3) ? 0 : 3 * SECOND);
		return;
	case 2:
		if (!files)
			return monkey->tell(QStringLiteral("nothing to close"));
		monkey->tell(QStringLiteral("close"));
		p->shark.close(QString(p->shark.files_[step.part(1, files - 1)].path));
		return;
	case 3:
		monkey->tell(QStringLiteral("offset"));
		if (files)
			p->shark.setOffset(p->shark.files_[step.part(1, files - 1)].path, qint64(step.n[2]) - 50000000);
		return;
	case 4:
		monkey->tell(QStringLiteral("markers"));
		p->shark.setMarkers(from, from + length);
		return;
	case 5:
		monkey->tell(QStringLiteral("span"));
		p->shark.setSpan(step.part(0, 400) - 100, step.part(1, 1500) - 50);
		return;
	case 6:
		monkey->tell(QStringLiteral("size"));
		p->top->resize(120 + step.part(0, 1500), 100 + step.part(1, 700));
		return;
	case 7:
		monkey->tell(QStringLiteral("visible, floating"));
		if (step.part(0, 1))
			p->panel->setFloating(!p->panel->isFloating());
		else
			p->panel->setVisible(!p->panel->isVisible());
		return;
	case 8:
		monkey->tell(QStringLiteral("export"));
		p->panel->exportAs(QLatin1String(FORMATS[step.part(0, 2)]), p->dir + QStringLiteral("/out.") + QLatin1String(FORMATS[step.part(0, 2)]));
		return;
	case 9:
		monkey->tell(QStringLiteral("busy"));
		p->shark.busy_ = step.part(0, 2) == 0;
		return;
	case 10:
		monkey->tell(QStringLiteral("what a filter finds"));
		p->shark.matches = step.part(0, 2) - 1;
		return;
	case 11:
		monkey->tell(QStringLiteral("no window"));
		p->shark.has_window = false;
		emit p->shark.windowChanged(0, -1);
		return;
	default:
		monkey->tell(QStringLiteral("window %1 to %2").arg(from).arg(from + length));
		p->shark.setWindow(from, from + length);
	}
}

/* What is kept by number is of the figures that are shown. */
static void holds(PanelFixture *p)
{
	const ChartView *map = p->heatmap(), *bars = p->bars();
	const hist_heatmap *m = p->heatmap()->map();

	QVERIFY(map->current() < (map->hasChart() ? int(m->nrows * m->ncolumns) : 0));
	QVERIFY(bars->current() < (bars->hasChart() ? p->bars()->bars() : 0));
}

static void rest(PanelFixture *p)
{
	p->shark.busy_ = false;
	emit p->shark.filesChanged();
	emit p->shark.windowChanged(p->shark.from, p->shark.to);
	p->wait();
}

void MonkeyTest::anything()
{
	const unsigned int seed = Monkey::seed();
	const bool tells = qEnvironmentVariableIsSet("KSHIST_TELL");
	const qint64 limit = Monkey::seconds(SECONDS) * 1000ll;
	const int most = Monkey::steps(INT_MAX);
	QElapsedTimer all, one;
	int n = 0;

	printf("# KSHIST_SEED=%u\n", seed);
	fflush(stdout);
	AT_DEATH(tellLast);
	Monkey monkey(seed, [&](const QString &what) {
		while (last.size() >= LAST_STEPS)
			last.removeFirst();
		last << QStringLiteral("%1: %2").arg(n).arg(what);
		if (tells) {
			printf("# %d: %s\n", n, qPrintable(what));
			fflush(stdout);
		}
	});
	auto p = std::make_unique<PanelFixture>(dir_.path());
	p->load("latency");
	all.start();
	for (n = 0; n < most && all.elapsed() < limit; n++) {
		const Monkey::Step step = monkey.next();

		one.start();
		if (step.what >= 95 && step.part(4, 9) == 0) {
			monkey.tell("another panel");
			p.reset();
			p = std::make_unique<PanelFixture>(dir_.path());
			p->load("tasks");
		} else if (step.what < 70) {
			monkey.touch(p->panel, step);
		} else {
			program(p.get(), &monkey, step);
		}
		/* now and then what was asked for comes, now and then more is done before */
		if (step.n[0] % 3 == 0)
			rest(p.get());
		else
			QCoreApplication::processEvents();
		if (step.n[1] % 4 == 0)
			p->top->grab();
		holds(p.get());
		QVERIFY2(one.elapsed() < HANG_MS, "a step takes too long");
		if (QTest::currentTestFailed()) {
			tellLast();
			return;
		}
	}
	printf("# %d steps in %lld s\n", n, all.elapsed() / 1000);
	rest(p.get());
}

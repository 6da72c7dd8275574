// SPDX-License-Identifier: GPL-2.0
/*
 * panel_gate.cpp - the worker's computing, held and counted by tests
 */
#include <atomic>
#include <cerrno>

#include <QCoreApplication>
#include <QElapsedTimer>
#include <QSemaphore>
#include <QThread>

#include "kernelshark-plugin/model/panel_data.h"
#include "panel_gate.hpp"

#define NEVER_MS 60000 /* only what is wrong takes so long */

static QSemaphore arrived, passes;
static std::atomic<PanelGate::Pass> how;
static std::atomic<bool> is_shut, never_told;
static std::atomic<int> gave_up, begun, taken, in_gui;

extern "C" {
int __real_figures_make(struct figures **f, const struct figures_query *query,
			figures_progress *progress, void *data);
int __wrap_figures_make(struct figures **f, const struct figures_query *query,
			figures_progress *progress, void *data);
int __real_hist_cursor_next(struct hist_cursor *c, const struct hist_snapshot **snap);
int __wrap_hist_cursor_next(struct hist_cursor *c, const struct hist_snapshot **snap);
}

static void countGui()
{
	if (QThread::currentThread() == QCoreApplication::instance()->thread())
		in_gui++;
}

int __wrap_figures_make(struct figures **f, const struct figures_query *query,
			figures_progress *progress, void *data)
{
	QElapsedTimer timer;

	begun++;
	countGui();
	if (!is_shut)
		return __real_figures_make(f, query, progress, data);
	arrived.release();
	if (!passes.tryAcquire(1, NEVER_MS))
		return -ECANCELED;
	switch (how) {
	case PanelGate::Compute:
		break;
	case PanelGate::AskOnce:
		if (progress(data, 500))
			break;
		gave_up++;
		return -ECANCELED;
	case PanelGate::AskUntilGivenUp:
		timer.start();
		while (progress(data, 500)) {
			if (timer.elapsed() > NEVER_MS) {
				never_told = true;
				break;
			}
			QThread::yieldCurrentThread();
		}
		gave_up++;
		return -ECANCELED;
	}
	return __real_figures_make(f, query, nullptr, nullptr);
}

int __wrap_hist_cursor_next(struct hist_cursor *c, const struct hist_snapshot **snap)
{
	taken++;
	countGui();
	return __real_hist_cursor_next(c, snap);
}

void PanelGate::shut()
{
	/* of a test that failed */
	arrived.tryAcquire(arrived.available());
	passes.tryAcquire(passes.available());
	gave_up = 0;
	never_told = false;
	is_shut = true;
}

void PanelGate::open()
{
	is_shut = false;
}

bool PanelGate::waitForOne()
{
	return arrived.tryAcquire(1, NEVER_MS);
}

void PanelGate::pass(Pass as)
{
	how = as;
	passes.release();
}

int PanelGate::gaveUp()
{
	return gave_up;
}

bool PanelGate::wasNeverTold()
{
	return never_told;
}

void PanelGate::reset()
{
	begun = taken = in_gui = 0;
}

int PanelGate::computations()
{
	return begun;
}

int PanelGate::rebuilt()
{
	return taken;
}

int PanelGate::inGui()
{
	return in_gui;
}

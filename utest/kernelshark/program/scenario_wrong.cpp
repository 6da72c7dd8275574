// SPDX-License-Identifier: GPL-2.0
/*
 * scenario_wrong.cpp - what a program does that is wrong, for selftest.sh
 *
 * None of these may pass.
 */
#include <csignal>

#include <QThread>

#include "utest/kernelshark/program/driver.hpp"

SCENARIO(wrong_value)
{
	d.is("two is three", 2, 3);
	d.ok("the scenario continues after a wrong value", true);
}

SCENARIO(wrong_crash)
{
	d.ok("a check before the crash holds", true);
	raise(SIGSEGV);
}

SCENARIO(wrong_hang)
{
	d.ok("a check before the hang holds", true);
	for (;;)
		QThread::msleep(1000);
}

SCENARIO(wrong_exit)
{
	d.ok("a check before the early exit holds", true);
	_exit(0);
}

SCENARIO(wrong_complaint)
{
	d.ok("a check before the complaint of Qt holds", true);
	QObject::connect(nullptr, SIGNAL(nothing()), d.window(), SLOT(close()));
}

SCENARIO(wrong_dialog)
{
	/* a file that is not there: KernelShark says so in a dialog */
	d.ok("a file can be opened before the unexpected dialog", d.open(d.data("events.dat")));
	d.trigger("File/Sessions/Import Session");
}

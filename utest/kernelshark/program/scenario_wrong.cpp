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
	d.ok("and goes on", true);
}

SCENARIO(wrong_crash)
{
	d.ok("before it crashes", true);
	raise(SIGSEGV);
}

SCENARIO(wrong_hang)
{
	d.ok("before it hangs", true);
	for (;;)
		QThread::msleep(1000);
}

SCENARIO(wrong_exit)
{
	d.ok("before it leaves", true);
	_exit(0);
}

SCENARIO(wrong_complaint)
{
	d.ok("before Qt complains", true);
	QObject::connect(nullptr, SIGNAL(nothing()), d.window(), SLOT(close()));
}

SCENARIO(wrong_dialog)
{
	/* a file that is not there: KernelShark says so in a dialog */
	d.ok("the dialog is told of", d.open(d.data("events.dat")));
	d.trigger("File/Sessions/Import Session");
}

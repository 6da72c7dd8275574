// SPDX-License-Identifier: GPL-2.0
/*
 * scenario_views.cpp - sessions and files that are opened again are as they were left
 *
 * data/top.dat: two histograms, and their events in the top buffer (top_dat.sh), which a
 * session brings back.
 */
#include <QComboBox>
#include <QSpinBox>
#include <QTabBar>
#include <QToolButton>

#include "utest/kernelshark/program/driver_panel.hpp"

enum { EVENTS = 465 };

SCENARIO(views_leave)
{
	QComboBox *source = d.find<QComboBox>("hist_source");

	d.is("all events are there", d.rows(), int(EVENTS));
	d.ok("the second histogram", chooseLike(d, "hist_choose", "sched_stat_runtime"));
	d.find<QTabBar>("hist_view")->setCurrentIndex(0);
	d.is("bars begin linear", d.find<QToolButton>("hist_log")->isChecked(), false);
	d.click(d.widget("hist_log"));
	d.ok("one snapshot", d.choose(source, "One snapshot"));
	d.find<QSpinBox>("hist_snapshot")->setValue(4);
	panelSettled(d);
	d.like("it is shown", labelText(d, "hist_from"), "^snapshot 4 ");
	d.ok("a session is written", d.exportSession(d.work("views.json")));
}

SCENARIO(views_again)
{
	d.waitUntil([&] { return d.shows("hist_panel"); });
	d.is("all events are there", d.rows(), int(EVENTS));
	d.ok("both histograms", d.waitUntil([&] {
		return d.find<QComboBox>("hist_choose")->count() == 2 && panelSettled(d);
	}));
	d.like("the histogram", d.find<QComboBox>("hist_choose")->currentText(), "^sched:sched_stat_runtime ");
	d.is("the view", d.find<QTabBar>("hist_view")->currentIndex(), 0);
	d.is("its scale", d.find<QToolButton>("hist_log")->isChecked(), true);
	d.is("what is shown", d.find<QComboBox>("hist_source")->currentText(), QString("One snapshot"));
	d.like("the snapshot", labelText(d, "hist_from"), "^snapshot 4 ");
}

/* Somebody else. */
SCENARIO(views_new)
{
	d.ok("both histograms", d.waitUntil([&] {
		return d.find<QComboBox>("hist_choose")->count() == 2 && panelSettled(d);
	}));
	d.like("the first histogram", d.find<QComboBox>("hist_choose")->currentText(), "^sched:sched_switch ");
	d.is("in a linear scale", d.find<QToolButton>("hist_log")->isChecked(), false);
	d.is("of the visible window", d.find<QComboBox>("hist_source")->currentText(), QString("Visible window"));
}

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

	d.is("the list shows all events", d.rows(), int(EVENTS));
	d.ok("the second histogram can be chosen",
	     chooseLike(d, "hist_choose", "sched_stat_runtime"));
	d.find<QTabBar>("hist_view")->setCurrentIndex(0);
	d.is("bars have a linear scale at first",
	     d.find<QToolButton>("hist_log")->isChecked(), false);
	d.click(d.widget("hist_log"));
	d.ok("the panel can show one snapshot", d.choose(source, "One snapshot"));
	d.find<QSpinBox>("hist_snapshot")->setValue(4);
	panelSettled(d);
	d.like("the panel shows snapshot 4", labelText(d, "hist_from"), "^snapshot 4 ");
	d.ok("a session can be written", d.exportSession(d.work("views.json")));
}

SCENARIO(views_again)
{
	d.waitUntil([&] { return d.shows("hist_panel"); });
	d.is("the list shows all events", d.rows(), int(EVENTS));
	d.ok("the panel has both histograms", d.waitUntil([&] {
		return d.find<QComboBox>("hist_choose")->count() == 2 && panelSettled(d);
	}));
	d.like("the panel shows the histogram that was chosen before",
	       d.find<QComboBox>("hist_choose")->currentText(), "^sched:sched_stat_runtime ");
	d.is("the panel shows the view that was chosen before",
	     d.find<QTabBar>("hist_view")->currentIndex(), 0);
	d.is("the bars have the scale that was chosen before",
	     d.find<QToolButton>("hist_log")->isChecked(), true);
	d.is("the panel shows one snapshot, as chosen before",
	     d.find<QComboBox>("hist_source")->currentText(), QString("One snapshot"));
	d.like("the panel shows the snapshot that was chosen before",
	       labelText(d, "hist_from"), "^snapshot 4 ");
}

/* Somebody else. */
SCENARIO(views_new)
{
	d.ok("the panel has both histograms", d.waitUntil([&] {
		return d.find<QComboBox>("hist_choose")->count() == 2 && panelSettled(d);
	}));
	d.like("the panel shows the first histogram",
	       d.find<QComboBox>("hist_choose")->currentText(), "^sched:sched_switch ");
	d.is("the bars have a linear scale", d.find<QToolButton>("hist_log")->isChecked(), false);
	d.is("the panel follows the visible window",
	     d.find<QComboBox>("hist_source")->currentText(), QString("Visible window"));
}

/* SPDX-License-Identifier: GPL-2.0 */
/*
 * panel_query.hpp - which snapshots the panel's choices mean, right now
 *
 * Made of what the user chose and what the graph shows, in no time: nothing is read.
 */
#ifndef KERNELSHARK_PLUGIN_PANEL_PANEL_QUERY_HPP
#define KERNELSHARK_PLUGIN_PANEL_PANEL_QUERY_HPP

#include "kernelshark-plugin/panel/hist_panel.hpp"
#include "kernelshark-plugin/work/data_worker.hpp"
#include "kernelshark-plugin/work/expression_worker.hpp"

/* What the user chose. */
struct PanelChoice {
	QString path; /* of the file */
	RecordingPtr recording;
	unsigned int hist = 0;
	qint64 offset = 0; /* of the stream */
	HistPanel::Source source = HistPanel::VisibleWindow;
	uint32_t seq = 0;  /* of one snapshot */
	QString search;
	QString group;	   /* null: all */
	int value = -1;	   /* to draw and to order by; -1: the usual one */
};

struct PanelQuery {
	bool valid = false;
	QString path;	    /* of the file that it is about */
	FiguresQuery query; /* where it is valid */
	QString from;	    /* the line that says which snapshots */
	QString why;	    /* where it is not: what to do */
	QString note;	    /* about the times, or "" */
	/* What the heat map spans, on the graph's axis; equal: its own. */
	qint64 begin = 0, end = 0;
	bool aligned = false; /* that is what the graph shows */
	/*
	 * The numbers are of events of the file with after < time <= until, on the graph's axis;
	 * all of them where they are known from what was recorded alone.
	 */
	bool counted = false;
	qint64 after = INT64_MIN, until = INT64_MAX;
};

PanelQuery panelQuery(Shark *shark, const PanelChoice &choice);

/*
 * The time that is to be shown: what the graph shows, or what lies between the markers.
 * False with a sentence in @why: there is none.
 */
bool panelTime(Shark *shark, HistPanel::Source source, qint64 *begin, qint64 *end, QString *why);

/*
 * Events that were counted (expression_row.hpp), in the place of panelQuery(): all of
 * choice.recording, which they are, whatever the graph shows meanwhile.
 */
PanelQuery countedQuery(const PanelChoice &choice, const Counted &counted, qint64 begin, qint64 end);

/* The index of snapshot @seq, or of the one nearest to it. */
uint32_t snapshotIndex(const recording *r, unsigned int hist, uint32_t seq);

#endif

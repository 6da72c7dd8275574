/* SPDX-License-Identifier: GPL-2.0 */
/*
 * panel_query.hpp - convert the panel's current choices to a query for snapshots
 *
 * Uses the choices of the user and the state of the graph. Fast: does not read files.
 */
#ifndef KERNELSHARK_PLUGIN_PANEL_PANEL_QUERY_HPP
#define KERNELSHARK_PLUGIN_PANEL_PANEL_QUERY_HPP

#include <algorithm>

#include "kernelshark-plugin/panel/hist_panel.hpp"
#include "kernelshark-plugin/work/data_worker.hpp"
#include "kernelshark-plugin/work/expression_worker.hpp"

/* The choices of the user. */
struct PanelChoice {
	QString path; /* of the file */
	RecordingPtr recording;
	unsigned int hist = 0;
	qint64 offset = 0; /* of the stream, in ns */
	HistPanel::Source source = HistPanel::VisibleWindow;
	uint32_t seq = 0;  /* sequence number, for a single snapshot */
	QString search;
	QString group;	   /* null: all */
	int value = -1;	   /* to draw and to order by; -1: the default */
};

struct PanelQuery {
	bool valid = false;
	QString path;	    /* the file of the query */
	PanelDataQuery query; /* set if valid */
	QString from;	    /* the line that describes the snapshots */
	QString why;	    /* if not valid: what the user can do */
	QString note;	    /* about the times, or "" */
	/* Time range of the heat map, on the graph's time axis; equal: that of the figures. */
	qint64 begin = 0, end = 0;
	bool aligned = false; /* the range is that of the graph */
	/*
	 * If @counted, the numbers are for the events of the file with after < time <=
	 * until, on the graph's time axis. The defaults include all events.
	 */
	bool counted = false;
	qint64 after = INT64_MIN, until = INT64_MAX;
};

PanelQuery panelQuery(Shark *shark, const PanelChoice &choice);

/*
 * Get the time range to show: that of the graph, or between the markers. False with a
 * sentence in @why if there is none.
 */
bool panelTime(Shark *shark, HistPanel::Source source, qint64 *begin, qint64 *end, QString *why);

/*
 * Replaces panelQuery() for counted events (expression_row.hpp): all of
 * choice.recording, regardless of what the graph shows meanwhile.
 */
PanelQuery countedQuery(const PanelChoice &choice, const Counted &counted, qint64 begin, qint64 end);

/* Convert a time of the graph to the file's clock; times before its beginning become its beginning. */
inline uint64_t fileTime(qint64 time, qint64 offset)
{
	return uint64_t(std::max<qint64>(time - offset, 0));
}

/* The index of the snapshot with sequence number @seq, or of the nearest one. */
uint32_t snapshotIndex(const recorded_hist &hist, uint32_t seq);

#endif

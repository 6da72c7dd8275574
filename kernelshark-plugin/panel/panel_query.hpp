/* SPDX-License-Identifier: GPL-2.0 */
/* panel_query.hpp - a query for snapshots, and the text that describes it */
#ifndef KERNELSHARK_PLUGIN_PANEL_PANEL_QUERY_HPP
#define KERNELSHARK_PLUGIN_PANEL_PANEL_QUERY_HPP

#include <algorithm>

#include "kernelshark-plugin/work/data_worker.hpp"

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

/* Entries of figures: a bar, a cell or a row, whose events are wanted. */
struct PanelRow {
	bool whole = false; /* one entry, with all its keys */
	int axis = -1;
	hist_bounds bounds = { false, 0, UINT64_MAX }; /* of the axis, inclusive */
	uint32_t entry = HIST_NO_ENTRY; /* has the other keys; HIST_NO_ENTRY: any */
	uint64_t hits = UINT64_MAX; /* that were counted; UINT64_MAX: not known */
	QString label;
};

/* Convert a time of the graph to the file's clock; times before its beginning become its beginning. */
inline uint64_t fileTime(qint64 time, qint64 offset)
{
	return uint64_t(std::max<qint64>(time - offset, 0));
}

/* The index of the snapshot with sequence number @seq, or of the nearest one. */
uint32_t snapshotIndex(const recorded_hist &hist, uint32_t seq);

#endif

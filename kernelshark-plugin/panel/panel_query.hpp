/* SPDX-License-Identifier: GPL-2.0 */
/* panel_query.hpp - a query for snapshots, and the text that describes it */
#ifndef KERNELSHARK_PLUGIN_PANEL_PANEL_QUERY_HPP
#define KERNELSHARK_PLUGIN_PANEL_PANEL_QUERY_HPP

#include <algorithm>

#include "kernelshark-plugin/work/data_worker.hpp"
#include "kernelshark-plugin/work/expression_worker.hpp"

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
	 * What the panel counted itself; null: the histogram is of the file. Its numbers are for
	 * the events of the file with after < time <= until, on the graph's time axis. The defaults
	 * include all events.
	 */
	CountedPtr counted;
	qint64 after = INT64_MIN, until = INT64_MAX;
};

/*
 * Convert a time of the graph to the file's clock; times before its beginning become its beginning.
 */
inline uint64_t fileTime(qint64 time, qint64 offset)
{
	return uint64_t(std::max<qint64>(time - offset, 0));
}

#endif

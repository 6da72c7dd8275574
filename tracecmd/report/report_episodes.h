/* SPDX-License-Identifier: GPL-2.0 */
/*
 * report_episodes.h - find the worst episodes of the files of a report, and their stories (--worst)
 *
 * Episodes that `record --threshold` captured are in the file.  If a file has none but was recorded
 * with --events, the largest latency of each row of its latency histograms is an episode: the
 * histogram has its value, its time and its CPU.
 */
#ifndef TRACECMD_REPORT_REPORT_EPISODES_H
#define TRACECMD_REPORT_REPORT_EPISODES_H

#include "lib/base/names.h"
#include "lib/report/episodes.h"
#include "tracecmd/report/report_select.h"

struct report_source; /* the events of a file */
struct report_wall;   /* the wall-clock time of a histogram */

struct report_episodes {
	struct hist_report_episodes list; /* its strings and events belong to the rest */
	struct report_source *sources; /* by number of the file */
	unsigned int nsources;
	const struct report_options *options;
	struct tracedat_pool *pool; /* of the files of the report */
	struct report_wall *walls; /* by number of the histogram in the picks */
	struct names names;
	bool raw_names; /* --raw-names: stacks have addresses */
};

/*
 * report_episodes_find - find the episodes of the selected histograms
 * Without a number for --worst, all captured ones, at most 100.  Returns 0, or -errno after a
 * message: -ENOENT if there is no episode.
 */
int report_episodes_find(struct report_episodes *episodes, const struct report_picks *picks,
			 const struct report_inputs *inputs, const struct report_options *options);
void report_episodes_clear(struct report_episodes *episodes);

#endif

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

struct report_episodes {
	struct hist_report_episodes list; /* its strings and events belong to the rest */
	struct report_source *sources; /* by number of the file */
	unsigned int nsources;
	struct names names;
	bool raw_names; /* --raw-names: stacks have addresses */
};

/*
 * report_episodes_find - find the episodes of the selected histograms
 * @most: 0: all captured ones, at most 100.  Returns 0, or -errno after a message: -ENOENT if there
 * is no episode.
 */
int report_episodes_find(struct report_episodes *episodes, const struct report_picks *picks,
			 const struct report_inputs *inputs, uint32_t most);
void report_episodes_clear(struct report_episodes *episodes);

#endif

/* SPDX-License-Identifier: GPL-2.0 */
/*
 * latency_pairs.h - the START and END events of the latencies that a row counted
 *
 * An expression (expression.h) counts the latencies again from the recorded events, by
 * the time of their END. A trigger in a file has only the fields of END, so the keys of
 * START and END are those that the presets use for these two events.
 */
#ifndef KERNELSHARK_PLUGIN_MODEL_LATENCY_PAIRS_H
#define KERNELSHARK_PLUGIN_MODEL_LATENCY_PAIRS_H

#include "kernelshark-plugin/model/key_filter.h"
#include "lib/ringbuf/events.h"

/* Times are those of the file's trace clock, in ns. */
struct latency_pair {
	uint64_t start, end;
};

/* True if the histogram is one of --latency. */
bool latency_pairs_are(const struct recording *r, unsigned int hist);

/*
 * latency_pairs_put_expression - append the expression for the pairs of a histogram
 * @entry: only pairs with the keys of this entry, except the key @axis; HIST_NO_ENTRY:
 * all. 0; -EOPNOTSUPP with a sentence in @why; -ENOMEM.
 */
int latency_pairs_put_expression(struct hist_strbuf *text, const struct recording *r,
				 unsigned int hist, const struct hist_events *events,
				 const struct hist_table *table, int axis, uint32_t entry,
				 char *why, size_t why_len);

/*
 * latency_pairs_read - read the pairs that the expression found, the longest first
 * @found: its recording. @axis: only pairs in @bounds of this key, whose unit is us or ns;
 * NULL: all. Only pairs with END after @after. free() *@pairs. 0, -ENOMEM, or an error of
 * panel_data_make().
 */
int latency_pairs_read(struct latency_pair **pairs, uint32_t *n, struct recording *found,
		       const struct hist_key_desc *axis, const struct hist_bounds *bounds,
		       uint64_t after);

#endif

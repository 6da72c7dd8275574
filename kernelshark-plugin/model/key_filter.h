/* SPDX-License-Identifier: GPL-2.0 */
/*
 * key_filter.h - the events behind a key, as a filter
 *
 * In the language of libtraceevent's event filters (tep_filter_add_filter_str(), without
 * "SYSTEM/EVENT:"), for the event def.event of recording_info().  It matches exactly the
 * events that the histogram counts under this key: the key's fields, and the trigger's "if".
 * Which of them a file holds, and which were counted while the histogram was paused or
 * before it was set, the filter cannot know.
 *
 * 0; -EOPNOTSUPP where no such filter can be exact, with a sentence for the user in @why:
 * stacks, timestamps, expressions, variables of other events, functions by name...;
 * -EINVAL: the entry or bounds do not exist; -ENOMEM.  On failure @text is as it was.
 */
#ifndef KERNELSHARK_PLUGIN_MODEL_KEY_FILTER_H
#define KERNELSHARK_PLUGIN_MODEL_KEY_FILTER_H

#include "kernelshark-plugin/model/recording.h"

#ifdef __cplusplus
extern "C" {
#endif

#include "lib/base/strbuf.h"
#include "lib/hist/table.h"
#include "lib/label/label.h"

/*
 * key_filter_make - the events of one entry of @table
 * "common_pid == 144 && bytes_req >= 33 && bytes_req <= 64", added to @text.
 */
int key_filter_make(struct hist_strbuf *text, const struct recording *r, unsigned int hist,
		    const struct hist_table *table, uint32_t entry, char *why, size_t why_len);

/*
 * key_filter_axis - the events whose key @axis lies within @bounds, both ends included
 * For a row of figures.by_axis or of a heat map.  @entry: one that has the other keys that
 * are meant (figures_group_entry()); HIST_NO_ENTRY: with any.
 */
int key_filter_axis(struct hist_strbuf *text, const struct recording *r, unsigned int hist,
		    const struct hist_table *table, unsigned int axis,
		    const struct hist_bounds *bounds, uint32_t entry, char *why, size_t why_len);

#ifdef __cplusplus
}
#endif

#endif

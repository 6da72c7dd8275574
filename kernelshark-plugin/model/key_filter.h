/* SPDX-License-Identifier: GPL-2.0 */
/*
 * key_filter.h - build an event filter for the events of a key
 *
 * The filter uses the syntax of libtraceevent's event filters
 * (tep_filter_add_filter_str(), without "SYSTEM/EVENT:"). It applies to the event
 * def.event of recorded_hist.info. It matches exactly the events that the histogram
 * counts under the key: the fields of the key, and the "if" of the trigger. It cannot
 * consider which of these events the file contains, or whether they occurred while the
 * histogram was paused or not yet set.
 *
 * 0; -EOPNOTSUPP if an exact filter is not possible, with a sentence for the user in
 * @error: stacks, timestamps, expressions, variables of other events, functions by
 * name...; -EINVAL: the entry or bounds do not exist; -ENOMEM. On failure @text is
 * unchanged.
 */
#ifndef KERNELSHARK_PLUGIN_MODEL_KEY_FILTER_H
#define KERNELSHARK_PLUGIN_MODEL_KEY_FILTER_H

#include "kernelshark-plugin/model/recording.h"

#include "lib/base/strbuf.h"
#include "lib/hist/table.h"
#include "lib/label/label.h"
#include "lib/base/error.h"

/*
 * key_filter_make_axis - build the filter for events whose key @axis is within @bounds (inclusive)
 * For a row of figures.by_axis or of a heat map. @entry: an entry with the required
 * other keys (panel_find_group_entry()); HIST_NO_ENTRY: any other keys. @axis -1: none.
 * Appends, for example, "common_pid == 144 && bytes_req >= 33 && bytes_req <= 64" to @text.
 */
int key_filter_make_axis(struct hist_strbuf *text, const struct recording *r, unsigned int hist,
			 const struct hist_table *table, int axis, const struct hist_bounds *bounds,
			 uint32_t entry, struct hist_error *error);

#endif

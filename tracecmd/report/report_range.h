/* SPDX-License-Identifier: GPL-2.0 */
/*
 * report_range.h - find the snapshots of a histogram that the options select
 */
#ifndef TRACECMD_REPORT_REPORT_RANGE_H
#define TRACECMD_REPORT_REPORT_RANGE_H

#include "tracecmd/report/report_select.h"

/*
 * report_span - set first, last, their times, and maybe cursor of @h as @o selects
 * Returns 0; -ENOENT after a message if @h does not have such a snapshot; -EINVAL after a
 * message; -errno of reading.
 */
int report_span(struct report_hist *h, const struct report_options *o);

#endif

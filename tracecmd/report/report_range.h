/* SPDX-License-Identifier: GPL-2.0 */
/*
 * report_range.h - which snapshots of a histogram are meant
 */
#ifndef TRACECMD_REPORT_REPORT_RANGE_H
#define TRACECMD_REPORT_REPORT_RANGE_H

#include "tracecmd/report/report_select.h"

/*
 * report_span - fill in @h's first, last, their times, and maybe cursor, from what @o asks for
 * 0; -ENOENT after a message: it has no such snapshot; -EINVAL after a message; -errno
 * of reading.
 */
int report_span(struct report_hist *h, const struct report_options *o);

#endif

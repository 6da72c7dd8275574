/* SPDX-License-Identifier: LGPL-2.1 */
/*
 * worst_line.h - the largest value of a group as a line
 */
#ifndef LIB_REPORT_WORST_LINE_H
#define LIB_REPORT_WORST_LINE_H

#include "lib/analysis/worst.h"
#include "lib/base/strbuf.h"

/*
 * worst_line_put - write "8.2 ms at 12.345678, CPU 1, after dd/123 [120], next_comm: rcu"
 * @flags: of hist_escape() and hist_label_put().
 */
void worst_line_put(struct hist_strbuf *b, const struct hist_series_info *info,
		    const struct hist_worst_list *list, const struct hist_worst *worst,
		    unsigned int flags);

#endif

/* SPDX-License-Identifier: GPL-2.0 */
/*
 * diff.h - what the completion needs to know of `trace-cmd hist diff`
 */
#ifndef TRACECMD_DIFF_DIFF_H
#define TRACECMD_DIFF_DIFF_H

/* Default of --percentiles. */
#define DIFF_QUANTILES "50,90,99"

#endif

/* SPDX-License-Identifier: LGPL-2.1 */
/*
 * view_diff.h - write a comparison in each of the formats of `diff`
 *
 *   text      for a terminal
 *   json      schema "trace-cmd-hist-diff/1"
 *   markdown  GitHub's, for a job summary or a comment
 *   junit     XML: a test suite for each histogram, a test case for each key
 *   ktap      KTAP version 1 (Documentation/dev-tools/ktap.rst of Linux): a subtest for each key
 *
 * All functions return 0, or the -errno of the stream.
 */
#ifndef LIB_DIFF_VIEW_DIFF_H
#define LIB_DIFF_VIEW_DIFF_H

#include <stdio.h>

#include "lib/analysis/snapshot_view.h"
#include "lib/diff/diff.h"

int hist_diff_write_text(FILE *f, const struct hist_comparison *c,
			 const struct hist_view_style *style);
int hist_diff_write_json(FILE *f, const struct hist_comparison *c);
int hist_diff_write_markdown(FILE *f, const struct hist_comparison *c);
int hist_diff_write_junit(FILE *f, const struct hist_comparison *c);
int hist_diff_write_ktap(FILE *f, const struct hist_comparison *c);

#endif

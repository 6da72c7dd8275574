/* SPDX-License-Identifier: LGPL-2.1 */
/*
 * diff_text.h - numbers and metrics as text, for all output formats of `diff`
 *
 * All functions append ASCII to a strbuf, and do not escape for any format.
 */
#ifndef LIB_DIFF_DIFF_TEXT_H
#define LIB_DIFF_DIFF_TEXT_H

#include "lib/base/strbuf.h"
#include "lib/diff/diff.h"

/* "33 us", "1.52 ms", "12.3 k", "0.0125": three digits, and all digits from 1000 to 9999. */
void diff_put_number(struct hist_strbuf *b, double v, enum hist_unit unit);

/* "+12.3 %", "-0.4 %"; "x 42" for a large factor, "from 0" if base was 0. */
void diff_put_change(struct hist_strbuf *b, double change);

/* The same for an interval: "+1.6 % .. +288 %". */
void diff_put_changes(struct hist_strbuf *b, double low, double high);

/* The value of @m on a side: an interval, or a share for EXCEED; "-" if there is none. */
void diff_put_side(struct hist_strbuf *b, const struct hist_metric_result *m, double low,
		   double high);

/* True if there is a confidence interval; the test of percentiles does not give one. */
bool diff_has_ci(const struct hist_change *c);

/* The change that the verdict about a percentile takes from narrow buckets: ", about +9.8 %" */
void diff_put_placed(struct hist_strbuf *b, const struct hist_metric_result *m);

/* The shares that the test of a percentile compares: "above 64 us 8 % -> 31 %". */
void diff_put_boundary(struct hist_strbuf *b, const struct hist_metric_result *m);

/* Write "PREFIXWHY\n", and then "PREFIXhint: HINT\n" if @why has a hint (lib/base/reason.h). */
void diff_put_why(struct hist_strbuf *b, const char *prefix, const char *why);

/*
 * diff_put_metric - one metric in one line, without a newline and the hint
 * "p99: 33 us .. 64 us -> 129 us .. 256 us: +102 % .. +676 % (95 % CI +98 % .. +690 %):
 * regressed: WHY"; a budget: "max: 64 us -> 5.1 ms, budget 1 ms: regressed".
 */
void diff_put_metric(struct hist_strbuf *b, const struct hist_metric_result *m,
		     const struct hist_key_result *key, double confidence);

/*
 * diff_put_metrics - "was OLD" or "added key", if the key is not on both sides, and all metrics
 * Each is a line that begins with @prefix.  Their hints follow.
 */
void diff_put_metrics(struct hist_strbuf *b, const char *prefix, const struct hist_key_result *key,
		      double confidence);

/* "both", "new", "vanished", "renamed" */
const char *diff_presence_name(enum hist_presence presence);

/*
 * diff_put_loss - what was lost on a side: "5 hits dropped, 2 snapshots missed, ..."
 * Returns false and adds nothing if nothing was lost.
 */
bool diff_put_loss(struct hist_strbuf *b, const struct hist_side_result *side);

/* Add diff_put_loss() of both sides, each in a line "PREFIXbase: ..."; nothing without loss. */
void diff_put_losses(struct hist_strbuf *b, const char *prefix, const struct hist_hist_result *h);

/*
 * diff_verdict_is_explained - true if a histogram has the verdict of the comparison
 * Otherwise formats that only have tests add one that has it: DIFF_COMPARISON.
 */
#define DIFF_COMPARISON "comparison"

/* Why a comparison with a limit that is not decided does not pass. */
#define DIFF_UNDECIDED "a budget or a metric could not be judged"

bool diff_verdict_is_explained(const struct hist_comparison *c);

/*
 * diff_put_counts - "PREFIX6 keys: 1 regressed, 3 pass, 1 added", without a newline
 * These are the keys of all, also of those that are not shown.  Returns false and adds nothing if
 * there are no keys.
 */
bool diff_put_counts(struct hist_strbuf *b, const char *prefix, const struct hist_hist_result *h);

/* The number of keys that are not in h->keys, although they have enough hits. */
uint32_t diff_count_unshown(const struct hist_hist_result *h);

/* Add "PREFIX5 more keys are not shownEND"; nothing if all keys are shown. */
void diff_put_hidden(struct hist_strbuf *b, const char *prefix, const struct hist_hist_result *h,
		     const char *end);

/* Write @b to @f, and free both buffers.  Returns 0 or the first error of one of them. */
int diff_put_end(FILE *f, struct hist_strbuf *b, struct hist_strbuf *line);

#endif

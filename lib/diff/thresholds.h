/* SPDX-License-Identifier: LGPL-2.1 */
/*
 * thresholds.h - when a change counts: gates, budgets, and a file of them
 *
 * The file is for a project's repository; its language is told in
 * trace-cmd-hist-thresholds(5).
 */
#ifndef LIB_DIFF_THRESHOLDS_H
#define LIB_DIFF_THRESHOLDS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "lib/base/strbuf.h"
#include "lib/label/unit.h"
#include "lib/stats/significance.h"

/* A number on an axis, as written: "5ms", "4096". */
struct hist_limit {
	double number;
	enum hist_unit unit; /* NONE: in the axis' own */
};

struct hist_exceed_limit {
	struct hist_limit limit;
	double share; /* at most this fraction is above it */
};

#define HIST_EXCEED_MAX 4

/* What is in force for one metric. */
struct hist_gate {
	double threshold; /* as a fraction */
	enum hist_worse worse;
	uint64_t min_hits;
	bool has_max;
	struct hist_limit max;
	unsigned int nexceed;
	struct hist_exceed_limit exceed[HIST_EXCEED_MAX];
};

/* All of the text, blanks around it but for; -EINVAL leaves the result as it was. */
int hist_percent_parse(double *fraction, const char *text); /* "10", "0.5 %"; not below 0 */
int hist_limit_parse(struct hist_limit *limit, const char *text); /* "5ms", "1.5 s", "4096" */
int hist_exceed_parse(struct hist_exceed_limit *limit, const char *text); /* "1ms:0.1%" */
int hist_worse_parse(enum hist_worse *worse, const char *text); /* higher, lower, both, none */

/*
 * hist_limit_on - the limit in numbers of an axis with @unit
 * False where it has a unit and the axis has none.
 */
bool hist_limit_on(const struct hist_limit *limit, enum hist_unit unit, double *number);

/* "5 ms" as it was written. */
void hist_limit_put(struct hist_strbuf *b, const struct hist_limit *limit);

struct hist_thresholds;

/*
 * hist_thresholds_read - parse @f
 * -EINVAL: @why is a sentence, *@line the line; -ENOMEM; -EIO.
 */
int hist_thresholds_read(struct hist_thresholds **thresholds, FILE *f, unsigned int *line,
			 char *why, size_t why_len);
void hist_thresholds_free(struct hist_thresholds *thresholds);

/*
 * hist_thresholds_apply - change @gate as the sections say that fit
 * @hist: "kmem:kmalloc#1"; a pattern without "#N" fits each.  @key: the label.
 * @metric: "p99", or NULL for what is of the whole key (min-hits, max, exceed).
 * Of several that fit, the last in the file decides, setting by setting.
 */
void hist_thresholds_apply(const struct hist_thresholds *thresholds, struct hist_gate *gate,
			   const char *hist, const char *key, const char *metric);

/* Sections, in order: 0, or -ENOENT behind the last.  The text between the brackets. */
int hist_thresholds_section(const struct hist_thresholds *thresholds, unsigned int i,
			    const char **text, unsigned int *line);
/* True when the event part of section @i fits @hist. */
bool hist_thresholds_fits(const struct hist_thresholds *thresholds, unsigned int i,
			  const char *hist);
/* True when all of section @i fits. */
bool hist_thresholds_fits_key(const struct hist_thresholds *thresholds, unsigned int i,
			      const char *hist, const char *key);

#endif

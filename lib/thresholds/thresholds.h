/* SPDX-License-Identifier: LGPL-2.1 */
/*
 * thresholds.h - thresholds and budgets, and the file that sets them
 *
 * The file is meant for the repository of a project. trace-cmd-hist-thresholds(5)
 * documents its syntax.
 */
#ifndef LIB_THRESHOLDS_THRESHOLDS_H
#define LIB_THRESHOLDS_THRESHOLDS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "lib/label/unit.h"
#include "lib/stats/significance.h"
#include "lib/base/error.h"

/* A number on an axis, with its unit as written: "5ms", "4096". */
struct hist_limit {
	double number;
	enum hist_unit unit; /* NONE: the unit of the axis */
	unsigned int id; /* 0: max of the options, 1 to 4: exceed of the options, then the file */
};

struct hist_exceed_limit {
	struct hist_limit limit;
	double share; /* at most this fraction may be above the limit */
};

#define HIST_EXCEED_MAX 4
#define HIST_LIMIT_FILE (1 + HIST_EXCEED_MAX) /* the id of the first limit of a file */

/* The settings that apply to one metric. */
struct hist_gate {
	double threshold; /* as a fraction */
	enum hist_worse worse;
	uint64_t min_hits;
	bool has_max;
	struct hist_limit max;
	unsigned int nexceed;
	struct hist_exceed_limit exceed[HIST_EXCEED_MAX];
};

/*
 * Parse the whole @text, except blanks around it.
 * Each returns 0, or -EINVAL; the result is then unchanged.
 */
int hist_threshold_parse_percent(double *fraction,
				 const char *text); /* "10", "0.5 %"; not below 0 */
int hist_threshold_parse_limit(struct hist_limit *limit,
			       const char *text); /* "5ms", "1.5 s", "4096" */
int hist_threshold_parse_exceed(struct hist_exceed_limit *limit, const char *text); /* "1ms:0.1%" */
/* "higher", "lower", "both", "none" */
const char *hist_threshold_worse_name(enum hist_worse worse);

/*
 * hist_threshold_convert_limit - convert the limit to the numbers of an axis with @unit
 * Returns false if the limit has a unit and the axis does not.
 */
bool hist_threshold_convert_limit(const struct hist_limit *limit, enum hist_unit unit,
				  double *number);

/* Write the limit in its own unit, "5 ms", with a NUL; at most 40 bytes. */
void hist_threshold_limit_text(const struct hist_limit *limit, char *buf, size_t len);

struct hist_thresholds;

/* A setting of one metric, or a budget, of a file. */
struct hist_thresholds_setting {
	const char *name;   /* "worse", "threshold", "max", "exceed" */
	const char *metric; /* pattern, or NULL */
	unsigned int line;
	bool gates; /* asks for a verdict: a direction other than none, or a budget */
	bool is_limit;	   /* a budget */
	unsigned int limit; /* its id */
};

/*
 * hist_thresholds_parse - parse the text of a file, which it changes
 * A NUL follows the last byte of @text, which may contain others.
 * Returns 0, -ENOMEM, or -EINVAL with a sentence in @error and the line in *@line.  A hint may
 * follow the sentence after a newline.
 */
int hist_thresholds_parse(struct hist_thresholds **thresholds, char *text, size_t len,
			  unsigned int *line, struct hist_error *error);

/*
 * hist_thresholds_judge_only - thresholds that judge only @metric, a pattern without "="
 * @worse: the direction of a regression.  The lines of these settings have the number 0.
 * Returns 0, -ENOMEM, or -EINVAL if @metric is empty; *@thresholds is then unchanged.
 */
int hist_thresholds_judge_only(struct hist_thresholds **thresholds, const char *metric,
			       enum hist_worse worse);
void hist_thresholds_free(struct hist_thresholds *thresholds);

/*
 * hist_thresholds_apply - apply the sections that match to @gate
 * @hist: "kmem:kmalloc#1"; a pattern without "#N" matches any number.
 * @key: the label of the key.
 * @metric: "p99", or NULL for settings of the whole key (min-hits, max, exceed).
 * If several sections match, the last one in the file wins, for each setting separately.
 * Inside a section, a setting of single metrics wins over the same setting of all metrics.
 */
void hist_thresholds_apply(const struct hist_thresholds *thresholds, struct hist_gate *gate,
			   const char *hist, const char *key, const char *metric);

/*
 * hist_thresholds_names_metric - true if "worse.METRIC" asks for a verdict about @metric
 * NULL: about any metric, even one that does not exist.  A later section with "worse" overrides it.
 */
bool hist_thresholds_names_metric(const struct hist_thresholds *thresholds, const char *hist,
				  const char *key, const char *metric);

/* True if any section asks for a verdict: by a direction other than none, or by a budget. */
bool hist_thresholds_gates(const struct hist_thresholds *thresholds);

/* The number of limits of the options and of the file; their ids are below it. */
unsigned int hist_thresholds_limits(const struct hist_thresholds *thresholds);

/* Get setting @k of section @i.  Returns 0, or -ENOENT after the last setting. */
int hist_thresholds_setting(const struct hist_thresholds *thresholds, unsigned int i,
			    unsigned int k, struct hist_thresholds_setting *setting);

/* Get the text in the brackets of section @i.  Returns 0, or -ENOENT after the last section. */
int hist_thresholds_section(const struct hist_thresholds *thresholds, unsigned int i,
			    const char **text, unsigned int *line);
/* True if section @i matches @hist and @key; NULL: any key. */
bool hist_thresholds_match_hist(const struct hist_thresholds *thresholds, unsigned int i,
				const char *hist, const char *key);

#endif

/* SPDX-License-Identifier: LGPL-2.1 */
/*
 * diff.h - the result of a comparison: the model that the output formats of `diff` write
 *
 * A comparison has a result for each histogram of the two sides.  A histogram has a result
 * for each key: a group of axis.h, or a row if there is no axis.  A key has a result for
 * each metric.  The verdict of a whole is the worst verdict of its parts, by
 * hist_significance_worse_verdict().  Strings from the target are already escaped (label.h), but
 * not for the format (XML, markdown).
 *
 * These metrics gate (take part in the verdict):
 *   with an axis     the mean of the lower 90 % of the numbers; percentiles above 90 %, if
 *                    they find a change.  Rates are only shown.
 *   without an axis  the rates; for values that count time, the mean per hit instead.
 *   budgets          max and exceed, which judge only new; they need an axis, or the maximum
 *                    that onmax() keeps.
 *   worse.METRIC     in the thresholds file, also gates a metric that is otherwise only shown.
 * A percentile decides alone if the trimmed mean is not gated.
 */
#ifndef LIB_DIFF_DIFF_H
#define LIB_DIFF_DIFF_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "lib/analysis/quantile.h"
#include "lib/thresholds/thresholds.h"
#include "lib/label/unit.h"
#include "lib/base/error.h"
#include "lib/hist/regroup.h"
#include "lib/stats/significance.h"

enum hist_metric_kind {
	HIST_METRIC_RATE,     /* a value per second of the trace clock */
	HIST_METRIC_MEAN,     /* mean of a value per hit; of an axis, of its lower 90 % */
	HIST_METRIC_QUANTILE, /* intervals; unless it decides, gated only if it changed */
	HIST_METRIC_MAX,      /* budget: the largest number seen */
	HIST_METRIC_LARGEST,  /* the same without a budget: only shown */
	HIST_METRIC_EXCEED,   /* budget: the share of the numbers above a limit */
};

struct hist_metric_result {
	enum hist_metric_kind kind;
	char name[64];	 /* "hitcount/s", "mean", "p99", "max", "above 1 ms" */
	uint32_t p;	 /* of QUANTILE, in millionths */
	enum hist_unit unit; /* of base_* and new_* */
	struct hist_change change;
	bool gated;	 /* takes part in the verdict; otherwise only shown */
	bool decides; /* QUANTILE: no trimmed mean is judged, so the percentile can pass or not */
	double threshold; /* the threshold that applied, as a fraction */
	enum hist_worse worse;
	bool has_budget; /* MAX, EXCEED: new_* is compared only with the budget */
	double budget;
	enum hist_verdict verdict;
	char why[HIST_WHY_MAX]; /* the reason of the verdict with its hint (reason.h), or "" */
};

enum hist_presence { HIST_BOTH, HIST_NEW, HIST_VANISHED, HIST_RENAMED };

struct hist_key_result {
	char *label;	 /* "kmalloc", "sh / read"; "all" if the axis is the only key */
	bool whole;	 /* "all keys": the sum of all keys */
	bool few;	 /* too few hits to test a change: only budgets are judged */
	char *old_label; /* RENAMED: the label in base */
	enum hist_presence presence;
	uint64_t base_hits, new_hits;
	unsigned int nmetrics;
	struct hist_metric_result *metrics;
	enum hist_verdict verdict;
};

struct hist_side_result {
	unsigned int runs;	/* files that have the histogram */
	unsigned int replicates; /* runs, or blocks of the one run */
	bool blocks;		/* replicates are blocks, which is weaker evidence */
	double seconds;		/* recorded time of all runs; 0 if the clock does not count ns */
	uint64_t hits, dropped, missed, events_lost, probe_misses;
	uint64_t losses[HIST_LOSS_KINDS];
	bool reset;		/* the histogram was cleared during a recording */
	bool stopped;		/* another program paused the histogram during a recording */
	bool misses_unknown;	/* the kernel does not count the misses of its probe */
};

struct hist_hist_result {
	char *name; /* "sched:sched_switch#1" */
	char *trigger; /* of base, or of new if only new has the histogram */
	enum hist_presence presence;
	struct hist_side_result base, new_;
	uint32_t nkeys;
	struct hist_key_result *keys; /* whole first; by verdict, worst first; by size of change */
	uint32_t keys_total;  /* all keys except the whole, before few or --top removed some */
	uint32_t few;	      /* keys with too few hits; keys has only those that a budget judged */
	uint32_t counts[HIST_INCOMPARABLE + 1]; /* judged keys except the whole, by verdict */
	uint32_t appeared, vanished, renamed;
	double decided, to_decide; /* hits of keys with a verdict, and of keys that need one */
	bool wanted;	      /* a key needs a verdict */
	bool limits_judged;   /* samples of new decided about a budget */
	bool limits_open;     /* a budget applies, and no samples of new decided about it */
	enum hist_verdict verdict;
	char why[512]; /* the reasons of the verdict, and other remarks, with their hints, or "" */
};

/* One side of the command line. */
struct hist_side_info {
	unsigned int nfiles;
	char **files;
	char *uname, *host; /* of the first file */
	bool mixed_machines; /* files of one side differ in uname or host */
};

struct hist_comparison {
	struct hist_side_info base, new_;
	struct hist_significance_options judge;
	bool same_machine; /* host and uname of both sides agree */
	unsigned int nhists;
	struct hist_hist_result *hists;
	enum hist_verdict verdict; /* the worst of hists, but regressed wins over incomparable */
	double decided, min_decided; /* share of hits; decided < min_decided is inconclusive */
	bool undecided; /* too little was decided, or a budget was not: inconclusive is no success
			 */
	unsigned int nnotes; /* sentences: damage, different machines, ...; may have a hint */
	char **notes;
};

struct hist_compare_options {
	struct hist_significance_options judge; /* only the confidence; the rest is in gate */
	struct hist_gate gate;		 /* the defaults, which sections of thresholds override */
	const struct hist_thresholds *thresholds; /* or NULL */
	const char *thresholds_name; /* of the file, for messages: "NAME:LINE: " */
	unsigned int nquantiles;
	uint32_t quantiles[HIST_QUANTILES_MAX];
	double max_dropped; /* as a share of the hits of a run */
	double min_decided; /* as a share of the hits of all keys that need a verdict */
	uint64_t skip_ns;   /* time to skip at the start of each recording */
	uint32_t top;	    /* most keys of a histogram to keep; 0: all */
	bool raw_names;	    /* match and show plain numbers without their names */
	unsigned int nevents;
	const char *const *events; /* -e: SYS:EVENT[#N], EVENT; nevents 0: all */
	struct hist_buckets *buckets; /* --bucket, or NULL */
};

/* The files of one side. */
struct hist_side {
	unsigned int nfiles;
	const char *const *files;
};

/*
 * hist_diff_compare - compare the recordings of two sides
 * Returns 0; the caller frees *@c with hist_diff_free().  On failure returns -errno, @error
 * is a sentence that names the file or the event, and *@c is not changed.  -ESRCH: no file has a
 * histogram of -e; -ENODATA: a file has no histograms.  Only these may have a hint.
 */
int hist_diff_compare(struct hist_comparison **c, const struct hist_side *base,
		      const struct hist_side *new_, const struct hist_compare_options *options,
		      struct hist_error *error);

/*
 * hist_diff_metric_size - the logarithm of the change of a judged metric, as a distance
 * If buckets give an interval, its end next to 0; 0 if the interval includes 0 or the metric
 * is not judged.
 */
double hist_diff_metric_size(const struct hist_metric_result *m);

void hist_diff_free(struct hist_comparison *c);

#endif

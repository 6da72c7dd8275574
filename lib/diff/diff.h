/* SPDX-License-Identifier: LGPL-2.1 */
/*
 * diff.h - what `diff` found: the model that its output formats write
 *
 * A comparison has a result for each histogram of the two sides, that has one for each
 * key (a group of axis.h, or a row where there is no axis), that has one for each
 * metric.  Verdicts go upwards: the worst of the parts, by hist_verdict_worse().
 * All strings are escaped already (label.h) where they come from the target; still to
 * be escaped for the format (XML, markdown).
 *
 * What gates: of a histogram with an axis the mean of the lower 90 % of its numbers, and what
 * percentiles above that find; rates are shown only.  Without an axis the rates, and of values
 * that count time the mean of a hit in place of the rate.  Budgets (max, exceed) gate alone.
 */
#ifndef LIB_DIFF_DIFF_H
#define LIB_DIFF_DIFF_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "lib/analysis/quantile.h"
#include "lib/diff/thresholds.h"
#include "lib/label/unit.h"
#include "lib/stats/significance.h"

enum hist_metric_kind {
	HIST_METRIC_RATE,     /* a value per second of the trace clock */
	HIST_METRIC_MEAN,     /* of a value; of an axis that of its lower 90 % */
	HIST_METRIC_QUANTILE, /* intervals; gated only if it found a change */
	HIST_METRIC_MAX,      /* budget: the largest number seen */
	HIST_METRIC_EXCEED,   /* budget: share of the numbers above a limit */
};

struct hist_metric_result {
	enum hist_metric_kind kind;
	char name[64];	 /* "hitcount/s", "mean", "p99", "max", "above 1 ms" */
	uint32_t p;	 /* of QUANTILE, in millionths */
	enum hist_unit unit; /* of base_* and new_* */
	struct hist_change change;
	bool gated;	 /* takes part in the verdict; else shown only */
	double threshold; /* that was in force, as a fraction */
	enum hist_worse worse;
	bool has_budget; /* MAX, EXCEED: new_* is held against it alone */
	double budget;
	enum hist_verdict verdict;
	char why[160];	 /* what made the verdict, a sentence, or "" */
};

enum hist_presence { HIST_BOTH, HIST_NEW, HIST_VANISHED, HIST_RENAMED };

struct hist_key_result {
	char *label;	 /* "kmalloc", "sh / read"; "all" where the axis is the only key */
	bool whole;	 /* "all keys": the sum of all */
	bool few;	 /* too few hits for a change: only its budgets are judged */
	char *old_label; /* RENAMED: what it was in base */
	enum hist_presence presence;
	uint64_t base_hits, new_hits;
	unsigned int nmetrics;
	struct hist_metric_result *metrics;
	enum hist_verdict verdict;
};

struct hist_side_result {
	unsigned int runs;	/* files that have the histogram */
	unsigned int replicates; /* runs, or blocks of the one run */
	bool blocks;		/* the weaker form */
	double seconds;		/* recorded, in all runs; 0 where the clock counts no time */
	uint64_t hits, dropped, missed, events_lost, probe_misses;
	uint64_t lost;		/* snapshots damaged or not in the file */
	bool reset;		/* somebody cleared it while recording */
	bool stopped;		/* another program paused it while recording */
	bool ambiguous;		/* names could be read in more than one way */
};

struct hist_hist_result {
	char *name; /* "sched:sched_switch#1" */
	char *trigger; /* of base, or of new where only that has it */
	enum hist_presence presence;
	struct hist_side_result base, new_;
	uint32_t nkeys;
	struct hist_key_result *keys; /* the whole, then worst first, then by size of the change */
	uint32_t keys_total;  /* before few hits or --top left some out; without the whole */
	uint32_t few;	      /* with too few hits; in keys only those that a budget tells of */
	uint32_t counts[HIST_INCOMPARABLE + 1]; /* of judged keys, by verdict; without the whole */
	uint32_t appeared, vanished, renamed;
	double decided, to_decide; /* hits of keys with a verdict, and of all that need one */
	enum hist_verdict verdict;
	char why[256]; /* of incomparable and what else is to be said, or "" */
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
	struct hist_judge_options judge;
	bool same_machine; /* host and uname of both sides agree */
	unsigned int nhists;
	struct hist_hist_result *hists;
	enum hist_verdict verdict; /* regressed before incomparable, else the worst of hists */
	double decided, min_decided; /* share of the hits; below it the verdict is inconclusive */
	unsigned int nnotes; /* damage, unfinished files, different machines, ...: sentences */
	char **notes;
};

struct hist_compare_options {
	struct hist_judge_options judge; /* confidence; the rest is in gate */
	struct hist_gate gate;		 /* what is in force where no section says otherwise */
	const struct hist_thresholds *thresholds; /* or NULL */
	unsigned int nquantiles;
	uint32_t quantiles[HIST_QUANTILES_MAX];
	double max_dropped; /* share of the hits of a run */
	double min_decided; /* share of the hits of all keys that need a verdict */
	uint64_t skip_ns;   /* of each recording, at its beginning */
	uint32_t top;	    /* keys of a histogram to keep; 0: all */
	unsigned int nevents;
	const char *const *events; /* -e: SYS:EVENT[#N], EVENT; none: all */
};

/* The files of one side. */
struct hist_side {
	unsigned int nfiles;
	const char *const *files;
};

/*
 * hist_compare - compare the recordings of two sides
 * 0 with *@c to be freed; else -errno with a sentence in @why that names the file
 * or the event, and *@c untouched.
 */
int hist_compare(struct hist_comparison **c, const struct hist_side *base,
		 const struct hist_side *new_, const struct hist_compare_options *options,
		 char *why, size_t why_len);

/*
 * hist_metric_size - the change of a judged metric as a distance on the logarithm
 * What is sure of it if buckets leave it open; 0 for all else.
 */
double hist_metric_size(const struct hist_metric_result *m);

void hist_comparison_free(struct hist_comparison *c);

#endif

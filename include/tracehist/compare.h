/* SPDX-License-Identifier: LGPL-2.1 */
/*
 * compare.h - what `diff` found: the model that its output formats write
 *
 * A comparison has a result for each histogram of the two sides, that has one for each
 * key (a group of axis.h, or a row where there is no axis), that has one for each
 * metric.  Verdicts go upwards: the worst of the parts, by hist_verdict_worse().
 * All strings are escaped already (label.h) where they come from the target; still to
 * be escaped for the format (XML, markdown).
 */
#ifndef TRACEHIST_COMPARE_H
#define TRACEHIST_COMPARE_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include <tracehist/judge.h>
#include <tracehist/unit.h>

enum hist_metric_kind {
	HIST_METRIC_RATE,     /* a value per second of the trace clock */
	HIST_METRIC_MEAN,     /* where a sum was recorded */
	HIST_METRIC_QUANTILE, /* intervals */
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
	bool has_budget; /* MAX, EXCEED: new_* is held against it alone */
	double budget;
	enum hist_verdict verdict;
	char why[160];	 /* what made the verdict, a sentence, or "" */
};

enum hist_presence { HIST_BOTH, HIST_NEW, HIST_VANISHED, HIST_RENAMED };

struct hist_key_result {
	char *label;	 /* "kmalloc", "sh / read"; "all" where the axis is the only key */
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
	uint64_t hits, dropped, missed;
	bool reset;		/* somebody cleared it while recording */
};

struct hist_hist_result {
	char *name; /* "sched:sched_switch#1" */
	char *trigger; /* of base, or of new where only that has it */
	enum hist_presence presence;
	struct hist_side_result base, new_;
	uint32_t nkeys;
	struct hist_key_result *keys; /* worst first, then by size of the change */
	uint32_t keys_total;  /* before few hits or --top left some out */
	uint32_t counts[HIST_INCOMPARABLE + 1]; /* of keys, by verdict */
	uint32_t appeared, vanished, renamed;
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
	enum hist_verdict verdict;
	unsigned int nnotes; /* damage, unfinished files, different machines, ...: sentences */
	char **notes;
};

void hist_comparison_free(struct hist_comparison *c);

#endif

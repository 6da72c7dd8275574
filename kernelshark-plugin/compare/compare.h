/* SPDX-License-Identifier: GPL-2.0 */
/*
 * compare.h - two sets of figures side by side: what was counted before and after
 *
 * The figures are of two times, or of two files with the same keys. Windows differ in length,
 * so that rates are compared, and not counts. A heat map has the time since the begin of each
 * window.
 */
#ifndef KERNELSHARK_PLUGIN_COMPARE_COMPARE_H
#define KERNELSHARK_PLUGIN_COMPARE_COMPARE_H

#include "kernelshark-plugin/model/panel_data.h"
#include "lib/base/error.h"

enum { BEFORE, AFTER, SIDES };

/* A bucket of the axis, or a key. */
struct compared_row {
	uint64_t ge, le;	  /* of an axis, inclusive */
	uint32_t entry[SIDES];	  /* otherwise; HIST_NO_ENTRY: this side does not have the key */
	uint64_t count[SIDES];
	double rate[SIDES];	  /* per second; without durations the share of all counts */
};

/* Read only. The figures must outlive it. */
struct compared {
	const struct panel_data *side[SIDES];
	bool has_axis;	 /* rows are buckets, ascending; otherwise keys, the largest change first */
	bool by_name;	 /* keys are of two recordings: match without addresses */
	bool has_rates;	 /* otherwise shares */
	double seconds[SIDES]; /* if has_rates */
	uint64_t total[SIDES];
	struct compared_row *rows;
	uint32_t n;
};

/*
 * compare_make - compare the figures of two times
 * 0; -EOPNOTSUPP with a sentence in @error: the keys or the drawn values differ, or there is no
 * value; -ENOMEM.
 */
int compare_make(struct compared **c, const struct panel_data *before,
		 const struct panel_data *after, struct hist_error *error);
void compare_free(struct compared *c);

/* Append the label of a row. @exact: with addresses, if they are of one recording. */
void compare_put_label(struct hist_strbuf *b, const struct compared *c, uint32_t row, bool exact);

/* The rates of both sides, and their difference, over time since the begin of each window. */
struct compared_map {
	uint32_t nrows;	       /* those of the comparison, if it has an axis */
	unsigned int ncolumns;
	uint64_t step;	       /* ns of a column */
	double *rate[SIDES];   /* row by row; NAN: not recorded at this time */
	double most;	       /* the largest difference, regardless of its sign */
};

/*
 * compare_make_map - make the map of a comparison with an axis
 * Counts of a column of the figures are spread evenly over its time. -EOPNOTSUPP with a
 * sentence: a side has no times; -ENOMEM.
 */
int compare_make_map(struct compared_map **map, const struct compared *c, unsigned int columns,
		     struct hist_error *error);
void compare_free_map(struct compared_map *map);

/* The rate after minus the rate before; NAN: a side was not recorded at this time. */
double compare_map_difference(const struct compared_map *map, uint32_t row, unsigned int column);

/*
 * compare_level - the colour of a difference: 0 for less than 1 % of @most, otherwise 1 to
 * @levels, negative for a decrease
 * Each level is twice the one below.
 */
int compare_level(double difference, double most, int levels);

#endif

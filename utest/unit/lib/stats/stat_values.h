/* SPDX-License-Identifier: GPL-2.0 */
/*
 * stat_values.h - data/stats/values.txt: what other packages compute
 */
#ifndef UTEST_UNIT_LIB_STATS_STAT_VALUES_H
#define UTEST_UNIT_LIB_STATS_STAT_VALUES_H

#include <stdbool.h>

#define STAT_GROUPS 16

struct stat_line {
	unsigned int ngroups;
	unsigned int n[STAT_GROUPS];
	double *group[STAT_GROUPS];
	const double *want; /* the last group */
};

/* Calls @check for each line of that name.  Returns how many there were. */
unsigned int stat_values(const char *name, void (*check)(const struct stat_line *line));

/* Equal but for a relative @tolerance, or both infinite; says on stderr what is not. */
bool stat_close(double got, double want, double tolerance);

#endif

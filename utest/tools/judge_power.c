// SPDX-License-Identifier: GPL-2.0
/*
 * judge_power.c - how often `diff` finds a change, and how often one that is not there
 *
 *	judge_power FILE PAIRS
 *
 * FILE has a load in each line (data/stats/power.txt describes them); PAIRS comparisons are made
 * of each.  Prints TAP, with the counted rates as comments: the tables of
 * trace-cmd-hist-diff(1), STATISTICS.  A rate may be off its bound by 3.1 standard deviations, as
 * it is by chance once in 1,000 lines.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "utest/unit/lib/stats/significance_model.h"

static double slack(double rate, unsigned int n)
{
	return 3.1 * sqrt(rate * (1 - rate) / n);
}

static int check(unsigned int number, const struct model *m, double least, double most,
		 unsigned int pairs)
{
	struct model_counts c = model_compare(m, pairs, .05, number * 0x9e3779b97f4a7c15ull);
	double found = (double)c.found / pairs, alarms = (double)c.alarms / pairs;
	int good = found >= least - slack(least, pairs) && alarms <= most + slack(most, pairs);

	printf("# %u keys, %u runs, CV %g %% x %g, held up %g %%, together %g, phi %g, %u hits, %+g %%: "
	       "found %.1f %%, false alarms %.1f %%\n", m->keys, m->runs, m->cv * 100,
	       m->spread ? m->spread : 1, m->held_up * 100, m->common, m->phi, m->events,
	       m->change * 100, found * 100, alarms * 100);
	printf("%s %u - found in %g %%, false alarms in %g %% at most\n", good ? "ok" : "not ok", number,
	       least * 100, most * 100);
	fflush(stdout);
	return !good;
}

int main(int argc, char **argv)
{
	unsigned int number = 0, pairs = argc == 3 ? atoi(argv[2]) : 0;
	double found, alarms;
	struct model m;
	char line[256];
	int failed = 0;
	FILE *f;

	if (!pairs) {
		fprintf(stderr, "usage: judge_power FILE PAIRS\n");
		return 2;
	}
	f = fopen(argv[1], "r");
	if (!f) {
		perror(argv[1]);
		return 2;
	}
	while (fgets(line, sizeof(line), f)) {
		if (*line == '#' || *line == '\n')
			continue;
		if (sscanf(line, "%u %u %lf %lf %lf %lf %lf %u %lf %lf %lf", &m.keys, &m.runs, &m.cv,
			   &m.spread, &m.held_up, &m.common, &m.phi, &m.events, &m.change, &found,
			   &alarms) != 11) {
			fprintf(stderr, "judge_power: %s: cannot be read: %s", argv[1], line);
			return 2;
		}
		failed |= check(++number, &m, found, alarms, pairs);
	}
	fclose(f);
	printf("1..%u\n", number);
	return failed || !number;
}

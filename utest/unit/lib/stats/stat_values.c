// SPDX-License-Identifier: GPL-2.0
/*
 * stat_values.c - data/stats/values.txt, line by line
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "utest/unit/lib/stats/stat_values.h"
#include "utest/unit/test_data.h"

#define NUMBERS 4096

unsigned int stat_values(const char *name, void (*check)(const struct stat_line *line))
{
	size_t len;
	char *text = test_read_file(test_data_path("stats/values.txt"), &len);
	char *at = text, *save, *word;
	double *numbers = calloc(NUMBERS, sizeof(*numbers));
	unsigned int lines = 0;

	while (at && *at) {
		char *end = strchr(at, '\n');
		struct stat_line line = { .ngroups = 1, .group = { numbers } };
		double *next = numbers;

		if (end)
			*end++ = '\0';
		word = strtok_r(at, " ", &save);
		at = end;
		if (!word || strcmp(word, name))
			continue;
		while ((word = strtok_r(NULL, " ", &save)) && next < numbers + NUMBERS) {
			if (!strcmp(word, "|")) {
				line.group[line.ngroups++] = next;
				continue;
			}
			*next++ = strtod(word, NULL);
			line.n[line.ngroups - 1]++;
		}
		line.want = line.group[line.ngroups - 1];
		check(&line);
		lines++;
	}
	free(numbers);
	free(text);
	return lines;
}

bool stat_close(double got, double want, double tolerance)
{
	if (got == want || fabs(got - want) <= tolerance * fabs(want))
		return true;
	fprintf(stderr, "got %.17g, not %.17g\n", got, want);
	return false;
}

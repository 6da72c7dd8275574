// SPDX-License-Identifier: LGPL-2.1
/*
 * duration.c - parse durations
 */
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "lib/base/duration.h"

int duration_parse(const char *text, uint64_t *ns)
{
	static const struct {
		const char *name;
		double ns;
	} units[] = {
		{ "", 1e9 },  { "ns", 1 },  { "us", 1e3 },   { "ms", 1e6 },
		{ "s", 1e9 }, { "m", 60e9 }, { "h", 3600e9 },
	};
	double value;
	size_t i;
	char *end;

	/* strtod() also accepts "inf", "0x1" and leading blanks */
	if (strspn(text, "0123456789.") == 0 || strpbrk(text, "xX"))
		return -EINVAL;
	errno = 0;
	value = strtod(text, &end);
	if (end == text || errno)
		return -EINVAL;
	for (i = 0; i < sizeof(units) / sizeof(units[0]); i++) {
		if (strcmp(end, units[i].name))
			continue;
		value *= units[i].ns;
		if (!(value >= 0 && value < 9.2e18))
			return -EINVAL;
		*ns = llround(value);
		return 0;
	}
	return -EINVAL;
}

int duration_parse_count(uint64_t *count, const char *text, uint64_t most)
{
	unsigned long long n;

	if (!*text || strspn(text, "0123456789") != strlen(text))
		return -EINVAL;
	errno = 0;
	n = strtoull(text, NULL, 10);
	if (errno || n > most)
		return -EINVAL;
	*count = n;
	return 0;
}

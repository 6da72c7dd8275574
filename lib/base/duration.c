// SPDX-License-Identifier: LGPL-2.1
/*
 * duration.c - parse durations
 */
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "lib/base/duration.h"

static const struct {
	const char *name;
	double ns;
} duration_units[] = {
	{ "", 1e9 },  { "ns", 1 },  { "us", 1e3 },   { "ms", 1e6 },
	{ "s", 1e9 }, { "m", 60e9 }, { "h", 3600e9 },
};

/* The nanoseconds of the unit @name, which may be ""; 0: no such unit. */
static double duration_find_unit(const char *name)
{
	size_t i;

	for (i = 0; i < sizeof(duration_units) / sizeof(duration_units[0]); i++) {
		if (!strcmp(name, duration_units[i].name))
			return duration_units[i].ns;
	}
	return 0;
}

/* Parse the number at the start of @text; @end is then what follows.  0 or -EINVAL. */
static int duration_parse_number(double *value, const char *text, char **end)
{
	/* strtod() also accepts "inf", "0x1" and leading blanks */
	if (strspn(text, "0123456789.") == 0 || strpbrk(text, "xX"))
		return -EINVAL;
	errno = 0;
	*value = strtod(text, end);
	return *end == text || errno ? -EINVAL : 0;
}

int duration_parse(const char *text, uint64_t *ns)
{
	double value;
	char *end;

	if (duration_parse_number(&value, text, &end) || !duration_find_unit(end))
		return -EINVAL;
	value *= duration_find_unit(end);
	if (!(value >= 0 && value < 9.2e18))
		return -EINVAL;
	*ns = llround(value);
	return 0;
}

bool duration_lacks_unit(const char *text)
{
	double value;
	char *end;

	return !duration_parse_number(&value, text, &end) && !*end && value != 0;
}

bool duration_is_unit(const char *word)
{
	return *word && duration_find_unit(word) != 0;
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

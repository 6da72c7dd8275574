// SPDX-License-Identifier: LGPL-2.1
/*
 * threshold_value.c - parse percentages and limits of thresholds
 */
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lib/thresholds/thresholds.h"

/* Parse a decimal number at *@s; strtod() alone also accepts "inf", "0x1" and signs. */
static bool threshold_parse_number(const char **s, double *number)
{
	char *end;

	*s += strspn(*s, " \t");
	if (!strspn(*s, "0123456789.") || !strncmp(*s, "0x", 2) || !strncmp(*s, "0X", 2))
		return false;
	errno = 0;
	*number = strtod(*s, &end);
	if (end == *s || errno || !isfinite(*number))
		return false;
	*s = end + strspn(end, " \t");
	return true;
}

int hist_threshold_parse_percent(double *fraction, const char *text)
{
	double number;

	if (!threshold_parse_number(&text, &number))
		return -EINVAL;
	text += *text == '%';
	if (text[strspn(text, " \t")])
		return -EINVAL;
	*fraction = number / 100;
	return 0;
}

static bool take_limit(const char **s, struct hist_limit *limit)
{
	enum hist_unit unit;
	size_t len;

	if (!threshold_parse_number(s, &limit->number))
		return false;
	limit->unit = HIST_UNIT_NONE;
	limit->id = 0;
	for (unit = HIST_UNIT_NONE + 1; unit < HIST_UNITS; unit++) {
		len = strlen(hist_unit_name(unit));
		if (strncmp(*s, hist_unit_name(unit), len))
			continue;
		limit->unit = unit;
		*s += len;
		break;
	}
	*s += strspn(*s, " \t");
	return true;
}

int hist_threshold_parse_limit(struct hist_limit *limit, const char *text)
{
	struct hist_limit made;

	if (!take_limit(&text, &made) || *text)
		return -EINVAL;
	*limit = made;
	return 0;
}

int hist_threshold_parse_exceed(struct hist_exceed_limit *limit, const char *text)
{
	struct hist_exceed_limit made;

	if (!take_limit(&text, &made.limit) || *text++ != ':' ||
	    hist_threshold_parse_percent(&made.share, text) || made.share >= 1)
		return -EINVAL;
	*limit = made;
	return 0;
}

const char *hist_threshold_worse_name(enum hist_worse worse)
{
	static const char *const names[] = {
		[HIST_WORSE_HIGHER] = "higher",
		[HIST_WORSE_LOWER] = "lower",
		[HIST_WORSE_BOTH] = "both",
		[HIST_WORSE_NONE] = "none",
	};

	return names[worse];
}

bool hist_threshold_convert_limit(const struct hist_limit *limit, enum hist_unit unit,
				  double *number)
{
	enum hist_unit small = limit->unit < unit ? limit->unit : unit;
	enum hist_unit large = limit->unit + unit - small;
	unsigned int step;
	double factor = 1;

	if (limit->unit == HIST_UNIT_NONE) {
		*number = limit->number;
		return true;
	}
	for (; small != large; factor *= step) {
		small = hist_unit_next(small, &step);
		if (small == HIST_UNIT_NONE)
			return false;
	}
	*number = limit->unit == large ? limit->number * factor : limit->number / factor;
	return true;
}

void hist_threshold_limit_text(const struct hist_limit *limit, char *buf, size_t len)
{
	const char *unit = hist_unit_name(limit->unit);

	snprintf(buf, len, "%.10g%s%s", limit->number, *unit ? " " : "", unit);
}

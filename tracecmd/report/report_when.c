// SPDX-License-Identifier: GPL-2.0
/*
 * report_when.c - parse a snapshot that the user selects by sequence number or by time
 */
#include <errno.h>

#include "tracecmd/report/report_options.h"

/* Parse digits at *@s; false if there are none or the number exceeds 63 bits. */
static bool take_digits(const char **s, uint64_t *number)
{
	const char *p = *s;
	uint64_t n = 0;

	for (; *p >= '0' && *p <= '9'; p++) {
		if (n > (INT64_MAX - 9) / 10)
			return false;
		n = n * 10 + (*p - '0');
	}
	if (p == *s)
		return false;
	*s = p;
	*number = n;
	return true;
}

int report_point_parse(struct report_point *point, const char *text, bool time)
{
	struct report_point made = { .text = text, .kind = time ? REPORT_TIME : REPORT_SEQ };
	const char *s = text;
	uint32_t unit;

	if (*s == '+') {
		made.kind = REPORT_AFTER_FIRST;
		s++;
	}
	if (!take_digits(&s, &made.number))
		return -EINVAL;
	if (*s == '.') {
		made.has_point = true;
		for (s++, unit = 100000000; *s >= '0' && *s <= '9'; s++, unit /= 10) {
			if (!unit)
				return -EINVAL;
			made.ns += unit * (*s - '0');
			made.digits++;
		}
		if (!made.digits)
			return -EINVAL;
	}
	if (made.kind == REPORT_SEQ && (made.has_point || *s == 's'))
		made.kind = REPORT_TIME;
	s += *s == 's';
	if (*s)
		return -EINVAL;
	*point = made;
	return 0;
}

int report_offset_parse(int64_t *ns, const char *text)
{
	bool negative = *text == '-';
	struct report_point point;
	int64_t made;

	if (report_point_parse(&point, text + negative, true) || point.kind != REPORT_TIME ||
	    point.number > INT64_MAX / 1000000000 - 1)
		return -EINVAL;
	made = (int64_t)point.number * 1000000000 + point.ns;
	*ns = negative ? -made : made;
	return 0;
}

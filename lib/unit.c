// SPDX-License-Identifier: LGPL-2.1
/*
 * unit.c - durations that read as people say them
 */
#include <string.h>

#include <tracehist/unit.h>

static const struct {
	const char *ending; /* behind a '_', or the whole name where it says enough */
	bool alone;
	enum hist_unit unit;
} endings[] = {
	{ "ns", false, HIST_UNIT_NS },	    { "nsec", true, HIST_UNIT_NS },
	{ "nsecs", true, HIST_UNIT_NS },    { "us", false, HIST_UNIT_US },
	{ "usec", true, HIST_UNIT_US },	    { "usecs", true, HIST_UNIT_US },
	{ "ms", false, HIST_UNIT_MS },	    { "msec", true, HIST_UNIT_MS },
	{ "msecs", true, HIST_UNIT_MS },    { "sec", true, HIST_UNIT_S },
	{ "secs", true, HIST_UNIT_S },
};

/* Kernel namespaces: "_ns" behind them is no unit. */
static const char *const namespaces[] = { "pid_ns", "mnt_ns", "net_ns",	   "user_ns",
					  "uts_ns", "ipc_ns", "cgroup_ns" };

static enum hist_unit unit_of_name(const char *name)
{
	const char *last = strrchr(name, '_');
	unsigned int i;

	for (i = 0; i < sizeof(namespaces) / sizeof(*namespaces); i++)
		if (!strcmp(name, namespaces[i]))
			return HIST_UNIT_NONE;
	for (i = 0; i < sizeof(endings) / sizeof(*endings); i++)
		if (last ? !strcmp(last + 1, endings[i].ending) :
			   endings[i].alone && !strcmp(name, endings[i].ending))
			return endings[i].unit;
	return HIST_UNIT_NONE;
}

enum hist_unit hist_unit_of_key(const struct hist_key_desc *key)
{
	switch (key->kind) {
	case HIST_KEY_USECS:
		return HIST_UNIT_US;
	case HIST_KEY_NUM:
	case HIST_KEY_LOG2:
	case HIST_KEY_BUCKETS:
		return unit_of_name(key->name);
	default:
		return HIST_UNIT_NONE;
	}
}

enum hist_unit hist_unit_of_value(const struct hist_value_desc *value)
{
	return value->kind == HIST_VALUE_SUM ? unit_of_name(value->name) : HIST_UNIT_NONE;
}

const char *hist_unit_name(enum hist_unit unit)
{
	static const char *const names[] = { "", "ns", "us", "ms", "s" };

	return names[unit];
}

/* @n / @part to nearest, with so many decimals that three digits stand; times 10^decimals. */
static uint64_t three_digits(uint64_t n, uint64_t part, unsigned int *decimals)
{
	unsigned __int128 scaled = n;

	*decimals = 0;
	if (part > 1) {
		*decimals = n / part < 10 ? 2 : n / part < 100 ? 1 : 0;
		scaled *= *decimals == 2 ? 100 : *decimals == 1 ? 10 : 1;
	}
	return (scaled + part / 2) / part;
}

unsigned int hist_unit_put(struct hist_strbuf *b, uint64_t number, bool is_signed,
			   enum hist_unit unit)
{
	bool negative = is_signed && number >> 63;
	uint64_t n = negative ? -number : number, part = 1, digits;
	unsigned int decimals, width = negative;

	if (negative)
		hist_strbuf_char(b, '-');
	/* as many of the unit at hand as make one of the unit to show */
	while (unit != HIST_UNIT_NONE && unit < HIST_UNIT_S && n / part >= 1000) {
		part *= 1000;
		unit++;
	}
	digits = three_digits(n, part, &decimals);
	if (digits == 1000 && !decimals && part > 1 && unit < HIST_UNIT_S) {
		digits = 1;
		unit++;
	}
	for (; decimals && digits % 10 == 0; decimals--)
		digits /= 10;
	n = decimals == 2 ? digits / 100 : decimals == 1 ? digits / 10 : digits;
	hist_strbuf_u64(b, n);
	width += hist_u64_width(n);
	if (decimals) {
		hist_strbuf_char(b, '.');
		if (decimals == 2)
			hist_strbuf_char(b, '0' + digits / 10 % 10);
		hist_strbuf_char(b, '0' + digits % 10);
		width += 1 + decimals;
	}
	if (unit != HIST_UNIT_NONE) {
		hist_strbuf_char(b, ' ');
		hist_strbuf_str(b, hist_unit_name(unit));
		width += 1 + strlen(hist_unit_name(unit));
	}
	return width;
}

// SPDX-License-Identifier: LGPL-2.1
/*
 * unit.c - durations and sizes with a readable unit
 */
#include <string.h>

#include "lib/base/wide.h"
#include "lib/label/unit.h"

static const struct {
	const char *name;
	unsigned int step; /* how many make one of the next unit; 0: the largest */
} units[HIST_UNITS] = {
	[HIST_UNIT_NONE] = { "", 0 },	   [HIST_UNIT_NS] = { "ns", 1000 },
	[HIST_UNIT_US] = { "us", 1000 },   [HIST_UNIT_MS] = { "ms", 1000 },
	[HIST_UNIT_S] = { "s", 0 },	   [HIST_UNIT_BYTES] = { "B", 1024 },
	[HIST_UNIT_KIB] = { "KiB", 1024 }, [HIST_UNIT_MIB] = { "MiB", 1024 },
	[HIST_UNIT_GIB] = { "GiB", 1024 }, [HIST_UNIT_TIB] = { "TiB", 1024 },
	[HIST_UNIT_PIB] = { "PiB", 1024 }, [HIST_UNIT_EIB] = { "EiB", 0 },
};

static const struct {
	const char *ending; /* after a '_', or the whole name if @alone */
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

/* Kernel namespaces: the "_ns" in these names is not a unit. */
static const char *const namespaces[] = { "pid_ns", "mnt_ns", "net_ns",	   "user_ns",
					  "uts_ns", "ipc_ns", "cgroup_ns" };

/* Is "bytes" one of the words of the name, which '_' separates? */
static bool unit_name_has_bytes(const char *name)
{
	size_t len;

	for (;; name += len + 1) {
		len = strcspn(name, "_");
		if (len == strlen("bytes") && !strncmp(name, "bytes", len))
			return true;
		if (!name[len])
			return false;
	}
}

static enum hist_unit unit_from_name(const char *name)
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
	return unit_name_has_bytes(name) ? HIST_UNIT_BYTES : HIST_UNIT_NONE;
}

/* @unit: what the schema has, "ns", "us" or NULL. */
static enum hist_unit unit_of_field(const char *unit, const char *name)
{
	if (!unit)
		return unit_from_name(name);
	return *unit == 'n' ? HIST_UNIT_NS : HIST_UNIT_US;
}

size_t hist_unit_stem_len(const char *name)
{
	const char *last = strrchr(name, '_');
	unsigned int i;

	for (i = 0; i < sizeof(endings) / sizeof(*endings); i++)
		if (!strcmp(last ? last + 1 : name, endings[i].ending))
			return last ? last - name : 0;
	return strlen(name);
}

enum hist_unit hist_unit_from_key(const struct hist_key_desc *key)
{
	const struct hist_key_traits *traits = hist_key_traits(key);

	if (traits->axis == HIST_AXIS_NONE)
		return HIST_UNIT_NONE;
	return traits->unit ? unit_from_name(traits->unit) : unit_of_field(key->unit, key->name);
}

enum hist_unit hist_unit_from_value(const struct hist_value_desc *value)
{
	return value->kind == HIST_VALUE_SUM ? unit_of_field(value->unit, value->name) :
					       HIST_UNIT_NONE;
}

const char *hist_unit_name(enum hist_unit unit)
{
	return units[unit].name;
}

enum hist_unit hist_unit_next(enum hist_unit unit, unsigned int *step)
{
	*step = units[unit].step;
	return *step ? unit + 1 : HIST_UNIT_NONE;
}

/* The number to write: digits / 10^decimals. */
struct scaled {
	uint64_t digits;
	unsigned int decimals;
	enum hist_unit unit;
	bool rounded;
};

/* The number of decimals that gives three digits, for the integer part @whole. */
static unsigned int unit_decimals(uint64_t whole)
{
	return whole < 10 ? 2 : whole < 100 ? 1 : 0;
}

/* Write 1000 (or 1024) of a unit as 1 of the next larger unit, and remove trailing zeros. */
static void unit_tidy_number(struct scaled *s)
{
	if (units[s->unit].step && s->digits == units[s->unit].step && !s->decimals) {
		s->digits = 1;
		s->unit++;
	}
	for (; s->decimals && s->digits % 10 == 0; s->decimals--)
		s->digits /= 10;
}

static struct scaled unit_scale_number(uint64_t n, enum hist_unit unit)
{
	/* all steps of a unit are alike */
	uint64_t step = hist_unit_is_size(unit) ? 1024 : 1000;
	struct scaled s = { .unit = unit };
	uint64_t part = 1, digits = 1;
	struct hist_wide shown, real;
	unsigned int i;

	/* @part: how many of the given unit make one of the unit to show */
	for (; units[s.unit].step && n / part >= step; s.unit++)
		part *= step;
	s.decimals = part > 1 ? unit_decimals(n / part) : 0;
	for (i = 0; i < s.decimals; i++)
		digits *= 10;
	s.digits = hist_mul_div(n, digits, part / 2, part);
	shown = hist_wide_mul(s.digits, part);
	real = hist_wide_mul(n, digits);
	s.rounded = shown.high != real.high || shown.low != real.low;
	unit_tidy_number(&s);
	return s;
}

static unsigned int unit_put_scaled(struct hist_strbuf *b, bool negative, const struct scaled *s)
{
	size_t start = b->len;

	if (negative)
		hist_strbuf_char(b, '-');
	hist_strbuf_fixed(b, s->digits, s->decimals);
	return b->len - start;
}

static unsigned int put_unit(struct hist_strbuf *b, enum hist_unit unit)
{
	if (unit == HIST_UNIT_NONE)
		return 0;
	hist_strbuf_char(b, ' ');
	hist_strbuf_str(b, hist_unit_name(unit));
	return 1 + strlen(hist_unit_name(unit));
}

static bool unit_number_is_negative(uint64_t number, bool is_signed)
{
	return is_signed && number >> 63;
}

static uint64_t unit_number_magnitude(uint64_t number, bool is_signed)
{
	return unit_number_is_negative(number, is_signed) ? -number : number;
}

unsigned int hist_unit_put(struct hist_strbuf *b, uint64_t number, bool is_signed,
			   enum hist_unit unit)
{
	struct scaled s = unit_scale_number(unit_number_magnitude(number, is_signed), unit);
	unsigned int width = unit_put_scaled(b, unit_number_is_negative(number, is_signed), &s);

	return width + put_unit(b, s.unit);
}

unsigned int hist_unit_range(struct hist_strbuf *b, uint64_t low, uint64_t high, bool is_signed,
			     enum hist_unit unit, bool exact)
{
	bool below = unit_number_is_negative(low, is_signed),
		high_below = unit_number_is_negative(high, is_signed);
	struct scaled from = { unit_number_magnitude(low, is_signed), 0, unit, false };
	struct scaled to = { unit_number_magnitude(high, is_signed), 0, unit, false };
	struct scaled short_from = unit_scale_number(from.digits, unit),
		short_to = unit_scale_number(to.digits, unit);
	const char *between = below ? ".." : "-";
	unsigned int width = 0;

	if (low == high && hist_unit_is_size(unit))
		exact |= short_to.rounded;
	if (!exact && (low == high || below != high_below || short_from.unit != short_to.unit ||
		       short_from.decimals != short_to.decimals ||
		       short_from.digits != short_to.digits)) {
		from = short_from;
		to = short_to;
	}
	if (low != high) {
		if (is_signed && low == (uint64_t)INT64_MIN + 1) {
			hist_strbuf_str(b, "negative");
			width = strlen("negative");
			if (high == UINT64_MAX)
				return width;
		} else {
			width = unit_put_scaled(b, below, &from);
			if (from.unit != to.unit && low)
				width += put_unit(b, from.unit);
		}
		hist_strbuf_str(b, between);
		width += strlen(between);
	}
	width += unit_put_scaled(b, high_below, &to);
	return width + put_unit(b, to.unit);
}

unsigned int hist_unit_real(struct hist_strbuf *b, double number, enum hist_unit unit)
{
	struct scaled s = { .unit = unit };
	double n = number < 0 ? -number : number;
	unsigned int i, width;

	for (; units[s.unit].step && n >= units[s.unit].step; s.unit++)
		n /= units[s.unit].step;
	/* the largest double below 2^64 */
	if (n > 0x1.fffffffffffffp63)
		n = 0x1.fffffffffffffp63;
	s.decimals = unit_decimals((uint64_t)n);
	for (i = 0; i < s.decimals; i++)
		n *= 10;
	s.digits = (uint64_t)(n < 0x1p52 ? n + 0.5 : n);
	unit_tidy_number(&s);
	width = unit_put_scaled(b, number < 0 && s.digits, &s);
	return width + put_unit(b, s.unit);
}

// SPDX-License-Identifier: GPL-2.0
/*
 * fine_log2_test.c - .log2=K as several triggers
 *
 * The triggers are read here as a kernel reads them: a filter of comparisons, and a key that is a
 * field, the same with .log2, or its product with 2^64 - 1 divided by a number.
 */
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <CUnit/CUnit.h>

#include "lib/hist/key_kind.h"
#include "lib/query/fine_log2.h"
#include "utest/unit/tests.h"

static const struct {
	const char *name;
	unsigned int size;
	bool is_signed;
} fields[] = {
	{ "b", 1, false },  { "sb", 1, true },	{ "w", 2, false },	{ "sw", 2, true },
	{ "l", 4, false },  { "sl", 4, true },	{ "q", 8, false },	{ "sq", 8, true },
	{ "lat_us", 8, false }, { "lat_ns", 8, false },
};

#define NFIELDS (sizeof(fields) / sizeof(*fields))

static struct hist_event *make_event(void)
{
	char text[2048] = "name: test\nID: 1\nformat:\n"
			  "\tfield:unsigned short common_type;\toffset:0;\tsize:2;\tsigned:0;\n"
			  "\tfield:int common_pid;\toffset:4;\tsize:4;\tsigned:1;\n\n";
	struct hist_event *event;
	unsigned int i, offset = 8;
	size_t len = strlen(text);

	for (i = 0; i < NFIELDS; i++, offset += 8)
		len += snprintf(text + len, sizeof(text) - len,
				"\tfield:%s%d %s;\toffset:%u;\tsize:%u;\tsigned:%d;\n",
				fields[i].is_signed ? "s" : "u", 8 * fields[i].size, fields[i].name,
				offset, fields[i].size, fields[i].is_signed);
	len += snprintf(text + len, sizeof(text) - len, "\nprint fmt: \"\"\n");
	CU_ASSERT_EQUAL_FATAL(hist_event_parse(&event, "test", text, len), 0);
	return event;
}

/* --- what a kernel does with a trigger --- */

static bool compare(const char *op, uint64_t a, uint64_t b, bool is_signed)
{
	bool less = is_signed ? (int64_t)a < (int64_t)b : a < b;

	if (!strcmp(op, "<"))
		return less;
	if (!strcmp(op, "<="))
		return less || a == b;
	if (!strcmp(op, ">"))
		return !less && a != b;
	CU_ASSERT_STRING_EQUAL_FATAL(op, ">=");
	return !less;
}

/* @n as a field of @size bytes gives it to the kernel. */
static uint64_t narrow(uint64_t n, unsigned int size, bool is_signed)
{
	unsigned int shift = 64 - 8 * size;

	return is_signed ? (uint64_t)((int64_t)(n << shift) >> shift) : n << shift >> shift;
}

/*
 * Does the filter of @trigger let @n pass?  It has only comparisons of @field, and the kernel cuts
 * their numbers to the size of the field (DEFINE_COMPARISON_PRED() in trace_events_filter.c).
 */
static bool passes(const char *trigger, unsigned int field, uint64_t n)
{
	const char *at = strstr(trigger, " if ");
	char name[16], op[4];
	uint64_t number;
	int used;

	for (; at && *at; at += used) {
		at += 4;
		CU_ASSERT_EQUAL_FATAL(sscanf(at, "%15s %3s %" SCNu64 "%n", name, op, &number, &used), 3);
		CU_ASSERT_STRING_EQUAL_FATAL(name, fields[field].name);
		number = narrow(number, fields[field].size, fields[field].is_signed);
		if (!compare(op, n, number, fields[field].is_signed))
			return false;
		CU_ASSERT_TRUE_FATAL(!at[used] || !strncmp(at + used, " && ", 4));
	}
	return true;
}

/* The number of the key in the row of @n, as lib/histfile reads it. */
static uint64_t find_key(const char *trigger, const char *field, uint64_t n)
{
	const char *at = trigger + strlen("hist:keys=") + strlen(field);
	static const char minus[] = "*18446744073709551615/";

	if (!strncmp(at, minus, strlen(minus)))
		return n * UINT64_MAX / strtoull(at + strlen(minus), NULL, 10);
	if (*at == '.')
		return n == UINT64_C(1) << 63 ? 63 : HIST_LOG2_NEGATIVE;
	CU_ASSERT_EQUAL(*at, ':');
	return n;
}

static uint64_t find_size(const char *trigger)
{
	const char *at = strstr(trigger, ":size=");

	CU_ASSERT_PTR_NOT_NULL_FATAL(at);
	return strtoull(at + strlen(":size="), NULL, 10);
}

/* Exactly one trigger counts @n, in a row that belongs to the bucket of @n. */
static void expect_one(const struct fine_log2_parts *parts, unsigned int f, unsigned int bits,
		       uint64_t n)
{
	const char *name = fields[f].name;
	unsigned int i, found = 0;
	uint64_t key, number;

	n = narrow(n, fields[f].size, fields[f].is_signed);
	for (i = 0; i < parts->n; i++) {
		const char *trigger = parts->part[i].trigger;

		if (!passes(trigger, f, n))
			continue;
		found++;
		key = find_key(trigger, name, n);
		number = fine_log2_find_number(&parts->part[i], key);
		CU_ASSERT_EQUAL(hist_log2_find_bucket(bits, number, fields[f].is_signed),
				hist_log2_find_bucket(bits, n, fields[f].is_signed));
	}
	CU_ASSERT_EQUAL(found, 1);
}

static void split(struct fine_log2_parts *parts, const struct hist_event *event, const char *text)
{
	struct hist_expr *expr;

	CU_ASSERT_EQUAL_FATAL(hist_expr_parse(&expr, text, NULL), 0);
	CU_ASSERT_EQUAL_FATAL(fine_log2_split(parts, expr, event, NULL), 0);
	hist_expr_free(expr);
}

static void test_numbers(void)
{
	struct hist_event *event = make_event();
	struct fine_log2_parts parts;
	unsigned int f, bits, power;
	uint64_t n, seed = 1;
	char text[64];
	int off;

	for (f = 0; f < NFIELDS; f++) {
		for (bits = 1; bits <= HIST_LOG2_BITS_MAX; bits++) {
			snprintf(text, sizeof(text), "hist:keys=%s.log2=%u", fields[f].name, bits);
			split(&parts, event, text);
			CU_ASSERT_EQUAL(parts.key, 0);
			for (power = 0; power < 64; power++) {
				n = UINT64_C(1) << power;
				for (off = -2; off <= 2; off++)
					expect_one(&parts, f, bits, n + off);
				/* an eighth of the octave, and what is next to it */
				n += n / 8 * (seed % 8);
				for (off = -1; off <= 1; off++)
					expect_one(&parts, f, bits, n + off);
				seed = seed * 6364136223846793005 + 1442695040888963407;
				expect_one(&parts, f, bits, seed >> power);
			}
			fine_log2_clear(&parts);
		}
	}
	hist_event_free(event);
}

/* A trigger with an upper end has room for all of its rows: they are at most 3.75 times. */
static void test_rows(void)
{
	struct hist_event *event = make_event();
	struct fine_log2_parts parts;
	const uint64_t ends[] = { 128, 2048, 32768, 524288, 8388608 };
	uint64_t last, key, rows, n, from = 0;
	unsigned int i;

	split(&parts, event, "hist:keys=lat_us.log2=3");
	CU_ASSERT_EQUAL_FATAL(parts.n, 6);
	for (i = 0; i < 5; i++) {
		const char *trigger = parts.part[i].trigger;

		for (rows = 0, last = 0, n = from + (i > 0); n <= ends[i]; n++) {
			key = find_key(trigger, "lat_us", n);
			rows += n == from + (i > 0) || key != last;
			last = key;
		}
		CU_ASSERT_EQUAL(rows, i ? 120 : 129);
		CU_ASSERT_TRUE(find_size(trigger) >= rows);
		CU_ASSERT_TRUE(find_size(trigger) <= 256);
		from = ends[i];
	}
	CU_ASSERT_EQUAL(find_size(parts.part[5].trigger), 2048);
	fine_log2_clear(&parts);

	/* up to 2^27 ns there are buckets of their own */
	split(&parts, event, "hist:keys=lat_ns.log2=3:size=500");
	CU_ASSERT_EQUAL_FATAL(parts.n, 7);
	CU_ASSERT_PTR_NOT_NULL(strstr(parts.part[6].trigger, "/16777216:size=500 if lat_ns > 134217728"));
	fine_log2_clear(&parts);
	hist_event_free(event);
}

/* Other keys, values, attributes and the filter are in each trigger. */
static void test_text(void)
{
	struct hist_event *event = make_event();
	struct fine_log2_parts parts;

	split(&parts, event, "hist:keys=common_pid.execname,sw.log2=3:vals=w,l.hex:sort=sw:size=1000:"
	      "worst=sw:onmax($worst).save(common_timestamp,w):clock=mono:pause if w > 1 || l");
	CU_ASSERT_EQUAL(parts.key, 1);
	CU_ASSERT_EQUAL_FATAL(parts.n, 4);
	CU_ASSERT_STRING_EQUAL(parts.part[0].trigger,
			       "hist:keys=common_pid.execname,sw:vals=w,l.hex:worst_part0=sw:"
			       "onmax($worst_part0).save(common_timestamp,w):size=500:clock=mono:pause "
			       "if sw <= 128 && sw >= 0 && (w > 1 || l)");
	CU_ASSERT_STRING_EQUAL(parts.part[1].trigger,
			       "hist:keys=common_pid.execname,sw*18446744073709551615/16:vals=w,l.hex:"
			       "worst_part1=sw:onmax($worst_part1).save(common_timestamp,w):size=500:clock=mono"
			       ":pause if sw <= 2048 && sw > 128 && (w > 1 || l)");
	CU_ASSERT_STRING_EQUAL(parts.part[2].trigger,
			       "hist:keys=common_pid.execname,sw*18446744073709551615/256:vals=w,l.hex:"
			       "worst_part2=sw:onmax($worst_part2).save(common_timestamp,w):size=500:clock=mono"
			       ":pause if sw > 2048 && (w > 1 || l)");
	CU_ASSERT_STRING_EQUAL(parts.part[3].trigger,
			       "hist:keys=common_pid.execname,sw.log2:vals=w,l.hex:worst_part3=sw:"
			       "onmax($worst_part3).save(common_timestamp,w):size=500:clock=mono:pause "
			       "if sw < 0 && (w > 1 || l)");
	fine_log2_clear(&parts);
	hist_event_free(event);
}

/* What several triggers cannot do as one is refused, with the place. */
static void test_refusals(void)
{
	static const struct {
		const char *text, *at, *what;
	} cases[] = {
		{ "hist:keys=w.log2=1,l.log2=2", "l.log2=2", "can divide only one key" },
		{ "hist:keys=common_cpu.log2=2", "common_cpu.log2=2",
		  "need a field that a filter can have" },
		{ "hist:keys=w.log2=1:vals=hitcount.percent", "hitcount.percent",
		  "do not know the share of the whole" },
		{ "hist:keys=w.log2=1:vals=l,hitcount.graph", "hitcount.graph",
		  "do not know the share of the whole" },
		{ "hist:keys=w.log2=1:name=n", "n", "cannot have one name" },
		{ "hist:keys=w.log2=1:clear", "clear", "do not exist yet" },
		{ "hist:keys=w.log2=1:x=l", "x=l", "can only save() with onmax() of the key" },
		{ "hist:keys=w.log2=1:x=l:onmax($x).save(l)", "x=l",
		  "can only save() with onmax() of the key" },
		{ "hist:keys=w.log2=1:x=w:onchange($x).save(l)", "x=w",
		  "can only save() with onmax() of the key" },
		{ "hist:keys=w.log2=1:x=w:onmax($x).snapshot()", "x=w",
		  "can only save() with onmax() of the key" },
		{ "hist:keys=w.log2=1:onmatch(a.b).trace(c,w)", "onmatch(a.b).trace(c,w)",
		  "can only save() with onmax() of the key" },
	};
	struct hist_event *event = make_event();
	struct fine_log2_parts parts;
	struct hist_error error;
	struct hist_expr *expr;
	char what[200];
	size_t i;

	for (i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		memset(&error, 0, sizeof(error));
		CU_ASSERT_EQUAL_FATAL(hist_expr_parse(&expr, cases[i].text, NULL), 0);
		CU_ASSERT_EQUAL(fine_log2_split(&parts, expr, event, &error), -EINVAL);
		snprintf(what, sizeof(what), "this kernel counts .log2=K with several triggers, which %s",
			 cases[i].what);
		CU_ASSERT_STRING_EQUAL(error.what, what);
		CU_ASSERT_STRING_EQUAL(error.hint, "use .log2 (--coarse with a preset), or --engine user");
		CU_ASSERT_EQUAL(error.at.len, strlen(cases[i].at));
		CU_ASSERT_NSTRING_EQUAL(expr->text + error.at.start, cases[i].at, error.at.len);
		hist_expr_free(expr);
	}
	split(&parts, event, "hist:keys=common_pid,w.log2");
	CU_ASSERT_EQUAL(parts.n, 0);
	hist_event_free(event);
}

/* A filter that one trigger has room for can be too long for the others. */
static void test_length(void)
{
	struct hist_event *event = make_event();
	struct fine_log2_parts parts;
	struct hist_error error = { 0 };
	char text[HIST_TEXT_MAX + 1] = "hist:keys=w.log2=1 if l == 1";
	struct hist_expr *expr;
	size_t len;

	for (len = strlen(text); len + 10 < HIST_TEXT_MAX; len += 10)
		strcpy(text + len, " || l == 1");
	CU_ASSERT_EQUAL_FATAL(hist_expr_parse(&expr, text, NULL), 0);
	CU_ASSERT_EQUAL(fine_log2_split(&parts, expr, event, &error), -EINVAL);
	CU_ASSERT_STRING_EQUAL(error.what, "this kernel counts .log2=K with several triggers, which "
			       "are longer than the kernel accepts");
	hist_expr_free(expr);
	text[len - 80] = '\0';
	split(&parts, event, text);
	fine_log2_clear(&parts);
	hist_event_free(event);
}

/* The keys and the attributes of a histogram of a preset, and whether there is a note. */
static void test_presets(void)
{
	static const struct hist_kernel old = { .hist = true }, newer = { .literals = true },
					patched = { .fine_log2 = true };
	static const struct {
		const struct hist_kernel *kernel;
		bool coarse;
		const char *keys, *settled, *more;
		unsigned int notes;
	} cases[] = {
		{ NULL, false, "lat.log2=3", "lat.log2=3", NULL, 0 },
		{ &newer, false, "lat.log2=3", "lat.log2=3", NULL, 0 },
		{ &patched, false, "lat.log2=3", "lat.log2=3", NULL, 0 },
		{ &old, false, "lat.log2=3", "lat.log2", NULL, 1 },
		{ &newer, true, "lat.log2=3", "lat.log2", NULL, 0 },
		{ &old, true, "lat.log2=12,comm", "lat.log2,comm", NULL, 0 },
		{ &newer, false, "comm,lat.log2=3", "comm,lat.log2=3", "size=8192", 0 },
		{ &newer, false, "lat.log2=2,comm", "lat.log2=2,comm", "size=8192", 0 },
		{ &old, false, "lat.log2=2,comm", "lat.log2,comm", NULL, 1 },
		{ &newer, false, "lat.log2,comm", "lat.log2,comm", NULL, 0 },
		{ &old, false, "lat.log2,comm", "lat.log2,comm", NULL, 0 },
		{ &newer, false, NULL, NULL, NULL, 0 },
	};
	unsigned int i;

	for (i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		struct query query = { .coarse = cases[i].coarse };
		struct query_hist hist = { .keys = cases[i].keys };

		/* the note is given once */
		CU_ASSERT_EQUAL(fine_log2_settle(&query, cases[i].kernel, &hist), 0);
		CU_ASSERT_EQUAL(fine_log2_settle(&query, cases[i].kernel, &hist), 0);
		CU_ASSERT_EQUAL(query.nnotes, cases[i].notes);
		if (query.nnotes)
			CU_ASSERT_STRING_EQUAL(query.notes[0].text,
					       "buckets are a factor of 2 wide: kernels before Linux 5.16 "
					       "have no finer ones");
		CU_ASSERT_STRING_EQUAL(hist.keys ? hist.keys : "", cases[i].settled ? cases[i].settled : "");
		CU_ASSERT_STRING_EQUAL(hist.more ? hist.more : "", cases[i].more ? cases[i].more : "");
		query_clear(&query);
	}
}

UNIT_TESTS(
	{ "a preset has .log2=3 if the kernel has a way", test_presets },
	{ "the triggers are not longer than the kernel accepts", test_length },
	{ "each number is counted by one trigger, in a row of its bucket", test_numbers },
	{ "a trigger has room for its rows", test_rows },
	{ "a trigger has the other keys, values and attributes", test_text },
	{ "what several triggers cannot do is refused", test_refusals });

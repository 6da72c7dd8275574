// SPDX-License-Identifier: GPL-2.0
/*
 * metrics_test.c - what is on a page
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <CUnit/Basic.h>

#include "lib/base/varint.h"
#include "tracecmd/output/metrics.h"
#include "utest/unit/tests.h"

/* Rows of comm and lat_us: hits at the set-up, then, and after a clearing. */
static const struct {
	const char *comm;
	uint64_t lat, hits[3];
} rows[] = {
	{ "a", 0, { 1, 3, 0 } },   { "a", 1, { 0, 4, 1 } },  { "a", 3, { 0, 5, 0 } },
	{ "a", 17, { 0, 6, 2 } }, { "b\"", 64, { 9, 9, 7 } },
};

struct fixture {
	struct hist_schema schema;
	struct hist_table *table;
	struct metrics metrics;
};

static void begin(struct fixture *f, enum hist_key_kind kind, uint64_t bucket, bool is_signed,
		  bool fine)
{
	const struct hist_definition def = {
		.event = "test:wait", .trigger = "hist:keys=comm,lat_us.log2", .engine = "kernel",
		.clock = "mono", .instance = "", .host = "board",
	};

	*f = (struct fixture){ .schema = {
		.nkeys = 2, .nvalues = 2,
		.keys = { { .name = (char *)"comm", .kind = HIST_KEY_STRING },
			  { .name = (char *)"lat_us", .kind = kind, .bucket = bucket,
			    .is_signed = is_signed } },
		.values = { { .name = (char *)"hitcount", .kind = HIST_VALUE_SUM },
			    { .name = (char *)"lat_us", .kind = HIST_VALUE_SUM } },
	} };
	f->table = hist_table_new(&f->schema);
	f->metrics.sink.name = "test";
	f->metrics.fine = fine;
	CU_ASSERT_EQUAL_FATAL(metrics_ops.define(&f->metrics.sink, &def, f->table), 0);
}

static void add_snapshot(struct fixture *f, unsigned int n)
{
	const struct hist_key_desc *axis = &f->schema.keys[1];
	const struct hist_range_ops *range = hist_key_traits(axis)->range;
	struct hist_snapshot snap = { .seq = n, .flags = n == 2 ? HIST_SNAP_RESET : 0,
				      .wall = 1700000000500000000 };
	struct hist_cell cells[2] = { { 0, 0 }, { 0, HIST_NO_STRING } };
	uint32_t entry;
	unsigned int i;

	for (i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
		CU_ASSERT_EQUAL_FATAL(hist_table_intern(f->table, rows[i].comm, strlen(rows[i].comm),
							&cells[0].str), 0);
		cells[1].num = range ? range->find(axis, rows[i].lat) : rows[i].lat;
		CU_ASSERT_EQUAL_FATAL(hist_table_add(f->table, cells, &entry), 0);
		CU_ASSERT_EQUAL_FATAL(hist_snapshot_grow(&snap, &f->schema, entry + 1), 0);
		snap.values[2 * entry] += rows[i].hits[n];
		snap.values[2 * entry + 1] += rows[i].hits[n] * rows[i].lat;
		snap.hits += rows[i].hits[n];
	}
	CU_ASSERT_EQUAL(metrics_ops.add(&f->metrics.sink, 0, &snap), 0);
	hist_snapshot_clear(&snap);
}

static void add_all(struct fixture *f)
{
	add_snapshot(f, 0);
	add_snapshot(f, 1);
	add_snapshot(f, 2);
}

static void end(struct fixture *f)
{
	metrics_ops.clear(&f->metrics.sink);
	hist_table_free(f->table);
}

static char *page(struct fixture *f, const struct hist_writer_ops *format, size_t *len)
{
	struct hist_strbuf b = { 0 };
	struct hist_error error = { 0 };

	CU_ASSERT_EQUAL_FATAL(metrics_write(&f->metrics, format, &b, &error), 0);
	*len = b.len;
	hist_strbuf_char(&b, '\0');
	return b.data;
}

/* The number of a series, -1: it is not there. */
static double number(const char *text, const char *series)
{
	size_t len = strlen(series);

	for (; text; text = strchr(text, '\n')) {
		text += *text == '\n';
		if (!strncmp(text, series, len) && text[len] == ' ')
			return strtod(text + len + 1, NULL);
	}
	return -1;
}

#define FAMILY "trace_test_wait_lat_microseconds"
#define A "{host=\"board\",comm=\"a\"}"
#define LE(le) FAMILY "_bucket{host=\"board\",comm=\"a\",le=\"" le "\"}"

static unsigned int count_bounds(const char *text)
{
	const char *begin = FAMILY "_bucket{host=\"board\",comm=\"a\",";
	unsigned int n = 0;

	for (; (text = strstr(text, begin)); text++)
		n++;
	return n;
}

/* The set-up is not counted, and what was counted before the clearing is. */
static void test_text(void)
{
	static const struct hist_writer_ops *const forms[] = { &hist_writer_prometheus,
							       &hist_writer_openmetrics };
	struct fixture f;
	unsigned int i;
	size_t len;
	char *text;

	begin(&f, HIST_KEY_LOG2, 0, false, false);
	add_all(&f);
	for (i = 0; i < 2; i++) {
		text = page(&f, forms[i], &len);
		CU_ASSERT_EQUAL(strlen(text), len);
		CU_ASSERT_EQUAL(number(text, LE("1.0")), 7);
		CU_ASSERT_EQUAL(number(text, LE("2.0")), 7);
		CU_ASSERT_EQUAL(number(text, LE("4.0")), 12);
		CU_ASSERT_EQUAL(number(text, LE("16.0")), 12);
		CU_ASSERT_EQUAL(number(text, LE("32.0")), 20);
		CU_ASSERT_EQUAL(number(text, LE("+Inf")), 20);
		CU_ASSERT_EQUAL(number(text, FAMILY "_count" A), 20);
		CU_ASSERT_EQUAL(number(text, FAMILY "_sum" A), 5 + 15 + 8 * 17);
		CU_ASSERT_EQUAL(count_bounds(text), 34);
		CU_ASSERT_EQUAL(number(text, FAMILY "_count{host=\"board\",comm=\"b\\\"\"}"), 7);
		CU_ASSERT_EQUAL(number(text, "trace_cmd_hist_resets_total{host=\"board\",histogram=\"test:wait\"}"), 1);
		CU_ASSERT_EQUAL(number(text, "trace_cmd_hist_left_out_hits{host=\"board\",histogram=\"test:wait\"}"), 10);
		CU_ASSERT_EQUAL(number(text, "trace_cmd_hist_start_time_seconds"), 1700000000.5);
		CU_ASSERT(number(text, "process_resident_memory_bytes") > 100000);
		/* no time: the server has its own */
		CU_ASSERT_PTR_NOT_NULL(strstr(text, LE("+Inf") " 20\n"));
		CU_ASSERT_PTR_NULL(strstr(text, "file_damage"));
		free(text);
	}
	end(&f);
}

/* Kinds of keys, and their bounds, which do not depend on the rows. */
static const struct {
	enum hist_key_kind kind;
	uint64_t bucket;
	bool is_signed, fine;
	unsigned int bounds;
	const char *series;
	double number;
} shapes[] = {
	{ HIST_KEY_FINE_LOG2, 3, false, false, 34, LE("32.0"), 20 },
	{ HIST_KEY_FINE_LOG2, 3, false, true, 242, LE("18.0"), 20 },
	{ HIST_KEY_FINE_LOG2, 3, false, true, 242, LE("16.0"), 12 },
	{ HIST_KEY_NUM, 0, false, false, 34, LE("16.0"), 12 },
	{ HIST_KEY_BUCKETS, 10, false, false, 62, LE("9.0"), 12 },
	{ HIST_KEY_BUCKETS, 10, false, false, 62, LE("19.0"), 20 },
	{ HIST_KEY_BUCKETS, 10, false, false, 62, LE("349.0"), 20 },
	{ HIST_KEY_LOG2, 0, true, false, 35, LE("-1.0"), 0 },
	{ HIST_KEY_LOG2, 0, true, false, 35, LE("1.0"), 7 },
};

static void test_bounds(void)
{
	struct fixture f;
	unsigned int i;
	size_t len;
	char *text;

	for (i = 0; i < sizeof(shapes) / sizeof(*shapes); i++) {
		begin(&f, shapes[i].kind, shapes[i].bucket, shapes[i].is_signed, shapes[i].fine);
		add_all(&f);
		text = page(&f, &hist_writer_prometheus, &len);
		if (count_bounds(text) != shapes[i].bounds ||
		    number(text, shapes[i].series) != shapes[i].number)
			fprintf(stderr, "\ncase %u: %u bounds, %s is %g\n", i, count_bounds(text),
				shapes[i].series, number(text, shapes[i].series));
		CU_ASSERT_EQUAL(count_bounds(text), shapes[i].bounds);
		CU_ASSERT_EQUAL(number(text, shapes[i].series), shapes[i].number);
		free(text);
		end(&f);
	}
}

/* A maximum, what the kernel saves with it in its columns, and the exemplar of the page. */
static const struct {
	const char *saved, *labels;
} exemplars[] = {
	{ "max:         17  cpu:          1  common_pid:          5", "pid=\"5\",cpu=\"1\",file=\"r.dat\"" },
	{ "max:         18  cpu:          1  common_pid:          5  prev_prio:         98  prev_comm: a\"b\\c           ",
	  "after=\"a\\\"b\\\\\\\\c\",after_pid=\"5\",after_prio=\"RT 1\",cpu=\"1\",file=\"r.dat\"" },
	/* what does not fit is left out, and a shorter one after it is not */
	{ "max:         19  field_of_so_many_letters_that_few_others_fit_1: 1234567890  "
	  "field_of_so_many_letters_that_few_others_fit_2: 1234567890  "
	  "field_of_so_many_letters_that_few_others_fit_3: 1234567890  x:          1",
	  "file=\"r.dat\",field_of_so_many_letters_that_few_others_fit_1=\"1234567890\","
	  "field_of_so_many_letters_that_few_others_fit_2=\"1234567890\",x=\"1\"" },
};

static void test_exemplars(void)
{
	static const struct hist_definition def = {
		.event = "test:wait", .trigger = "hist:keys=lat_us.log2:worst=lat_us:onmax($worst).save(cpu)",
		.engine = "kernel", .clock = "mono", .instance = "",
	};
	static const struct hist_schema schema = {
		.nkeys = 1, .nvalues = 2,
		.keys = { { .name = (char *)"lat_us", .kind = HIST_KEY_LOG2 } },
		.values = { { .name = (char *)"hitcount", .kind = HIST_VALUE_SUM },
			    { .name = (char *)"saved", .kind = HIST_VALUE_WORST } },
	};
	struct fixture f = { .schema = schema, .table = hist_table_new(&schema) };
	struct hist_snapshot snap = { .wall = 1700000000500000000, .time = 5 };
	const struct hist_cell cell = { .num = 5, .str = HIST_NO_STRING };
	char *text, want[400];
	unsigned int i;
	uint32_t entry, id;
	size_t len;

	f.metrics.sink.name = "test";
	f.metrics.file = "/some/where/r.dat";
	CU_ASSERT_EQUAL_FATAL(metrics_ops.define(&f.metrics.sink, &def, f.table), 0);
	CU_ASSERT_EQUAL(hist_table_add(f.table, &cell, &entry), 0);
	CU_ASSERT_EQUAL_FATAL(hist_snapshot_grow(&snap, &schema, 1), 0);
	CU_ASSERT_EQUAL(hist_table_intern(f.table, "max:         20", 15, &id), 0);
	snap.values[1] = id;
	CU_ASSERT_EQUAL(metrics_ops.add(&f.metrics.sink, 0, &snap), 0);
	for (i = 0; i < sizeof(exemplars) / sizeof(*exemplars); i++) {
		CU_ASSERT_EQUAL(hist_table_intern(f.table, exemplars[i].saved, strlen(exemplars[i].saved),
						  &id), 0);
		snap.values[0]++;
		snap.values[1] = id;
		CU_ASSERT_EQUAL(metrics_ops.add(&f.metrics.sink, 0, &snap), 0);
		text = page(&f, &hist_writer_openmetrics, &len);
		snprintf(want, sizeof(want), "le=\"32.0\"} %u # {%s} %u.0 1700000000.500\n", i + 1,
			 exemplars[i].labels, 17 + i);
		if (!strstr(text, want))
			fprintf(stderr, "\n%s---\n%s", want, text);
		CU_ASSERT_PTR_NOT_NULL(strstr(text, want));
		free(text);
		text = page(&f, &hist_writer_prometheus, &len);
		CU_ASSERT_PTR_NULL(strstr(text, "# {"));
		free(text);
	}
	/* five minutes later it is no news */
	snap.wall += UINT64_C(301000000000);
	CU_ASSERT_EQUAL(metrics_ops.add(&f.metrics.sink, 0, &snap), 0);
	text = page(&f, &hist_writer_openmetrics, &len);
	CU_ASSERT_PTR_NULL(strstr(text, "# {"));
	free(text);
	hist_snapshot_clear(&snap);
	end(&f);
}

/* --- protobuf --- */

struct field {
	unsigned int number;
	uint64_t value; /* or the bits of a double */
	struct varint_reader message;
};

static bool next_field(struct varint_reader *t, struct field *f)
{
	uint64_t key, len;
	const unsigned char *bytes;

	if (t->at >= t->end)
		return false;
	key = varint_read(t);
	f->number = key >> 3;
	switch (key & 7) {
	case 0:
		f->value = varint_read(t);
		break;
	case 1:
		bytes = varint_read_bytes(t, 8);
		CU_ASSERT_PTR_NOT_NULL_FATAL(bytes);
		for (f->value = 0, len = 8; len--;)
			f->value = f->value << 8 | bytes[len];
		break;
	default:
		len = varint_read(t);
		bytes = varint_read_bytes(t, len);
		CU_ASSERT_PTR_NOT_NULL_FATAL(bytes);
		f->message = varint_begin(bytes, len);
	}
	CU_ASSERT_FALSE_FATAL(t->failed);
	return true;
}

/* The field @number of a message, the @nth of several. */
static struct field find(struct varint_reader t, unsigned int number, unsigned int nth)
{
	struct field f = { 0 };

	while (next_field(&t, &f))
		if (f.number == number && !nth--)
			return f;
	return (struct field){ 0 };
}

static bool equals(struct varint_reader t, const char *text)
{
	return (size_t)(t.end - t.at) == strlen(text) && !memcmp(t.at, text, strlen(text));
}

/* The family @name of a page. */
static struct varint_reader family(const char *data, size_t len, const char *name)
{
	struct varint_reader t = varint_begin(data, len);
	struct varint_reader one;
	uint64_t size;

	while (t.at < t.end) {
		size = varint_read(&t);
		one = varint_begin(varint_read_bytes(&t, size), size);
		CU_ASSERT_FALSE_FATAL(t.failed);
		if (equals(find(one, 1, 0).message, name))
			return one;
	}
	return varint_begin("", 0);
}

static double real(uint64_t bits)
{
	double v;

	memcpy(&v, &bits, sizeof(v));
	return v;
}

static void test_native(void)
{
	/* 3 and 4, and then 17 to 32: spans from the octave 2, and 2 after its end */
	static const int64_t spans[][2] = { { 2, 1 }, { 2, 1 } }, deltas[] = { 5, 3 };
	struct varint_reader metric, hist, label, one;
	struct fixture f;
	unsigned int i;
	size_t len;
	char *data;

	begin(&f, HIST_KEY_FINE_LOG2, 3, false, false);
	add_all(&f);
	data = page(&f, &hist_writer_protobuf, &len);
	one = family(data, len, FAMILY);
	CU_ASSERT_EQUAL(find(one, 3, 0).value, 4);
	metric = find(one, 4, 0).message;
	label = find(metric, 1, 1).message;
	CU_ASSERT(equals(find(label, 1, 0).message, "comm"));
	CU_ASSERT(equals(find(label, 2, 0).message, "a"));
	hist = find(metric, 7, 0).message;
	CU_ASSERT_EQUAL(find(hist, 1, 0).value, 20);
	CU_ASSERT_EQUAL(real(find(hist, 2, 0).value), 5 + 15 + 8 * 17);
	CU_ASSERT_EQUAL(find(hist, 3, 0).number, 0);
	CU_ASSERT_EQUAL(real(find(hist, 6, 0).value), 1);
	CU_ASSERT_EQUAL(find(hist, 7, 0).value, 7);
	for (i = 0; i < 2; i++) {
		struct varint_reader span = find(hist, 12, i).message;

		CU_ASSERT_EQUAL(varint_unzigzag(find(span, 1, 0).value), spans[i][0]);
		CU_ASSERT_EQUAL(find(span, 2, 0).value, (uint64_t)spans[i][1]);
	}
	CU_ASSERT_EQUAL(find(hist, 12, 2).number, 0);
	one = find(hist, 13, 0).message;
	for (i = 0; i < 2; i++)
		CU_ASSERT_EQUAL(varint_unzigzag(varint_read(&one)), deltas[i]);
	CU_ASSERT_PTR_EQUAL(one.at, one.end);
	one = find(hist, 15, 0).message;
	CU_ASSERT_EQUAL(find(one, 1, 0).value, 1700000000);
	CU_ASSERT_EQUAL(find(one, 2, 0).value, 500000000);
	/* the escape of the text is not in a label */
	label = find(find(family(data, len, FAMILY), 4, 1).message, 1, 1).message;
	CU_ASSERT(equals(find(label, 2, 0).message, "b\""));
	one = family(data, len, "trace_cmd_hist_hits_total");
	CU_ASSERT_EQUAL(find(one, 3, 0).value, 0);
	CU_ASSERT_EQUAL(real(find(find(find(one, 4, 0).message, 3, 0).message, 1, 0).value), 27);
	free(data);
	end(&f);
}

static void test_classic(void)
{
	struct varint_reader hist, bucket;
	struct fixture f;
	unsigned int n;
	size_t len;
	char *data;

	begin(&f, HIST_KEY_LOG2, 0, true, false);
	add_all(&f);
	data = page(&f, &hist_writer_protobuf, &len);
	hist = find(find(family(data, len, FAMILY), 4, 0).message, 7, 0).message;
	for (n = 0; find(hist, 3, n).number; n++)
		;
	CU_ASSERT_EQUAL(n, 35);
	CU_ASSERT_EQUAL(find(hist, 13, 0).number, 0);
	bucket = find(hist, 3, 0).message;
	CU_ASSERT_EQUAL(real(find(bucket, 2, 0).value), -1);
	CU_ASSERT_EQUAL(find(bucket, 1, 0).value, 0);
	bucket = find(hist, 3, 1).message;
	CU_ASSERT_EQUAL(real(find(bucket, 2, 0).value), 1);
	CU_ASSERT_EQUAL(find(bucket, 1, 0).value, 7);
	free(data);
	end(&f);
}

UNIT_TESTS(
	{ "the counters begin after the set-up, and do not fall at a clearing", test_text },
	{ "the bounds of a histogram do not depend on what was counted", test_bounds },
	{ "the worst of a row is an exemplar for five minutes, of 128 characters", test_exemplars },
	{ "octaves are a native histogram in protobuf, with its start and its labels", test_native },
	{ "a signed histogram is a classic one in protobuf", test_classic });

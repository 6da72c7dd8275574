// SPDX-License-Identifier: GPL-2.0
/*
 * hist_raw_test.c - reading hist_raw files that are made here: keys, resets, names and damage
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include <CUnit/Basic.h>

#include "lib/event/event.h"
#include "lib/expr/expr.h"
#include "lib/histfile/hist_raw.h"
#include "utest/unit/lib/histfile/raw_make.h"
#include "utest/unit/lib/histfile/raw_render.h"
#include "utest/unit/test_data.h"
#include "utest/unit/tests.h"

/* A table with a reader, for files that are made here. */
struct fixture {
	struct hist_table *table;
	struct hist_raw_reader *reader;
	struct hist_snapshot snap;
	struct hist_error error;
};

static void setup(struct fixture *f, const char *trigger, const struct hist_event *event)
{
	struct hist_schema *schema;
	struct hist_expr *expr;

	memset(f, 0, sizeof(*f));
	CU_ASSERT_EQUAL_FATAL(hist_expr_parse(&expr, trigger, NULL), 0);
	CU_ASSERT_EQUAL_FATAL(hist_schema_make(&schema, expr, event), 0);
	f->table = hist_table_new(schema);
	f->reader = hist_raw_reader_new(f->table);
	hist_schema_free(schema);
	hist_expr_free(expr);
}

static void teardown(struct fixture *f)
{
	hist_raw_reader_free(f->reader);
	hist_table_free(f->table);
	hist_snapshot_clear(&f->snap);
}

static int read_made(struct fixture *f, struct raw_make *m, const struct hist_kallsyms *symbols)
{
	struct hist_raw_block block;
	struct hist_raw raw;
	size_t pos = 0;

	raw_make_file(m);
	CU_ASSERT_EQUAL_FATAL(hist_raw_open(&raw, m->data, m->len), 0);
	CU_ASSERT_TRUE_FATAL(hist_raw_next_block(&raw, &pos, &block));
	CU_ASSERT_EQUAL(pos, m->len);
	return hist_raw_read(f->reader, symbols, &raw, &block, &f->snap, &f->error);
}

#define KEY 0x1
#define STACK 0x8
#define SYM 0x200
#define EXECNAME 0x800
#define LOG2 0x2000
#define HITCOUNT { 0, 0, 8, "hitcount", 0 }

/* Entries of a hitcount and one number. */
static struct raw_make numbers(const char *trigger, const char *name, uint32_t flags)
{
	struct raw_make m = {
		.id = 7, .trigger = trigger, .entry_size = 16, .nfields = 2,
		.fields = { HITCOUNT, { KEY | flags, 8, 8, name, 0 } },
	};

	return m;
}

static void add_number(struct raw_make *m, uint64_t key, uint64_t hitcount)
{
	raw_make_entry(m);
	raw_make_number(m, 8, key);
	raw_make_number(m, 0, hitcount);
	m->hits += hitcount;
}

static uint64_t hits_of(const struct fixture *f, uint64_t key)
{
	uint32_t e;

	for (e = 0; e < f->snap.nentries; e++) {
		if (hist_table_cells(f->table, e)->num == key)
			return f->snap.values[e];
	}
	return 0;
}

#define PID "hist:keys=pid:vals=hitcount:sort=hitcount:size=2048"

/* Rows come in between; one is missing for once; one is there twice. */
static void test_reread(void)
{
	struct raw_make m = numbers(PID " [active]", "pid", 0);
	struct fixture f;

	setup(&f, PID, NULL);
	add_number(&m, 10, 1);
	add_number(&m, 30, 3);
	CU_ASSERT_EQUAL(read_made(&f, &m, NULL), 0);
	CU_ASSERT_EQUAL(f.snap.nentries, 2);
	CU_ASSERT_EQUAL(f.snap.dropped, 3);
	m.nentries = m.hits = 0;
	add_number(&m, 10, 2);
	add_number(&m, 20, 5);
	add_number(&m, 30, 4);
	add_number(&m, 20, 6);
	CU_ASSERT_EQUAL(read_made(&f, &m, NULL), 0);
	CU_ASSERT_EQUAL(f.snap.nentries, 3);
	CU_ASSERT_EQUAL(f.snap.flags, 0);
	CU_ASSERT_EQUAL(hits_of(&f, 10), 2);
	CU_ASSERT_EQUAL(hits_of(&f, 20), 11);
	CU_ASSERT_EQUAL(hits_of(&f, 30), 4);
	/* the first of the two rows has fewer hits than both before */
	m.nentries = m.hits = 0;
	add_number(&m, 20, 6);
	add_number(&m, 20, 7);
	m.hits = 20;
	CU_ASSERT_EQUAL(read_made(&f, &m, NULL), 0);
	CU_ASSERT_EQUAL(f.snap.flags, 0);
	CU_ASSERT_EQUAL(hits_of(&f, 20), 13);
	m.nentries = m.hits = 0;
	add_number(&m, 20, 12);
	add_number(&m, 10, 7);
	m.hits = 30;
	CU_ASSERT_EQUAL(read_made(&f, &m, NULL), 0);
	CU_ASSERT_EQUAL(f.snap.flags, HIST_SNAP_RESET);
	CU_ASSERT_EQUAL(f.snap.nentries, 3);
	CU_ASSERT_EQUAL(hits_of(&f, 10), 7);
	CU_ASSERT_EQUAL(hits_of(&f, 20), 12);
	CU_ASSERT_EQUAL(hits_of(&f, 30), 4);
	teardown(&f);
}

static int read_again(struct fixture *f, struct raw_make *m)
{
	CU_ASSERT_EQUAL(f->snap.flags, HIST_SNAP_RESET);
	hist_table_clear(f->table);
	hist_snapshot_clear(&f->snap);
	return read_made(f, m, NULL);
}

/* Somebody cleared it though it counts more than before; or made it anew; or it shrank. */
static void test_reset(void)
{
	struct raw_make m = numbers(PID, "pid", 0);
	struct fixture f;

	setup(&f, PID, NULL);
	add_number(&m, 10, 1);
	CU_ASSERT_EQUAL(read_made(&f, &m, NULL), 0);
	m.nentries = m.hits = 0;
	m.resets = 1;
	add_number(&m, 20, 9);
	CU_ASSERT_EQUAL(read_made(&f, &m, NULL), 0);
	CU_ASSERT_EQUAL(read_again(&f, &m), 0);
	CU_ASSERT_EQUAL(f.snap.flags, 0);
	CU_ASSERT_EQUAL(f.snap.nentries, 1);
	CU_ASSERT_EQUAL(hits_of(&f, 20), 9);
	m.id = 8;
	CU_ASSERT_EQUAL(read_made(&f, &m, NULL), 0);
	CU_ASSERT_EQUAL(read_again(&f, &m), 0);
	/* the text was read meanwhile, which tells such things by itself */
	m.resets = 2;
	hist_raw_note_text(f.reader);
	CU_ASSERT_EQUAL(read_made(&f, &m, NULL), 0);
	CU_ASSERT_EQUAL(f.snap.flags, 0);
	m.nentries = 0;
	m.hits = 100;
	add_number(&m, 20, 8);
	CU_ASSERT_EQUAL(read_made(&f, &m, NULL), 0);
	CU_ASSERT_EQUAL(f.snap.flags, HIST_SNAP_RESET);
	teardown(&f);
}

/* The same bytes from a machine with the other byte order, and with the other long. */
static void test_other_machine(void)
{
	struct raw_make m = numbers("hist:keys=common_pid.execname", "common_pid", EXECNAME);
	struct fixture f;
	const char *s;
	size_t len;

	setup(&f, "hist:keys=common_pid.execname", NULL);
	m.swap = true;
	m.long_size = 4;
	m.comm = 16;
	m.entry_size = 32;
	add_number(&m, 0x12345, 0x100000001);
	raw_make_string(&m, 16, "a task's name 16");
	CU_ASSERT_EQUAL(read_made(&f, &m, NULL), 0);
	CU_ASSERT_EQUAL(f.snap.hits, 0x100000001);
	CU_ASSERT_EQUAL(hits_of(&f, 0x12345), 0x100000001);
	s = hist_table_string(f.table, hist_table_cells(f.table, 0)->str, &len);
	CU_ASSERT_EQUAL(len, 16);
	CU_ASSERT_STRING_EQUAL(s, "a task's name 16");
	teardown(&f);
}

/* Of a signed field the kernel says 2^64 for what is below zero. */
static void test_log2_negative(void)
{
	static const char format[] =
		"name: made\nID: 1\nformat:\n"
		"\tfield:unsigned short common_type;\toffset:0;\tsize:2;\tsigned:0;\n\n"
		"\tfield:long ret;\toffset:8;\tsize:8;\tsigned:1;\n\nprint fmt: \"\"\n";
	struct raw_make m = numbers("hist:keys=ret.log2", "ret", LOG2);
	struct hist_event *event;
	struct fixture f;

	CU_ASSERT_EQUAL_FATAL(hist_event_parse(&event, "made", format, sizeof(format) - 1), 0);
	setup(&f, "hist:keys=ret.log2", event);
	add_number(&m, 64, 3);
	add_number(&m, 63, 2);
	CU_ASSERT_EQUAL(read_made(&f, &m, NULL), 0);
	CU_ASSERT_EQUAL(hits_of(&f, HIST_LOG2_NEGATIVE), 3);
	CU_ASSERT_EQUAL(hits_of(&f, 63), 2);
	teardown(&f);
	hist_event_free(event);
}

/* The kernel says with which number a bucket begins; all negative numbers are in one. */
static void test_fine_log2(void)
{
	static const char format[] =
		"name: made\nID: 1\nformat:\n"
		"\tfield:unsigned short common_type;\toffset:0;\tsize:2;\tsigned:0;\n\n"
		"\tfield:long ret;\toffset:8;\tsize:8;\tsigned:1;\n\nprint fmt: \"\"\n";
	static const struct {
		uint64_t kernel, ge, le;
	} cases[] = {
		{ 0, 0, 0 },
		{ 1, 1, 1 },
		{ 9, 9, 10 },
		{ 33, 33, 40 },
		{ 57, 57, 64 },
		{ 0x7000000000000001, 0x7000000000000001, 0x8000000000000000 },
		{ 0x8000000000000001, 0x8000000000000001, UINT64_MAX },
	};
	struct raw_make m = numbers("hist:keys=ret.log2=2", "ret", LOG2);
	struct hist_bounds bounds;
	struct hist_event *event;
	const struct hist_key_desc *key;
	struct fixture f;
	uint32_t i;

	CU_ASSERT_EQUAL_FATAL(hist_event_parse(&event, "made", format, sizeof(format) - 1), 0);
	setup(&f, "hist:keys=ret.log2=2", event);
	key = &hist_table_schema(f.table)->keys[0];
	m.fields[1].buckets = 2;
	for (i = 0; i < sizeof(cases) / sizeof(*cases); i++)
		add_number(&m, cases[i].kernel, i + 1);
	CU_ASSERT_EQUAL(read_made(&f, &m, NULL), 0);
	CU_ASSERT_EQUAL_FATAL(f.snap.nentries, i);
	while (i--) {
		hist_key_bounds(key, hist_table_cells(f.table, i)->num, &bounds);
		CU_ASSERT_EQUAL(bounds.ge, cases[i].ge);
		CU_ASSERT_EQUAL(bounds.le, cases[i].le);
		CU_ASSERT_EQUAL(f.snap.values[i], i + 1);
	}
	add_number(&m, 34, 1);
	CU_ASSERT_EQUAL(read_made(&f, &m, NULL), -EBADMSG);
	CU_ASSERT_STRING_EQUAL(f.error.what, "\"ret\" has no bucket that starts at 34");
	m.nentries--;
	m.fields[1].buckets = 3;
	CU_ASSERT_EQUAL(read_made(&f, &m, NULL), -EBADMSG);
	/* the exponents of .log2 are other numbers */
	m.fields[1].buckets = 0;
	CU_ASSERT_EQUAL(read_made(&f, &m, NULL), -EBADMSG);
	teardown(&f);
	hist_event_free(event);
}

/* A symbol has the name that the text gave its address; the snapshot waits for that. */
static void test_names(void)
{
	struct raw_make m = numbers("hist:keys=ip.sym", "ip", SYM);
	struct hist_cell cell = { .num = 0x1000 };
	struct fixture f;
	uint32_t e;

	setup(&f, "hist:keys=ip.sym", NULL);
	add_number(&m, 0x1000, 5);
	CU_ASSERT_EQUAL(read_made(&f, &m, NULL), -ENOENT);
	CU_ASSERT_EQUAL(f.snap.hits, 0);
	CU_ASSERT_EQUAL_FATAL(hist_table_intern(f.table, "vfs_read", 8, &cell.str), 0);
	CU_ASSERT_EQUAL_FATAL(hist_table_add(f.table, &cell, &e), 0);
	CU_ASSERT_EQUAL(read_made(&f, &m, NULL), 0);
	CU_ASSERT_EQUAL(f.snap.nentries, 1);
	CU_ASSERT_EQUAL(hits_of(&f, 0x1000), 5);
	/* names of a table that was cleared are gone */
	hist_table_clear(f.table);
	CU_ASSERT_EQUAL(read_made(&f, &m, NULL), -ENOENT);
	teardown(&f);
}

static struct hist_kallsyms *few_symbols(void)
{
	static const char text[] =
		"0000000000001000 T _stext\n0000000000001000 T first\n0000000000001100 t second\n"
		"0000000000001200 t other_name\n0000000000001200 t third\n0000000000001300 T _etext\n"
		"0000000000001400 D data\n"
		"0000000000009000 t mod_one\t[mod]\n0000000000008f00 t $x\t[mod]\n"
		"0000000000009080 T mod_two\t[mod]\n0000000000009100 r mod_data\t[mod]\n"
		"000000000000a000 t bpf_prog\t[bpf]\n000000000000a100 t bpf_prog_2\t[bpf]\n";
	struct hist_kallsyms *symbols = NULL;

	CU_ASSERT_EQUAL_FATAL(hist_kallsyms_new(&symbols, strdup(text), strlen(text)), 0);
	return symbols;
}

static void test_symbols(void)
{
	static const struct {
		uint64_t address;
		const char *name; /* NULL: none */
	} cases[] = {
		{ 0x1000, "_stext+0x0/0x100" },
		{ 0x11ff, "second+0xff/0x100" },
		{ 0x1210, "other_name+0x10/0x100" },
		{ 0x12ff, "other_name+0xff/0x100" },
		{ 0x1300, NULL },
		{ 0xfff, NULL },
		{ 0x9010, "mod_one+0x10/0x80 [mod]" },
		{ 0x9080, NULL }, /* where does it end? */
		{ 0x8f10, NULL },
		{ 0xa010, NULL },
	};
	static const char *const bad[] = {
		"", "0000000000001000 T _stext", "x\n", "0000000000001000 T \n",
		"0000000000001000 T _stext\n0000000000000f00 T _etext\n",
		"0000000000001000 T first\n", "0000000000009000 t m\t[mod\n",
		"0000000000009000 t m\t[mod]\n0000000000001000 T first\n",
	};
	static const char zeros[] = "0000000000000000 T _stext\n0000000000000000 T _etext\n";
	struct hist_kallsyms *symbols = few_symbols();
	char name[HIST_SYMBOL_MAX];
	unsigned int i;
	int ret;

	for (i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		ret = hist_kallsyms_format(symbols, cases[i].address, name);
		CU_ASSERT_EQUAL(ret, cases[i].name ? (int)strlen(cases[i].name) : -ENOENT);
		if (ret >= 0)
			CU_ASSERT_STRING_EQUAL(name, cases[i].name ? cases[i].name : "");
	}
	hist_kallsyms_free(symbols);
	for (i = 0; i < sizeof(bad) / sizeof(*bad); i++)
		CU_ASSERT_EQUAL(hist_kallsyms_new(&symbols, strdup(bad[i]), strlen(bad[i])),
				-EBADMSG);
	CU_ASSERT_EQUAL(hist_kallsyms_new(&symbols, strdup(zeros), strlen(zeros)), -EPERM);
}

static struct raw_make stacks(void)
{
	struct raw_make m = {
		.id = 7, .trigger = "hist:keys=common_stacktrace", .entry_size = 40, .nfields = 2,
		.fields = { HITCOUNT, { KEY | STACK, 8, 32, "common_stacktrace", 0 } },
	};

	return m;
}

static void add_stack(struct raw_make *m, uint64_t inner, uint64_t outer)
{
	raw_make_entry(m);
	raw_make_number(m, 0, 1);
	raw_make_number(m, 8, inner);
	raw_make_number(m, 16, outer);
	m->hits++;
}

static void tell_stack(struct fixture *f, const char *frames)
{
	struct hist_cell cell = { .num = 0 };
	uint32_t e;

	CU_ASSERT_EQUAL_FATAL(hist_table_intern(f->table, frames, strlen(frames), &cell.str), 0);
	CU_ASSERT_EQUAL_FATAL(hist_table_add(f->table, &cell, &e), 0);
}

/* Names of frames are used once the text has shown them; in whatever stack. */
static void test_stacks(void)
{
	struct hist_kallsyms *symbols = few_symbols();
	struct raw_make m = stacks();
	struct fixture f;
	unsigned int i;

	setup(&f, m.trigger, NULL);
	add_stack(&m, 0x1110, 0x1220);
	CU_ASSERT_EQUAL(read_made(&f, &m, NULL), -EADDRNOTAVAIL);
	CU_ASSERT_EQUAL(read_made(&f, &m, symbols), -ENOENT);
	tell_stack(&f, "second+0x10/0x100\nother_name+0x20/0x100");
	CU_ASSERT_EQUAL(read_made(&f, &m, symbols), 0);
	CU_ASSERT_EQUAL(f.snap.nentries, 1);
	/* the same frames: nothing to learn */
	add_stack(&m, 0x1220, 0x1110);
	add_stack(&m, 0x1110, 0);
	add_stack(&m, 0, 0);
	CU_ASSERT_EQUAL(read_made(&f, &m, symbols), 0);
	CU_ASSERT_EQUAL(f.snap.nentries, 4);
	CU_ASSERT_STRING_EQUAL(hist_table_string(f.table, hist_table_cells(f.table, 1)->str, NULL),
			       "other_name+0x20/0x100\nsecond+0x10/0x100");
	CU_ASSERT_STRING_EQUAL(hist_table_string(f.table, hist_table_cells(f.table, 3)->str, NULL), "");
	/* one that the kernel calls otherwise is asked for some times, then no more */
	add_stack(&m, 0x1110, 0x1230);
	for (i = 0; i < 8; i++) {
		CU_ASSERT_EQUAL(read_made(&f, &m, symbols), -ENOENT);
		tell_stack(&f, "second+0x10/0x100\nthird+0x30/0x100");
	}
	CU_ASSERT_EQUAL(read_made(&f, &m, symbols), -EADDRNOTAVAIL);
	CU_ASSERT_EQUAL(f.snap.hits, 4);
	/* one without a symbol */
	m.nentries = 4;
	add_stack(&m, 0x5000, 0);
	CU_ASSERT_EQUAL(read_made(&f, &m, symbols), -EADDRNOTAVAIL);
	teardown(&f);
	hist_kallsyms_free(symbols);
}

/* As long as the text shows frames that are asked for, new ones may come each time. */
static void test_new_stacks(void)
{
	struct hist_kallsyms *symbols = few_symbols();
	struct raw_make m = stacks();
	struct fixture f;
	unsigned int i;
	char frame[64];

	setup(&f, m.trigger, NULL);
	for (i = 0; i < 20; i++) {
		add_stack(&m, 0x1100 + i, 0);
		CU_ASSERT_EQUAL(read_made(&f, &m, symbols), -ENOENT);
		snprintf(frame, sizeof(frame), "second+0x%x/0x100", i);
		tell_stack(&f, frame);
	}
	CU_ASSERT_EQUAL(read_made(&f, &m, symbols), 0);
	CU_ASSERT_EQUAL(f.snap.nentries, 20);
	teardown(&f);
	hist_kallsyms_free(symbols);
}

/* What does not fit the trigger is an error with a reason. */
static void test_errors(void)
{
	static const struct {
		struct raw_make_field field; /* in the place of the key */
		const char *why;
	} cases[] = {
		{ { 0, 8, 8, "pid", 0 }, "0 keys, but the trigger has 1" },
		{ { KEY | SYM, 8, 8, "pid", 0 }, "key 1 does not have the type that the trigger defines" },
		{ { KEY, 8, 4, "pid", 0 }, "key 1 does not have the size, bucket width or task names that the trigger requires" },
		{ { KEY, 9, 8, "pid", 0 }, "field 2 has an invalid name, offset or size" },
		{ { KEY, UINT32_MAX - 3, 8, "pid", 0 }, "field 2 has an invalid name, offset or size" },
	};
	struct raw_make m;
	struct fixture f;
	unsigned int i;

	for (i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		setup(&f, PID, NULL);
		m = numbers(PID, "pid", 0);
		m.fields[1] = cases[i].field;
		add_number(&m, 10, 1);
		CU_ASSERT_EQUAL(read_made(&f, &m, NULL), -EBADMSG);
		CU_ASSERT_STRING_EQUAL(f.error.what, cases[i].why);
		CU_ASSERT_EQUAL(f.snap.nentries, 0);
		teardown(&f);
	}
	setup(&f, "hist:keys=pid:vals=bytes", NULL);
	m = numbers(PID, "pid", 0);
	CU_ASSERT_EQUAL(read_made(&f, &m, NULL), -EBADMSG);
	CU_ASSERT_STRING_EQUAL(f.error.what, "no value \"bytes\"");
	teardown(&f);
}

/* Any cut, and any byte that is another: an error or numbers, nothing worse. */
static void test_damage(void)
{
	char *raw, *text;
	size_t len, text_len, i;
	struct hist_raw opened;

	raw = test_read_file(test_data_path("raw/multi.raw"), &len);
	text = test_read_file(test_data_path("raw/multi.txt"), &text_len);
	for (i = 0; i < len; i++)
		CU_ASSERT_EQUAL(hist_raw_open(&opened, raw, i), -EBADMSG);
	for (i = 0; i < len; i++) {
		raw[i] ^= 0xff;
		raw_render(raw, len, text, text_len, NULL, NULL, NULL);
		raw[i] ^= 0xff;
	}
	raw[16] ^= 1;
	CU_ASSERT_EQUAL(hist_raw_open(&opened, raw, len), -EBADMSG);
	raw[16] ^= 1;
	raw[4] = 2;
	CU_ASSERT_EQUAL(hist_raw_open(&opened, raw, len), -ENOTSUP);
	free(raw);
	free(text);
}

UNIT_TESTS(
	{ "reading hist_raw again adds new rows, keeps missing rows and sums up duplicate rows",
	  test_reread },
	{ "hist_raw with another reset count, another id or a smaller entry flags a reset",
	  test_reset },
	{ "hist_raw of a 32-bit machine with the other byte order yields the same numbers",
	  test_other_machine },
	{ "bucket 64 of a signed log2 key in hist_raw is read as the negative bucket",
	  test_log2_negative },
	{ "the first number of a bucket of .log2=K in hist_raw finds the bucket, and no other number does",
	  test_fine_log2 },
	{ "a hist_raw snapshot waits until the hist text has named its symbols", test_names },
	{ "an address is formatted as the kernel prints symbols, and damaged kallsyms are refused",
	  test_symbols },
	{ "a stack in hist_raw uses the names of frames only after the hist text shows them",
	  test_stacks },
	{ "hist_raw keeps asking for the hist text as long as the text names new stack frames",
	  test_new_stacks },
	{ "a hist_raw file that does not fit the trigger is refused with the reason", test_errors },
	{ "a truncated hist_raw file is refused, and a changed byte does not crash the reader",
	  test_damage });

// SPDX-License-Identifier: GPL-2.0
/*
 * hist_text_test.c - what a kernel printed is read as hist_text.py reads it
 *
 * data/hist/NAME.txt are hist files of a 6.12 kernel (41 and 42: 7.3), one for each way of
 * printing; NAME.expected is what hist_text.py --cells makes of them.
 */
#include <errno.h>
#include <glob.h>
#include <stdlib.h>
#include <string.h>

#include <CUnit/Basic.h>

#include "lib/expr/expr.h"
#include "lib/histfile/hist_text.h"
#include "utest/unit/lib/histfile/text_render.h"
#include "utest/unit/test_data.h"
#include "utest/unit/tests.h"

#define SAMPLES 50

/* The line in which two texts differ, for a message that helps. */
static void show_difference(const char *name, const char *got, const char *want)
{
	unsigned int line = 1;

	for (; *got == *want && *got; got++, want++)
		line += *got == '\n';
	printf("\n%s: line %u: read \"%.*s\", expected \"%.*s\"\n", name, line,
	       (int)strcspn(got, "\n"), got, (int)strcspn(want, "\n"), want);
}

static void compare_sample(const char *path, const struct hist_event *event)
{
	struct hist_error error = { 0 };
	char expected_path[4096], *text, *want, *got = NULL;
	size_t len, want_len, got_len = 0;
	uint32_t flags;
	FILE *out = open_memstream(&got, &got_len);
	int ret;

	text = test_read_file(path, &len);
	snprintf(expected_path, sizeof(expected_path), "%.*s.expected", (int)strlen(path) - 4, path);
	want = test_read_file(expected_path, &want_len);
	ret = text_render(text, len, event, out, &flags, &error);
	fclose(out);
	CU_ASSERT_EQUAL(ret, 0);
	if (ret)
		printf("\n%s: %s\n", path, test_error(&error));
	CU_ASSERT_FALSE(flags & HIST_SNAP_AMBIGUOUS);
	CU_ASSERT_STRING_EQUAL(got, want);
	if (strcmp(got, want))
		show_difference(path, got, want);
	free(text);
	free(want);
	free(got);
}

static void test_samples(void)
{
	glob_t found = { 0 };
	size_t i;

	CU_ASSERT_EQUAL_FATAL(glob(test_data_path("hist/*.txt"), 0, NULL, &found), 0);
	CU_ASSERT_EQUAL(found.gl_pathc, SAMPLES);
	for (i = 0; i < found.gl_pathc; i++)
		compare_sample(found.gl_pathv[i], NULL);
	globfree(&found);
}

/* With the format of the event: the kinds are known before the first row. */
static void test_samples_with_format(void)
{
	static const char *const names[] = {
		"01-basic", "02-multi-hist", "12-stacktrace", "13b-stacktrace-mid",
		"17-paused", "18b-expr-val", "21b-comm-odd", "22-onmax-save",
		"25-onchange-save", "25b-onchange-snapshot",
	};
	struct hist_event *event;
	char path[64], *format;
	unsigned int i;
	size_t len;

	format = test_read_file(test_data_path("formats/sched_switch"), &len);
	CU_ASSERT_EQUAL_FATAL(hist_event_parse(&event, "sched", format, len), 0);
	for (i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
		snprintf(path, sizeof(path), "hist/%s.txt", names[i]);
		compare_sample(test_data_path(path), event);
	}
	hist_event_free(event);
	free(format);
}

/* A parser with what it needs, for texts that are written here. */
struct fixture {
	struct hist_table *table;
	struct hist_text_parser *parser;
	struct hist_snapshot snap;
	struct hist_error error;
	int ret;
};

static void setup_event(struct fixture *f, const char *trigger, const struct hist_event *event)
{
	struct hist_schema *schema;
	struct hist_expr *expr;

	memset(f, 0, sizeof(*f));
	CU_ASSERT_EQUAL_FATAL(hist_expr_parse(&expr, trigger, NULL), 0);
	CU_ASSERT_EQUAL_FATAL(hist_schema_make(&schema, expr, event), 0);
	f->table = hist_table_new(schema);
	f->parser = hist_text_parser_new(f->table);
	hist_schema_free(schema);
	hist_expr_free(expr);
}

static void setup(struct fixture *f, const char *trigger)
{
	setup_event(f, trigger, NULL);
}

static void teardown(struct fixture *f)
{
	hist_text_parser_free(f->parser);
	hist_table_free(f->table);
	hist_snapshot_clear(&f->snap);
}

static void read_text(struct fixture *f, const char *text)
{
	struct hist_text_block block;
	size_t pos = 0;

	CU_ASSERT_EQUAL_FATAL(hist_text_next_block(text, strlen(text), &pos, &block), 1);
	CU_ASSERT_EQUAL(pos, strlen(text));
	f->ret = hist_text_parse(f->parser, &block, &f->snap, &f->error);
}

#define HEAD(trigger) "# event histogram\n#\n# trigger info: " trigger "\n#\n\n"
#define TOTALS(h, e, d) "\nTotals:\n    Hits: " #h "\n    Entries: " #e "\n    Dropped: " #d "\n"
#define PID "hist:keys=pid:vals=hitcount:sort=hitcount:size=2048"

#define SWITCH "hist:keys=next_pid:vals=hitcount:p=prev_prio:sort=hitcount:size=2048:clock=global:" \
	       "onchange($p).save(prev_comm,prev_pid,prev_state,next_comm)"
#define MINUS_1 "18446744073709551615"

/* The text of the only row, read with the event's format. */
static void saved_is(const struct hist_event *event, const char *text, const char *expected)
{
	struct fixture f;
	const char *s;
	size_t len;

	setup_event(&f, SWITCH, event);
	read_text(&f, text);
	CU_ASSERT_EQUAL_FATAL(f.ret, 0);
	s = hist_table_string(f.table, f.snap.values[1], &len);
	CU_ASSERT_EQUAL(len, strlen(expected));
	CU_ASSERT_NSTRING_EQUAL(s, expected, strlen(expected));
	teardown(&f);
}

/* The kernel prints saved numbers as u64: those of signed fields get their sign. */
static void test_saved_signs(void)
{
#define ROW "{ next_pid:          7 } hitcount:          1\n\t"
#define SAVED(p, comm, pid, state, next) "changed: " p "  prev_comm: " comm "  prev_pid: " pid \
	      "  prev_state: " state "  next_comm: " next
	/* a name that looks like what follows it, and one that is longer than its column */
	static const char *const comms[] = {
		("a  prev_pid: " MINUS_1), "x                               ",
		"a name that is longer than the columns it has",
	};
	char text[1024], expected[512], column[64];
	struct hist_event *event;
	unsigned int i;
	char *format;
	size_t len;

	format = test_read_file(test_data_path("formats/sched_switch"), &len);
	CU_ASSERT_EQUAL_FATAL(hist_event_parse(&event, "sched", format, len), 0);
	for (i = 0; i < sizeof(comms) / sizeof(comms[0]); i++) {
		snprintf(column, sizeof(column), "%-32s", comms[i]);
		snprintf(text, sizeof(text), HEAD(SWITCH " [active]") ROW
			 SAVED("18446744073709551611", "%s", "4294967294", MINUS_1,
			       "prev_state: " MINUS_1 "        ") "\n" TOTALS(1, 1, 0), column);
		snprintf(expected, sizeof(expected),
			 SAVED("        -5", "%s", "        -2", "        -1", "prev_state: " MINUS_1),
			 column);
		saved_is(event, text, expected);
	}
	/* what has another order, or no format, stays */
	saved_is(event, HEAD(SWITCH " [active]") ROW "changed: " MINUS_1 "  pid: " MINUS_1 "\n"
		 TOTALS(1, 1, 0), "changed: " MINUS_1 "  pid: " MINUS_1);
	saved_is(NULL, HEAD(SWITCH " [active]") ROW SAVED(MINUS_1, "x", MINUS_1, MINUS_1, "y") "\n"
		 TOTALS(1, 1, 0), SAVED(MINUS_1, "x", MINUS_1, MINUS_1, "y"));
	hist_event_free(event);
	free(format);
}

/* What the kernel says of a snapshot() is kept, in one line. */
static void test_taken(void)
{
	static const struct {
		const char *file, *trigger, *taken;
	} cases[] = {
		{ "hist/24-onmax-snapshot.txt", "hist:keys=next_pid:vals=hitcount",
		  "triggering value { onmax($wakeup_lat) }: 29614, triggered by event with key: "
		  "{ next_pid: 144 }" },
		{ "hist/25b-onchange-snapshot.txt", "hist:keys=next_pid:vals=hitcount",
		  "triggering value { onchange($p) }: 120, triggered by event with key: "
		  "{ next_pid: 0 }" },
		{ "hist/22-onmax-save.txt",
		  "hist:keys=next_pid:vals=hitcount:w=1:onmax($w).save(next_comm)", NULL },
	};
	struct fixture f;
	unsigned int i;
	char *text;
	size_t len;

	for (i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		setup(&f, cases[i].trigger);
		text = test_read_file(test_data_path(cases[i].file), &len);
		read_text(&f, text);
		CU_ASSERT_EQUAL(f.ret, 0);
		free(text);
		CU_ASSERT_EQUAL(!(f.snap.flags & HIST_SNAP_TAKEN), !cases[i].taken);
		if (cases[i].taken)
			CU_ASSERT_STRING_EQUAL(hist_table_string(f.table, f.snap.taken, NULL),
					       cases[i].taken);
		teardown(&f);
	}
}

/* One file read again and again, as `record` does. */
static void test_reread(void)
{
	struct fixture f;

	setup(&f, PID);
	read_text(&f, HEAD(PID " [active]")
		  "{ pid:          7 } hitcount:          1\n"
		  "{ pid:          8 } hitcount:          2\n" TOTALS(3, 2, 0));
	CU_ASSERT_EQUAL(f.ret, 0);
	CU_ASSERT_EQUAL(f.snap.nentries, 2);
	f.snap.seq = 17;
	f.snap.time = 18;
	f.snap.missed = 19;

	/* another order, a new entry, and 7 is not printed: it keeps its value */
	read_text(&f, HEAD(PID " [paused]")
		  "{ pid: 4294967295 } hitcount: 18446744073709551615\n"
		  "{ pid:          8 } hitcount:         20\n" TOTALS(23, 2, 5));
	CU_ASSERT_EQUAL(f.ret, 0);
	CU_ASSERT_EQUAL(f.snap.nentries, 3);
	CU_ASSERT_EQUAL(f.snap.values[0], 1);
	CU_ASSERT_EQUAL(f.snap.values[1], 20);
	CU_ASSERT_EQUAL(f.snap.values[2], UINT64_MAX);
	CU_ASSERT_EQUAL(hist_table_cells(f.table, 2)->num, 4294967295u);
	CU_ASSERT_EQUAL(f.snap.hits, 23);
	CU_ASSERT_EQUAL(f.snap.dropped, 5);
	CU_ASSERT_EQUAL(f.snap.seq, 17);
	CU_ASSERT_EQUAL(f.snap.time, 18);
	CU_ASSERT_EQUAL(f.snap.missed, 19);
	CU_ASSERT_EQUAL(f.snap.flags, HIST_SNAP_PAUSED);

	/* cleared in between: fewer hits than before, or an entry with less */
	read_text(&f, HEAD(PID) "{ pid:          8 } hitcount:         21\n" TOTALS(22, 1, 5));
	CU_ASSERT_EQUAL(f.snap.flags, HIST_SNAP_RESET);
	read_text(&f, HEAD(PID) "{ pid:          8 } hitcount:         21\n" TOTALS(22, 1, 5));
	CU_ASSERT_EQUAL(f.snap.flags, 0);
	read_text(&f, HEAD(PID) "{ pid:          8 } hitcount:         20\n" TOTALS(22, 1, 5));
	CU_ASSERT_EQUAL(f.snap.flags, HIST_SNAP_RESET);
	teardown(&f);
}

/* What a kernel of 64 and one of 32 bits print for numbers below zero. */
static void test_log2_negative(void)
{
	static const struct {
		bool is_signed;
		uint64_t bucket, nums[4]; /* of 2^0, 2^31, 2^32 and 2^64 */
	} cases[] = {
		{ false, 0, { 0, 31, 32, 64 } },
		{ true, 64, { 0, 31, 32, HIST_LOG2_NEGATIVE } },
		{ true, 32, { 0, 31, HIST_LOG2_NEGATIVE, HIST_LOG2_NEGATIVE } },
	};
	unsigned int i, k, entries;

	for (i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		struct hist_schema schema = {
			.nkeys = 1, .nvalues = 1,
			.keys = { { .name = (char *)"ret", HIST_KEY_LOG2, cases[i].is_signed,
				    cases[i].bucket } },
			.values = { { .name = (char *)"hitcount", HIST_VALUE_SUM } },
		};
		struct fixture f = { .table = hist_table_new(&schema) };

		f.parser = hist_text_parser_new(f.table);
		CU_ASSERT_FATAL(f.parser != NULL);
		read_text(&f, HEAD("hist:keys=ret.log2")
			  "{ ret: ~ 2^0  } hitcount:          1\n"
			  "{ ret: ~ 2^31 } hitcount:          2\n"
			  "{ ret: ~ 2^32 } hitcount:          4\n"
			  "{ ret: ~ 2^64 } hitcount:          8\n" TOTALS(15, 4, 0));
		CU_ASSERT_EQUAL(f.ret, 0);
		entries = hist_table_entries(f.table);
		CU_ASSERT_EQUAL(entries, cases[i].bucket == 32 ? 3 : 4);
		for (k = 0; k < entries; k++)
			CU_ASSERT_EQUAL(hist_table_cells(f.table, k)->num, cases[i].nums[k]);
		CU_ASSERT_EQUAL(f.snap.values[entries - 1], cases[i].bucket == 32 ? 12 : 8);
		teardown(&f);
	}
}

/* Both ends of a bucket of .log2=K; ends of no such bucket are an error. */
static void test_fine_log2(void)
{
	static const struct {
		const char *range;
		bool is_signed;
		uint64_t num; /* UINT64_MAX - 1: an error */
	} cases[] = {
		{ "0-0", false, 0 },
		{ "8-8", false, 8 },
		{ "9-10", true, 9 },
		{ "15-16", false, 12 },
		{ "16-16", false, UINT64_MAX - 1 },
		{ "9-11", false, UINT64_MAX - 1 },
		{ "9-", false, UINT64_MAX - 1 },
		{ "2^3", false, UINT64_MAX - 1 },
		{ "16140901064495857665-18446744073709551615", false, 252 },
		{ "16140901064495857665-18446744073709551615", true, UINT64_MAX - 1 },
		{ "9223372036854775809-18446744073709551615", true, HIST_LOG2_NEGATIVE },
		{ "9223372036854775809-18446744073709551615", false, UINT64_MAX - 1 },
	};
	unsigned int i;
	char text[400];

	for (i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		struct hist_schema schema = {
			.nkeys = 1, .nvalues = 1,
			.keys = { { .name = (char *)"ret", HIST_KEY_FINE_LOG2, cases[i].is_signed, 2 } },
			.values = { { .name = (char *)"hitcount", HIST_VALUE_SUM } },
		};
		struct fixture f = { .table = hist_table_new(&schema) };

		f.parser = hist_text_parser_new(f.table);
		CU_ASSERT_FATAL(f.parser != NULL);
		snprintf(text, sizeof(text), HEAD("hist:keys=ret.log2=2")
			 "{ ret: ~ %s } hitcount:          1\n" TOTALS(1, 1, 0), cases[i].range);
		read_text(&f, text);
		if (cases[i].num == UINT64_MAX - 1) {
			CU_ASSERT_EQUAL(hist_table_entries(f.table), 0);
		} else {
			CU_ASSERT_EQUAL(f.ret, 0);
			CU_ASSERT_EQUAL_FATAL(hist_table_entries(f.table), 1);
			CU_ASSERT_EQUAL(hist_table_cells(f.table, 0)->num, cases[i].num);
		}
		teardown(&f);
	}
}

/* The kernel's lock-free map can hold a key twice: the sums are added. */
static void test_duplicates(void)
{
	static const char trigger[] = "hist:keys=common_pid.execname:vals=hitcount,len.hex,"
				      "len.percent:sort=hitcount:size=2048";
	struct fixture f;
	unsigned int i;

	setup(&f, trigger);
	for (i = 0; i < 2; i++) {
		read_text(&f, HEAD("hist:keys=common_pid.execname")
			  "{ common_pid: sh              [         9] } hitcount:          5"
			  "  len:         1f  len (%):  10.05\n"
			  "{ common_pid: ls              [        10] } hitcount:          1"
			  "  len:          0  len (%):[ERROR]\n"
			  "{ common_pid: bash            [         9] } hitcount:          2"
			  "  len:          1  len (%):   3.00\n" TOTALS(8, 3, 0));
		CU_ASSERT_EQUAL(f.ret, 0);
		CU_ASSERT_EQUAL(f.snap.nentries, 2);
		CU_ASSERT_EQUAL(f.snap.values[0], 7);
		CU_ASSERT_EQUAL(f.snap.values[1], 0x20);
		CU_ASSERT_EQUAL(f.snap.values[2], 300);
		CU_ASSERT_EQUAL(f.snap.values[3], 1);
		CU_ASSERT_EQUAL(f.snap.values[5], 0);
		CU_ASSERT_EQUAL(f.snap.entries, 3);
		CU_ASSERT_EQUAL(f.snap.flags, 0);
	}
	/* the row with fewer hits than before comes first, but both together have more */
	read_text(&f, HEAD("hist:keys=common_pid.execname")
		  "{ common_pid: sh              [         9] } hitcount:          4"
		  "  len:         1f  len (%):  10.05\n"
		  "{ common_pid: bash            [         9] } hitcount:          4"
		  "  len:          1  len (%):   3.00\n" TOTALS(9, 3, 0));
	CU_ASSERT_EQUAL(f.snap.values[0], 8);
	CU_ASSERT_FALSE(f.snap.flags & HIST_SNAP_RESET);
	read_text(&f, HEAD("hist:keys=common_pid.execname")
		  "{ common_pid: sh              [         9] } hitcount:          5"
		  "  len:         1f  len (%):  10.05\n"
		  "{ common_pid: bash            [         9] } hitcount:          2"
		  "  len:          1  len (%):   3.00\n" TOTALS(20, 3, 0));
	CU_ASSERT_TRUE(f.snap.flags & HIST_SNAP_RESET);
	teardown(&f);
}

#define WORST_ROW(name, pid, worst)                                               \
	"{ common_pid: " name "              [         " pid "] } hitcount:          1" \
	"\n\tmax:         " worst "  len:          5\n"

/* Of two rows of one key, in any order, the larger worst is kept with what it saved. */
static void test_duplicate_worst(void)
{
	static const char trigger[] =
		"hist:keys=common_pid.execname:vals=hitcount:worst_1=len:onmax($worst_1).save(len)";
	static const char *const rows[] = {
		WORST_ROW("sh", "9", " 8") WORST_ROW("sh", "9", " 7"),
		WORST_ROW("sh", "9", " 7") WORST_ROW("sh", "9", " 8"),
		WORST_ROW("sh", "9", " 8") WORST_ROW("sh", "9", "12"),
	};
	static const unsigned int worst[] = { 8, 8, 12 };
	char text[1024], expected[64];
	struct fixture f;
	unsigned int i;
	size_t len;

	for (i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
		setup(&f, trigger);
		CU_ASSERT_EQUAL_FATAL(hist_schema_worst(hist_table_schema(f.table)), 1);
		snprintf(text, sizeof(text), HEAD("hist:keys=common_pid.execname") "%s" TOTALS(2, 2, 0),
			 rows[i]);
		read_text(&f, text);
		CU_ASSERT_EQUAL_FATAL(f.ret, 0);
		CU_ASSERT_EQUAL(f.snap.values[0], 2);
		snprintf(expected, sizeof(expected), "max: %10u  len:          5", worst[i]);
		CU_ASSERT_STRING_EQUAL(hist_table_string(f.table, f.snap.values[1], &len), expected);
		teardown(&f);
	}
}

static void test_old_stack_name(void)
{
	struct fixture f;
	size_t len;

	setup(&f, "hist:keys=stacktrace,pid:vals=hitcount");
	read_text(&f, HEAD("hist:keys=stacktrace,pid")
		  "{ stacktrace:\n         a+0x1/0x2\n         b+0x3/0x4 [mod]\n"
		  ", pid:          1} hitcount:          3\n"
		  "{ stacktrace:\n, pid:          2} hitcount:          4\n" TOTALS(7, 2, 0));
	CU_ASSERT_EQUAL(f.ret, 0);
	CU_ASSERT_EQUAL_FATAL(f.snap.nentries, 2);
	CU_ASSERT_STRING_EQUAL(hist_table_string(f.table, hist_table_cells(f.table, 0)->str, &len),
			       "a+0x1/0x2\nb+0x3/0x4 [mod]");
	CU_ASSERT_STRING_EQUAL(hist_table_string(f.table, hist_table_cells(f.table, 1)->str, &len),
			       "");
	CU_ASSERT_EQUAL(f.snap.values[1], 4);
	teardown(&f);
}

/* Number or string: the first row tells, without the event's format. */
static void test_settle(void)
{
	static const struct {
		const char *cell;
		enum hist_key_kind kind;
	} cases[] = {
		{ "         7", HIST_KEY_NUM },
		{ "18446744073709551615", HIST_KEY_NUM },
		{ "7                                                 ", HIST_KEY_STRING },
		{ "         7                                        ", HIST_KEY_STRING },
		{ "1234567890                                        ", HIST_KEY_STRING },
		{ "                                                  ", HIST_KEY_STRING },
		{ "18446744073709551616                              ", HIST_KEY_STRING },
		{ "12345678901234567890123456789012345678901234567890", HIST_KEY_STRING },
	};
	struct fixture f;
	char text[512];
	unsigned int i;

	for (i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		setup(&f, "hist:keys=x:vals=hitcount");
		CU_ASSERT_EQUAL(hist_table_schema(f.table)->keys[0].kind, HIST_KEY_UNKNOWN);
		read_text(&f, HEAD("hist:keys=x") TOTALS(0, 0, 0));
		CU_ASSERT_EQUAL(f.ret, 0);
		CU_ASSERT_EQUAL(hist_table_schema(f.table)->keys[0].kind, HIST_KEY_UNKNOWN);
		snprintf(text, sizeof(text), HEAD("hist:keys=x") "{ x: %s } hitcount:          2\n"
			 TOTALS(2, 1, 0), cases[i].cell);
		read_text(&f, text);
		CU_ASSERT_EQUAL(f.ret, 0);
		CU_ASSERT_EQUAL(f.snap.nentries, 1);
		CU_ASSERT_EQUAL(hist_table_schema(f.table)->keys[0].kind, cases[i].kind);
		teardown(&f);
	}
}

static void test_blocks(void)
{
	static const char text[] = HEAD(PID " if comm ~ \"a [active]\" [paused]") TOTALS(0, 0, 0)
		"\n\n" HEAD(PID " [active]") "{ pid:          7 } hitcount:          1\n"
		TOTALS(1, 1, 0) "\n\n" HEAD(PID) TOTALS(0, 0, 9);
	struct hist_text_block b;
	size_t pos = 0;

	CU_ASSERT_EQUAL(hist_text_next_block(text, sizeof(text) - 1, &pos, &b), 1);
	CU_ASSERT_EQUAL(b.trigger_len, strlen(PID " if comm ~ \"a [active]\""));
	CU_ASSERT_EQUAL(memcmp(b.trigger, PID " if", strlen(PID) + 3), 0);
	CU_ASSERT_TRUE(b.paused);
	CU_ASSERT_EQUAL(b.end[-1], '\n');
	CU_ASSERT_EQUAL(b.end[-2], '0');
	CU_ASSERT_EQUAL(hist_text_next_block(text, sizeof(text) - 1, &pos, &b), 1);
	CU_ASSERT_EQUAL(b.trigger_len, strlen(PID));
	CU_ASSERT_FALSE(b.paused);
	CU_ASSERT_EQUAL(memcmp(b.rows, "{ pid:", 6), 0);
	CU_ASSERT_EQUAL(hist_text_next_block(text, sizeof(text) - 1, &pos, &b), 1);
	CU_ASSERT_EQUAL(b.trigger_len, strlen(PID));
	CU_ASSERT_PTR_EQUAL(b.end, text + sizeof(text) - 1);
	CU_ASSERT_EQUAL(hist_text_next_block(text, sizeof(text) - 1, &pos, &b), 0);
	CU_ASSERT_EQUAL(hist_text_next_block(text, sizeof(text) - 1, &pos, &b), 0);

	pos = 0;
	CU_ASSERT_EQUAL(hist_text_next_block("", 0, &pos, &b), 0);
	CU_ASSERT_EQUAL(hist_text_next_block("\n\n", 2, &pos, &b), 0);
	pos = 0;
	CU_ASSERT_EQUAL(hist_text_next_block("hello\n", 6, &pos, &b), -EBADMSG);
	pos = 0;
	CU_ASSERT_EQUAL(hist_text_next_block("# event histogram\n", 18, &pos, &b), -EBADMSG);
}

/* What is no row of this schema is named, with its line. */
static void test_errors(void)
{
	static const struct {
		const char *text, *why;
	} cases[] = {
		{ HEAD(PID) "{ pid:          1 } hitcount:          1\n", "the totals are missing" },
		{ HEAD(PID) "{ pid:          1 } hitcount:          1\n{ tid:          1 } hitcount:"
			    "          1\n" TOTALS(1, 1, 0), "line 2" },
		{ HEAD(PID) "{ pid:          1 } hitcount:          1\n{ pid:          x } hitcount:"
			    "          1\n" TOTALS(1, 1, 0), "line 2" },
		{ HEAD(PID) "{ pid:          1 } hitcount:          1  x:          3\n"
			    TOTALS(1, 1, 0), "line 1" },
		{ HEAD(PID) "{ pid:          1 } hitcount: 18446744073709551616\n" TOTALS(1, 1, 0),
		  "line 1" },
		{ HEAD(PID) "{ pid:          1 } hitcount:          1\n\nTotals:\n    Hits: 1\n",
		  "Entries" },
		{ HEAD(PID) "\nTotals:\n    Hits: x\n    Entries: 1\n    Dropped: 1\n", "Hits" },
		{ HEAD(PID) TOTALS(1, 0, 0) "more\n", "after the totals" },
	};
	struct fixture f;
	unsigned int i;

	for (i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		setup(&f, PID);
		read_text(&f, cases[i].text);
		CU_ASSERT_EQUAL(f.ret, -EBADMSG);
		CU_ASSERT_PTR_NOT_NULL(strstr(f.error.what, cases[i].why));
		if (!strstr(f.error.what, cases[i].why))
			printf("\ncase %u: %s\n", i, f.error.what);
		/* the parser can be used again */
		read_text(&f, HEAD(PID) "{ pid:          3 } hitcount:          1\n" TOTALS(1, 1, 0));
		CU_ASSERT_EQUAL(f.ret, 0);
		teardown(&f);
	}
}

UNIT_TESTS(
	{ "hist files of real kernels are read as hist_text.py reads them", test_samples },
	{ "hist files yield the same entries if the format of the event is known",
	  test_samples_with_format },
	{ "a hist file that is read again updates its entries and flags a reset if counts decrease",
	  test_reread },
	{ "saved numbers of signed fields get their sign from the event format", test_saved_signs },
	{ "the kernel's message about a snapshot() action is kept as one line", test_taken },
	{ "the log2 bucket of negative numbers is recognized for 64-bit and 32-bit kernels",
	  test_log2_negative },
	{ "a bucket of .log2=K is read from both of its ends", test_fine_log2 },
	{ "rows of one key that a hist file lists twice are summed up in one entry",
	  test_duplicates },
	{ "of two rows of one key the larger worst is kept", test_duplicate_worst },
	{ "a stack key that a 6.1 kernel prints under its old name yields its frames",
	  test_old_stack_name },
	{ "the first row decides if a key of unknown kind is a number or a string", test_settle },
	{ "a hist file is split into its histograms, with the trigger and the state of each",
	  test_blocks },
	{ "a malformed row or total is refused with the reason, and the parser remains usable",
	  test_errors });

// SPDX-License-Identifier: GPL-2.0
/*
 * key_filter_text_test.c - filters of keys, for triggers that were made up
 *
 * A file with the format of sched_switch and one histogram for each trigger.  What the filters
 * mean is tested by chance: filters of a trigger are evaluated here as the kernel does, and
 * by libtraceevent after key_filter_make_axis() has put them into its language.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#ifdef __SANITIZE_ADDRESS__
#include <sanitizer/lsan_interface.h>
#endif

#include <CUnit/Basic.h>
#include <traceevent/event-parse.h>

#include "kernelshark-plugin/model/key_filter.h"
#include "lib/expr/expr.h"
#include "lib/expr/filter.h"
#include "utest/unit/lib/tracedat/tracedat_fixture.h"
#include "utest/unit/test_data.h"
#include "utest/unit/tests.h"
#include "utest/unit/tracecmd/report/report_run.h"

#define NEGATIVE(n) (UINT64_MAX - (n) + 1)

struct filter_case {
	const char *trigger;
	struct { uint64_t num; const char *str; } cells[HIST_KEYS_MAX];
	const char *want; /* the text; or what is said, with a '!' before it */
};

static char *format;
static size_t format_len;
static struct recording *recording;

static void settle(struct hist_schema *schema)
{
	unsigned int k;

	for (k = 0; k < schema->nkeys; k++)
		if (schema->keys[k].kind == HIST_KEY_UNKNOWN)
			schema->keys[k].kind = strstr(schema->keys[k].name, "comm") &&
					       strncmp(schema->keys[k].name, "common", 6) ?
					       HIST_KEY_STRING : HIST_KEY_NUM;
}

static struct hist_table *table_of(const struct filter_case *c)
{
	struct hist_cell cells[HIST_KEYS_MAX];
	struct hist_schema *schema = NULL;
	struct hist_event *event = NULL;
	struct hist_expr *expr = NULL;
	struct hist_table *table;
	unsigned int k;
	uint32_t entry;

	CU_ASSERT_EQUAL_FATAL(hist_expr_parse(&expr, c->trigger, NULL), 0);
	CU_ASSERT_EQUAL_FATAL(hist_event_parse(&event, "sched", format, format_len), 0);
	if (hist_schema_make(&schema, expr, event)) {
		hist_schema_free(schema);
		CU_ASSERT_EQUAL_FATAL(hist_schema_make(&schema, expr, NULL), 0);
	}
	settle(schema);
	table = hist_table_new(schema);
	CU_ASSERT_PTR_NOT_NULL_FATAL(table);
	for (k = 0; k < schema->nkeys; k++) {
		cells[k] = (struct hist_cell){ c->cells[k].num, HIST_NO_STRING };
		if (c->cells[k].str)
			CU_ASSERT_EQUAL(hist_table_intern(table, c->cells[k].str,
							  strlen(c->cells[k].str), &cells[k].str), 0);
	}
	CU_ASSERT_EQUAL(hist_table_add(table, cells, &entry), 0);
	hist_schema_free(schema);
	hist_event_free(event);
	hist_expr_free(expr);
	return table;
}

/* A file with all of them, opened.  @event: what they are histograms of. */
static void make(const struct filter_case *cases, unsigned int n, const char *event)
{
	struct tracedat_contents contents = fixture_contents(HIST_COMPRESS_ZLIB);
	const struct tracedat_format formats[] = {
		{ "kmem", fixture_tick, sizeof(fixture_tick) - 1 },
		{ "sched", fixture_waking, sizeof(fixture_waking) - 1 },
		{ "sched", format, format_len },
		{ "ftrace", fixture_print, sizeof(fixture_print) - 1 },
	};
	struct hist_table **tables = calloc(n, sizeof(*tables));
	struct hist_series_writer *series;
	struct hist_snapshot snap = { 0 };
	struct tracedat_writer *dat;
	struct hist_error error = { 0 };
	unsigned int i;
	int fd;

	contents.formats = formats;
	contents.nformats = 4;
	fd = open("filter.dat", O_RDWR | O_CREAT | O_TRUNC, 0666);
	CU_ASSERT_EQUAL_FATAL(tracedat_create(&dat, fd, &contents), 0);
	CU_ASSERT_EQUAL_FATAL(hist_series_writer_new(&series, dat), 0);
	for (i = 0; i < n; i++) {
		struct hist_definition def = {
			.event = event, .trigger = cases[i].trigger, .engine = "kernel",
			.clock = "mono", .instance = "", .uname = "x", .host = "x",
		};

		tables[i] = table_of(&cases[i]);
		CU_ASSERT_EQUAL_FATAL(hist_series_define(series, &def, tables[i]), (int)i);
		CU_ASSERT_EQUAL(hist_snapshot_grow(&snap, hist_table_schema(tables[i]), 1), 0);
		snap.nentries = 1;
		CU_ASSERT_EQUAL(hist_series_add(series, i, &snap), 0);
		hist_snapshot_clear(&snap);
	}
	CU_ASSERT_EQUAL(hist_series_finish(series), 0);
	hist_series_writer_free(series);
	tracedat_writer_free(dat);
	close(fd);
	for (i = 0; i < n; i++)
		hist_table_free(tables[i]);
	free(tables);
	CU_ASSERT_EQUAL_FATAL(recording_open(&recording, "filter.dat", &error), 0);
}

static void expect(const struct filter_case *c, unsigned int hist)
{
	struct hist_table *table = table_of(c);
	struct hist_strbuf text = { 0 };
	struct hist_error error = { 0 };
	const char *got;
	int ret;

	ret = key_filter_make_axis(&text, recording, hist, table, -1, NULL, 0, &error);
	hist_strbuf_char(&text, '\0');
	got = ret ? test_error(&error) : text.data;
	CU_ASSERT_EQUAL(ret, *c->want == '!' ? -EOPNOTSUPP : 0);
	CU_ASSERT_STRING_EQUAL(got, c->want + (*c->want == '!'));
	if (strcmp(got, c->want + (*c->want == '!')))
		fprintf(stderr, "\n%s: %s\n", c->trigger, got);
	hist_strbuf_free(&text);
	hist_table_free(table);
}

static const struct filter_case cases[] = {
	/* kinds */
	{ "hist:keys=next_pid", { { 7, NULL } }, "next_pid == 7" },
	{ "hist:keys=next_pid", { { NEGATIVE(7), NULL } }, "next_pid == 18446744073709551609" },
	{ "hist:keys=prev_state.hex", { { 255, NULL } }, "prev_state == 0xff" },
	{ "hist:keys=common_pid.execname", { { 12, "sh" } }, "common_pid == 12" },
	{ "hist:keys=next_prio.log2", { { 0, NULL } }, "next_prio >= 0 && next_prio <= 1" },
	{ "hist:keys=next_prio.log2", { { 7, NULL } }, "next_prio >= 65 && next_prio <= 128" },
	{ "hist:keys=next_prio.log2", { { HIST_LOG2_NEGATIVE, NULL } },
	  "next_prio >= 9223372036854775809 && next_prio <= 18446744073709551615" },
	{ "hist:keys=next_prio.buckets=8", { { NEGATIVE(8), NULL } },
	  "next_prio >= 18446744073709551608 && next_prio <= 18446744073709551615" },
	{ "hist:keys=next_comm", { { 0, "sh" } }, "next_comm == \"sh\"" },
	{ "hist:keys=cpu,next_comm", { { 3, NULL }, { 0, "" } }, "CPU == 3 && next_comm == \"\"" },
	{ "hist:keys=common_cpu", { { 3, NULL } }, "CPU == 3" },
	/* names */
	{ "hist:keys=next_comm", { { 0, "a\"b" } }, "next_comm == 'a\"b'" },
	{ "hist:keys=next_comm", { { 0, "it's" } }, "next_comm == \"it's\"" },
	{ "hist:keys=next_comm", { { 0, "\"" } }, "!next_comm: event filters cannot contain this "
						  "name" },
	{ "hist:keys=next_comm", { { 0, "\"'" } }, "!next_comm: event filters cannot contain this "
						   "name" },
	{ "hist:keys=next_comm", { { 0, "a,b" } }, "!next_comm: event filters cannot contain this "
						   "name" },
	{ "hist:keys=next_comm", { { 0, "a\\" } }, "!next_comm: event filters cannot contain this "
						   "name" },
	{ "hist:keys=next_comm", { { 0, "a\nb" } },
	  "!next_comm: event filters accept only ASCII names" },
	{ "hist:keys=next_comm", { { 0, "\303\274" } },
	  "!next_comm: event filters accept only ASCII names" },
	/* what is no field of the event */
	{ "hist:keys=common_timestamp.usecs", { { 5, NULL } },
	  "!common_timestamp: event filters cannot compare times" },
	{ "hist:keys=common_stacktrace", { { 0, "a\nb" } },
	  "!common_stacktrace: event filters cannot compare stacks" },
	{ "hist:keys=next_pid-prev_pid", { { 5, NULL } },
	  "!next_pid-prev_pid: event filters compare fields, not expressions" },
	{ "hist:keys=$lat", { { 5, NULL } }, "!$lat: a variable, not a field of an event" },
	{ "hist:keys=nice", { { 5, NULL } }, "!nice: the event does not have this field in this "
					     "file" },
	{ "hist:keys=prev_comm.hex", { { 5, NULL } }, "!prev_comm: the field has another type in "
						      "this file" },
	/* the trigger's own filter */
	{ "hist:keys=next_pid if prev_pid > 0x10 && next_comm != \"a b\"", { { 1, NULL } },
	  "next_pid == 1 && (prev_pid > 16 && prev_pid < 9223372036854775808) && next_comm != \"a b\"" },
	{ "hist:keys=next_pid if prev_pid == 010 || !(cpu < 2)", { { 1, NULL } },
	  "next_pid == 1 && (prev_pid == 8 || CPU >= 2)" },
	{ "hist:keys=next_pid if prev_state & 3", { { 1, NULL } }, "next_pid == 1 && (prev_state & 3)" },
	{ "hist:keys=next_pid if prev_prio == 4294967295", { { 1, NULL } },
	  "next_pid == 1 && prev_prio == 18446744073709551615" },
	{ "hist:keys=next_pid if next_comm ~ \"sh\"", { { 1, NULL } },
	  "next_pid == 1 && next_comm == \"sh\"" },
	/* what the key says already */
	{ "hist:keys=next_comm if next_comm ~ \"k*\" && next_pid > 0", { { 0, "ksoftirqd/0" } },
	  "next_comm == \"ksoftirqd/0\" && (next_pid > 0 && next_pid < 9223372036854775808)" },
	{ "hist:keys=cpu if common_cpu & CPUS{0-3}", { { 1, NULL } }, "CPU == 1" },
	{ "hist:keys=next_prio.log2 if next_prio < 100", { { 7, NULL } },
	  "next_prio >= 65 && next_prio <= 128 && (next_prio < 100 || next_prio >= 9223372036854775808)" },
	/* and what event filters cannot */
	{ "hist:keys=next_pid if next_comm ~ \"k*\"", { { 1, NULL } },
	  "!the filter of the trigger uses the pattern \"k*\", but patterns in event filters "
	  "ignore case" },
	{ "hist:keys=next_pid if cpu & CPUS{0-3}", { { 1, NULL } },
	  "!the filter of the trigger uses CPUS{0-3}, which event filters do not support" },
	{ "hist:keys=next_pid if comm == \"sh\"", { { 1, NULL } },
	  "!the filter of the trigger uses comm, which events do not have" },
	{ "hist:keys=next_pid if next_comm == \"a,b\"", { { 1, NULL } },
	  "!next_comm: event filters cannot contain this name" },
	{ "hist:keys=next_pid if next_comm > 3", { { 1, NULL } },
	  "!the filter of the trigger compares next_comm, which event filters cannot compare" },
	{ "hist:keys=next_pid if prev_state.function == schedule", { { 1, NULL } },
	  "!the filter of the trigger contains a function name, which event filters do not "
	  "support: "
	  "schedule" },
};

#define CASES (sizeof(cases) / sizeof(*cases))

static void test_texts(void)
{
	unsigned int i;

	make(cases, CASES, "sched:sched_switch");
	CU_ASSERT_EQUAL_FATAL(recording->count, CASES);
	for (i = 0; i < CASES; i++)
		expect(&cases[i], i);
	recording_unref(recording);
}

static void test_no_format(void)
{
	struct filter_case c = cases[0];

	c.want = "!the file does not contain the format of the sched:sched_wakeup event";
	make(&c, 1, "sched:sched_wakeup");
	CU_ASSERT_PTR_NULL(recording->hists[0].event);
	expect(&c, 0);
	recording_unref(recording);
	/* of another system, and without one */
	c.want = "!the file does not contain the format of the kmem:sched_switch event";
	make(&c, 1, "kmem:sched_switch");
	expect(&c, 0);
	recording_unref(recording);
	c.want = "!the file does not contain the format of the switch event";
	make(&c, 1, "switch");
	expect(&c, 0);
	recording_unref(recording);
}

/* --- what they mean --- */

/* sched_switch as it stands in the ring buffer. */
struct record {
	uint16_t type;
	uint8_t flags, count;
	int32_t pid;
	char prev_comm[16];
	int32_t prev_pid, prev_prio;
	int64_t prev_state;
	char next_comm[16];
	int32_t next_pid, next_prio;
};

static const char *const number_fields[] = { "prev_pid", "prev_prio", "prev_state", "common_pid",
					     "common_type" };
static const char *const numbers[] = { "-3", "-2", "-1", "0", "1", "2", "3", "0x2", "4294967295",
				       "65536", "9223372036854775807", "-9223372036854775807" };
static const char *const names[] = { "a", "b", "ab" };

/* Of a field, as the kernel sees it; @v: what it is compared with, as wide as the field. */
static int64_t field_of(const struct record *r, const char *name, int64_t *v)
{
	if (!strcmp(name, "prev_state"))
		return r->prev_state;
	if (!strcmp(name, "common_type")) {
		*v = (uint16_t)*v;
		return r->type;
	}
	*v = (int32_t)*v;
	return !strcmp(name, "prev_pid") ? r->prev_pid : !strcmp(name, "prev_prio") ? r->prev_prio :
								    r->pid;
}

static bool holds(const struct record *r, const struct hist_filter *f)
{
	int64_t a, b;

	switch (f->kind) {
	case HIST_FILTER_AND:
		return holds(r, f->left) && holds(r, f->right);
	case HIST_FILTER_OR:
		return holds(r, f->left) || holds(r, f->right);
	case HIST_FILTER_NOT:
		return !holds(r, f->left);
	case HIST_FILTER_COMPARE:
		break;
	}
	if (f->type == HIST_FILTER_STRING)
		return !strcmp(r->prev_comm, f->value) == (f->op == HIST_FILTER_EQ);
	b = f->value[0] == '-' ? strtoll(f->value, NULL, 0) : (int64_t)strtoull(f->value, NULL, 0);
	a = field_of(r, f->field, &b);
	switch (f->op) {
	case HIST_FILTER_EQ:
		return a == b;
	case HIST_FILTER_NE:
		return a != b;
	case HIST_FILTER_LT:
		return a < b;
	case HIST_FILTER_LE:
		return a <= b;
	case HIST_FILTER_GT:
		return a > b;
	case HIST_FILTER_GE:
		return a >= b;
	default:
		return (a & b) != 0;
	}
}

#define PICK(array) ((array)[test_random(state) % (sizeof(array) / sizeof(*(array)))])

static void random_filter(struct hist_strbuf *b, uint64_t *state, unsigned int depth)
{
	static const char *const ops[] = { "==", "!=", "<", "<=", ">", ">=", "&" };
	const char *field, *number;

	if (depth && test_random(state) % 3) {
		hist_strbuf_str(b, test_random(state) % 3 ? "(" : "!(");
		random_filter(b, state, depth - 1);
		hist_strbuf_str(b, test_random(state) % 2 ? " && " : " || ");
		random_filter(b, state, depth - 1);
		hist_strbuf_char(b, ')');
		return;
	}
	if (!(test_random(state) % 5)) {
		hist_strbuf_printf(b, "prev_comm %s \"%s\"", test_random(state) % 2 ? "==" : "!=",
				   PICK(names));
		return;
	}
	field = PICK(number_fields);
	do
		number = PICK(numbers);
	while (*number == '-' && !strcmp(field, "common_type"));
	hist_strbuf_printf(b, "%s %s %s", field, PICK(ops), number);
}

static void random_record(struct record *r, uint64_t *state)
{
	memset(r, 0, sizeof(*r));
	r->type = 310;
	r->pid = (int32_t)(test_random(state) % 8) - 4;
	strcpy(r->prev_comm, PICK(names));
	r->prev_pid = (int32_t)(test_random(state) % 8) - 4;
	r->prev_prio = test_random(state) % 2 ? (int32_t)test_random(state) % 5 : INT32_MIN;
	r->prev_state = test_random(state) % 3 ? (int64_t)(test_random(state) % 8) - 4 :
			test_random(state) % 2 ? INT64_MIN : INT64_MAX;
	r->next_pid = test_random(state) % 2 + 1;
}

#define MEANINGS 40

static void test_meanings(void)
{
	struct tep_handle *tep = tep_alloc();
	struct filter_case random[MEANINGS];
	struct hist_strbuf texts[MEANINGS] = { 0 };
	uint64_t seed = 20, *state = &seed;
	unsigned int i, n, matched = 0;

	/* as the records below */
	tep_set_file_bigendian(tep, tep_is_bigendian() ? TEP_BIG_ENDIAN : TEP_LITTLE_ENDIAN);
	CU_ASSERT_EQUAL_FATAL(tep_parse_event(tep, format, format_len, "sched"), 0);
	for (i = 0; i < MEANINGS; i++) {
		hist_strbuf_str(&texts[i], "hist:keys=next_pid if ");
		random_filter(&texts[i], state, 3);
		hist_strbuf_char(&texts[i], '\0');
		random[i] = (struct filter_case){ texts[i].data, { { 1, NULL } }, "" };
	}
	make(random, MEANINGS, "sched:sched_switch");
	for (i = 0; i < MEANINGS; i++) {
		struct tep_event_filter *filter = tep_filter_alloc(tep);
		struct hist_table *table = table_of(&random[i]);
		struct hist_strbuf text = { 0 };
		struct hist_expr *expr = NULL;
		struct hist_error error = { 0 };

		CU_ASSERT_EQUAL(hist_expr_parse(&expr, random[i].trigger, NULL), 0);
		CU_ASSERT_PTR_NOT_NULL_FATAL(expr->filter_tree);
		hist_strbuf_str(&text, "sched/sched_switch:");
		CU_ASSERT_EQUAL(
			key_filter_make_axis(&text, recording, i, table, -1, NULL, 0, &error), 0);
		hist_strbuf_char(&text, '\0');
#ifdef __SANITIZE_ADDRESS__
		__lsan_disable(); /* libtraceevent forgets a token at each parenthesis (1.7.1) */
#endif
		CU_ASSERT_FATAL(tep_filter_add_filter_str(filter, text.data) >= 0);
#ifdef __SANITIZE_ADDRESS__
		__lsan_enable();
#endif
		for (n = 0; n < 500; n++) {
			struct record r;
			struct tep_record record = { .data = &r, .size = sizeof(r) };
			bool want, got;

			random_record(&r, state);
			want = r.next_pid == 1 && holds(&r, expr->filter_tree);
			got = tep_filter_match(filter, &record) == TEP_ERRNO__FILTER_MATCH;
			CU_ASSERT_EQUAL(got, want);
			matched += want;
			if (got != want) {
				fprintf(stderr, "\n%s\n%s\n", random[i].trigger, text.data);
				break;
			}
		}
		hist_strbuf_free(&text);
		hist_expr_free(expr);
		hist_table_free(table);
		tep_filter_free(filter);
		hist_strbuf_free(&texts[i]);
	}
	/* half have the key, and of them some part fits */
	CU_ASSERT(matched > MEANINGS * 500 / 10 && matched < MEANINGS * 500 / 2);
	recording_unref(recording);
	tep_free(tep);
}

static int set_up(void)
{
	format = test_read_file(test_data_path("formats/sched_switch"), &format_len);
	return report_set_up();
}

static int tear_down(void)
{
	free(format);
	unlink("filter.dat");
	return report_tear_down();
}

UNIT_TESTS_WITH(set_up, tear_down,
	{ "each kind of key becomes the right event filter, or the reason why not", test_texts },
	{ "a key filter is refused if the file does not contain the format of the "
		"event", test_no_format },
	{ "random filters of triggers match the same events as event filters", test_meanings });

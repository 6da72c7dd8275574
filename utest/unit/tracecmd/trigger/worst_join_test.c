// SPDX-License-Identifier: GPL-2.0
/*
 * worst_join_test.c - the largest values of a latency get what the histogram of END saved
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <CUnit/CUnit.h>

#include "lib/query/latency_expand.h"
#include "tracecmd/trigger/kernel_counter.h"
#include "utest/unit/tests.h"
#include "utest/unit/tracecmd/plan/plan_fixture.h"
#include "utest/unit/tracecmd/target/fake_target.h"

#define END_DIR "instances/x/events/sched/sched_switch"
#define END "hist:keys=next_pid:lat_1=common_timestamp.usecs-$ts_1:onmatch(sched.sched_waking)." \
	    "trace(pair,$lat_1):onmax($lat_1)." WORST_JOIN_SAVE
#define ROWS "hist:keys=lat_us.log2:worst=lat_us:onmax($worst).save(common_timestamp,cpu,common_pid)"
#define MADE(n, cpu, pid) "max: " n "  common_timestamp:  123456789  cpu: " cpu "  common_pid: " pid

/* As the kernel prints it; the priority of the second row is -1, that of a deadline task. */
#define END_ROW(key, n, cpu, pid, prio, comm) \
	"{ next_pid: " key " } hitcount:          1\n" \
	"\tmax: " n "  cpu: " cpu "  common_pid: " pid "  prev_prio: " prio "  prev_comm: " comm "\n"
#define END_TEXT(rows, n) \
	"# event histogram\n#\n# trigger info: " END ":size=16384:clock=mono [active]\n#\n\n" rows \
	"\nTotals:\n    Hits: " n "\n    Entries: " n "\n    Dropped: 0\n"

struct joined {
	char dir[32];
	struct fake_target *fake;
	struct traced_event end, source;
	struct hist_table *table; /* of the synthetic event */
	struct worst_join *join;
};

static void begin(struct joined *j)
{
	struct query_hist helper = { .raw = END, .hidden = true };
	struct hist_schema *schema;
	struct traced_hist *h;

	*j = (struct joined){ .dir = "/tmp/worst-join-XXXXXX" };
	CU_ASSERT_PTR_NOT_NULL_FATAL(mkdtemp(j->dir));
	j->fake = fake_target_new(j->dir);
	CU_ASSERT_PTR_NOT_NULL_FATAL(j->fake);
	plan_events_put(j->fake);
	CU_ASSERT_EQUAL_FATAL(traced_event_find(&j->end, &j->fake->target, "sched:sched_switch"), 0);
	CU_ASSERT_EQUAL_FATAL(traced_event_add_hist(&j->end, &helper, "mono"), 0);
	j->end.dir = strdup(END_DIR);
	j->source.full_name = strdup("synthetic:pair");
	h = traced_event_new_hist(&j->source, false);
	CU_ASSERT_PTR_NOT_NULL_FATAL(h);
	CU_ASSERT_EQUAL_FATAL(hist_expr_parse(&h->expr, ROWS, NULL), 0);
	CU_ASSERT_EQUAL_FATAL(hist_schema_make(&schema, h->expr, NULL), 0);
	j->table = h->table = hist_table_new(schema);
	CU_ASSERT_EQUAL_FATAL(hist_snapshot_grow(&h->snap, schema, 2), 0);
	hist_schema_free(schema);
}

static void end(struct joined *j)
{
	char command[64];

	kernel_free_worst_join(j->join);
	traced_event_clear(&j->end, &j->fake->target);
	traced_event_clear(&j->source, &j->fake->target);
	target_free(&j->fake->target);
	snprintf(command, sizeof(command), "rm -rf %s", j->dir);
	CU_ASSERT_EQUAL(system(command), 0);
}

/* The kernel prints @kernel for row @row. Compare what the row has after the join. */
static void expect(struct joined *j, unsigned int row, const char *kernel, const char *joined)
{
	uint64_t *value = &j->source.hists[0].snap.values[row * 2 + 1];
	const char *text;
	uint32_t id;
	size_t len;

	CU_ASSERT_EQUAL(hist_table_intern(j->table, kernel, strlen(kernel), &id), 0);
	*value = id;
	CU_ASSERT_EQUAL(kernel_join_worst(&j->join, &j->source, &j->end, &j->fake->target), 0);
	text = hist_table_string(j->table, *value, &len);
	CU_ASSERT_STRING_EQUAL(text, joined);
	CU_ASSERT_EQUAL(len, strlen(joined));
}

static void test_join(void)
{
	struct joined j;

	begin(&j);
	fake_target_put(j.fake, END_DIR "/hist", END_TEXT(
		END_ROW("        17", "         0", "         0", "         0", "         0", "(null)")
		END_ROW("        18", "        90", "         1", "       123", "       120", "dd")
		END_ROW("        19", "        90", "         0", "       124", "4294967295", "hog"),
		"3"));
	/* two pairs waited as long, one after a deadline task */
	expect(&j, 0, MADE("        90", "         0", "       124"),
	       MADE("        90", "         0", "       124") "  prev_prio:         -1  prev_comm: hog");
	expect(&j, 1, MADE("        90", "         1", "       123"),
	       MADE("        90", "         1", "       123") "  prev_prio:        120  prev_comm: dd");
	/* a pair that waited longer since; a row without a maximum */
	expect(&j, 0, MADE("        80", "         0", "       124"),
	       MADE("        80", "         0", "       124"));
	expect(&j, 0, MADE("         0", "         0", "         0"),
	       MADE("         0", "         0", "         0"));
	/* a text that was completed is not looked for again, and END may say something else now */
	fake_target_put(j.fake, END_DIR "/hist", "no histogram");
	expect(&j, 1, MADE("        90", "         1", "       123"),
	       MADE("        90", "         1", "       123") "  prev_prio:        120  prev_comm: dd");
	end(&j);
}

/* After another program cleared the histogram, the numbers of texts begin again. */
static void test_cleared(void)
{
	struct joined j;

	begin(&j);
	fake_target_put(j.fake, END_DIR "/hist", END_TEXT(
		END_ROW("        18", "        90", "         1", "       123", "       120", "dd"), "1"));
	expect(&j, 0, MADE("        90", "         1", "       123"),
	       MADE("        90", "         1", "       123") "  prev_prio:        120  prev_comm: dd");
	traced_event_clear_hist(&j.source.hists[0]);
	CU_ASSERT_EQUAL(hist_snapshot_grow(&j.source.hists[0].snap, hist_table_schema(j.table), 1), 0);
	expect(&j, 0, MADE("        70", "         1", "       123"),
	       MADE("        70", "         1", "       123"));
	end(&j);
}

static void test_longer(void)
{
	struct joined j;

	begin(&j);
	fake_target_put(j.fake, END_DIR "/hist", END_TEXT(
		END_ROW("        18", "        90", "         1", "       123", "       120", "dd"), "1"));
	expect(&j, 0, MADE("        90", "         1", "       123"),
	       MADE("        90", "         1", "       123") "  prev_prio:        120  prev_comm: dd");
	fake_target_put(j.fake, END_DIR "/hist", END_TEXT(
		END_ROW("        18", "        95", "         0", "       124", "        98", "hog"), "2"));
	expect(&j, 0, MADE("        95", "         0", "       124"),
	       MADE("        95", "         0", "       124") "  prev_prio:         98  prev_comm: hog");
	end(&j);
}

UNIT_TESTS(
	{ "a row gets the task before from the histogram of END with its value, CPU and task",
	  test_join },
	{ "a longer latency of a later snapshot gets its own task before", test_longer },
	{ "rows are joined anew after another program cleared the histogram", test_cleared });

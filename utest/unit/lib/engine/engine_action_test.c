// SPDX-License-Identifier: GPL-2.0
/*
 * engine_action_test.c - variables, actions, synthetic events, and switches
 *
 * What is expected follows from event_hist_trigger() in trace_events_hist.c and the functions
 * that it calls.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <CUnit/Basic.h>

#include "utest/unit/lib/engine/engine_fixture.h"
#include "utest/unit/tests.h"

#define WAKE "char comm[16]:16;pid_t pid:-4;int prio:-4;__data_loc char[] file:4"
#define SWITCH "char next_comm[16]:16;pid_t next_pid:-4;int next_prio:-4;u64 num:8"

struct chain {
	struct engine_fixture f;
	const struct hist_event *wake, *sw, *synth;
};

static const char *comm(void *data, uint32_t pid)
{
	(void)data;
	return pid == 1 ? "waker" : NULL;
}

static void chain_init(struct chain *c, bool big_endian, const char *synth)
{
	memset(c, 0, sizeof(*c));
	fixture_init(&c->f, big_endian, 8);
	hist_engine_free(c->f.engine);
	c->f.machine.comm = comm;
	CU_ASSERT_EQUAL_FATAL(hist_engine_new(&c->f.engine, &c->f.machine), 0);
	c->wake = fixture_event(&c->f, "t:wake", 20, WAKE);
	c->sw = fixture_event(&c->f, "t:switch", 21, SWITCH);
	if (synth)
		c->synth = fixture_synth(&c->f, synth);
}

static void add(struct chain *c, const struct hist_event *event, const char *trigger)
{
	int ret = fixture_add(&c->f, event, trigger);

	CU_ASSERT(ret >= 0);
	if (ret < 0)
		printf("\n%s: %s\n", trigger, c->f.error.what);
}

static void wake(struct chain *c, uint64_t time, uint32_t pid, const char *name, int prio)
{
	struct record r;

	record_begin(&r, &c->f, c->wake, 1);
	record_number(&r, "pid", pid);
	record_number(&r, "prio", (uint32_t)prio);
	record_string(&r, "comm", name);
	record_string(&r, "file", name);
	fixture_hit(&c->f, 0, time, &r);
}

static void long_wake(struct chain *c, const char *file)
{
	struct record r;

	record_begin(&r, &c->f, c->wake, 1);
	record_number(&r, "prio", 2);
	record_string(&r, "file", file);
	fixture_hit(&c->f, 0, 2, &r);
}

static void sw(struct chain *c, uint64_t time, uint32_t pid, int prio, uint64_t q)
{
	struct record r;

	record_begin(&r, &c->f, c->sw, 2);
	record_number(&r, "next_pid", pid);
	record_number(&r, "next_prio", (uint32_t)prio);
	record_number(&r, "num", q);
	record_string(&r, "next_comm", "next");
	fixture_hit(&c->f, 1, time, &r);
}

static void rows(struct chain *c, unsigned int hist, const char *expected)
{
	CU_ASSERT_STRING_EQUAL(fixture_rows(&c->f, hist), expected);
	if (strcmp(c->f.text, expected))
		printf("\n%s", c->f.text);
}

/* The chain of a latency: an operand is taken away by reading, so each wakeup counts once. */
static void latency_of(bool big_endian)
{
	struct chain c;

	chain_init(&c, big_endian, "lat u64 lat; pid_t pid");
	add(&c, c.wake, "hist:keys=pid:ts0=common_timestamp.usecs");
	add(&c, c.sw,
	    "hist:keys=next_pid:lat=common_timestamp.usecs-$ts0:onmatch(t.wake).trace(lat,$lat,"
	    "next_pid)");
	add(&c, c.synth, "hist:keys=pid:vals=lat");
	add(&c, c.synth, "hist:keys=lat.log2 if lat > 10");
	add(&c, c.synth, "hist:keys=common_pid,cpu");
	CU_ASSERT_TRUE(hist_engine_is_ordered(c.f.engine));
	sw(&c, 500, 5, 0, 0); /* nobody has woken it */
	wake(&c, 1000, 5, "five", 0);
	wake(&c, 2000, 6, "six", 0);
	sw(&c, 6400, 5, 0, 0);
	sw(&c, 7000, 5, 0, 0); /* not again */
	sw(&c, 102000, 6, 0, 0);
	wake(&c, 110000, 5, "five", 0);
	sw(&c, 130600, 5, 0, 0);
	rows(&c, 0, "5: 2\n6: 1\n= 3 2 0\n");
	/* only those that found a time */
	rows(&c, 1, "5: 2\n6: 1\n= 3 2 0\n");
	rows(&c, 2, "5: 2 26\n6: 1 100\n= 3 2 0\n");
	rows(&c, 3, "7: 1\n5: 1\n= 2 2 0\n");
	/* of the task and on the CPU of the event that fired it */
	rows(&c, 4, "2 1: 3\n= 3 1 0\n");
	fixture_clear(&c.f);
}

static void test_latency(void)
{
	latency_of(false);
	latency_of(true);
}

/* Times are cut to us, not rounded; the kernel's division makes small ones one too large. */
static void test_cut_times(void)
{
	struct chain c;

	chain_init(&c, false, "lat u64 lat; pid_t pid");
	add(&c, c.wake, "hist:keys=pid:ts0=common_timestamp/1000");
	add(&c, c.sw,
	    "hist:keys=next_pid:lat=common_timestamp/1000-$ts0:onmatch(t.wake).trace(lat,$lat,next_pid)");
	add(&c, c.synth, "hist:keys=pid:vals=lat");
	wake(&c, 1999, 6, "six", 0);	/* 2 */
	sw(&c, 3000, 6, 0, 0);		/* 3 */
	wake(&c, 5001999, 5, "five", 0); /* 5001 */
	sw(&c, 5004000, 5, 0, 0);	/* 5004 */
	rows(&c, 2, "6: 1 1\n5: 1 3\n= 2 2 0\n");
	fixture_clear(&c.f);
}

static void expect_losses(struct chain *c, unsigned int hist, const uint64_t *expected)
{
	struct hist_table *table = hist_table_new(hist_engine_schema(c->f.engine, hist));
	struct hist_snapshot snap = { 0 };

	CU_ASSERT_PTR_NOT_NULL_FATAL(table);
	CU_ASSERT_EQUAL(hist_engine_snapshot(&c->f.run, 1, hist, table, &snap), 0);
	CU_ASSERT_EQUAL(memcmp(snap.losses, expected, sizeof(snap.losses)), 0);
	hist_snapshot_clear(&snap);
	hist_table_free(table);
}

/* STARTs that never met their END, one of them replaced by a later START, and ENDs without START. */
static void test_unmatched(void)
{
	const uint64_t found[HIST_LOSS_KINDS] = { [HIST_LOSS_UNMATCHED_STARTS] = 2,
						  [HIST_LOSS_UNMATCHED_ENDS] = 3 };
	const uint64_t usual[HIST_LOSS_KINDS] = { [HIST_LOSS_UNMATCHED_STARTS] = 2,
						  [HIST_LOSS_USUAL_ENDS] = 3 };
	const uint64_t none[HIST_LOSS_KINDS] = { 0 };
	struct chain c;

	chain_init(&c, false, "lat u64 lat; pid_t pid");
	add(&c, c.wake, "hist:keys=pid:ts0=common_timestamp.usecs");
	add(&c, c.sw, "hist:keys=next_pid:lat=common_timestamp.usecs-$ts0:onmatch(t.wake)."
		      "trace(lat,$lat,next_pid) if next_pid != 9");
	add(&c, c.synth, "hist:keys=pid if lat > 1000000");
	sw(&c, 500, 5, 0, 0);
	wake(&c, 1000, 5, "five", 0);
	wake(&c, 2000, 5, "five", 0);
	sw(&c, 6400, 5, 0, 0);
	sw(&c, 7000, 5, 0, 0);
	sw(&c, 7000, 6, 0, 0);
	sw(&c, 7000, 9, 0, 0); /* no END, as the filter says */
	wake(&c, 8000, 7, "seven", 0);
	expect_losses(&c, 2, found);
	expect_losses(&c, 1, none);
	hist_engine_expect_unmatched(c.f.engine, 2, false, true);
	expect_losses(&c, 2, usual);
	fixture_clear(&c.f);
}

/*
 * $a alone is no operand: it stays set.  $five is one, and is taken away, though what is
 * computed of it is known beforehand.
 */
static void test_alias(void)
{
	struct chain c;

	chain_init(&c, false, "out int a; char name[16]");
	add(&c, c.wake, "hist:keys=pid:a=prio,s=comm,five=5,seven=7");
	add(&c, c.sw, "hist:keys=next_pid:b=$a,n=$s,x=$five*4+1:onmatch(t.wake).trace(out,$b,$n)");
	add(&c, c.sw, "hist:keys=next_pid:vals=$seven");
	add(&c, c.synth, "hist:keys=a,name");
	wake(&c, 1, 5, "five", 50);
	sw(&c, 2, 5, 0, 0);
	sw(&c, 3, 5, 0, 0);
	wake(&c, 4, 5, "fünf", 51);
	sw(&c, 5, 5, 0, 0);
	sw(&c, 6, 6, 0, 0);
	rows(&c, 1, "5: 2\n= 2 1 0\n");
	rows(&c, 2, "5: 3 21\n= 3 1 0\n");
	rows(&c, 3, "50 five: 1\n51 fünf: 1\n= 2 2 0\n");
	fixture_clear(&c.f);
}

/*
 * parse_expr() looks at the variable itself: one that was set to 0 is a 0, by which nobody divides; what
 * repeats it is none, and is found to be 0 when it is computed, which gives -1 (div_by_...()).
 */
static void test_alias_of_constant(void)
{
	struct chain c;

	chain_init(&c, false, NULL);
	add(&c, c.wake, "hist:keys=pid:zero=0,two=2");
	add(&c, c.sw, "hist:keys=next_pid:y=$zero,w=$two");
	CU_ASSERT(fixture_add(&c.f, c.sw, "hist:keys=next_pid:z=next_pid/$zero") < 0);
	CU_ASSERT_PTR_NOT_NULL(strstr(c.f.error.what, "division by zero"));
	add(&c, c.sw, "hist:keys=next_pid:z=next_pid/$y,h=next_pid/$w");
	add(&c, c.sw, "hist:keys=next_pid:vals=$z,$h");
	wake(&c, 1, 9, "nine", 1);
	sw(&c, 2, 9, 0, 0);
	rows(&c, 3, "9: 1 18446744073709551615 4\n= 1 1 0\n");
	fixture_clear(&c.f);
}

/* A variable's string ends with a NUL in the room of its field, or in 256 bytes. */
static void test_long_strings(void)
{
	char name[300], rest[300];
	struct chain c;

	chain_init(&c, false, "out char[] name; char[] file");
	add(&c, c.wake,
	    "hist:keys=pid:who=comm,fi=file,nn=prio:onchange($nn).trace(out,$who,$fi)");
	add(&c, c.synth, "hist:keys=name");
	add(&c, c.synth, "hist:keys=file");
	memset(name, 'n', 280);
	name[280] = '\0';
	wake(&c, 1, 5, "sixteen letters!", 1);
	rows(&c, 1, "sixteen letters: 1\n= 1 1 0\n");
	rows(&c, 2, "sixteen letters!: 1\n= 1 1 0\n");
	long_wake(&c, name);
	snprintf(rest, sizeof(rest), "sixteen letters!: 1\n%.255s: 1\n= 2 2 0\n", name);
	rows(&c, 2, rest);
	fixture_clear(&c.f);
}

/* Fields as parameters: of this event; of the other one by a trigger that nobody sees. */
static void test_fields(void)
{
	struct chain c;

	chain_init(&c, true, "out char name[16]; char[] file; u64 num; int prio; char[] who");
	add(&c, c.wake, "hist:keys=pid:w=common_pid.execname if prio != 3");
	add(&c, c.sw,
	    "hist:keys=next_pid:p=next_prio:onmatch(t.wake).trace(out,comm,t.wake.file,num,$p,$w)");
	add(&c, c.synth, "hist:keys=name,file:vals=prio,num");
	add(&c, c.synth, "hist:keys=who");
	wake(&c, 1, 5, "five", 50);
	wake(&c, 1, 6, "six", 3); /* passes neither filter */
	sw(&c, 2, 5, -20, 1000);
	sw(&c, 2, 6, -20, 1000);
	wake(&c, 3, 5, "funf", 50);
	sw(&c, 4, 5, 7, 1);
	sw(&c, 4, 5, 7, 1);
	rows(&c, 0, "5: 2\n= 2 1 0\n");
	rows(&c, 1, "5: 3\n= 3 1 0\n");
	rows(&c, 2, "five five: 1 -20 1000\nfunf funf: 2 14 2\n= 3 2 0\n");
	rows(&c, 3, "waker: 3\n= 3 1 0\n");
	fixture_clear(&c.f);
}

/* What is saved is of the event with the greatest value; other keys have their own. */
static void test_onmax(void)
{
	struct chain c;

	chain_init(&c, false, NULL);
	add(&c, c.sw, "hist:keys=next_pid:n=num:onmax($n).save(next_comm,next_prio)");
	add(&c, c.wake, "hist:keys=pid:n=prio:onmax($n).save(file,prio)");
	sw(&c, 1, 5, 1, 10);
	sw(&c, 2, 5, -2, 30);
	sw(&c, 3, 5, 3, 30); /* no more than before */
	sw(&c, 4, 6, 4, 0);  /* nor is 0 */
	wake(&c, 5, 7, "low", 3);
	wake(&c, 6, 7, "high", 4);
	wake(&c, 7, 7, "low", 3);
	rows(&c, 0,
	     "5: 3 {max:         30  next_comm: next                              "
	     "next_prio:         -2}\n"
	     "6: 1 {max:          0  next_comm: (null)                            next_prio: "
	     "         0}\n= 4 2 0\n");
	rows(&c, 1,
	     "7: 3 {max:          4  file: high                              prio:          4}\n"
	     "= 3 1 0\n");
	fixture_clear(&c.f);
}

/* The peak is that since the last snapshot; the worst remains. */
static void test_worst(void)
{
	struct chain c;

	chain_init(&c, false, NULL);
	add(&c, c.sw, "hist:keys=next_pid:worst=num:onmax($worst).save(next_prio)");
	sw(&c, 1, 5, 1, 30);
	sw(&c, 2, 5, 2, 10);
	rows(&c, 0, "5: 2 30 {max:         30  next_prio:          1}\n= 2 1 0\n");
	sw(&c, 3, 5, 3, 7);
	sw(&c, 4, 5, 3, 20);
	sw(&c, 5, 5, 3, 8);
	rows(&c, 0, "5: 5 20 {max:         30  next_prio:          1}\n= 5 1 0\n");
	rows(&c, 0, "5: 5 0 {max:         30  next_prio:          1}\n= 5 1 0\n");
	sw(&c, 6, 5, 4, 31);
	rows(&c, 0, "5: 6 31 {max:         31  next_prio:          4}\n= 6 1 0\n");
	fixture_clear(&c.f);
}

static void test_onchange(void)
{
	struct chain c;

	chain_init(&c, false, "out u64 num; pid_t pid");
	add(&c, c.sw,
	    "hist:keys=next_pid:n=num:onchange($n).trace(out,$n,next_pid):onmax($n).trace(out,num,"
	    "next_pid)");
	add(&c, c.synth, "hist:keys=num");
	sw(&c, 1, 5, 0, 0); /* as if it had been 0 before */
	sw(&c, 2, 5, 0, 7);
	sw(&c, 3, 5, 0, 7);
	sw(&c, 4, 5, 0, 3);
	sw(&c, 5, 5, 0, 7);
	sw(&c, 6, 6, 0, 3);
	/* 7 changed and max, 3 changed, 7 changed; of 6: 3 changed and max */
	rows(&c, 1, "7: 3\n3: 3\n= 6 2 0\n");
	rows(&c, 0,
	     "5: 5 {changed:          7\n\tmax:          7}\n"
	     "6: 1 {changed:          3\n\tmax:          3}\n"
	     "= 6 2 0\n");
	fixture_clear(&c.f);
}

/* Shorter keys look at the beginning of longer ones; the other way round is refused. */
static void test_keys_of_others(void)
{
	struct chain c;

	chain_init(&c, false, NULL);
	add(&c, c.wake, "hist:keys=pid:a=prio");
	add(&c, c.sw, "hist:keys=next_pid,num:b=$a");
	wake(&c, 1, 5, "five", 50);
	sw(&c, 2, 5, 0, 1);
	sw(&c, 2, 5, 0, 2);
	sw(&c, 2, 6, 0, 2);
	rows(&c, 1, "5 1: 1\n5 2: 1\n= 2 2 0\n");
	fixture_clear(&c.f);

	chain_init(&c, false, NULL);
	add(&c, c.wake, "hist:keys=pid,prio:a=prio");
	CU_ASSERT_EQUAL(fixture_add(&c.f, c.sw, "hist:keys=next_pid:b=$a"), -EOPNOTSUPP);
	fixture_clear(&c.f);
}

/* References to two histograms in turn, one with a shorter key; what is read before a miss is gone. */
static void test_references_in_turn(void)
{
	struct chain c;

	chain_init(&c, false, NULL);
	add(&c, c.wake, "hist:keys=pid:a=prio,b=prio+1");
	add(&c, c.wake, "hist:keys=pid,prio:x=prio+2,y=prio+3");
	add(&c, c.sw, "hist:keys=next_pid,next_prio:p=$a+num,q=$x+num,r=$b+num,s=$y+num");
	add(&c, c.sw, "hist:keys=next_pid,next_prio:vals=$p,$q");
	add(&c, c.sw, "hist:keys=next_pid,next_prio,num:vals=$r,$s");
	wake(&c, 1, 5, "five", 50);
	sw(&c, 2, 5, 50, 1000);
	sw(&c, 3, 5, 50, 1000); /* all were read */
	rows(&c, 3, "5 50: 2 2100 2104\n= 2 1 0\n");
	rows(&c, 4, "5 50 1000: 2 2102 2106\n= 2 1 0\n");
	wake(&c, 4, 5, "five", 50);
	sw(&c, 5, 5, 51, 2000); /* reads $a and lacks $x */
	sw(&c, 6, 5, 50, 3000); /* lacks $a */
	rows(&c, 2, "5 50: 1\n= 1 1 0\n");
	fixture_clear(&c.f);
}

/* A synthetic event that fires itself on ends where the kernel's pads do. */
static void test_nesting(void)
{
	struct chain c;

	chain_init(&c, false, "loop u64 num");
	add(&c, c.synth, "hist:keys=num:n=num:onchange($n).trace(loop,$n)");
	add(&c, c.synth, "hist:keys=common_pid");
	add(&c, c.sw, "hist:keys=num:n=num:onmax($n).trace(loop,$n)");
	sw(&c, 1, 5, 0, 9);
	rows(&c, 2, "9: 1 {max:          9}\n= 1 1 0\n");
	/* changed once; the same again is no change */
	rows(&c, 0, "9: 2 {changed:          9}\n= 2 1 0\n");
	rows(&c, 1, "2: 2\n= 2 1 0\n");
	fixture_clear(&c.f);
}

static void test_switches(void)
{
	struct chain c;
	unsigned int i;

	chain_init(&c, false, NULL);
	add(&c, c.sw, "hist:keys=next_pid:pause");
	add(&c, c.sw, "hist:keys=next_prio");
	add(&c, c.wake, "enable_hist:t:switch:2 if prio == 1");
	add(&c, c.wake, "disable_hist:t:switch if prio == 2");
	CU_ASSERT_TRUE(hist_engine_is_ordered(c.f.engine));
	sw(&c, 1, 5, 0, 0);
	rows(&c, 0, "= 0 0 0\n");
	rows(&c, 1, "0: 1\n= 1 1 0\n");
	for (i = 0; i < 3; i++) {
		wake(&c, 2, 5, "on", 1);
		sw(&c, 3, 6, 0, 0);
		wake(&c, 4, 5, "off", 2);
		sw(&c, 5, 7, 0, 0);
	}
	/* switched on twice only */
	rows(&c, 0, "6: 2\n= 2 1 0\n");
	rows(&c, 1, "0: 3\n= 3 1 0\n");
	fixture_clear(&c.f);
}

/* A switch of its own event acts before a histogram there counts, in whichever order they were set. */
static void test_own_switch(void)
{
	struct chain c;

	chain_init(&c, false, NULL);
	add(&c, c.wake, "hist:keys=pid");
	add(&c, c.wake, "disable_hist:t:wake if prio == 2");
	wake(&c, 1, 5, "on", 1);
	wake(&c, 2, 6, "off", 2);
	wake(&c, 3, 7, "off", 3);
	rows(&c, 0, "5: 1\n= 1 1 0\n");
	fixture_clear(&c.f);
}

/* One of a name on several events; each has its own filter, and is paused by itself. */
static void test_named(void)
{
	struct chain c;
	const struct hist_event *again;

	chain_init(&c, false, NULL);
	again = fixture_event(&c.f, "t:again", 22, WAKE);
	add(&c, c.wake, "hist:keys=pid:name=both:size=128 if prio == 1");
	add(&c, again, "hist:keys=pid:name=both:size=128");
	wake(&c, 1, 5, "a", 1);
	wake(&c, 1, 5, "a", 2);
	c.wake = again;
	wake(&c, 1, 5, "a", 2);
	wake(&c, 1, 6, "a", 2);
	rows(&c, 0, "5: 2\n6: 1\n= 3 2 0\n");
	rows(&c, 1, "5: 2\n6: 1\n= 3 2 0\n");
	fixture_clear(&c.f);
}

static void test_refused(void)
{
	struct chain c;

	chain_init(&c, false, NULL);
	CU_ASSERT_EQUAL(fixture_add(&c.f, c.sw, "hist:keys=next_pid:n=num:onmax($n).snapshot()"),
			-EOPNOTSUPP);
	CU_ASSERT_STRING_EQUAL(c.f.error.what, "snapshot() works only in a running kernel");
	CU_ASSERT_EQUAL(c.f.error.at.start, strlen("hist:keys=next_pid:n=num:"));
	CU_ASSERT_EQUAL(fixture_add(&c.f, c.sw, "hist:keys=common_stacktrace"), -EOPNOTSUPP);
	CU_ASSERT_STRING_EQUAL(c.f.error.what, "the recording has no kernel stacks");
	/* numbers go on as if they had not been tried */
	add(&c, c.sw, "hist:keys=next_pid");
	sw(&c, 1, 5, 0, 0);
	rows(&c, 0, "5: 1\n= 1 1 0\n");
	fixture_clear(&c.f);
}

UNIT_TESTS(
	{ "a latency from two events counts each wakeup once, in both byte orders", test_latency },
	{ "times are cut to microseconds as the kernel divides", test_cut_times },
	{ "a variable that is copied stays set, and one that is an operand is consumed",
	  test_alias },
	{ "division by a constant 0 is refused, and division by a copy of that constant gives -1",
	  test_alias_of_constant },
	{ "a string variable is cut at the size of its field, or at 255 bytes",
	  test_long_strings },
	{ "pairs of a latency that never close are counted", test_unmatched },
	{ "trace() passes fields of its own event and of the event in onmatch()", test_fields },
	{ "onmax().save() keeps the fields of the event with the greatest value, for each key",
	  test_onmax },
	{ "the worst since the last snapshot is counted next to the worst since the start",
	  test_worst },
	{ "trace() generates an event for each change with onchange(), each maximum with onmax()",
	  test_onchange },
	{ "a trigger may refer to a variable under a prefix of its keys, and not under more keys",
	  test_keys_of_others },
	{ "references to two histograms in turn are resolved in their order",
	  test_references_in_turn },
	{ "a synthetic event that generates itself stops when its value no longer changes",
	  test_nesting },
	{ "enable_hist and disable_hist switch all histograms of an event, up to their count",
	  test_switches },
	{ "disable_hist on its own event acts before a histogram of that event counts",
	  test_own_switch },
	{ "triggers with the same name= count into one histogram, each with its own filter",
	  test_named },
	{ "the engine refuses snapshot(), and a stack key if the recording has no stacks",
	  test_refused });

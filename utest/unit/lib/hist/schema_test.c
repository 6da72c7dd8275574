// SPDX-License-Identifier: GPL-2.0
/*
 * schema_test.c - keys and values as the kernel prints them
 *
 * The expected names, their order and which are missing were read off the rows
 * of hist files of a 6.12 kernel.
 */
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <CUnit/Basic.h>

#include "lib/expr/expr.h"
#include "lib/hist/schema.h"
#include "utest/unit/lib/event/format_file.h"
#include "utest/unit/lib/expr/expr_samples.h"
#include "utest/unit/tests.h"

static const char *const key_kinds[] = {
	[HIST_KEY_NUM] = "num",		[HIST_KEY_HEX] = "hex",
	[HIST_KEY_SYM] = "sym",		[HIST_KEY_SYM_OFFSET] = "symoff",
	[HIST_KEY_EXECNAME] = "exec",	[HIST_KEY_SYSCALL] = "syscall",
	[HIST_KEY_STACK] = "stack",	[HIST_KEY_LOG2] = "log2",
	[HIST_KEY_BUCKETS] = "buckets", [HIST_KEY_USECS] = "usecs",
	[HIST_KEY_STRING] = "string",	[HIST_KEY_UNKNOWN] = "unknown",
	[HIST_KEY_FINE_LOG2] = "fine",
};

static const char *const value_kinds[] = {
	[HIST_VALUE_SUM] = "sum",	  [HIST_VALUE_HEX] = "hex",
	[HIST_VALUE_PERCENT] = "percent", [HIST_VALUE_GRAPH] = "graph",
	[HIST_VALUE_SAVED] = "saved",	  [HIST_VALUE_WORST] = "worst",
	[HIST_VALUE_PEAK] = "peak",
};

/* "next_pid num s, x buckets=10 | hitcount sum, ret sum s" */
static void describe(const struct hist_schema *s, char *out, size_t size)
{
	size_t len = 0;
	unsigned int i;

	for (i = 0; i < s->nkeys; i++) {
		len += snprintf(out + len, size - len, "%s%s %s", i ? ", " : "", s->keys[i].name,
				key_kinds[s->keys[i].kind]);
		if (s->keys[i].bucket)
			len += snprintf(out + len, size - len, "=%" PRIu64, s->keys[i].bucket);
		len += snprintf(out + len, size - len, s->keys[i].is_signed ? " s" : "");
	}
	for (i = 0; i < s->nvalues; i++)
		len += snprintf(out + len, size - len, "%s%s %s%s", i ? ", " : " | ",
				s->values[i].name, value_kinds[s->values[i].kind],
				s->values[i].is_signed ? " s" : "");
}

static const struct {
	const char *event; /* NULL: none is known */
	const char *text;
	const char *schema;
} cases[] = {
	{ "sched:sched_switch", "hist:keys=next_comm:vals=hitcount:sort=hitcount:size=2048",
	  "next_comm string | hitcount sum" },
	{ "sched:sched_switch", "hist:keys=prev_pid,next_pid:vals=hitcount,prev_prio",
	  "prev_pid num s, next_pid num s | hitcount sum, prev_prio sum s" },
	{ "sched:sched_switch", "hist:keys=common_pid.execname",
	  "common_pid exec s | hitcount sum" },
	{ "sched:sched_switch", "hist:keys=cpu,stacktrace",
	  "common_cpu num, common_stacktrace stack"
	  " | hitcount sum" },
	{ "sched:sched_switch", "hist:keys=CPU,STACKTRACE",
	  "common_cpu num, common_stacktrace stack"
	  " | hitcount sum" },
	{ "sched:sched_switch", "hist:keys=prev_pid,common_stacktrace,next_comm",
	  "prev_pid num s, common_stacktrace stack, next_comm string | hitcount sum" },
	{ "sched:sched_switch", "hist:keys=common_cpu,common_timestamp.usecs:clock=global",
	  "common_cpu num, common_timestamp usecs | hitcount sum" },
	{ "sched:sched_switch", "hist:keys=common_timestamp,common_timestamp.log2",
	  "common_timestamp num, common_timestamp log2 | hitcount sum" },
	{ "sched:sched_switch", "hist:keys=common_type,common_preempt_count:vals=common_pid",
	  "common_type num, common_preempt_count num | hitcount sum, common_pid sum s" },
	/* Not printed in the row: variables and expressions. */
	{ "sched:sched_switch",
	  "hist:keys=next_pid:vals=hitcount,prev_prio:x=prev_prio,y=prev_prio+1",
	  "next_pid num s | hitcount sum, prev_prio sum s" },
	{ "kmem:kmalloc", "hist:keys=common_pid:vals=hitcount,bytes_alloc-bytes_req",
	  "common_pid num s | hitcount sum" },
	/* A reference is. */
	{ "sched:sched_switch", "hist:keys=$p:vals=$q,$lat:p=next_pid.hex,q=next_prio",
	  "next_pid hex | hitcount sum, next_prio sum s, lat sum" },
	{ "sched:sched_switch", "hist:keys=$p:pq=next_prio,p=prev_pid:vals=$lat+1",
	  "prev_pid num s | hitcount sum" },
	{ "sched:sched_switch", "hist:keys=$e:e=next_pid+1", "e num | hitcount sum" },
	{ "kmem:kmalloc", "hist:keys=bytes_alloc-bytes_req",
	  "bytes_alloc-bytes_req num | hitcount sum" },
	{ "kmem:kmalloc",
	  "hist:keys=call_site.sym:vals=hitcount,bytes_req.percent,bytes_alloc.graph",
	  "call_site sym | hitcount sum, bytes_req percent, bytes_alloc graph" },
	{ "kmem:kmalloc", "hist:keys=call_site.sym-offset:vals=bytes_req,bytes_alloc.hex",
	  "call_site symoff | hitcount sum, bytes_req sum, bytes_alloc hex" },
	{ "kmem:kmalloc", "hist:keys=bytes_alloc:vals=bytes_req:nohitcount",
	  "bytes_alloc num | bytes_req sum" },
	{ "kmem:kmalloc", "hist:keys=node:vals=bytes_req,hitcount",
	  "node num s | hitcount sum,"
	  " bytes_req sum" },
	{ "kmem:kmalloc", "hist:keys=node:vals=hitcount,hitcount",
	  "node num s | hitcount sum,"
	  " hitcount sum" },
	{ "kmem:kmalloc", "hist:keys=node.hex,node.log2,node.buckets=16",
	  "node hex, node log2=32 s, node buckets=16 s | hitcount sum" },
	{ "raw_syscalls:sys_exit", "hist:keys=ret.log2", "ret log2=64 s | hitcount sum" },
	{ "raw_syscalls:sys_exit", "hist:keys=ret.log2=3", "ret fine=3 s | hitcount sum" },
	{ "kmem:kmalloc", "hist:keys=bytes_req.log2=5", "bytes_req fine=5 | hitcount sum" },
	{ "kmem:kmalloc", "hist:keys=bytes_req.log2", "bytes_req log2 | hitcount sum" },
	{ "raw_syscalls:sys_enter",
	  "hist:keys=id.syscall:vals=hitcount.percent,hitcount.graph:nohitcount",
	  "id syscall s | hitcount percent, hitcount graph" },
	{ "raw_syscalls:sys_exit", "hist:keys=id.syscall,ret:vals=hitcount,ret,ret.hex",
	  "id syscall s, ret num s | hitcount sum, ret sum s, ret hex" },
	/* The kernel takes it and prints the plain number. */
	{ "raw_syscalls:sys_exit", "hist:keys=ret.usecs", "ret num s | hitcount sum" },
	{ "synthetic:block_lat", "hist:keys=delta.buckets=100,stack.stacktrace",
	  "delta buckets=100, stack stack | hitcount sum" },
	{ "synthetic:block_lat", "hist:keys=stack,comm,file",
	  "stack stack, comm string, file string | hitcount sum" },
	{ "tcp:tcp_probe", "hist:keys=saddr4,path:vals=mark",
	  "saddr4 num, path num | hitcount sum, mark sum" },
	{ "ipi:ipi_send_cpu", "hist:keys=cpu,common_cpu",
	  "cpu num, common_cpu num | hitcount sum" },
	/* Lines of actions. */
	{ "sched:sched_switch", "hist:keys=next_pid:l=1:onmax($l).save(next_comm,prev_pid)",
	  "next_pid num s | hitcount sum, saved saved" },
	{ "sched:sched_switch",
	  "hist:keys=next_pid:l=1:vals=next_prio:onchange($l).save(next_comm)",
	  "next_pid num s | hitcount sum, next_prio sum s, saved saved" },
	{ "sched:sched_switch", "hist:keys=next_pid:l=1:onmax($l).trace(ev,$l):onmax($l).save(x)",
	  "next_pid num s | hitcount sum, saved saved" },
	{ "sched:sched_switch", "hist:keys=next_pid:l=1:onmax($l).snapshot()",
	  "next_pid num s | hitcount sum" },
	{ "sched:sched_switch", "hist:keys=next_pid:onmatch(a.b).trace(ev,next_pid)",
	  "next_pid num s | hitcount sum" },
	{ "sched:sched_switch",
	  "hist:keys=next_pid:l=1:onchange($l).snapshot():onchange($l).save(next_comm)",
	  "next_pid num s | hitcount sum, saved saved" },
	/* Without an event. */
	{ NULL, "hist:keys=a,b.hex,c.buckets=5:vals=hitcount,d",
	  "a unknown, b hex, c buckets=5"
	  " | hitcount sum, d sum" },
	{ NULL, "hist:keys=a:vals=b,c,d,e,f,g,h",
	  "a unknown | hitcount sum, b sum, c sum, d sum, e sum,"
	  " f sum, g sum, h sum" },
	{ NULL, "hist:keys=common_pid,common_cpu,common_timestamp",
	  "common_pid num s, common_cpu num, common_timestamp num | hitcount sum" },
	{ NULL, "hist:keys=common_stacktrace,cpu,stacktrace:vals=common_pid",
	  "common_stacktrace stack, cpu unknown, common_stacktrace stack"
	  " | hitcount sum, common_pid sum s" },
	{ NULL, "hist:keys=common_pid.execname,s.stacktrace,common_timestamp.usecs",
	  "common_pid exec s, s stack, common_timestamp usecs | hitcount sum" },
	/* A field that this format lacks. */
	{ "kmem:kmalloc", "hist:keys=gone,gone.log2:vals=lost",
	  "gone unknown, gone log2 | hitcount sum, lost sum" },
};

static struct hist_schema *make(const char *event_name, const char *text)
{
	struct hist_event *event = event_name ? format_event(event_name) : NULL;
	struct hist_schema *schema = NULL;
	struct hist_expr *expr = NULL;

	CU_ASSERT_EQUAL_FATAL(hist_expr_parse(&expr, text, NULL), 0);
	CU_ASSERT_EQUAL_FATAL(hist_schema_make(&schema, expr, event), 0);
	hist_expr_free(expr);
	hist_event_free(event);
	/* The schema owns its names: nothing of the above is needed any more. */
	return schema;
}

static void test_make(void)
{
	struct hist_schema *schema, *copy;
	char got[1024];
	size_t i;

	for (i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		schema = make(cases[i].event, cases[i].text);
		describe(schema, got, sizeof(got));
		CU_ASSERT_STRING_EQUAL(got, cases[i].schema);
		if (strcmp(got, cases[i].schema))
			fprintf(stderr, "%s\n  %s\n  %s\n", cases[i].text, got, cases[i].schema);

		copy = hist_schema_copy(schema);
		CU_ASSERT_PTR_NOT_NULL_FATAL(copy);
		hist_schema_free(schema);
		describe(copy, got, sizeof(got));
		CU_ASSERT_STRING_EQUAL(got, cases[i].schema);
		hist_schema_free(copy);
	}
	hist_schema_free(NULL);
}

/* Every sample gives a schema, or has more keys or values than one can have. */
static void test_samples(void)
{
	struct hist_schema *schema;
	struct hist_expr *expr;
	unsigned int i;

	for (i = 0; i < expr_nsamples; i++) {
		schema = NULL;
		CU_ASSERT_EQUAL_FATAL(hist_expr_parse(&expr, expr_samples[i], NULL), 0);
		CU_ASSERT_EQUAL_FATAL(hist_schema_make(&schema, expr, NULL), 0);
		CU_ASSERT_EQUAL(schema->nkeys, expr->keys.n);
		CU_ASSERT_EQUAL(hist_schema_hitcount(schema), expr->nohitcount ? -1 : 0);
		hist_schema_free(schema);
		hist_expr_free(expr);
	}
}

static void test_too_many(void)
{
	static const char *const texts[] = {
		"hist:keys=a,b,c,d",
		"hist:keys=a:vals=b,c,d,e,f,g,h,i",
		"hist:keys=a:vals=b,c,d,e,f,g,h:onmax($x).save(y)",
		"hist:keys=a:nohitcount",
		"hist:keys=a:vals=b-c:nohitcount",
	};
	struct hist_schema *schema = NULL;
	struct hist_expr *expr;
	size_t i;

	for (i = 0; i < sizeof(texts) / sizeof(*texts); i++) {
		CU_ASSERT_EQUAL_FATAL(hist_expr_parse(&expr, texts[i], NULL), 0);
		CU_ASSERT_EQUAL(hist_schema_make(&schema, expr, NULL), -EINVAL);
		CU_ASSERT_PTR_NULL(schema);
		hist_expr_free(expr);
	}
}

static void test_kinds(void)
{
	static const struct {
		enum hist_key_kind kind;
		const char *modifier;
		bool string, text;
	} keys[] = {
		{ HIST_KEY_NUM, "", false, false },
		{ HIST_KEY_HEX, "hex", false, false },
		{ HIST_KEY_SYM, "sym", true, false },
		{ HIST_KEY_SYM_OFFSET, "sym-offset", true, false },
		{ HIST_KEY_EXECNAME, "execname", true, false },
		{ HIST_KEY_SYSCALL, "syscall", true, false },
		{ HIST_KEY_STACK, "stacktrace", true, true },
		{ HIST_KEY_LOG2, "log2", false, false },
		{ HIST_KEY_BUCKETS, "buckets", false, false },
		{ HIST_KEY_USECS, "usecs", false, false },
		{ HIST_KEY_STRING, "", true, true },
		{ HIST_KEY_UNKNOWN, "", false, false },
		{ HIST_KEY_FINE_LOG2, "log2", false, false },
	};
	static const struct {
		enum hist_value_kind kind;
		const char *modifier;
		bool sum;
	} values[] = {
		{ HIST_VALUE_SUM, "", true },
		{ HIST_VALUE_HEX, "hex", true },
		{ HIST_VALUE_PERCENT, "percent", false },
		{ HIST_VALUE_GRAPH, "graph", false },
		{ HIST_VALUE_SAVED, "", false },
		{ HIST_VALUE_WORST, "", false },
		{ HIST_VALUE_PEAK, "", false },
	};
	struct hist_schema *s;
	size_t i;

	for (i = 0; i < sizeof(keys) / sizeof(*keys); i++) {
		/* The numbers are those of the file format. */
		CU_ASSERT_EQUAL(keys[i].kind, i);
		CU_ASSERT_STRING_EQUAL(hist_key_kinds[keys[i].kind].modifier, keys[i].modifier);
		CU_ASSERT_EQUAL(hist_key_has_string(keys[i].kind), keys[i].string);
		CU_ASSERT_EQUAL(hist_key_is_text(keys[i].kind), keys[i].text);
	}
	for (i = 0; i < sizeof(values) / sizeof(*values); i++) {
		CU_ASSERT_EQUAL(values[i].kind, i);
		CU_ASSERT_STRING_EQUAL(hist_schema_value_modifier(values[i].kind),
				       values[i].modifier);
		CU_ASSERT_EQUAL(hist_value_is_sum(values[i].kind), values[i].sum);
	}
	s = make(NULL, "hist:keys=a:vals=hitcount.percent");
	CU_ASSERT_EQUAL(hist_schema_hitcount(s), 0);
	hist_schema_free(s);
	s = make(NULL, "hist:keys=a:vals=hitcount.percent:nohitcount");
	CU_ASSERT_EQUAL(hist_schema_hitcount(s), -1);
	hist_schema_free(s);
}

/* The only onmax() or onchange() must save the maximum of a variable "worst...". */
static void test_worst(void)
{
	static const struct {
		const char *trigger;
		int worst, peak;
		const char *schema;
	} cases[] = {
		{ "hist:keys=a:worst=b:onmax($worst).save(c)", 1, 1,
		  "a unknown | hitcount sum, peak peak, worst worst" },
		{ "hist:keys=a:vals=d:worst2=b,x=$worst2:onmax($worst2).save(c) if a > 1", 2, 2,
		  "a unknown | hitcount sum, d sum, peak peak, worst worst" },
		{ "hist:keys=a:w=b:onmax($w).save(c)", -1, -1, "a unknown | hitcount sum, saved saved" },
		{ "hist:keys=a:worst=b:onchange($worst).save(c)", -1, -1,
		  "a unknown | hitcount sum, saved saved" },
		{ "hist:keys=a:worst=b,y=d:onmax($worst).save(c):onchange($y).trace(s,d)", -1, -1,
		  "a unknown | hitcount sum, saved saved" },
	};
	struct hist_schema *s;
	char got[256];
	size_t i;

	for (i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		s = make(NULL, cases[i].trigger);
		CU_ASSERT_EQUAL(hist_schema_worst(s), cases[i].worst);
		CU_ASSERT_EQUAL(hist_schema_peak(s), -1);
		CU_ASSERT_EQUAL(hist_schema_columns(s), s->nvalues - (cases[i].worst >= 0));
		CU_ASSERT_EQUAL(hist_schema_add_peak(s), 0);
		CU_ASSERT_EQUAL(hist_schema_peak(s), cases[i].peak);
		CU_ASSERT_EQUAL(hist_schema_columns(s), s->nvalues - 2 * (cases[i].worst >= 0));
		describe(s, got, sizeof(got));
		CU_ASSERT_STRING_EQUAL(got, cases[i].schema);
		hist_schema_free(s);
	}
}

static void test_longest(void)
{
	static const char format[] =
		"name: e\nID: 9\nformat:\n"
		"\tfield:unsigned short common_type;\toffset:0;\tsize:2;\tsigned:0;\n\n"
		"\tfield:__data_loc char[] any;\toffset:8;\tsize:4;\tsigned:0;\n"
		"\tfield:char fixed[32];\toffset:16;\tsize:32;\tsigned:0;\n"
		"\tfield:char comm[16];\toffset:48;\tsize:16;\tsigned:0;\n"
		"\tfield:int n;\toffset:72;\tsize:4;\tsigned:1;\n\nprint fmt: \"\"\n";
	static const struct {
		const char *system, *key;
		unsigned int longest;
	} cases[] = {
		{ "a", "any", 255 }, { "a", "fixed", 0 }, { "a", "comm", 0 }, { "a", "n", 0 },
		{ "synthetic", "any", 255 }, { "synthetic", "fixed", 31 }, { "synthetic", "comm", 0 },
	};
	struct hist_event *event;
	struct hist_schema *s, *copy;
	struct hist_expr *expr;
	char text[64];
	size_t i;

	for (i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		snprintf(text, sizeof(text), "hist:keys=%s", cases[i].key);
		CU_ASSERT_EQUAL_FATAL(hist_event_parse(&event, cases[i].system, format,
						       sizeof(format) - 1), 0);
		CU_ASSERT_EQUAL_FATAL(hist_expr_parse(&expr, text, NULL), 0);
		CU_ASSERT_EQUAL_FATAL(hist_schema_make(&s, expr, event), 0);
		copy = hist_schema_copy(s);
		CU_ASSERT_EQUAL(copy->keys[0].longest, cases[i].longest);
		hist_schema_free(copy);
		hist_schema_free(s);
		hist_expr_free(expr);
		hist_event_free(event);
	}
}

UNIT_TESTS(
	{ "a string may be cut at 255 bytes, or at the length of a synthetic event's field",
	  test_longest },
	{ "a trigger that keeps only its worst has that instead of a saved value", test_worst },
	{ "a schema lists the keys and values of a trigger as the kernel prints them", test_make },
	{ "the schema of each sample trigger contains all keys, and hitcount unless disabled",
	  test_samples },
	{ "a schema with too many keys, too many values or no value is refused", test_too_many },
	{ "kinds of keys and values keep the numbers of the file format and their modifiers",
	  test_kinds });

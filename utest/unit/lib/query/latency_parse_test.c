// SPDX-License-Identifier: GPL-2.0
/*
 * latency_parse_test.c - --latency, from its text to the lines that the kernel gets
 */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <CUnit/Basic.h>

#include "lib/query/latency_expand.h"
#include "lib/query/latency_parse.h"
#include "tracecmd/session/plan_source.h"
#include "utest/unit/alloc_fail.h"
#include "utest/unit/tests.h"
#include "utest/unit/tracecmd/plan/plan_fixture.h"
#include "utest/unit/tracecmd/target/fake_target.h"

static const struct {
	const char *text;
	const char *parts; /* "START|KEYS|FILTER END|KEYS|FILTER UNIT", or what is wrong */
} parse_cases[] = {
	{ "sched:sched_waking:pid..sched:sched_switch:next_pid:usecs",
	  "sched:sched_waking|pid| sched:sched_switch|next_pid| us" },
	{ "sched:sched_waking:pid..sched:sched_switch:next_pid",
	  "sched:sched_waking|pid| sched:sched_switch|next_pid| us" },
	{ "a:b:c..d:e:f:nsecs", "a:b|c| d:e|f| ns" },
	{ "block:rq_issue:dev,sector..block:rq_complete:dev,sector:usecs",
	  "block:rq_issue|dev,sector| block:rq_complete|dev,sector| us" },
	{ "a:b:c,d,e..a:b:c,d,e", "a:b|c,d,e| a:b|c,d,e| us" },
	{ "a:b:c[x > 1 && y == \"..:\"]..d:e:f[z]:nsecs", "a:b|c|x > 1 && y == \"..:\" d:e|f|z ns" },
	{ "xen-a:b:c..d:e:f", "xen-a:b|c| d:e|f| us" },
	{ "", "\"\" does not contain \"..\" between START:KEY and END:KEY" },
	{ "a:b:c", "\"a:b:c\" does not contain \"..\" between START:KEY and END:KEY" },
	{ "a:b:c.d:e:f", "\"a:b:c.d:e:f\" does not contain \"..\" between START:KEY and END:KEY" },
	{ "a:b..d:e:f", "a|b| d:e|f| us" },
	{ "a:b,b2..c:d,e:nsecs", "a|b,b2| c|d,e| ns" },
	{ "a..d:e:f", "\"a\" must be SYS:EVENT:KEY" },
	{ "a:b:..d:e:f", "\"\" must be a list of fields separated by commas" },
	{ "a:b:c..d:e", "a:b|c| d|e| us" },
	{ "a:b:c..", "\"\" must be SYS:EVENT:KEY" },
	{ "..d:e:f", "\"\" must be SYS:EVENT:KEY" },
	{ ":b:c..d:e:f", "\":b:c\" must be SYS:EVENT:KEY" },
	{ "a::c..d:e:f", "\"a::c\" must be SYS:EVENT:KEY" },
	{ "a:b:c..d:e:f:ms", "\"ms\" must be usecs or nsecs" },
	{ "a:b:c..d:e:f:", "\"\" must be usecs or nsecs" },
	{ "a:b:c:usecs..d:e:f", "\"c:usecs\" must be a list of fields separated by commas" },
	{ "a:b:c.hex..d:e:f", "\"c.hex\" must be a list of fields separated by commas" },
	{ "a:b:c,..d:e:f,g", "\"\" must be a list of fields separated by commas" },
	{ "a:b:c,d,e,f..d:e:f", "\"f\" is a fourth key, but at most 3 keys are allowed" },
	{ "a:b:c,d..d:e:f", "START has 2 keys but END has 1" },
	{ "a:b:c..d:e:f,g", "START has 1 key but END has 2" },
	{ "a:b:c[..d:e:f", "\"a:b:c[..d:e:f\" does not contain \"..\" between START:KEY and END:KEY" },
	{ "a:b:c[]..d:e:f", "\"[]\" must be one filter in brackets" },
	{ "a:b:c[x]y..d:e:f", "\"[x]y\" must be one filter in brackets" },
	{ "a:b:c[x][y]..d:e:f", "\"[x][y]\" must be one filter in brackets" },
	{ "a:b:c\n..d:e:f", "\"a:b:c\" is followed by a control character" },
};

static void append_side(char *buf, size_t len, const struct latency_side *side)
{
	size_t n = strlen(buf);
	unsigned int i;

	n += snprintf(buf + n, len - n, "%s", side->event);
	for (i = 0; i < side->nkeys; i++)
		n += snprintf(buf + n, len - n, "%s%s", i ? "," : "|", side->keys[i]);
	snprintf(buf + n, len - n, "|%s ", side->filter ? side->filter : "");
}

static void test_parse(void)
{
	struct hist_error error = { 0 };
	struct latency l;
	char got[512];
	size_t i;
	int ret;

	for (i = 0; i < sizeof(parse_cases) / sizeof(*parse_cases); i++) {
		ret = latency_parse(&l, parse_cases[i].text, &error);
		snprintf(got, sizeof(got), "%s", error.what);
		CU_ASSERT(ret == 0 || ret == -EINVAL);
		if (!ret) {
			got[0] = '\0';
			append_side(got, sizeof(got), &l.start);
			append_side(got, sizeof(got), &l.end);
			strcat(got, l.nsecs ? "ns" : "us");
		}
		if (strcmp(got, parse_cases[i].parts))
			fprintf(stderr, "%s:\n  got %s\n", parse_cases[i].text, got);
		CU_ASSERT_STRING_EQUAL(got, parse_cases[i].parts);
		latency_clear(&l);
	}
}

/* Cut anywhere, and with any byte replaced: no crash, and an error has a text. */
static void test_damage(void)
{
	static const char text[] = "a:b:c,d[x == \"y\"]..d:e:f,g[z]:nsecs";
	static const char bytes[] = ".:[],\"a \n";
	struct hist_error error = { 0 };
	char copy[sizeof(text)];
	struct latency l;
	bool holds = true;
	size_t i, j;

	for (i = 0; i < sizeof(text); i++) {
		for (j = 0; j < sizeof(bytes); j++) {
			memcpy(copy, text, sizeof(text));
			copy[i] = bytes[j]; /* the last one cuts */
			copy[sizeof(copy) - 1] = '\0';
			error = (struct hist_error){ 0 };
			if (latency_parse(&l, copy, &error))
				holds &= *error.what != '\0';
			else
				holds &= l.start.nkeys == l.end.nkeys && l.start.nkeys > 0;
			latency_clear(&l);
		}
	}
	CU_ASSERT_TRUE(holds);
}

/* A target with some events, in a directory of its own. */
static struct fake_target *machine(char *dir)
{
	struct fake_target *fake;

	if (!mkdtemp(dir))
		abort();
	fake = fake_target_new(dir);
	if (!fake)
		abort();
	plan_events_put(fake);
	return fake;
}

static void wipe(char *dir)
{
	char command[128];

	snprintf(command, sizeof(command), "rm -rf %s", dir);
	if (system(command))
		abort();
}

#define WORST(field, more) " m=worst=" field ":onmax($worst)." \
			   "save(common_timestamp,cpu,common_pid" more ")"
#define SAVE ":onmax($up_1_2).save(cpu,common_pid,prev_prio,prev_comm)"
/* the latency in us, and in ns plus what makes one below zero small */
#define LIFTED "common_timestamp/1000-$ts_1_2/1000,up_1_2=common_timestamp+1099511627776-$ts_1_2"
/* a time, and what makes a latency without START large */
#define START_US "common_timestamp/1000+18014398509481984"
/* counts all ENDs; the condition of each histogram, and what counts those that it leaves out */
#define ENDS(event, filter) "-" event " hist:name=ends_1_2:keys=common_type:size=128" filter " []\n"
#define LIMIT_lat_us "9007199254741"
#define LIMIT_lat_ns "9007199254740992"
#define GUARD(lat) #lat " < " LIMIT_##lat
#define BELOW(lat, title) "-synthetic:trace_cmd_hist_1_2 hist:name=below_1_2:keys=common_type:size=128 " \
			  "if " #lat " >= " LIMIT_##lat " [latency:" title "]\n"
#define TAIL(filter) ":size=16384:clock=boot" filter " []\n"

static const struct {
	const char *latency;
	struct query_hist hist;
	const char *lines;
	bool engine;
} expand_cases[] = {
	{ "raw_syscalls:sys_enter:common_pid..raw_syscalls:sys_exit:common_pid", { 0 },
	  "trace_cmd_hist_1_2 u64 lat_us\n"
	  "-raw_syscalls:sys_enter hist:keys=common_pid:ts_1_2=" START_US TAIL("")
	  "-raw_syscalls:sys_exit hist:keys=common_pid:lat_1_2=" START_US "-$ts_1_2:"
	  "onmatch(raw_syscalls.sys_enter).trace(trace_cmd_hist_1_2,$lat_1_2)" TAIL("")
	  ENDS("raw_syscalls:sys_exit", "")
	  "synthetic:trace_cmd_hist_1_2 lat_us.log2=3 f=" GUARD(lat_us) WORST("lat_us", "")
	  " [latency:sys_enter..sys_exit]\n" BELOW(lat_us, "sys_enter..sys_exit"), false },
	/* fields of END, and their types; nothing is taken out of quotes or modifiers */
	{ "sched:sched_switch:prev_pid[prev_state == 0]..sched:sched_switch:next_pid[next_pid]:nsecs",
	  { .keys = "next_comm,lat.buckets=100,common_pid.execname", .values = "lat,next_prio",
	    .sort = "lat,hitcount.descending",
	    .filter = "prev_state != 1 && next_comm ~ \"prev_prio lat\" && lat > 5" },
	  "trace_cmd_hist_1_2 u64 lat_ns; char next_comm[16]; int next_prio; long prev_state\n"
	  "-sched:sched_switch hist:keys=prev_pid:ts_1_2=common_timestamp" TAIL(" if prev_state == 0")
	  "-sched:sched_switch hist:keys=next_pid:lat_1_2=common_timestamp-$ts_1_2,"
	  "up_1_2=common_timestamp+1099511627776-$ts_1_2:onmatch(sched.sched_switch).trace(trace_cmd_hist_1_2,$lat_1_2,next_comm,next_prio,"
	  "prev_state)" SAVE TAIL(" if next_pid") ENDS("sched:sched_switch", " if next_pid")
	  "synthetic:trace_cmd_hist_1_2 next_comm,lat_ns.buckets=100,common_pid.execname "
	  "v=lat_ns,next_prio s=lat_ns,hitcount.descending "
	  "f=(prev_state != 1 && next_comm ~ \"prev_prio lat\" && lat_ns > 5) && " GUARD(lat_ns)
	  WORST("lat_ns", "") " [latency:sched_switch..sched_switch]\n"
	  BELOW(lat_ns, "sched_switch..sched_switch"), false },
	/* the user-space engine carries the task before */
	{ "sched:sched_switch:prev_pid..sched:sched_switch:next_pid", { 0 },
	  "trace_cmd_hist_1_2 u64 lat_us; int prev_prio; char prev_comm[16]\n"
	  "-sched:sched_switch hist:keys=prev_pid:ts_1_2=common_timestamp/1000" TAIL("")
	  "-sched:sched_switch hist:keys=next_pid:lat_1_2=common_timestamp/1000-$ts_1_2:"
	  "onmatch(sched.sched_switch).trace(trace_cmd_hist_1_2,$lat_1_2,prev_prio,prev_comm)" TAIL("")
	  "synthetic:trace_cmd_hist_1_2 lat_us.log2=3" WORST("lat_us", ",prev_prio,prev_comm")
	  " [latency:sched_switch..sched_switch]\n", true },
	/* a field of START only, of a type that synthetic events do not know; a long string */
	{ "kmem:kmalloc:common_pid..sched:sched_process_exec:pid",
	  { .keys = "bytes_req,filename,lat.log2" },
	  "trace_cmd_hist_1_2 u64 lat_us; u64 bytes_req; char filename[]\n"
	  "-kmem:kmalloc hist:keys=common_pid:ts_1_2=" START_US ",s0_1_2=bytes_req" TAIL("")
	  "-sched:sched_process_exec hist:keys=pid:lat_1_2=" START_US "-$ts_1_2,"
	  "e0_1_2=$s0_1_2:onmatch(kmem.kmalloc).trace(trace_cmd_hist_1_2,$lat_1_2,$e0_1_2,filename)"
	  TAIL("") ENDS("sched:sched_process_exec", "")
	  "synthetic:trace_cmd_hist_1_2 bytes_req,filename,lat_us.log2 f=" GUARD(lat_us)
	  WORST("lat_us", "") " [latency:kmalloc..sched_process_exec]\n"
	  BELOW(lat_us, "kmalloc..sched_process_exec"), false },
	/* fields of START although END has them too, and the stack of START */
	{ "sched:sched_switch:prev_pid..sched:sched_switch:next_pid",
	  { .keys = "start_prev_state,prev_state,start_stacktrace", .values = "start_prev_state" },
	  "trace_cmd_hist_1_2 u64 lat_us; long start_prev_state; long prev_state; "
	  "unsigned long[] start_stacktrace\n"
	  "-sched:sched_switch hist:keys=prev_pid:ts_1_2=common_timestamp,s0_1_2=prev_state,"
	  "s2_1_2=common_stacktrace" TAIL("")
	  "-sched:sched_switch hist:keys=next_pid:lat_1_2=" LIFTED ","
	  "e0_1_2=$s0_1_2,e2_1_2=$s2_1_2:onmatch(sched.sched_switch)."
	  "trace(trace_cmd_hist_1_2,$lat_1_2,$e0_1_2,prev_state,$e2_1_2)" SAVE TAIL("")
	  ENDS("sched:sched_switch", "")
	  "synthetic:trace_cmd_hist_1_2 start_prev_state,prev_state,start_stacktrace.stacktrace "
	  "v=start_prev_state f=" GUARD(lat_us) WORST("lat_us", "")
	  " [latency:sched_switch..sched_switch]\n" BELOW(lat_us, "sched_switch..sched_switch"),
	  false },
	/* only the condition is added to -R, and what it names is carried */
	{ "raw_syscalls:sys_enter:common_pid..raw_syscalls:sys_exit:common_pid",
	  { .raw = "hist:keys=id:vals=lat_us" },
	  "trace_cmd_hist_1_2 u64 lat_us; long id\n"
	  "-raw_syscalls:sys_enter hist:keys=common_pid:ts_1_2=" START_US TAIL("")
	  "-raw_syscalls:sys_exit hist:keys=common_pid:lat_1_2=" START_US "-$ts_1_2:"
	  "onmatch(raw_syscalls.sys_enter).trace(trace_cmd_hist_1_2,$lat_1_2,id)" TAIL("")
	  ENDS("raw_syscalls:sys_exit", "")
	  "synthetic:trace_cmd_hist_1_2 hist:keys=id:vals=lat_us if " GUARD(lat_us)
	  " [latency:sys_enter..sys_exit]\n" BELOW(lat_us, "sys_enter..sys_exit"), false },
	/* nor does it keep the worst, so the task before is not carried */
	{ "sched:sched_switch:prev_pid..sched:sched_switch:next_pid", { .raw = "hist:keys=lat_us" },
	  "trace_cmd_hist_1_2 u64 lat_us\n"
	  "-sched:sched_switch hist:keys=prev_pid:ts_1_2=" START_US TAIL("")
	  "-sched:sched_switch hist:keys=next_pid:lat_1_2=" START_US "-$ts_1_2:"
	  "onmatch(sched.sched_switch).trace(trace_cmd_hist_1_2,$lat_1_2)" TAIL("")
	  ENDS("sched:sched_switch", "")
	  "synthetic:trace_cmd_hist_1_2 hist:keys=lat_us if " GUARD(lat_us)
	  " [latency:sched_switch..sched_switch]\n" BELOW(lat_us, "sched_switch..sched_switch"),
	  false },
	/* one event: END reads the time before START, which comes after it by a relay, overwrites it */
	{ "kmem:kmalloc:common_pid,common_cpu[bytes_req]..kmem:kmalloc:common_pid,common_cpu",
	  { .keys = "start_bytes_req" },
	  "trace_cmd_hist_1_2_start u64 ts; int k0; unsigned int k1; u64 c0\n"
	  "trace_cmd_hist_1_2 u64 lat_us; u64 start_bytes_req\n"
	  "-synthetic:trace_cmd_hist_1_2_start hist:keys=k0,k1:ts_1_2=ts/1000+18014398509481984,"
	  "s0_1_2=c0:size=16384 []\n"
	  "-kmem:kmalloc hist:keys=common_pid,common_cpu:lat_1_2=" START_US "-$ts_1_2,"
	  "e0_1_2=$s0_1_2:onmatch(synthetic.trace_cmd_hist_1_2_start)."
	  "trace(trace_cmd_hist_1_2,$lat_1_2,$e0_1_2)" TAIL("") ENDS("kmem:kmalloc", "")
	  "-kmem:kmalloc hist:keys=common_pid,common_cpu:now_1_2=common_timestamp,k1_1_2=common_cpu:"
	  "onmatch(kmem.kmalloc).trace(trace_cmd_hist_1_2_start,$now_1_2,common_pid,$k1_1_2,bytes_req)"
	  TAIL(" if bytes_req")
	  "synthetic:trace_cmd_hist_1_2 start_bytes_req f=" GUARD(lat_us) WORST("lat_us", "")
	  " [latency:kmalloc..kmalloc]\n" BELOW(lat_us, "kmalloc..kmalloc"), false },
};

#define SWITCHES "sched:sched_switch:prev_pid..sched:sched_switch:next_pid"
#define CALLS "raw_syscalls:sys_enter:common_pid..raw_syscalls:sys_exit:common_pid"

static const struct {
	const char *latency;
	struct query_hist hist;
	const char *said; /* behind "trace-cmd hist: error: " */
} refused_cases[] = {
	/* a string and a number, an array, half a CPU, no such event, half a latency */
	{ "sched:sched_switch:prev_comm..sched:sched_switch:next_pid", { 0 },
	  "--latency: cannot compare prev_comm of sched:sched_switch (char[16]) with next_pid of "
	  "sched:sched_switch (pid_t)\n" },
	{ "sched:sched_switch:prev_comm..sched:sched_process_exec:filename", { 0 },
	  "--latency: cannot compare prev_comm of sched:sched_switch (char[16]) with filename of "
	  "sched:sched_process_exec (__data_loc char[])\n" },
	{ "kmem:kmalloc:common_pid..raw_syscalls:sys_enter:common_pid", { .keys = "args" },
	  "--latency: field \"args\" (unsigned long[6]) is neither a number nor a string\n" },
	{ "sched:sched_switch:common_cpu..sched:sched_switch:next_pid", { 0 },
	  "--latency: common_cpu must be a key of both START and END\n" },
	{ "sched:sched_switch:prev_pid..sched:sched_switch:common_cpu", { 0 },
	  "--latency: common_cpu must be a key of both START and END\n" },
	{ "sched:sched_switch:prev_pid..sched:nothing:pid", { 0 },
	  "sched:nothing: no such event system\nhint: did you mean \"sched\"?\n" },
	{ "sched:sched_switch:prev_pid", { 0 }, "--latency: \"sched:sched_switch:prev_pid\" does not contain \"..\" between START:KEY and " },
	/* no such fields: in the latency itself, in -k, -v, -s, -f and -R */
	{ "sched:sched_switch:prev_pidd..sched:sched_switch:next_pid", { 0 },
	  "--latency: no field \"prev_pidd\" in sched:sched_switch\nhint: did you mean \"prev_pid\"?\n" },
	{ SWITCHES, { .keys = "lat.log2,next_com" },
	  "--latency: no field \"next_com\" in sched:sched_switch\n"
	  "  lat.log2,next_com\n"
	  "           ^~~~~~~~\n"
	  "hint: did you mean \"next_comm\"?\n" },
	{ SWITCHES, { .keys = "lat", .sort = "zork" },
	  "--latency: no field \"zork\" in sched:sched_switch\n  zork\n  ^~~~\n"
	  "hint: use one of: lat, prev_comm, prev_pid, prev_prio, prev_state, next_comm, next_pid, "
	  "next_prio\n" },
	{ SWITCHES, { .keys = "lat", .values = "latt" },
	  "--latency: no field \"latt\" in sched:sched_switch\n"
	  "  latt\n  ^~~~\nhint: did you mean \"lat\"?\n" },
	{ CALLS, { .keys = "lat", .filter = "cpu == 1 && !(lat > 5 || rett < 0)" },
	  "--latency: no field \"rett\" in raw_syscalls:sys_exit or raw_syscalls:sys_enter\n"
	  "  cpu == 1 && !(lat > 5 || rett < 0)\n"
	  "                           ^~~~\n"
	  "hint: did you mean \"ret\"?\n" },
	/* a field of START only, near */
	{ "kmem:kmalloc:common_pid..raw_syscalls:sys_exit:common_pid",
	  { .keys = "lat", .filter = "bytes_rq > 5" },
	  "--latency: no field \"bytes_rq\" in raw_syscalls:sys_exit or kmem:kmalloc\n"
	  "  bytes_rq > 5\n  ^~~~~~~~\nhint: did you mean \"bytes_req\"?\n" },
	{ CALLS, { .raw = "hist:keys=idd.syscall:vals=lat_us" },
	  "--latency: no field \"idd\" in raw_syscalls:sys_exit or raw_syscalls:sys_enter\n"
	  "  hist:keys=idd.syscall:vals=lat_us\n            ^~~\n"
	  "hint: did you mean \"id\"?\n" },
	{ CALLS, { .raw = "hist:keys=id:vals=lat_uz" },
	  "--latency: no field \"lat_uz\" in raw_syscalls:sys_exit or raw_syscalls:sys_enter\n"
	  "  hist:keys=id:vals=lat_uz\n                    ^~~~~~\n"
	  "hint: did you mean \"lat_us\"?\n" },
	{ CALLS, { .raw = "hist:keys=id if rat == 1" },
	  "--latency: no field \"rat\" in raw_syscalls:sys_exit or raw_syscalls:sys_enter\n"
	  "  hist:keys=id if rat == 1\n                  ^~~\n"
	  "hint: did you mean \"ret\"?\n" },
};

/* All that latencies ask of a kernel. */
static const struct hist_kernel newest = { .literals = true };

static int expand_quietly(struct plan *plan, const struct query_event *event,
			  struct fake_target *fake, bool engine, struct hist_error *refusal)
{
	struct plan_source source;

	plan->clock = "boot";
	plan_source_init(&source, plan, &fake->target, engine ? NULL : &newest);
	return latency_expand(&plan->query, event, "1_2", &source.source, refusal);
}

/* What is said on stderr, without the program's name, goes into @said. */
static int expand(struct plan *plan, const struct query_event *event, struct fake_target *fake,
		  bool engine, char *said, size_t size)
{
	static const char program[] = "trace-cmd hist: error: ";
	struct hist_error refusal = { 0 };
	int saved = dup(2), ret;
	FILE *f = tmpfile();
	size_t len;

	fflush(stderr);
	dup2(fileno(f), 2);
	ret = plan_source_report(expand_quietly(plan, event, fake, engine, &refusal), &refusal);
	dup2(saved, 2);
	close(saved);
	rewind(f);
	len = fread(said, 1, size - 1, f);
	said[len] = '\0';
	fclose(f);
	if (len) {
		CU_ASSERT_FALSE(strncmp(said, program, strlen(program)));
		memmove(said, said + strlen(program), strlen(said + strlen(program)) + 1);
	}
	return ret;
}

/* More fields than a message has room for. */
static void put_many(struct fake_target *fake)
{
	char text[8192];
	size_t n, i;

	n = snprintf(text, sizeof(text), "name: many\nID: 77\nformat:\n");
	for (i = 0; i < 70; i++)
		n += snprintf(text + n, sizeof(text) - n,
			      "\tfield:int field_%02zu;\toffset:%zu;\tsize:4;\tsigned:1;\n", i, 8 + 4 * i);
	snprintf(text + n, sizeof(text) - n, "\nprint fmt: \"\"\n");
	if (fake_target_put(fake, "events/sched/many/format", text))
		abort();
}

static void test_many_fields(void)
{
	struct query_hist hist = { .keys = "zork" };
	struct query_event event = { .kind = QUERY_LATENCY, .hists = &hist, .nhists = 1,
				    .name = "sched:many:field_00..sched:sched_switch:next_pid" };
	char dir[] = "/tmp/latency-test-XXXXXX", said[2 * HIST_ERROR_MAX], *end;
	struct fake_target *fake = machine(dir);
	struct plan plan = { 0 };

	put_many(fake);
	CU_ASSERT_EQUAL(expand(&plan, &event, fake, false, said, sizeof(said)), -EINVAL);
	end = strstr(said, ", ...\n");
	CU_ASSERT_PTR_NOT_NULL_FATAL(end);
	*end = '\0';
	CU_ASSERT_PTR_NOT_NULL(strstr(said, " in sched:sched_switch or sched:many\n"));
	CU_ASSERT_PTR_NOT_NULL(strstr(said, "\nhint: use one of: lat, "));
	/* no name is cut */
	CU_ASSERT_EQUAL(strlen(strrchr(said, ' ') + 1), strlen("field_00"));
	plan_clear(&plan);
	target_free(&fake->target);
	wipe(dir);
}

static void test_refused(void)
{
	char dir[] = "/tmp/latency-test-XXXXXX", said[1024];
	struct fake_target *fake = machine(dir);
	size_t i, len;

	for (i = 0; i < sizeof(refused_cases) / sizeof(*refused_cases); i++) {
		struct query_hist hist = refused_cases[i].hist;
		struct query_event event = { .kind = QUERY_LATENCY, .name = refused_cases[i].latency,
					    .hists = &hist, .nhists = hist.keys || hist.raw };
		struct plan plan = { 0 };

		CU_ASSERT_NOT_EQUAL(expand(&plan, &event, fake, false, said, sizeof(said)), 0);
		len = strlen(refused_cases[i].said);
		/* without a line's end only its beginning */
		if (refused_cases[i].said[len - 1] == '\n')
			len++;
		CU_ASSERT_FALSE(strncmp(said, refused_cases[i].said, len));
		if (strncmp(said, refused_cases[i].said, len))
			fprintf(stderr, "wanted: %sgot: %s", refused_cases[i].said, said);
		plan_clear(&plan);
	}
	target_free(&fake->target);
	wipe(dir);
}

/* If any allocation fails, the plan is whole or -ENOMEM is returned. */
static void test_no_memory(void)
{
	struct query_event event = { .kind = QUERY_LATENCY, .name = SWITCHES };
	char dir[] = "/tmp/latency-test-XXXXXX", whole[4096], got[4096];
	struct fake_target *fake = machine(dir);
	struct hist_error refusal = { 0 };
	int engine, ret, n, saved = dup(2), null = open("/dev/null", O_WRONLY);

	fflush(stderr);
	dup2(null, 2);
	for (engine = 0; engine < 2; engine++) {
		struct plan undisturbed = { 0 };

		CU_ASSERT_EQUAL(expand_quietly(&undisturbed, &event, fake, engine, &refusal), 0);
		plan_lines(&undisturbed, whole, sizeof(whole));
		plan_clear(&undisturbed);
		for (n = 0, ret = -ENOMEM; ret == -ENOMEM && n < 1000; n++) {
			struct plan plan = { 0 };

			alloc_fail_after(n);
			ret = expand_quietly(&plan, &event, fake, engine, &refusal);
			alloc_fail_after(-1);
			if (!ret) {
				plan_lines(&plan, got, sizeof(got));
				CU_ASSERT_STRING_EQUAL(got, whole);
			}
			plan_clear(&plan);
		}
		CU_ASSERT_EQUAL(ret, 0);
		CU_ASSERT(n > 20);
	}
	fflush(stderr);
	dup2(saved, 2);
	close(saved);
	close(null);
	target_free(&fake->target);
	wipe(dir);
}

static void test_expand(void)
{
	char dir[] = "/tmp/latency-test-XXXXXX", got[4096];
	struct fake_target *fake = machine(dir);
	size_t i;

	for (i = 0; i < sizeof(expand_cases) / sizeof(*expand_cases); i++) {
		struct query_hist hist = expand_cases[i].hist;
		struct query_event event = { .kind = QUERY_LATENCY, .name = expand_cases[i].latency,
					    .hists = &hist, .nhists = hist.keys || hist.raw };
		struct plan plan = { 0 };

		CU_ASSERT_EQUAL(expand(&plan, &event, fake, expand_cases[i].engine, got,
				       sizeof(got)), 0);
		CU_ASSERT_STRING_EQUAL(got, "");
		plan_lines(&plan, got, sizeof(got));
		if (strcmp(got, expand_cases[i].lines))
			fprintf(stderr, "%s:\n%s", expand_cases[i].latency, got);
		CU_ASSERT_STRING_EQUAL(got, expand_cases[i].lines);
		plan_clear(&plan);
	}
	target_free(&fake->target);
	wipe(dir);
}

/* In a plan: between other events, two of them, with names that differ. */
static void test_plan(void)
{
	static const char text[] =
		"raw_syscalls:sys_enter:common_pid..raw_syscalls:sys_exit:common_pid";
	char dir[] = "/tmp/latency-test-XXXXXX";
	struct fake_target *fake = machine(dir);
	struct plan_source source;
	struct plan plan = { 0 };
	unsigned int i;

	CU_ASSERT_EQUAL(query_add_event(&plan.query, "kmem:kmalloc"), 0);
	query_add_hist(&plan.query)->keys = "ptr";
	for (i = 0; i < 2; i++) {
		CU_ASSERT_EQUAL(query_add_event(&plan.query, text), 0);
		plan.query.events[plan.query.nevents - 1].kind = QUERY_LATENCY;
	}
	CU_ASSERT_EQUAL(query_add_event(&plan.query, "kmem:kfree"), 0);
	plan_source_init(&source, &plan, &fake->target, &newest);
	CU_ASSERT_EQUAL(plan_source_expand(&plan, &source.source), 0);
	CU_ASSERT_EQUAL_FATAL(plan.query.nevents, 8);
	CU_ASSERT_EQUAL_FATAL(plan.query.ndynevents, 2);
	CU_ASSERT_STRING_EQUAL(plan.query.events[0].name, "kmem:kmalloc");
	CU_ASSERT_STRING_EQUAL(plan.query.events[0].hists[0].keys, "ptr");
	CU_ASSERT_STRING_EQUAL(plan.query.events[7].name, "kmem:kfree");
	for (i = 0; i < plan.query.nevents; i++)
		CU_ASSERT_EQUAL(plan.query.events[i].kind, QUERY_EVENT);
	CU_ASSERT_STRING_NOT_EQUAL(plan.query.dynevents[0].definition, plan.query.dynevents[1].definition);
	CU_ASSERT_STRING_NOT_EQUAL(plan.query.events[1].hists[0].raw, plan.query.events[4].hists[0].raw);
	/* without -C the clock is mono, whatever the kernel's default */
	CU_ASSERT_PTR_NOT_NULL(strstr(plan.query.events[1].hists[0].raw, ":clock=mono"));
	CU_ASSERT_PTR_NOT_NULL(strstr(plan.query.events[2].hists[0].raw, ":clock=mono"));
	plan_clear(&plan);
	target_free(&fake->target);
	wipe(dir);
}

UNIT_TESTS(
	{ "latency_parse() splits a latency into its parts or explains the error", test_parse },
	{ "latency_parse() survives any changed byte and explains each error", test_damage },
	{ "a latency expands to a synthetic event, its two triggers and a histogram", test_expand },
	{ "each failed allocation gives a whole latency or -ENOMEM", test_no_memory },
	{ "a latency with an unknown or unsuitable field is refused with the reason",
	  test_refused },
	{ "an error message cuts a long list of fields between two names", test_many_fields },
	{ "two latencies in a plan get different names and keep their place among the events",
	  test_plan });

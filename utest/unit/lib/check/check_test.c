// SPDX-License-Identifier: GPL-2.0
/*
 * check_test.c - expressions against events, and how an error is shown
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <CUnit/Basic.h>

#include "lib/base/strbuf.h"
#include "lib/check/check.h"
#include "utest/unit/lib/event/format_file.h"
#include "utest/unit/lib/expr/expr_samples.h"
#include "utest/unit/tests.h"

#define STATE "6.12/events/sock/inet_sock_set_state/format"

static const char *const event_list[] = {
	"sched:sched_switch",
	"kmem:kmalloc",
	"raw_syscalls:sys_enter",
	"raw_syscalls:sys_exit",
	"sched:sched_process_exec",
	"synthetic:block_lat",
	"tcp:tcp_probe",
	"ipi:ipi_send_cpu",
	"sock:" STATE,
};

#define N_EVENTS (sizeof(event_list) / sizeof(*event_list))

static struct hist_event *events[N_EVENTS];

static int load_events(void)
{
	size_t i;

	for (i = 0; i < N_EVENTS; i++)
		events[i] = format_event(event_list[i]);
	return 0;
}

static int free_events(void)
{
	size_t i;

	for (i = 0; i < N_EVENTS; i++)
		hist_event_free(events[i]);
	return 0;
}

/* By the name without the system. */
static const struct hist_event *find_event(const char *name)
{
	size_t i;

	for (i = 0; i < N_EVENTS; i++)
		if (!strcmp(strchr(event_list[i], ':') + 1, name))
			return events[i];
	abort();
}

/* A kernel took these, or takes their like. */
static const struct {
	const char *event;
	const char *text;
} good[] = {
	{ "sched_switch", "hist:keys=next_comm" },
	{ "sched_switch", "hist:keys=common_comm,next_comm:c=common_comm" },
	{ "kmalloc", "hist:keys=comm,node:sort=comm" },
	{ "sched_switch", "hist:keys=prev_pid,next_pid:vals=hitcount,prev_prio:sort=next_pid" },
	{ "sched_switch", "hist:keys=common_cpu if next_pid!=0" },
	{ "sched_switch", "hist:keys=cpu:sort=cpu" },
	{ "sched_switch", "hist:keys=CPU" },
	{ "sched_switch", "hist:keys=prev_pid,common_stacktrace,next_comm" },
	{ "sched_switch", "hist:keys=stacktrace:sort=common_stacktrace" },
	{ "sched_switch", "hist:keys=STACKTRACE" },
	{ "sched_switch", "hist:keys=prev_comm,next_comm,stacktrace" },
	{ "sched_switch", "hist:keys=common_timestamp.usecs:sort=common_timestamp.descending" },
	{ "sched_switch", "hist:keys=common_timestamp.log2:vals=common_timestamp" },
	{ "sched_switch", "hist:keys=common_pid.execname,common_type,common_flags:"
			  "vals=common_preempt_count" },
	{ "sched_switch", "hist:keys=next_pid:wakeup_lat=common_timestamp.usecs-$ts0:"
			  "onmax($wakeup_lat).save(next_comm,prev_pid,prev_prio,prev_comm)" },
	{ "sched_switch", "hist:keys=$p:p=next_pid:sort=next_pid" },
	{ "sched_switch", "hist:keys=$p,$q:p=next_pid.hex,q=common_pid.execname" },
	{ "sched_switch", "hist:keys=next_pid:vals=$lat" },
	{ "kmalloc", "hist:keys=call_site.sym:vals=hitcount,bytes_req.percent,bytes_alloc.graph:"
		     "sort=bytes_req.descending" },
	{ "kmalloc", "hist:keys=bytes_alloc:vals=bytes_req:sort=hitcount:nohitcount" },
	{ "kmalloc",
	  "hist:keys=bytes_req.hex,ptr.hex:vals=hitcount,bytes_alloc.hex:sort=bytes_req" },
	{ "kmalloc", "hist:keys=bytes_req.buckets=100:sort=bytes_req.ascending" },
	{ "kmalloc", "hist:keys=common_pid:vals=hitcount,bytes_alloc-bytes_req" },
	{ "kmalloc", "hist:keys=bytes_alloc-bytes_req:sort=bytes_alloc-bytes_req.descending" },
	{ "kmalloc", "hist:keys=bytes_alloc-10,-(bytes_req)" },
	{ "kmalloc", "hist:keys=$a+1:a=bytes_req" },
	{ "kmalloc", "hist:keys=common_pid.execname,call_site.sym-offset,bytes_req.log2:"
		     "vals=hitcount,bytes_req,bytes_alloc:sort=common_pid,bytes_alloc.descending" },
	{ "kmalloc", "hist:keys=node:vals=bytes_req,bytes_alloc,hitcount" },
	{ "kmalloc", "hist:keys=node:a=1,b=2,c=3,d=4,e=5,f=6,g=7,h=8:"
		     "i=9,j=10,k=11,l=12,m=13,n=14,o=15,p=16" },
	{ "kmalloc", "hist:keys=node:a=ptr:onmax($a).trace(ev,$a):onmax($a).trace(ev,$a):"
		     "onmax($a).trace(ev,$a):onmax($a).trace(ev,$a):onmax($a).trace(ev,$a):"
		     "onmax($a).trace(ev,$a):onmax($a).trace(ev,$a):onmax($a).trace(ev,$a)" },
	{ "kmalloc", "hist:keys=node:vals=hitcount.percent,hitcount.graph:nohitcount" },
	{ "kmalloc", "hist:keys=node:vals=hitcount.hex" },
	{ "kmalloc", "hist:keys=node:size=65" },
	{ "kmalloc", "hist:keys=node:size=131072:pause" },
	{ "sys_enter", "hist:keys=id.syscall:vals=hitcount.percent:sort=hitcount.descending" },
	{ "sys_exit", "hist:keys=id.syscall,ret.buckets=10:vals=ret,ret.hex" },
	{ "sched_process_exec", "hist:keys=filename,stacktrace" },
	{ "sched_process_exec", "hist:keys=filename,pid,old_pid" },
	{ "block_lat", "hist:keys=delta.buckets=100,stack.stacktrace:sort=delta" },
	{ "block_lat", "hist:keys=stack" },
	{ "block_lat", "hist:keys=comm,stack.stacktrace,pid" },
	{ "tcp_probe", "hist:keys=saddr4.hex,sport:vals=mark" },
	{ "tcp_probe", "hist:keys=cmd,name,path.sym" },
	{ "ipi_send_cpu", "hist:keys=cpu:sort=cpu" },
	{ STATE, "hist:keys=saddr,daddr.hex:a=saddr if daddr == 16777343 && !(saddr & 255)" },
	{ "ipi_send_cpu", "hist:keys=cpu,common_cpu:sort=cpu,common_cpu" },
};

/* "  text" and the caret line, as they are printed. */
static void show(const char *text, const struct hist_error *error, char *shown, size_t size)
{
	FILE *f = fmemopen(shown, size, "w");
	struct hist_strbuf lines = { 0 };
	struct hist_error at = *error;

	at.err = -EINVAL;
	at.text = text;
	hist_error_put(&lines, "p: ", -EINVAL, &at);
	hist_strbuf_flush(&lines, f);
	hist_strbuf_free(&lines);
	fclose(f);
}

static void test_good(void)
{
	struct hist_error error = { .what = "" };
	struct hist_expr *e;
	size_t i;
	int ret;

	for (i = 0; i < sizeof(good) / sizeof(*good); i++) {
		CU_ASSERT_EQUAL_FATAL(hist_expr_parse(&e, good[i].text, &error), 0);
		ret = hist_check_expr(e, find_event(good[i].event), &error);
		CU_ASSERT_EQUAL(ret, 0);
		if (ret)
			fprintf(stderr, "%s: %s; %s\n", good[i].text, error.what, error.hint);
		CU_ASSERT_EQUAL(hist_check_expr(e, find_event(good[i].event), NULL), 0);
		hist_expr_free(e);
	}
}

#define KMALLOC_FIELDS "use one of: call_site, ptr, bytes_req, bytes_alloc, gfp_flags, node"

static const struct {
	const char *event;
	const char *text;
	const char *at; /* the first such part of the text is what the error is about */
	const char *what;
	const char *hint;
} bad[] = {
	/* Names. */
	{ "kmalloc", "hist:keys=bytes_rq", "bytes_rq", "kmem:kmalloc: no field \"bytes_rq\"",
	  "did you mean \"bytes_req\"?" },
	{ "kmalloc", "hist:keys=zork.hex", "zork", "kmem:kmalloc: no field \"zork\"",
	  KMALLOC_FIELDS },
	{ "kmalloc", "hist:keys=node:vals=hitcuont.percent", "hitcuont",
	  "kmem:kmalloc: no field \"hitcuont\"", "did you mean \"hitcount\"?" },
	{ "kmalloc", "hist:keys=comon_pid", "comon_pid", "kmem:kmalloc: no field \"comon_pid\"",
	  "did you mean \"common_pid\"?" },
	{ "kmalloc", "hist:keys=common_timstamp", "common_timstamp",
	  "kmem:kmalloc: no field \"common_timstamp\"", "did you mean \"common_timestamp\"?" },
	{ "kmalloc", "hist:keys=execname", "execname", "kmem:kmalloc: no field \"execname\"",
	  "did you mean \"common_pid.execname\"?" },
	{ "sched_switch", "hist:keys=nxet_pid", "nxet_pid",
	  "sched:sched_switch: no field \"nxet_pid\"", "did you mean \"next_pid\"?" },
	{ "kmalloc", "hist:keys=node:vals=common_comm", "common_comm",
	  "\"common_comm\" is a string, but a value must be a number",
	  "use it as a key" },
	{ "kmalloc", "hist:keys=common_comm.hex", "hex",
	  "\".hex\" cannot be used with \"common_comm\", which is a string", "" },
	{ "kmalloc", "hist:keys=comm.execname", "execname",
	  "\".execname\" cannot be used with \"common_comm\", which is a string", "" },
	{ "kmalloc", "hist:keys=node:x=common_comm-1", "common_comm",
	  "\"common_comm\" is not a number", "" },
	/* addresses */
	{ STATE, "hist:keys=saddr.log2", "log2",
	  "\".log2\" cannot be used with \"saddr\", which is an IPv4 address", "" },
	{ STATE, "hist:keys=sport:vals=saddr", "saddr",
	  "\"saddr\" is an IPv4 address, but a value must be a number", "use it as a key" },
	{ STATE, "hist:keys=sport:vals=saddr.percent", "percent",
	  "\".percent\" cannot be used with \"saddr\", which is an IPv4 address", "" },
	{ STATE, "hist:keys=saddr-daddr", "saddr", "\"saddr\" is an IPv4 address, not a number", "" },
	{ STATE, "hist:keys=saddr_v6", "saddr_v6",
	  "\"saddr_v6\" (__u8[16]) is an IPv6 address and cannot be a key",
	  "the kernel counts only strings and fields of 1, 2, 4 or 8 bytes" },
	{ STATE, "hist:keys=sport if saddr >= 5", ">=",
	  "\">=\" cannot be used with \"saddr\", which is an IPv4 address", "use ==, != or &" },
	{ STATE, "hist:keys=sport if saddr == \"10.0.0.1\"", "\"10.0.0.1\"",
	  "\"saddr\" is an IPv4 address and cannot be compared with a string",
	  "compare it with an address, without quotes" },
	{ STATE, "hist:keys=sport if saddr_v6 == 5", "5",
	  "\"saddr_v6\" is an IPv6 address and cannot be compared with a number", "" },
	{ "sched_switch", "hist:keys=common_comm,stacktrace,prev_comm", "prev_comm",
	  "the keys are longer than the kernel's limit of 384 bytes",
	  "use shorter keys; a string of variable length needs 256 bytes, a stack 128" },
	/* what 6.16 and later print, and do not take */
	{ "kmalloc", "hist:keys=common_cpucommon_cpu", "common_cpucommon_cpu",
	  "kmem:kmalloc: no field \"common_cpucommon_cpu\"", KMALLOC_FIELDS },
	{ "kmalloc", "hist:keys=hitcount", "hitcount",
	  "\"hitcount\" cannot be a key", KMALLOC_FIELDS },
	{ "kmalloc", "hist:keys=bytes_req-bytes_alok", "bytes_alok",
	  "kmem:kmalloc: no field \"bytes_alok\"", "did you mean \"bytes_alloc\"?" },
	{ "kmalloc", "hist:keys=call_site.sym-offst", "sym",
	  "\".sym\" cannot be used with an operand",
	  "did you mean \".sym-offset\"?" },
	{ "kmalloc", "hist:keys=node:vals=x*2", "x", "kmem:kmalloc: no field \"x\"",
	  KMALLOC_FIELDS },
	{ "kmalloc", "hist:keys=5", "5", "\"5\" does not contain a field", KMALLOC_FIELDS },
	{ "kmalloc", "hist:keys=node:vals=2*3", "2*3", "\"2*3\" does not contain a field",
	  KMALLOC_FIELDS },
	{ "kmalloc", "hist:keys=node-0x", "0x", "\"0x\" is not a number", "" },
	{ "kmalloc", "hist:keys=$x", "$x", "\"$x\" cannot be part of a key",
	  "use only variables that this trigger sets to a field" },
	{ "kmalloc", "hist:keys=node-$x:x=$y", "$x", "\"$x\" cannot be part of a key",
	  "use only variables that this trigger sets to a field" },
	{ "kmalloc", "hist:keys=$x:x=zork", "$x", "kmem:kmalloc: no field \"zork\"",
	  KMALLOC_FIELDS },
	/* To be suggested for a value only. */
	{ "kmalloc", "hist:keys=hitcuont", "hitcuont", "kmem:kmalloc: no field \"hitcuont\"",
	  KMALLOC_FIELDS },
	/* Modifiers of keys. */
	{ "kmalloc", "hist:keys=node.execname", "execname",
	  "\".execname\" cannot be used with \"node\"",
	  "write common_pid.execname" },
	{ "sched_switch", "hist:keys=prev_pid.execname", "execname",
	  "\".execname\" cannot be used with \"prev_pid\"", "write common_pid.execname" },
	{ "kmalloc", "hist:keys=node.usecs", "usecs", "\".usecs\" cannot be used with \"node\"",
	  "write common_timestamp.usecs" },
	{ "kmalloc", "hist:keys=common_cpu.syscall", "syscall",
	  "\".syscall\" cannot be used with \"common_cpu\"", "use it with a field that contains a "
							     "system call number" },
	{ "kmalloc", "hist:keys=node.percent", "percent", "\".percent\" cannot be used with a key",
	  "use it with a value, such as vals=hitcount.percent" },
	{ "kmalloc", "hist:keys=node.graph", "graph", "\".graph\" cannot be used with a key",
	  "use it with a value, such as vals=hitcount.graph" },
	{ "kmalloc", "hist:keys=node.stacktrace", "stacktrace",
	  "\".stacktrace\" cannot be used with \"node\"",
	  "use it with a field of type long[] of a synthetic event" },
	{ "kmalloc", "hist:keys=common_stacktrace.stacktrace", &".stacktrace"[1],
	  "\".stacktrace\" cannot be used with \"common_stacktrace\"", "leave it out" },
	{ "kmalloc", "hist:keys=common_stacktrace.hex", "hex",
	  "\".hex\" cannot be used with \"common_stacktrace\", which is a stack", "" },
	{ "block_lat", "hist:keys=stack.sym", "sym",
	  "\".sym\" cannot be used with \"stack\", which is a stack",
	  "" },
	{ "sched_switch", "hist:keys=next_comm.hex", "hex",
	  "\".hex\" cannot be used with \"next_comm\", which is a string",
	  "" },
	{ "sched_switch", "hist:keys=next_comm.log2", "log2",
	  "\".log2\" cannot be used with \"next_comm\", which is a string", "" },
	{ "sched_switch", "hist:keys=next_comm.buckets=8", "buckets=8",
	  "\".buckets\" cannot be used with \"next_comm\", which is a string", "" },
	{ "sched_switch", "hist:keys=next_comm.sym-offset", "sym-offset",
	  "\".sym-offset\" cannot be used with \"next_comm\", which is a string", "" },
	{ "sched_switch", "hist:keys=next_comm.syscall", "syscall",
	  "\".syscall\" cannot be used with \"next_comm\", which is a string", "" },
	{ "sys_enter", "hist:keys=args.hex", "hex",
	  "\".hex\" cannot be used with \"args\", which is neither a number nor a string",
	  "" },
	{ "sched_switch", "hist:keys=$c:c=next_comm.log2", "$c",
	  "\".log2\" cannot be used with \"next_comm\", which is a string", "" },
	/* Types. */
	{ "sys_enter", "hist:keys=args", "args",
	  "\"args\" (unsigned long[6]) is neither a number nor a string and cannot be a key",
	  "" },
	{ "tcp_probe", "hist:keys=mask", "mask",
	  "\"mask\" (__data_loc cpumask_t) is neither a number nor a string and cannot be a key",
	  "" },
	{ "sched_switch", "hist:keys=next_pid:vals=next_comm", "next_comm",
	  "\"next_comm\" is a string, but a value must be a number",
	  "use it as a key" },
	{ "sched_switch", "hist:keys=next_pid:vals=common_stacktrace", "common_stacktrace",
	  "\"common_stacktrace\" is a stack, but a value must be a number",
	  "use it as a key" },
	{ "block_lat", "hist:keys=pid:vals=stack", "stack",
	  "\"stack\" is a stack, but a value must be a number", "use it as a key" },
	{ "sys_enter", "hist:keys=id:vals=args", "args",
	  "\"args\" is neither a number nor a string, but a value must be a number",
	  "" },
	{ "sched_switch", "hist:keys=next_pid-next_comm", "next_comm",
	  "\"next_comm\" is not a number", "" },
	{ "sched_switch", "hist:keys=next_pid-common_stacktrace", "common_stacktrace",
	  "\"common_stacktrace\" is not a number", "" },
	/* Modifiers of values. */
	{ "kmalloc", "hist:keys=node:vals=hitcount.buckets=8", "buckets=8",
	  "\".buckets\" cannot be used with a value", "use .hex, .percent, .graph or no modifier" },
	{ "kmalloc", "hist:keys=node:vals=bytes_req.log2", "log2",
	  "\".log2\" cannot be used with a value",
	  "use .hex, .percent, .graph or no modifier" },
	{ "kmalloc", "hist:keys=node:vals=ptr.sym", "sym", "\".sym\" cannot be used with a value",
	  "use .hex, .percent, .graph or no modifier" },
	{ "kmalloc", "hist:keys=node:vals=ptr.sym-offset", "sym-offset",
	  "\".sym-offset\" cannot be used with a value", "use .hex, .percent, .graph or no modifier" },
	{ "sys_enter", "hist:keys=id:vals=id.syscall", "syscall",
	  "\".syscall\" cannot be used with a value", "use .hex, .percent, .graph or no modifier" },
	{ "kmalloc", "hist:keys=node:vals=common_pid.execname", "execname",
	  "\".execname\" cannot be used with a value", "use .hex, .percent, .graph or no modifier" },
	{ "kmalloc", "hist:keys=node:vals=hitcount.usecs", "usecs",
	  "\".usecs\" cannot be used with \"hitcount\"", "write common_timestamp.usecs" },
	{ "sched_switch", "hist:keys=next_pid:vals=next_comm.percent", "percent",
	  "\".percent\" cannot be used with \"next_comm\", which is a string", "" },
	/* Numbers of things. */
	{ "kmalloc", "hist:keys=node,ptr,call_site,gfp_flags", "gfp_flags",
	  "the kernel accepts at most 3 keys", "" },
	{ "kmalloc", "hist:keys=node:vals=hitcount,bytes_req,bytes_alloc,ptr", "ptr",
	  "the kernel accepts at most 2 values in addition to hitcount", "" },
	{ "kmalloc", "hist:keys=node:vals=hitcount,bytes_req,hitcount", &",hitcount"[1],
	  "\"hitcount\" is given twice", "" },
	{ "kmalloc", "hist:keys=node,ptr:sort=hitcount,node,ptr", "ptr",
	  "the kernel accepts at most 2 sort keys", "" },
	{ "kmalloc",
	  "hist:keys=node:a=1,b=2,c=3,d=4,e=5,f=6,g=7,h=8:"
	  "i=9,j=10,k=11,l=12,m=13,n=14,o=15,p=16,q=17",
	  "i=9,j=10,k=11,l=12,m=13,n=14,o=15,p=16,q=17", "the kernel accepts at most 16 variables",
	  "" },
	{ "kmalloc",
	  "hist:keys=node:onmax($a).save(x):onmax($b).save(x):onmax($c).save(x):"
	  "onmax($d).save(x):onmax($e).save(x):onmax($f).save(x):onmax($g).save(x):"
	  "onmax($h).save(x):onmax($i).save(x)",
	  "onmax($i).save(x)", "the kernel accepts at most 8 actions", "" },
	{ "block_lat", "hist:keys=file,stack.stacktrace,pid", "pid",
	  "the keys are longer than the kernel's limit of 384 bytes",
	  "use shorter keys; a string of variable length needs 256 bytes, a stack 128" },
	{ "block_lat", "hist:keys=file,file", "file",
	  "the keys are longer than the kernel's limit of 384 bytes",
	  "use shorter keys; a string of variable length needs 256 bytes, a stack 128" },
	{ "kmalloc", "hist:keys=node:nohitcount", "keys=node:nohitcount",
	  "nohitcount requires at least one other value", "add a value, such as "
	  "vals=hitcount.percent" },
	{ "kmalloc", "hist:keys=node:vals=hitcount:NOHC if node", "keys=node:vals=hitcount:NOHC",
	  "nohitcount requires at least one other value", "add a value, such as "
	  "vals=hitcount.percent" },
	/* Sort keys. */
	{ "kmalloc", "hist:keys=node:sort=zork", "zork",
	  "sort key \"zork\" is neither a key nor a value", "use one of: hitcount, node" },
	{ "kmalloc", "hist:keys=node,ptr:sort=hitcuont", "hitcuont",
	  "sort key \"hitcuont\" is neither a key nor a value", "did you mean \"hitcount\"?" },
	{ "kmalloc", "hist:keys=node:vals=bytes_req:sort=byte_req.descending", "byte_req",
	  "sort key \"byte_req\" is neither a key nor a value", "did you mean \"bytes_req\"?" },
	{ "kmalloc", "hist:keys=cpu:sort=common_cpu", "common_cpu",
	  "sort key \"common_cpu\" is neither a key nor a value", "use one of: hitcount, cpu" },
	{ "kmalloc", "hist:keys=stacktrace:sort=stacktrace", &"=stacktrace"[1],
	  "sort key \"stacktrace\" is neither a key nor a value",
	  "did you mean \"common_stacktrace\"?" },
	{ "kmalloc", "hist:keys=ptr.hex:sort=ptr.hex", "hex",
	  "\".hex\" cannot be used with a sort key",
	  "write \"ptr\"" },
	{ "kmalloc", "hist:keys=bytes_req.buckets=100:sort=bytes_req.buckets=100.descending",
	  "buckets=100.descending", "\".buckets\" cannot be used with a sort key",
	  "write \"bytes_req.descending\"" },
	/* Attributes. */
	{ "kmalloc", "hist:keys=node:size=64", "64", "size=64: must be a number from 65 to 131072",
	  "" },
	{ "kmalloc", "hist:keys=node:size=131073", "131073",
	  "size=131073: must be a number from 65 to 131072",
	  "" },
	{ "kmalloc", "hist:keys=node:clear", "clear",
	  "\"clear\" needs an existing trigger", "leave it out" },
	{ "kmalloc", "hist:keys=node:cont if node == 1", "cont",
	  "\"cont\" needs an existing trigger", "leave it out" },
};

static void test_bad(void)
{
	struct hist_error error;
	struct hist_expr *e;
	const char *at;
	bool same;
	size_t i;

	for (i = 0; i < sizeof(bad) / sizeof(*bad); i++) {
		memset(&error, 0xa5, sizeof(error));
		CU_ASSERT_EQUAL_FATAL(hist_expr_parse(&e, bad[i].text, &error), 0);
		CU_ASSERT_EQUAL_FATAL(hist_check_expr(e, find_event(bad[i].event), &error),
				      -EINVAL);
		/* The last, as some names stand in the text twice. */
		for (at = bad[i].text + strlen(bad[i].text); at > bad[i].text; at--)
			if (!strncmp(at, bad[i].at, strlen(bad[i].at)))
				break;
		if (bad[i].at[0] == '$')
			at = strstr(bad[i].text, bad[i].at);
		same = error.at.start == (size_t)(at - bad[i].text) &&
		       error.at.len == strlen(bad[i].at) && !strcmp(error.what, bad[i].what) &&
		       !strcmp(error.hint, bad[i].hint);
		CU_ASSERT_TRUE(same);
		if (!same)
			fprintf(stderr, "%s\n  %zu+%zu %s; %s\n", bad[i].text, error.at.start,
				error.at.len, error.what, error.hint);
		CU_ASSERT_EQUAL(hist_check_expr(e, find_event(bad[i].event), NULL), -EINVAL);
		hist_expr_free(e);
	}
}

/* HIST_KEY_SIZE_MAX and a stack depend on sizeof(long), which a field of the event shows. */
static void test_key_bytes(void)
{
	static const struct {
		const char *fields, *what, *hint;
		bool deep_stacks; /* 7.0 */
	} kernels[] = {
		{ "\tfield:unsigned long p;\toffset:8;\tsize:4;\tsigned:0;\n"
		  "\tfield:char a[65];\toffset:12;\tsize:65;\tsigned:0;\n",
		  "the keys are longer than the kernel's limit of 320 bytes",
		  "use shorter keys; a string of variable length needs 256 bytes, a stack 64", false },
		{ "\tfield:unsigned long p;\toffset:8;\tsize:4;\tsigned:0;\n"
		  "\tfield:char a[125];\toffset:12;\tsize:125;\tsigned:0;\n",
		  "the keys are longer than the kernel's limit of 380 bytes",
		  "use shorter keys; a string of variable length needs 256 bytes, a stack 124", true },
		{ "\tfield:unsigned long p;\toffset:8;\tsize:8;\tsigned:0;\n"
		  "\tfield:char a[249];\toffset:16;\tsize:249;\tsigned:0;\n",
		  "the keys are longer than the kernel's limit of 504 bytes",
		  "use shorter keys; a string of variable length needs 256 bytes, a stack 248", true },
		{ "\tfield:unsigned long p;\toffset:8;\tsize:8;\tsigned:0;\n"
		  "\tfield:char a[129];\toffset:16;\tsize:129;\tsigned:0;\n",
		  "the keys are longer than the kernel's limit of 384 bytes",
		  "use shorter keys; a string of variable length needs 256 bytes, a stack 128", false },
		/* a stack and 257 bytes: too many, whatever the size */
		{ "\tfield:int p;\toffset:8;\tsize:4;\tsigned:1;\n"
		  "\tfield:char a[257];\toffset:12;\tsize:257;\tsigned:0;\n",
		  "the keys are longer than the kernel's limit of 384 bytes",
		  "use shorter keys; a string of variable length needs 256 bytes, a stack 128", false },
	};
	struct hist_check_context context = { .all_triggers = true };
	struct hist_error error = { 0 };
	struct hist_kernel kernel;
	struct hist_event *event;
	struct hist_expr *fits, *expr;
	const char *text;
	char format[512];
	size_t i;

	CU_ASSERT_EQUAL_FATAL(hist_expr_parse(&fits, "hist:keys=common_stacktrace,p", NULL), 0);
	for (i = 0; i < sizeof(kernels) / sizeof(*kernels); i++) {
		snprintf(format, sizeof(format), "name: ev\nID: 5\nformat:\n"
			 "\tfield:unsigned short common_type;\toffset:0;\tsize:2;\tsigned:0;\n\n"
			 "%s\tfield:__data_loc char[] s;\toffset:400;\tsize:4;\tsigned:0;\n\n"
			 "print fmt: \"\"\n", kernels[i].fields);
		CU_ASSERT_EQUAL_FATAL(hist_event_parse(&event, "t", format, strlen(format)), 0);
		hist_kernel_set_newest(&kernel);
		kernel.deep_stacks = kernels[i].deep_stacks;
		context.kernel = &kernel;
		CU_ASSERT_EQUAL(hist_check_expr_in(fits, event, &context, &error), 0);
		text = i < 4 ? "hist:keys=s,a" : "hist:keys=a,common_stacktrace";
		CU_ASSERT_EQUAL_FATAL(hist_expr_parse(&expr, text, NULL), 0);
		CU_ASSERT_EQUAL(hist_check_expr_in(expr, event, &context, &error), -EINVAL);
		CU_ASSERT_STRING_EQUAL(error.what, kernels[i].what);
		CU_ASSERT_STRING_EQUAL(error.hint, kernels[i].hint);
		hist_expr_free(expr);
		/* as many bytes as the kernel takes */
		text = i < 4 ? "hist:keys=s,common_stacktrace" : "hist:keys=a";
		CU_ASSERT_EQUAL_FATAL(hist_expr_parse(&expr, text, NULL), 0);
		CU_ASSERT_EQUAL(hist_check_expr_in(expr, event, &context, NULL), 0);
		hist_expr_free(expr);
		hist_event_free(event);
	}
	hist_expr_free(fits);
}

/* 4095 bytes are what a page of 4096 takes. */
static void test_length(void)
{
	struct hist_error error;
	struct hist_expr *e;
	char text[4200];
	size_t len;

	for (len = 4095; len <= 4096; len++) {
		memset(text, ' ', len);
		memcpy(text, "hist:keys=node if node", strlen("hist:keys=node if node"));
		strcpy(text + len - 4, "== 1");
		CU_ASSERT_EQUAL_FATAL(hist_expr_parse(&e, text, &error), 0);
		CU_ASSERT_EQUAL(hist_check_expr(e, find_event("kmalloc"), &error),
				len == 4095 ? 0 : -EINVAL);
		hist_expr_free(e);
	}
	CU_ASSERT_EQUAL(error.at.start, 4095);
	CU_ASSERT_STRING_EQUAL(error.what,
			       "the trigger is longer than the kernel's limit of 4095 bytes");
}

static const struct {
	const char *text;
	struct hist_error error;
	const char *shown;
} prints[] = {
	{ "hist:keys=bytes_rq",
	  { .at = { 10, 8 },
	    .what = "kmem:kmalloc: no field \"bytes_rq\"",
	    .hint = "did you mean \"bytes_req\"?" },
	  "p: kmem:kmalloc: no field \"bytes_rq\"\n"
	  "  hist:keys=bytes_rq\n"
	  "            ^~~~~~~~\n"
	  "hint: did you mean \"bytes_req\"?\n" },
	{ "hist:keys=a,,b",
	  { .at = { 12, 0 }, .what = "empty name in keys=", .hint = "" },
	  "p: empty name in keys=\n"
	  "  hist:keys=a,,b\n"
	  "              ^\n" },
	{ "a\n\x1b"
	  "bcd",
	  { .at = { 4, 1 }, .what = "w\x1b[2J", .hint = "h\n" },
	  "p: w\\x1b[2J\n"
	  "  a\\n\\x1bbcd\n"
	  "          ^\n"
	  "hint: h\\n\n" },
	{ "a\n\x1b"
	  "bcd",
	  { .at = { 1, 2 }, .what = "w", .hint = "" },
	  "p: w\n"
	  "  a\\n\\x1bbcd\n"
	  "   ^~~~~~\n" },
	{ "n\xc3\xb6"
	  "de",
	  { .at = { 3, 2 }, .what = "w", .hint = "" },
	  "p: w\n"
	  "  n\xc3\xb6"
	  "de\n"
	  "    ^~\n" },
	/* Out of the text. */
	{ "abc", { .at = { 3, 5 }, .what = "w", .hint = "" }, "p: w\n  abc\n     ^\n" },
	{ "abc", { .at = { 1, (size_t)-1 }, .what = "w", .hint = "" }, "p: w\n  abc\n   ^~\n" },
	{ "abc", { .at = { (size_t)-1, 9 }, .what = "w", .hint = "" }, "p: w\n  abc\n     ^\n" },
	{ "", { .at = { 0, 0 }, .what = "w", .hint = "h" }, "p: w\nhint: h\n" },
	{ NULL, { .at = { 0, 0 }, .what = "w", .hint = "h" }, "p: w\nhint: h\n" },
};

static void test_print(void)
{
	char shown[1024];
	size_t i;

	for (i = 0; i < sizeof(prints) / sizeof(*prints); i++) {
		memset(shown, 0, sizeof(shown));
		show(prints[i].text, &prints[i].error, shown, sizeof(shown));
		CU_ASSERT_STRING_EQUAL(shown, prints[i].shown);
		if (strcmp(shown, prints[i].shown))
			fprintf(stderr, "%s%s", shown, prints[i].shown);
	}
}

/* Whatever parses can be checked against any event, and its error be shown. */
static void check_any(const char *text)
{
	struct hist_error error;
	struct hist_expr *e;
	char shown[8192];
	size_t i;
	int ret;

	if (hist_expr_parse(&e, text, NULL))
		return;
	for (i = 0; i < N_EVENTS; i++) {
		memset(&error, 0xa5, sizeof(error));
		ret = hist_check_expr(e, events[i], &error);
		CU_ASSERT_TRUE(ret == 0 || ret == -EINVAL);
		if (!ret)
			continue;
		CU_ASSERT_TRUE(error.at.start + error.at.len <= strlen(e->text));
		memset(shown, 0, sizeof(shown));
		show(e->text, &error, shown, sizeof(shown));
		CU_ASSERT_PTR_NOT_NULL(strstr(shown, "\n  hist"));
	}
	hist_expr_free(e);
}

static void check_damaged(const char *sample)
{
	static const char bytes[] = ",.$-x\xff";
	char *text = strdup(sample);
	size_t i, k;

	check_any(text);
	for (i = 0; sample[i]; i++) {
		for (k = 0; k < sizeof(bytes) - 1; k++) {
			text[i] = bytes[k];
			check_any(text);
		}
		text[i] = '\0';
		check_any(text);
		text[i] = sample[i];
	}
	free(text);
}

static void test_damage(void)
{
	size_t i;

	for (i = 0; i < expr_nsamples; i++)
		check_any(expr_samples[i]);
	for (i = 0; i < sizeof(good) / sizeof(*good); i++)
		check_damaged(good[i].text);
	for (i = 0; i < sizeof(bad) / sizeof(*bad); i++)
		check_any(bad[i].text);
}

UNIT_TESTS_WITH(load_events, free_events,
	{ "the checker accepts triggers that fit their event", test_good },
	{ "the checker refuses a trigger that does not fit its event, with place, reason and hint",
	  test_bad },
	{ "the checker accepts a trigger of 4095 bytes and refuses one of 4096", test_length },
	{ "the limit for the bytes of keys depends on the size of a long and on the depth of stacks",
	  test_key_bytes },
	{ "a printed error has a caret below its place, and escapes control characters",
	  test_print },
	{ "the checker accepts or refuses a damaged trigger, and an error has a place in the text",
	  test_damage });

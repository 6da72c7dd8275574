// SPDX-License-Identifier: LGPL-2.1
/*
 * capability_info.c - what a kernel can have for histograms: names, configuration, purpose
 *
 * The order is that of `trace-cmd hist list -v`.
 */
#include <string.h>

#include "lib/query/capability_info.h"

const struct capability_info capability_info[CAPABILITIES] = {
	[CAP_HIST_TRIGGERS] = { .name = "hist_triggers", "histograms counted in the kernel",
		"HIST_TRIGGERS", "4.7",
		"Without hist triggers, `record` and `top` read the events and count them "
		"(--engine user), which costs more CPU time. CONFIG_HIST_TRIGGERS needs an "
		"architecture with ARCH_HAVE_NMI_SAFE_CMPXCHG.", CAP_HIST_TRIGGERS },
	[CAP_SYNTHETIC_EVENTS] = { .name = "synthetic_events", "latency between two events",
		"SYNTH_EVENTS", "4.17",
		"Use --engine user, which can measure latencies. Some events have a latency as a "
		"field, such as the delay of sched:sched_stat_wait.", CAP_SYNTHETIC_EVENTS,
		.file = "synthetic_events",
		.in_engine = true },
	[CAP_DYNAMIC_EVENTS] = { .name = "dynamic_events", "one file that creates all kinds of dynamic events",
		"DYNAMIC_EVENTS", "5.0",
		"The program uses the files synthetic_events, kprobe_events and uprobe_events if they "
		"exist.",
		CAP_DYNAMIC_EVENTS,
		.file = "dynamic_events" },
	[CAP_KPROBES] = { .name = "kprobes", "probes in kernel functions", "KPROBE_EVENTS", "2.6.33",
		"Use tracepoints: see `trace-cmd hist list '*:*'`.", CAP_KPROBES,
		.file = "kprobe_events" },
	[CAP_UPROBES] = { .name = "uprobes", "probes in functions of programs", "UPROBE_EVENTS", "3.5",
		"A program can write to trace_marker; count these events as ftrace:print.",
		CAP_UPROBES,
		.file = "uprobe_events" },
	[CAP_USDT] = { .name = "usdt", "USDT probes with a semaphore (--usdt)",
		"UPROBE_EVENTS", "4.20",
		"--usdt counts only probes without a semaphore, such as those of the C library, if the "
		"kernel has uprobes.", CAP_UPROBES,
		.file = "uprobe_events", .word = "(ref_ctr_offset)" },
	[CAP_FPROBES] = { .name = "fprobes", "one event for many kernel functions", "FPROBE_EVENTS",
		"6.5",
		"Without fprobes, --function needs a kprobe for each function, or --engine user.",
		CAP_FPROBES, .file = "dynamic_events", .word = "<func-name>[%return]" },
	[CAP_FUNCTION_TRACER] = { .name = "function_tracer", "counting kernel functions by name or pattern",
		"FUNCTION_TRACER DYNAMIC_FTRACE", "2.6.28",
		"--function and --function-latency do not work. Use --kprobe.",
		CAP_FUNCTION_TRACER, .file = "available_filter_functions" },
	[CAP_FUNCTION_GRAPH] = { .name = "function_graph", "latency of functions with --engine user",
		"FUNCTION_GRAPH_TRACER DYNAMIC_FTRACE", "2.6.29",
		"Use --function-latency with --engine kernel.", CAP_FUNCTION_GRAPH,
		.file = "set_graph_function", .is_tracer = true },
	[CAP_TIMERLAT_TRACER] = { .name = "timerlat_tracer", "latency from a timer to its interrupt and its thread, by CPU",
		"TIMERLAT_TRACER", "5.14",
		"Use --preset wakeup-latency, which measures the wake-ups of all tasks.",
		CAP_TIMERLAT_TRACER, .file = "osnoise/timerlat_period_us", .is_tracer = true },
	[CAP_OSNOISE_TRACER] = { .name = "osnoise_tracer", "operating system noise by CPU",
		"OSNOISE_TRACER", "5.14",
		"Use --preset irq-time, which measures interrupts and softirqs.", CAP_OSNOISE_TRACER,
		.file = "osnoise/runtime_us", .is_tracer = true },
	[CAP_HWLAT_TRACER] = { .name = "hwlat_tracer", "latency caused by hardware and firmware",
		"HWLAT_TRACER", "4.9", "Use a kernel with CONFIG_HWLAT_TRACER: only this tracer "
				       "measures such latencies.",
		CAP_HWLAT_TRACER, .file = "hwlat_detector/width", .is_tracer = true },
	[CAP_PROBE_ARGUMENTS] = { .name = "probe_arguments", "$arg1, $arg2 ... in kprobes",
		"HAVE_FUNCTION_ARG_ACCESS_API", "4.20",
		"Use the registers that contain the arguments, such as %di for the first argument "
		"on x86-64.", CAP_KPROBES,
		.file = "kprobe_events", .word = "$arg<N>" },
	[CAP_PROBE_FIELDS] = { .name = "probe_fields", "function arguments and their members, by name, in kprobes",
		"PROBE_EVENTS_BTF_ARGS", "6.6",
		"Use $arg1, $arg2 ..., and the offset of the field, such as +8($arg1):u32.",
		CAP_KPROBES,
		.file = "kprobe_events", .word = "<argname>[->field" },
	[CAP_SYSCALL_EVENTS] = { .name = "syscall_events", "events of system calls",
		"FTRACE_SYSCALLS", NULL,
		"Use a kprobe on the function of a system call.", CAP_SYSCALL_EVENTS,
		.file = "events/raw_syscalls/sys_enter" },
	[CAP_LOCK_EVENTS] = { .name = "lock_events", "events for lock contention", NULL, "5.19",
		"The preset lock-contention does not work on this kernel.",
		CAP_LOCK_EVENTS,
		.file = "events/lock/contention_begin" },
	[CAP_TRACE_MARKER] = { .name = "trace_marker", "histograms of writes to trace_marker",
		"HIST_TRIGGERS", "4.19", "Use a uprobe in the program.", CAP_HIST_TRIGGERS,
		.file = "events/ftrace/print/hist" },
	[CAP_STACK_KEYS] = { .name = "stack_keys", "the kernel stack as a key", "STACKTRACE", "4.7",
		"Use an address field of the event, such as call_site.sym of kmem:kmalloc.",
		CAP_HIST_TRIGGERS,
		.word = "\t\t    stacktrace\n",
		.in_engine = true },
	[CAP_COMMON_STACKTRACE] = { .name = "common_stacktrace",
		"a newer name for the key stacktrace", NULL, "6.4",
		"Use keys=stacktrace, which all kernels accept.", CAP_HIST_TRIGGERS,
		.in_engine = true },
	[CAP_STACK_FIELDS] = { .name = "stack_fields", "stacks in synthetic events, and .stacktrace",
		"SYNTH_EVENTS", "6.4",
		"A stack cannot be passed from one event to another. Use stacktrace as a key of "
		"one of the events.", CAP_SYNTHETIC_EVENTS,
		.file = "synthetic_events", .word = "long[] stack",
		.in_engine = true },
	[CAP_STACK_CHAINS] = { .name = "stack_chains", "stack fields passed to another synthetic "
					       "event", NULL,
		"6.19",
		"trace-cmd hist rejects such triggers, because they can crash this kernel "
		"(fixed by commit 90f9f5d64cae, and in Linux 6.6.122, 6.12.68 and 6.18.8).",
		CAP_STACK_FIELDS },
	[CAP_COMMON_COMM] = { .name = "common_comm", "the task's name as a key", NULL, "6.16",
		"Use keys=common_pid.execname, which counts each task separately.",
		CAP_HIST_TRIGGERS,
		.in_engine = true },
	[CAP_BUCKETS] = { .name = "buckets", "linear buckets of keys with .buckets=N", NULL, "5.14",
		"Use .log2 for keys that are numbers.", CAP_HIST_TRIGGERS,
		.in_engine = true },
	[CAP_FINE_LOG2] = { "fine_log2", "finer buckets of keys with .log2=K", NULL, NULL,
		"Use .log2 or .buckets=N. The kernel patches of this project add .log2=K.",
		CAP_HIST_TRIGGERS,
		.in_engine = true },
	[CAP_PERCENT_GRAPH] = { .name = "percent_graph", "values shown with .percent and .graph", NULL, "6.1",
		"These modifiers only change what the kernel prints. `trace-cmd hist report` "
		"computes the same numbers from plain values.", CAP_HIST_TRIGGERS,
		.in_engine = true },
	[CAP_NOHITCOUNT] = { .name = "nohitcount", "nohitcount, hitcount.percent and hitcount.graph", NULL,
		"6.2",
		"These words only change what the kernel prints. `trace-cmd hist report` shows the "
		"plain hitcount.", CAP_HIST_TRIGGERS,
		.in_engine = true },
	[CAP_ERROR_LOG] = { .name = "error_log", "the reason why the kernel rejects a trigger", NULL, "5.2",
		"The program checks each expression before it writes the trigger, and prints the "
		"reason.", CAP_ERROR_LOG,
		.file = "error_log" },
	[CAP_SNAPSHOT] = { .name = "snapshot", "the snapshot() action", "TRACER_SNAPSHOT", "5.1",
		"Use save() to keep the fields of the event with the largest value.", CAP_HIST_TRIGGERS,
		.file = "snapshot" },
	[CAP_INSTANCES] = { .name = "instances", "separate triggers for each recording", NULL, "3.10",
		"Use Linux 3.10 or later: each recording needs an instance.", CAP_INSTANCES, .file = "instances" },
	[CAP_TASK_CHILDREN] = { .name = "task_children", "the children of the selected tasks (-c)", NULL,
		"4.7", "Select each task with -P.", CAP_TASK_CHILDREN,
		.file = "options/event-fork" },
	[CAP_TASK_EXCLUSION] = { .name = "task_exclusion", "excluding tasks (--exclude-self)", NULL, "5.7",
		"Use a filter such as -f 'common_pid != PID'.", CAP_TASK_EXCLUSION,
		.file = "set_event_notrace_pid" },
	[CAP_CGROUPS] = { .name = "cgroups", "the tasks of a cgroup v2 (--cgroup)", "CGROUPS",
		"4.7", "Run 'mount -t cgroup2 none /sys/fs/cgroup', or select each task with -P.",
		CAP_TASK_CHILDREN },
	[CAP_MACHINE_NAMES] = { .name = "machine_names", "names of interrupts and block devices", "PROC_FS",
		NULL, "Reports show numbers instead of these names. Mount /proc on the target.",
		CAP_MACHINE_NAMES, .file = "/proc/interrupts" },
	[CAP_POLL] = { .name = "poll", "waiting for the hist file to change", NULL, "6.14",
		"No replacement is needed: the program reads the file at intervals. Some older "
		"kernels also have this feature, such as Debian's 6.12.117.", CAP_HIST_TRIGGERS },
	[CAP_HIST_RAW] = { .name = "hist_raw", "binary snapshots, which are faster to read", NULL, NULL,
		"No replacement is needed: the text of the hist file has the same content. The "
		"kernel patches of this project add hist_raw.", CAP_HIST_TRIGGERS, .file = "events/ftrace/print/hist_raw" },
};

const struct capability_info *capability_info_find(const char *name)
{
	unsigned int i;

	for (i = 0; i < CAPABILITIES; i++) {
		if (!strcmp(capability_info[i].name, name))
			return &capability_info[i];
	}
	return NULL;
}

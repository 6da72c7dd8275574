/* SPDX-License-Identifier: GPL-2.0 */
/*
 * tracedat_fixture.h - the metadata of a small made-up machine, as a 6.12 kernel
 * prints it, for tests that write trace.dat files
 */
#ifndef UTEST_UNIT_LIB_TRACEDAT_TRACEDAT_FIXTURE_H
#define UTEST_UNIT_LIB_TRACEDAT_TRACEDAT_FIXTURE_H

#include "lib/tracedat/tracedat.h"

#define FIXTURE_UNAME "Linux box 6.12.0-test x86_64"
#define FIXTURE_CLOCK "local global counter uptime perf [mono] mono_raw boot tai x86-tsc\n"

static const char fixture_header_page[] =
	"\tfield: u64 timestamp;\toffset:0;\tsize:8;\tsigned:0;\n"
	"\tfield: local_t commit;\toffset:8;\tsize:8;\tsigned:1;\n"
	"\tfield: int overwrite;\toffset:8;\tsize:1;\tsigned:1;\n"
	"\tfield: char data;\toffset:16;\tsize:4080;\tsigned:0;\n";

static const char fixture_header_event[] = "# compressed entry header\n"
					   "\ttype_len    :    5 bits\n"
					   "\ttime_delta  :   27 bits\n"
					   "\tarray       :   32 bits\n"
					   "\n"
					   "\tpadding     : type == 29\n"
					   "\ttime_extend : type == 30\n"
					   "\ttime_stamp : type == 31\n"
					   "\tdata max type_len  == 28\n";

#define FIXTURE_COMMON                                                                 \
	"format:\n"                                                                    \
	"\tfield:unsigned short common_type;\toffset:0;\tsize:2;\tsigned:0;\n"         \
	"\tfield:unsigned char common_flags;\toffset:2;\tsize:1;\tsigned:0;\n"         \
	"\tfield:unsigned char common_preempt_count;\toffset:3;\tsize:1;\tsigned:0;\n" \
	"\tfield:int common_pid;\toffset:4;\tsize:4;\tsigned:1;\n\n"

static const char fixture_print[] = "name: print\nID: 5\n" FIXTURE_COMMON
				    "\tfield:unsigned long ip;\toffset:8;\tsize:8;\tsigned:0;\n"
				    "\tfield:char buf[];\toffset:16;\tsize:0;\tsigned:0;\n\n"
				    "print fmt: \"%ps: %s\", (void *)REC->ip, REC->buf\n";

static const char fixture_waking[] = "name: sched_waking\nID: 312\n" FIXTURE_COMMON
				     "\tfield:pid_t pid;\toffset:8;\tsize:4;\tsigned:1;\n\n"
				     "print fmt: \"pid=%d\", REC->pid\n";

static const char fixture_wakeup[] = "name: sched_wakeup\nID: 311\n" FIXTURE_COMMON
				     "\tfield:pid_t pid;\toffset:8;\tsize:4;\tsigned:1;\n\n"
				     "print fmt: \"pid=%d\", REC->pid\n";

static const char fixture_tick[] = "name: tick_stop\nID: 200\n" FIXTURE_COMMON
				   "\tfield:int success;\toffset:8;\tsize:4;\tsigned:1;\n\n"
				   "print fmt: \"success=%d\", REC->success\n";

static const struct tracedat_format fixture_formats[] = {
	{ "sched", fixture_waking, sizeof(fixture_waking) - 1 },
	{ "sched", fixture_wakeup, sizeof(fixture_wakeup) - 1 },
	{ "ftrace", fixture_print, sizeof(fixture_print) - 1 },
	{ "timer", fixture_tick, sizeof(fixture_tick) - 1 },
};

static inline struct tracedat_contents fixture_contents(enum hist_compression compression)
{
	return (struct tracedat_contents){
		.machine = {
			.uname = FIXTURE_UNAME,
			.trace_clock = FIXTURE_CLOCK,
			.cpus = 2,
			.page_size = 4096,
			.long_size = 8,
		},
		.header_page = fixture_header_page,
		.header_event = fixture_header_event,
		.formats = fixture_formats,
		.nformats = sizeof(fixture_formats) / sizeof(*fixture_formats),
		.compression = compression,
	};
}

#endif

// SPDX-License-Identifier: LGPL-2.1
/*
 * preset_absent.c - the tools of bcc and bpftrace that no preset replaces, and why
 */
#include <string.h>

#include "lib/preset/preset_find.h"

const struct preset_absent preset_absents[] = {
	{ "argdist stackcount trace", "the tool counts an event and a key of your choice",
	  "use -e SYS:EVENT with -k FIELD, or with -k stacktrace" },
	{ "funcslower", "the tool prints the calls that take longer than a limit of your choice",
	  "use --function-latency GLOB, then -f 'lat > NANOSECONDS'" },
	{ "bashreadline gethostlatency ssllatency sslsniff sslsnoop threadsnoop",
	  "the tool probes functions of a program or library", "use --uprobe PATH:SYMBOL" },
	{ "dbslower dbstat javagc mysqld_qslower nodegc ucalls uflow ugc uobjnew ustat uthreads",
	  "the tool uses probes of a language runtime or a server",
	  "use --usdt PATH:PROVIDER:PROBE" },
	{ "cpuunclaimed llcstat profile",
	  "the tool samples the CPU, but ftrace records only events",
	  "use perf-record(1) or perf-stat(1)" },
	{ "offwaketime", "the tool needs two stacks in a key, but a key contains only one stack",
	  "use --preset off-cpu-stacks and --preset wakeup-stacks" },
	{ "btrfsdist btrfsslower ext4slower f2fsdist fsdist nfsdist nfsslower xfsdist xfsslower "
	  "zfsdist zfsslower",
	  "these file systems have no event for the end of a read or write",
	  "use --function-latency 'xfs_file_*', or --preset ext4-latency" },
	{ "dirtop filegone filelife fileslower filetop",
	  "no event contains the name of an open file",
	  "use --preset file-opens or --preset vfs-calls" },
	{ "biopattern tcpcong tcpsubnet",
	  "the tool compares each event with earlier events or with a list",
	  "use 'trace-cmd record' and a script" },
	{ "bindsnoop dcsnoop dcstat deadlock hfaults mdflush mountsnoop naptime numamove ppchcalls "
	  "rdmaucma setuids shmsnoop sofdsnoop solisten swapin tcpsynbl ttysnoop undump virtiostat",
	  "no event contains the data that the tool shows",
	  "use --kprobe with the functions that the tool probes" },
	{ "loads", "the load average is a number, not a count of events", "read /proc/loadavg" },
	{ "kvmexit", "the tool shows names of exit reasons, which differ between processors",
	  "use -e kvm:kvm_exit -k exit_reason" },
};

const size_t preset_absents_count = sizeof(preset_absents) / sizeof(*preset_absents);

const struct preset_absent *preset_find_absent(const char *name)
{
	size_t i, len;
	const char *tool;

	for (i = 0; i < preset_absents_count; i++) {
		for (tool = preset_absents[i].tools; *tool; tool += len + (tool[len] == ' ')) {
			len = strcspn(tool, " ");
			if (strlen(name) == len && !strncmp(tool, name, len))
				return &preset_absents[i];
		}
	}
	return NULL;
}

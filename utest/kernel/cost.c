// SPDX-License-Identifier: GPL-2.0
/*
 * cost [ENTRIES]: instructions that a snapshot and a hit cost on this kernel.
 *
 * Runs where QEMU counts instructions (-icount shift=0): there the time stamp counter of
 * x86 is their number.  Prints lines "cost WHAT ENTRIES INSTRUCTIONS".
 *
 * Invariant: what is measured is one thread's on one CPU; the ticks of the clock are in the
 * numbers of snapshots, as they last, and not in those of hits, of which the cheapest
 * thousand counts.  A reset waits for others, so its time says nothing.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <unistd.h>
#include <linux/trace_hist.h>
#include <linux/user_events.h>
#include <x86intrin.h>

#define TRACEFS "/sys/kernel/tracing/"
#define EVENT TRACEFS "events/user_events/hist_cost/"
#define GETPPID TRACEFS "events/syscalls/sys_enter_getppid/"

static char buf[1 << 20];

static void __attribute__((noreturn)) fail(const char *what)
{
	printf("not ok cost: %s: %s\n", what, strerror(errno));
	exit(1);
}

static void put(const char *path, const char *text)
{
	int fd = open(path, O_WRONLY | O_APPEND);

	if (fd < 0 || write(fd, text, strlen(text)) != (ssize_t)strlen(text))
		fail(text);
	close(fd);
}

static void report(const char *what, unsigned int entries, uint64_t instructions)
{
	printf("cost %s %u %llu\n", what, entries, (unsigned long long)instructions);
}

/* Reads to the end; returns the bytes. */
static size_t drain(int fd)
{
	size_t size = 0;
	ssize_t n;

	while ((n = read(fd, buf, sizeof(buf))) > 0)
		size += n;
	if (n < 0)
		fail("a snapshot is read");
	return size;
}

static int data;
static uint32_t event_index;

static void register_event(void)
{
	static uint32_t enabled;
	struct user_reg reg = {
		.size = sizeof(reg),
		.enable_size = sizeof(enabled),
		.enable_addr = (uintptr_t)&enabled,
		.name_args = (uintptr_t)"hist_cost u64 aa; u64 bb",
	};

	data = open(TRACEFS "user_events_data", O_RDWR);
	if (data < 0 || ioctl(data, DIAG_IOCSREG, &reg) < 0)
		fail("user_events registers an event");
	event_index = reg.write_index;
}

static void fill(unsigned int entries)
{
	uint64_t event[2] = { 0, 100 };
	struct iovec parts[] = {
		{ &event_index, sizeof(event_index) },
		{ event, sizeof(event) },
	};
	char trigger[100];

	snprintf(trigger, sizeof(trigger), "hist:keys=aa:vals=bb:size=%u", entries);
	put(EVENT "trigger", trigger);
	for (unsigned int i = 0; i < entries; i++) {
		/* spread, as keys are; odd multipliers keep them distinct */
		event[0] = (uint64_t)i * 0x9e3779b97f4a7c15 >> 16;
		if (writev(data, parts, 2) < 0)
			fail("an event is written");
	}
}

static void measure_text(unsigned int entries)
{
	uint64_t start = __rdtsc();
	int fd = open(EVENT "hist", O_RDONLY);

	if (fd < 0)
		fail("hist opens");
	drain(fd);
	report("text", entries, __rdtsc() - start);
	start = __rdtsc();
	lseek(fd, 0, SEEK_SET);
	drain(fd);
	report("text-again", entries, __rdtsc() - start);
	close(fd);
}

static void measure_raw(unsigned int entries)
{
	uint64_t start = __rdtsc();
	int fd = open(EVENT "hist_raw", O_RDWR);

	if (fd < 0) {
		printf("# no hist_raw\n");
		return;
	}
	drain(fd);
	report("binary", entries, __rdtsc() - start);
	start = __rdtsc();
	if (ioctl(fd, TRACE_HIST_IOCTL_SNAPSHOT) < 0)
		fail("a snapshot is taken");
	drain(fd);
	report("binary-again", entries, __rdtsc() - start);
	close(fd);
}

/* Of one getppid(): that of the cheapest thousand of 200. */
static uint64_t thousand_calls(void)
{
	uint64_t least = UINT64_MAX, start, took;

	for (int turn = 0; turn < 200; turn++) {
		start = __rdtsc();
		for (int i = 0; i < 1000; i++)
			syscall(SYS_getppid);
		took = __rdtsc() - start;
		if (took < least)
			least = took;
	}
	return least;
}

static void measure_hits(const char *what, const char *trigger)
{
	uint64_t without = thousand_calls(), with;
	char text[200];

	put(GETPPID "trigger", trigger);
	with = thousand_calls();
	snprintf(text, sizeof(text), "!%s", trigger);
	put(GETPPID "trigger", text);
	report(what, 0, with - without);
}

int main(int argc, char **argv)
{
	char text[100];

	register_event();
	for (int i = 1; i < argc; i++) {
		unsigned int entries = strtoul(argv[i], NULL, 10);

		fill(entries);
		measure_text(entries);
		measure_raw(entries);
		snprintf(text, sizeof(text), "!hist:keys=aa:vals=bb:size=%u", entries);
		put(EVENT "trigger", text);
	}
	measure_hits("1000-hits-by-pid", "hist:keys=common_pid");
	measure_hits("1000-hits-by-pid-and-name", "hist:keys=common_pid.execname,__syscall_nr:vals=hitcount");
	measure_hits("1000-hits-by-stack", "hist:keys=common_stacktrace");
	return 0;
}

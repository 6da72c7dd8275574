// SPDX-License-Identifier: GPL-2.0
/*
 * many_dat.c - a recording with thousands of snapshots, for KernelShark
 *
 *	many_dat FILE COUNT FROM TO [KEYS]
 *
 * FILE is a trace.dat with events.  It gets two histograms with COUNT snapshots each,
 * at equal steps from FROM to TO, in ns of its clock.  What was counted is made up, and
 * always the same: in interval i each of the 16 buckets k of the first one gets
 * 1 + i * k % 7, and the second one counts three names.  With KEYS, a histogram with so many
 * keys comes first; each interval counts hits of a sixteenth of them, so all keys have hits after
 * 16 intervals.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "utest/unit/lib/series/run_fixture.h"

static void count(struct run_fixture *f, int latency, int tasks, uint64_t i)
{
	static const char *const names[] = { "sh", "usleep", "trace-cmd" };
	uint64_t k;

	for (k = 1; k <= 16; k++) {
		const struct run_key key = { k, NULL };
		const uint64_t hits = 1 + i * k % 7;

		run_fixture_count(f, latency, &key, &hits);
	}
	for (k = 0; k < 3; k++) {
		const struct run_key key = { 0, names[k] };
		const uint64_t hits = 1 + i * (k + 3) % 5;

		run_fixture_count(f, tasks, &key, &hits);
	}
}

static void count_keys(struct run_fixture *f, int calls, uint64_t keys, uint64_t i)
{
	uint64_t k;

	for (k = i % 16; k < keys; k += 16) {
		const struct run_key key = { 0x1000 + k * 64, NULL };
		const uint64_t hits = 1 + (i + k) % 5;

		run_fixture_count(f, calls, &key, &hits);
	}
}

int main(int argc, char **argv)
{
	uint64_t n, from, to, keys, i;
	int latency, tasks, calls = 0;
	struct run_fixture *f;

	if (argc != 5 && argc != 6) {
		fprintf(stderr, "usage: many_dat FILE COUNT FROM TO [KEYS]\n");
		return 2;
	}
	n = strtoull(argv[2], NULL, 10);
	from = strtoull(argv[3], NULL, 10);
	to = strtoull(argv[4], NULL, 10);
	keys = argc == 6 ? strtoull(argv[5], NULL, 10) : 0;
	f = run_fixture_attach(argv[1], "Linux 6.12.0-test x86_64", "box");
	if (keys)
		calls = run_fixture_define(f, "kmem:kmalloc", "hist:keys=call_site:size=16384", "mono");
	latency = run_fixture_define(f, "sched:latency", "hist:keys=lat_us.log2", "mono");
	tasks = run_fixture_define(f, "sched:sched_switch", "hist:keys=next_comm", "mono");
	for (i = 0; i < n; i++) {
		uint64_t now = from + (to - from) * i / (n - 1);

		if (i)
			count(f, latency, tasks, i);
		if (i && keys)
			count_keys(f, calls, keys, i);
		if (keys)
			run_fixture_snapshot(f, calls, now);
		run_fixture_snapshot(f, latency, now);
		run_fixture_snapshot(f, tasks, now + 500);
	}
	run_fixture_close(f, true);
	return 0;
}

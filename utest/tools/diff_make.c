// SPDX-License-Identifier: GPL-2.0
/*
 * diff_make.c - a made-up recording, for diff.sh
 *
 *	diff_make FILE KIND SEED [NAME=VALUE]...
 *
 * Thirty intervals of a second.  The same SEED gives the same numbers, another one
 * another run of the same load.  KIND:
 *
 *	latency	  keys=id.syscall,lat_us.log2; "mean": with vals=lat_us
 *	row	  keys=id.syscall:vals=lat_us, which has no axis
 *	kmalloc	  keys=call_site.sym:vals=bytes_req
 *	stack	  keys=common_stacktrace, and the same addresses in hex as ptr.hex
 *
 * slow=F: times of read are F times as long; write=F: those of write; cv=F: the times of a run
 * scatter by this, each call's by itself; held=F: of a run up to this share of the times is
 * 100 times as long; more=F: kfree_rcu has F times the hits;
 * boot=N: addresses and pids of another boot; renamed=1; bucket=N: lat_us.buckets=N;
 * size=N: of the trigger; drop=N: hits dropped; clear=N: cleared before that snapshot;
 * lose=N: that snapshot is missing; events=N: in a second; host=NAME; clock=NAME;
 * snapshots=N; stop=N: paused before that snapshot; top=N: the maximum of each row of "mean" and
 * "row" is kept, and one read takes N us
 */
#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "utest/unit/lib/series/run_fixture.h"
#include "utest/unit/test_data.h"

#define SEC 1000000000ull

struct load {
	double slow, write, more, cv, held;
	double factor[3], held_up; /* of this run */
	unsigned int boot, renamed, bucket, size, drop, clear, lose, events, snapshots;
	unsigned int stop, top;
	bool rows;
	const char *host, *clock;
	uint64_t random;
};

static double uniform(struct load *l)
{
	return ((test_random(&l->random) >> 11) + 0.5) / 9007199254740992.0;
}

static double normal(struct load *l)
{
	return sqrt(-2 * log(uniform(l))) * cos(6.283185307179586 * uniform(l));
}

static uint64_t bucket_of(const struct load *l, uint64_t us)
{
	uint64_t n = 0;

	if (l->bucket)
		return us - us % l->bucket;
	while (us > 1ull << n)
		n++;
	return n;
}

/* About @mean, with the scatter of a load. */
static uint64_t about(struct load *l, double mean)
{
	double n = mean * (1 + 0.02 * normal(l));

	return n < 0 ? 0 : llround(n);
}

/* Count one call; with l->top, the largest number of its row is kept. */
static void call(struct load *l, struct run_fixture *f, int hist, uint64_t id, const char *name,
		 uint64_t us)
{
	static uint64_t worst[3][1024];
	uint64_t bucket = l->rows ? 0 : bucket_of(l, us), *known = &worst[id][bucket % 1024];
	struct run_key keys[] = { { id, name }, { bucket, NULL } };

	run_fixture_count(f, hist, keys, (uint64_t[]){ 1, us, 0 });
	if (!l->top || us <= *known)
		return;
	*known = us;
	run_fixture_worst(f, hist, keys, us);
}

static void latency(struct load *l, struct run_fixture *f, int hist)
{
	static const char *const calls[] = { "sys_read", "sys_write", "sys_futex" };
	unsigned int i, n;
	uint64_t us;

	for (i = 0; i < 3; i++) {
		for (n = about(l, l->events / (i + 1)); n; n--) {
			us = llround(50 * (i + 1) * exp(0.5 * normal(l)) * l->factor[i]);
			if (l->held_up && uniform(l) < l->held_up)
				us *= 100;
			call(l, f, hist, i, calls[i], us);
		}
	}
}

static void kmalloc(struct load *l, struct run_fixture *f, int hist)
{
	const char *const names[] = { "alloc_inode", "kfree_rcu", "seq_open",
				      l->renamed ? "do_open.isra.7" : "do_open.isra.0",
				      l->boot ? "only_new [mod]" : "only_base [mod]" };
	unsigned int i;
	uint64_t hits, address = 0xffffffff81000000 + l->boot * 0x2000000ull;

	for (i = 0; i < 5; i++) {
		hits = about(l, l->events * (i + 1) * (i == 1 ? l->more : 1));
		run_fixture_count(f, hist, (struct run_key[]){ { address + 0x100 * i, names[i] } },
				  (uint64_t[]){ hits, hits * 64 });
	}
}

static void stack(struct load *l, struct run_fixture *f, int hist, int hex)
{
	char frames[64];
	unsigned int i;
	uint64_t hits, address = 0xffff888004000000 + l->boot * 0x3000000ull;

	for (i = 0; i < 3; i++) {
		hits = about(l, l->events * (i + 1));
		snprintf(frames, sizeof(frames), "leaf%u+0x%x/0x200\ndo_it+0x10/0x20", i,
			 0x10 + l->boot);
		run_fixture_count(f, hist, (struct run_key[]){ { 0, frames } }, (uint64_t[]){ hits });
		run_fixture_count(f, hex, (struct run_key[]){ { address + 64 * i, NULL } },
				  (uint64_t[]){ hits });
	}
}

static int take(struct load *l, const char *word)
{
	const struct {
		const char *name;
		unsigned int *number;
	} numbers[] = {
		{ "boot=", &l->boot },	 { "renamed=", &l->renamed }, { "bucket=", &l->bucket },
		{ "size=", &l->size },	 { "drop=", &l->drop },	      { "clear=", &l->clear },
		{ "lose=", &l->lose },	 { "events=", &l->events },   { "snapshots=", &l->snapshots },
		{ "stop=", &l->stop },	 { "top=", &l->top },
	};
	const struct {
		const char *name;
		double *number;
	} fractions[] = {
		{ "slow=", &l->slow }, { "write=", &l->write }, { "more=", &l->more },
		{ "cv=", &l->cv },     { "held=", &l->held },
	};
	size_t i, len;

	for (i = 0; i < sizeof(numbers) / sizeof(*numbers); i++) {
		len = strlen(numbers[i].name);
		if (strncmp(word, numbers[i].name, len))
			continue;
		*numbers[i].number = atoi(word + len);
		return 0;
	}
	for (i = 0; i < sizeof(fractions) / sizeof(*fractions); i++) {
		len = strlen(fractions[i].name);
		if (strncmp(word, fractions[i].name, len))
			continue;
		*fractions[i].number = atof(word + len);
		return 0;
	}
	if (!strncmp(word, "host=", 5))
		l->host = word + 5;
	else if (!strncmp(word, "clock=", 6))
		l->clock = word + 6;
	else
		return -1;
	return 0;
}

int main(int argc, char **argv)
{
	struct load l = { .slow = 1, .write = 1, .more = 1, .events = 200, .snapshots = 31, .host = "box",
			  .clock = "mono" };
	const char *kind = argc > 2 ? argv[2] : "";
	char trigger[256], size[32] = "", axis[32] = "log2";
	struct run_fixture *f;
	unsigned int i;
	int hist, hex = -1, a;

	for (a = 4; a < argc; a++) {
		if (take(&l, argv[a])) {
			fprintf(stderr, "diff_make: %s: no such setting\n", argv[a]);
			return 2;
		}
	}
	if (argc < 4) {
		fprintf(stderr, "usage: diff_make FILE KIND SEED [NAME=VALUE]...\n");
		return 2;
	}
	l.random = strtoull(argv[3], NULL, 10) * 0x9e3779b97f4a7c15ull + 1;
	/* nothing is drawn for what is not asked for, so that seeds make what they always made */
	for (i = 0; i < 3; i++)
		l.factor[i] = (i == 0 ? l.slow : i == 1 ? l.write : 1) *
			      (l.cv ? exp(l.cv * normal(&l)) : 1);
	l.held_up = l.held ? l.held * uniform(&l) : 0;
	f = run_fixture_new(argv[1], "Linux 6.12.0-test x86_64", l.host);
	if (l.size)
		snprintf(size, sizeof(size), ":size=%u", l.size);
	if (l.bucket)
		snprintf(axis, sizeof(axis), "buckets=%u", l.bucket);
	if (!strcmp(kind, "kmalloc")) {
		snprintf(trigger, sizeof(trigger), "hist:keys=call_site.sym:vals=bytes_req%s", size);
		hist = run_fixture_define(f, "kmem:kmalloc", trigger, l.clock);
	} else if (!strcmp(kind, "stack")) {
		hist = run_fixture_define(f, "kmem:kfree", "hist:keys=common_stacktrace", l.clock);
		hex = run_fixture_define(f, "kmem:kfree", "hist:keys=ptr.hex", l.clock);
	} else {
		l.rows = !strcmp(kind, "row");
		snprintf(trigger, sizeof(trigger), "hist:keys=id.syscall%s%s%s%s%s",
			 l.rows ? "" : ",lat_us.", l.rows ? "" : axis,
			 strcmp(kind, "latency") ? ":vals=lat_us" : "", size,
			 l.top ? ":worst=lat_us:onmax($worst).save(common_pid)" : "");
		hist = run_fixture_define(f, "latency:sys_enter..sys_exit", trigger, l.clock);
	}
	for (i = 0; i < l.snapshots; i++) {
		if (l.clear && i == l.clear)
			run_fixture_clear(f, hist);
		if (l.lose && i == l.lose)
			run_fixture_lose(f, hist);
		if (i && !strcmp(kind, "kmalloc"))
			kmalloc(&l, f, hist);
		else if (i && hex >= 0)
			stack(&l, f, hist, hex);
		else if (i)
			latency(&l, f, hist);
		if (l.top && i == 3)
			call(&l, f, hist, 0, "sys_read", l.top);
		if (l.stop && i == l.stop)
			run_fixture_stop(f, hist);
		if (l.drop && i == 1)
			run_fixture_drop(f, hist, l.drop);
		run_fixture_snapshot(f, hist, (100 + i) * SEC);
		if (hex >= 0)
			run_fixture_snapshot(f, hex, (100 + i) * SEC);
	}
	run_fixture_close(f, true);
	return 0;
}

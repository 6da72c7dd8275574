// SPDX-License-Identifier: GPL-2.0
/*
 * reshape.c - change the events of an uncompressed trace.dat in place
 *
 *	bench-reshape spread FILE KEYS	system calls of so many numbers, of one task
 *	bench-reshape thin FILE N	only each Nth wake-up, and the next switch on its CPU to
 *					that task; the others become events that nobody counts
 *
 * `make bench` makes FILE with events_make.py, so it has the byte order of this machine.
 */
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "lib/event/event.h"
#include "lib/ringbuf/events_private.h"
#include "utest/bench/bench.h"

/* The type of no event. */
#define NOBODY 0xfffe

/* An event, and where one of its fields is. */
struct place {
	unsigned int type, offset;
};

/* What happens to each event; @cpu has it. */
typedef void (*reshape_fn)(void *arg, unsigned int cpu, unsigned char *data);

static struct hist_events *open_events(const char *path)
{
	struct hist_events *events;
	struct hist_error error = { 0 };

	if (hist_events_open(&events, path, &error)) {
		fprintf(stderr, "bench-reshape: %s: %s\n", path, error.what);
		exit(2);
	}
	return events;
}

static struct place find_field(struct hist_events *events, const char *system, const char *name,
			       const char *field)
{
	const struct hist_event_field *found;
	struct hist_event *event;
	struct place place;
	const char *text;
	size_t len;

	bench_must(hist_events_format(events, system, name, &text, &len), name);
	bench_must(hist_event_parse(&event, system, text, len), name);
	found = hist_event_find(event, field);
	bench_must(found ? 0 : -22, field);
	place = (struct place){ event->id, found->offset };
	hist_event_free(event);
	return place;
}

static void each_event(const char *path, reshape_fn fn, void *arg)
{
	struct hist_events *events = open_events(path);
	struct hist_ring_page_layout layout = hist_events_machine(events)->layout;
	unsigned int cpu, ncpus = events->buffers[0].ncpus;
	unsigned char *map, *at, *end;
	const unsigned char *data;
	struct hist_ring_page page;
	struct stat st;
	uint32_t len;
	int fd = open(path, O_RDWR);

	bench_must(fd < 0 || fstat(fd, &st) ? -2 : 0, path);
	map = mmap(NULL, st.st_size, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
	bench_must(map == MAP_FAILED ? -12 : 0, "mmap");
	for (cpu = 0; cpu < ncpus; cpu++) {
		at = map + events->buffers[0].cpus[cpu].at;
		for (end = at + events->buffers[0].cpus[cpu].size; at < end; at += 4096) {
			bench_must(hist_ring_page_begin(&page, &layout, at, 4096), path);
			while (hist_ring_page_next(&page, &data, &len))
				fn(arg, cpu, map + (data - map));
		}
	}
	bench_must(munmap(map, st.st_size) || close(fd) ? -5 : 0, path);
	hist_events_free(events);
}

static bool is_of(const struct place *place, const unsigned char *data)
{
	uint16_t type;

	memcpy(&type, data, sizeof(type));
	return type == place->type;
}

struct spread {
	struct place task, call;
	uint64_t random, keys;
};

static void spread_event(void *arg, unsigned int cpu, unsigned char *data)
{
	const uint32_t one = 1;
	struct spread *s = arg;
	uint64_t id;

	(void)cpu;
	if (!is_of(&s->call, data))
		return;
	id = bench_random(&s->random) % s->keys;
	memcpy(data + s->task.offset, &one, sizeof(one));
	memcpy(data + s->call.offset, &id, sizeof(id));
}

struct thin {
	struct place waking, to;
	uint64_t wakeups, every;
	bool waits[16];
};

static void thin_event(void *arg, unsigned int cpu, unsigned char *data)
{
	const uint32_t task = 10000 + cpu;
	const uint16_t nobody = NOBODY;
	struct thin *t = arg;
	bool kept = false;

	if (is_of(&t->waking, data)) {
		kept = !t->waits[cpu] && t->wakeups++ % t->every == 0;
		t->waits[cpu] |= kept;
		memcpy(data + t->waking.offset, &task, sizeof(task));
	} else if (is_of(&t->to, data)) {
		kept = t->waits[cpu];
		t->waits[cpu] = false;
		memcpy(data + t->to.offset, &task, sizeof(task));
	}
	if (!kept)
		memcpy(data, &nobody, sizeof(nobody));
}

int main(int argc, char **argv)
{
	struct spread spread = { .random = 1 };
	struct thin thin = { 0 };
	struct hist_events *events;

	if (argc != 4 || !strtoul(argv[3], NULL, 10))
		return 2;
	events = open_events(argv[2]);
	bench_must(events->buffers[0].ncpus > 16, "too many CPUs");
	if (!strcmp(argv[1], "spread")) {
		spread.keys = strtoul(argv[3], NULL, 10);
		spread.task = find_field(events, "raw_syscalls", "sys_enter", "common_pid");
		spread.call = find_field(events, "raw_syscalls", "sys_enter", "id");
		each_event(argv[2], spread_event, &spread);
	} else {
		thin.every = strtoul(argv[3], NULL, 10);
		thin.waking = find_field(events, "sched", "sched_waking", "pid");
		thin.to = find_field(events, "sched", "sched_switch", "next_pid");
		each_event(argv[2], thin_event, &thin);
	}
	hist_events_free(events);
	return 0;
}

/* SPDX-License-Identifier: GPL-2.0 */
/*
 * events_walk.h - a walk over pages of events with all that is known when it is compiled
 *
 * It counts the keys of at most three events in one small hash table, without any check.
 */
#ifndef UTEST_BENCH_EVENTS_WALK_H
#define UTEST_BENCH_EVENTS_WALK_H

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#define SLOTS 8192

struct counts {
	uint64_t keys[SLOTS], hits[SLOTS];
	uint64_t events;
	uint64_t times; /* of all counted events, added up; 0: the walk knows no times */
};

/* Which events, and where their fields are. */
struct query {
	unsigned int type, key, key2; /* key2 0: there is none */
};

struct input {
	const char *path;
	struct query queries[3];
	uint64_t places[16][2]; /* offset and size of each CPU's pages */
	unsigned int ncpus;
	struct counts counts;
};

static inline void count(struct counts *c, uint64_t key)
{
	unsigned int slot = (key * UINT64_C(0x9e3779b97f4a7c15)) >> 51;

	while (c->keys[slot] != key && c->keys[slot])
		slot = (slot + 1) % SLOTS;
	c->keys[slot] = key;
	c->hits[slot]++;
}

static inline void take(struct input *in, const unsigned char *data, uint64_t time)
{
	const struct query *q = in->queries;
	uint32_t a, b = 0;
	uint16_t type;
	unsigned int i;

	memcpy(&type, data, 2);
	in->counts.events++;
	for (i = 0; i < 3; i++, q++) {
		if (type != q->type)
			continue;
		memcpy(&a, data + q->key, 4);
		if (q->key2)
			memcpy(&b, data + q->key2, 4);
		count(&in->counts, (uint64_t)(i + 1) << 56 ^ (uint64_t)a << 24 ^ b);
		in->counts.times += time;
	}
}

/* Pages from @page to @last, and the times of their events if @timed. */
static inline __attribute__((always_inline)) void
walk_pages(struct input *in, const unsigned char *page, const unsigned char *last, bool timed)
{
	const unsigned char *at, *end;
	uint64_t time = 0;
	uint32_t head, word;

	for (; page < last; page += 4096) {
		if (timed)
			memcpy(&time, page, 8);
		memcpy(&head, page + 8, 4);
		at = page + 16;
		end = at + (head & 0x3fffffff);
		while (at < end) {
			memcpy(&head, at, 4);
			if (timed)
				time += head >> 5;
			if ((head & 31) - 1 < 28) {
				take(in, at + 4, time);
				at += 4 + (head & 31) * 4;
			} else if ((head & 31) == 0) {
				take(in, at + 8, time);
				memcpy(&word, at + 4, 4);
				at += 4 + word;
			} else if ((head & 31) == 29) {
				memcpy(&word, at + 4, 4);
				at += 4 + word;
			} else {
				/* more bits of the time; these files have no absolute ones */
				memcpy(&word, at + 4, 4);
				if (timed)
					time += (uint64_t)word << 27;
				at += 8;
			}
		}
	}
}

#endif

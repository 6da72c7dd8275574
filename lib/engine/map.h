/* SPDX-License-Identifier: LGPL-2.1 */
/*
 * map.h - the elements of one histogram in one run, by their keys
 *
 * What the kernel's tracing map is seen from outside (kernel/trace/tracing_map.c): a
 * number of elements that does not grow, and drops for keys that found none left.  Its hits are
 * as many as all hitcounts together, so nobody counts them.
 */
#ifndef LIB_ENGINE_MAP_H
#define LIB_ENGINE_MAP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "lib/base/hash.h"

/*
 * An element: the words of its key, then sums, variables, which of them are set,
 * and the task that made it.  It stays where it is, as strings of variables are passed by their
 * addresses.
 */
struct elt {
	uint32_t entry; /* of the table that was filled last, or HIST_NO_ENTRY */
	char *strings;	/* nstrings of 256 bytes, or NULL */
	uint64_t words[];
};

/* Where in an element things are, in words. */
struct map_shape {
	uint32_t key_words;
	uint32_t sums, vars, set, comm; /* set: a bit for each variable; comm: a pid */
	uint32_t words;			/* of all */
	uint32_t nstrings;
	uint32_t max; /* elements, a power of two */
};

#define MAP_CHUNK 256

struct map {
	const struct map_shape *shape;
	struct elt **slots; /* at most a quarter of them used; behind the last an empty one */
	uint32_t mask;	    /* their number less 1; 0: they are no memory of its own */
	uint32_t n, max;
	uint64_t seed;
	uint64_t drops;
	char **chunks; /* of MAP_CHUNK elements each */
	uint32_t nchunks, chunks_room;
	uint64_t generation; /* of the table that elements' entries are of */
};

void map_init(struct map *map, const struct map_shape *shape);
void map_clear(struct map *map);

/* The element of @key, or NULL.  Nothing is counted. */
struct elt *map_lookup(const struct map *map, const uint64_t *key);

/*
 * map_insert - the element of @key, made where it is not there; a drop is counted
 * 1: *@elt is new; 0: *@elt was there; -ENOSPC: dropped; -ENOMEM.
 */
int map_insert(struct map *map, const uint64_t *key, struct elt **elt);

/* Behind map_find_numbers(): what map_insert() does with a key that is not there. */
int map_add(struct map *map, const uint64_t *key, struct elt **elt);

static inline struct elt *map_at(const struct map *map, uint32_t i)
{
	size_t size = sizeof(struct elt) + map->shape->words * sizeof(uint64_t);

	return (struct elt *)(map->chunks[i / MAP_CHUNK] + (i % MAP_CHUNK) * size);
}

static inline uint64_t map_hash(const struct map *map, const uint64_t *key, uint32_t words)
{
	uint64_t h = 0;
	uint32_t i;

	for (i = 0; i + 1 < words; i += 2)
		h = hash_pair(h ^ key[i], key[i + 1], map->seed);
	return words % 2 ? hash_mix(h ^ key[i], map->seed) : h;
}

/*
 * map_find_numbers - as map_lookup(), for the few words of keys that are numbers
 * They are in the caller's registers, where @words is constant.
 */
static inline struct elt *map_find_numbers(const struct map *map, const uint64_t *key,
					   uint32_t words)
{
	struct elt *elt;
	uint64_t other;
	uint32_t i, k;

	for (i = map_hash(map, key, words);; i++) {
		elt = map->slots[i & map->mask];
		if (!elt)
			return NULL;
		for (other = 0, k = 0; k < words; k++)
			other |= elt->words[k] ^ key[k];
		if (!other)
			return elt;
	}
}

#endif

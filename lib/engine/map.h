/* SPDX-License-Identifier: LGPL-2.1 */
/*
 * map.h - map keys to the elements of one histogram in one run
 *
 * The map behaves as the kernel's tracing map: the number of elements is fixed, and a hit of a new
 * key is dropped if no element is left.  Hits are not counted: they equal the sum of all
 * hitcounts.
 *
 * Source: kernel/trace/tracing_map.c.
 */
#ifndef LIB_ENGINE_MAP_H
#define LIB_ENGINE_MAP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "lib/base/hash.h"

/*
 * An element: the words of its key, then sums, variables, a bit mask of the variables that are
 * set, and the pid of the task that created it.  An element never moves, because strings of
 * variables are passed by address.
 */
struct map_element {
	uint32_t entry; /* number in the table of the last snapshot, or HIST_NO_ENTRY */
	uint32_t hash;	/* of its key */
	char *strings;	/* nstrings of 256 bytes, or NULL */
	uint64_t words[];
};

/* The layout of an element: offsets in words. */
struct map_shape {
	uint32_t key_words;
	uint32_t sums, vars, set, comm; /* set: a bit for each variable; comm: a pid */
	uint32_t words;			/* of all */
	uint32_t nstrings;
	uint32_t max; /* elements, a power of two */
};

#define MAP_CHUNK 256
#define MAP_SHORT 4 /* words of a key that map_hash() hashes; more than HIST_KEYS_MAX */

struct map {
	const struct map_shape *shape;
	struct map_element *
		*slots;	    /* at most a quarter is used; an empty slot follows the last one */
	uint32_t mask;	    /* number of slots minus 1; 0: slots is the shared no_slots[] */
	uint32_t n, max;
	uint64_t seed;
	uint64_t drops;
	bool refuses; /* a new key of a full map is -EOVERFLOW */
	char **chunks; /* of MAP_CHUNK elements each */
	uint32_t nchunks, chunks_room;
	uint64_t generation; /* of the table that the entry numbers of elements refer to */
};

/* Maps with the same @seed have the same hashes. */
void map_init(struct map *map, const struct map_shape *shape, uint64_t seed);
void map_clear(struct map *map);

/*
 * map_add - create the element of a key that is not in the map; counts a drop
 * @words: those of @key that are given; the others are 0.
 * 1: *@elt is new; -ENOSPC: dropped; -EOVERFLOW; -ENOMEM.
 */
int map_add(struct map *map, const uint64_t *key, uint32_t words, uint32_t hash,
	    struct map_element **elt);

static inline struct map_element *map_at(const struct map *map, uint32_t i)
{
	size_t size = sizeof(struct map_element) + map->shape->words * sizeof(uint64_t);

	return (struct map_element *)(map->chunks[i / MAP_CHUNK] + (i % MAP_CHUNK) * size);
}

static inline uint32_t map_hash(uint64_t seed, const uint64_t *key, uint32_t words)
{
	uint64_t h = 0;
	uint32_t i;

	for (i = 0; i + 1 < words; i += 2)
		h = hash_pair(h ^ key[i], key[i + 1], seed);
	return words % 2 ? hash_mix(h ^ key[i], seed) : h;
}

/* Same as map_hash(), for keys of which most words are 0: strings and stacks. */
uint32_t map_hash_long(uint64_t seed, const uint64_t *key, uint32_t words);

static inline uint32_t map_hash_key(uint64_t seed, const uint64_t *key, uint32_t words)
{
	return words > MAP_SHORT ? map_hash_long(seed, key, words) : map_hash(seed, key, words);
}

/* Compare the first @words words of the key of @elt. */
bool map_has_long_key(const struct map_element *elt, const uint64_t *key, uint32_t words);

static inline bool map_has_key(const struct map_element *elt, const uint64_t *key, uint32_t words)
{
	uint64_t other = 0;
	uint32_t i;

	if (__builtin_expect(words > MAP_SHORT, 0))
		return map_has_long_key(elt, key, words);
	for (i = 0; i < words; i++)
		other |= elt->words[i] ^ key[i];
	return !other;
}

/*
 * map_find - the element of a key with this hash, or NULL
 * @words: how many words to compare.  Does not count a drop.
 */
static inline struct map_element *map_find(const struct map *map, const uint64_t *key,
					   uint32_t words, uint32_t hash)
{
	struct map_element *elt;
	uint32_t i;

	for (i = hash; (elt = map->slots[i & map->mask]); i++)
		if (elt->hash == hash && map_has_key(elt, key, words))
			return elt;
	return NULL;
}

/* Find or create an element.  0: it existed; otherwise the result of map_add(). */
static inline int map_insert(struct map *map, const uint64_t *key, uint32_t words, uint32_t hash,
			     struct map_element **elt)
{
	*elt = map_find(map, key, words, hash);
	return *elt ? 0 : map_add(map, key, words, hash, elt);
}

/*
 * map_find_numbers - same as map_find(), for keys of a few numbers
 * The key stays in registers if @words is constant.
 */
static inline struct map_element *map_find_numbers(const struct map *map, const uint64_t *key,
						   uint32_t words, uint32_t hash)
{
	struct map_element *elt;
	uint64_t other;
	uint32_t i, k;

	for (i = hash;; i++) {
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

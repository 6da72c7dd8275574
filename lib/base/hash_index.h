/* SPDX-License-Identifier: LGPL-2.1 */
/*
 * hash_index.h - a hash index of numbers over an array that its user keeps
 *
 * Open addressing, at most half full.  The array has the keys; a slot has only
 * the number in the array and the hash.  To look one up:
 *
 *	for (i = hash & index->mask; index->slots; i = (i + 1) & index->mask)
 *
 * until a slot with number 0, which is empty, or with that hash and an equal key.
 */
#ifndef LIB_BASE_HASH_INDEX_H
#define LIB_BASE_HASH_INDEX_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/*
 * A slot holds number + 1, so that zeroed memory is an empty index, and the
 * hash, so that another key in its place is passed over, and the index grown,
 * without a look at the key.
 */
struct hash_slot {
	uint32_t number;
	uint32_t hash;
};

/* Begin with all zero; free() the slots. */
struct hash_index {
	struct hash_slot *slots;
	uint32_t mask; /* slots - 1, or 0 without slots */
	uint32_t used;
};

/* Keeps the memory. */
void hash_index_clear(struct hash_index *index);

/*
 * hash_slots_new - @n zeroed slots of @size bytes; free() them.  NULL without memory.
 * They are written here, as new memory that is first read takes two page faults: one for a page of
 * zeros, and one when it is written.
 */
void *hash_slots_new(size_t n, size_t size);

/* Room for @more, at most half full.  -ENOMEM, -E2BIG. */
int hash_index_reserve(struct hash_index *index, uint32_t more);

/* Is there room for one more already? */
static inline bool hash_index_has_room(const struct hash_index *index)
{
	return ((size_t)index->used + 1) * 2 <= (size_t)index->mask + 1;
}

/* Needs hash_index_reserve() before. */
void hash_index_put(struct hash_index *index, struct hash_slot slot);

#endif

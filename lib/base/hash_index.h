/* SPDX-License-Identifier: LGPL-2.1 */
/*
 * hash_index.h - a hash index over an array that the caller keeps
 *
 * The index uses open addressing and is at most half full.  The array holds the keys; a slot holds
 * only the number of the array element and the hash.  To look a key up:
 *
 *	for (i = hash & index->mask; index->slots; i = (i + 1) & index->mask)
 *
 * until the slot is empty (number 0), or has the same hash and an equal key.
 */
#ifndef LIB_BASE_HASH_INDEX_H
#define LIB_BASE_HASH_INDEX_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/*
 * A slot holds the element number + 1, so that zeroed memory is an empty index.  The hash in the
 * slot lets a search skip most other keys, and lets the index grow, without reading any key.
 */
struct hash_slot {
	uint32_t number;
	uint32_t hash;
};

/* Initialize with zeros; free() the slots. */
struct hash_index {
	struct hash_slot *slots;
	uint32_t mask; /* number of slots - 1; 0 if there are no slots */
	uint32_t used;
};

/* hash_index_clear - remove all entries; the memory is kept */
void hash_index_clear(struct hash_index *index);

/*
 * hash_slots_new - allocate @n zeroed slots of @size bytes; free() them
 * NULL if out of memory.  The function writes the zeros itself: new memory that is read first
 * causes two page faults, one for the zero page and one for the first write.
 */
void *hash_slots_new(size_t n, size_t size);

/*
 * hash_index_reserve - make room for @more entries, with the index at most half full
 * 0, -ENOMEM, or -E2BIG.
 */
int hash_index_reserve(struct hash_index *index, uint32_t more);

/* Does one more entry fit without growing the index? */
static inline bool hash_index_has_room(const struct hash_index *index)
{
	return ((size_t)index->used + 1) * 2 <= (size_t)index->mask + 1;
}

/* hash_index_put - add an entry; hash_index_reserve() must have made room for it */
void hash_index_put(struct hash_index *index, struct hash_slot slot);

#endif

// SPDX-License-Identifier: LGPL-2.1
/*
 * hash_index.c - a hash index over an array that the caller keeps
 *
 * Invariant: no slot is empty between the slot that a hash selects and the slot that holds its
 * entry.  Entries are never removed one by one, only all at once.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "lib/base/hash_index.h"

void hash_index_clear(struct hash_index *index)
{
	if (index->slots)
		memset(index->slots, 0, ((size_t)index->mask + 1) * sizeof(*index->slots));
	index->used = 0;
}

void hash_index_put(struct hash_index *index, struct hash_slot slot)
{
	uint32_t i = slot.hash & index->mask;

	while (index->slots[i].number)
		i = (i + 1) & index->mask;
	index->slots[i] = slot;
	index->used++;
}

void *hash_slots_new(size_t n, size_t size)
{
	/*
	 * compilers turn malloc() and memset() into calloc(), but not reallocarray() and memset()
	 */
	void *slots = reallocarray(NULL, n, size);

	return slots ? memset(slots, 0, n * size) : NULL;
}

int hash_index_reserve(struct hash_index *index, uint32_t more)
{
	/* 64 bits, as 2^32 slots do not fit into the size_t of 32-bit machines */
	uint64_t slots = index->slots ? (uint64_t)index->mask + 1 : 0, i;
	uint64_t need = ((uint64_t)index->used + more) * 2;
	struct hash_index bigger = { 0 };

	if (need <= slots)
		return 0;
	if (!slots)
		slots = 128;
	while (slots < need)
		slots *= 2;
	if (slots > (uint64_t)UINT32_MAX + 1 || slots > SIZE_MAX)
		return -E2BIG;
	bigger.slots = hash_slots_new(slots, sizeof(*bigger.slots));
	if (!bigger.slots)
		return -ENOMEM;
	bigger.mask = slots - 1;
	for (i = 0; index->slots && i <= index->mask; i++) {
		if (index->slots[i].number)
			hash_index_put(&bigger, index->slots[i]);
	}
	free(index->slots);
	*index = bigger;
	return 0;
}

/* SPDX-License-Identifier: LGPL-2.1 */
/*
 * array.h - arrays that grow
 *
 * The capacity doubles, so that n appends copy fewer than 2n elements.  @array points to the
 * pointer to the elements, which may be NULL. The pointer is unchanged after a failure.
 */
#ifndef LIB_BASE_ARRAY_H
#define LIB_BASE_ARRAY_H

#include <stddef.h>
#include <stdint.h>

/* array_grow() for a capacity that is less than @need */
int array_enlarge(void *array, uint32_t *room, size_t need, size_t size);

/*
 * array_grow - grow the capacity *@room to at least @need elements of @size bytes
 * 0, -ENOMEM, or -E2BIG.
 */
static inline int array_grow(void *array, uint32_t *room, size_t need, size_t size)
{
	return need <= *room ? 0 : array_enlarge(array, room, need, size);
}

/* array_grow_zeroed - array_grow() that sets the new elements to zero */
int array_grow_zeroed(void *array, uint32_t *room, size_t need, size_t size);

/*
 * array_add - make room for one more element of @size bytes after the first @n
 * 0 or -ENOMEM.
 * The capacity is the next power of two above @n, so the caller does not
 * store it.  All elements of such an array must be added with array_add().
 */
int array_add(void *array, size_t n, size_t size);

/*
 * array_renew - make a buffer of *@room bytes at least @need bytes large
 * 0 or -ENOMEM.  The old content is lost, which avoids the copy of realloc().
 */
int array_renew(void *buffer, size_t *room, size_t need);

/* array_compare_u64 - compare two uint64_t elements, for qsort() */
int array_compare_u64(const void *a, const void *b);

#endif

/* SPDX-License-Identifier: LGPL-2.1 */
/*
 * array.h - arrays that grow
 *
 * The size doubles, so that n appends copy fewer than 2n elements.  @array points to the pointer
 * to the elements, which may be NULL; it is unchanged after a failure.
 */
#ifndef LIB_BASE_ARRAY_H
#define LIB_BASE_ARRAY_H

#include <stddef.h>
#include <stdint.h>

/* The array's room becomes at least @need elements of @size.  -ENOMEM, -E2BIG. */
int array_grow(void *array, uint32_t *room, size_t need, size_t size);

/*
 * array_add - room for one more element of @size after the first @n.  -ENOMEM.
 * The room follows from @n: it is the next power of two.  All elements of such an array are added
 * like this, so the caller keeps no room.
 */
int array_add(void *array, size_t n, size_t size);

#endif

// SPDX-License-Identifier: LGPL-2.1
/*
 * array.c - arrays that grow
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "lib/base/array.h"

#define LEAST 4 /* elements in the first allocation; a power of two */

static int array_resize_to(void *array, uint64_t n, size_t size)
{
	size_t bytes;
	void *p;

	if (__builtin_mul_overflow(n, size, &bytes))
		return -ENOMEM;
	/* @array may point to a pointer of any type */
	memcpy(&p, array, sizeof(p));
	p = realloc(p, bytes);
	if (!p)
		return -ENOMEM;
	memcpy(array, &p, sizeof(p));
	return 0;
}

int array_enlarge(void *array, uint32_t *room, size_t need, size_t size)
{
	uint64_t n = *room ? *room : LEAST;
	int ret;

	if (need > UINT32_MAX)
		return -E2BIG;
	while (n < need)
		n *= 2;
	if (n > UINT32_MAX)
		return -E2BIG;
	ret = array_resize_to(array, n, size);
	if (!ret)
		*room = n;
	return ret;
}

int array_grow_zeroed(void *array, uint32_t *room, size_t need, size_t size)
{
	uint32_t old = *room;
	int ret = array_grow(array, room, need, size);
	char *p;

	if (!ret && *room > old) {
		memcpy(&p, array, sizeof(p));
		memset(p + old * size, 0, (*room - old) * size);
	}
	return ret;
}

int array_renew(void *buffer, size_t *room, size_t need)
{
	void *old, *p;

	if (need <= *room)
		return 0;
	p = malloc(need);
	if (!p)
		return -ENOMEM;
	memcpy(&old, buffer, sizeof(old));
	memcpy(buffer, &p, sizeof(p));
	free(old);
	*room = need;
	return 0;
}

int array_compare_u64(const void *a, const void *b)
{
	uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;

	return x < y ? -1 : x > y;
}

int array_add(void *array, size_t n, size_t size)
{
	if (!n)
		return array_resize_to(array, LEAST, size);
	if (n < LEAST || n & (n - 1))
		return 0;
	return n > SIZE_MAX / 2 ? -ENOMEM : array_resize_to(array, 2 * n, size);
}

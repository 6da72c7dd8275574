// SPDX-License-Identifier: GPL-2.0
/*
 * alloc_fail.c - an allocation that fails
 *
 * The names are those of the linker's --wrap.
 */
#include <stdbool.h>
#include <stdlib.h>

#include "alloc_fail.h"

static long fail_at = -1, seen;

void *__real_malloc(size_t size);
void *__real_calloc(size_t n, size_t size);
void *__real_realloc(void *p, size_t size);
void *__real_reallocarray(void *p, size_t n, size_t size);
void *__wrap_malloc(size_t size);
void *__wrap_calloc(size_t n, size_t size);
void *__wrap_realloc(void *p, size_t size);
void *__wrap_reallocarray(void *p, size_t n, size_t size);

void alloc_fail_after(long n)
{
	fail_at = n;
	seen = 0;
}

long alloc_fail_seen(void)
{
	return seen;
}

static bool fails(void)
{
	return seen++ == fail_at;
}

void *__wrap_malloc(size_t size)
{
	return fails() ? NULL : __real_malloc(size);
}

void *__wrap_calloc(size_t n, size_t size)
{
	return fails() ? NULL : __real_calloc(n, size);
}

void *__wrap_realloc(void *p, size_t size)
{
	return fails() ? NULL : __real_realloc(p, size);
}

void *__wrap_reallocarray(void *p, size_t n, size_t size)
{
	return fails() ? NULL : __real_reallocarray(p, n, size);
}

// SPDX-License-Identifier: GPL-2.0
/*
 * alloc_fail.c - an allocation that fails
 *
 * Built twice.  In unit-tests the names are those of the linker's --wrap.  With
 * ALLOC_FAIL_PRELOAD it is a library for LD_PRELOAD, which also sees what other libraries
 * allocate: fault_run.c loads it into whole programs, and shares the numbers with it.
 */
#include <errno.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>

#include "utest/unit/alloc_fail.h"

#ifdef ALLOC_FAIL_PRELOAD
#include <sys/mman.h>

/* The names that the C library gives its own functions. */
#define NAME(function) function
#pragma GCC visibility push(default)
#define REAL(function) __libc_##function

/* NULL until the program begins. */
static struct alloc_fail *state;

__attribute__((constructor)) static void alloc_fail_share(void)
{
	const char *fd = getenv(ALLOC_FAIL_FD);
	void *p = fd ? mmap(NULL, sizeof(*state), PROT_READ | PROT_WRITE, MAP_SHARED, atoi(fd), 0) :
		       MAP_FAILED;

	if (p == MAP_FAILED)
		abort();
	state = p;
	__atomic_store_n(&state->began, 1, __ATOMIC_RELEASE);
}

#else
#define NAME(function) __wrap_##function
#define REAL(function) __real_##function

static struct alloc_fail alone = { .fail_at = -1 };
static struct alloc_fail *state = &alone;

void *__real_reallocarray(void *p, size_t n, size_t size);

void alloc_fail_after(long n)
{
	state->fail_at = n;
	state->seen = 0;
}

long alloc_fail_seen(void)
{
	return state->seen;
}
#endif

void *REAL(malloc)(size_t size);
void *REAL(calloc)(size_t n, size_t size);
void *REAL(realloc)(void *p, size_t size);
void *NAME(malloc)(size_t size);
void *NAME(calloc)(size_t n, size_t size);
void *NAME(realloc)(void *p, size_t size);
void *NAME(reallocarray)(void *p, size_t n, size_t size);

/* Threads may allocate at once. */
static bool fails(void)
{
	if (!state || __atomic_fetch_add(&state->seen, 1, __ATOMIC_RELAXED) != state->fail_at)
		return false;
	errno = ENOMEM;
	return true;
}

void *NAME(malloc)(size_t size)
{
	return fails() ? NULL : REAL(malloc)(size);
}

void *NAME(calloc)(size_t n, size_t size)
{
	return fails() ? NULL : REAL(calloc)(n, size);
}

void *NAME(realloc)(void *p, size_t size)
{
	return fails() ? NULL : REAL(realloc)(p, size);
}

void *NAME(reallocarray)(void *p, size_t n, size_t size)
{
#ifdef ALLOC_FAIL_PRELOAD
	if (size && n > SIZE_MAX / size) {
		errno = ENOMEM;
		return NULL;
	}
	return NAME(realloc)(p, n * size);
#else
	return fails() ? NULL : REAL(reallocarray)(p, n, size);
#endif
}

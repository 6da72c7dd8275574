/* SPDX-License-Identifier: GPL-2.0 */
/*
 * alloc_fail.h - an allocation that fails, for tests of what comes of it
 *
 * All of unit-tests is linked with malloc(), calloc(), realloc() and reallocarray() going
 * through alloc_fail.c.  What the C library allocates by itself does not.
 */
#ifndef UTEST_UNIT_ALLOC_FAIL_H
#define UTEST_UNIT_ALLOC_FAIL_H

struct alloc_fail {
	long fail_at; /* the allocation after so many others fails, that one alone; -1: none does */
	long seen;
	int began; /* a preloaded program, after the dynamic loader's part */
};

/* In the environment of a preloaded program: the file with its struct alloc_fail. */
#define ALLOC_FAIL_FD "ALLOC_FAIL_FD"

/* From now on the allocation after @n others fails, that one alone; -1: none does. */
void alloc_fail_after(long n);

/* How many there were since. */
long alloc_fail_seen(void);

#endif

/* SPDX-License-Identifier: GPL-2.0 */
/*
 * alloc_fail.h - an allocation that fails, for tests of what comes of it
 *
 * All of unit-tests is linked with malloc(), calloc(), realloc() and reallocarray() going
 * through here.  What the C library allocates by itself does not.
 */
#ifndef UTEST_ALLOC_FAIL_H
#define UTEST_ALLOC_FAIL_H

/* From now on the allocation after @n others fails, that one alone; -1: none does. */
void alloc_fail_after(long n);

/* How many there were since. */
long alloc_fail_seen(void);

#endif

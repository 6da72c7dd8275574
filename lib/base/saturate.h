/* SPDX-License-Identifier: LGPL-2.1 */
/*
 * saturate.h - sums of counts that stop at the largest number
 *
 * The counts of a hostile file may add up to more than 64 bits.  A reader can see that a sum at the
 * largest number is wrong; a sum that wraps around looks valid.
 */
#ifndef LIB_BASE_SATURATE_H
#define LIB_BASE_SATURATE_H

#include <stdint.h>

static inline uint64_t saturating_add(uint64_t a, uint64_t b)
{
	return a + b < a ? UINT64_MAX : a + b;
}

#endif

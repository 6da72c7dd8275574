/* SPDX-License-Identifier: LGPL-2.1 */
/*
 * saturate.h - sums of counts that stop at the end of the numbers
 *
 * Counts of a hostile file may add up to more than 64 bits.  A sum that stands
 * still at the largest number is seen to be wrong; one that begins anew is not.
 */
#ifndef LIB_BASE_SATURATE_H
#define LIB_BASE_SATURATE_H

#include <stdint.h>

static inline uint64_t saturating_add(uint64_t a, uint64_t b)
{
	return a + b < a ? UINT64_MAX : a + b;
}

#endif

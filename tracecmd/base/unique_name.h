/* SPDX-License-Identifier: GPL-2.0 */
/*
 * unique_name.h - a part of the names of what we make in a kernel, beside our pid
 */
#ifndef TRACECMD_BASE_UNIQUE_NAME_H
#define TRACECMD_BASE_UNIQUE_NAME_H

#include <stdint.h>
#include <sys/random.h>

/*
 * unique_number - by chance, so that what a killed one of the same pid left is not in the way
 * Not waited for: a machine that has just started may have no random numbers for minutes.
 * 0 then.
 */
static inline uint16_t unique_number(void)
{
	uint16_t number;

	return getrandom(&number, sizeof(number), GRND_NONBLOCK) == sizeof(number) ? number : 0;
}

#endif

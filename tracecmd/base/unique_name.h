/* SPDX-License-Identifier: GPL-2.0 */
/*
 * unique_name.h - a random part for names of instances and events, next to the process id
 */
#ifndef TRACECMD_BASE_UNIQUE_NAME_H
#define TRACECMD_BASE_UNIQUE_NAME_H

#include <stdint.h>
#include <sys/random.h>

/*
 * unique_number - a random number
 * The names differ from those that a killed recorder with the same process id left.
 * 0 if there is no random number yet: a machine may need minutes after its start.
 */
static inline uint16_t unique_number(void)
{
	uint16_t number;

	return getrandom(&number, sizeof(number), GRND_NONBLOCK) == sizeof(number) ? number : 0;
}

#endif

/* SPDX-License-Identifier: GPL-2.0 */
/*
 * unique_name.h - a random part for names of files, instances and events
 */
#ifndef TRACECMD_BASE_UNIQUE_NAME_H
#define TRACECMD_BASE_UNIQUE_NAME_H

#include <stdint.h>
#include <sys/random.h>
#include <time.h>
#include <unistd.h>

/*
 * unique_number_64 - a number that other processes are unlikely to draw
 * The time and the process id are used if there is no random number yet: a machine may need
 * minutes after its start, and a program that waits has blocked the signals that could end it.
 */
static inline uint64_t unique_number_64(void)
{
	struct timespec now;
	uint64_t number;

	if (getrandom(&number, sizeof(number), GRND_NONBLOCK) == sizeof(number))
		return number;
	clock_gettime(CLOCK_REALTIME, &now);
	return ((uint64_t)getpid() << 48 | (uint64_t)getpid() >> 16) ^
	       ((uint64_t)now.tv_sec * 1000000000 + now.tv_nsec);
}

/*
 * unique_number - a short one, beside the process id
 * The names differ from those that a killed recorder with the same process id left.
 */
static inline uint16_t unique_number(void)
{
	return (uint16_t)unique_number_64();
}

#endif

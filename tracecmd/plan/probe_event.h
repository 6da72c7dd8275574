/* SPDX-License-Identifier: GPL-2.0 */
/*
 * probe_event.h - the event that a probe's definition will make
 *
 * For checks before the probe is made.  The names of its fields are in the
 * definition; the type of an argument without one is the kernel's to choose, by
 * the debugging data it may have (BTF), so it is guessed.
 */
#ifndef TRACECMD_PLAN_PROBE_EVENT_H
#define TRACECMD_PLAN_PROBE_EVENT_H

#include "lib/event/event.h"

/* What an argument without a type is taken for.  Each may be right. */
enum probe_guess {
	PROBE_GUESS_UNSIGNED,
	PROBE_GUESS_SIGNED,
	PROBE_GUESS_STRING,
	PROBE_GUESSES,
};

/*
 * probe_event - the event of @definition, "p:GROUP/EVENT PLACE [NAME=FETCH[:TYPE]]..."
 * *@event is NULL if the kernel alone knows the names ($arg*).  *@guessed: some
 * type is @guess.  0, -EINVAL: not such a line; -ENOMEM.
 */
int probe_event(struct hist_event **event, const char *definition, enum probe_guess guess,
		bool *guessed);

#endif

/* SPDX-License-Identifier: LGPL-2.1 */
/*
 * probe_event.h - predict the event that the definition of a probe will create
 *
 * Used for checks before the probe is created. The definition contains the names of the fields. The
 * kernel chooses the type of an argument without a type, possibly from its debugging data (BTF), so
 * that type is guessed.
 */
#ifndef LIB_QUERY_PROBE_EVENT_H
#define LIB_QUERY_PROBE_EVENT_H

#include "lib/event/event.h"

/* The possible types of an argument without a type. */
enum probe_guess {
	PROBE_GUESS_UNSIGNED,
	PROBE_GUESS_SIGNED,
	PROBE_GUESS_STRING,
	PROBE_GUESSES,
};

/*
 * probe_make_event - make the event of @definition, "p:GROUP/EVENT PLACE [NAME=FETCH[:TYPE]]..."
 * *@event is NULL if only the kernel knows the names ($arg*). *@guessed is true if a field has
 * the guessed type @guess. 0; -EINVAL: not such a line; -ENOMEM.
 */
int probe_make_event(struct hist_event **event, const char *definition, enum probe_guess guess,
		     bool *guessed);

#endif

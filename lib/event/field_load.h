/* SPDX-License-Identifier: LGPL-2.1 */
/*
 * field_load.h - read a field of one recorded event
 *
 * It is the way of those who read a few events.  The engine compiles the loads of its fields
 * (lib/engine/value.h), as it reads millions.
 *
 * Invariant: nothing outside the event is read.
 *
 * Source of the locations: include/trace/stages/stage1_struct_define.h of Linux.
 */
#ifndef LIB_EVENT_FIELD_LOAD_H
#define LIB_EVENT_FIELD_LOAD_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct hist_event_field;

/* An event as it was recorded, from its common_type. */
struct hist_event_data {
	const unsigned char *data;
	uint32_t len;
	bool big_endian;
};

/* Does the event contain @field completely?  A @field of NULL: no. */
bool hist_field_is_in(const struct hist_event_field *field, const struct hist_event_data *event);

/*
 * The number in @field, with its sign if it is signed.  0 if the event does not contain it, or if
 * its size is not 1, 2, 4 or 8.
 */
uint64_t hist_field_load_number(const struct hist_event_field *field,
				const struct hist_event_data *event);

/*
 * The string in @field, up to its NUL: returns its start inside the event and sets @len.
 * NULL, and a @len of 0, if the event does not contain it completely.
 */
const char *hist_field_load_string(const struct hist_event_field *field,
				   const struct hist_event_data *event, size_t *len);

#endif

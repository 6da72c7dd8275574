// SPDX-License-Identifier: LGPL-2.1
/*
 * field_load.c - read a field of one recorded event
 */
#include <string.h>

#include "lib/base/bytes.h"
#include "lib/event/event.h"
#include "lib/event/field_load.h"

bool hist_field_is_in(const struct hist_event_field *field, const struct hist_event_data *event)
{
	return field && field->offset <= event->len && field->size <= event->len - field->offset;
}

uint64_t hist_field_load_number(const struct hist_event_field *f, const struct hist_event_data *e)
{
	const unsigned char *p;

	if (!hist_field_is_in(f, e))
		return 0;
	p = e->data + f->offset;
	switch (f->size) {
	case 1:
		return f->is_signed ? (uint64_t)(int8_t)*p : *p;
	case 2:
		return f->is_signed ? (uint64_t)(int16_t)bytes_u16(e->big_endian, p) :
				      bytes_u16(e->big_endian, p);
	case 4:
		return f->is_signed ? (uint64_t)(int32_t)bytes_u32(e->big_endian, p) :
				      bytes_u32(e->big_endian, p);
	case 8:
		return bytes_u64(e->big_endian, p);
	}
	return 0;
}

const char *hist_field_load_string(const struct hist_event_field *f,
				   const struct hist_event_data *e, size_t *len)
{
	uint32_t at, size, location;

	*len = 0;
	if (!hist_field_is_in(f, e))
		return NULL;
	at = f->offset;
	size = f->size;
	if (f->is_dynamic) {
		if (size != 4)
			return NULL;
		location = bytes_u32(e->big_endian, e->data + at);
		/* a __rel_loc is relative to the end of its own field */
		at = (location & 0xffff) + (strstr(f->ctype, "__rel_loc") ? at + 4 : 0);
		size = location >> 16;
	}
	if (at > e->len || size > e->len - at)
		return NULL;
	*len = strnlen((const char *)e->data + at, size);
	return (const char *)e->data + at;
}

// SPDX-License-Identifier: LGPL-2.1
/*
 * address.c - the fields that the print fmt of an event shows as addresses
 *
 * Source of the conversions: pointer() in lib/vsprintf.c of Linux.
 */
#include <string.h>

#include "lib/base/text.h"
#include "lib/event/address.h"
#include "lib/event/print_names.h"

static const struct {
	const char *letters; /* how the letters after "%p" begin; a longer one comes first */
	enum hist_address address;
	unsigned int size; /* bytes of the field; 0: at least 16 */
} conversions[] = {
	{ "I4h", HIST_ADDRESS_IP4_HOST, 4 },   { "i4h", HIST_ADDRESS_IP4_HOST, 4 },
	{ "I4l", HIST_ADDRESS_IP4_LITTLE, 4 }, { "i4l", HIST_ADDRESS_IP4_LITTLE, 4 },
	{ "I4", HIST_ADDRESS_IP4, 4 },	       { "i4", HIST_ADDRESS_IP4, 4 },
	{ "I6", HIST_ADDRESS_IP6, 16 },	       { "i6", HIST_ADDRESS_IP6, 16 },
	{ "IS", HIST_ADDRESS_SOCKET, 0 },      { "iS", HIST_ADDRESS_SOCKET, 0 },
	{ "M", HIST_ADDRESS_MAC, 6 },	       { "m", HIST_ADDRESS_MAC, 6 },
	{ "U", HIST_ADDRESS_UUID, 16 },
};

static const char *const address_names[] = {
	[HIST_ADDRESS_NONE] = NULL,
	[HIST_ADDRESS_IP4] = "an IPv4 address",
	[HIST_ADDRESS_IP4_HOST] = "an IPv4 address",
	[HIST_ADDRESS_IP4_LITTLE] = "an IPv4 address",
	[HIST_ADDRESS_IP6] = "an IPv6 address",
	[HIST_ADDRESS_SOCKET] = "a socket address",
	[HIST_ADDRESS_MAC] = "a MAC address",
	[HIST_ADDRESS_UUID] = "a UUID",
};

const char *hist_address_name(enum hist_address address)
{
	return address_names[address];
}

/* The field of "REC->NAME", "&REC->NAME" or "(u8 *)(REC->NAME)", or NULL; others may use two. */
static struct hist_event_field *address_find_field(struct hist_event *event,
						   const struct print_arg *arg)
{
	static const char record[] = "REC->";
	const char *at = memmem(arg->text, arg->len, record, strlen(record)), *end, *p;
	unsigned int i;

	if (!at)
		return NULL;
	for (p = arg->text; p < at; p++)
		if (!text_is_word(*p) && !text_is_blank(*p) && !strchr("&(*)", *p))
			return NULL;
	at += strlen(record);
	for (end = at; end < arg->text + arg->len && text_is_word(*end); end++)
		;
	for (p = end; p < arg->text + arg->len; p++)
		if (!text_is_blank(*p) && *p != ')')
			return NULL;
	for (i = 0; i < event->nfields; i++)
		if (text_equals(at, end - at, event->fields[i].name))
			return &event->fields[i];
	return NULL;
}

static enum hist_address address_of_conversion(const struct print_arg *arg,
					       const struct hist_event_field *field)
{
	unsigned int i;

	for (i = 0; i < sizeof(conversions) / sizeof(*conversions); i++) {
		if (strncmp(arg->more, conversions[i].letters, strlen(conversions[i].letters)))
			continue;
		/* of a pointer or the place of a dynamic array, the kernel prints what is there */
		return !field->is_dynamic && field->ctype[strlen(field->ctype) - 1] != '*' &&
		       (conversions[i].size ? field->size == conversions[i].size :
					      field->size >= 16) ?
			       conversions[i].address : HIST_ADDRESS_NONE;
	}
	return HIST_ADDRESS_NONE;
}

int hist_address_find(struct hist_event *event, const char *print_fmt, size_t len)
{
	struct hist_event_field *field;
	struct print_args all;
	unsigned int i;
	int ret;

	ret = print_args_read(&all, print_fmt, len);
	for (i = 0; !ret && i < all.n; i++) {
		field = all.args[i].conversion == 'p' ? address_find_field(event, &all.args[i])
						      : NULL;
		if (field && field->address == HIST_ADDRESS_NONE)
			field->address = address_of_conversion(&all.args[i], field);
	}
	return ret;
}

/* Does the lowest byte of the number come first in the text? */
static bool address_is_little(enum hist_address address, bool big_endian)
{
	return address == HIST_ADDRESS_IP4_LITTLE ? big_endian :
	       address == HIST_ADDRESS_IP4 && !big_endian;
}

bool hist_address_put(enum hist_address address, uint64_t num, bool big_endian,
		      struct hist_strbuf *b)
{
	bool little = address_is_little(address, big_endian);
	unsigned int i;

	if (address < HIST_ADDRESS_IP4 || address > HIST_ADDRESS_IP4_LITTLE)
		return false;
	for (i = 0; i < 4; i++) {
		if (i)
			hist_strbuf_char(b, '.');
		hist_strbuf_u64(b, num >> 8 * (little ? i : 3 - i) & 0xff);
	}
	return true;
}

size_t hist_address_parse(enum hist_address address, const char *text, bool big_endian,
			  uint64_t *num)
{
	bool little = address_is_little(address, big_endian);
	unsigned int i, byte, digits;
	const char *at = text;

	if (address < HIST_ADDRESS_IP4 || address > HIST_ADDRESS_IP4_LITTLE)
		return 0;
	*num = 0;
	for (i = 0; i < 4; i++) {
		if (i && *at++ != '.')
			return 0;
		byte = 0;
		for (digits = 0; digits < 3 && text_is_digit(*at); digits++)
			byte = byte * 10 + (*at++ - '0');
		if (!digits || byte > 255)
			return 0;
		*num |= (uint64_t)byte << 8 * (little ? i : 3 - i);
	}
	return text_is_word(*at) || *at == '.' ? 0 : at - text;
}

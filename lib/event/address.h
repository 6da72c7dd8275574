/* SPDX-License-Identifier: LGPL-2.1 */
/*
 * address.h - the fields that the print fmt of an event shows as addresses
 *
 * The kernel prints some arrays and numbers with "%pI4" and similar conversions
 * (Documentation/core-api/printk-formats.rst of Linux).  Their bytes are in network order, but hist
 * triggers and filters read a field of 4 bytes as a number in the order of the machine: 10.0.0.1
 * is 16777226 on x86.
 */
#ifndef LIB_EVENT_ADDRESS_H
#define LIB_EVENT_ADDRESS_H

#include <stdint.h>

#include "lib/base/strbuf.h"
#include "lib/event/event.h"

/*
 * Set the member address of the fields of @event that @print_fmt shows as addresses.  0 or -ENOMEM.
 */
int hist_address_find(struct hist_event *event, const char *print_fmt, size_t len);

/* "an IPv4 address", "a MAC address": for messages; NULL for HIST_ADDRESS_NONE. */
const char *hist_address_name(enum hist_address address);

/*
 * hist_address_put - write the address that is the number @num of a field: "10.0.0.1"
 * False, and nothing is written, if a number cannot hold such an address.
 */
bool hist_address_put(enum hist_address address, uint64_t num, bool big_endian,
		      struct hist_strbuf *b);

/*
 * hist_address_parse - read an address such as "10.0.0.1" at @text, and set *@num to its number
 * Returns its length; 0 if @text does not begin with such an address.
 */
size_t hist_address_parse(enum hist_address address, const char *text, bool big_endian,
			  uint64_t *num);

#endif

/* SPDX-License-Identifier: GPL-2.0 */
/*
 * address.h - parse HOST:PORT, and connect to it
 *
 * HOST is a name, an IPv4 address, or an IPv6 address in brackets: "[::1]:8888".
 */
#ifndef TRACECMD_TARGET_ADDRESS_H
#define TRACECMD_TARGET_ADDRESS_H

#include <stddef.h>

#include "lib/base/error.h"

struct address {
	char *host; /* without the brackets; malloc'ed */
	const char *port; /* a number, 1 to 65535; points into the text */
};

/* 0; or -ENOMEM or -EINVAL with a sentence in @error. Only 0 requires address_clear(). */
int address_parse(struct address *address, const char *text, struct hist_error *error);
void address_clear(struct address *address);

/*
 * address_connect - connect by TCP; try all addresses of the host
 * Returns a non-blocking descriptor, or -errno with a sentence in @error. The time limit for each
 * address is @timeout_ms.
 */
int address_connect(const struct address *address, int timeout_ms, struct hist_error *error);

#endif

/* SPDX-License-Identifier: GPL-2.0 */
/*
 * net_address.h - numeric IPv4 and IPv6 addresses
 *
 * Text of IPv6 addresses as in RFC 4291, 2.2, forms 1 and 2; no zone.  IPv4 in four
 * decimal numbers without leading zeros.  For the listener, which binds to an
 * address of its own machine and looks up no name, also without a libc; names to
 * connect to, and ports in texts, are for tracecmd/remote/address.h.
 */
#ifndef TARGET_WIRE_NET_ADDRESS_H
#define TARGET_WIRE_NET_ADDRESS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* "[8 groups of 4 digits]:port" and a NUL. */
#define NET_ADDRESS_TEXT 52

/* Storage for a struct sockaddr_in or sockaddr_in6. */
struct net_address {
	uint64_t sockaddr[4];
	unsigned int len;
};

/* False: @text is no such address. */
bool net_address_parse(struct net_address *a, const char *text, uint16_t port);

int net_address_family(const struct net_address *a); /* AF_... */

/* "127.0.0.1:8888", "[::1]:8888"; IPv6 without leading zeros, "::" for the first run of them. */
void net_address_text(const struct net_address *a, char to[NET_ADDRESS_TEXT]);

#endif

/* SPDX-License-Identifier: GPL-2.0 */
/*
 * net_address.h - numeric IPv4 and IPv6 addresses
 *
 * IPv6 text is in forms 1 and 2 of RFC 4291, section 2.2, without a zone. IPv4 text is
 * four decimal numbers without leading zeros. The listener uses these functions, also
 * without a libc: it binds to an address of its own machine and does not look up names.
 * tracecmd/target/address.h parses host names and ports.
 */
#ifndef HELPER_WIRE_NET_ADDRESS_H
#define HELPER_WIRE_NET_ADDRESS_H

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

/* False if @text is not a numeric address. */
bool net_address_parse(struct net_address *a, const char *text, uint16_t port);

int net_address_family(const struct net_address *a); /* AF_... */

/*
 * Format "127.0.0.1:8888" or "[::1]:8888"; IPv6 without leading zeros, "::" for the
 * first run of zeros.
 */
void net_address_format(const struct net_address *a, char to[NET_ADDRESS_TEXT]);

#endif

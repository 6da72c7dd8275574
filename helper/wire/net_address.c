// SPDX-License-Identifier: GPL-2.0
/*
 * net_address.c - numeric IPv4 and IPv6 addresses
 */
#include "helper/port/port_net.h"

#include "helper/port/text.h"
#include "helper/wire/net_address.h"

#define GROUPS 8

static bool parse_v4(const char *text, unsigned char bytes[4])
{
	unsigned int i, n, digits;

	for (i = 0; i < 4; i++) {
		for (n = 0, digits = 0; *text >= '0' && *text <= '9' && digits < 4; text++) {
			n = 10 * n + (unsigned int)(*text - '0');
			digits++;
		}
		/* leading zeros are refused, because some programs read such a number as octal */
		if (!digits || digits > 3 || n > 255 || (digits > 1 && text[-(int)digits] == '0') ||
		    *text != (i < 3 ? '.' : '\0'))
			return false;
		bytes[i] = (unsigned char)n;
		text++;
	}
	return true;
}

static bool parse_v6(const char *text, unsigned char bytes[16])
{
	uint16_t groups[GROUPS] = { 0 };
	unsigned int n = 0, digits, i;
	int gap = -1;

	if (text[0] == ':' && text[1] == ':') {
		gap = 0;
		text += 2;
	}
	while (*text) {
		if (n == GROUPS || text_parse_digit(*text) < 0)
			return false;
		for (digits = 0; text_parse_digit(*text) >= 0 && digits < 5; digits++)
			groups[n] = (uint16_t)(groups[n] << 4 | text_parse_digit(*text++));
		if (digits > 4)
			return false;
		n++;
		if (!*text)
			break;
		if (*text++ != ':')
			return false;
		if (*text == ':') {
			if (gap >= 0)
				return false;
			gap = (int)n;
			text++;
		} else if (!*text) {
			return false;
		}
	}
	if (gap < 0 ? n != GROUPS : n == GROUPS)
		return false;
	memset(bytes, 0, 16);
	for (i = 0; i < n; i++) {
		unsigned int at = gap >= 0 && i >= (unsigned int)gap ? GROUPS - n + i : i;

		bytes[2 * at] = (unsigned char)(groups[i] >> 8);
		bytes[2 * at + 1] = (unsigned char)groups[i];
	}
	return true;
}

/* Convert to network byte order. */
static uint16_t swap_port(uint16_t port)
{
	unsigned char bytes[2] = { (unsigned char)(port >> 8), (unsigned char)port };

	memcpy(&port, bytes, sizeof(port));
	return port;
}

bool net_address_parse(struct net_address *a, const char *text, uint16_t port)
{
	struct sockaddr_in v4 = { .sin_family = AF_INET, .sin_port = swap_port(port) };
	struct sockaddr_in6 v6 = { .sin6_family = AF_INET6, .sin6_port = swap_port(port) };

	memset(a, 0, sizeof(*a));
	if (parse_v4(text, (unsigned char *)&v4.sin_addr)) {
		memcpy(a->sockaddr, &v4, sizeof(v4));
		a->len = sizeof(v4);
		return true;
	}
	if (parse_v6(text, (unsigned char *)&v6.sin6_addr)) {
		memcpy(a->sockaddr, &v6, sizeof(v6));
		a->len = sizeof(v6);
		return true;
	}
	return false;
}

int net_address_family(const struct net_address *a)
{
	struct sockaddr_in any;

	memcpy(&any, a->sockaddr, sizeof(any));
	return any.sin_family;
}

static char *net_address_append_text(char *to, const char *text)
{
	size_t len = strlen(text);

	memcpy(to, text, len + 1);
	return to + len;
}

static char *append_number(char *to, unsigned int n, unsigned int base)
{
	char digits[TEXT_NUMBER_MAX];

	return net_address_append_text(to, text_format_number(digits, n, base, 1));
}

static char *text_v6(const unsigned char *bytes, char *to)
{
	unsigned int i, gap = GROUPS;

	for (i = 0; i + 1 < GROUPS && gap == GROUPS; i++) {
		if (!bytes[2 * i] && !bytes[2 * i + 1] && !bytes[2 * i + 2] && !bytes[2 * i + 3])
			gap = i;
	}
	to = net_address_append_text(to, "[");
	for (i = 0; i < GROUPS; i++) {
		if (i == gap) {
			to = net_address_append_text(to, "::");
			while (i < GROUPS && !bytes[2 * i] && !bytes[2 * i + 1])
				i++;
			if (i == GROUPS)
				break;
		} else if (i) {
			to = net_address_append_text(to, ":");
		}
		to = append_number(to, (unsigned int)(bytes[2 * i] << 8 | bytes[2 * i + 1]), 16);
	}
	return net_address_append_text(to, "]");
}

void net_address_format(const struct net_address *a, char to[NET_ADDRESS_TEXT])
{
	struct sockaddr_in6 v6;
	struct sockaddr_in v4;
	const unsigned char *bytes;
	uint16_t port;
	unsigned int i;

	memcpy(&v4, a->sockaddr, sizeof(v4));
	memcpy(&v6, a->sockaddr, sizeof(v6));
	if (v4.sin_family == AF_INET6) {
		to = text_v6((const unsigned char *)&v6.sin6_addr, to);
		port = v6.sin6_port;
	} else {
		bytes = (const unsigned char *)&v4.sin_addr;
		for (i = 0; i < 4; i++) {
			if (i)
				to = net_address_append_text(to, ".");
			to = append_number(to, bytes[i], 10);
		}
		port = v4.sin_port;
	}
	append_number(net_address_append_text(to, ":"), swap_port(port), 10);
}

// SPDX-License-Identifier: GPL-2.0
/*
 * net_address_test.c - numeric addresses, beside libc's inet_pton() and inet_ntop()
 */
#include <arpa/inet.h>
#include <netinet/in.h>
#include <stdio.h>
#include <string.h>

#include <CUnit/Basic.h>

#include "helper/wire/net_address.h"
#include "utest/unit/test_data.h"
#include "utest/unit/tests.h"

static const struct sockaddr_in *v4(const struct net_address *a)
{
	return (const void *)a->sockaddr;
}

static const struct sockaddr_in6 *v6(const struct net_address *a)
{
	return (const void *)a->sockaddr;
}

/* libc takes IPv6 addresses that end as one of IPv4 (RFC 4291, form 3), which we do not. */
static bool libc_takes(const char *text, int *family, unsigned char bytes[16])
{
	*family = AF_INET;
	if (inet_pton(AF_INET, text, bytes) == 1)
		return true;
	*family = AF_INET6;
	return inet_pton(AF_INET6, text, bytes) == 1 && !strchr(text, '.');
}

static void expect_same(const char *text)
{
	struct net_address a;
	unsigned char bytes[16];
	int family;
	bool taken = libc_takes(text, &family, bytes);

	CU_ASSERT_EQUAL(net_address_parse(&a, text, 0x1234), taken);
	if (!taken)
		return;
	CU_ASSERT_EQUAL(net_address_family(&a), family);
	if (family == AF_INET) {
		CU_ASSERT_EQUAL(a.len, sizeof(struct sockaddr_in));
		CU_ASSERT_EQUAL(v4(&a)->sin_port, htons(0x1234));
		CU_ASSERT_EQUAL(memcmp(&v4(&a)->sin_addr, bytes, 4), 0);
	} else {
		CU_ASSERT_EQUAL(a.len, sizeof(struct sockaddr_in6));
		CU_ASSERT_EQUAL(v6(&a)->sin6_port, htons(0x1234));
		CU_ASSERT_EQUAL(memcmp(&v6(&a)->sin6_addr, bytes, 16), 0);
		CU_ASSERT_EQUAL(v6(&a)->sin6_scope_id, 0);
	}
}

static void test_texts(void)
{
	static const char *const texts[] = {
		"127.0.0.1", "0.0.0.0", "255.255.255.255", "256.0.0.1", "1.2.3", "1.2.3.4.5", "1.2.3.",
		".1.2.3", "1..2.3", " 1.2.3.4", "1.2.3.4 ", "0x1.2.3.4", "1.2.3.4a", "01.2.3.4", "1.2.3.00", "0.00.0.0", "", "localhost",
		"::", "::1", "1::", "1:2:3:4:5:6:7:8", "1:2:3:4:5:6:7::", "::2:3:4:5:6:7:8", "1::8",
		"FE80::aBcD", "1:2:3:4:5:6:7", "1:2:3:4:5:6:7:8:9", "1:2:3:4::5:6:7:8", "1::2::3", ":::",
		":1", "1:", ":", "1:2:3:4:5:6:7:", "12345::", "g::", "::1%lo", "[::1]", "0:0:0:0:0:0:0:0",
		"00001::", "::ffff:1.2.3.4", "-1.2.3.4",
	};
	static const char letters[] = "0125fF:::...";
	uint64_t random = 3;
	char text[24];
	size_t i, len, j;
	unsigned int from;

	for (i = 0; i < sizeof(texts) / sizeof(*texts); i++)
		expect_same(texts[i]);
	/* by chance: most are none */
	for (i = 0; i < 200000; i++) {
		len = test_random(&random) % (sizeof(text) - 1);
		/* of IPv6, of IPv4, or of both */
		from = test_random(&random) % 3;
		for (j = 0; j < len; j++)
			text[j] = from == 2 ? letters[test_random(&random) % 12] :
			     from ? "0125.."[test_random(&random) % 6] : letters[test_random(&random) % 9];
		text[len] = '\0';
		expect_same(text);
	}
}

/* What is written is read again, by libc too; and what libc writes is read. */
static void test_there_and_back(void)
{
	struct net_address a, b;
	struct in6_addr address, got;
	char text[NET_ADDRESS_TEXT], host[NET_ADDRESS_TEXT], ntop[INET6_ADDRSTRLEN];
	unsigned int port, parsed, i, j;
	uint64_t random = 5;

	for (i = 0; i < 20000; i++) {
		/* with runs of zeros */
		for (j = 0; j < 8; j++)
			address.s6_addr16[j] = test_random(&random) % 3 ? 0 :
					       htons(test_random(&random) >> test_random(&random) % 16);
		port = test_random(&random) & 0xffff;
		inet_ntop(AF_INET6, &address, ntop, sizeof(ntop));
		if (strchr(ntop, '.'))
			continue;
		CU_ASSERT_TRUE(net_address_parse(&a, ntop, port));
		CU_ASSERT_EQUAL(memcmp(&v6(&a)->sin6_addr, &address, 16), 0);
		net_address_format(&a, text);
		CU_ASSERT_EQUAL_FATAL(sscanf(text, "[%51[^]]]:%u", host, &parsed), 2);
		CU_ASSERT_EQUAL(parsed, port);
		CU_ASSERT_EQUAL(inet_pton(AF_INET6, host, &got), 1);
		CU_ASSERT_EQUAL(memcmp(&got, &address, 16), 0);
		CU_ASSERT_TRUE(net_address_parse(&b, host, port));
		CU_ASSERT_EQUAL(memcmp(&a, &b, sizeof(a)), 0);
	}
}

static void test_words(void)
{
	static const struct {
		const char *address, *text;
		uint16_t port;
	} cases[] = {
		{ "127.0.0.1", "127.0.0.1:8888", 8888 },
		{ "0.0.0.0", "0.0.0.0:0", 0 },
		{ "255.255.255.255", "255.255.255.255:65535", 65535 },
		{ "::1", "[::1]:1", 1 },
		{ "::", "[::]:80", 80 },
		{ "1:0:0:2:0:0:0:3", "[1::2:0:0:0:3]:256", 256 },
		{ "1:0:2:3:4:5:6:7", "[1:0:2:3:4:5:6:7]:1", 1 },
		{ "fe80:0:0:0:0:0:0:0", "[fe80::]:1", 1 },
		/* the longest one there is: it fits */
		{ "ffff:ffff:ffff:ffff:ffff:ffff:ffff:ffff",
		  "[ffff:ffff:ffff:ffff:ffff:ffff:ffff:ffff]:65535", 65535 },
	};
	char text[NET_ADDRESS_TEXT + 4];
	struct net_address a;
	size_t i;

	for (i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		memset(text, '#', sizeof(text));
		CU_ASSERT_TRUE(net_address_parse(&a, cases[i].address, cases[i].port));
		net_address_format(&a, text);
		CU_ASSERT_STRING_EQUAL(text, cases[i].text);
		CU_ASSERT_EQUAL(memcmp(text + NET_ADDRESS_TEXT, "####", 4), 0);
	}
}

UNIT_TESTS(
	{ "net_address_parse() accepts what inet_pton() accepts, except IPv4 inside IPv6",
	  test_texts },
	{ "a formatted IPv6 address reads back as the same address and port", test_there_and_back },
	{ "net_address_format() writes ADDRESS:PORT, with short IPv6 addresses in brackets",
	  test_words });

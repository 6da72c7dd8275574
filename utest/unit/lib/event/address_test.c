// SPDX-License-Identifier: GPL-2.0
/*
 * address_test.c - fields that a print fmt shows as addresses, and the numbers of addresses
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <CUnit/Basic.h>

#include "lib/check/check_constant.h"
#include "lib/event/address.h"
#include "lib/event/field_names.h"
#include "utest/unit/lib/event/format_file.h"
#include "utest/unit/tests.h"

static struct hist_event *event_of(const char *print_fmt)
{
	static const char head[] =
		"name: e\nID: 1\nformat:\n"
		"\tfield:unsigned short common_type;\toffset:0;\tsize:2;\tsigned:0;\n\n"
		"\tfield:__u8 saddr[4];\toffset:8;\tsize:4;\tsigned:0;\n"
		"\tfield:__u8 daddr[4];\toffset:12;\tsize:4;\tsigned:0;\n"
		"\tfield:__be32 net;\toffset:16;\tsize:4;\tsigned:0;\n"
		"\tfield:__u8 saddr_v6[16];\toffset:20;\tsize:16;\tsigned:0;\n"
		"\tfield:u8 mac[6];\toffset:36;\tsize:6;\tsigned:0;\n"
		"\tfield:u8 id[16];\toffset:42;\tsize:16;\tsigned:0;\n"
		"\tfield:__u8 to[28];\toffset:60;\tsize:28;\tsigned:0;\n"
		"\tfield:void * ptr;\toffset:88;\tsize:8;\tsigned:0;\n"
		"\tfield:__data_loc u8[] more;\toffset:96;\tsize:4;\tsigned:0;\n"
		"\tfield:int port;\toffset:100;\tsize:4;\tsigned:1;\n\nprint fmt: ";
	struct hist_event *event = NULL;
	char text[4096];

	snprintf(text, sizeof(text), "%s%s\n", head, print_fmt);
	CU_ASSERT_EQUAL_FATAL(hist_event_parse(&event, "s", text, strlen(text)), 0);
	return event;
}

static void test_conversions(void)
{
	static const struct {
		const char *print_fmt, *field;
		enum hist_address address;
	} cases[] = {
		{ "\"%pI4\", REC->saddr", "saddr", HIST_ADDRESS_IP4 },
		{ "\"%pI4\", REC->saddr", "daddr", HIST_ADDRESS_NONE },
		{ "\"%d %pI4:%hu\", REC->port, &REC->net, 5", "net", HIST_ADDRESS_IP4 },
		{ "\"%d %pI4:%hu\", REC->port, &REC->net, 5", "port", HIST_ADDRESS_NONE },
		{ "\"%*d %pI4\", 3, REC->port, (u8 *)(REC->daddr)", "daddr", HIST_ADDRESS_IP4 },
		{ "\"%-20pI4\", REC->saddr", "saddr", HIST_ADDRESS_IP4 },
		{ "\"%pi4\", REC->saddr", "saddr", HIST_ADDRESS_IP4 },
		{ "\"%pI4h\", &REC->net", "net", HIST_ADDRESS_IP4_HOST },
		{ "\"%pI4l\", &REC->net", "net", HIST_ADDRESS_IP4_LITTLE },
		{ "\"%pI4b\", &REC->net", "net", HIST_ADDRESS_IP4 },
		{ "\"%pI6c\", REC->saddr_v6", "saddr_v6", HIST_ADDRESS_IP6 },
		{ "\"%pM\", REC->mac", "mac", HIST_ADDRESS_MAC },
		{ "\"%pUb\", REC->id", "id", HIST_ADDRESS_UUID },
		{ "\"%pISpc\", REC->to", "to", HIST_ADDRESS_SOCKET },
		/* another size, a pointer, a dynamic array, two fields, other conversions */
		{ "\"%pI4\", REC->mac", "mac", HIST_ADDRESS_NONE },
		{ "\"%pI6\", REC->ptr", "ptr", HIST_ADDRESS_NONE },
		{ "\"%pI4\", REC->more", "more", HIST_ADDRESS_NONE },
		{ "\"%pI4\", REC->port ? REC->saddr : REC->daddr", "saddr", HIST_ADDRESS_NONE },
		{ "\"%p %d\", REC->saddr, REC->port", "saddr", HIST_ADDRESS_NONE },
		{ "\"%pS\", (void *)REC->ptr", "ptr", HIST_ADDRESS_NONE },
		{ "\"%pI4\", (&REC->nosuch)", "saddr", HIST_ADDRESS_NONE },
		{ "\"%pI4", "saddr", HIST_ADDRESS_NONE },
	};
	struct hist_event *event;
	size_t i;

	for (i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		event = event_of(cases[i].print_fmt);
		if (hist_event_find(event, cases[i].field)->address != cases[i].address) {
			printf("\n%s: %s\n", cases[i].print_fmt, cases[i].field);
			CU_FAIL("address");
		}
		hist_event_free(event);
	}
	event = format_event("tcp:6.12/events/tcp/tcp_probe/format");
	CU_ASSERT_EQUAL(hist_event_find(event, "saddr")->address, HIST_ADDRESS_SOCKET);
	CU_ASSERT_EQUAL(hist_event_find(event, "skaddr")->address, HIST_ADDRESS_NONE);
	hist_event_free(event);
}

static void check_number(enum hist_address address, bool big_endian, uint64_t num, const char *text)
{
	struct hist_strbuf b = { 0 };
	uint64_t back = 0;

	CU_ASSERT(hist_address_put(address, num, big_endian, &b));
	CU_ASSERT_EQUAL(b.len, strlen(text));
	CU_ASSERT_NSTRING_EQUAL(b.data, text, b.len);
	CU_ASSERT_EQUAL(hist_address_parse(address, text, big_endian, &back), strlen(text));
	CU_ASSERT_EQUAL(back, num & UINT32_MAX);
	hist_strbuf_free(&b);
}

static void test_numbers(void)
{
	static const char *const others[] = {
		"", "10", "10.0.0", "10.0.0.256", "10.0.0.1.2", "10..0.1", "10.0.0.1x", "0x0a.0.0.1",
		"10.0.0.0001",
	};
	struct hist_strbuf b = { 0 };
	uint64_t num;
	size_t i;

	/* the bytes 10, 0, 0 and 1 in memory */
	check_number(HIST_ADDRESS_IP4, false, 0x0100000a, "10.0.0.1");
	check_number(HIST_ADDRESS_IP4, true, 0x0a000001, "10.0.0.1");
	check_number(HIST_ADDRESS_IP4_HOST, false, 0x0a000001, "10.0.0.1");
	check_number(HIST_ADDRESS_IP4_HOST, true, 0x0a000001, "10.0.0.1");
	check_number(HIST_ADDRESS_IP4_LITTLE, false, 0x0a000001, "10.0.0.1");
	check_number(HIST_ADDRESS_IP4_LITTLE, true, 0x0100000a, "10.0.0.1");
	/* a signed field */
	check_number(HIST_ADDRESS_IP4, false, 0xffffffff8000007f, "127.0.0.128");
	for (i = 0; i < sizeof(others) / sizeof(*others); i++)
		CU_ASSERT_EQUAL(hist_address_parse(HIST_ADDRESS_IP4, others[i], false, &num), 0);
	CU_ASSERT_EQUAL(hist_address_parse(HIST_ADDRESS_NONE, "10.0.0.1", false, &num), 0);
	CU_ASSERT_EQUAL(hist_address_parse(HIST_ADDRESS_IP6, "10.0.0.1", false, &num), 0);
	CU_ASSERT_EQUAL(hist_address_parse(HIST_ADDRESS_IP4, "1.2.3.4)&&", false, &num), 7);
	CU_ASSERT_FALSE(hist_address_put(HIST_ADDRESS_IP6, 1, false, &b));
	CU_ASSERT_FALSE(hist_address_put(HIST_ADDRESS_NONE, 1, false, &b));
	hist_strbuf_free(&b);
}

static void test_names(void)
{
	struct hist_event *event = event_of("\"%pI4 %d\", REC->saddr, REC->port");
	struct hist_strbuf b = { 0 };
	struct hist_field_names *names = NULL;

	event->big_endian = true;
	CU_ASSERT_EQUAL_FATAL(hist_field_names_new(&names, event, hist_event_find(event, "saddr")), 0);
	CU_ASSERT_EQUAL(hist_field_names_flags(names),
			HIST_NAMES_CODE | HIST_NAMES_WHOLE);
	CU_ASSERT(hist_field_names_put(names, 0xc0a80102, &b));
	CU_ASSERT_NSTRING_EQUAL(b.data, "192.168.1.2", b.len);
	hist_field_names_free(names);
	CU_ASSERT_EQUAL(hist_field_names_new(&names, event, hist_event_find(event, "port")), -ENOENT);
	hist_strbuf_free(&b);
	hist_event_free(event);
}

static void check_filter(const struct hist_event *event, const char *text, const char *wanted)
{
	char *result = NULL;

	CU_ASSERT_EQUAL_FATAL(hist_check_replace_constants(&result, text, event), 0);
	if (strcmp(result, wanted)) {
		printf("\n%s: \"%s\", not \"%s\"\n", text, result, wanted);
		CU_FAIL("filter");
	}
	free(result);
}

static void test_filters(void)
{
	struct hist_event *event = event_of("\"%pI4 %pI4\", REC->saddr, REC->daddr");

	event->big_endian = false;
	check_filter(event, "saddr == 10.0.0.1", "saddr == 16777226");
	check_filter(event, "hist:keys=saddr if (saddr==127.0.0.1)&&daddr!=255.255.255.255",
		     "hist:keys=saddr if (saddr==16777343)&&daddr!=4294967295");
	check_filter(event, "saddr & 255.0.0.0 && port == 80", "saddr & 255 && port == 80");
	check_filter(event, "port == 10.0.0.1", "port == 10.0.0.1");
	check_filter(event, "saddr == 10.0.0.256 || saddr == 7", "saddr == 10.0.0.256 || saddr == 7");
	event->big_endian = true;
	check_filter(event, "saddr == 10.0.0.1", "saddr == 167772161");
	hist_event_free(event);
}

UNIT_TESTS({ "a conversion of the print fmt shows which fields are addresses", test_conversions },
	   { "the number of an address depends on the byte order of the machine", test_numbers },
	   { "the names of an address field are addresses", test_names },
	   { "a filter compares an address field with an address", test_filters });

// SPDX-License-Identifier: GPL-2.0
/*
 * events_fixture.c - see events_fixture.h
 */
#include <errno.h>
#include <string.h>

#include <CUnit/Basic.h>

#include "utest/unit/lib/ringbuf/events_fixture.h"
#include "utest/unit/test_data.h"

struct hist_events *events_fixture_open(const char *name)
{
	struct hist_events *events = NULL;
	struct hist_error error = { 0 };

	if (hist_events_open(&events, test_data_path(name), &error))
		CU_FAIL_FATAL("the file does not open");
	CU_ASSERT_STRING_EQUAL(test_error(&error), "");
	return events;
}

static unsigned int type_of(const struct hist_ring_page *page, const unsigned char *data)
{
	uint16_t type;

	memcpy(&type, data, sizeof(type));
	return page->big_endian ? be16toh(type) : le16toh(type);
}

void events_fixture_walk(const struct hist_events *events, unsigned int buffer, unsigned int cpu,
			 struct events_found *f)
{
	const unsigned char *data;
	struct hist_events_pages *pages;
	struct hist_ring_page page;
	uint64_t done = 0;
	uint32_t len;
	int ret;

	memset(f, 0, sizeof(*f));
	CU_ASSERT_EQUAL_FATAL(hist_events_pages_open(&pages, events, buffer, cpu), 0);
	while ((ret = hist_events_pages_next(pages, &page))) {
		CU_ASSERT_FATAL(ret == 1 || ret == -EBADMSG);
		CU_ASSERT(hist_events_pages_done(pages) >= done);
		done = hist_events_pages_done(pages);
		f->bad += ret != 1;
		if (ret != 1)
			continue;
		f->pages++;
		f->gaps += page.lost != 0;
		f->lost += page.lost == HIST_RING_PAGE_LOST_SOME ? 0 : page.lost;
		while (hist_ring_page_next(&page, &data, &len)) {
			if (!f->events++)
				f->first = page.time;
			f->last = page.time;
			f->types += type_of(&page, data);
		}
		f->bad += page.damaged;
	}
	if (!f->bad)
		CU_ASSERT_EQUAL(done, hist_events_pages_bytes(pages));
	CU_ASSERT_EQUAL(hist_events_pages_next(pages, &page), 0);
	hist_events_pages_free(pages);
}

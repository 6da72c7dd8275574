// SPDX-License-Identifier: GPL-2.0
/*
 * page_spool_test.c - pages that are kept until the end, and appended as the top buffer
 */
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <CUnit/Basic.h>

#include "lib/tracedat/tracedat_format.h"
#include "tracecmd/record/page_spool.h"
#include "utest/unit/lib/tracedat/tracedat_files.h"
#include "utest/unit/lib/tracedat/tracedat_fixture.h"
#include "utest/unit/tests.h"

#define PAGE 4096

/* The BUFFER option of a file. */
struct found {
	unsigned int n;
	bool top;
	uint32_t cpus, cpu[4];
	uint64_t at[4], size[4];
};

static int take_buffer(void *arg, const struct tracedat_option *o)
{
	const unsigned char *p = o->data + 8;
	struct found *f = arg;
	unsigned int i;

	if (o->id != TRACEDAT_BUFFER)
		return 0;
	f->n++;
	f->top = !*p;
	p += 1 + strlen("mono") + 1 + 4;
	f->cpus = bytes_u32(o->big_endian, p);
	for (i = 0, p += 4; i < f->cpus && i < 4; i++, p += 20) {
		f->cpu[i] = bytes_u32(o->big_endian, p);
		f->at[i] = bytes_u64(o->big_endian, p + 4);
		f->size[i] = bytes_u64(o->big_endian, p + 12);
	}
	return 0;
}

static int byte_at(struct tracedat_reader *r, uint64_t at)
{
	const void *data;

	return tracedat_read(r, at, 1, &data) ? -1 : *(const unsigned char *)data;
}

/* CPU 1 gets pages 1 2 3 and then 4 in the place of 3; CPU 3 gets page 5; CPUs 0 and 2 nothing. */
static void test_join(void)
{
	struct tracedat_contents contents = fixture_contents(HIST_COMPRESS_ZSTD);
	struct file_place here = { .dir = open("/tmp", O_PATH | O_DIRECTORY | O_CLOEXEC) };
	static unsigned char pages[3 * PAGE];
	struct tracedat_writer *w;
	struct tracedat_reader *r;
	struct page_spool *s;
	struct found f = { 0 };
	char *names;
	int fd = memory_file(), i;

	for (i = 0; i < 3; i++)
		memset(pages + i * PAGE, i + 1, PAGE);
	CU_ASSERT_EQUAL_FATAL(page_spool_new(&s, &here, 4, PAGE), 0);
	close(here.dir);
	CU_ASSERT_EQUAL(page_spool_add(s, 1, pages, 2 * PAGE + 100, false), 0);
	CU_ASSERT_EQUAL(page_spool_add(s, 1, pages + 2 * PAGE, PAGE, false), 0);
	memset(pages, 4, PAGE);
	CU_ASSERT_EQUAL(page_spool_add(s, 1, pages, PAGE, true), 0);
	memset(pages, 5, PAGE);
	CU_ASSERT_EQUAL(page_spool_add(s, 3, pages, PAGE, true), 0);
	CU_ASSERT_EQUAL(page_spool_add(s, 4, pages, PAGE, false), -EINVAL);
	CU_ASSERT_EQUAL_FATAL(tracedat_create(&w, fd, &contents), 0);
	CU_ASSERT_EQUAL(page_spool_join(s, w, "mono", "7 cat\n"), 0);
	CU_ASSERT_EQUAL_FATAL(open_file(&r, fd, NULL), 0);
	CU_ASSERT_EQUAL(tracedat_options_visit(r, take_buffer, &f, NULL), 0);
	CU_ASSERT_EQUAL(f.n, 1);
	CU_ASSERT_TRUE(f.top);
	CU_ASSERT_EQUAL_FATAL(f.cpus, 2);
	CU_ASSERT_EQUAL(f.cpu[0], 1);
	CU_ASSERT_EQUAL(f.cpu[1], 3);
	CU_ASSERT_EQUAL(f.size[0], 3 * PAGE);
	CU_ASSERT_EQUAL(f.size[1], PAGE);
	CU_ASSERT_EQUAL(byte_at(r, f.at[0]), 1);
	CU_ASSERT_EQUAL(byte_at(r, f.at[0] + PAGE), 2);
	CU_ASSERT_EQUAL(byte_at(r, f.at[0] + 2 * PAGE), 4);
	CU_ASSERT_EQUAL(byte_at(r, f.at[1] + PAGE - 1), 5);
	CU_ASSERT_EQUAL(tracedat_read_names(r, &names), 0);
	CU_ASSERT_STRING_EQUAL(names, "7 cat\n");
	free(names);
	tracedat_reader_free(r);
	tracedat_writer_free(w);
	page_spool_free(s);
	close(fd);
}

/* Without events the file remains as it is. */
static void test_empty(void)
{
	struct tracedat_contents contents = fixture_contents(HIST_COMPRESS_ZSTD);
	struct file_place here = { .dir = open("/tmp", O_PATH | O_DIRECTORY | O_CLOEXEC) };
	struct tracedat_writer *w;
	struct page_spool *s;
	int fd = memory_file();
	uint64_t size;

	CU_ASSERT_EQUAL_FATAL(page_spool_new(&s, &here, 2, PAGE), 0);
	close(here.dir);
	CU_ASSERT_EQUAL_FATAL(tracedat_create(&w, fd, &contents), 0);
	size = tracedat_size(w);
	CU_ASSERT_EQUAL(page_spool_join(s, w, "mono", "7 cat\n"), 0);
	CU_ASSERT_EQUAL(tracedat_size(w), size);
	tracedat_writer_free(w);
	page_spool_free(s);
	page_spool_free(NULL);
	close(fd);
}

UNIT_TESTS({ "kept pages become the top buffer, and a page can be replaced by a fuller one", test_join },
	   { "a recording without events remains without buffers", test_empty });

// SPDX-License-Identifier: GPL-2.0
/*
 * tracedat_top_test.c - a named buffer becomes the top one
 *
 * data/shark.dat without what we have added to it is a file of stock trace-cmd 3.1.6 record -B:
 * the options of the machine, those of the empty top buffer, and those of the named one,
 * in a section each.  More than that is made here of its first section.  What stands where
 * is taken from trace-cmd.dat.v7(5).
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <CUnit/Basic.h>

#include "utest/unit/alloc_fail.h"
#include "utest/unit/lib/tracedat/tracedat_files.h"
#include "utest/unit/tests.h"

#define NAME "trace-cmd-hist-173-604b"
#define HEADER_AT 29 /* where the header says where the options are, with zstd 1.5.4 */
#define LINKED (16 + 26 + 16 + 30 + 14) /* what tracedat_link() appends */

static uint16_t u16(const unsigned char *p)
{
	return bytes_u16(false, p);
}

static uint64_t u64(const unsigned char *p)
{
	return bytes_u64(false, p);
}

/* The option @id of the section of options at @at, or NULL; *@size is that of its data. */
static unsigned char *option(unsigned char *file, uint64_t at, uint16_t id, uint32_t *size)
{
	unsigned char *p;

	for (p = file + at + 16; u16(p) != id; p += 6 + *size) {
		*size = bytes_u32(false, p + 2);
		if (!u16(p))
			return NULL;
	}
	*size = bytes_u32(false, p + 2);
	return p + 6;
}

/* As the stock recorder has left it. */
static unsigned char *stock_file(size_t *len)
{
	struct tracedat_reader *reader = NULL;
	unsigned char *file = data_file("shark.dat", len), *done = NULL;
	uint64_t first = 0, at;
	uint32_t size;

	CU_ASSERT_EQUAL_FATAL(open_content(&reader, file, *len, NULL), 0);
	CU_ASSERT_EQUAL_FATAL(tracedat_find_hist(reader, &first), TRACEDAT_HIST_FOUND);
	tracedat_reader_free(reader);
	*len = first - LINKED;
	for (at = u64(file + HEADER_AT); at < *len; at = u64(done))
		done = option(file, at, 0, &size);
	CU_ASSERT_PTR_NOT_NULL_FATAL(done);
	memset(done, 0, 8);
	return file;
}

static int link_top(const unsigned char *file, size_t len, const char *name,
		    unsigned char **after, size_t *after_len)
{
	struct tracedat_writer *writer = NULL;
	int fd = memory_file_with(file, len), ret;

	CU_ASSERT_EQUAL_FATAL(tracedat_attach(&writer, fd), 0);
	ret = tracedat_link_top(writer, name);
	CU_ASSERT_EQUAL(append_fill(writer, 7, 100), 0);
	*after = file_content(fd, after_len);
	tracedat_writer_free(writer);
	close(fd);
	return ret;
}

static void test_top(void)
{
	uint64_t first, top, named, at, i, changed = 0;
	struct tracedat_reader *reader = NULL;
	unsigned char *file, *after, *old, *new;
	uint32_t size, old_size;
	size_t len, after_len;
	int end;

	file = stock_file(&len);
	first = u64(file + HEADER_AT);
	top = u64(option(file, first, 0, &size));
	named = u64(option(file, top, 0, &size));
	old = option(file, named, 3, &old_size);
	CU_ASSERT_STRING_EQUAL_FATAL((char *)old + 8, NAME);
	CU_ASSERT_EQUAL_FATAL(link_top(file, len, NAME, &after, &after_len), 0);
	/* of what was there the pointer behind the first section alone is another */
	at = option(file, first, 0, &size) - file;
	for (i = 0; i < len; i++)
		changed += file[i] != after[i] && (i < at || i >= at + 8);
	CU_ASSERT_EQUAL(changed, 0);
	/* one buffer, which has all of the old one's but the name, and then what is ours */
	at = u64(after + at);
	CU_ASSERT_EQUAL(at, len + 16 + 26);
	new = after + at + 16;
	CU_ASSERT_EQUAL(u16(new), 3);
	size = bytes_u32(false, new + 2);
	CU_ASSERT_EQUAL(size, old_size - strlen(NAME));
	CU_ASSERT_EQUAL(memcmp(new + 6, old, 8), 0);
	CU_ASSERT_EQUAL(memcmp(new + 6 + 8, old + 8 + strlen(NAME), size - 8), 0);
	CU_ASSERT_EQUAL(u16(new + 6 + size), TRACEDAT_HIST_ID);
	CU_ASSERT_EQUAL(u64(after + at + 8), 6 + size + 30 + 14);
	CU_ASSERT_EQUAL(u64(option(after, at, 0, &size)), 0);

	CU_ASSERT_EQUAL_FATAL(open_content(&reader, after, after_len, NULL), 0);
	CU_ASSERT_EQUAL(tracedat_find_hist(reader, &first), TRACEDAT_HIST_FOUND);
	CU_ASSERT_EQUAL(count_sections(reader, first, &end), 1);
	CU_ASSERT_EQUAL(end, 0);
	CU_ASSERT_TRUE(tracedat_has_events(reader));
	tracedat_reader_free(reader);
	free(after);
	free(file);
}

/* Options of a section that follows the first of @file; *@len grows. */
static unsigned char *with_options(const unsigned char *file, size_t *len, const void *options,
				   size_t size)
{
	unsigned char *made = calloc(1, *len + 16 + size + 14), *p;
	uint64_t first = u64(file + HEADER_AT);
	uint32_t done;

	CU_ASSERT_PTR_NOT_NULL_FATAL(made);
	memcpy(made, file, *len);
	bytes_put_u64(false, option(made, first, 0, &done), *len);
	p = made + *len;
	bytes_put_u64(false, p + 8, size + 14);
	memcpy(p + 16, options, size);
	bytes_put_u32(false, p + 16 + size + 2, 8);
	*len += 16 + size + 14;
	return made;
}

#define OPTION(id, size) id "\0" size "\0\0\0"
#define ZERO4 "\0\0\0\0"
#define CPU OPTION("\3", "\52") "offset01one\0c\0\0\20\0\0\1\0\0\0" ZERO4 "\0\1\0\0" ZERO4 "\5\0\0\0" ZERO4
#define TOP OPTION("\3", "\23") "offset02\0c\0\0\20\0\0" ZERO4
#define OTHER OPTION("\3", "\26") "offset03two\0c\0\0\20\0\0" ZERO4
#define STATS OPTION("\2", "\3") "abc"
#define RENAMED OPTION("\3", "\47") "offset01\0c\0\0\20\0\0\1\0\0\0" ZERO4 "\0\1\0\0" ZERO4 "\5\0\0\0" ZERO4
#define FULL OPTION("\3", "\47") "offset04\0c\0\0\20\0\0\1\0\0\0" ZERO4 "\0\1\0\0" ZERO4 "\5\0\0\0" ZERO4
#define BYTES(s) s, sizeof(s) - 1

static void test_arrangements(void)
{
	static const struct {
		const char *given;
		size_t len;
		const char *made; /* NULL: refused */
		size_t made_len;
	} cases[] = {
		{ BYTES(CPU), BYTES(RENAMED) },
		{ BYTES(TOP CPU), BYTES(RENAMED) },
		{ BYTES(CPU TOP), BYTES(RENAMED) },
		/* what else there is stays, in its order */
		{ BYTES(STATS TOP CPU OTHER STATS), BYTES(STATS RENAMED OTHER STATS) },
		{ BYTES(OTHER TOP STATS CPU), BYTES(OTHER STATS RENAMED) },
		/* no such buffer */
		{ BYTES(OTHER TOP), NULL, 0 },
		{ BYTES(STATS), NULL, 0 },
		/* events in the top one, which would be lost */
		{ BYTES(FULL CPU), NULL, 0 },
		{ BYTES(CPU FULL), NULL, 0 },
		/* twice: which one? */
		{ BYTES(CPU CPU), NULL, 0 },
		/* a name without an end, and an option that is too short */
		{ BYTES(OPTION("\3", "\12") "offset05on" CPU), NULL, 0 },
		{ BYTES(OPTION("\3", "\4") "offs" CPU), NULL, 0 },
	};
	unsigned char *file, *given, *after, *first;
	size_t len, given_len, after_len, i;
	uint32_t size;
	uint64_t at;

	file = stock_file(&len);
	for (i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		given_len = len;
		given = with_options(file, &given_len, cases[i].given, cases[i].len);
		if (!cases[i].made) {
			CU_ASSERT_EQUAL(link_top(given, given_len, "one", &after, &after_len), -ENOENT);
			CU_ASSERT_EQUAL(after_len, given_len + 16 + 100);
			CU_ASSERT_EQUAL(memcmp(after, given, given_len), 0);
		} else {
			CU_ASSERT_EQUAL(link_top(given, given_len, "one", &after, &after_len), 0);
			first = after + u64(after + HEADER_AT);
			at = u64(option(after, first - after, 0, &size));
			CU_ASSERT_EQUAL(at, given_len + 16 + 26);
			CU_ASSERT_EQUAL(u64(after + at + 8), cases[i].made_len + 30 + 14);
			CU_ASSERT_EQUAL(memcmp(after + at + 16, cases[i].made, cases[i].made_len), 0);
		}
		free(after);
		free(given);
	}
	/* the very first section has a buffer: what leads to it is the header */
	given_len = len;
	given = with_options(file, &given_len, BYTES(CPU));
	bytes_put_u64(false, given + HEADER_AT, len);
	CU_ASSERT_EQUAL(link_top(given, given_len, "one", &after, &after_len), -ENOENT);
	free(after);
	free(given);
	free(file);
}

/* What fails leaves the file as it was, and can be done again. */
static void test_failures(void)
{
	struct tracedat_writer *writer = NULL;
	unsigned char *file, *after;
	size_t len, after_len;
	long n = 0;
	int fd, ret;

	file = stock_file(&len);
	fd = memory_file_with(file, len);
	CU_ASSERT_EQUAL_FATAL(tracedat_attach(&writer, fd), 0);
	do {
		alloc_fail_after(n++);
		ret = tracedat_link_top(writer, n == 20 ? NAME : "another");
		alloc_fail_after(-1);
		CU_ASSERT_TRUE(ret == -ENOMEM || ret == -ENOENT);
	} while (ret == -ENOMEM && n < 20);
	/* a reader, its window, compression, the copy */
	CU_ASSERT_TRUE(n > 3 && n < 20);
	limit_writes(SIZE_MAX, false, 0, ENOSPC);
	CU_ASSERT_EQUAL(tracedat_link_top(writer, NAME), -ENOSPC);
	limit_writes(SIZE_MAX, false, 1, EIO);
	CU_ASSERT_EQUAL(tracedat_link_top(writer, NAME), -EIO);
	limit_writes(SIZE_MAX, false, SIZE_MAX, 0);
	after = file_content(fd, &after_len);
	CU_ASSERT_EQUAL_FATAL(after_len, len);
	CU_ASSERT_EQUAL(memcmp(after, file, len), 0);
	free(after);
	/* a few bytes a write */
	limit_writes(7, true, SIZE_MAX, 0);
	CU_ASSERT_EQUAL(tracedat_link_top(writer, NAME), 0);
	limit_writes(SIZE_MAX, false, SIZE_MAX, 0);
	CU_ASSERT_EQUAL(tracedat_link_top(writer, NAME), -EINVAL);
	CU_ASSERT_EQUAL(tracedat_link(writer), -EINVAL);
	tracedat_writer_free(writer);
	CU_ASSERT_EQUAL(tracedat_attach(&writer, fd), -EEXIST);
	free(file);
	close(fd);
}

UNIT_TESTS(
	{ "the named buffer of a stock recording becomes the top buffer and loses only its name",
	  test_top },
	{ "linking a top buffer keeps the other options, and is refused if events would be lost",
	  test_arrangements },
	{ "a failed link of a top buffer leaves the file unchanged and can be repeated",
	  test_failures });

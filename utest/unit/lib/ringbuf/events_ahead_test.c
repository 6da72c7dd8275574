// SPDX-License-Identifier: GPL-2.0
/*
 * events_ahead_test.c - chunks that a thread decompresses before they are needed
 */
#include <errno.h>
#include <sched.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include <CUnit/Basic.h>

#include "lib/ringbuf/events_ahead.h"
#include "lib/ringbuf/events_private.h"
#include "lib/tracedat/compress.h"
#include "utest/unit/tests.h"

#define CHUNKS 20
#define RAW 40960

/* A file with chunks next to each other.  Chunk n has the byte n in it. */
static struct {
	struct tracedat_reader reader;
	struct events_buffer buffer;
	struct hist_events events;
	uint64_t at[CHUNKS + 1];
	struct hist_events_ahead *ahead;
} file;

static size_t packed(unsigned int n)
{
	return file.at[n + 1] - file.at[n];
}

static void make_file(void)
{
	struct hist_compressor *c = hist_compressor_new(HIST_COMPRESS_ZSTD);
	unsigned char *raw = malloc(RAW);
	const void *out;
	unsigned int n;
	size_t len;

	memset(&file, 0, sizeof(file));
	file.reader.fd = memfd_create("chunks", 0);
	CU_ASSERT_FATAL(c && raw && file.reader.fd >= 0);
	for (n = 0; n < CHUNKS; n++) {
		memset(raw, n, RAW);
		CU_ASSERT_EQUAL_FATAL(hist_compress(c, raw, RAW, &out, &len), 0);
		CU_ASSERT_EQUAL_FATAL(write(file.reader.fd, out, len), (ssize_t)len);
		file.at[n + 1] = file.at[n] + len;
	}
	free(raw);
	hist_compressor_free(c);
	file.reader.compression = HIST_COMPRESS_ZSTD;
	file.reader.size = file.at[CHUNKS];
	file.buffer.packed = true;
	file.events.file = &file.reader;
	file.events.buffers = &file.buffer;
	file.events.nbuffers = 1;
	file.events.packers = chunk_decompressors_new();
	file.ahead = hist_events_ahead_new(&file.events, 0);
	CU_ASSERT_PTR_NOT_NULL_FATAL(file.ahead);
}

static void free_file(void)
{
	hist_events_ahead_free(file.ahead);
	chunk_decompressors_free(file.events.packers);
	close(file.reader.fd);
}

/* Ask for a chunk until the thread has it before the walk takes it. */
static int get(struct chunk_ahead *c, unsigned int n, uint64_t at, size_t len, unsigned char **data,
	       size_t *room)
{
	int ret = 1;

	do {
		events_ahead_want(c, at, packed(n), len);
		sched_yield();
	} while (!events_ahead_take(c, at, data, room, &ret));
	return ret;
}

static void test_data(void)
{
	unsigned char *data = NULL;
	struct chunk_ahead *c;
	unsigned int n;
	size_t room = 0;

	make_file();
	c = events_ahead_open(file.ahead);
	CU_ASSERT_PTR_NOT_NULL_FATAL(c);
	for (n = 0; n < CHUNKS; n++) {
		CU_ASSERT_EQUAL_FATAL(get(c, n, file.at[n], RAW, &data, &room), 0);
		CU_ASSERT_FATAL(room >= RAW);
		CU_ASSERT_EQUAL(data[0], n);
		CU_ASSERT_EQUAL(data[RAW - 1], n);
	}
	/* not at a chunk, and beyond the end */
	CU_ASSERT_EQUAL(get(c, 3, file.at[3] + 1, RAW, &data, &room), -EBADMSG);
	CU_ASSERT_EQUAL(get(c, 3, file.at[CHUNKS], RAW, &data, &room), -EBADMSG);
	CU_ASSERT_EQUAL(get(c, 3, file.at[3], RAW, &data, &room), 0);
	CU_ASSERT_EQUAL(data[7], 3);
	events_ahead_close(c);
	free_file();
	free(data);
}

static void test_other_place(void)
{
	unsigned char *data = NULL;
	struct chunk_ahead *c;
	size_t room = 0;
	int ret, i;

	make_file();
	c = events_ahead_open(file.ahead);
	CU_ASSERT_PTR_NOT_NULL_FATAL(c);
	CU_ASSERT_FALSE(events_ahead_take(c, file.at[0], &data, &room, &ret));
	for (i = 0; i < 100; i++) {
		events_ahead_want(c, file.at[1], packed(1), RAW);
		CU_ASSERT_FALSE(events_ahead_take(c, file.at[2], &data, &room, &ret));
	}
	CU_ASSERT_PTR_NULL(data);
	events_ahead_close(c);
	free_file();
}

/* What still waits, or is being decompressed, at the end. */
static void test_end(void)
{
	struct chunk_ahead *c[CHUNKS];
	unsigned int n, i;

	for (i = 0; i < 20; i++) {
		make_file();
		for (n = 0; n < CHUNKS; n++) {
			c[n] = events_ahead_open(file.ahead);
			CU_ASSERT_PTR_NOT_NULL_FATAL(c[n]);
			events_ahead_want(c[n], file.at[n], packed(n), RAW);
		}
		for (n = 0; n < CHUNKS; n++)
			events_ahead_close(c[(n * 7 + i) % CHUNKS]);
		free_file();
	}
}

static void test_uncompressed(void)
{
	make_file();
	file.buffer.packed = false;
	CU_ASSERT_PTR_NULL(hist_events_ahead_new(&file.events, 0));
	CU_ASSERT_PTR_NULL(hist_events_ahead_new(&file.events, 1));
	events_ahead_close(NULL);
	hist_events_ahead_free(NULL);
	free_file();
}

UNIT_TESTS({ "the thread has the data of each chunk, or its error", test_data },
	   { "a walk that went elsewhere gets nothing", test_other_place },
	   { "walks and the thread can end at any time", test_end },
	   { "there is no thread for a buffer that is not compressed", test_uncompressed });

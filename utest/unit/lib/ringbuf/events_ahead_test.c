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

#include "lib/ringbuf/events_private.h"
#include "lib/tracedat/compress.h"
#include "utest/unit/tests.h"

#define CHUNKS 20
#define RAW 40960

/*
 * A file with chunks next to each other, without the headers, which nobody reads here.  Chunk n has
 * the byte n in it.
 */
static struct {
	struct tracedat_source source;
	struct tracedat_reader reader;
	struct events_buffer buffer;
	struct hist_events events;
	uint64_t at[CHUNKS + 1];
	struct hist_events_ahead *ahead;
} file;

/* The @count chunks from the @n-th on. */
static struct chunk_run make_run(unsigned int n, unsigned int count)
{
	struct chunk_run run = { .at = file.at[n], .n = count, .len = count * RAW };
	unsigned int i;

	for (i = 0; i < count; i++)
		run.chunks[i] = (struct chunk){ file.at[n + i + 1] - file.at[n + i] - CHUNK_HEADER, RAW };
	return run;
}

static void make_file(void)
{
	struct hist_compressor *c = hist_compressor_new(HIST_COMPRESS_ZSTD);
	unsigned char *raw = malloc(RAW);
	const void *out;
	unsigned int n;
	size_t len;

	memset(&file, 0, sizeof(file));
	file.source.fd = memfd_create("chunks", 0);
	CU_ASSERT_FATAL(c && raw && file.source.fd >= 0);
	for (n = 0; n < CHUNKS; n++) {
		memset(raw, n, RAW);
		CU_ASSERT_EQUAL_FATAL(hist_compress(c, raw, RAW, &out, &len), 0);
		CU_ASSERT_EQUAL_FATAL(pwrite(file.source.fd, out, len, file.at[n] + CHUNK_HEADER),
				      (ssize_t)len);
		file.at[n + 1] = file.at[n] + CHUNK_HEADER + len;
	}
	free(raw);
	hist_compressor_free(c);
	file.reader.source = &file.source;
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

/* What the walk took last. */
static unsigned char *data;
static size_t room;

static void free_file(void)
{
	free(data);
	data = NULL;
	room = 0;
	hist_events_ahead_free(file.ahead);
	chunk_decompressors_free(file.events.packers);
	close(file.source.fd);
}

static void get(struct run_ahead *c, const struct chunk_run *run)
{
	struct chunk_run taken = { 0 };

	events_ahead_want(c, run);
	/* now and then the thread is the first, and now and then the walk */
	if (run->n % 2)
		sched_yield();
	CU_ASSERT_TRUE_FATAL(events_ahead_take(c, run->at, &data, &room, &taken));
	CU_ASSERT_FATAL(room >= run->len);
	CU_ASSERT_EQUAL(taken.n, run->n);
	CU_ASSERT_EQUAL(taken.len, run->len);
}

static void test_data(void)
{
	unsigned int n, count, i;
	struct run_ahead *c;
	struct chunk_run run;

	make_file();
	c = events_ahead_open(file.ahead);
	CU_ASSERT_PTR_NOT_NULL_FATAL(c);
	for (n = 0; n < CHUNKS; n += count) {
		count = n % 5 + 1;
		run = make_run(n, n + count < CHUNKS ? count : CHUNKS - n);
		get(c, &run);
		for (i = 0; i < run.n; i++) {
			CU_ASSERT_EQUAL(data[i * RAW], n + i);
			CU_ASSERT_EQUAL(data[i * RAW + RAW - 1], n + i);
		}
	}
	events_ahead_close(c);
	free_file();
}

/* What cannot be decompressed whole is left to the walk, which tells what is wrong with it. */
static void test_damage(void)
{
	struct run_ahead *c;
	struct chunk_run run, taken;
	int i;

	make_file();
	c = events_ahead_open(file.ahead);
	CU_ASSERT_PTR_NOT_NULL_FATAL(c);
	CU_ASSERT_EQUAL_FATAL(pwrite(file.source.fd, "damage", 6, file.at[2] + CHUNK_HEADER), 6);
	for (i = 0; i < 100; i++) {
		run = make_run(0, 4);
		events_ahead_want(c, &run);
		sched_yield();
		CU_ASSERT_FALSE(events_ahead_take(c, run.at, &data, &room, &taken));
		/* the last chunk goes on behind the end of the file */
		run = make_run(CHUNKS - 1, 1);
		run.chunks[0].packed++;
		events_ahead_want(c, &run);
		sched_yield();
		CU_ASSERT_FALSE(events_ahead_take(c, run.at, &data, &room, &taken));
	}
	CU_ASSERT_PTR_NULL(data);
	/* the thread goes on */
	run = make_run(3, 1);
	get(c, &run);
	CU_ASSERT_EQUAL(data[7], 3);
	events_ahead_close(c);
	free_file();
}

static void test_other_place(void)
{
	struct run_ahead *c;
	struct chunk_run run, taken;
	int i;

	make_file();
	run = make_run(1, 1);
	c = events_ahead_open(file.ahead);
	CU_ASSERT_PTR_NOT_NULL_FATAL(c);
	CU_ASSERT_FALSE(events_ahead_take(c, file.at[0], &data, &room, &taken));
	for (i = 0; i < 100; i++) {
		events_ahead_want(c, &run);
		CU_ASSERT_FALSE(events_ahead_take(c, file.at[2], &data, &room, &taken));
	}
	CU_ASSERT_PTR_NULL(data);
	events_ahead_close(c);
	free_file();
}

/* What still waits, or is being decompressed, at the end. */
static void test_end(void)
{
	struct run_ahead *c[CHUNKS];
	struct chunk_run run;
	unsigned int n, i;

	for (i = 0; i < 20; i++) {
		make_file();
		for (n = 0; n < CHUNKS; n++) {
			c[n] = events_ahead_open(file.ahead);
			CU_ASSERT_PTR_NOT_NULL_FATAL(c[n]);
			run = make_run(n, 1);
			events_ahead_want(c[n], &run);
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

UNIT_TESTS({ "the walk gets the data of each run of chunks", test_data },
	   { "the walk reads a damaged run itself", test_damage },
	   { "a walk that went elsewhere gets nothing", test_other_place },
	   { "walks and the thread can end at any time", test_end },
	   { "there is no thread for a buffer that is not compressed", test_uncompressed });

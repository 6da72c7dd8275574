// SPDX-License-Identifier: GPL-2.0
/*
 * episode_test.c - buffers with events, and the episodes that describe them, written and read back
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <CUnit/Basic.h>

#include "lib/series/episode.h"
#include "lib/series/record.h"
#include "lib/tracedat/tracedat_format.h"
#include "utest/unit/lib/tracedat/tracedat_files.h"
#include "utest/unit/lib/tracedat/tracedat_fixture.h"
#include "utest/unit/tests.h"

#define PAGE 4096

static const struct hist_episode worst = {
	.event = "latency:a..b", .buffer = "episode-1", .key = "next_pid=17 common_cpu=1",
	.origin = 1000, .start = 5000, .end = 905000, .value = 900000, .cpu = 1,
	.threshold = 500000,
	.flags = HIST_EPISODE_TIMED | HIST_EPISODE_CUT,
};

static const struct hist_episode second = {
	.event = "kmem:kmalloc", .buffer = "episode-2", .key = "", .origin = 1000,
	.start = UINT64_MAX, .end = UINT64_MAX,
};

static struct tracedat_writer *create(int fd, bool big_endian)
{
	struct tracedat_contents contents = fixture_contents(HIST_COMPRESS_ZSTD);
	struct tracedat_writer *w;

	contents.machine.big_endian = big_endian;
	contents.names = "1 before\n";
	if (tracedat_create(&w, fd, &contents))
		abort();
	return w;
}

/* A buffer of two CPUs whose pages are filled with @fill, and its episode. */
static int append(struct tracedat_writer *w, const struct hist_episode *e, int fill)
{
	static unsigned char pages[3 * PAGE];
	const struct tracedat_pages cpus[] = {
		{ .cpu = 0, .data = pages, .len = PAGE },
		{ .cpu = 3, .data = pages + PAGE, .len = 2 * PAGE },
	};
	int ret;

	memset(pages, fill, sizeof(pages));
	ret = tracedat_append_buffer(w, e->buffer, "mono", PAGE, cpus, 2);
	return ret ? ret : hist_episode_append(w, e);
}

static void check_same(const struct hist_episode *a, const struct hist_episode *b)
{
	CU_ASSERT_STRING_EQUAL(a->event, b->event);
	CU_ASSERT_STRING_EQUAL(a->buffer, b->buffer);
	CU_ASSERT_STRING_EQUAL(a->key, b->key);
	CU_ASSERT_EQUAL(a->origin, b->origin);
	CU_ASSERT_EQUAL(a->start, b->start);
	CU_ASSERT_EQUAL(a->end, b->end);
	CU_ASSERT_EQUAL(a->value, b->value);
	CU_ASSERT_EQUAL(a->cpu, b->cpu);
	CU_ASSERT_EQUAL(a->threshold, b->threshold);
	CU_ASSERT_EQUAL(a->flags, b->flags);
}

/* The BUFFER options of a file. */
struct buffers {
	unsigned int n;
	char names[4][32];
	uint64_t section[4], pages[4];
};

static int take_buffer(void *arg, const struct tracedat_option *o)
{
	struct buffers *b = arg;
	const char *name = (const char *)o->data + 8;
	const unsigned char *p = (const unsigned char *)name + strlen(name) + 1 + strlen("mono") + 1;

	if (o->id != TRACEDAT_BUFFER)
		return 0;
	CU_ASSERT_FATAL(strlen(name) < sizeof(b->names[0]));
	strcpy(b->names[b->n], name);
	b->section[b->n] = bytes_u64(o->big_endian, o->data);
	CU_ASSERT_EQUAL(bytes_u32(o->big_endian, p), PAGE);
	CU_ASSERT_EQUAL(bytes_u32(o->big_endian, p + 4), 2);
	CU_ASSERT_EQUAL(bytes_u32(o->big_endian, p + 28), 3);
	CU_ASSERT_EQUAL(bytes_u64(o->big_endian, p + 40), 2 * PAGE);
	b->pages[b->n++] = bytes_u64(o->big_endian, p + 12);
	return 0;
}

static void round_trip(bool big_endian)
{
	struct hist_episode *list;
	struct tracedat_reader *r;
	struct tracedat_section section;
	struct buffers b = { 0 };
	unsigned int n, i;
	char *names;
	const void *data;
	int fd = memory_file();
	struct tracedat_writer *w = create(fd, big_endian);

	append_fill(w, 7, 100); /* a section of another kind between them */
	CU_ASSERT_EQUAL(append(w, &worst, 1), 0);
	CU_ASSERT_EQUAL(append(w, &second, 2), 0);
	CU_ASSERT_EQUAL(tracedat_append_names(w, "17 cat\n18 a b\n", 14), 0);
	/* not visible before the link */
	CU_ASSERT_EQUAL_FATAL(open_file(&r, fd, NULL), 0);
	CU_ASSERT_FALSE(tracedat_has_events(r));
	CU_ASSERT_EQUAL(tracedat_read_names(r, &names), 0);
	CU_ASSERT_STRING_EQUAL(names, "1 before\n");
	free(names);
	tracedat_reader_free(r);
	CU_ASSERT_EQUAL(tracedat_link_buffers(w), 0);
	CU_ASSERT_EQUAL(tracedat_link_buffers(w), 0);
	CU_ASSERT_EQUAL_FATAL(open_file(&r, fd, NULL), 0);
	CU_ASSERT_TRUE(tracedat_has_events(r));
	CU_ASSERT_EQUAL(tracedat_options_visit(r, take_buffer, &b, NULL), 0);
	CU_ASSERT_EQUAL(b.n, 2);
	for (i = 0; i < b.n; i++) {
		CU_ASSERT_STRING_EQUAL(b.names[i], i ? "episode-2" : "episode-1");
		CU_ASSERT_EQUAL(b.pages[i] % PAGE, 0);
		CU_ASSERT_EQUAL(tracedat_read(r, b.pages[i], PAGE, &data), 0);
		CU_ASSERT_EQUAL(((const unsigned char *)data)[PAGE - 1], i + 1);
		CU_ASSERT_EQUAL(tracedat_read_section(r, b.section[i], &section), 1);
		CU_ASSERT_EQUAL(section.id, TRACEDAT_BUFFER);
		CU_ASSERT_EQUAL(section.data + section.size, b.pages[i] + 3 * PAGE);
	}
	CU_ASSERT_EQUAL(hist_episodes_read(&list, &n, r), 0);
	CU_ASSERT_EQUAL_FATAL(n, 2);
	check_same(&list[0], &worst);
	check_same(&list[1], &second);
	hist_episodes_free(list, n);
	CU_ASSERT_EQUAL(tracedat_read_names(r, &names), 0);
	CU_ASSERT_STRING_EQUAL(names, "17 cat\n18 a b\n");
	free(names);
	tracedat_reader_free(r);
	tracedat_writer_free(w);
	close(fd);
}

static void test_little_endian(void)
{
	round_trip(false);
}

static void test_big_endian(void)
{
	round_trip(true);
}

/* A killed recorder leaves a part of a section; another program continues after the part before. */
static void test_resume(void)
{
	int fd = memory_file(), side = memory_file();
	struct tracedat_writer *w = create(fd, false), *from = create(side, false);
	struct hist_episode *list;
	struct tracedat_reader *r;
	struct buffers b = { 0 };
	unsigned int n;
	off_t whole;

	CU_ASSERT_EQUAL(append_fill(w, 7, 100), 0);
	whole = lseek(fd, 0, SEEK_END);
	CU_ASSERT_EQUAL(append_fill(w, 7, 100), 0);
	tracedat_writer_free(w);
	CU_ASSERT_EQUAL(ftruncate(fd, whole + 50), 0);

	CU_ASSERT_EQUAL(append(from, &worst, 9), 0);
	CU_ASSERT_EQUAL(tracedat_link_buffers(from), 0);
	tracedat_writer_free(from);

	CU_ASSERT_EQUAL_FATAL(tracedat_resume(&w, fd), 0);
	CU_ASSERT_EQUAL((off_t)w->size, whole);
	CU_ASSERT_EQUAL_FATAL(open_file(&r, side, NULL), 0);
	CU_ASSERT_EQUAL(tracedat_copy_buffer(w, r, "episode-1"), 0);
	tracedat_reader_free(r);
	CU_ASSERT_EQUAL(hist_episode_append(w, &worst), 0);
	CU_ASSERT_EQUAL(tracedat_link_buffers(w), 0);
	tracedat_writer_free(w);
	CU_ASSERT_EQUAL_FATAL(open_file(&r, fd, NULL), 0);
	CU_ASSERT_EQUAL(tracedat_options_visit(r, take_buffer, &b, NULL), 0);
	CU_ASSERT_EQUAL(b.n, 1);
	CU_ASSERT_EQUAL(hist_episodes_read(&list, &n, r), 0);
	CU_ASSERT_EQUAL(n, 1);
	hist_episodes_free(list, n);
	tracedat_reader_free(r);
	close(side);
	close(fd);
}

/* Neither a full disk nor a damaged episode harms the rest. */
static void test_trouble(void)
{
	int fd = memory_file();
	struct tracedat_writer *w = create(fd, false);
	struct hist_episode *list;
	struct tracedat_reader *r;
	unsigned char byte;
	unsigned int n;
	off_t before, end;

	before = lseek(fd, 0, SEEK_END);
	limit_writes(SIZE_MAX, false, 0, ENOSPC);
	CU_ASSERT_EQUAL(append(w, &worst, 1), -ENOSPC);
	limit_writes(SIZE_MAX, false, SIZE_MAX, 0);
	CU_ASSERT_EQUAL(lseek(fd, 0, SEEK_END), before);
	CU_ASSERT_EQUAL(tracedat_link_buffers(w), 0);
	CU_ASSERT_EQUAL(lseek(fd, 0, SEEK_END), before);

	CU_ASSERT_EQUAL(append(w, &worst, 1), 0);
	end = lseek(fd, 0, SEEK_END);
	CU_ASSERT_EQUAL(append(w, &second, 1), 0);
	CU_ASSERT_EQUAL(pread(fd, &byte, 1, end - 1), 1);
	byte ^= 1;
	CU_ASSERT_EQUAL(pwrite(fd, &byte, 1, end - 1), 1);
	CU_ASSERT_EQUAL_FATAL(open_file(&r, fd, NULL), 0);
	CU_ASSERT_EQUAL(hist_episodes_read(&list, &n, r), 0);
	CU_ASSERT_EQUAL_FATAL(n, 1);
	check_same(&list[0], &second);
	hist_episodes_free(list, n);
	tracedat_reader_free(r);
	tracedat_writer_free(w);
	close(fd);
}

/* The first versions did not write a threshold. */
static void test_first_version(void)
{
	int fd = memory_file();
	struct tracedat_writer *w = create(fd, false);
	struct record_header h = { .type = RECORD_EPISODE, .time = 9 };
	struct hist_strbuf b = { 0 };
	struct hist_episode *list;
	struct tracedat_reader *r;
	unsigned int n;

	varint_put_string(&b, "latency:a..b");
	varint_put_string(&b, "episode-1");
	varint_put_string(&b, "");
	for (n = 1; n <= 6; n++)
		varint_put(&b, n);
	h.raw_len = b.len;
	CU_ASSERT_EQUAL(record_append(w, &h, b.data, b.len), 0);
	CU_ASSERT_EQUAL_FATAL(open_file(&r, fd, NULL), 0);
	CU_ASSERT_EQUAL(hist_episodes_read(&list, &n, r), 0);
	CU_ASSERT_EQUAL_FATAL(n, 1);
	CU_ASSERT_EQUAL(list[0].cpu, 6);
	CU_ASSERT_EQUAL(list[0].threshold, 0);
	hist_episodes_free(list, n);
	hist_strbuf_free(&b);
	tracedat_reader_free(r);
	tracedat_writer_free(w);
	close(fd);
}

UNIT_TESTS(
	{ "an episode without a threshold is read", test_first_version },
	{ "episodes and their buffers are read as they were written", test_little_endian },
	{ "episodes of a big-endian machine are read as they were written", test_big_endian },
	{ "the file of a killed recorder is continued after its last whole section", test_resume },
	{ "a full disk and a damaged episode do not harm the rest", test_trouble });

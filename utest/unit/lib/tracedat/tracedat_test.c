// SPDX-License-Identifier: GPL-2.0
/*
 * tracedat_test.c - trace.dat files written and read back, byte by byte
 *
 * What stands where is taken from trace-cmd.dat.v7(5), not from the library.
 */
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/uio.h>
#include <unistd.h>
#include <zlib.h>

#include <CUnit/Basic.h>

#include "lib/tracedat/tracedat_format.h"
#include "utest/unit/lib/tracedat/tracedat_files.h"
#include "utest/unit/lib/tracedat/tracedat_fixture.h"
#include "utest/unit/tests.h"

static void test_integers(void)
{
	static const unsigned char bytes[9] = { 0xff, 1, 2, 3, 4, 5, 6, 7, 0x88 };
	unsigned char out[9];

	CU_ASSERT_EQUAL(bytes_u16(false, bytes + 1), 0x0201);
	CU_ASSERT_EQUAL(bytes_u16(true, bytes + 1), 0x0102);
	CU_ASSERT_EQUAL(bytes_u32(false, bytes + 1), 0x04030201);
	CU_ASSERT_EQUAL(bytes_u32(true, bytes + 1), 0x01020304);
	CU_ASSERT_EQUAL(bytes_u64(false, bytes + 1), 0x8807060504030201);
	CU_ASSERT_EQUAL(bytes_u64(true, bytes + 1), 0x0102030405060788);
	memset(out, 0xff, sizeof(out));
	bytes_put_u64(true, out + 1, 0x0102030405060788);
	CU_ASSERT_EQUAL(memcmp(out, bytes, 9), 0);
	bytes_put_u64(false, out + 1, 0x8807060504030201);
	CU_ASSERT_EQUAL(memcmp(out, bytes, 9), 0);
	bytes_put_u32(true, out + 1, 0x0a0b0c0d);
	bytes_put_u16(false, out + 5, 0x0f0e);
	CU_ASSERT_EQUAL(memcmp(out, "\xff\x0a\x0b\x0c\x0d\x0e\x0f\x07\x88", 9), 0);
}

static void test_compression(enum hist_compression kind)
{
	struct hist_compressor *c = hist_compressor_new(kind);
	static unsigned char text[100000];
	const void *packed, *out;
	unsigned char *copy;
	size_t len, packed_len, i, round;

	CU_ASSERT_PTR_NOT_NULL_FATAL(c);
	for (i = 0; i < sizeof(text); i++)
		text[i] = i % 1000 * 7 / 3;
	/* large, small, empty, large: contexts and buffers are used again */
	for (round = 0; round < 4; round++) {
		len = (const size_t[]){ sizeof(text), 10, 0, sizeof(text) }[round];
		CU_ASSERT_EQUAL(hist_compress(c, text, len, &packed, &packed_len), 0);
		if (len > 10 && kind != HIST_COMPRESS_NONE)
			CU_ASSERT_TRUE(packed_len < len / 10);
		copy = malloc(packed_len + 1);
		memcpy(copy, packed, packed_len);
		CU_ASSERT_EQUAL(hist_compressor_decompress(c, copy, packed_len, len, &out), 0);
		CU_ASSERT_EQUAL(memcmp(out, text, len), 0);
		CU_ASSERT_EQUAL(hist_compressor_decompress(c, copy, packed_len, len + 1, &out),
				-EBADMSG);
		if (len)
			CU_ASSERT_EQUAL(hist_compressor_decompress(c, copy, packed_len, len - 1,
								   &out),
					-EBADMSG);
		if (packed_len)
			CU_ASSERT_EQUAL(hist_compressor_decompress(c, copy, packed_len - 1, len,
								   &out),
					-EBADMSG);
		CU_ASSERT_EQUAL(hist_compressor_decompress(c, copy, packed_len, SIZE_MAX, &out),
				-EBADMSG);
		if (len > 10 && kind != HIST_COMPRESS_NONE) {
			memset(copy, 0x5a, 4);
			CU_ASSERT_EQUAL(hist_compressor_decompress(c, copy, packed_len, len, &out),
					-EBADMSG);
		}
		free(copy);
	}
	CU_ASSERT_EQUAL(hist_compress(c, text, SIZE_MAX, &packed, &packed_len), -E2BIG);
	hist_compressor_free(c);
}

static void test_compressions(void)
{
	test_compression(HIST_COMPRESS_NONE);
	test_compression(HIST_COMPRESS_ZSTD);
	test_compression(HIST_COMPRESS_ZLIB);
	hist_compressor_free(NULL);
	CU_ASSERT_EQUAL(hist_compression_from_name("none"), HIST_COMPRESS_NONE);
	CU_ASSERT_EQUAL(hist_compression_from_name("zstd"), HIST_COMPRESS_ZSTD);
	CU_ASSERT_EQUAL(hist_compression_from_name("zlib"), HIST_COMPRESS_ZLIB);
	CU_ASSERT_EQUAL(hist_compression_from_name("zst"), -ENOTSUP);
	CU_ASSERT_STRING_EQUAL(hist_compression_name(HIST_COMPRESS_ZSTD), "zstd");
	CU_ASSERT_STRING_EQUAL(hist_compression_version(HIST_COMPRESS_NONE), "");
	CU_ASSERT_STRING_EQUAL(hist_compression_version(HIST_COMPRESS_ZLIB), zlibVersion());
}

/* Reads a file on its own, without the library. */
static uint64_t number(const unsigned char *p, unsigned int size, bool be)
{
	uint64_t v = 0;
	unsigned int i;

	for (i = 0; i < size; i++)
		v |= (uint64_t)p[i] << 8 * (be ? size - 1 - i : i);
	return v;
}

struct expected_option {
	unsigned int id, size;
	const void *data; /* NULL: the offset of the section with this id */
};

static void check_options(const unsigned char *p, const unsigned char *file, bool be,
			  const struct expected_option *o, unsigned int n)
{
	unsigned int i;

	for (i = 0; i < n; i++) {
		CU_ASSERT_EQUAL_FATAL(number(p, 2, be), o[i].id);
		CU_ASSERT_EQUAL_FATAL(number(p + 2, 4, be), o[i].size);
		if (o[i].data) {
			CU_ASSERT_EQUAL(memcmp(p + 6, o[i].data, o[i].size), 0);
		} else {
			CU_ASSERT_EQUAL(number(file + number(p + 6, 8, be), 2, be), o[i].id);
		}
		p += 6 + o[i].size;
	}
}

static void check_created(bool be, unsigned int long_size)
{
	static const unsigned int ids[] = { 15, 16, 17, 18, 19, 20, 21, 0 };
	static const char *const titles[] = { "strings",       "headers",  "ftrace events",
					      "events format", "kallsyms", "printk",
					      "command lines", "options" };
	struct tracedat_contents contents = fixture_contents(HIST_COMPRESS_NONE);
	const unsigned char order[2] = { be, long_size }, *strings, *p;
	unsigned char hist[24] = { 0 }, cpus[4] = { 0 };
	const struct expected_option options[] = {
		{ 16, 8, NULL },
		{ 17, 8, NULL },
		{ 18, 8, NULL },
		{ 19, 8, NULL },
		{ 20, 8, NULL },
		{ 21, 8, NULL },
		{ 4, sizeof(FIXTURE_CLOCK), FIXTURE_CLOCK },
		{ 5, sizeof(FIXTURE_UNAME), FIXTURE_UNAME },
		{ 8, 4, cpus },
		{ 0x9157, 24, hist },
		{ 0, 8, "\0\0\0\0\0\0\0" },
	};
	size_t at[8], sizes[8], len, pos = 32;
	struct tracedat_writer *writer = NULL;
	unsigned char *file;
	int fd = memory_file(), i;

	contents.machine.big_endian = be;
	contents.machine.long_size = long_size;
	CU_ASSERT_EQUAL_FATAL(tracedat_create(&writer, fd, &contents), 0);
	file = file_content(fd, &len);
	CU_ASSERT_EQUAL(writer->size, len);
	CU_ASSERT_EQUAL(writer->big_endian, be);
	CU_ASSERT_EQUAL(writer->compression, HIST_COMPRESS_NONE);

	CU_ASSERT_EQUAL(memcmp(file, "\x17\x08\x44tracing7", 12), 0);
	CU_ASSERT_EQUAL(memcmp(file + 12, order, 2), 0);
	CU_ASSERT_EQUAL(memcmp(file + 14, be ? "\0\0\x10\0" : "\0\x10\0\0", 4), 0);
	CU_ASSERT_EQUAL(memcmp(file + 18, "none\0", 6), 0);
	strings = file + 32 + 16;
	for (i = 0; i < 8; i++) {
		CU_ASSERT_TRUE_FATAL(pos + 16 <= len);
		CU_ASSERT_EQUAL(number(file + pos, 2, be), ids[i]);
		CU_ASSERT_EQUAL(number(file + pos + 2, 2, be), 0);
		CU_ASSERT_TRUE(number(file + pos + 4, 4, be) > 0);
		CU_ASSERT_STRING_EQUAL(strings + number(file + pos + 4, 4, be), titles[i]);
		at[i] = pos;
		sizes[i] = number(file + pos + 8, 8, be);
		pos += 16 + sizes[i];
	}
	CU_ASSERT_EQUAL(pos, len);
	CU_ASSERT_EQUAL(number(file + 24, 8, be), at[7]);

	p = file + at[1] + 16;
	CU_ASSERT_EQUAL(memcmp(p, "header_page", 12), 0);
	CU_ASSERT_EQUAL(number(p + 12, 8, be), strlen(fixture_header_page));
	CU_ASSERT_EQUAL(memcmp(p + 20, fixture_header_page, strlen(fixture_header_page)), 0);
	p += 20 + strlen(fixture_header_page);
	CU_ASSERT_EQUAL(memcmp(p, "header_event", 13), 0);
	CU_ASSERT_EQUAL(number(p + 13, 8, be), strlen(fixture_header_event));
	CU_ASSERT_EQUAL(memcmp(p + 21, fixture_header_event, strlen(fixture_header_event)), 0);

	p = file + at[2] + 16;
	CU_ASSERT_EQUAL(sizes[2], 4 + 8 + strlen(fixture_print));
	CU_ASSERT_EQUAL(number(p, 4, be), 1);
	CU_ASSERT_EQUAL(number(p + 4, 8, be), strlen(fixture_print));
	CU_ASSERT_EQUAL(memcmp(p + 12, fixture_print, strlen(fixture_print)), 0);

	p = file + at[3] + 16;
	CU_ASSERT_EQUAL(number(p, 4, be), 2);
	CU_ASSERT_EQUAL(memcmp(p + 4, "sched", 6), 0);
	CU_ASSERT_EQUAL(number(p + 10, 4, be), 2);
	CU_ASSERT_EQUAL(number(p + 14, 8, be), strlen(fixture_waking));
	p += 22 + strlen(fixture_waking);
	CU_ASSERT_EQUAL(number(p, 8, be), strlen(fixture_wakeup));
	p += 8 + strlen(fixture_wakeup);
	CU_ASSERT_EQUAL(memcmp(p, "timer", 6), 0);
	CU_ASSERT_EQUAL(number(p + 6, 4, be), 1);
	CU_ASSERT_EQUAL(number(p + 10, 8, be), strlen(fixture_tick));
	CU_ASSERT_PTR_EQUAL(p + 18 + strlen(fixture_tick), file + at[4]);
	CU_ASSERT_EQUAL(sizes[4], 4);
	CU_ASSERT_EQUAL(sizes[5], 4);
	CU_ASSERT_EQUAL(sizes[6], 8);
	CU_ASSERT_EQUAL(number(file + at[6] + 16, 8, be), 0);

	cpus[be ? 3 : 0] = 2;
	memcpy(hist, be ? "TSIH\0\1" : "HIST\1", be ? 6 : 5);
	for (i = 0; i < 8; i++)
		hist[8 + i] = (uint64_t)len >> 8 * (be ? 7 - i : i);
	for (i = 0; i < 4; i++)
		hist[16 + i] = crc32(0, hist, 16) >> 8 * (be ? 3 - i : i);
	check_options(file + at[7] + 16, file, be, options, sizeof(options) / sizeof(*options));
	tracedat_writer_free(writer);
	free(file);
	close(fd);
}

static void test_created(void)
{
	check_created(false, 8);
	check_created(false, 4);
	check_created(true, 8);
	check_created(true, 4);
}

static void test_create_refuses(void)
{
	struct tracedat_contents good = fixture_contents(HIST_COMPRESS_NONE), bad;
	struct tracedat_writer *writer = NULL;
	int fd = memory_file();
	size_t len;

	bad = good;
	bad.machine.long_size = 5;
	CU_ASSERT_EQUAL(tracedat_create(&writer, fd, &bad), -EINVAL);
	bad = good;
	bad.machine.page_size = 4095;
	CU_ASSERT_EQUAL(tracedat_create(&writer, fd, &bad), -EINVAL);
	bad = good;
	bad.header_event = NULL;
	CU_ASSERT_EQUAL(tracedat_create(&writer, fd, &bad), -EINVAL);
	free(file_content(fd, &len));
	CU_ASSERT_EQUAL(len, 0);
	CU_ASSERT_EQUAL(write(fd, "x", 1), 1);
	CU_ASSERT_EQUAL(tracedat_create(&writer, fd, &good), -EINVAL);
	CU_ASSERT_PTR_NULL(writer);
	close(fd);
	CU_ASSERT_EQUAL(tracedat_create(&writer, fd, &good), -EBADF);
}

/* Sections written and read back; the compressed ones of the stock as well. */
static void check_round_trip(enum hist_compression compression, bool be)
{
	static unsigned char big[700000];
	struct tracedat_contents contents = fixture_contents(compression);
	struct iovec parts[TRACEDAT_PARTS_MAX + 1];
	struct tracedat_writer *writer = NULL;
	struct tracedat_reader *reader = NULL;
	struct tracedat_section section;
	uint64_t at, last;
	const void *data;
	int fd = memory_file(), i;

	for (i = 0; i < (int)sizeof(big); i++)
		big[i] = i * 2654435761u >> 24;
	contents.machine.big_endian = be;
	CU_ASSERT_EQUAL_FATAL(tracedat_create(&writer, fd, &contents), 0);
	for (i = 0; i <= TRACEDAT_PARTS_MAX; i++)
		parts[i] = (struct iovec){ (void *)&"abcdefghijklmnopqrst"[i], i % 3 };
	CU_ASSERT_EQUAL(tracedat_append(writer, TRACEDAT_HIST_ID, parts, TRACEDAT_PARTS_MAX + 1),
			-EINVAL);
	CU_ASSERT_EQUAL(tracedat_append(writer, TRACEDAT_HIST_ID, parts, TRACEDAT_PARTS_MAX), 0);
	parts[0] = (struct iovec){ big, sizeof(big) };
	CU_ASSERT_EQUAL(tracedat_append(writer, TRACEDAT_HIST_ID, parts, 1), 0);
	CU_ASSERT_EQUAL(tracedat_append(writer, 0x7777, NULL, 0), 0);
	last = writer->size;

	CU_ASSERT_EQUAL_FATAL(open_file(&reader, fd, NULL), 0);
	CU_ASSERT_EQUAL(reader->big_endian, be);
	CU_ASSERT_EQUAL(reader->compression, compression);
	CU_ASSERT_EQUAL(reader->size, last);
	CU_ASSERT_FALSE(tracedat_has_events(reader));
	CU_ASSERT_EQUAL_FATAL(tracedat_find_hist(reader, &at), TRACEDAT_HIST_FOUND);
	CU_ASSERT_EQUAL_FATAL(tracedat_read_section(reader, at, &section), 1);
	CU_ASSERT_EQUAL(section.offset, at);
	CU_ASSERT_EQUAL(section.data, at + 16);
	CU_ASSERT_EQUAL(section.size, 15);
	CU_ASSERT_EQUAL(section.id, 0x9157);
	CU_ASSERT_EQUAL(section.flags, 0);
	CU_ASSERT_EQUAL(tracedat_read(reader, section.data, 15, &data), 0);
	CU_ASSERT_EQUAL(memcmp(data, "bcdefghijklmnop", 15), 0);
	at = section.data + 15;
	CU_ASSERT_EQUAL(tracedat_read_section(reader, at, &section), 1);
	CU_ASSERT_EQUAL(section.size, sizeof(big));
	CU_ASSERT_EQUAL(tracedat_read(reader, section.data, section.size, &data), 0);
	CU_ASSERT_EQUAL(memcmp(data, big, sizeof(big)), 0);
	/* through the window, forward and back */
	for (i = 0; i < (int)sizeof(big) - 100; i += 9973) {
		CU_ASSERT_EQUAL(tracedat_read(reader, section.data + i, 100, &data), 0);
		CU_ASSERT_EQUAL(memcmp(data, big + i, 100), 0);
	}
	CU_ASSERT_EQUAL(tracedat_read(reader, section.data, 100, &data), 0);
	CU_ASSERT_EQUAL(memcmp(data, big, 100), 0);
	at = section.data + section.size;
	CU_ASSERT_EQUAL(tracedat_read_section(reader, at, &section), 1);
	CU_ASSERT_EQUAL(section.id, 0x7777);
	CU_ASSERT_EQUAL(section.size, 0);
	CU_ASSERT_EQUAL(tracedat_read_section(reader, at + 16, &section), 0);
	CU_ASSERT_EQUAL(tracedat_read_section(reader, at + 17, &section), -ENODATA);
	CU_ASSERT_EQUAL(tracedat_read(reader, at, 17, &data), -ENODATA);
	CU_ASSERT_EQUAL(tracedat_read(reader, at + 16, 0, &data), 0);
	CU_ASSERT_EQUAL(tracedat_read(reader, UINT64_MAX, 2, &data), -ENODATA);
	CU_ASSERT_EQUAL(tracedat_read(reader, 1, SIZE_MAX, &data), -ENODATA);
	tracedat_reader_free(reader);
	tracedat_writer_free(writer);
	close(fd);
}

static void test_round_trip(void)
{
	check_round_trip(HIST_COMPRESS_NONE, false);
	check_round_trip(HIST_COMPRESS_NONE, true);
	check_round_trip(HIST_COMPRESS_ZSTD, false);
	check_round_trip(HIST_COMPRESS_ZSTD, true);
	check_round_trip(HIST_COMPRESS_ZLIB, false);
	tracedat_reader_free(NULL);
	tracedat_writer_free(NULL);
}

/* Files may grow to @size bytes; beyond that a write is cut short and fails. */
static void limit_files(rlim_t size)
{
	struct rlimit limit;

	getrlimit(RLIMIT_FSIZE, &limit);
	limit.rlim_cur = size;
	CU_ASSERT_EQUAL_FATAL(setrlimit(RLIMIT_FSIZE, &limit), 0);
}

/* The same bytes, however the system calls go; one call where they go well. */
static void test_short_writes(void)
{
	static const size_t most[] = { SIZE_MAX, 1, 7, 16, 17, 20 };
	static const size_t calls[] = { 1, 41, 6, 3, 3, 3 };
	struct tracedat_contents contents = fixture_contents(HIST_COMPRESS_ZSTD);
	struct iovec parts[] = { { "abcde", 5 }, { "", 0 }, { "0123456789fghijklmno", 20 } };
	struct tracedat_writer *writer = NULL;
	unsigned char *file;
	int fd = memory_file();
	size_t len, i, before;

	limit_writes(100, true, SIZE_MAX, 0);
	CU_ASSERT_EQUAL_FATAL(tracedat_create(&writer, fd, &contents), 0);
	for (i = 0; i < sizeof(most) / sizeof(*most); i++) {
		before = writer->size;
		limit_writes(most[i], i % 2, calls[i] - 1, ENOSPC);
		CU_ASSERT_EQUAL(tracedat_append(writer, TRACEDAT_HIST_ID, parts, 3), -ENOSPC);
		free(file_content(fd, &len));
		CU_ASSERT_EQUAL(len, before);
		limit_writes(most[i], i % 2, calls[i], EIO);
		CU_ASSERT_EQUAL(tracedat_append(writer, TRACEDAT_HIST_ID, parts, 3), 0);
		file = file_content(fd, &len);
		CU_ASSERT_EQUAL_FATAL(len, before + 41);
		CU_ASSERT_EQUAL(memcmp(file + before,
				       "\x57\x91\0\0\x61\0\0\0\x19\0\0\0\0\0\0\0"
				       "abcde0123456789fghijklmno",
				       41),
				0);
		free(file);
	}
	tracedat_writer_free(writer);
	close(fd);
	/* the second write of a link, into the old part of the file, fails */
	file = data_file("events.dat", &before);
	fd = memory_file_with(file, before);
	limit_writes(SIZE_MAX, false, 1, EIO);
	CU_ASSERT_EQUAL_FATAL(tracedat_attach(&writer, fd), 0);
	CU_ASSERT_EQUAL(tracedat_link(writer), -EIO);
	limit_writes(SIZE_MAX, false, SIZE_MAX, 0);
	free(file);
	file = file_content(fd, &len);
	CU_ASSERT_EQUAL(len, before);
	CU_ASSERT_EQUAL(tracedat_link(writer), 0);
	tracedat_writer_free(writer);
	free(file);
	close(fd);
}

static void test_full_disk(void)
{
	struct tracedat_contents contents = fixture_contents(HIST_COMPRESS_ZSTD);
	void (*handler)(int) = signal(SIGXFSZ, SIG_IGN);
	struct tracedat_writer *writer = NULL;
	struct tracedat_reader *reader = NULL;
	unsigned char *before, *after;
	size_t len, after_len, room;
	int fd = memory_file(), end;
	uint64_t first;

	limit_files(500);
	CU_ASSERT_EQUAL(tracedat_create(&writer, fd, &contents), -EFBIG);
	free(file_content(fd, &len));
	CU_ASSERT_EQUAL(len, 0);
	limit_files(RLIM_INFINITY);
	CU_ASSERT_EQUAL_FATAL(tracedat_create(&writer, fd, &contents), 0);
	CU_ASSERT_EQUAL(append_fill(writer, 1, 100), 0);
	before = file_content(fd, &len);
	/* room for nothing, part of the header, the header, part of the data */
	for (room = 0; room < 16 + 200; room += 5) {
		limit_files(len + room);
		CU_ASSERT_EQUAL(append_fill(writer, 2, 200), -EFBIG);
		limit_files(RLIM_INFINITY);
		CU_ASSERT_EQUAL(writer->size, len);
		after = file_content(fd, &after_len);
		CU_ASSERT_TRUE(after_len == len && !memcmp(before, after, len));
		free(after);
	}
	CU_ASSERT_EQUAL(append_fill(writer, 3, 300), 0);
	CU_ASSERT_EQUAL_FATAL(open_file(&reader, fd, NULL), 0);
	CU_ASSERT_EQUAL(tracedat_find_hist(reader, &first), TRACEDAT_HIST_FOUND);
	CU_ASSERT_EQUAL(count_sections(reader, first, &end), 2);
	CU_ASSERT_EQUAL(end, 0);
	tracedat_reader_free(reader);
	tracedat_writer_free(writer);
	free(before);
	close(fd);

	/* a link that fails, too, leaves the file as it was */
	before = data_file("events.dat", &len);
	fd = memory_file_with(before, len);
	CU_ASSERT_EQUAL_FATAL(tracedat_attach(&writer, fd), 0);
	limit_files(len + 50);
	CU_ASSERT_EQUAL(tracedat_link(writer), -EFBIG);
	limit_files(RLIM_INFINITY);
	after = file_content(fd, &after_len);
	CU_ASSERT_TRUE(after_len == len && !memcmp(before, after, len));
	CU_ASSERT_EQUAL(tracedat_link(writer), 0);
	tracedat_writer_free(writer);
	free(before);
	free(after);
	close(fd);
	signal(SIGXFSZ, handler);
}

/* Attach to @file twice: found after the link, not before, refused again. */
static void check_attach(const unsigned char *file, size_t len, bool link_first)
{
	struct tracedat_writer *writer = NULL, *second = NULL;
	struct tracedat_reader *reader = NULL;
	int fd = memory_file_with(file, len), end;
	unsigned char *after;
	size_t after_len, i, changed = 0;
	uint64_t first = 0;

	CU_ASSERT_EQUAL_FATAL(tracedat_attach(&writer, fd), 0);
	CU_ASSERT_EQUAL(writer->compression, HIST_COMPRESS_ZSTD);
	CU_ASSERT_EQUAL(writer->size, len);
	if (link_first)
		CU_ASSERT_EQUAL(tracedat_link(writer), 0);
	CU_ASSERT_EQUAL(append_fill(writer, 1, 1000), 0);
	CU_ASSERT_EQUAL(append_fill(writer, 2, 10), 0);
	if (!link_first) {
		CU_ASSERT_EQUAL_FATAL(open_file(&reader, fd, NULL), 0);
		CU_ASSERT_EQUAL(tracedat_find_hist(reader, &first), TRACEDAT_HIST_NONE);
		CU_ASSERT_EQUAL(first, 0);
		tracedat_reader_free(reader);
		CU_ASSERT_EQUAL(tracedat_link(writer), 0);
	}
	CU_ASSERT_EQUAL(tracedat_link(writer), -EINVAL);
	CU_ASSERT_EQUAL(append_fill(writer, 3, 20), 0);
	CU_ASSERT_EQUAL_FATAL(open_file(&reader, fd, NULL), 0);
	CU_ASSERT_EQUAL(tracedat_find_hist(reader, &first), TRACEDAT_HIST_FOUND);
	/* two headers, 26 bytes of strings, two options */
	CU_ASSERT_EQUAL(first, link_first ? len + 16 + 26 + 16 + 30 + 14 : len);
	CU_ASSERT_EQUAL(count_sections(reader, first, &end), 3);
	CU_ASSERT_EQUAL(end, 0);
	CU_ASSERT_TRUE(tracedat_has_events(reader));
	CU_ASSERT_EQUAL(tracedat_attach(&second, fd), -EEXIST);
	after = file_content(fd, &after_len);
	for (i = 0; i < len; i++)
		changed += file[i] != after[i];
	CU_ASSERT_TRUE(changed > 0 && changed <= 8);
	tracedat_reader_free(reader);
	tracedat_writer_free(writer);
	free(after);
	close(fd);
}

static void test_attach(void)
{
	struct tracedat_writer *writer = NULL;
	struct tracedat_reader *reader = NULL;
	unsigned char *file, *own;
	size_t len, own_len, first;
	uint64_t offset;
	int fd;

	file = data_file("events.dat", &len);
	CU_ASSERT_EQUAL_FATAL(open_content(&reader, file, len, NULL), 0);
	CU_ASSERT_EQUAL(tracedat_find_hist(reader, &offset), TRACEDAT_HIST_NONE);
	CU_ASSERT_TRUE(tracedat_has_events(reader));
	tracedat_reader_free(reader);
	check_attach(file, len, false);
	check_attach(file, len, true);
	/* strings ids go on where those of the file end: 108 */
	fd = memory_file_with(file, len);
	CU_ASSERT_EQUAL_FATAL(tracedat_attach(&writer, fd), 0);
	CU_ASSERT_EQUAL(append_fill(writer, 9, 1), 0);
	own = file_content(fd, &own_len);
	CU_ASSERT_EQUAL(memcmp(own + len, "\x57\x91\0\0\x6c\0\0\0\1\0\0\0\0\0\0\0\x09", 17), 0);
	CU_ASSERT_EQUAL(own_len, len + 17);
	tracedat_writer_free(writer);
	free(own);
	close(fd);
	/* a file whose sections do not reach to its end */
	writer = NULL;
	fd = memory_file_with(file, len - 1);
	CU_ASSERT_EQUAL(tracedat_attach(&writer, fd), -EBADMSG);
	close(fd);
	free(file);
	/* one of our own: the option is there already */
	file = sample_file(HIST_COMPRESS_ZSTD, false, &len, &first);
	fd = memory_file_with(file, len);
	CU_ASSERT_EQUAL(tracedat_attach(&writer, fd), -EEXIST);
	CU_ASSERT_PTR_NULL(writer);
	close(fd);
	free(file);
}

UNIT_TESTS(
	{ "unaligned integers are read and written in both byte orders", test_integers },
	{ "compressed data reads back unchanged, and a wrong length is refused",
	  test_compressions },
	{ "a new trace.dat file matches trace-cmd.dat.v7(5) byte by byte", test_created },
	{ "creating a trace.dat file with invalid contents or in a used file is refused",
	  test_create_refuses },
	{ "sections read back as written, in each compression and both byte orders",
	  test_round_trip },
	{ "short or interrupted writes produce the same bytes, and a failed write changes nothing",
	  test_short_writes },
	{ "a full disk leaves the trace.dat file unchanged, and a later write succeeds",
	  test_full_disk },
	{ "histograms attach to a finished recording only once and change at most 8 of its bytes",
	  test_attach });

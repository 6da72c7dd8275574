// SPDX-License-Identifier: GPL-2.0
/*
 * tracedat_damage_test.c - cut, flipped and hostile trace.dat files
 *
 * The loops look for crashes, too: they are meant to run under
 * AddressSanitizer.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zlib.h>

#include <CUnit/Basic.h>

#include "lib/tracedat/tracedat_format.h"
#include "utest/unit/test_data.h"
#include "utest/unit/lib/tracedat/tracedat_files.h"
#include "utest/unit/tests.h"

#define OPTION_SIZE 24

/* The data of the only option with this id, searched for by its first 6 bytes. */
static unsigned char *find_option(unsigned char *file, size_t len, const char *id_and_size)
{
	unsigned char *p = memmem(file, len, id_and_size, 6);

	CU_ASSERT_PTR_NOT_NULL_FATAL(p);
	return p + 6;
}

static unsigned char *find_hist(unsigned char *file, size_t len)
{
	return find_option(file, len, "\x57\x91\x18\0\0\0");
}

static void set_crc(unsigned char *option)
{
	bytes_put_u32(false, option + 16, crc32(0, option, 16));
}

/* What the reader says of @file; errors are asserted by the caller. */
static int open_state(const unsigned char *file, size_t len, uint64_t *first)
{
	struct tracedat_reader *reader = NULL;
	struct hist_error error = { 0 };
	int ret;

	ret = open_content(&reader, file, len, &error);
	CU_ASSERT_EQUAL(error.err, ret);
	if (ret) {
		CU_ASSERT_PTR_NULL(reader);
		CU_ASSERT_STRING_NOT_EQUAL(error.what, "");
		return ret;
	}
	ret = tracedat_find_hist(reader, first);
	tracedat_reader_free(reader);
	return ret;
}

/* The sentence of a file that is not opened. */
static const char *refusal(const void *file, size_t len, int ret)
{
	struct tracedat_reader *reader = NULL;
	struct hist_error error = { .what = "opened" };

	CU_ASSERT_EQUAL(open_content(&reader, file, len, &error), ret);
	tracedat_reader_free(reader);
	return test_error(&error);
}

static void check_cuts(enum hist_compression compression, bool be)
{
	struct tracedat_reader *reader;
	size_t len, first, cut;
	unsigned char *file = sample_file(compression, be, &len, &first);
	const size_t ends[] = { first + 16 + 40, first + 32 + 40, first + 48 + 47 };
	int ret, n, end;
	struct hist_error error;
	uint64_t at;

	CU_ASSERT_EQUAL(ends[2], len);
	for (cut = 0; cut <= len; cut++) {
		reader = NULL;
		error = (struct hist_error){ 0 };
		ret = open_content(&reader, file, cut, &error);
		if (cut < first) {
			CU_ASSERT_EQUAL(ret, cut < 10 ? -EINVAL : -EBADMSG);
			CU_ASSERT_EQUAL(error.err, ret);
			CU_ASSERT_STRING_NOT_EQUAL(error.what, "");
			continue;
		}
		CU_ASSERT_EQUAL_FATAL(ret, 0);
		CU_ASSERT_EQUAL(tracedat_find_hist(reader, &at), TRACEDAT_HIST_FOUND);
		CU_ASSERT_EQUAL(at, first);
		n = count_sections(reader, at, &end);
		CU_ASSERT_EQUAL(n, (cut >= ends[0]) + (cut >= ends[1]) + (cut >= ends[2]));
		CU_ASSERT_EQUAL(end,
				cut == first || cut == ends[0] || cut == ends[1] || cut == ends[2]
					? 0
					: -ENODATA);
		tracedat_reader_free(reader);
	}
	free(file);
}

static void test_cuts(void)
{
	check_cuts(HIST_COMPRESS_NONE, false);
	check_cuts(HIST_COMPRESS_NONE, true);
	check_cuts(HIST_COMPRESS_ZSTD, false);
}

/* A finished file with our sections: cut it everywhere. */
static void check_attached_cuts(bool link_first)
{
	struct tracedat_writer *writer = NULL;
	size_t len, all, cut, linked;
	unsigned char *file = data_file("events.dat", &len), *own;
	int fd = memory_file_with(file, len), state;
	uint64_t at;

	CU_ASSERT_EQUAL_FATAL(tracedat_attach(&writer, fd), 0);
	if (link_first)
		CU_ASSERT_EQUAL(tracedat_link(writer), 0);
	linked = writer->size;
	CU_ASSERT_EQUAL(append_fill(writer, 1, 50), 0);
	CU_ASSERT_EQUAL(append_fill(writer, 1, 50), 0);
	if (!link_first) {
		CU_ASSERT_EQUAL(tracedat_link(writer), 0);
		linked = writer->size;
	}
	tracedat_writer_free(writer);
	own = file_content(fd, &all);
	for (cut = len - 300; cut <= all; cut++) {
		state = open_state(own, cut, &at);
		CU_ASSERT_EQUAL(state, cut < linked ? -EBADMSG : (int)TRACEDAT_HIST_FOUND);
	}
	free(file);
	free(own);
	close(fd);
}

static void test_attached_cuts(void)
{
	check_attached_cuts(false);
	check_attached_cuts(true);
}

/* All that a reader can be asked. */
static int use(const unsigned char *file, size_t len)
{
	struct tracedat_section section;
	struct tracedat_writer *writer = NULL;
	struct tracedat_reader *reader = NULL;
	const void *data;
	uint64_t at = 0;
	int fd = memory_file_with(file, len), state, steps = 0;

	if (!tracedat_attach(&writer, fd)) {
		append_fill(writer, 1, 1);
		tracedat_link(writer);
	}
	tracedat_writer_free(writer);
	CU_ASSERT_EQUAL_FATAL(pwrite(fd, file, len, 0), (ssize_t)len);
	CU_ASSERT_EQUAL_FATAL(ftruncate(fd, len), 0);
	state = open_file(&reader, fd, NULL);
	close(fd);
	if (state)
		return state;
	state = tracedat_find_hist(reader, &at);
	while (tracedat_read_section(reader, at, &section) == 1) {
		CU_ASSERT_EQUAL(tracedat_read(reader, section.data, section.size, &data), 0);
		at = section.data + section.size;
		CU_ASSERT_TRUE_FATAL(++steps <= (int)len / 16);
	}
	tracedat_reader_free(reader);
	return state;
}

/*
 * Flips each byte in several ways.  In our option that makes it BAD, in our
 * sections it changes nothing to the state.
 */
static void check_flips(unsigned char *file, size_t len, size_t first, bool found_from_first)
{
	static const unsigned char flips[] = { 0x01, 0x80, 0xff, 0x10 };
	size_t hist = find_hist(file, len) - file, i, j;
	int state;

	for (i = 0; i < len; i++) {
		for (j = 0; j < sizeof(flips); j++) {
			file[i] ^= flips[j];
			state = use(file, len);
			if (i >= hist && i < hist + 20 && (i - hist < 6 || i - hist >= 8))
				CU_ASSERT_EQUAL(state, TRACEDAT_HIST_BAD);
			if (found_from_first && i >= first)
				CU_ASSERT_EQUAL(state, TRACEDAT_HIST_FOUND);
			file[i] ^= flips[j];
		}
	}
}

static void test_flips(void)
{
	struct tracedat_writer *writer = NULL;
	unsigned char *file, *own;
	size_t len, first, i;
	int fd;

	file = sample_file(HIST_COMPRESS_NONE, false, &len, &first);
	check_flips(file, len, first, true);
	free(file);
	file = sample_file(HIST_COMPRESS_ZSTD, false, &len, &first);
	check_flips(file, len, first, true);
	free(file);
	/* the parts of a stock file that are looked at: header, options, section headers */
	file = data_file("events.dat", &len);
	fd = memory_file_with(file, len);
	CU_ASSERT_EQUAL_FATAL(tracedat_attach(&writer, fd), 0);
	CU_ASSERT_EQUAL(append_fill(writer, 1, 50), 0);
	CU_ASSERT_EQUAL(tracedat_link(writer), 0);
	tracedat_writer_free(writer);
	own = file_content(fd, &len);
	for (i = 0; i < len; i = i < 64 || i >= 6500 ? i + 1 : i + 97) {
		own[i] ^= 0xff;
		use(own, len);
		own[i] ^= 0xff;
	}
	CU_ASSERT_EQUAL(use(own, len), TRACEDAT_HIST_FOUND);
	free(own);
	free(file);
	close(fd);
}

static void test_states(void)
{
	size_t len, first;
	unsigned char *file = sample_file(HIST_COMPRESS_NONE, false, &len, &first), *p;
	uint64_t at = 77;

	p = find_hist(file, len);
	CU_ASSERT_EQUAL(open_state(file, len, &at), TRACEDAT_HIST_FOUND);
	CU_ASSERT_EQUAL(at, first);
	/* elsewhere, with a good CRC: another section, in front, behind, far behind */
	at = 77;
	bytes_put_u64(false, p + 8, 32);
	set_crc(p);
	CU_ASSERT_EQUAL(open_state(file, len, &at), TRACEDAT_HIST_STALE);
	bytes_put_u64(false, p + 8, 100);
	set_crc(p);
	CU_ASSERT_EQUAL(open_state(file, len, &at), TRACEDAT_HIST_STALE);
	bytes_put_u64(false, p + 8, first + 16 + 40);
	set_crc(p);
	CU_ASSERT_EQUAL(open_state(file, len, &at), TRACEDAT_HIST_STALE);
	bytes_put_u64(false, p + 8, len);
	set_crc(p);
	CU_ASSERT_EQUAL(open_state(file, len, &at), TRACEDAT_HIST_STALE);
	bytes_put_u64(false, p + 8, UINT64_MAX);
	set_crc(p);
	CU_ASSERT_EQUAL(open_state(file, len, &at), TRACEDAT_HIST_STALE);
	bytes_put_u64(false, p + 8, 0);
	set_crc(p);
	CU_ASSERT_EQUAL(open_state(file, len, &at), TRACEDAT_HIST_STALE);
	/* a later version, another magic, a wrong CRC, another size */
	bytes_put_u64(false, p + 8, first);
	bytes_put_u16(false, p + 4, 2);
	set_crc(p);
	CU_ASSERT_EQUAL(open_state(file, len, &at), TRACEDAT_HIST_BAD);
	bytes_put_u16(false, p + 4, 1);
	p[0] ^= 1;
	set_crc(p);
	CU_ASSERT_EQUAL(open_state(file, len, &at), TRACEDAT_HIST_BAD);
	p[0] ^= 1;
	CU_ASSERT_EQUAL(open_state(file, len, &at), TRACEDAT_HIST_BAD);
	set_crc(p);
	CU_ASSERT_EQUAL(open_state(file, len, &at), TRACEDAT_HIST_FOUND);
	at = 77;
	/* 6 bytes fewer, and an empty option in their place */
	p[-4] = OPTION_SIZE - 6;
	memset(p + OPTION_SIZE - 6, 0, 6);
	p[OPTION_SIZE - 6] = 2;
	CU_ASSERT_EQUAL(open_state(file, len, &at), TRACEDAT_HIST_BAD);
	/* another id: none */
	p[-4] = OPTION_SIZE;
	p[-6] = 0x58;
	CU_ASSERT_EQUAL(open_state(file, len, &at), TRACEDAT_HIST_NONE);
	CU_ASSERT_EQUAL(at, 77);
	free(file);
}

static void test_refusals(void)
{
	struct tracedat_reader *reader = NULL;
	size_t len, first;
	unsigned char *file = sample_file(HIST_COMPRESS_NONE, false, &len, &first), *p;
	uint64_t options = bytes_u64(false, file + 24);
	char path[] = "/tmp/tracedat_test.XXXXXX", fifo[64];
	struct hist_error error = { 0 };

	CU_ASSERT_STRING_EQUAL(refusal("", 0, -EINVAL), "not a trace.dat file");
	CU_ASSERT_STRING_EQUAL(refusal("PERFILE2 and more", 17, -EINVAL), "not a trace.dat file");
	file[10] = '6';
	CU_ASSERT_STRING_EQUAL(refusal(file, len, -EINVAL), "version 6 of trace.dat cannot contain "
			       "histograms (version 7 can)");
	file[10] = '8';
	CU_ASSERT_STRING_EQUAL(refusal(file, len, -EINVAL),
			       "unknown version of trace.dat (7 is supported)");
	file[10] = '7';
	file[12] = 2;
	CU_ASSERT_STRING_EQUAL(refusal(file, len, -EBADMSG), "the header is damaged");
	file[12] = 0;
	file[18] = 'N';
	CU_ASSERT_STRING_EQUAL(refusal(file, len, -ENOTSUP),
			       "unknown compression (zstd and zlib are supported)");
	file[18] = 'n';
	/* a recording that was killed leaves 0 here */
	bytes_put_u64(false, file + 24, 0);
	CU_ASSERT_STRING_EQUAL(refusal(file, len, -EBADMSG),
			       "the file has no options section because its recording did not end");
	bytes_put_u64(false, file + 24, 31);
	CU_ASSERT_STRING_EQUAL(refusal(file, len, -EBADMSG), "the options section is damaged");
	bytes_put_u64(false, file + 24, first);
	CU_ASSERT_STRING_EQUAL(refusal(file, len, -EBADMSG), "the options section is damaged");
	bytes_put_u64(false, file + 24, UINT64_MAX);
	CU_ASSERT_STRING_EQUAL(refusal(file, len, -EBADMSG),
			       "the options section is missing because the file is truncated");
	bytes_put_u64(false, file + 24, options);
	/* DONE points to its own section, to one before, behind the end */
	p = file + first - 8;
	bytes_put_u64(false, p, options);
	CU_ASSERT_STRING_EQUAL(refusal(file, len, -EBADMSG), "the options sections refer to "
							     "each other in a "
			       "loop");
	bytes_put_u64(false, p, 32);
	CU_ASSERT_STRING_EQUAL(refusal(file, len, -EBADMSG), "the options sections refer to "
							     "each other in a "
			       "loop");
	bytes_put_u64(false, p, UINT64_MAX);
	CU_ASSERT_STRING_EQUAL(refusal(file, len, -EBADMSG),
			       "the options section is missing because the file is truncated");
	bytes_put_u64(false, p, 0);
	/* a DONE too small, and too large; none at all; an option as large as 32 bits */
	bytes_put_u32(false, p - 4, 7);
	CU_ASSERT_STRING_EQUAL(refusal(file, len, -EBADMSG), "the options section is damaged");
	bytes_put_u32(false, p - 4, 9);
	CU_ASSERT_STRING_EQUAL(refusal(file, len, -EBADMSG), "the options section is damaged");
	bytes_put_u32(false, p - 4, 8);
	p[-6] = 1;
	CU_ASSERT_STRING_EQUAL(refusal(file, len, -EBADMSG), "the options section is damaged");
	p[-6] = 0;
	bytes_put_u32(false, file + options + 18, UINT32_MAX);
	CU_ASSERT_STRING_EQUAL(refusal(file, len, -EBADMSG), "the options section is damaged");
	bytes_put_u32(false, file + options + 18, 8);
	/* sections of nearly 2^64 bytes */
	bytes_put_u64(false, file + options + 8, UINT64_MAX - 15);
	CU_ASSERT_STRING_EQUAL(refusal(file, len, -EBADMSG),
			       "the options section is missing because the file is truncated");
	bytes_put_u64(false, file + options + 8, first - options - 16);
	CU_ASSERT_STRING_EQUAL(refusal(file, len, 0), "opened");
	free(file);

	CU_ASSERT_EQUAL(tracedat_open(&reader, "/nonexistent/x.dat", &error), -ENOENT);
	CU_ASSERT_EQUAL(tracedat_open(&reader, "/tmp", &error), -EINVAL);
	CU_ASSERT_STRING_EQUAL(test_error(&error), "not a regular file");
	CU_ASSERT_PTR_NOT_NULL_FATAL(mkdtemp(path));
	snprintf(fifo, sizeof(fifo), "%s/fifo", path);
	CU_ASSERT_EQUAL(mkfifo(fifo, 0600), 0);
	CU_ASSERT_EQUAL(tracedat_open(&reader, fifo, &error), -EINVAL);
	CU_ASSERT_PTR_NULL(reader);
	unlink(fifo);
	rmdir(path);
}

/* The sample, with the chain going on to a section @data of options behind it. */
static unsigned char *with_options(const void *data, size_t size, uint16_t flags, size_t *len)
{
	size_t first;
	unsigned char *file = sample_file(HIST_COMPRESS_ZLIB, false, len, &first);

	file = realloc(file, *len + 16 + size);
	bytes_put_u64(false, file + first - 8, *len);
	memset(file + *len, 0, 16);
	bytes_put_u16(false, file + *len + 2, flags);
	bytes_put_u64(false, file + *len + 8, size);
	memcpy(file + *len + 16, data, size);
	*len += 16 + size;
	return file;
}

static bool events_with(const void *data, size_t size)
{
	struct tracedat_reader *reader = NULL;
	unsigned char *file;
	bool events;
	size_t len;

	file = with_options(data, size, 0, &len);
	CU_ASSERT_EQUAL_FATAL(open_content(&reader, file, len, NULL), 0);
	events = tracedat_has_events(reader);
	tracedat_reader_free(reader);
	free(file);
	return events;
}

#define DONE "\0\0\x08\0\0\0\0\0\0\0\0\0\0\0"
#define BUFFER(size, cpus)   \
	"\3\0" size "\0\0\0" \
	"OFFSET.."           \
	"\0local\0\0\x10\0\0" cpus "\0\0\0"
#define CPU(size)  \
	"\0\0\0\0" \
	"OFFSET.." size "\0\0\0\0\0\0\0"

/* A string literal with a NUL at the end that does not count. */
#define BYTES(s) s, sizeof(s) - 1

static void test_buffers(void)
{
	CU_ASSERT_FALSE(events_with(BYTES(DONE)));
	CU_ASSERT_FALSE(events_with(BYTES(BUFFER("\x17", "\0") DONE)));
	CU_ASSERT_FALSE(events_with(BYTES(BUFFER("\x2b", "\1") CPU("\0") DONE)));
	CU_ASSERT_TRUE(events_with(BYTES(BUFFER("\x2b", "\1") CPU("\1") DONE)));
	CU_ASSERT_TRUE(events_with(BYTES(BUFFER("\x3f", "\2") CPU("\0") CPU("\1") DONE)));
	/* more CPUs than there is room for, and no strings in it */
	CU_ASSERT_TRUE(events_with(BYTES(BUFFER("\x2b", "\2") CPU("\0") DONE)));
	CU_ASSERT_TRUE(events_with(BYTES("\3\0\x09\0\0\0aaaaaaaaa" DONE)));
	CU_ASSERT_TRUE(events_with(BYTES("\3\0\0\0\0\0" DONE)));
	/* text of a latency tracer */
	CU_ASSERT_TRUE(events_with(BYTES("\x16\0\0\0\0\0" DONE)));
}

/* Packs @raw into a compressed options section that claims @raw_len bytes. */
static int packed_state(const void *raw, size_t size, uint32_t raw_len, bool attach)
{
	struct hist_compressor *c = hist_compressor_new(HIST_COMPRESS_ZLIB);
	struct tracedat_writer *writer = NULL;
	size_t packed_len, len;
	unsigned char *data, *file;
	const void *packed;
	uint64_t at;
	int ret, fd;

	CU_ASSERT_EQUAL_FATAL(hist_compress(c, raw, size, &packed, &packed_len), 0);
	data = malloc(packed_len + 8);
	bytes_put_u32(false, data, packed_len);
	bytes_put_u32(false, data + 4, raw_len);
	memcpy(data + 8, packed, packed_len);
	file = with_options(data, packed_len + 8, 1, &len);
	if (attach) {
		find_hist(file, len)[-6] = 0x58;
		fd = memory_file_with(file, len);
		ret = tracedat_attach(&writer, fd);
		close(fd);
	} else {
		ret = open_state(file, len, &at);
	}
	tracedat_writer_free(writer);
	hist_compressor_free(c);
	free(data);
	free(file);
	return ret;
}

static void test_compressed_options(void)
{
	static const unsigned char done[14] = { 0, 0, 8 };
	const size_t size = 17 << 20;
	unsigned char *large;

	CU_ASSERT_EQUAL(packed_state(done, 14, 14, false), TRACEDAT_HIST_FOUND);
	CU_ASSERT_EQUAL(packed_state(done, 14, 15, false), -EBADMSG);
	CU_ASSERT_EQUAL(packed_state(done, 14, 13, false), -EBADMSG);
	CU_ASSERT_EQUAL(packed_state(done, 13, 13, false), -EBADMSG);
	CU_ASSERT_EQUAL(packed_state(done, 14, 0, false), -EBADMSG);
	/* what would be 4 GiB is refused before memory is taken */
	CU_ASSERT_EQUAL(packed_state(done, 14, UINT32_MAX, false), -EBADMSG);
	/* good, but 17 MiB from 17 KiB */
	large = calloc(1, size);
	CU_ASSERT_PTR_NOT_NULL_FATAL(large);
	large[0] = 2;
	bytes_put_u32(false, large + 2, size - 6 - 14);
	memcpy(large + size - 14, done, 14);
	CU_ASSERT_EQUAL(packed_state(large, size, size, false), -EBADMSG);
	free(large);
	/* no offset can be entered into a compressed DONE */
	CU_ASSERT_EQUAL(packed_state(done, 14, 14, true), -ENOTSUP);
}

UNIT_TESTS(
	{ "a trace.dat file truncated at any byte yields its complete sections or is refused",
	  test_cuts },
	{ "a truncated trace.dat file with attached histograms opens if the link is complete",
	  test_attached_cuts },
	{ "a flipped byte in the histogram option is detected, and none crashes the reader",
	  test_flips },
	{ "a histogram option with another offset is stale, and with another version or CRC bad",
	  test_states },
	{ "a damaged or unsupported trace.dat file is refused with the reason", test_refusals },
	{ "a buffer counts as one with events if the buffer contains data or is malformed",
	  test_buffers },
	{ "compressed options with a wrong or excessive size are refused",
	  test_compressed_options });

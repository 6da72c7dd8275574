// SPDX-License-Identifier: GPL-2.0
/*
 * wire_test.c - frames and lines: there and back, cut anywhere, and wrong ones
 */
#include <errno.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>

#include <CUnit/Basic.h>

#include "helper/wire/wire.h"
#include "utest/unit/tests.h"

/* A wire whose far end is a buffer. */
struct tape {
	int pause_ms; /* before each read or write */
	unsigned char data[300000];
	size_t at, len;
	size_t step; /* bytes for one read or write */
	int waits;
	struct wire *wire;
};

static int tape_read(void *arg, void *to, size_t len)
{
	struct tape *t = arg;
	size_t n = t->len - t->at;

	n = n < len ? n : len;
	n = n < t->step ? n : t->step;
	memcpy(to, t->data + t->at, n);
	t->at += n;
	return n;
}

static int tape_write(void *arg, const void *from, size_t len)
{
	struct tape *t = arg;
	size_t n = len < t->step ? len : t->step;

	CU_ASSERT_FATAL(t->len + n <= sizeof(t->data));
	memcpy(t->data + t->len, from, n);
	t->len += n;
	return n;
}

static int tape_wait(void *arg, short events, int ms)
{
	struct tape *t = arg;

	(void)events;
	t->waits++;
	if (ms >= 0 && ms < t->pause_ms) {
		poll(NULL, 0, ms);
		return -ETIMEDOUT;
	}
	poll(NULL, 0, t->pause_ms);
	return 0;
}

static struct tape *tape_new(size_t step)
{
	struct tape *t = calloc(1, sizeof(*t));
	struct wire_io io = { tape_read, tape_write, tape_wait, t };

	CU_ASSERT_PTR_NOT_NULL_FATAL(t);
	t->step = step;
	t->wire = wire_new(&io);
	CU_ASSERT_PTR_NOT_NULL_FATAL(t->wire);
	return t;
}

static void tape_free(struct tape *t)
{
	free(t->wire);
	free(t);
}

static void put(struct tape *t, const void *data, size_t len)
{
	memcpy(t->data + t->len, data, len);
	t->len += len;
}

/* The bytes of a frame are those of the page. */
static void test_bytes(void)
{
	static const unsigned char expected[] = {
		28, 0, 0, 0, 0x34, 0x12, 7, 200, 0x78, 0x56, 0x34, 0x12, 8, 7, 6, 5, 4, 3, 2, 1,
		2, 0, 'h', 'i', 0xfe, 0xff, 0xff, 0xff, 0, 0xff, 0x80, 0x0a,
	};
	struct tape *t = tape_new(100);

	wire_begin(t->wire, 0x1234, WIRE_WRITE);
	wire_u8(t->wire, 200);
	wire_u32(t->wire, 0x12345678);
	wire_u64(t->wire, 0x0102030405060708);
	wire_text(t->wire, "hi");
	wire_status(t->wire, -ENOENT);
	wire_bytes(t->wire, "\0\xff\x80\n", 4);
	CU_ASSERT_EQUAL(wire_end(t->wire), 0);
	CU_ASSERT_EQUAL(t->len, sizeof(expected));
	CU_ASSERT_EQUAL(memcmp(t->data, expected, sizeof(expected)), 0);
	CU_ASSERT_EQUAL(t->wire->sent, sizeof(expected));
	tape_free(t);
}

static void test_back(void)
{
	static const size_t steps[] = { 1, 2, 3, 7, 1000 };
	struct wire_frame frame;
	struct wire_reader r;
	unsigned int i;
	char text[8];
	size_t len;

	for (i = 0; i < 5; i++) {
		struct tape *t = tape_new(steps[i]);

		wire_begin(t->wire, 1, WIRE_PING);
		CU_ASSERT_EQUAL(wire_end(t->wire), 0);
		wire_begin(t->wire, 65535, WIRE_DONE);
		wire_status(t->wire, -ENOTSUP);
		wire_u64(t->wire, UINT64_MAX);
		wire_text(t->wire, "1234567");
		wire_bytes(t->wire, "rest", 4);
		CU_ASSERT_EQUAL(wire_end(t->wire), 0);

		CU_ASSERT_EQUAL(wire_receive(t->wire, &frame), 0);
		CU_ASSERT_EQUAL(frame.tag, 1);
		CU_ASSERT_EQUAL(frame.kind, WIRE_PING);
		CU_ASSERT_EQUAL(frame.len, 0);
		CU_ASSERT_EQUAL(wire_receive(t->wire, &frame), 0);
		CU_ASSERT_EQUAL(frame.tag, 65535);
		r = (struct wire_reader){ .p = frame.data, .end = frame.data + frame.len };
		CU_ASSERT_EQUAL(wire_get_status(&r), -ENOTSUP);
		CU_ASSERT_EQUAL(wire_get_u64(&r), UINT64_MAX);
		wire_get_text(&r, text, sizeof(text));
		CU_ASSERT_STRING_EQUAL(text, "1234567");
		CU_ASSERT_FALSE(wire_is_at_end(&r));
		CU_ASSERT_EQUAL(memcmp(wire_get_rest(&r, &len), "rest", 4), 0);
		CU_ASSERT_EQUAL(len, 4);
		CU_ASSERT_TRUE(wire_is_at_end(&r));
		CU_ASSERT_EQUAL(wire_receive(t->wire, &frame), -EPIPE);
		tape_free(t);
	}
}

static void test_lengths(void)
{
	static const unsigned char largest[4] = { 0, 0, 1, 0 };
	static const unsigned char bad[][4] = {
		{ 0, 0, 0, 0 }, { 2, 0, 0, 0 }, { 1, 0, 1, 0 }, { 255, 255, 255, 255 },
	};
	struct wire_frame frame;
	struct tape *t;
	unsigned int i;

	for (i = 0; i < 4; i++) {
		t = tape_new(1000);
		put(t, bad[i], 4);
		put(t, "abcdef", 6);
		/* at once: nothing is waited for */
		CU_ASSERT_EQUAL(wire_receive(t->wire, &frame), -EBADMSG);
		CU_ASSERT_EQUAL(t->waits, 1);
		tape_free(t);
	}
	t = tape_new(1000);
	put(t, largest, 4);
	memset(t->data + 4, 'x', WIRE_FRAME_MAX);
	t->len += WIRE_FRAME_MAX;
	CU_ASSERT_EQUAL(wire_receive(t->wire, &frame), 0);
	CU_ASSERT_EQUAL(frame.len, WIRE_FRAME_MAX - 3);
	tape_free(t);

	/* too much for one: nothing is sent, the next goes through */
	t = tape_new(1 << 20);
	wire_begin(t->wire, 1, WIRE_WRITE);
	wire_bytes(t->wire, t->data, WIRE_FRAME_MAX - 3);
	wire_u8(t->wire, 1);
	CU_ASSERT_EQUAL(wire_end(t->wire), -EMSGSIZE);
	CU_ASSERT_EQUAL(t->len, 0);
	wire_begin(t->wire, 1, WIRE_WRITE);
	wire_bytes(t->wire, t->data, WIRE_FRAME_MAX - 3);
	CU_ASSERT_EQUAL(wire_end(t->wire), 0);
	CU_ASSERT_EQUAL(t->len, WIRE_FRAME_MAX + 4);
	tape_free(t);
}

/* A byte now and then does not extend a deadline; a slow line does. */
static void test_deadline(void)
{
	static const unsigned char header[4] = { 0, 0, 1, 0 };
	struct wire_frame frame;
	struct tape *t = tape_new(1);
	int waits;

	put(t, header, 4);
	t->len += WIRE_FRAME_MAX;
	t->pause_ms = 20;
	wire_set_deadline(t->wire, 100);
	CU_ASSERT_EQUAL(wire_receive(t->wire, &frame), -ETIMEDOUT);
	/* 20 ms a byte: 5 in 100 ms, of 25 that would extend it */
	waits = t->waits;
	CU_ASSERT_TRUE(waits >= 1 && waits <= 7);
	/* the next request has a deadline of its own, and none has none */
	wire_set_deadline(t->wire, 100);
	CU_ASSERT_EQUAL(wire_receive(t->wire, &frame), -ETIMEDOUT);
	CU_ASSERT_TRUE(t->waits > waits);
	wire_set_deadline(t->wire, 0);
	t->pause_ms = 0;
	CU_ASSERT_EQUAL(wire_receive(t->wire, &frame), 0);
	CU_ASSERT_EQUAL(frame.len, WIRE_FRAME_MAX - 3);
	tape_free(t);

	/*
	 * 100 bytes each 120 ms are 800 a second: they go on beyond 1 s, also on a machine that
	 * stands still for half of it
	 */
	t = tape_new(100);
	t->len = 1004;
	memcpy(t->data, "\xe8\3\0\0", 4);
	t->pause_ms = 120;
	wire_set_deadline(t->wire, 1000);
	CU_ASSERT_EQUAL(wire_receive(t->wire, &frame), 0);
	CU_ASSERT_EQUAL(frame.len, 997);
	tape_free(t);

	/* and what is sent */
	t = tape_new(1);
	t->pause_ms = 20;
	wire_begin(t->wire, 1, WIRE_WRITE);
	wire_bytes(t->wire, t->data, 60000);
	wire_set_deadline(t->wire, 100);
	CU_ASSERT_EQUAL(wire_end(t->wire), -ETIMEDOUT);
	CU_ASSERT_TRUE(t->waits <= 7);
	tape_free(t);
}

static void test_stream(void)
{
	static const size_t sizes[] = { 0, 1, WIRE_PIECE, WIRE_PIECE + 1, 100000 };
	static char data[100000], back[100000];
	struct wire_frame frame;
	unsigned int i, frames;
	size_t at;

	for (at = 0; at < sizeof(data); at++)
		data[at] = at * 7 ^ at >> 8;
	for (i = 0; i < 5; i++) {
		struct tape *t = tape_new(5000);

		wire_stream_begin(t->wire, 9);
		for (at = 0; at < sizes[i]; at += 999)
			CU_ASSERT_EQUAL(wire_stream(t->wire, data + at, sizes[i] - at < 999 ?
						    sizes[i] - at : 999), 0);
		CU_ASSERT_EQUAL(wire_stream_end(t->wire), 0);
		at = 0;
		for (frames = 0; !wire_receive(t->wire, &frame); frames++) {
			CU_ASSERT_EQUAL(frame.tag, 9);
			CU_ASSERT_EQUAL(frame.kind, WIRE_MORE);
			CU_ASSERT_FATAL(frame.len > 0 && frame.len <= sizeof(back) - at);
			memcpy(back + at, frame.data, frame.len);
			at += frame.len;
		}
		CU_ASSERT_EQUAL(at, sizes[i]);
		CU_ASSERT_EQUAL(memcmp(back, data, at), 0);
		CU_ASSERT_EQUAL(frames, (sizes[i] + WIRE_PIECE - 1) / WIRE_PIECE);
		tape_free(t);
	}
}

static void test_lines(void)
{
	struct tape *t = tape_new(3);
	struct wire_frame frame;
	char line[WIRE_LINE_MAX];

	put(t, "one\ntwo\r\n\n\3\0\0\0\1\0\2", 17);
	CU_ASSERT_EQUAL(wire_read_line(t->wire, line), 0);
	CU_ASSERT_STRING_EQUAL(line, "one");
	CU_ASSERT_EQUAL(wire_read_line(t->wire, line), 0);
	CU_ASSERT_STRING_EQUAL(line, "two");
	CU_ASSERT_EQUAL(wire_read_line(t->wire, line), 0);
	CU_ASSERT_STRING_EQUAL(line, "");
	CU_ASSERT_EQUAL(wire_receive(t->wire, &frame), 0);
	CU_ASSERT_EQUAL(frame.kind, WIRE_PING);
	CU_ASSERT_EQUAL(wire_read_line(t->wire, line), -EPIPE);
	tape_free(t);

	t = tape_new(1000);
	memset(t->data, 'a', WIRE_LINE_MAX + 10);
	t->len = WIRE_LINE_MAX + 10;
	CU_ASSERT_EQUAL(wire_read_line(t->wire, line), -EMSGSIZE);
	tape_free(t);
	t = tape_new(10000);
	memset(t->data, 'a', WIRE_LINE_MAX - 1);
	t->data[WIRE_LINE_MAX - 1] = '\n';
	t->len = WIRE_LINE_MAX;
	CU_ASSERT_EQUAL(wire_read_line(t->wire, line), 0);
	CU_ASSERT_EQUAL(strlen(line), WIRE_LINE_MAX - 1);
	tape_free(t);
}

static struct wire_reader over(const char *data, size_t len)
{
	return (struct wire_reader){ .p = (void *)data, .end = (const unsigned char *)data + len };
}

static void test_payloads(void)
{
	struct wire_reader r;
	char text[4];

	/* a text longer than what is left, than its room, and with a NUL in it */
	r = over("\4\0abc", 5);
	wire_get_text(&r, text, sizeof(text));
	CU_ASSERT_TRUE(r.bad);
	CU_ASSERT_STRING_EQUAL(text, "");
	r = over("\4\0abcd", 6);
	wire_get_text(&r, text, sizeof(text));
	CU_ASSERT_TRUE(r.bad);
	r = over("\3\0a\0c", 5);
	wire_get_text(&r, text, sizeof(text));
	CU_ASSERT_TRUE(r.bad);
	r = over("\3\0abc", 5);
	wire_get_text(&r, text, sizeof(text));
	CU_ASSERT_STRING_EQUAL(text, "abc");
	CU_ASSERT_TRUE(wire_is_at_end(&r));
	/* once bad, all is 0 */
	r = over("\1\2\3", 3);
	CU_ASSERT_EQUAL(wire_get_u32(&r), 0);
	CU_ASSERT_EQUAL(wire_get_u8(&r), 0);
	CU_ASSERT_FALSE(wire_is_at_end(&r));
}

static void test_errors(void)
{
	static const struct {
		int err, number;
	} known[] = {
		{ 0, 0 }, { 1, 1 }, { -EPERM, -1 }, { -ENOENT, -2 }, { -EINVAL, -22 },
		{ -ERANGE, -34 }, { -ENAMETOOLONG, -36 }, { -ELOOP, -40 }, { -EBADMSG, -74 },
		{ -ENOSYS, -38 }, { -ENOTEMPTY, -39 }, { -ENODATA, -61 }, { -EOVERFLOW, -75 },
		{ -EMSGSIZE, -90 }, { -ECONNRESET, -104 }, { -EOPNOTSUPP, -95 }, { -ETIMEDOUT, -110 }, { -ESTALE, -116 },
		/* not one that is sent */
		{ -EKEYREJECTED, -5 },
	};
	unsigned char bytes[4];
	struct wire_reader r;
	unsigned int i, j;

	for (i = 0; i < sizeof(known) / sizeof(known[0]); i++) {
		CU_ASSERT_EQUAL(wire_error_number(known[i].err), known[i].number);
		for (j = 0; j < 4; j++)
			bytes[j] = (uint32_t)known[i].number >> 8 * j;
		r = over((char *)bytes, 4);
		CU_ASSERT_EQUAL(wire_get_status(&r),
				known[i].err == -EKEYREJECTED ? -EIO : known[i].err);
	}
}

static void test_crc(void)
{
	/* the check value of CRC-32/ISO-HDLC */
	CU_ASSERT_EQUAL(wire_crc32(0, "123456789", 9), 0xcbf43926);
	CU_ASSERT_EQUAL(wire_crc32(wire_crc32(0, "1234", 4), "56789", 5), 0xcbf43926);
	CU_ASSERT_EQUAL(wire_crc32(0, "", 0), 0);
}

UNIT_TESTS(
	{ "a deadline ends a transfer of single bytes, and not one of steady progress",
	  test_deadline },
	{ "a frame has the bytes that the protocol page documents", test_bytes },
	{ "frames read back the same however short each read and write is", test_back },
	{ "a received frame of invalid length is refused, and an overlong frame is not sent",
	  test_lengths },
	{ "a stream of any length reads back the same from as few frames as possible",
	  test_stream },
	{ "wire_read_line() removes the line end and refuses an overlong line", test_lines },
	{ "a text that is too long or contains a NUL marks the payload as bad", test_payloads },
	{ "errors are sent as the generic errno numbers of Linux, and unknown errors as EIO",
	  test_errors },
	{ "wire_crc32() computes CRC-32/ISO-HDLC, whole or in parts", test_crc });

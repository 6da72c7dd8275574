// SPDX-License-Identifier: GPL-2.0
/*
 * wire.c - frames between a host and the target helper
 *
 * The other side is not trusted. A length is checked before the data is awaited. A
 * payload is read only with a reader that checks its end. Every wait uses the deadline
 * of the request.
 */
#include "helper/port/port.h"

#include "helper/wire/wire.h"

struct wire *wire_new(const struct wire_io *io)
{
	struct wire *w = calloc(1, sizeof(*w));

	if (w)
		w->io = *io;
	return w;
}

void wire_set_deadline(struct wire *w, unsigned int ms)
{
	w->patience_ms = ms;
	w->begun_ms = port_now_ms();
	w->begun_bytes = w->received + w->sent;
}

int wire_wait(struct wire *w, short events)
{
	uint64_t moved = w->received + w->sent - w->begun_bytes, waited;

	if (!w->patience_ms)
		return w->io.wait(w->io.arg, events, -1);
	if (moved >= (uint64_t)w->patience_ms * WIRE_SLOWEST / 1000)
		wire_set_deadline(w, w->patience_ms);
	waited = port_now_ms() - w->begun_ms;
	if (waited >= w->patience_ms)
		return -ETIMEDOUT;
	return w->io.wait(w->io.arg, events, (int)(w->patience_ms - waited));
}

/* Read more bytes into @in. */
static int wire_read_more(struct wire *w)
{
	int ret;

	if (w->at) {
		memmove(w->in, w->in + w->at, w->len - w->at);
		w->len -= w->at;
		w->at = 0;
	}
	for (;;) {
		ret = wire_wait(w, POLLIN);
		if (ret)
			return ret;
		ret = w->io.read(w->io.arg, w->in + w->len, sizeof(w->in) - w->len);
		if (ret == -EAGAIN || ret == -EINTR)
			continue;
		if (ret <= 0)
			return ret ? ret : -EPIPE;
		w->len += ret;
		w->received += ret;
		return 0;
	}
}

static uint64_t wire_decode_number(const unsigned char *p, unsigned int bytes)
{
	uint64_t n = 0;

	while (bytes--)
		n = n << 8 | p[bytes];
	return n;
}

int wire_receive(struct wire *w, struct wire_frame *frame)
{
	const unsigned char *p;
	size_t length;
	int ret;

	for (;;) {
		p = w->in + w->at;
		if (w->len - w->at >= 4) {
			length = wire_decode_number(p, 4);
			if (length < WIRE_HEADER - 4 || length > WIRE_FRAME_MAX)
				return -EBADMSG;
			if (w->len - w->at >= 4 + length)
				break;
		}
		ret = wire_read_more(w);
		if (ret)
			return ret;
	}
	frame->tag = wire_decode_number(p + 4, 2);
	frame->kind = p[6];
	frame->data = p + WIRE_HEADER;
	frame->len = length - (WIRE_HEADER - 4);
	w->at += 4 + length;
	return 0;
}

int wire_read_line(struct wire *w, char line[WIRE_LINE_MAX])
{
	unsigned char *p, *end;
	size_t len;
	int ret;

	for (;;) {
		p = w->in + w->at;
		len = w->len - w->at;
		end = memchr(p, '\n', len);
		if (end)
			break;
		if (len >= WIRE_LINE_MAX)
			return -EMSGSIZE;
		ret = wire_read_more(w);
		if (ret)
			return ret;
	}
	len = end - p;
	if (len >= WIRE_LINE_MAX)
		return -EMSGSIZE;
	w->at += len + 1;
	if (len && p[len - 1] == '\r')
		len--;
	memcpy(line, p, len);
	line[len] = '\0';
	return 0;
}

static int send_all(struct wire *w, const unsigned char *data, size_t len)
{
	int ret;

	while (len) {
		ret = wire_wait(w, POLLOUT);
		if (ret)
			return ret;
		/* a pipe that poll() reports as writable has room for 4096 bytes (PIPE_BUF) */
		ret = w->io.write(w->io.arg, data, len < 4096 ? len : 4096);
		if (ret == -EAGAIN || ret == -EINTR)
			continue;
		if (ret < 0)
			return ret;
		data += ret;
		len -= ret;
		w->sent += ret;
	}
	return 0;
}

int wire_send_text(struct wire *w, const char *text)
{
	return send_all(w, (const unsigned char *)text, strlen(text));
}

static void put_little(unsigned char *p, uint64_t n, unsigned int bytes)
{
	for (; bytes--; n >>= 8)
		*p++ = n;
}

void wire_begin(struct wire *w, uint16_t tag, uint8_t kind)
{
	w->error = 0;
	put_little(w->out + 4, tag, 2);
	w->out[6] = kind;
	w->out_len = WIRE_HEADER;
}

void wire_bytes(struct wire *w, const void *data, size_t len)
{
	if (len > sizeof(w->out) - w->out_len) {
		w->error = -EMSGSIZE;
		return;
	}
	/* @data may be NULL if @len is 0 */
	if (len)
		memcpy(w->out + w->out_len, data, len);
	w->out_len += len;
}

static void wire_put_number(struct wire *w, uint64_t n, unsigned int bytes)
{
	unsigned char number[8];

	put_little(number, n, bytes);
	wire_bytes(w, number, bytes);
}

void wire_u8(struct wire *w, uint8_t n)
{
	wire_put_number(w, n, 1);
}

void wire_u32(struct wire *w, uint32_t n)
{
	wire_put_number(w, n, 4);
}

void wire_u64(struct wire *w, uint64_t n)
{
	wire_put_number(w, n, 8);
}

void wire_text(struct wire *w, const char *text)
{
	size_t len = text ? strlen(text) : 0;

	if (len > WIRE_TEXT_MAX) {
		w->error = -EMSGSIZE;
		return;
	}
	wire_put_number(w, len, 2);
	wire_bytes(w, text, len);
}

/*
 * Error numbers up to 34 are the same on all Linux architectures. For higher numbers,
 * the wire uses asm-generic/errno.h, which MIPS and a few others do not use.
 */
static const struct {
	int ours, wires;
} errors[] = {
	{ ENAMETOOLONG, 36 }, { ENOSYS, 38 },	  { ENOTEMPTY, 39 },  { ELOOP, 40 },
	{ ENODATA, 61 },      { EBADMSG, 74 },	  { EOVERFLOW, 75 },  { EMSGSIZE, 90 },
	{ EOPNOTSUPP, 95 },   { ECONNRESET, 104 }, { ETIMEDOUT, 110 }, { ESTALE, 116 },
};

#define SAME_ERRORS 34

int wire_error_number(int status)
{
	size_t i;

	if (status >= -SAME_ERRORS)
		return status;
	for (i = 0; i < sizeof(errors) / sizeof(errors[0]); i++) {
		if (status == -errors[i].ours)
			return -errors[i].wires;
	}
	return -EIO;
}

void wire_status(struct wire *w, int status)
{
	wire_u32(w, (uint32_t)wire_error_number(status));
}

int wire_get_status(struct wire_reader *r)
{
	int status = (int)wire_get_u32(r);
	size_t i;

	if (status >= -SAME_ERRORS)
		return status;
	for (i = 0; i < sizeof(errors) / sizeof(errors[0]); i++) {
		if (status == -errors[i].wires)
			return -errors[i].ours;
	}
	return -EIO;
}

int wire_end(struct wire *w)
{
	size_t len = w->out_len;

	w->out_len = 0;
	if (w->error)
		return w->error;
	put_little(w->out, len - 4, 4);
	return send_all(w, w->out, len);
}

void wire_stream_begin(struct wire *w, uint16_t tag)
{
	w->stream_tag = tag;
	wire_begin(w, tag, WIRE_MORE);
}

int wire_stream(struct wire *w, const void *data, size_t len)
{
	const unsigned char *p = data;

	while (len) {
		size_t room = WIRE_HEADER + WIRE_PIECE - w->out_len, n = len < room ? len : room;

		wire_bytes(w, p, n);
		p += n;
		len -= n;
		if (n == room) {
			int ret = wire_end(w);

			if (ret)
				return ret;
			wire_begin(w, w->stream_tag, WIRE_MORE);
		}
	}
	return 0;
}

int wire_stream_end(struct wire *w)
{
	return w->out_len > WIRE_HEADER ? wire_end(w) : 0;
}

static uint64_t wire_get_number(struct wire_reader *r, unsigned int bytes)
{
	uint64_t n;

	if (r->bad || (size_t)(r->end - r->p) < bytes) {
		r->bad = true;
		return 0;
	}
	n = wire_decode_number(r->p, bytes);
	r->p += bytes;
	return n;
}

uint8_t wire_get_u8(struct wire_reader *r)
{
	return wire_get_number(r, 1);
}

uint32_t wire_get_u32(struct wire_reader *r)
{
	return wire_get_number(r, 4);
}

uint64_t wire_get_u64(struct wire_reader *r)
{
	return wire_get_number(r, 8);
}

void wire_get_text(struct wire_reader *r, char *to, size_t room)
{
	size_t len = wire_get_number(r, 2);

	to[0] = '\0';
	if (r->bad || len > (size_t)(r->end - r->p) || len >= room || memchr(r->p, '\0', len)) {
		r->bad = true;
		return;
	}
	memcpy(to, r->p, len);
	to[len] = '\0';
	r->p += len;
}

const unsigned char *wire_get_rest(struct wire_reader *r, size_t *len)
{
	const unsigned char *rest = r->p;

	*len = r->end - r->p;
	r->p = r->end;
	return rest;
}

bool wire_is_at_end(const struct wire_reader *r)
{
	return !r->bad && r->p == r->end;
}

uint32_t wire_crc32(uint32_t crc, const void *data, size_t len)
{
	/* polynomial 0xedb88320, 4 bits per step: small instead of fast */
	static const uint32_t table[16] = {
		0x00000000, 0x1db71064, 0x3b6e20c8, 0x26d930ac, 0x76dc4190, 0x6b6b51f4,
		0x4db26158, 0x5005713c, 0xedb88320, 0xf00f9344, 0xd6d6a3e8, 0xcb61b38c,
		0x9b64c2b0, 0x86d3d2d4, 0xa00ae278, 0xbdbdf21c,
	};
	const unsigned char *p = data;

	crc = ~crc;
	while (len--) {
		crc ^= *p++;
		crc = crc >> 4 ^ table[crc & 15];
		crc = crc >> 4 ^ table[crc & 15];
	}
	return ~crc;
}

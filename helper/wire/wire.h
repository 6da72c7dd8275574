/* SPDX-License-Identifier: GPL-2.0 */
/*
 * wire.h - frames between a host and the target helper
 *
 * A frame is: u32 length of the rest, u16 tag, u8 kind, payload. Numbers are
 * little-endian. The kind of a request is a verb. The answer has the same tag: any
 * number of WIRE_MORE frames with data, then one WIRE_DONE frame. A text in a payload
 * is a u16 length and bytes without a NUL. trace-cmd-hist-protocol(7) describes the
 * whole protocol. Lines of text precede the frames, for the handshake.
 *
 * Invariant: at most one frame of each direction is in memory.
 *
 * Functions return 0 or -errno.
 */
#ifndef HELPER_WIRE_WIRE_H
#define HELPER_WIRE_WIRE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define WIRE_NEWEST 2 /* the version of this program */
#define WIRE_OLDEST 1 /* the oldest supported version */
#define WIRE_WITH_PAGES 2 /* the first version that has WIRE_PAGES */

/* Limit of the length field; the largest frame is 4 bytes longer. */
#define WIRE_FRAME_MAX 65536
#define WIRE_HEADER 7
/* Data in one WIRE_MORE frame of this program. */
#define WIRE_PIECE 16384
/* Limit for the data of one WIRE_WRITE, and for texts; a trigger is at most one page. */
#define WIRE_TEXT_MAX 60000
/* Limit for a line of the handshake. */
#define WIRE_LINE_MAX 4096

enum wire_verb {
	WIRE_INFO = 1,
	WIRE_PING,
	WIRE_READ,   /* path */
	WIRE_OPEN,   /* path */
	WIRE_REREAD, /* u32 handle, u8 whole, clock */
	WIRE_CLOSE,  /* u32 handle */
	WIRE_WRITE,  /* u8 append, path, data */
	WIRE_LIST,   /* path */
	WIRE_MKDIR,  /* path */
	WIRE_RMDIR,  /* path */
	WIRE_EXISTS, /* path */
	WIRE_CLOCK,  /* clock */
	WIRE_NOTE,   /* u8 type, path, text */
	WIRE_CANCEL,
	WIRE_UNDO,
	WIRE_CLEAN, /* u8 dry run */
	WIRE_TASKS, /* path of a cgroup, or "" */
	WIRE_PAGES, /* u32 most, path */
};

/* Kinds of answers. */
enum wire_kind {
	WIRE_MORE = 128, /* data */
	WIRE_DONE,	 /* i32 status, and what the verb adds */
};

/* The kind of a record in the data of WIRE_UNDO and WIRE_CLEAN; precedes the record. */
enum wire_record {
	WIRE_SUCCESS, /* u8 type, path, text */
	WIRE_FAILURE, /* i32 error, u8 type, path, text */
	WIRE_ODD,     /* i32 error, name of the journal */
};

/* A request and its answer complete within this time, or transfer WIRE_SLOWEST bytes per second. */
#define WIRE_REQUEST_MS 30000
#define WIRE_SLOWEST 256

/*
 * Byte stream of a wire. read and write return the number of bytes, 0 at the end, or
 * -errno. wait waits until one of @events (POLLIN or POLLOUT) is ready, at most @ms
 * (-1: no limit). It returns 0, or -ETIMEDOUT after @ms. Any result of wait other than
 * 0 ends the current operation and becomes its result.
 */
struct wire_io {
	int (*read)(void *arg, void *to, size_t len);
	int (*write)(void *arg, const void *from, size_t len);
	int (*wait)(void *arg, short events, int ms);
	void *arg;
};

struct wire {
	struct wire_io io;
	uint64_t received, sent; /* total bytes */
	unsigned int patience_ms; /* of the deadline; 0: none */
	uint64_t begun_ms, begun_bytes;
	size_t at, len;		 /* in @in: consumed bytes, and all bytes */
	size_t out_len;
	uint16_t stream_tag;
	int error; /* of the frame that is being built */
	unsigned char in[WIRE_FRAME_MAX + 4];
	unsigned char out[WIRE_FRAME_MAX + 4];
};

struct wire_frame {
	uint16_t tag;
	uint8_t kind;
	const unsigned char *data; /* owned by the wire, valid until the next wire_receive() */
	size_t len;
};

/* Create a zeroed wire with @io. NULL if memory is short. Free it with free(). */
struct wire *wire_new(const struct wire_io *io);

/*
 * wire_set_deadline - limit the operations from now on to @ms; 0: no limit
 * A slow trickle of bytes does not extend the deadline. The time starts again only
 * after WIRE_SLOWEST bytes per second for @ms have been transferred. A wait after the
 * deadline returns -ETIMEDOUT.
 */
void wire_set_deadline(struct wire *w, unsigned int ms);

/* Call io.wait() with the deadline. */
int wire_wait(struct wire *w, short events);

/*
 * wire_receive - wait for the next frame
 * -EPIPE: the other side has closed; -EBADMSG: invalid frame length; otherwise the
 * error of @io.
 */
int wire_receive(struct wire *w, struct wire_frame *frame);

/*
 * wire_read_line - read the next line into @line as a string, without "\n" or "\r\n"
 * Only before the first frame. -EMSGSIZE if the line is longer than WIRE_LINE_MAX.
 */
int wire_read_line(struct wire *w, char line[WIRE_LINE_MAX]);
int wire_send_text(struct wire *w, const char *text);

/*
 * Build a frame: wire_begin(), the fields, then wire_end(), which sends it (-EMSGSIZE:
 * too long).
 */
void wire_begin(struct wire *w, uint16_t tag, uint8_t kind);
void wire_u8(struct wire *w, uint8_t n);
void wire_u32(struct wire *w, uint32_t n);
void wire_u64(struct wire *w, uint64_t n);
void wire_bytes(struct wire *w, const void *data, size_t len);
void wire_text(struct wire *w, const char *text); /* NULL is "" */
/* 0 or more, or -errno, which is sent as the error number of most Linux architectures. */
void wire_status(struct wire *w, int status);
/* The error number that wire_status() sends. */
int wire_error_number(int status);
int wire_end(struct wire *w);

/* Send data of any length in WIRE_MORE frames of @tag. wire_begin() with the same tag ends them. */
void wire_stream_begin(struct wire *w, uint16_t tag);
int wire_stream(struct wire *w, const void *data, size_t len);
int wire_stream_end(struct wire *w);

/* Parse a payload. After an error, @bad stays set and all results are 0 or "". */
struct wire_reader {
	const unsigned char *p, *end;
	bool bad;
};

uint8_t wire_get_u8(struct wire_reader *r);
uint32_t wire_get_u32(struct wire_reader *r);
uint64_t wire_get_u64(struct wire_reader *r);
int wire_get_status(struct wire_reader *r);
/* Copy with a NUL into @to. Sets @bad if the text exceeds @room - 1 bytes or contains a NUL. */
void wire_get_text(struct wire_reader *r, char *to, size_t room);
/* The rest of the payload. */
const unsigned char *wire_get_rest(struct wire_reader *r, size_t *len);
/* False if bytes are left or missing. */
bool wire_is_at_end(const struct wire_reader *r);

/* CRC-32 of IEEE 802.3, as in zlib; start with 0. */
uint32_t wire_crc32(uint32_t crc, const void *data, size_t len);

#endif

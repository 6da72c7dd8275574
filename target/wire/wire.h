/* SPDX-License-Identifier: GPL-2.0 */
/*
 * wire.h - frames between a host and a target's helper
 *
 * A frame: u32 length of what follows, u16 tag, u8 kind, payload; numbers are
 * little-endian.  A request's kind is a verb; its answer has the same tag and
 * is any number of WIRE_MORE with data, then one WIRE_DONE.  Texts in payloads
 * are a u16 length and bytes without a NUL.  trace-cmd-hist-protocol(7) has it
 * all.  Before the frames come lines of text, for the handshake.
 *
 * Invariant: never more than one frame of either direction is in memory.
 *
 * Functions return 0 or -errno.
 */
#ifndef TARGET_WIRE_WIRE_H
#define TARGET_WIRE_WIRE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define WIRE_NEWEST 1 /* the version that is spoken here */
#define WIRE_OLDEST 1 /* and the oldest one that is understood */

/* Of the length; the largest frame is 4 bytes more. */
#define WIRE_FRAME_MAX 65536
#define WIRE_HEADER 7
/* Data in one WIRE_MORE of ours. */
#define WIRE_PIECE 16384
/* Data of one WIRE_WRITE, and texts; a trigger is at most a page. */
#define WIRE_TEXT_MAX 60000
/* Of the handshake. */
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
};

/* Kinds of answers. */
enum wire_kind {
	WIRE_MORE = 128, /* data */
	WIRE_DONE,	 /* i32 status, and what the verb adds */
};

/* What stands before the text of a record of WIRE_UNDO and WIRE_CLEAN. */
enum wire_record {
	WIRE_SUCCESS, /* u8 type, path, text */
	WIRE_FAILURE, /* i32 error, u8 type, path, text */
	WIRE_ODD,     /* i32 error, name of the journal */
};

/* A request and its answer are over in this time, or move WIRE_SLOWEST bytes a second. */
#define WIRE_REQUEST_MS 30000
#define WIRE_SLOWEST 256

/*
 * How bytes come and go.  read and write: what was done, 0 at the end, or
 * -errno.  wait: until one of them can be done (events: POLLIN or POLLOUT),
 * at most @ms (-1: without a limit); other than 0 ends what was to be done and
 * is passed on, -ETIMEDOUT after @ms.
 */
struct wire_io {
	int (*read)(void *arg, void *to, size_t len);
	int (*write)(void *arg, const void *from, size_t len);
	int (*wait)(void *arg, short events, int ms);
	void *arg;
};

struct wire {
	struct wire_io io;
	uint64_t received, sent; /* bytes, all of them */
	unsigned int patience_ms; /* of the deadline; 0: none */
	uint64_t begun_ms, begun_bytes;
	size_t at, len;		 /* of what is in @in: taken, and there */
	size_t out_len;
	uint16_t stream_tag;
	int error; /* of a frame that is being put together */
	unsigned char in[WIRE_FRAME_MAX + 4];
	unsigned char out[WIRE_FRAME_MAX + 4];
};

struct wire_frame {
	uint16_t tag;
	uint8_t kind;
	const unsigned char *data; /* of the wire, valid until the next wire_receive() */
	size_t len;
};

/* Zeroed but for @io. NULL without memory; free() it. */
struct wire *wire_new(const struct wire_io *io);

/*
 * wire_set_deadline - what begins now must be over within @ms; 0: without a limit
 * A byte now and then does not extend it: the time begins anew only when as many
 * bytes have moved as are WIRE_SLOWEST a second for @ms.  What waits after the
 * deadline gets -ETIMEDOUT.
 */
void wire_set_deadline(struct wire *w, unsigned int ms);

/* wire_wait - io.wait() up to the deadline */
int wire_wait(struct wire *w, short events);

/*
 * wire_receive - the next frame, waited for
 * -EPIPE: the other side has closed; -EBADMSG: no frame (its length is wrong);
 * or what io gave.
 */
int wire_receive(struct wire *w, struct wire_frame *frame);

/*
 * wire_line - the next line, without its end ("\n" or "\r\n"), as a string in @line
 * Only before the first frame.  A longer line than WIRE_LINE_MAX: -EMSGSIZE.
 */
int wire_line(struct wire *w, char line[WIRE_LINE_MAX]);
int wire_send_text(struct wire *w, const char *text);

/* A frame is begun, filled, and sent by wire_end(); too much for one is -EMSGSIZE there. */
void wire_begin(struct wire *w, uint16_t tag, uint8_t kind);
void wire_u8(struct wire *w, uint8_t n);
void wire_u32(struct wire *w, uint32_t n);
void wire_u64(struct wire *w, uint64_t n);
void wire_bytes(struct wire *w, const void *data, size_t len);
void wire_text(struct wire *w, const char *text); /* NULL is "" */
/* 0 or more, or -errno, which is sent as Linux's number on most machines. */
void wire_status(struct wire *w, int status);
/* That number. */
int wire_error_number(int status);
int wire_end(struct wire *w);

/* Data of any length, in WIRE_MORE frames of @tag; wire_begin() with the same tag ends it. */
void wire_stream_begin(struct wire *w, uint16_t tag);
int wire_stream(struct wire *w, const void *data, size_t len);
int wire_stream_end(struct wire *w);

/* A payload is taken apart; after a mistake @bad stays set and all is 0 or "". */
struct wire_reader {
	const unsigned char *p, *end;
	bool bad;
};

uint8_t wire_get_u8(struct wire_reader *r);
uint32_t wire_get_u32(struct wire_reader *r);
uint64_t wire_get_u64(struct wire_reader *r);
int wire_get_status(struct wire_reader *r);
/* With its NUL in @to; bad when it has more than @room - 1 bytes, or a NUL. */
void wire_get_text(struct wire_reader *r, char *to, size_t room);
/* What is left of it. */
const unsigned char *wire_get_rest(struct wire_reader *r, size_t *len);
/* False when it was not exactly used up. */
bool wire_got_all(const struct wire_reader *r);

/* That of IEEE 802.3, as in zlib; begin with 0. */
uint32_t wire_crc32(uint32_t crc, const void *data, size_t len);

#endif

/* SPDX-License-Identifier: GPL-2.0 */
/*
 * text_delta.h - a text as its difference to the text before
 *
 * A `hist` file that is read every second is mostly the same text again. Both
 * ends cut a text into pieces by one rule, and number them; a text is sent as
 * runs of pieces of the text before, and as bytes that are new.
 *
 * Format: ops, each a varint (LEB128) V:
 *	V even:	V/2 pieces of the text before, from number N + Z, where a zigzag
 *		varint Z follows, and N is the number behind the last run's end (0 at first)
 *	V odd:	V/2 bytes follow, new text; always whole pieces
 * A piece ends behind '\n', behind "} " (where a row's key ends, so that new
 * counts do not send the key again), behind ":  " when these are its first blanks
 * (where "hitcount:  " ends: so of a row only the digits are new), or at
 * DELTA_PIECE_MAX bytes.
 *
 * The sender keeps no text, only a hash of each piece, so that a small target
 * can serve a large histogram: 20 bytes a piece, that is 60 a row.
 *
 * Used on both ends; compiled for the target too, so it needs nothing of libc but
 * memory.  Functions return 0 or -errno.
 */
#ifndef TARGET_WIRE_TEXT_DELTA_H
#define TARGET_WIRE_TEXT_DELTA_H

#include <stddef.h>
#include <stdint.h>

#define DELTA_PIECE_MAX 4096
/* More pieces than that are not remembered: they are sent whole each time. */
#define DELTA_PIECES_MAX (1u << 19)

/* --- the sender --- */

/* Where ops go; what it returns other than 0 ends the encoding and is passed on. */
typedef int (*delta_emit)(void *arg, const void *data, size_t len);

struct delta_encoder;

/* @seed: any secret number: whoever can name tasks must not be able to make two pieces hash alike. */
struct delta_encoder *delta_encoder_new(uint64_t seed);
void delta_encoder_free(struct delta_encoder *e);

/* The next text begins; with @whole the one before is forgotten first. */
void delta_encoder_begin(struct delta_encoder *e, int whole);

/*
 * delta_encoder_add - some more of the text, as it was read
 * -ENOMEM, or what @emit gave: begin again with @whole then.
 */
int delta_encoder_add(struct delta_encoder *e, const char *text, size_t len, delta_emit emit,
		      void *arg);
/* The text is complete: what is left goes out. */
int delta_encoder_end(struct delta_encoder *e, delta_emit emit, void *arg);

/* --- the receiver --- */

struct delta_decoder;

struct delta_decoder *delta_decoder_new(void);
void delta_decoder_free(struct delta_decoder *d);

/*
 * delta_decoder_apply - the next text out of its ops
 * @limit: more bytes than that are -EFBIG.
 * The text is the decoder's, NUL-terminated, valid until the next call.
 * -EBADMSG: ops that no sender makes, the text before is lost then: ask for a whole
 * one, after delta_decoder_forget(); -ENOMEM.
 */
int delta_decoder_apply(struct delta_decoder *d, const void *ops, size_t len, size_t limit,
			const char **text, size_t *text_len);
void delta_decoder_forget(struct delta_decoder *d);

#endif

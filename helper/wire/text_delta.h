/* SPDX-License-Identifier: GPL-2.0 */
/*
 * text_delta.h - encode a text as the difference from the previous text
 *
 * Successive reads of a `hist` file return nearly the same text. Both ends divide a
 * text into numbered pieces by the same rule. The sender transmits runs of pieces of
 * the previous text, and new bytes.
 *
 * Format: ops, each starting with a varint (LEB128) V:
 *	V even:	V/2 pieces of the previous text, from number N + Z. A zigzag varint Z
 *		follows V; N is the number after the end of the last run (0 at first).
 *	V odd:	V/2 bytes of new text follow; always whole pieces.
 * A piece ends after
 * - '\n';
 * - "} ", the end of a row's key, so that new counts do not repeat the key;
 * - ":  " if these are the first blanks of the piece ("hitcount:  "), so that only the
 *   digits of a row are new;
 * - TEXT_DELTA_PIECE_MAX bytes.
 *
 * The sender stores only the hashes of the pieces of two texts, and a table, instead of the
 * texts. This needs 24 to 32 bytes per piece, 70 to 100 bytes per row, so that a small target
 * can serve a large histogram.
 *
 * Both ends use this code. It is also compiled for the target, so it needs only memory
 * functions from libc. Functions return 0 or -errno.
 */
#ifndef HELPER_WIRE_TEXT_DELTA_H
#define HELPER_WIRE_TEXT_DELTA_H

#include <stddef.h>
#include <stdint.h>

#define TEXT_DELTA_PIECE_MAX 4096
/* A text with more pieces is not stored: the next text is then sent completely. */
#define TEXT_DELTA_PIECES_MAX (1u << 19)

/* --- the sender --- */

/* Output of ops. A result other than 0 ends the encoding and becomes its result. */
typedef int (*text_delta_emit)(void *arg, const void *data, size_t len);

struct text_delta_encoder;

/* @seed: a secret number, so that a user who chooses task names cannot create hash collisions. */
struct text_delta_encoder *text_delta_encoder_new(uint64_t seed);
void text_delta_encoder_free(struct text_delta_encoder *e);

/* Begin the next text; @whole discards the previous text first. */
void text_delta_encoder_begin(struct text_delta_encoder *e, int whole);

/*
 * text_delta_encoder_add - add the next part of the text
 * -ENOMEM, or the error of @emit; after an error, begin again with @whole.
 */
int text_delta_encoder_add(struct text_delta_encoder *e, const char *text, size_t len,
			   text_delta_emit emit,
			   void *arg);
/* End the text and emit the rest. */
int text_delta_encoder_end(struct text_delta_encoder *e, text_delta_emit emit, void *arg);

/* --- the receiver --- */

struct text_delta_decoder;

struct text_delta_decoder *text_delta_decoder_new(void);
void text_delta_decoder_free(struct text_delta_decoder *d);

/*
 * text_delta_decoder_apply - decode the next text from its ops
 * @limit: a text of more bytes is -EFBIG. The decoder owns the text, which is
 * NUL-terminated and valid until the next call. -EBADMSG: invalid ops. The previous
 * text is then lost: call text_delta_decoder_forget() and request a whole text. -ENOMEM.
 */
int text_delta_decoder_apply(struct text_delta_decoder *d, const void *ops, size_t len,
			     size_t limit,
			     const char **text, size_t *text_len);
void text_delta_decoder_forget(struct text_delta_decoder *d);

#endif

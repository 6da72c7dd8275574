// SPDX-License-Identifier: GPL-2.0
/*
 * fuzz_delta.c - any bytes as differences of texts, and any texts sent as such
 *
 * The first byte says which.  Behind it are pieces: a byte, how long the piece is in
 * tens of bytes, and the piece.  Sums, which keep a fuzzer out of target_remote.c,
 * are not looked at here.
 */
#include <errno.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "helper/wire/text_delta.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

#define LIMIT (1u << 20)

struct ops {
	unsigned char *data;
	size_t len;
};

static int collect(void *arg, const void *data, size_t len)
{
	struct ops *ops = arg;

	ops->data = realloc(ops->data, ops->len + len + 1);
	if (!ops->data)
		abort();
	memcpy(ops->data + ops->len, data, len);
	ops->len += len;
	return 0;
}

static size_t next_piece(const uint8_t **data, size_t *size)
{
	size_t len;

	if (!*size)
		return 0;
	len = **data * 10u;
	++*data;
	--*size;
	return len < *size ? len : *size;
}

/* Ops that somebody made up. */
static void decode(struct text_delta_decoder *d, const uint8_t *ops, size_t len)
{
	const char *text;
	size_t text_len;
	int ret = text_delta_decoder_apply(d, ops, len, LIMIT, &text, &text_len);

	if (ret && ret != -EBADMSG && ret != -EFBIG)
		abort();
	if (!ret && (text_len > LIMIT || text[text_len]))
		abort();
	if (ret)
		text_delta_decoder_forget(d);
}

/* A text on its way, in portions, comes out as it went in. */
static void there_and_back(struct text_delta_encoder *e, struct text_delta_decoder *d,
			   const uint8_t *text,
			   size_t len, size_t portion)
{
	struct ops ops = { 0 };
	const char *got;
	size_t at, n, got_len;
	bool whole = portion % 16 == 0;

	text_delta_encoder_begin(e, whole);
	for (at = 0; at < len; at += n) {
		n = len - at < portion + 1 ? len - at : portion + 1;
		if (text_delta_encoder_add(e, (const char *)text + at, n, collect, &ops))
			abort();
	}
	if (text_delta_encoder_end(e, collect, &ops))
		abort();
	if (whole)
		text_delta_decoder_forget(d);
	if (text_delta_decoder_apply(d, ops.data, ops.len, len, &got, &got_len))
		abort();
	if (got_len != len || memcmp(got, text, len) || got[len])
		abort();
	free(ops.data);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct text_delta_encoder *e = text_delta_encoder_new(42);
	struct text_delta_decoder *d = text_delta_decoder_new();
	size_t len, mode;

	if (!e || !d)
		abort();
	mode = size ? *data : 0;
	data += size > 0;
	size -= size > 0;
	while (size) {
		len = next_piece(&data, &size);
		if (mode & 1)
			there_and_back(e, d, data, len, mode >> 1);
		else
			decode(d, data, len);
		data += len;
		size -= len;
	}
	text_delta_encoder_free(e);
	text_delta_decoder_free(d);
	return 0;
}

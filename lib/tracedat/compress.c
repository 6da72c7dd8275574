// SPDX-License-Identifier: LGPL-2.1
/*
 * compress.c - zstd and zlib with one interface
 *
 * A compressor has one context and one buffer for each direction, created on first use.  A recorder
 * never decompresses and a reader never compresses.  Creating a context would be most of the cost
 * of a small block.
 *
 * Invariant: a buffer never shrinks, and a failed allocation leaves it unchanged.
 */
#include <errno.h>
#include <limits.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <zlib.h>
#include <zstd.h>
#include <zstd_errors.h>

#include "lib/base/array.h"
#include "lib/tracedat/compress.h"

/* zstd's default level: snapshots are small and frequent, so speed matters most. */
#define ZSTD_LEVEL 3

struct hist_compressor {
	enum hist_compression kind;
	ZSTD_CCtx *zstd_out;
	ZSTD_DCtx *zstd_in;
	z_stream zlib_out, zlib_in;
	bool zlib_out_ready, zlib_in_ready;
	void *out, *in;
	size_t out_room, in_room;
};

static const char *const names[] = {
	[HIST_COMPRESS_NONE] = "none",
	[HIST_COMPRESS_ZSTD] = "zstd",
	[HIST_COMPRESS_ZLIB] = "zlib",
};

int hist_compression_from_name(const char *name)
{
	unsigned int i;

	for (i = 0; i < sizeof(names) / sizeof(*names); i++)
		if (!strcmp(name, names[i]))
			return i;
	return -ENOTSUP;
}

const char *hist_compression_name(enum hist_compression c)
{
	return names[c];
}

const char *hist_compression_version(enum hist_compression c)
{
	switch (c) {
	case HIST_COMPRESS_ZSTD:
		return ZSTD_versionString();
	case HIST_COMPRESS_ZLIB:
		return zlibVersion();
	case HIST_COMPRESS_NONE:
		break;
	}
	return "";
}

struct hist_compressor *hist_compressor_new(enum hist_compression c)
{
	struct hist_compressor *new = calloc(1, sizeof(*new));

	if (new)
		new->kind = c;
	return new;
}

void hist_compressor_free(struct hist_compressor *c)
{
	if (!c)
		return;
	ZSTD_freeCCtx(c->zstd_out);
	ZSTD_freeDCtx(c->zstd_in);
	if (c->zlib_out_ready)
		deflateEnd(&c->zlib_out);
	if (c->zlib_in_ready)
		inflateEnd(&c->zlib_in);
	free(c->out);
	free(c->in);
	free(c);
}

static int zstd_compress(struct hist_compressor *c, const void *in, size_t len, size_t *out_len)
{
	size_t n;
	int ret;

	if (!c->zstd_out) {
		c->zstd_out = ZSTD_createCCtx();
		if (!c->zstd_out)
			return -ENOMEM;
		ZSTD_CCtx_setParameter(c->zstd_out, ZSTD_c_compressionLevel, ZSTD_LEVEL);
		/* the file stores both sizes before the data */
		ZSTD_CCtx_setParameter(c->zstd_out, ZSTD_c_contentSizeFlag, 0);
	}
	ret = array_renew(&c->out, &c->out_room, ZSTD_compressBound(len));
	if (ret)
		return ret;
	n = ZSTD_compress2(c->zstd_out, c->out, c->out_room, in, len);
	if (ZSTD_isError(n))
		return ZSTD_getErrorCode(n) == ZSTD_error_memory_allocation ? -ENOMEM : -EIO;
	*out_len = n;
	return 0;
}

static int zlib_compress(struct hist_compressor *c, const void *in, size_t len, size_t *out_len)
{
	int ret;

	if (!c->zlib_out_ready) {
		if (deflateInit(&c->zlib_out, Z_DEFAULT_COMPRESSION) != Z_OK)
			return -ENOMEM;
		c->zlib_out_ready = true;
	} else if (deflateReset(&c->zlib_out) != Z_OK) {
		return -EIO;
	}
	ret = array_renew(&c->out, &c->out_room, deflateBound(&c->zlib_out, len));
	if (ret)
		return ret;
	c->zlib_out.next_in = (void *)in;
	c->zlib_out.avail_in = len;
	c->zlib_out.next_out = c->out;
	c->zlib_out.avail_out = c->out_room;
	if (deflate(&c->zlib_out, Z_FINISH) != Z_STREAM_END)
		return -EIO;
	*out_len = c->zlib_out.total_out;
	return 0;
}

int hist_compress(struct hist_compressor *c, const void *in, size_t len, const void **out,
		  size_t *out_len)
{
	int ret;

	/* the size fields of the file have 32 bits */
	if (len > INT_MAX)
		return -E2BIG;
	if (c->kind == HIST_COMPRESS_NONE) {
		*out = in;
		*out_len = len;
		return 0;
	}
	ret = c->kind == HIST_COMPRESS_ZSTD ? zstd_compress(c, in, len, out_len)
					    : zlib_compress(c, in, len, out_len);
	*out = c->out;
	return ret;
}

static int zstd_decompress(struct hist_compressor *c, const void *in, size_t len, void *out,
			   size_t raw_len)
{
	if (!c->zstd_in) {
		c->zstd_in = ZSTD_createDCtx();
		if (!c->zstd_in)
			return -ENOMEM;
	}
	/*
	 * single-pass decompression uses the output as its window, so the frame header cannot cause
	 * a large allocation
	 */
	if (ZSTD_decompressDCtx(c->zstd_in, out, raw_len, in, len) != raw_len)
		return -EBADMSG;
	return 0;
}

static int zlib_decompress(struct hist_compressor *c, const void *in, size_t len, void *out,
			   size_t raw_len)
{
	int ret;

	if (!c->zlib_in_ready) {
		if (inflateInit(&c->zlib_in) != Z_OK)
			return -ENOMEM;
		c->zlib_in_ready = true;
	} else if (inflateReset(&c->zlib_in) != Z_OK) {
		return -EIO;
	}
	c->zlib_in.next_in = (void *)in;
	c->zlib_in.avail_in = len;
	c->zlib_in.next_out = out;
	c->zlib_in.avail_out = raw_len;
	ret = inflate(&c->zlib_in, Z_FINISH);
	if (ret == Z_MEM_ERROR)
		return -ENOMEM;
	if (ret != Z_STREAM_END || c->zlib_in.total_out != raw_len || c->zlib_in.avail_in)
		return -EBADMSG;
	return 0;
}

int hist_compressor_decompress_to(struct hist_compressor *c, const void *in, size_t len, void *out,
				  size_t raw_len)
{
	if (len > INT_MAX || raw_len > INT_MAX)
		return -EBADMSG;
	switch (c->kind) {
	case HIST_COMPRESS_ZSTD:
		return zstd_decompress(c, in, len, out, raw_len);
	case HIST_COMPRESS_ZLIB:
		return zlib_decompress(c, in, len, out, raw_len);
	case HIST_COMPRESS_NONE:
		break;
	}
	if (len != raw_len)
		return -EBADMSG;
	memcpy(out, in, len);
	return 0;
}

int hist_compressor_decompress(struct hist_compressor *c, const void *in, size_t len,
			       size_t raw_len,
			       const void **out)
{
	int ret;

	if (raw_len > INT_MAX)
		return -EBADMSG;
	if (c->kind == HIST_COMPRESS_NONE) {
		*out = in;
		return len == raw_len ? 0 : -EBADMSG;
	}
	/* at least one byte, so that the libraries never get NULL */
	ret = array_renew(&c->in, &c->in_room, raw_len ? raw_len : 1);
	if (!ret)
		ret = hist_compressor_decompress_to(c, in, len, c->in, raw_len);
	if (ret)
		return ret;
	*out = c->in;
	return 0;
}

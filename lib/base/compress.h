/* SPDX-License-Identifier: LGPL-2.1 */
/*
 * compress.h - the compression algorithms that a trace.dat v7 file may name
 */
#ifndef LIB_BASE_COMPRESS_H
#define LIB_BASE_COMPRESS_H

#include <stddef.h>

enum hist_compression {
	HIST_COMPRESS_NONE,
	HIST_COMPRESS_ZSTD,
	HIST_COMPRESS_ZLIB,
};

/* From/to the name in the file header ("none", "zstd", "zlib"); -ENOTSUP if unknown. */
int hist_compression_from_name(const char *name);
const char *hist_compression_name(enum hist_compression c);
/* The version string stock trace-cmd writes beside the name. */
const char *hist_compression_version(enum hist_compression c);

struct hist_compressor;

/* Keeps contexts and buffers between calls.  NULL without memory. */
struct hist_compressor *hist_compressor_new(enum hist_compression c);
void hist_compressor_free(struct hist_compressor *c);

/*
 * hist_compress - compress @len bytes
 * *@out is owned by @c, valid until the next hist_compress(); with
 * HIST_COMPRESS_NONE it is @in.  0, -ENOMEM, -EIO, -E2BIG from 2 GiB on.
 */
int hist_compress(struct hist_compressor *c, const void *in, size_t len, const void **out,
		  size_t *out_len);

/*
 * hist_decompress - decompress to exactly @raw_len bytes
 * -EBADMSG when the data does not give exactly that many.  *@out is owned by
 * @c, valid until the next hist_decompress(), or @in.  Nothing is allocated
 * beyond @raw_len, which the caller has bounded.
 */
int hist_decompress(struct hist_compressor *c, const void *in, size_t len, size_t raw_len,
		    const void **out);

/* The same into @out, which has @raw_len bytes and is not NULL. */
int hist_decompress_into(struct hist_compressor *c, const void *in, size_t len, void *out,
			 size_t raw_len);

#endif

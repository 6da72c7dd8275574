/* SPDX-License-Identifier: LGPL-2.1 */
/*
 * compress.h - the compression algorithms that a trace.dat v7 file may name
 */
#ifndef LIB_TRACEDAT_COMPRESS_H
#define LIB_TRACEDAT_COMPRESS_H

#include <stddef.h>

enum hist_compression {
	HIST_COMPRESS_NONE,
	HIST_COMPRESS_ZSTD,
	HIST_COMPRESS_ZLIB,
};

/* From/to the name in the file header ("none", "zstd", "zlib"); -ENOTSUP if unknown. */
int hist_compression_from_name(const char *name);
const char *hist_compression_name(enum hist_compression c);
/* The version string that stock trace-cmd writes next to the name. */
const char *hist_compression_version(enum hist_compression c);

struct hist_compressor;

/* A compressor keeps its contexts and buffers between calls.  NULL if out of memory. */
struct hist_compressor *hist_compressor_new(enum hist_compression c);
void hist_compressor_free(struct hist_compressor *c);

/*
 * hist_compress - compress @len bytes
 * *@out is owned by @c and valid until the next hist_compress().  It is @in with
 * HIST_COMPRESS_NONE.  0, -ENOMEM, -EIO, or -E2BIG from 2 GiB on.
 */
int hist_compress(struct hist_compressor *c, const void *in, size_t len, const void **out,
		  size_t *out_len);

/*
 * hist_compressor_decompress - decompress to exactly @raw_len bytes
 * -EBADMSG if the data does not decompress to exactly @raw_len bytes.  *@out is owned by @c and
 * valid until the next hist_compressor_decompress(), or it is @in.  The function allocates at most
 * @raw_len bytes for the output; the caller limits @raw_len.
 */
int hist_compressor_decompress(struct hist_compressor *c, const void *in, size_t len,
			       size_t raw_len,
			       const void **out);

/* hist_compressor_decompress() into @out, which has @raw_len bytes and is not NULL. */
int hist_compressor_decompress_to(struct hist_compressor *c, const void *in, size_t len, void *out,
				  size_t raw_len);

#endif

// SPDX-License-Identifier: LGPL-2.1
/*
 * tracedat_writer.c - append sections to a trace.dat file, or attach them to a finished one
 *
 * A section is one pwritev() at the end of the file, or one call of a sink.  A section that was
 * not written completely is removed by truncation.  In a finished file, one write makes the
 * histogram option visible: 8 bytes over the 0 in the last DONE option.
 *
 * Invariant: the file has complete sections and at most one truncated one at its end, at any time
 * and after a crash of the recorder.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/uio.h>
#include <unistd.h>
#include <zlib.h>

#include "lib/tracedat/tracedat_format.h"

/* For attached files: string ids are cumulative, so new strings are appended. */
#define HIST_TITLE "histogram"
#define OPTIONS_TITLE "options"
#define STRINGS_TITLE "strings"

/* IOV_MAX of Linux */
#define VECTOR_MAX 1024

void tracedat_put_section_header(bool be, void *out, uint16_t id, uint16_t flags,
				 uint32_t description,
				 uint64_t size)
{
	unsigned char *p = out;

	bytes_put_u16(be, p, id);
	bytes_put_u16(be, p + 2, flags);
	bytes_put_u32(be, p + 4, description);
	bytes_put_u64(be, p + 8, size);
}

void tracedat_make_hist_option(bool be, uint64_t offset,
			       unsigned char option[TRACEDAT_HIST_OPTION_SIZE])
{
	bytes_put_u32(be, option, TRACEDAT_HIST_MAGIC);
	bytes_put_u16(be, option + 4, TRACEDAT_HIST_VERSION);
	bytes_put_u16(be, option + 6, 0);
	bytes_put_u64(be, option + 8, offset);
	bytes_put_u32(be, option + 16, crc32(0, option, 16));
	bytes_put_u32(be, option + 20, 0);
}

/* Modifies @v. */
static int write_vector(int fd, struct iovec *v, int n, uint64_t offset)
{
	ssize_t written;

	for (;;) {
		for (; n && !v->iov_len; v++, n--)
			;
		if (!n)
			return 0;
		written = pwritev(fd, v, n < VECTOR_MAX ? n : VECTOR_MAX, offset);
		if (written < 0 && errno == EINTR)
			continue;
		if (written < 0)
			return -errno;
		if (!written)
			return -EIO;
		offset += written;
		for (; n && (size_t)written >= v->iov_len; v++, n--)
			written -= v->iov_len;
		if (n) {
			v->iov_base = (char *)v->iov_base + written;
			v->iov_len -= written;
		}
	}
}

static int write_or_cut(int fd, struct iovec *v, int n, uint64_t offset)
{
	int ret = write_vector(fd, v, n, offset);

	/* if truncation fails too, the next section overwrites the rest */
	if (ret && ftruncate(fd, offset))
		return ret;
	return ret;
}

static int tracedat_put_to_file(struct tracedat_sink *sink, struct iovec *v, int n, uint64_t offset)
{
	/* the sink is the first member */
	return write_or_cut(((struct tracedat_file *)sink)->fd, v, n, offset);
}

struct tracedat_writer *tracedat_writer_new(struct tracedat_sink *sink, int fd)
{
	struct tracedat_writer *w = calloc(1, sizeof(*w));

	if (!w)
		return NULL;
	w->file = (struct tracedat_file){ .sink.put = tracedat_put_to_file, .fd = fd };
	w->sink = sink ? sink : &w->file.sink;
	return w;
}

int tracedat_append(struct tracedat_writer *w, uint16_t id, const struct iovec *parts, int nparts)
{
	unsigned char header[TRACEDAT_SECTION_HEADER];
	struct iovec v[TRACEDAT_PARTS_MAX + 1];
	uint64_t size = 0;
	int i, ret;

	if (nparts < 0 || nparts > TRACEDAT_PARTS_MAX)
		return -EINVAL;
	for (i = 0; i < nparts; i++) {
		size += parts[i].iov_len;
		v[i + 1] = parts[i];
	}
	tracedat_put_section_header(w->big_endian, header, id, 0,
				    id == TRACEDAT_HIST_ID ? w->hist_title : UINT32_MAX, size);
	v[0] = (struct iovec){ .iov_base = header, .iov_len = sizeof(header) };
	ret = w->sink->put(w->sink, v, nparts + 1, w->size);
	if (ret)
		return ret;
	if (!w->first && id == TRACEDAT_HIST_ID)
		w->first = w->size;
	w->size += sizeof(header) + size;
	return 0;
}

/*
 * Adds up the strings of all sections, and finds the end of the last complete section.
 * 0; -ENODATA: a truncated section follows; -EBADMSG, or the errno of read().
 */
static int count_strings(struct tracedat_reader *r, uint32_t *strings, uint64_t *end)
{
	struct tracedat_section section;
	uint64_t at = r->sections_at, sum = 0, size;
	const void *data;
	int ret;

	while ((ret = tracedat_read_section(r, at, &section)) == 1) {
		at = section.data + section.size;
		if (section.id != TRACEDAT_STRINGS)
			continue;
		size = section.size;
		if (section.flags & TRACEDAT_COMPRESSED) {
			if (size < TRACEDAT_COMPRESSED_HEADER)
				return -EBADMSG;
			ret = tracedat_read(r, section.data + 4, 4, &data);
			if (ret)
				return ret;
			size = bytes_u32(r->big_endian, data);
		}
		sum += size;
		/* string ids are signed 32-bit numbers to the stock reader */
		if (sum > INT32_MAX - 4096)
			return -EBADMSG;
	}
	*strings = sum;
	*end = at;
	return ret;
}

/*
 * Make a writer that appends to the file of @r.  *@end: the end of its last complete section.
 * 0, -ENODATA: data without a complete section follows, and *@writer is set; -ENOTSUP: a file
 * without the option that ends the list of options; -errno.
 */
static int begin_appending(struct tracedat_writer **writer, struct tracedat_reader *r, int fd,
			   uint64_t *end)
{
	struct tracedat_writer *w;
	int ret;

	if (!r->options.last_done)
		return -ENOTSUP;
	w = tracedat_writer_new(NULL, fd);
	if (!w)
		return -ENOMEM;
	w->big_endian = r->big_endian;
	w->compression = r->compression;
	w->last_done = r->options.last_done;
	ret = count_strings(r, &w->strings, end);
	if (!ret || ret == -ENODATA)
		*writer = w;
	else
		tracedat_writer_free(w);
	return ret;
}

int tracedat_attach(struct tracedat_writer **writer, int fd)
{
	struct tracedat_reader *r;
	struct tracedat_writer *w = NULL;
	const char *why;
	uint64_t end;
	int ret;

	ret = tracedat_open_fd(&r, fd, &why);
	if (ret)
		return ret;
	ret = r->options.has_hist ? -EEXIST : begin_appending(&w, r, fd, &end);
	/* readers do not find data after a truncated section */
	ret = ret == -ENODATA ? -EBADMSG : ret;
	if (ret)
		goto out;
	w->attached = true;
	w->size = r->size;
	w->hist_title = w->strings;
	*writer = w;
	w = NULL;
out:
	tracedat_writer_free(w);
	tracedat_reader_free(r);
	return ret;
}

int tracedat_resume(struct tracedat_writer **writer, int fd)
{
	struct tracedat_reader *r;
	struct tracedat_writer *w = NULL;
	const char *why;
	uint64_t end;
	int ret;

	ret = tracedat_open_fd(&r, fd, &why);
	if (ret)
		return ret;
	/* without histograms also -ENODATA, so @w tells them apart */
	ret = r->hist_state == TRACEDAT_HIST_FOUND ? begin_appending(&w, r, fd, &end) : -ENODATA;
	if (ret == -ENODATA && w)
		ret = ftruncate(fd, end) ? -errno : 0;
	if (ret)
		goto out;
	w->size = end;
	w->first = r->options.hist_offset;
	w->hist_title = UINT32_MAX;
	*writer = w;
	w = NULL;
out:
	tracedat_writer_free(w);
	tracedat_reader_free(r);
	return ret;
}

int tracedat_link_options(struct tracedat_writer *w, const void *options, size_t len,
			  uint64_t pointer)
{
	static const char strings[] = HIST_TITLE "\0" OPTIONS_TITLE "\0" STRINGS_TITLE;
	const uint32_t options_title = w->strings + sizeof(HIST_TITLE);
	const uint32_t strings_title = options_title + sizeof(OPTIONS_TITLE);
	const size_t options_at = TRACEDAT_SECTION_HEADER + sizeof(strings);
	unsigned char head[2 * TRACEDAT_SECTION_HEADER + sizeof(strings)];
	unsigned char tail[2 * TRACEDAT_OPTION_HEADER + TRACEDAT_HIST_OPTION_SIZE + 8] = { 0 };
	/* only an attached file lacks the histogram option */
	const size_t tail_len = w->attached ? sizeof(tail) : TRACEDAT_OPTION_HEADER + 8;
	const uint64_t all = sizeof(head) + len + tail_len;
	struct iovec parts[] = {
		{ head, sizeof(head) }, { (void *)options, len }, { tail, tail_len },
	};
	unsigned char next[8], *p = tail;
	bool be = w->big_endian;
	int ret;

	tracedat_put_section_header(be, head, TRACEDAT_STRINGS, 0, strings_title, sizeof(strings));
	memcpy(head + TRACEDAT_SECTION_HEADER, strings, sizeof(strings));
	tracedat_put_section_header(be, head + options_at, TRACEDAT_DONE, 0, options_title,
				    len + tail_len);
	if (w->attached) {
		bytes_put_u16(be, p, TRACEDAT_HIST_ID);
		bytes_put_u32(be, p + 2, TRACEDAT_HIST_OPTION_SIZE);
		p += TRACEDAT_OPTION_HEADER;
		tracedat_make_hist_option(be, w->first ? w->first : w->size + all, p);
		p += TRACEDAT_HIST_OPTION_SIZE;
	}
	bytes_put_u16(be, p, TRACEDAT_DONE);
	bytes_put_u32(be, p + 2, 8);
	ret = write_or_cut(w->file.fd, parts, 3, w->size);
	if (ret)
		return ret;
	/* the data must be on disk before the pointer to it, in case power fails */
	if (fdatasync(w->file.fd)) {
		ret = -errno;
		goto cut;
	}
	bytes_put_u64(be, next, w->size + options_at);
	ret = write_vector(w->file.fd, &(struct iovec){ next, sizeof(next) }, 1, pointer);
	if (ret)
		goto cut;
	w->size += all;
	w->last_done = w->size - 8;
	w->strings += sizeof(strings);
	w->attached = false;
	return 0;
cut:
	/* best effort: nothing points to the rest, and the next section overwrites it */
	if (ftruncate(w->file.fd, w->size))
		return ret;
	return ret;
}

int tracedat_link(struct tracedat_writer *w)
{
	return w->attached ? tracedat_link_options(w, NULL, 0, w->last_done) : -EINVAL;
}

uint64_t tracedat_size(const struct tracedat_writer *w)
{
	return w->size;
}

void tracedat_writer_free(struct tracedat_writer *w)
{
	if (w)
		hist_strbuf_free(&w->buffers);
	free(w);
}

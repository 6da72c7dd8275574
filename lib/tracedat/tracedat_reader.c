// SPDX-License-Identifier: LGPL-2.1
/*
 * tracedat_reader.c - read the header and the sections of a trace.dat file
 *
 * The reader uses pread() and a window of 64 KiB that moves forward (tracedat_source.c).  A walk
 * over many small sections thus costs one system call per window, and the data is still in the CPU
 * cache.
 * The reader does not use mmap(): if another process truncates the file, the result must be an
 * error and not SIGBUS.
 *
 * Invariant: each size or offset from the file is checked, before use, against the size that the
 * file had when it was opened.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "lib/tracedat/tracedat_format.h"

/* Names and versions in the header have a few bytes; a longer one means another file type. */
#define HEADER_STRING_MAX 64

int tracedat_read_all(int fd, void *to, size_t len, uint64_t offset)
{
	unsigned char *data = to;
	ssize_t n;

	while (len) {
		n = pread(fd, data, len, offset);
		if (n < 0 && errno == EINTR)
			continue;
		if (n < 0)
			return -errno;
		if (!n)
			return -ENODATA;
		data += n;
		offset += n;
		len -= n;
	}
	return 0;
}

static int tracedat_decompress(const struct tracedat_reader *r, uint64_t at, size_t stored,
			       void *data, size_t len)
{
	struct hist_compressor *compressor = hist_compressor_new(r->compression);
	void *in = malloc(stored + 1);
	int ret = compressor && in ? tracedat_source_read_all(r->source, in, stored, at) : -ENOMEM;

	if (!ret)
		ret = hist_compressor_decompress_to(compressor, in, stored, data, len);
	free(in);
	hist_compressor_free(compressor);
	return ret;
}

int tracedat_load(const struct tracedat_reader *r, uint64_t at, uint64_t size, bool packed,
		  size_t max, char **data, size_t *len)
{
	unsigned char head[TRACEDAT_COMPRESSED_HEADER];
	uint32_t stored = 0;
	char *text;
	int ret;

	if (size > max)
		return -EBADMSG;
	if (packed) {
		if (size < sizeof(head))
			return -EBADMSG;
		ret = tracedat_source_read_all(r->source, head, sizeof(head), at);
		if (ret)
			return ret;
		at += sizeof(head);
		stored = bytes_u32(r->big_endian, head);
		if (stored > size - sizeof(head))
			return -EBADMSG;
		size = bytes_u32(r->big_endian, head + 4);
		if (size > max)
			return -EBADMSG;
	}
	text = malloc(size + 1);
	if (!text)
		return -ENOMEM;
	ret = packed ? tracedat_decompress(r, at, stored, text, size)
		     : tracedat_source_read_all(r->source, text, size, at);
	if (ret) {
		free(text);
		return ret;
	}
	text[size] = '\0';
	*data = text;
	*len = size;
	return 0;
}

int tracedat_read(struct tracedat_reader *r, uint64_t offset, size_t len, const void **data)
{
	const struct tracedat_part part = tracedat_find_part(r, offset);
	const uint64_t moved = part.skip - part.start;

	if (offset > part.end || len > part.end - offset)
		return -ENODATA;
	return tracedat_source_read(part.source, offset + moved, len, part.end + moved, data);
}

int tracedat_read_section(struct tracedat_reader *r, uint64_t offset,
			  struct tracedat_section *section)
{
	const unsigned char *p;
	const void *data;
	uint64_t size;
	int ret;

	*section = (struct tracedat_section){ 0 };
	if (offset == r->size)
		return 0;
	ret = tracedat_read(r, offset, TRACEDAT_SECTION_HEADER, &data);
	if (ret)
		return ret;
	p = data;
	size = bytes_u64(r->big_endian, p + 8);
	if (size > tracedat_part_end(r, offset) - offset - TRACEDAT_SECTION_HEADER)
		return -ENODATA;
	section->offset = offset;
	section->data = offset + TRACEDAT_SECTION_HEADER;
	section->size = size;
	section->id = bytes_u16(r->big_endian, p);
	section->flags = bytes_u16(r->big_endian, p + 2);
	return 1;
}

/* The NUL-terminated string at *@at; moves *@at past it.  NULL: none. */
static const char *header_string(struct tracedat_reader *r, uint64_t *at)
{
	uint64_t rest = r->size - *at;
	size_t len = rest < HEADER_STRING_MAX ? rest : HEADER_STRING_MAX;
	const void *data;
	const char *end;

	if (tracedat_read(r, *at, len, &data))
		return NULL;
	end = memchr(data, '\0', len);
	if (!end)
		return NULL;
	*at += end - (const char *)data + 1;
	return data;
}

/* Reads byte 0 up to the version: the part that all versions share. */
static int read_version(struct tracedat_reader *r, uint64_t *at, const char **why)
{
	static const char magic[] = "\x17\x08\x44tracing"; /* without its NUL */
	const char *version;
	const void *data;
	int ret;

	*why = "cannot be read";
	ret = tracedat_read(r, 0, sizeof(magic) - 1, &data);
	if (ret && ret != -ENODATA)
		return ret;
	*why = "not a trace.dat file";
	if (ret || memcmp(data, magic, sizeof(magic) - 1))
		return -EINVAL;
	*at = sizeof(magic) - 1;
	version = header_string(r, at);
	if (!version) {
		*why = "the header is truncated";
		return r->size - *at < HEADER_STRING_MAX ? -EBADMSG : -EINVAL;
	}
	if (!strcmp(version, "6") || !strcmp(version, "7"))
		r->version = version[0] - '0';
	return 0;
}

static int tracedat_read_file_header(struct tracedat_reader *r, const char **why)
{
	const unsigned char *p;
	const char *name;
	const void *data;
	uint64_t at;
	int ret;

	ret = read_version(r, &at, why);
	if (ret || !r->version)
		return ret;
	*why = "the header is truncated";
	if (tracedat_read(r, at, 6, &data))
		return -EBADMSG;
	p = data;
	if (p[0] > 1 || (p[1] != 4 && p[1] != 8)) {
		*why = "the header is damaged";
		return -EBADMSG;
	}
	r->big_endian = p[0];
	r->long_size = p[1];
	r->page_size = bytes_u32(r->big_endian, p + 2);
	at += 6;
	r->sections_at = at;
	if (r->version == 6)
		return 0;
	name = header_string(r, &at);
	if (!name)
		return -EBADMSG;
	ret = hist_compression_from_name(name);
	if (ret < 0) {
		*why = "unknown compression (zstd and zlib are supported)";
		return ret;
	}
	r->compression = ret;
	if (!header_string(r, &at) || tracedat_read(r, at, 8, &data))
		return -EBADMSG;
	r->options_at = bytes_u64(r->big_endian, data);
	r->sections_at = at + 8;
	return 0;
}

/*
 * Decides if the histogram option points to histogram sections.
 *
 * The sections mostly start at the end of the options.  The data after that point is not checked:
 * truncation or a flipped bit there counts as damage to a snapshot, not as a stale option.
 * After a late tracedat_link() the sections are complete and before the options.
 */
static enum tracedat_hist_state judge_hist_option(struct tracedat_reader *r)
{
	const struct tracedat_options *o = &r->options;
	struct tracedat_section section;

	if (!o->has_hist)
		return TRACEDAT_HIST_NONE;
	if (!o->hist_good)
		return TRACEDAT_HIST_BAD;
	if (o->hist_offset == o->hist_home_end)
		return TRACEDAT_HIST_FOUND;
	if (o->hist_offset >= o->hist_home || o->hist_offset < r->sections_at ||
	    tracedat_read_section(r, o->hist_offset, &section) != 1 ||
	    section.id != TRACEDAT_HIST_ID)
		return TRACEDAT_HIST_STALE;
	return TRACEDAT_HIST_FOUND;
}

/* Takes @source also on failure. */
static int reader_open_source(struct tracedat_reader **reader, struct tracedat_source *source,
			      const char **why)
{
	struct tracedat_reader *r = NULL;
	int fd = tracedat_source_fd(source), ret;
	struct stat st;

	*why = "cannot be read";
	if (fd < 0 || fstat(fd, &st)) {
		ret = fd < 0 ? fd : -errno;
		goto fail;
	}
	*why = "not a regular file";
	ret = -EINVAL;
	if (!S_ISREG(st.st_mode))
		goto fail;
	*why = "out of memory";
	ret = -ENOMEM;
	r = calloc(1, sizeof(*r));
	if (!r)
		goto fail;
	r->source = source;
	r->size = st.st_size;
	ret = tracedat_read_file_header(r, why);
	if (ret)
		tracedat_reader_free(r);
	else
		*reader = r;
	return ret;
fail:
	tracedat_source_free(source);
	return ret;
}

int tracedat_open_header(struct tracedat_pool *pool, struct tracedat_reader **reader,
			 const char *path, const char **why)
{
	const struct tracedat_name name = { .path = path };
	struct tracedat_source *source;
	int ret = tracedat_source_open(&source, pool, &name, why);

	return ret ? ret : reader_open_source(reader, source, why);
}

/* Reads the options after the header; frees the reader on failure. */
static int reader_read_options(struct tracedat_reader **reader, struct tracedat_reader *r,
			       const char **why)
{
	int ret;

	if (r->version == 7) {
		ret = tracedat_options_read(r, why);
	} else {
		*why = r->version
			       ? "version 6 of trace.dat cannot contain histograms (version 7 can)"
			       : "unknown version of trace.dat (7 is supported)";
		ret = -EINVAL;
	}
	if (ret) {
		tracedat_reader_free(r);
		return ret;
	}
	r->hist_state = judge_hist_option(r);
	*reader = r;
	return 0;
}

int tracedat_open_fd(struct tracedat_reader **reader, int fd, const char **why)
{
	struct tracedat_source *source = tracedat_source_new(fd);
	struct tracedat_reader *r = NULL;
	int ret;

	*why = "out of memory";
	ret = source ? reader_open_source(&r, source, why) : -ENOMEM;
	return ret ? ret : reader_read_options(reader, r, why);
}

int tracedat_take_fd(struct tracedat_reader **reader, int fd, const char **why)
{
	int ret = tracedat_open_fd(reader, fd, why);

	if (ret)
		close(fd);
	else
		(*reader)->source->owns_fd = true;
	return ret;
}

int tracedat_open_beside(struct tracedat_pool *pool, struct tracedat_reader **reader,
			 const struct file_place *of, const char *name, uid_t owner)
{
	const struct tracedat_name beside = { .path = name, .of = of, .owner = owner };
	struct tracedat_source *source;
	struct tracedat_reader *r;
	const char *why;
	int ret = tracedat_source_open(&source, pool, &beside, &why);

	if (!ret)
		ret = reader_open_source(&r, source, &why);
	return ret ? ret : reader_read_options(reader, r, &why);
}

int tracedat_open_in(struct tracedat_pool *pool, struct tracedat_reader **reader, const char *path,
		     const char **why)
{
	const char *reason = "cannot be opened";
	struct tracedat_reader *r;
	int ret = tracedat_open_header(pool, &r, path, &reason);

	if (!ret)
		ret = reader_read_options(reader, r, &reason);
	if (ret && why)
		*why = reason;
	return ret;
}

int tracedat_open(struct tracedat_reader **reader, const char *path, const char **why)
{
	return tracedat_open_in(NULL, reader, path, why);
}

int tracedat_reopen(struct tracedat_reader **copy, const struct tracedat_reader *r)
{
	struct tracedat_reader *made;
	const char *why;
	int fd, ret;

	if (r->nparts)
		return -EINVAL;
	fd = tracedat_source_fd(r->source);
	if (fd >= 0)
		fd = fcntl(fd, F_DUPFD_CLOEXEC, 3);
	if (fd < 0)
		return fd == -1 ? -errno : fd;
	ret = tracedat_take_fd(&made, fd, &why);
	if (ret)
		return ret;
	if (made->size < r->size || made->big_endian != r->big_endian ||
	    made->compression != r->compression) {
		tracedat_reader_free(made);
		return -EBADMSG;
	}
	made->size = r->size;
	*copy = made;
	return 0;
}

void tracedat_reader_free(struct tracedat_reader *r)
{
	if (!r)
		return;
	tracedat_clear_parts(r);
	tracedat_source_free(r->source);
	free(r);
}

bool tracedat_has_events(const struct tracedat_reader *r)
{
	return r->options.has_events;
}

enum tracedat_hist_state tracedat_find_hist(const struct tracedat_reader *r, uint64_t *offset)
{
	if (r->hist_state == TRACEDAT_HIST_FOUND)
		*offset = r->options.hist_offset;
	return r->hist_state;
}

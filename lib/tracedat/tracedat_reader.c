// SPDX-License-Identifier: LGPL-2.1
/*
 * tracedat_reader.c - read a trace.dat file: its header, options and sections
 *
 * The reader uses pread() and a window of 64 KiB that moves forward.  A walk over many small
 * sections thus costs one system call per window, and the data is still in the CPU cache.
 * The reader does not use mmap(): if another process truncates the file, the result must be an
 * error and not SIGBUS.
 *
 * The files of a pool share its slots.  A file without a slot has neither a descriptor nor a
 * window; the next read opens it again by its path and takes the slot that was not used for the
 * longest time.  The first files keep their slots: `record --keep` removes the oldest files of a
 * recording, and a file with a descriptor can still be read then.
 *
 * Each options section ends with a DONE option, which has the offset of the next one.  A section is
 * read into memory as a whole, and uncompressed if necessary.  The offsets must ascend, as in every
 * file that was written front to back.  A circular chain thus ends with an error, and the walk
 * reads each byte at most once.  All options sections together may need OPTIONS_RAW_MAX bytes of
 * memory.
 *
 * A reader can also read the histogram sections of several files as those of one.  The first file
 * has the offsets from 0 on.  The histogram sections of each further file follow at the size that
 * the reader had before.  A read maps an offset to a part: a file and a place in it.
 *
 * Invariants: each size or offset from the file is checked, before use, against the size that the
 * file had when it was opened.  The parts cover the offsets from 0 to the size, in order and
 * without a gap.  A read never crosses the end of a part, so a truncated file cannot change what
 * comes after it.  A file that is opened again is the same file; its path may name another one by
 * now.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zlib.h>

#include "lib/base/array.h"
#include "lib/base/infile.h"
#include "lib/tracedat/tracedat_format.h"

/* --- files: windows and descriptors --- */

/* pread() of all @len bytes: 0, -ENODATA at the end of the file, or the errno of pread(). */
static int tracedat_read_all(int fd, void *to, size_t len, uint64_t offset)
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

#define WINDOW_SIZE (64u << 10)

#define SLOTS 64
#define KINDS (HIST_COMPRESS_ZLIB + 1)

struct tracedat_pool {
	struct tracedat_source *slots[SLOTS];
	unsigned int nslots; /* that are used; the first three of four for the first files */
	uint64_t reads;
	struct hist_compressor *compressors[KINDS];
	char *lost;
};

struct tracedat_pool *tracedat_pool_new(void)
{
	struct tracedat_pool *pool = calloc(1, sizeof(*pool));

	if (pool)
		pool->nslots = SLOTS;
	return pool;
}

void tracedat_pool_free(struct tracedat_pool *pool)
{
	unsigned int i;

	if (!pool)
		return;
	for (i = 0; i < KINDS; i++)
		hist_compressor_free(pool->compressors[i]);
	free(pool->lost);
	free(pool);
}

const char *tracedat_pool_lost(const struct tracedat_pool *pool)
{
	return pool->lost;
}

struct hist_compressor *tracedat_pool_compressor(struct tracedat_pool *pool,
						 enum hist_compression kind)
{
	if (!pool->compressors[kind])
		pool->compressors[kind] = hist_compressor_new(kind);
	return pool->compressors[kind];
}

/* Takes the descriptor and the memory from the file in slot @i. */
static void pool_empty_slot(struct tracedat_pool *pool, unsigned int i)
{
	struct tracedat_source *s = pool->slots[i];

	pool->slots[i] = NULL;
	if (!s)
		return;
	close(s->fd);
	s->fd = -1;
	free(s->window);
	free(s->big);
	s->window = s->big = NULL;
	s->len = 0;
}

/* The slot from @from on that is free, or else was not used for the longest time. */
static unsigned int pool_find_slot(const struct tracedat_pool *pool, unsigned int from)
{
	unsigned int i, found = from;

	for (i = from; i < pool->nslots && pool->slots[found]; i++)
		if (!pool->slots[i] || pool->slots[i]->read < pool->slots[found]->read)
			found = i;
	return found;
}

static int pool_open_name(const struct tracedat_name *name, struct hist_error *error)
{
	return name->of ? infile_open_beside(name->of, name->path, name->owner, false)
			: infile_open(name->path, error);
}

/* A descriptor.  If the process has no more, half of the slots remain, and others get the rest. */
static int pool_open_file(struct tracedat_pool *pool, const struct tracedat_name *name,
			  struct hist_error *error)
{
	unsigned int i, most = pool ? pool->nslots : 0;
	int fd;

	while ((fd = pool_open_name(name, error)) < 0) {
		if ((fd != -EMFILE && fd != -ENFILE) || !most)
			return fd;
		for (i = most / 2; i < most; i++)
			pool_empty_slot(pool, i);
		most /= 2;
		pool->nslots = most ? most : 1;
	}
	return fd;
}

static void pool_take_slot(struct tracedat_source *s, int fd)
{
	struct tracedat_pool *pool = s->pool;
	unsigned int kept = pool->nslots * 3 / 4, i;

	for (i = 0; i < kept && pool->slots[i]; i++)
		;
	if (i == kept)
		i = pool_find_slot(pool, kept);
	pool_empty_slot(pool, i);
	pool->slots[i] = s;
	s->fd = fd;
}

/* A file that is read from @fd, which the caller closes.  NULL without memory. */
static struct tracedat_source *source_new(int fd)
{
	struct tracedat_source *s = calloc(1, sizeof(*s));

	if (s)
		s->fd = fd;
	return s;
}

/* Makes @s a file of @pool. */
static int source_join_pool(struct tracedat_source *s, struct tracedat_pool *pool,
			    const struct tracedat_name *name)
{
	if (fstat(s->fd, &s->file))
		return -errno;
	s->name = *name;
	s->name.path = strdup(name->path);
	if (!s->name.path)
		return -ENOMEM;
	s->pool = pool;
	s->owns_fd = false;
	pool_take_slot(s, s->fd);
	return 0;
}

static void source_free(struct tracedat_source *s)
{
	unsigned int i;

	if (!s)
		return;
	for (i = 0; s->pool && i < SLOTS; i++)
		if (s->pool->slots[i] == s)
			pool_empty_slot(s->pool, i);
	if (s->owns_fd)
		close(s->fd);
	free(s->window);
	free(s->big);
	free((char *)s->name.path);
	free(s);
}

/* A file of @pool, or one that keeps its descriptor.  -errno with @error. */
static int source_open(struct tracedat_source **source, struct tracedat_pool *pool,
		       const struct tracedat_name *name, struct hist_error *error)
{
	struct tracedat_source *s;
	int fd = pool_open_file(pool, name, error), ret = 0;

	if (fd < 0)
		return fd;
	s = source_new(fd);
	if (!s) {
		close(fd);
		return -ENOMEM;
	}
	s->owns_fd = true;
	if (pool)
		ret = source_join_pool(s, pool, name);
	if (ret)
		source_free(s);
	else
		*source = s;
	return ret;
}

/* -EIO: the path names another file, or none. */
static int source_open_again(struct tracedat_source *s)
{
	struct stat st;
	int fd = pool_open_file(s->pool, &s->name, NULL);

	if (fd >= 0 && !fstat(fd, &st) && file_place_is_same(&st, &s->file)) {
		pool_take_slot(s, fd);
		return 0;
	}
	if (fd == -EMFILE || fd == -ENFILE || fd == -ENOMEM)
		return fd;
	if (fd >= 0)
		close(fd);
	if (!s->pool->lost)
		s->pool->lost = strdup(s->name.path);
	return -EIO;
}

int tracedat_source_fd(struct tracedat_source *s)
{
	int ret;

	if (!s->pool)
		return s->fd;
	s->read = ++s->pool->reads;
	ret = s->fd < 0 ? source_open_again(s) : 0;
	return ret ? ret : s->fd;
}

int tracedat_source_read_all(struct tracedat_source *s, void *data, size_t len, uint64_t offset)
{
	int fd = tracedat_source_fd(s);

	return fd < 0 ? fd : tracedat_read_all(fd, data, len, offset);
}

static int source_move_window(struct tracedat_source *s, uint64_t offset, uint64_t end)
{
	size_t len = end - offset < WINDOW_SIZE ? end - offset : WINDOW_SIZE;
	int fd = tracedat_source_fd(s), ret;

	s->len = 0;
	if (fd < 0)
		return fd;
	if (!s->window)
		s->window = malloc(WINDOW_SIZE);
	if (!s->window)
		return -ENOMEM;
	ret = tracedat_read_all(fd, s->window, len, offset);
	if (ret)
		return ret;
	s->start = offset;
	s->len = len;
	return 0;
}

/*
 * Read through the window, which does not go beyond @end.  *@data is valid until the next read of
 * this file, or of many others of its pool.
 */
static int source_read(struct tracedat_source *s, uint64_t offset, size_t len, uint64_t end,
		       const void **data)
{
	int ret;

	free(s->big);
	s->big = NULL;
	if (s->pool)
		s->read = ++s->pool->reads;
	if (len > WINDOW_SIZE) {
		s->big = malloc(len);
		if (!s->big)
			return -ENOMEM;
		*data = s->big;
		return tracedat_source_read_all(s, s->big, len, offset);
	}
	if (offset < s->start || offset - s->start > s->len || len > s->len - (offset - s->start)) {
		ret = source_move_window(s, offset, end);
		if (ret)
			return ret;
	}
	*data = len ? s->window + (offset - s->start) : (unsigned char *)"";
	return 0;
}

/* --- parts --- */

/* The part that has @offset; the last one if @offset is the end. */
static struct tracedat_part tracedat_find_part(const struct tracedat_reader *r, uint64_t offset)
{
	unsigned int low = 0, high = r->nparts, middle;

	if (!r->nparts)
		return (struct tracedat_part){ .source = r->source, .end = r->size };
	while (high - low > 1) {
		middle = (low + high) / 2;
		if (r->parts[middle].start <= offset)
			low = middle;
		else
			high = middle;
	}
	return r->parts[low];
}

uint64_t tracedat_part_end(const struct tracedat_reader *r, uint64_t offset)
{
	return tracedat_find_part(r, offset).end;
}

int tracedat_join(struct tracedat_reader *r, struct tracedat_reader *next)
{
	unsigned int n = r->nparts ? r->nparts : 1;
	struct tracedat_part first = tracedat_find_part(r, 0);
	uint64_t skip;

	if (next->big_endian != r->big_endian || next->compression != r->compression ||
	    next->nparts || tracedat_find_hist(next, &skip) != TRACEDAT_HIST_FOUND ||
	    next->size - skip > UINT64_MAX - r->size)
		return -EINVAL;
	if (array_grow(&r->parts, &r->parts_room, n + 1, sizeof(*r->parts)))
		return -ENOMEM;
	r->parts[0] = first;
	r->parts[n] = (struct tracedat_part){
		.source = next->source,
		.start = r->size,
		.end = r->size + next->size - skip,
		.skip = skip,
	};
	next->source = NULL;
	r->nparts = n + 1;
	r->size = r->parts[n].end;
	return 0;
}

static void tracedat_clear_parts(struct tracedat_reader *r)
{
	unsigned int i;

	/* the file of the first part is that of the reader */
	for (i = 1; i < r->nparts; i++)
		source_free(r->parts[i].source);
	free(r->parts);
}

uint64_t tracedat_trace_id(const struct tracedat_reader *r)
{
	return r->options.trace_id;
}

/* --- options --- */

/* The options of 4096 CPUs need 80 KiB. */
#define OPTIONS_RAW_MAX (16u << 20)

/*
 * BUFFER: u64 offset, name, clock, u32 page size, u32 CPUs, and for each CPU
 * u32 id, u64 offset, u64 size.  A listener adds a BUFFER option without CPUs to files without
 * events.  An option that cannot be decoded counts as a buffer with events.
 */
static bool buffer_has_events(const struct tracedat_option *option)
{
	const unsigned char *p = option->data + 8, *end = option->data + option->size;
	unsigned int i;
	uint32_t cpus;

	if (option->size < 8)
		return true;
	for (i = 0; i < 2; i++) {
		p = memchr(p, '\0', end - p);
		if (!p)
			return true;
		p++;
	}
	if (end - p < 8)
		return true;
	cpus = bytes_u32(option->big_endian, p + 4);
	p += 8;
	if (cpus > (size_t)(end - p) / 20)
		return true;
	for (; cpus; cpus--, p += 20)
		if (bytes_u64(option->big_endian, p + 12))
			return true;
	return false;
}

static void take_hist(const struct tracedat_option *option, struct tracedat_options *o)
{
	const struct tracedat_section *home = option->section;
	const unsigned char *p = option->data;
	bool be = option->big_endian;

	o->has_hist = true;
	o->hist_good = false;
	if (option->size != TRACEDAT_HIST_OPTION_SIZE)
		return;
	o->hist_good = bytes_u32(be, p) == TRACEDAT_HIST_MAGIC &&
		       bytes_u16(be, p + 4) == TRACEDAT_HIST_VERSION &&
		       bytes_u32(be, p + 16) == crc32(0, p, 16);
	o->hist_offset = bytes_u64(be, p + 8);
	o->hist_home = home->offset;
	o->hist_home_end = home->data + home->size;
}

/* Handles one option and ignores those that are not needed. */
static int tracedat_options_read_option(void *data, const struct tracedat_option *option)
{
	struct tracedat_options *o = data;

	if (option->id == TRACEDAT_DONE)
		o->last_done = option->at;
	else if (option->id == TRACEDAT_BUFFER)
		o->has_events |= buffer_has_events(option);
	else if (option->id == TRACEDAT_BUFFER_TEXT)
		o->has_events = true;
	else if (option->id == TRACEDAT_TRACEID && option->size == 8)
		o->trace_id = bytes_u64(option->big_endian, option->data);
	else if (option->id == TRACEDAT_HIST_ID)
		take_hist(option, o);
	return 0;
}

/* Passes all options of a section to @take; *@next is the offset in DONE. */
static int tracedat_options_visit_section(const struct tracedat_reader *r,
					  const struct tracedat_section *section,
					  const unsigned char *data, size_t len,
					  tracedat_option_take *take,
					  void *arg, uint64_t *next)
{
	struct tracedat_option o = { .section = section, .big_endian = r->big_endian };
	const unsigned char *p = data, *end = data + len;
	int ret = 0;

	do {
		if (end - p < TRACEDAT_OPTION_HEADER)
			return -EBADMSG;
		o.id = bytes_u16(o.big_endian, p);
		o.size = bytes_u32(o.big_endian, p + 2);
		o.data = p + TRACEDAT_OPTION_HEADER;
		if (o.size > (size_t)(end - o.data) || (o.id == TRACEDAT_DONE && o.size < 8))
			return -EBADMSG;
		if (o.id == TRACEDAT_DONE)
			*next = bytes_u64(o.big_endian, o.data);
		if (!(section->flags & TRACEDAT_COMPRESSED))
			o.at = section->data + (o.data - data);
		p = o.data + o.size;
		ret = take(arg, &o);
	} while (!ret && o.id != TRACEDAT_DONE);
	return ret;
}

static int read_chain(struct tracedat_reader *r, tracedat_option_take *take, void *arg,
		      struct hist_error *error)
{
	struct tracedat_section section;
	size_t budget = OPTIONS_RAW_MAX, len;
	uint64_t at = r->options_at, next = 0;
	char *data;
	int ret;

	if (!at)
		return hist_error_set(error, -EBADMSG,
				      "the file has no options section because "
				      "its recording did not end");
	if (at < r->sections_at)
		return -EBADMSG;
	for (;; at = next) {
		/* the offset in the header is written last, so the file was longer before */
		ret = tracedat_read_section(r, at, &section);
		if (!ret || ret == -ENODATA)
			return hist_error_set(error, -EBADMSG,
					      "the options section is missing "
					      "because the file is truncated");
		if (ret < 0 || section.id != TRACEDAT_DONE)
			return ret < 0 ? ret : -EBADMSG;
		ret = tracedat_load(r, section.data, section.size,
				    section.flags & TRACEDAT_COMPRESSED, budget, &data, &len);
		if (ret)
			return ret;
		budget -= len;
		ret = tracedat_options_visit_section(r, &section, (unsigned char *)data, len, take,
						     arg, &next);
		free(data);
		if (ret || !next)
			return ret;
		if (next < section.data + section.size)
			return hist_error_set(error, -EBADMSG,
					      "the options sections refer to each other in a loop");
	}
}

int tracedat_options_visit(struct tracedat_reader *r, tracedat_option_take *take, void *arg,
			   struct hist_error *error)
{
	struct hist_error found = { 0 };
	int ret = read_chain(r, take, arg, &found);

	/* a read past a bound inside the file is also damage */
	if (ret == -ENODATA)
		ret = -EBADMSG;
	if (ret == -EBADMSG && !found.err)
		hist_error_set(&found, ret, "the options section is damaged");
	if (ret && error)
		*error = found;
	return ret;
}

/* Fills reader->options. */
static int tracedat_options_read(struct tracedat_reader *r, struct hist_error *error)
{
	return tracedat_options_visit(r, tracedat_options_read_option, &r->options, error);
}

/* --- sections and the header --- */

/* Names and versions in the header have a few bytes; a longer one means another file type. */
#define HEADER_STRING_MAX 64

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
	return source_read(part.source, offset + moved, len, part.end + moved, data);
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

#define TRUNCATED_HEADER "the header is truncated"

/* Reads byte 0 up to the version: the part that all versions share. */
static int read_version(struct tracedat_reader *r, uint64_t *at, struct hist_error *error)
{
	static const char magic[] = "\x17\x08\x44tracing"; /* without its NUL */
	const char *version;
	const void *data;
	int ret;

	ret = tracedat_read(r, 0, sizeof(magic) - 1, &data);
	if (ret && ret != -ENODATA)
		return ret;
	if (ret || memcmp(data, magic, sizeof(magic) - 1))
		return hist_error_set(error, -EINVAL, "not a trace.dat file");
	*at = sizeof(magic) - 1;
	version = header_string(r, at);
	if (!version)
		return hist_error_set(error, r->size - *at < HEADER_STRING_MAX ? -EBADMSG : -EINVAL,
				      TRUNCATED_HEADER);
	if (!strcmp(version, "6") || !strcmp(version, "7"))
		r->version = version[0] - '0';
	return 0;
}

static int tracedat_read_file_header(struct tracedat_reader *r, struct hist_error *error)
{
	const unsigned char *p;
	const char *name;
	const void *data;
	uint64_t at;
	int ret;

	ret = read_version(r, &at, error);
	if (ret || !r->version)
		return ret;
	if (tracedat_read(r, at, 6, &data))
		return hist_error_set(error, -EBADMSG, TRUNCATED_HEADER);
	p = data;
	if (p[0] > 1 || (p[1] != 4 && p[1] != 8))
		return hist_error_set(error, -EBADMSG, "the header is damaged");
	r->big_endian = p[0];
	r->long_size = p[1];
	r->page_size = bytes_u32(r->big_endian, p + 2);
	at += 6;
	r->sections_at = at;
	if (r->version == 6)
		return 0;
	name = header_string(r, &at);
	if (!name)
		return hist_error_set(error, -EBADMSG, TRUNCATED_HEADER);
	ret = hist_compression_from_name(name);
	if (ret < 0)
		return hist_error_set(error, ret,
				      "unknown compression (zstd and zlib are supported)");
	r->compression = ret;
	if (!header_string(r, &at) || tracedat_read(r, at, 8, &data))
		return hist_error_set(error, -EBADMSG, TRUNCATED_HEADER);
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
			      struct hist_error *error)
{
	struct tracedat_reader *r = NULL;
	int fd = tracedat_source_fd(source), ret;
	struct stat st;

	if (fd < 0 || fstat(fd, &st)) {
		ret = fd < 0 ? fd : -errno;
		goto fail;
	}
	if (!S_ISREG(st.st_mode)) {
		ret = hist_error_set(error, -EINVAL, "not a regular file");
		goto fail;
	}
	ret = -ENOMEM;
	r = calloc(1, sizeof(*r));
	if (!r)
		goto fail;
	r->source = source;
	r->size = st.st_size;
	ret = tracedat_read_file_header(r, error);
	if (ret)
		tracedat_reader_free(r);
	else
		*reader = r;
	return ret;
fail:
	source_free(source);
	return ret;
}

int tracedat_open_header(struct tracedat_pool *pool, struct tracedat_reader **reader,
			 const char *path, struct hist_error *error)
{
	const struct tracedat_name name = { .path = path };
	struct tracedat_source *source;
	int ret = source_open(&source, pool, &name, error);

	return ret ? ret : reader_open_source(reader, source, error);
}

/* Reads the options after the header; frees the reader on failure. */
static int reader_read_options(struct tracedat_reader **reader, struct tracedat_reader *r,
			       struct hist_error *error)
{
	int ret;

	if (r->version == 7)
		ret = tracedat_options_read(r, error);
	else if (r->version)
		ret = hist_error_set(error, -EINVAL,
				     "version 6 of trace.dat cannot contain "
				     "histograms (version 7 can)");
	else
		ret = hist_error_set(error, -EINVAL,
				     "unknown version of trace.dat (7 is supported)");
	if (ret) {
		tracedat_reader_free(r);
		return ret;
	}
	r->hist_state = judge_hist_option(r);
	*reader = r;
	return 0;
}

int tracedat_open_fd(struct tracedat_reader **reader, int fd, struct hist_error *error)
{
	struct tracedat_source *source = source_new(fd);
	struct tracedat_reader *r = NULL;
	int ret;

	ret = source ? reader_open_source(&r, source, error) : -ENOMEM;
	return ret ? ret : reader_read_options(reader, r, error);
}

int tracedat_take_fd(struct tracedat_reader **reader, int fd, struct hist_error *error)
{
	int ret = tracedat_open_fd(reader, fd, error);

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
	int ret = source_open(&source, pool, &beside, NULL);

	if (!ret)
		ret = reader_open_source(&r, source, NULL);
	return ret ? ret : reader_read_options(reader, r, NULL);
}

int tracedat_open_in(struct tracedat_pool *pool, struct tracedat_reader **reader, const char *path,
		     struct hist_error *error)
{
	struct tracedat_reader *r;
	int ret = tracedat_open_header(pool, &r, path, error);

	return ret ? ret : reader_read_options(reader, r, error);
}

int tracedat_open(struct tracedat_reader **reader, const char *path, struct hist_error *error)
{
	return tracedat_open_in(NULL, reader, path, error);
}

int tracedat_reopen(struct tracedat_reader **copy, const struct tracedat_reader *r)
{
	struct tracedat_reader *made;
	int fd, ret;

	if (r->nparts)
		return -EINVAL;
	fd = tracedat_source_fd(r->source);
	if (fd >= 0)
		fd = fcntl(fd, F_DUPFD_CLOEXEC, 3);
	if (fd < 0)
		return fd == -1 ? -errno : fd;
	ret = tracedat_take_fd(&made, fd, NULL);
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
	source_free(r->source);
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

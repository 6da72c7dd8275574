// SPDX-License-Identifier: LGPL-2.1
/*
 * tracedat_writer.c - create a trace.dat file, and append sections to it or to a finished one
 *
 * A new file has no events.  It is built in memory and written once, in this order:
 *   header, STRINGS, sections 16 to 21, one options section
 * The last option is the histogram option.  It points to the end of the options section, where
 * the first histogram section will start.  All stock tools need sections 16 to 21; `convert` also
 * needs the empty ones.
 *
 * A section is one pwritev() at the end of the file, or one call of a sink.  A section that was
 * not written completely is removed by truncation.  In a finished file, one write makes the
 * histogram option visible: 8 bytes over the 0 in the last DONE option.
 *
 * Invariants: the file has complete sections and at most one truncated one at its end, at any time
 * and after a crash of the recorder.  String ids of a new file are constant, because STRINGS comes
 * first: they are offsets into one constant table.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/uio.h>
#include <unistd.h>
#include <zlib.h>

#include "lib/base/strbuf.h"
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

/* Makes the 24 bytes of the histogram option. */
static void tracedat_make_hist_option(bool be, uint64_t offset,
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

/* A writer into @sink, or into @fd if @sink is NULL.  NULL if out of memory. */
static struct tracedat_writer *tracedat_writer_new(struct tracedat_sink *sink, int fd)
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
	uint64_t end;
	int ret;

	ret = tracedat_open_fd(&r, fd, NULL);
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
	uint64_t end;
	int ret;

	ret = tracedat_open_fd(&r, fd, NULL);
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

/*
 * The strings.  "trace-cmd hist" comes first, so that no section has string id 0: stock dump shows
 * a wrong name for id 0.  The other strings are those of stock trace-cmd.
 */
#define STRING_TABLE(X)              \
	X(CREATOR, "trace-cmd hist") \
	X(STRINGS, "strings")        \
	X(HEADERS, "headers")        \
	X(FTRACE, "ftrace events")   \
	X(EVENTS, "events format")   \
	X(KALLSYMS, "kallsyms")      \
	X(PRINTK, "printk")          \
	X(CMDLINES, "command lines") \
	X(OPTIONS, "options")        \
	X(HIST, "histogram")

#define STRING_MEMBER(name, text) char name[sizeof(text)];
#define STRING_INIT(name, text) .name = text,

struct string_table {
	STRING_TABLE(STRING_MEMBER)
};

static const struct string_table strings = { STRING_TABLE(STRING_INIT) };

#define TITLE(name) ((uint32_t)offsetof(struct string_table, name))

/* A file in the making. */
struct draft {
	const struct tracedat_contents *contents;
	bool be;
	struct hist_compressor *compressor;
	struct hist_strbuf file;
	struct hist_strbuf section; /* the data of the section being made */
	struct hist_strbuf options;
};

/* Appends @s with its NUL. */
static void tracedat_draft_put_name(struct hist_strbuf *b, const char *s)
{
	hist_strbuf_add(b, s, strlen(s) + 1);
}

static void tracedat_draft_put_file(struct draft *d, const void *text, size_t len)
{
	tracedat_put_number(&d->section, d->be, 8, len);
	hist_strbuf_add(&d->section, text, len);
}

static void put_option(struct draft *d, uint16_t id, const void *data, size_t len)
{
	tracedat_put_number(&d->options, d->be, 2, id);
	tracedat_put_number(&d->options, d->be, 4, len);
	hist_strbuf_add(&d->options, data, len);
}

static void tracedat_draft_put_header(struct draft *d)
{
	const struct tracedat_machine *m = &d->contents->machine;
	const char order[2] = { m->big_endian, m->long_size };

	hist_strbuf_add(&d->file, "\x17\x08\x44tracing", 10);
	tracedat_draft_put_name(&d->file, "7");
	hist_strbuf_add(&d->file, order, sizeof(order));
	tracedat_put_number(&d->file, d->be, 4, m->page_size);
	tracedat_draft_put_name(&d->file, hist_compression_name(d->contents->compression));
	tracedat_draft_put_name(&d->file, hist_compression_version(d->contents->compression));
}

/*
 * Appends the section data to the file and empties it.  The data is compressed if the result is
 * smaller.  An error is kept in d->file.
 */
static void end_section(struct draft *d, uint16_t id, uint32_t title)
{
	bool pack = id != TRACEDAT_DONE && d->contents->compression != HIST_COMPRESS_NONE;
	unsigned char header[TRACEDAT_SECTION_HEADER];
	struct hist_strbuf *data = &d->section;
	const void *packed = NULL;
	size_t len = 0;

	hist_strbuf_fail(&d->file, data->error);
	if (pack && !data->error)
		hist_strbuf_fail(&d->file, hist_compress(d->compressor, data->data, data->len,
							 &packed, &len));
	if (packed && len + TRACEDAT_COMPRESSED_HEADER < data->len) {
		tracedat_put_section_header(d->be, header, id, TRACEDAT_COMPRESSED, title,
					    len + TRACEDAT_COMPRESSED_HEADER);
		hist_strbuf_add(&d->file, header, sizeof(header));
		tracedat_put_number(&d->file, d->be, 4, len);
		tracedat_put_number(&d->file, d->be, 4, data->len);
		hist_strbuf_add(&d->file, packed, len);
	} else {
		tracedat_put_section_header(d->be, header, id, 0, title, data->len);
		hist_strbuf_add(&d->file, header, sizeof(header));
		hist_strbuf_add(&d->file, data->data, data->len);
	}
	data->len = 0;
}

/* Same as end_section(), plus the option by which readers find the section. */
static void end_listed_section(struct draft *d, uint16_t id, uint32_t title)
{
	unsigned char offset[8];

	bytes_put_u64(d->be, offset, d->file.len);
	put_option(d, id, offset, sizeof(offset));
	end_section(d, id, title);
}

static void put_header_info(struct draft *d)
{
	const struct tracedat_contents *c = d->contents;

	tracedat_draft_put_name(&d->section, "header_page");
	tracedat_draft_put_file(d, c->header_page, strlen(c->header_page));
	tracedat_draft_put_name(&d->section, "header_event");
	tracedat_draft_put_file(d, c->header_event, strlen(c->header_event));
	end_listed_section(d, TRACEDAT_HEADER_INFO, TITLE(HEADERS));
}

static bool is_ftrace(const struct tracedat_format *f)
{
	return !strcmp(f->system, "ftrace");
}

static void put_ftrace_formats(struct draft *d)
{
	const struct tracedat_contents *c = d->contents;
	uint32_t n = 0;
	size_t i;

	for (i = 0; i < c->nformats; i++)
		n += is_ftrace(&c->formats[i]);
	tracedat_put_number(&d->section, d->be, 4, n);
	for (i = 0; i < c->nformats; i++)
		if (is_ftrace(&c->formats[i]))
			tracedat_draft_put_file(d, c->formats[i].text, c->formats[i].len);
	end_listed_section(d, TRACEDAT_FTRACE_EVENTS, TITLE(FTRACE));
}

/* Index after the last format that has the same system as format @i. */
static size_t tracedat_find_system_end(const struct tracedat_contents *c, size_t i)
{
	const char *system = c->formats[i].system;

	while (i < c->nformats && !strcmp(c->formats[i].system, system))
		i++;
	return i;
}

static void put_event_formats(struct draft *d)
{
	const struct tracedat_contents *c = d->contents;
	uint32_t systems = 0;
	size_t i, end;

	for (i = 0; i < c->nformats; i = tracedat_find_system_end(c, i))
		systems += !is_ftrace(&c->formats[i]);
	tracedat_put_number(&d->section, d->be, 4, systems);
	for (i = 0; i < c->nformats; i = end) {
		end = tracedat_find_system_end(c, i);
		if (is_ftrace(&c->formats[i]))
			continue;
		tracedat_draft_put_name(&d->section, c->formats[i].system);
		tracedat_put_number(&d->section, d->be, 4, end - i);
		for (; i < end; i++)
			tracedat_draft_put_file(d, c->formats[i].text, c->formats[i].len);
	}
	end_listed_section(d, TRACEDAT_EVENT_FORMATS, TITLE(EVENTS));
}

/* Symbols, printk formats and command lines, of which the file has only the last ones, if any. */
static void put_other_sections(struct draft *d)
{
	const char *names = d->contents->names ? d->contents->names : "";
	const char *symbols = d->contents->symbols ? d->contents->symbols : "";

	tracedat_put_number(&d->section, d->be, 4, strlen(symbols));
	hist_strbuf_str(&d->section, symbols);
	end_listed_section(d, TRACEDAT_KALLSYMS, TITLE(KALLSYMS));
	tracedat_put_number(&d->section, d->be, 4, 0);
	end_listed_section(d, TRACEDAT_PRINTK, TITLE(PRINTK));
	tracedat_draft_put_file(d, names, strlen(names));
	end_listed_section(d, TRACEDAT_CMDLINES, TITLE(CMDLINES));
}

static void put_options(struct draft *d)
{
	const struct tracedat_machine *m = &d->contents->machine;
	unsigned char hist[TRACEDAT_HIST_OPTION_SIZE], cpus[4], id[8], next[8] = { 0 };
	uint64_t end;

	if (m->trace_clock)
		put_option(d, TRACEDAT_TRACECLOCK, m->trace_clock, strlen(m->trace_clock) + 1);
	if (m->uname)
		put_option(d, TRACEDAT_UNAME, m->uname, strlen(m->uname) + 1);
	bytes_put_u32(d->be, cpus, m->cpus);
	put_option(d, TRACEDAT_CPUCOUNT, cpus, sizeof(cpus));
	bytes_put_u64(d->be, id, d->contents->trace_id);
	if (d->contents->trace_id)
		put_option(d, TRACEDAT_TRACEID, id, sizeof(id));
	end = d->file.len + TRACEDAT_SECTION_HEADER + d->options.len + 2 * TRACEDAT_OPTION_HEADER +
	      sizeof(hist) + sizeof(next);
	tracedat_make_hist_option(d->be, end, hist);
	put_option(d, TRACEDAT_HIST_ID, hist, sizeof(hist));
	put_option(d, TRACEDAT_DONE, next, sizeof(next));
	hist_strbuf_append(&d->section, &d->options);
	end_section(d, TRACEDAT_DONE, TITLE(OPTIONS));
}

static int put_all(struct draft *d)
{
	size_t options_at;

	tracedat_draft_put_header(d);
	options_at = d->file.len;
	tracedat_put_number(&d->file, d->be, 8, 0);
	hist_strbuf_add(&d->section, &strings, sizeof(strings));
	end_section(d, TRACEDAT_STRINGS, TITLE(STRINGS));
	put_header_info(d);
	put_ftrace_formats(d);
	put_event_formats(d);
	put_other_sections(d);
	if (!d->file.error)
		bytes_put_u64(d->be, d->file.data + options_at, d->file.len);
	put_options(d);
	return d->file.error;
}

static int tracedat_check_contents(const struct tracedat_contents *contents)
{
	const struct tracedat_machine *m = &contents->machine;

	if (m->long_size != 4 && m->long_size != 8)
		return -EINVAL;
	if (!m->page_size || m->page_size & (m->page_size - 1))
		return -EINVAL;
	return contents->header_page && contents->header_event ? 0 : -EINVAL;
}

/* Into @sink, or into @fd when that is NULL. */
static int tracedat_create_file(struct tracedat_writer **writer, struct tracedat_sink *sink, int fd,
				const struct tracedat_contents *contents)
{
	struct draft d = { .contents = contents, .be = contents->machine.big_endian };
	struct tracedat_writer *w = NULL;
	int ret;

	ret = tracedat_check_contents(contents);
	if (ret)
		return ret;
	w = tracedat_writer_new(sink, fd);
	d.compressor = hist_compressor_new(contents->compression);
	ret = -ENOMEM;
	if (!w || !d.compressor)
		goto out;
	ret = put_all(&d);
	if (ret)
		goto out;
	ret = w->sink->put(w->sink, &(struct iovec){ d.file.data, d.file.len }, 1, 0);
	if (ret)
		goto out;
	w->big_endian = d.be;
	w->compression = contents->compression;
	w->size = d.file.len;
	/* the DONE option of the last section has the only link, at its end */
	w->last_done = sink ? 0 : d.file.len - 8;
	w->strings = sizeof(strings);
	w->hist_title = TITLE(HIST);
	*writer = w;
	w = NULL;
out:
	tracedat_writer_free(w);
	hist_compressor_free(d.compressor);
	hist_strbuf_free(&d.file);
	hist_strbuf_free(&d.section);
	hist_strbuf_free(&d.options);
	return ret;
}

int tracedat_create(struct tracedat_writer **writer, int fd,
		    const struct tracedat_contents *contents)
{
	struct stat st;

	if (fstat(fd, &st))
		return -errno;
	return st.st_size ? -EINVAL : tracedat_create_file(writer, NULL, fd, contents);
}

int tracedat_create_to(struct tracedat_writer **writer, struct tracedat_sink *sink,
		       const struct tracedat_contents *contents)
{
	return tracedat_create_file(writer, sink, -1, contents);
}

// SPDX-License-Identifier: LGPL-2.1
/*
 * tracedat_create.c - create a complete trace.dat file without events
 *
 * The file is built in memory and written once, in this order:
 *   header, STRINGS, sections 16 to 21, one options section
 * The last option is the histogram option.  It points to the end of the options section, where
 * the first histogram section will start.  All stock tools need sections 16 to 21; `convert` also
 * needs the empty ones.
 *
 * Invariant: string ids are constant, because STRINGS comes first: they are offsets into one
 * constant table.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/uio.h>

#include "lib/base/strbuf.h"
#include "lib/tracedat/tracedat_format.h"

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

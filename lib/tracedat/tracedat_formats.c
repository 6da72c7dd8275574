// SPDX-License-Identifier: LGPL-2.1
/*
 * tracedat_formats.c - read event formats from a trace.dat file
 *
 * Layout of the section: u32 number of systems; for each system its name and u32 number of events;
 * for each event u64 length of its text and the text.  The section is usually compressed.
 *
 * Source: trace-cmd.dat.v7(5), EVENT_FORMATS.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "lib/tracedat/tracedat_private.h"

/* A kernel with all modules has some thousand events, which need a tenth of this limit. */
#define FORMATS_RAW_MAX (64u << 20)

struct formats {
	const unsigned char *at, *end;
	bool be;
};

static bool take_u32(struct formats *f, uint32_t *v)
{
	if (f->end - f->at < 4)
		return false;
	*v = tracedat_u32(f->be, f->at);
	f->at += 4;
	return true;
}

static bool take_text(struct formats *f, const char **text, size_t *len)
{
	uint64_t size;

	if (f->end - f->at < 8)
		return false;
	size = tracedat_u64(f->be, f->at);
	f->at += 8;
	if (size > (uint64_t)(f->end - f->at))
		return false;
	*text = (const char *)f->at;
	*len = size;
	f->at += size;
	return true;
}

/* True if the first line of the format is "name: NAME". */
static bool is_named(const char *text, size_t len, const char *name)
{
	size_t n = strlen(name);

	return len > n + 6 && !memcmp(text, "name: ", 6) && !memcmp(text + 6, name, n) &&
	       text[6 + n] == '\n';
}

static int find(struct formats *f, const char *system, const char *name, const char **text,
		size_t *len)
{
	const unsigned char *nul;
	uint32_t systems, events;
	bool wanted;

	if (!take_u32(f, &systems))
		return -EBADMSG;
	while (systems--) {
		nul = memchr(f->at, '\0', f->end - f->at);
		if (!nul)
			return -EBADMSG;
		wanted = !strcmp((const char *)f->at, system);
		f->at = nul + 1;
		if (!take_u32(f, &events))
			return -EBADMSG;
		while (events--) {
			if (!take_text(f, text, len))
				return -EBADMSG;
			if (wanted && is_named(*text, *len, name))
				return 0;
		}
	}
	return -ENOENT;
}

static int unpack(struct tracedat_reader *r, const struct tracedat_section *section,
		  struct hist_compressor *compressor, struct formats *f)
{
	uint64_t size = section->size;
	uint32_t len, raw_len;
	const void *data;
	int ret;

	if (size > FORMATS_RAW_MAX)
		return -EBADMSG;
	ret = tracedat_read(r, section->data, size, &data);
	if (ret)
		return ret;
	if (section->flags & TRACEDAT_COMPRESSED) {
		if (size < TRACEDAT_COMPRESSED_HEADER)
			return -EBADMSG;
		len = tracedat_u32(f->be, data);
		raw_len = tracedat_u32(f->be, (const char *)data + 4);
		if (len > size - TRACEDAT_COMPRESSED_HEADER || raw_len > FORMATS_RAW_MAX)
			return -EBADMSG;
		ret = hist_decompress(compressor, (const char *)data + TRACEDAT_COMPRESSED_HEADER,
				      len, raw_len, &data);
		if (ret)
			return ret;
		size = raw_len;
	}
	f->at = data;
	f->end = f->at + size;
	return 0;
}

int tracedat_event_format(struct tracedat_reader *r, const char *system, const char *name,
			  char **text, size_t *len)
{
	struct formats f = { .be = r->big_endian };
	struct hist_compressor *compressor;
	struct tracedat_section section;
	const char *found = NULL;
	int ret;

	if (!r->options.formats)
		return -ENOENT;
	ret = tracedat_section_at(r, r->options.formats, &section);
	if (ret != 1 || section.id != TRACEDAT_EVENT_FORMATS)
		return ret < 0 && ret != -ENODATA ? ret : -EBADMSG;
	compressor = hist_compressor_new(r->compression);
	if (!compressor)
		return -ENOMEM;
	ret = unpack(r, &section, compressor, &f);
	if (!ret)
		ret = find(&f, system, name, &found, len);
	if (!ret) {
		*text = strndup(found, *len);
		ret = *text ? 0 : -ENOMEM;
	}
	hist_compressor_free(compressor);
	return ret == -ENODATA ? -EBADMSG : ret;
}

// SPDX-License-Identifier: LGPL-2.1
/*
 * events_symbols.c - read the kernel symbols of a trace.dat file
 *
 * The symbols are read at the first lookup, because this takes longer than the rest of opening a
 * file.  The text goes through a small buffer into struct hist_symbols.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "lib/ringbuf/events_stream.h"

/* A kernel of a distribution has 7 MB with 150,000 symbols. */
#define TEXT_MAX (128u << 20)

/* The text is behind a u32, its size. */
#define TEXT_AT 4

/* Room for many lines; KSYM_NAME_LEN is 512. */
#define BUFFER (64u << 10)

static int read_lines(struct hist_symbols *symbols, struct events_stream *stream, char *buf)
{
	size_t len = 0;
	ssize_t n;

	for (;;) {
		n = events_stream_read(stream, buf + len, BUFFER - len);
		if (n <= 0)
			return n;
		len += n;
		n = hist_symbols_lines(symbols, buf, len);
		if (n < 0)
			return n;
		/* a line as long as the buffer is none */
		if (!n && len == BUFFER)
			return -EBADMSG;
		len -= n;
		memmove(buf, buf + n, len);
	}
}

static int read_symbols(struct hist_events *events, struct hist_symbols *symbols)
{
	struct events_stream *stream;
	char *buf;
	ssize_t n;
	int ret;

	if (!events->kallsyms.size)
		return 0;
	ret = events_stream_open(&stream, events, &events->kallsyms, TEXT_MAX);
	if (ret)
		return ret;
	buf = malloc(BUFFER);
	ret = buf ? 0 : -ENOMEM;
	if (!ret) {
		n = events_stream_read(stream, buf, TEXT_AT);
		ret = n == TEXT_AT ? read_lines(symbols, stream, buf) : n < 0 ? n : -EBADMSG;
	}
	free(buf);
	events_stream_free(stream);
	return ret;
}

/* Once; then there are symbols, or an error. */
static int load(struct events_symbols *s, struct hist_events *events)
{
	int ret = hist_symbols_begin(&s->symbols);

	if (!ret)
		ret = read_symbols(events, s->symbols);
	if (!ret) {
		hist_symbols_end(s->symbols);
		return 0;
	}
	events_symbols_free(s);
	return events_names_failed(events, ret);
}

int hist_events_symbol(struct hist_events *events, uint64_t address, struct hist_symbol *symbol)
{
	struct events_symbols *s = &events->symbols;

	if (!s->symbols && !s->error)
		s->error = load(s, events);
	return s->error ? s->error : hist_symbols_find(s->symbols, address, symbol);
}

void events_symbols_free(struct events_symbols *s)
{
	hist_symbols_free(s->symbols);
	s->symbols = NULL;
}

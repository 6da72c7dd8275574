// SPDX-License-Identifier: LGPL-2.1
/*
 * json_writer.c - write JSON to a stream, value by value
 *
 * A stack with one entry per level records whether the level has a member and is written on one
 * line.  Every value goes through value_begin(), which writes the comma, the white space and the
 * name before the value.  The text is collected in a buffer and written in large pieces.
 * Invariant: nothing is added after an error.
 */
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <stdio.h>
#include <string.h>

#include "lib/base/json_writer.h"
#include "lib/base/reason.h"
#include "lib/base/strbuf.h"
#include "lib/base/utf8.h"
#include "lib/base/escape.h"

#define DEPTH_MAX 64
#define FLUSH_AT (64u << 10)
#define INDENT_64 "                                                                "
#define INTEGER_MAX (UINT64_C(1) << 53)

struct json_writer {
	FILE *f;
	bool pretty;
	unsigned int depth;
	struct {
		bool used; /* has a member */
		bool one_line;
	} level[DEPTH_MAX];
	struct hist_strbuf out;
};

struct json_writer *json_writer_new(FILE *f, bool pretty)
{
	struct json_writer *w = calloc(1, sizeof(*w));

	if (!w)
		return NULL;
	w->f = f;
	w->pretty = pretty;
	return w;
}

int json_writer_free(struct json_writer *w)
{
	int ret;

	if (!w)
		return -ENOMEM;
	hist_strbuf_char(&w->out, '\n');
	ret = hist_strbuf_flush(&w->out, w->f);
	hist_strbuf_free(&w->out);
	free(w);
	return ret;
}

int json_writer_error(const struct json_writer *w)
{
	return w ? w->out.error : -ENOMEM;
}

/* Write the white space before a value or a bracket, after a comma if @comma is set. */
static void new_line(struct json_writer *w, bool comma)
{
	static const char indent[] = ",\n" INDENT_64 INDENT_64;
	const char *from = indent + !comma;

	_Static_assert(sizeof(indent) > 2 + 2 * DEPTH_MAX, "an indent for each level");
	if (w->level[w->depth].one_line)
		hist_strbuf_add(&w->out, comma ? ", " : " ", 1 + comma);
	else if (w->pretty)
		hist_strbuf_add(&w->out, from, comma + 1 + 2 * (size_t)w->depth);
	else if (comma)
		hist_strbuf_char(&w->out, ',');
}

static void add_unit(struct hist_strbuf *b, unsigned int c)
{
	const char *hex = "0123456789abcdef";
	char esc[6] = { '\\',	    'u', hex[c >> 12 & 15], hex[c >> 8 & 15], hex[c >> 4 & 15],
			hex[c & 15] };

	hist_strbuf_add(b, esc, 6);
}

static void add_escaped(struct hist_strbuf *b, uint32_t c)
{
	static const char shorts[] = "btn\0fr"; /* for the codes from 8 on */
	char esc[2] = { '\\', (char)c };

	if (c > 0xffff) {
		add_unit(b, 0xd800 + ((c - 0x10000) >> 10));
		add_unit(b, 0xdc00 + ((c - 0x10000) & 0x3ff));
		return;
	}
	if (c >= 8 && c <= 13 && shorts[c - 8])
		esc[1] = shorts[c - 8];
	else if (c != '"' && c != '\\')
		esc[1] = '\0';
	if (esc[1])
		hist_strbuf_add(b, esc, 2);
	else
		add_unit(b, c);
}

/* The length of the text at @s that needs no escape. */
static size_t plain_length(const char *s, size_t len)
{
	/* without '"' and '\\' */
	static const bool plain[256] = {
		[0x20 ... 0x21] = true, [0x23 ... 0x5b] = true, [0x5d ... 0x7e] = true,
	};
	size_t i = 0;

	while (i < len && plain[(unsigned char)s[i]])
		i++;
	return i;
}

/* Write a string that is valid JSON and also safe to print on a terminal. */
static void add_string(struct hist_strbuf *b, const char *s, size_t len)
{
	size_t done = 0, i = plain_length(s, len), n;
	uint32_t code;
	char *to;

	if (len && i == len && hist_strbuf_reserve(b, len + 2)) {
		to = b->data + b->len;
		to[0] = '"';
		memcpy(to + 1, s, len);
		to[1 + len] = '"';
		b->len += len + 2;
		return;
	}
	hist_strbuf_char(b, '"');
	for (; i < len; i += plain_length(s + i, len - i)) {
		n = utf8_decode(s + i, len - i, &code);
		if ((s[i] & 0x80) && n && !hist_escape_is_control(code)) {
			i += n;
			continue;
		}
		hist_strbuf_add(b, s + done, i - done);
		if (n)
			add_escaped(b, code);
		else
			hist_strbuf_add(b, "\xef\xbf\xbd", 3);
		i += n ? n : 1;
		done = i;
	}
	hist_strbuf_add(b, s + done, len - done);
	hist_strbuf_char(b, '"');
}

/* Write what precedes a value: the comma, the white space and the name. */
static void value_begin(struct json_writer *w, const char *name)
{
	if (w->out.len >= FLUSH_AT)
		hist_strbuf_flush(&w->out, w->f);
	if (w->depth) {
		new_line(w, w->level[w->depth].used);
		w->level[w->depth].used = true;
	}
	if (!name)
		return;
	add_string(&w->out, name, strlen(name));
	hist_strbuf_add(&w->out, ": ", 1 + w->pretty);
}

static void json_begin_nested(struct json_writer *w, const char *name, char c, bool one_line)
{
	value_begin(w, name);
	hist_strbuf_char(&w->out, c);
	if (w->depth + 1 >= DEPTH_MAX) {
		hist_strbuf_fail(&w->out, -EOVERFLOW);
		return;
	}
	w->depth++;
	w->level[w->depth].used = false;
	w->level[w->depth].one_line = w->pretty && (one_line || w->level[w->depth - 1].one_line);
}

static void json_end_nested(struct json_writer *w, char c)
{
	bool used = w->level[w->depth].used, one_line = w->level[w->depth].one_line;

	if (!w->depth) {
		hist_strbuf_fail(&w->out, -EINVAL);
		return;
	}
	w->depth--;
	if (used && one_line)
		hist_strbuf_char(&w->out, ' ');
	else if (used)
		new_line(w, false);
	hist_strbuf_char(&w->out, c);
}

void json_next_line(struct json_writer *w)
{
	hist_strbuf_char(&w->out, '\n');
}

void json_object_begin(struct json_writer *w, const char *name)
{
	json_begin_nested(w, name, '{', false);
}

void json_object_line(struct json_writer *w, const char *name)
{
	json_begin_nested(w, name, '{', true);
}

void json_object_end(struct json_writer *w)
{
	json_end_nested(w, '}');
}

void json_array_begin(struct json_writer *w, const char *name)
{
	json_begin_nested(w, name, '[', false);
}

void json_array_line(struct json_writer *w, const char *name)
{
	json_begin_nested(w, name, '[', true);
}

void json_array_end(struct json_writer *w)
{
	json_end_nested(w, ']');
}

void json_string_len(struct json_writer *w, const char *name, const char *s, size_t len)
{
	value_begin(w, name);
	add_string(&w->out, s, len);
}

void json_string(struct json_writer *w, const char *name, const char *s)
{
	json_string_len(w, name, s ? s : "", s ? strlen(s) : 0);
}

void json_reason(struct json_writer *w, const char *name, const char *why)
{
	const char *hint;
	int len = reason_split_hint(why, &hint);

	json_string_len(w, name, why, len);
	if (*hint)
		json_string(w, "hint", hint);
}

void json_error(struct json_writer *w, const char *name, const struct hist_error *error)
{
	json_string(w, name, error->what);
	if (*error->hint)
		json_string(w, "hint", error->hint);
}

void json_number(struct json_writer *w, const char *name, uint64_t v, bool is_signed)
{
	uint64_t size = is_signed && v >> 63 ? -v : v;

	value_begin(w, name);
	if (size > INTEGER_MAX)
		hist_strbuf_char(&w->out, '"');
	hist_strbuf_number(&w->out, v, is_signed);
	if (size > INTEGER_MAX)
		hist_strbuf_char(&w->out, '"');
}

void json_u64(struct json_writer *w, const char *name, uint64_t v)
{
	json_number(w, name, v, false);
}

static void put_word(struct json_writer *w, const char *name, const char *word)
{
	value_begin(w, name);
	hist_strbuf_str(&w->out, word);
}

void json_bool(struct json_writer *w, const char *name, bool v)
{
	put_word(w, name, v ? "true" : "false");
}

void json_null(struct json_writer *w, const char *name)
{
	put_word(w, name, "null");
}

void json_fixed(struct json_writer *w, const char *name, uint64_t value, unsigned int digits)
{
	value_begin(w, name);
	hist_strbuf_fixed(&w->out, value, digits);
}

void json_double(struct json_writer *w, const char *name, double v)
{
	char text[32], *point;

	if (!isfinite(v)) {
		json_null(w, name);
		return;
	}
	snprintf(text, sizeof(text), "%.15g", v);
	if (strtod(text, NULL) != v)
		snprintf(text, sizeof(text), "%.17g", v);
	/* the caller's locale may use a decimal comma */
	for (point = text; *point; point++)
		if (*point == ',')
			*point = '.';
	put_word(w, name, text);
}

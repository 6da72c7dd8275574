// SPDX-License-Identifier: LGPL-2.1
/*
 * probe_event.c - predict the event that the definition of a probe will create
 *
 * It writes the text of the event's format file, as kprobe_event_define_fields() and
 * traceprobe_define_arg_fields() in kernel/trace define it, and parses that text.
 */
#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lib/base/strbuf.h"
#include "lib/query/probe_event.h"

/* The size on a 64-bit machine; only __probe_ip depends on it. */
#define LONG_SIZE 8

struct probe_fields {
	struct hist_strbuf b;
	unsigned int offset;
	enum probe_guess guess;
	bool guessed, unknown;
};

/* The kernel's fetch types (trace_probe.c): "s32", "x8", "char", "string". */
static bool find_type(const char *type, size_t len, const char **ctype, unsigned int *size,
		      bool *is_signed)
{
	static const struct {
		const char *name, *ctype;
		unsigned int size;
		bool is_signed;
	} types[] = {
		{ "u8", "u8", 1, false },   { "u16", "u16", 2, false }, { "u32", "u32", 4, false },
		{ "u64", "u64", 8, false }, { "s8", "s8", 1, true },	{ "s16", "s16", 2, true },
		{ "s32", "s32", 4, true },  { "s64", "s64", 8, true },	{ "x8", "u8", 1, false },
		{ "x16", "u16", 2, false }, { "x32", "u32", 4, false }, { "x64", "u64", 8, false },
		{ "char", "u8", 1, false }, { "symbol", "u64", 8, false },
	};
	size_t i;

	for (i = 0; i < sizeof(types) / sizeof(*types); i++) {
		if (strlen(types[i].name) != len || memcmp(types[i].name, type, len))
			continue;
		*ctype = types[i].ctype;
		*size = types[i].size;
		*is_signed = types[i].is_signed;
		return true;
	}
	return false;
}

static void probe_event_put_field(struct probe_fields *w, const char *before, const char *name,
				  size_t len,
				  const char *behind, unsigned int size, bool is_signed)
{
	w->offset = (w->offset + size - 1) / size * size;
	hist_strbuf_printf(&w->b, "\tfield:%s %.*s%s;\toffset:%u;\tsize:%u;\tsigned:%d;\n", before,
			   (int)len, name, behind, w->offset, size, is_signed);
	w->offset += size;
}

static void probe_event_put_string(struct probe_fields *w, const char *name, size_t len)
{
	probe_event_put_field(w, "__data_loc char[]", name, len, "", 4, true);
}

static void put_guess(struct probe_fields *w, const char *name, size_t len)
{
	w->guessed = true;
	if (w->guess == PROBE_GUESS_STRING)
		probe_event_put_string(w, name, len);
	else
		probe_event_put_field(w, w->guess == PROBE_GUESS_SIGNED ? "s64" : "u64", name, len,
				      "", 8,
				      w->guess == PROBE_GUESS_SIGNED);
}

/* @type: "u8", "ustring", "u8[4]", "b3@2/32". */
static void put_typed(struct probe_fields *w, const char *name, size_t name_len, const char *type,
		      size_t len)
{
	const char *bracket = memchr(type, '[', len), *slash = memchr(type, '/', len), *ctype;
	unsigned int size, n = 1;
	char array[32] = "";
	bool is_signed;

	if (bracket) {
		n = strtoul(bracket + 1, NULL, 0);
		len = bracket - type;
		snprintf(array, sizeof(array), "[%u]", n);
	}
	if ((len == 6 && (!memcmp(type, "string", 6) || !memcmp(type, "symstr", 6))) ||
	    (len == 7 && !memcmp(type, "ustring", 7)) || *type == '%') {
		if (bracket)
			put_guess(w, name, name_len);
		else
			probe_event_put_string(w, name, name_len);
		return;
	}
	if (*type == 'b' && slash) {
		char bits[16];

		snprintf(bits, sizeof(bits), "u%.*s", (int)(type + len - slash - 1), slash + 1);
		if (find_type(bits, strlen(bits), &ctype, &size, &is_signed)) {
			probe_event_put_field(w, ctype, name, name_len, "", size, false);
			return;
		}
	}
	/* the kernel refuses it, or it is new */
	if (!n || n > 1024 || !find_type(type, len, &ctype, &size, &is_signed)) {
		put_guess(w, name, name_len);
		return;
	}
	probe_event_put_field(w, ctype, name, name_len, array, size * n, is_signed);
}

/* The colon of ":TYPE", which comes after all parentheses and quotes. */
static const char *probe_event_find_type(const char *fetch, size_t len)
{
	const char *at = fetch + len;

	if (!strncmp(fetch, "\\\"", 2))
		return NULL;
	while (at > fetch && at[-1] != ')' && at[-1] != ':')
		at--;
	return at > fetch && at[-1] == ':' ? at : NULL;
}

/* Write "NAME=FETCH[:TYPE]"; an argument without a name gets its number as name. */
static void put_argument(struct probe_fields *w, const char *text, size_t len, unsigned int number)
{
	const char *equals = memchr(text, '=', len), *fetch = equals ? equals + 1 : text, *type;
	size_t fetch_len = text + len - fetch, name_len = equals ? (size_t)(equals - text) : 0;
	char made[64];

	if (!equals && (text[len - 1] == '*' || !strncmp(text, "$params", 7))) {
		w->unknown = true;
		return;
	}
	if (!name_len) {
		/* a name of BTF is also the name of the field */
		if (isalpha((unsigned char)*text) || *text == '_')
			name_len = strcspn(text, " \t:");
		if (!name_len) {
			name_len = snprintf(made, sizeof(made), "arg%u", number);
			text = made;
		}
	}
	type = probe_event_find_type(fetch, fetch_len);
	if (type)
		put_typed(w, text, name_len, type, fetch + fetch_len - type);
	else if (!strncmp(fetch, "\\\"", 2) || (fetch_len == 5 && !strncasecmp(fetch, "$comm", 5)))
		probe_event_put_string(w, text, name_len);
	else
		put_guess(w, text, name_len);
}

static void put_arguments(struct probe_fields *w, const char *at)
{
	unsigned int number = 1;
	size_t len;

	/* further lines have other places with the same arguments */
	for (; *at && *at != '\n'; at += len) {
		at += strspn(at, " \t");
		len = strcspn(at, " \t\n");
		if (len)
			put_argument(w, at, len, number++);
	}
}

int probe_make_event(struct hist_event **event, const char *definition, enum probe_guess guess,
		     bool *guessed)
{
	struct probe_fields w = { .guess = guess };
	const char *slash = strchr(definition, '/'), *name = slash ? slash + 1 : definition, *at;
	const char *colon = strchr(definition, ':'), *place;
	size_t name_len = strcspn(name, " \t");
	char system[128];
	int ret = 0;

	*event = NULL;
	if (!slash || !colon || colon > slash)
		return -EINVAL;
	snprintf(system, sizeof(system), "%.*s", (int)(slash - colon - 1), colon + 1);
	place = name + name_len;
	place += strspn(place, " \t");
	at = place + strcspn(place, " \t\n");
	hist_strbuf_printf(&w.b, "name: %.*s\nID: 0\nformat:\n", (int)name_len, name);
	probe_event_put_field(&w, "unsigned short", "common_type", 11, "", 2, false);
	probe_event_put_field(&w, "unsigned char", "common_flags", 12, "", 1, false);
	probe_event_put_field(&w, "unsigned char", "common_preempt_count", 20, "", 1, false);
	probe_event_put_field(&w, "int", "common_pid", 10, "", 4, true);
	hist_strbuf_char(&w.b, '\n');
	if (definition[0] == 'r' || (at - place > 7 && !strncmp(at - 7, "%return", 7))) {
		probe_event_put_field(&w, "unsigned long", "__probe_func", 12, "", LONG_SIZE,
				      false);
		probe_event_put_field(&w, "unsigned long", "__probe_ret_ip", 14, "", LONG_SIZE,
				      false);
	} else {
		probe_event_put_field(&w, "unsigned long", "__probe_ip", 10, "", LONG_SIZE, false);
	}
	put_arguments(&w, at);
	hist_strbuf_str(&w.b, "\nprint fmt: \"\"\n");
	*guessed = w.guessed;
	if (w.b.error)
		ret = w.b.error;
	else if (!w.unknown)
		ret = hist_event_parse(event, system, w.b.data, w.b.len);
	hist_strbuf_free(&w.b);
	return ret;
}

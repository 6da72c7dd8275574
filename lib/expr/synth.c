// SPDX-License-Identifier: LGPL-2.1
/*
 * synth.c - parse the definition of a synthetic event
 *
 * The name ends at the first blank.  The rest is split at ';', and each piece at blanks.  A piece
 * may hold several "type name" pairs, the syntax before semicolons were introduced.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lib/base/strbuf.h"
#include "lib/expr/expr_parts.h"
#include "lib/expr/synth.h"

#define STRING_MAX 256 /* STR_VAR_LEN_MAX */
#define SYSTEM "synthetic"

struct synth_parser {
	const char *text, *at, *end;
	struct hist_error *error;
};

struct word {
	const char *s;
	size_t len;
};

static const struct {
	const char *name;
	unsigned int size;
	bool is_signed;
} types[] = {
	{ "s64", 8, true },    { "u64", 8, false },
	{ "s32", 4, true },    { "u32", 4, false },
	{ "s16", 2, true },    { "u16", 2, false },
	{ "s8", 1, true },     { "u8", 1, false },
	{ "char", 1, true },   { "unsigned char", 1, false },
	{ "int", 4, true },    { "unsigned int", 4, false },
	{ "long", 8, true },   { "unsigned long", 8, false },
	{ "bool", 1, true },   { "pid_t", 4, true },
	{ "gfp_t", 4, false },
};

static void synth_skip_blanks(struct synth_parser *p)
{
	while (p->at < p->end && text_is_blank(*p->at))
		p->at++;
}

/* The next word of this piece; false at a ';' or the end. */
static bool synth_next_word(struct synth_parser *p, struct word *word)
{
	synth_skip_blanks(p);
	word->s = p->at;
	while (p->at < p->end && !text_is_blank(*p->at) && *p->at != ';')
		p->at++;
	word->len = p->at - word->s;
	return word->len;
}

static int synth_refuse_word(struct synth_parser *p, struct word at, const char *hint,
			     const char *what)
{
	hist_expr_error_set(p->error, at.s - p->text, at.len, "\"%.*s\" is not a %s",
			    HIST_SHOW(at.len), at.s, what);
	return hist_expr_error_hint(p->error, "%s", hint);
}

/* "char[16]" or "char[]"; false if the brackets are wrong. */
static bool synth_set_string_type(struct hist_synth_field *field, const char *array)
{
	size_t len = strlen(array);
	uint64_t size = 0;

	if (len < 2 || array[len - 1] != ']' || len > 5)
		return false;
	if (len > 2 && (!hist_expr_parse_number(array + 1, len - 2, &size) || size > STRING_MAX))
		return false;
	field->is_string = true;
	field->is_signed = field->type[0] != 'u';
	field->is_dynamic = !size;
	field->size = size ? size : 8;
	return true;
}

/* False if there is no such type. */
static bool synth_set_number_type(struct hist_synth_field *field)
{
	const char *string = strstr(field->type, "char["), *stack = strstr(field->type, "long[");
	size_t i;

	if (string)
		return synth_set_string_type(field, string + strlen("char"));
	if (stack) {
		field->is_stack = true;
		field->is_signed = true;
		field->is_dynamic = true;
		field->size = 8;
		return true;
	}
	for (i = 0; i < sizeof(types) / sizeof(*types); i++) {
		if (strcmp(types[i].name, field->type))
			continue;
		field->size = types[i].size;
		field->is_signed = types[i].is_signed;
		return true;
	}
	return false;
}

static int synth_parse_field(struct synth_parser *p, struct hist_synth *synth, struct word type)
{
	struct hist_synth_field *field;
	struct word name, first = type;
	bool is_unsigned = false;
	const char *array;
	size_t n;

	if (text_equals(type.s, type.len, "unsigned")) {
		is_unsigned = true;
		if (!synth_next_word(p, &type) || !synth_next_word(p, &name))
			return synth_refuse_word(p, first, "write unsigned TYPE NAME",
						 "complete type");
	} else if (!synth_next_word(p, &name)) {
		return synth_refuse_word(p, type, "write TYPE NAME", "complete field");
	}
	array = memchr(name.s, '[', name.len);
	n = array ? (size_t)(array - name.s) : name.len;
	if (!hist_expr_is_word(name.s, n))
		return synth_refuse_word(p, name, "use only letters, digits and '_'", "valid name");
	if (synth->nfields == HIST_SYNTH_FIELDS_MAX)
		return hist_expr_error_set(p->error, first.s - p->text, p->at - first.s,
					   "the kernel accepts at most %u fields",
					   HIST_SYNTH_FIELDS_MAX);

	field = &synth->fields[synth->nfields++];
	field->span = (struct hist_span){ first.s - p->text, p->at - first.s };
	field->name = strndup(name.s, n);
	/* TYPE of "TYPE NAME[N]" or "TYPE[N] NAME", with both parts joined */
	if (!field->name || asprintf(&field->type, "%s%.*s%.*s", is_unsigned ? "unsigned " : "",
				     (int)type.len, type.s, (int)(name.len - n), name.s + n) < 0) {
		field->type = NULL;
		return -ENOMEM;
	}
	if (synth_set_number_type(field))
		return 0;
	if (array)
		return synth_refuse_word(p, name,
					 "write char NAME[N] with N up to 256, char[] NAME or "
					 "long[] NAME",
					 "valid array");
	return synth_refuse_word(
		p, type,
		"use one of: u8..u64, s8..s64, [unsigned] char, int and long, bool, "
		"pid_t, gfp_t, char[], long[]",
		"known type");
}

static int synth_parse_fields(struct synth_parser *p, struct hist_synth *synth)
{
	struct word word;
	int ret;

	for (;;) {
		while (synth_next_word(p, &word)) {
			ret = synth_parse_field(p, synth, word);
			if (ret)
				return ret;
		}
		if (p->at == p->end)
			return 0;
		p->at++;
	}
}

/* [s:[synthetic/]]NAME, and at least two words before the first ';'. */
static int parse_name(struct synth_parser *p, struct hist_synth *synth)
{
	struct synth_parser ahead;
	struct word name, word;
	unsigned int words = 0;

	synth_skip_blanks(p);
	name.s = p->at;
	if (p->end - p->at > 2 && !memcmp(p->at, "s:", 2)) {
		p->at += 2;
		if (memchr(p->at, '/', p->end - p->at)) {
			if (!text_starts_with(p->at, p->end - p->at, SYSTEM "/")) {
				name.len = p->end - name.s;
				return synth_refuse_word(p, name, "write s:" SYSTEM "/NAME",
							 "synthetic event");
			}
			p->at += strlen(SYSTEM "/");
		}
	}
	ahead = *p;
	while (synth_next_word(&ahead, &word))
		words++;
	synth_next_word(p, &name);
	if (words < 3) {
		hist_expr_error_set(p->error, name.s - p->text, name.len, "no fields");
		return hist_expr_error_hint(p->error, "write NAME TYPE FIELD[; TYPE FIELD...]");
	}
	if (!hist_expr_is_word(name.s, name.len))
		return synth_refuse_word(p, name, "use only letters, digits and '_'", "valid name");
	synth->name = strndup(name.s, name.len);
	return synth->name ? 0 : -ENOMEM;
}

int hist_synth_parse(struct hist_synth **result, const char *text, struct hist_error *error)
{
	struct synth_parser p = {
		.text = text, .at = text, .end = text + strcspn(text, "\n"), .error = error
	};
	struct hist_synth *synth = calloc(1, sizeof(*synth));
	int ret;

	if (!synth)
		return -ENOMEM;
	ret = parse_name(&p, synth);
	if (!ret)
		ret = synth_parse_fields(&p, synth);
	if (ret)
		hist_synth_free(synth);
	else
		*result = synth;
	return ret;
}

void hist_synth_free(struct hist_synth *synth)
{
	unsigned int i;

	if (!synth)
		return;
	for (i = 0; i < synth->nfields; i++) {
		free(synth->fields[i].name);
		free(synth->fields[i].type);
	}
	free(synth->name);
	free(synth);
}

/* @offset as in synth_event_define_fields(). */
static void print_field(struct hist_strbuf *b, const struct hist_synth_field *field,
			unsigned int *offset)
{
	const char *array = strchr(field->type, '[');
	size_t n =
		array && !field->is_dynamic ? (size_t)(array - field->type) : strlen(field->type);

	hist_strbuf_printf(b, "\tfield:%s%.*s %s%s;\toffset:%u;\tsize:%u;\tsigned:%d;\n",
			   field->is_dynamic ? "__data_loc " : "", (int)n, field->type, field->name,
			   array && !field->is_dynamic ? array : "", *offset, field->size,
			   field->is_signed);
	/* STR_VAR_LEN_MAX, regardless of the array's length, or a u64 */
	*offset += field->is_string && !field->is_dynamic ? 256 : 8;
}

/* Write a format file and parse it, so that only event.c handles types. */
int hist_synth_make_event(struct hist_event **event, const struct hist_synth *synth)
{
	struct hist_strbuf b = { 0 };
	unsigned int i, offset = 8;
	int ret;

	hist_strbuf_printf(&b,
			   "name: %s\nID: 0\nformat:\n"
			   "\tfield:unsigned short common_type;\toffset:0;\tsize:2;\tsigned:0;\n"
			   "\tfield:unsigned char common_flags;\toffset:2;\tsize:1;\tsigned:0;\n"
			   "\tfield:unsigned char common_preempt_count;\toffset:3;\tsize:1;"
			   "\tsigned:0;\n"
			   "\tfield:int common_pid;\toffset:4;\tsize:4;\tsigned:1;\n",
			   synth->name);
	for (i = 0; i < synth->nfields; i++)
		print_field(&b, &synth->fields[i], &offset);
	hist_strbuf_str(&b, "print fmt: \"\"\n");
	ret = b.error ? b.error : hist_event_parse(event, SYSTEM, b.data, b.len);
	hist_strbuf_free(&b);
	return ret;
}

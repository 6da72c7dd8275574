// SPDX-License-Identifier: LGPL-2.1
/*
 * definition_codec.c - encode and decode the body of a definition section, which describes one
 * histogram
 */
#include <errno.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "lib/series/record.h"

#define FLAG_SIGNED 1

/* The strings of a definition, in the order of the file. */
static const size_t names[] = {
	offsetof(struct hist_definition, event),    offsetof(struct hist_definition, trigger),
	offsetof(struct hist_definition, engine),   offsetof(struct hist_definition, clock),
	offsetof(struct hist_definition, instance), offsetof(struct hist_definition, uname),
	offsetof(struct hist_definition, host),
};

#define NAMES (sizeof(names) / sizeof(names[0]))

static char **definition_get_string(struct hist_definition *def, unsigned int i)
{
	return (char **)((char *)def + names[i]);
}

void definition_encode(struct hist_strbuf *b, const struct hist_definition *def)
{
	const struct hist_schema *s = def->schema;
	struct hist_definition copy = *def;
	unsigned int i;

	for (i = 0; i < NAMES; i++)
		varint_put_string(b, *definition_get_string(&copy, i));
	varint_put(b, s->nkeys);
	for (i = 0; i < s->nkeys; i++) {
		varint_put_string(b, s->keys[i].name);
		varint_put(b, s->keys[i].kind);
		varint_put(b, s->keys[i].is_signed ? FLAG_SIGNED : 0);
		varint_put(b, s->keys[i].bucket);
	}
	varint_put(b, s->nvalues);
	for (i = 0; i < s->nvalues; i++) {
		varint_put_string(b, s->values[i].name);
		varint_put(b, s->values[i].kind);
		varint_put(b, s->values[i].is_signed ? FLAG_SIGNED : 0);
	}
}

static int take_schema(struct hist_schema *s, struct varint_reader *t)
{
	uint64_t n, kind;
	unsigned int i;

	n = varint_read(t);
	if (t->failed || !n || n > HIST_KEYS_MAX)
		return -EBADMSG;
	for (i = 0; i < n; i++) {
		s->keys[i].name = varint_read_string(t);
		s->nkeys = i + 1;
		kind = varint_read(t);
		if (kind >= HIST_KEY_KINDS)
			return t->failed ? -EBADMSG : -ENOTSUP;
		s->keys[i].kind = kind;
		s->keys[i].is_signed = varint_read(t) & FLAG_SIGNED;
		s->keys[i].bucket = varint_read(t);
	}
	n = varint_read(t);
	if (t->failed || n > HIST_VALUES_MAX)
		return -EBADMSG;
	for (i = 0; i < n; i++) {
		s->values[i].name = varint_read_string(t);
		s->nvalues = i + 1;
		kind = varint_read(t);
		if (kind > HIST_VALUE_PEAK)
			return t->failed ? -EBADMSG : -ENOTSUP;
		s->values[i].kind = kind;
		s->values[i].is_signed = varint_read(t) & FLAG_SIGNED;
	}
	return t->failed ? -EBADMSG : 0;
}

int definition_decode(struct hist_definition *def, struct varint_reader *t)
{
	struct hist_schema *schema;
	unsigned int i;
	int ret;

	memset(def, 0, sizeof(*def));
	schema = calloc(1, sizeof(*schema));
	if (!schema)
		return -ENOMEM;
	def->schema = schema;
	for (i = 0; i < NAMES; i++)
		*definition_get_string(def, i) = varint_read_string(t);
	ret = t->failed ? -EBADMSG : take_schema(schema, t);
	if (ret)
		definition_free(def);
	return ret && t->no_memory ? -ENOMEM : ret;
}

int definition_copy_names(struct hist_definition *to, const struct hist_definition *from)
{
	struct hist_definition source = *from;
	bool complete = true;
	unsigned int i;

	for (i = 0; i < NAMES; i++) {
		const char *name = *definition_get_string(&source, i);

		*definition_get_string(to, i) = strdup(name ? name : "");
		complete &= *definition_get_string(to, i) != NULL;
	}
	return complete ? 0 : -ENOMEM;
}

void definition_free(struct hist_definition *def)
{
	unsigned int i;

	for (i = 0; i < NAMES; i++)
		free(*definition_get_string(def, i));
	hist_schema_free((struct hist_schema *)def->schema);
	memset(def, 0, sizeof(*def));
}

// SPDX-License-Identifier: LGPL-2.1
/*
 * definition_codec.c - encode and decode the bodies of the sections that describe one histogram:
 * its definition, and the names of numbers
 */
#include <errno.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "lib/expr/expr.h"
#include "lib/hist/field_units.h"
#include "lib/hist/key_names.h"
#include "lib/series/record.h"

#define FLAG_SIGNED 1
/* Of a key, next to the HIST_NAMES_ bits: its numbers may have names. */
#define FLAG_NAMES 2
#define NAMES_BITS (HIST_NAMES_CODE | HIST_NAMES_WHOLE | HIST_NAMES_ALONE)
/* Of a key or value: the unit, if its name does not contain it. */
#define FLAG_US 16
#define FLAG_NS 32

/* The strings of a definition, in the order of the file. */
static const size_t names[] = {
	offsetof(struct hist_definition, event),    offsetof(struct hist_definition, trigger),
	offsetof(struct hist_definition, engine),   offsetof(struct hist_definition, clock),
	offsetof(struct hist_definition, instance), offsetof(struct hist_definition, uname),
	offsetof(struct hist_definition, host),	    offsetof(struct hist_definition, joined),
};

#define NAMES (sizeof(names) / sizeof(names[0]))
/* The last one is after the schema, and only if it is not empty. */
#define FIRST_NAMES (NAMES - 1)

static char **definition_get_string(struct hist_definition *def, unsigned int i)
{
	return (char **)((char *)def + names[i]);
}

static unsigned int definition_unit_flag(const char *unit)
{
	if (!unit)
		return 0;
	return strcmp(unit, FIELD_UNIT_NS) ? FLAG_US : FLAG_NS;
}

static const char *definition_flag_unit(uint64_t flags)
{
	return flags & FLAG_NS ? FIELD_UNIT_NS : flags & FLAG_US ? FIELD_UNIT_US : NULL;
}

void definition_encode(struct hist_strbuf *b, const struct hist_definition *def)
{
	const struct hist_schema *s = def->schema;
	struct hist_definition copy = *def;
	unsigned int i;

	for (i = 0; i < FIRST_NAMES; i++)
		varint_put_string(b, *definition_get_string(&copy, i));
	varint_put(b, s->nkeys);
	for (i = 0; i < s->nkeys; i++) {
		varint_put_string(b, s->keys[i].name);
		varint_put(b, s->keys[i].kind);
		varint_put(b, (s->keys[i].is_signed ? FLAG_SIGNED : 0) |
			      (s->keys[i].names ? FLAG_NAMES : 0) |
			      definition_unit_flag(s->keys[i].unit) |
			      hist_key_names_flags(s->keys[i].names));
		varint_put(b, s->keys[i].bucket);
	}
	varint_put(b, s->nvalues);
	for (i = 0; i < s->nvalues; i++) {
		varint_put_string(b, s->values[i].name);
		varint_put(b, s->values[i].kind);
		varint_put(b, (s->values[i].is_signed ? FLAG_SIGNED : 0) |
			      definition_unit_flag(s->values[i].unit));
	}
	if (def->joined && *def->joined)
		varint_put_string(b, def->joined);
}

static int take_schema(struct hist_schema *s, struct varint_reader *t)
{
	uint64_t n, kind, flags;
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
		flags = varint_read(t);
		s->keys[i].is_signed = flags & FLAG_SIGNED;
		s->keys[i].unit = definition_flag_unit(flags);
		s->keys[i].bucket = varint_read(t);
		if (kind == HIST_KEY_FINE_LOG2 &&
		    (!s->keys[i].bucket || s->keys[i].bucket > HIST_LOG2_BITS_MAX))
			return -EBADMSG;
		if (!(flags & FLAG_NAMES) || (kind != HIST_KEY_NUM && kind != HIST_KEY_SYSCALL))
			continue;
		s->keys[i].names = hist_key_names_new(flags & NAMES_BITS, NULL);
		if (!s->keys[i].names)
			return -ENOMEM;
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
		flags = varint_read(t);
		s->values[i].is_signed = flags & FLAG_SIGNED;
		s->values[i].unit = definition_flag_unit(flags);
	}
	return t->failed ? -EBADMSG : 0;
}

/* Older versions have nothing here, and what a newer one adds is not an error. */
static int definition_take_joined(struct hist_definition *def, struct varint_reader *t)
{
	if (t->at < t->end)
		def->joined = varint_read_string(t);
	if (t->no_memory)
		return -ENOMEM;
	if (!def->joined)
		def->joined = strdup("");
	return def->joined ? 0 : -ENOMEM;
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
	for (i = 0; i < FIRST_NAMES; i++)
		*definition_get_string(def, i) = varint_read_string(t);
	ret = t->failed ? -EBADMSG : take_schema(schema, t);
	if (!ret)
		ret = definition_take_joined(def, t);
	/* files of older versions do not have the unit */
	if (!ret)
		field_units_set_named(schema, def->event);
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

uint32_t definition_encode_names(struct hist_strbuf *b, const struct hist_schema *schema,
				 const struct written_names *written, struct written_names *now)
{
	uint32_t n = 0, i;
	const char *name;
	unsigned int k;
	uint64_t num;
	size_t len;

	*now = (struct written_names){ 0 };
	for (k = 0; k < schema->nkeys; k++) {
		now->n[k] = hist_key_names_count(schema->keys[k].names);
		n += now->n[k] - written->n[k];
	}
	varint_put(b, n);
	for (k = 0; k < schema->nkeys; k++) {
		for (i = written->n[k]; i < now->n[k]; i++) {
			name = hist_key_names_at(schema->keys[k].names, i, &num, &len);
			varint_put(b, k);
			varint_put(b, num);
			varint_put(b, len);
			hist_strbuf_add(b, name, len);
		}
	}
	return n;
}

int definition_decode_names(const struct hist_schema *schema, struct varint_reader *t)
{
	uint64_t n = varint_read(t), key, num, len;
	const char *name;
	int ret = 0;

	for (; !ret && n && !t->failed; n--) {
		key = varint_read(t);
		num = varint_read(t);
		len = varint_read(t);
		name = varint_read_bytes(t, len);
		if (!name || key >= schema->nkeys)
			return -EBADMSG;
		/* a system call may get another name, because 32-bit calls came later */
		if (schema->keys[key].kind == HIST_KEY_SYSCALL && schema->keys[key].names)
			ret = hist_key_names_set(schema->keys[key].names, num, name, len);
		else if (schema->keys[key].names)
			ret = hist_key_names_add(schema->keys[key].names, num, name, len);
	}
	return ret ? ret : t->failed || t->at != t->end ? -EBADMSG : 0;
}

// SPDX-License-Identifier: LGPL-2.1
/*
 * raw_layout.c - read the table of fields of a histogram in a hist_raw file
 *
 * Keys are in the order of the trigger.  Values are in the order of the text, with some values that
 * the text does not print (hitcount with nohitcount).
 * Invariant: all accepted fields are inside an entry.
 */
#include <errno.h>
#include <stdio.h>

#include "lib/base/text.h"
#include "lib/histfile/raw_reader.h"

struct field {
	uint32_t flags, offset, size;
	uint64_t buckets;
	const char *name;
};

/* In the order of the tests in hist_trigger_print_key(). */
static enum hist_key_kind raw_find_key_kind(const struct field *f)
{
	static const struct {
		uint32_t flag;
		enum hist_key_kind kind;
	} kinds[] = {
		{ FIELD_HEX, HIST_KEY_HEX },
		{ FIELD_SYM, HIST_KEY_SYM },
		{ FIELD_SYM_OFFSET, HIST_KEY_SYM_OFFSET },
		{ FIELD_EXECNAME, HIST_KEY_EXECNAME },
		{ FIELD_SYSCALL, HIST_KEY_SYSCALL },
		{ FIELD_STACKTRACE, HIST_KEY_STACK },
		{ FIELD_LOG2, HIST_KEY_LOG2 },
		{ FIELD_BUCKET, HIST_KEY_BUCKETS },
		{ FIELD_STRING, HIST_KEY_STRING },
	};
	unsigned int i;

	for (i = 0; i < sizeof(kinds) / sizeof(*kinds); i++) {
		if (!(f->flags & kinds[i].flag))
			continue;
		return kinds[i].kind == HIST_KEY_LOG2 && f->buckets ? HIST_KEY_FINE_LOG2 :
								      kinds[i].kind;
	}
	return HIST_KEY_NUM;
}

static enum hist_value_kind value_kind(uint32_t flags)
{
	return flags & FIELD_PERCENT ? HIST_VALUE_PERCENT :
	       flags & FIELD_GRAPH ? HIST_VALUE_GRAPH :
	       flags & FIELD_HEX ? HIST_VALUE_HEX : HIST_VALUE_SUM;
}

static int raw_add_key_field(struct hist_raw_reader *r, const struct hist_raw *raw,
			     const struct hist_raw_block *block, const struct field *f,
			     unsigned int k)
{
	enum hist_key_kind kind = raw_find_key_kind(f);
	struct raw_layout *l = &r->layout;
	struct hist_key_desc *key;
	bool fits;

	if (k >= r->schema->nkeys)
		return hist_error_set(r->error, -EBADMSG, "more keys than the trigger has");
	key = &r->schema->keys[k];
	if (key->kind == HIST_KEY_UNKNOWN && (kind == HIST_KEY_NUM || kind == HIST_KEY_STRING))
		key->kind = kind;
	if (key->kind != kind &&
	    (kind != HIST_KEY_NUM || hist_key_form(key->kind) != HIST_FORM_NUMBER))
		return hist_error_set(r->error, -EBADMSG,
				      "key %u does not have the type that the trigger defines",
				      k + 1);
	if (kind == HIST_KEY_STACK)
		fits = !(f->size % raw->long_size);
	else
		fits = kind == HIST_KEY_STRING ? f->size > 0 : f->size == sizeof(uint64_t);
	if (!fits || (hist_key_form(kind) == HIST_FORM_TASK && !block->comm) ||
	    ((hist_key_is_linear(key) || hist_key_is_fine_log2(key)) && f->buckets != key->bucket))
		return hist_error_set(
			r->error, -EBADMSG,
			"key %u does not have the size, bucket width or task names that "
			"the trigger requires",
			k + 1);
	if (!k || f->offset < l->keys) {
		l->keys_size += k ? l->keys - f->offset : 0;
		l->keys = f->offset;
	}
	if (f->offset + f->size > l->keys + l->keys_size)
		l->keys_size = f->offset + f->size - l->keys;
	l->key[k] = (struct raw_field){ f->offset, f->size };
	return 0;
}

static int get_field(struct hist_raw_reader *r, const struct hist_raw *raw,
		     const struct hist_raw_block *block, uint32_t i, struct field *f)
{
	const unsigned char *at = block->data + block->fields + (size_t)i * block->field_size;
	uint32_t name = bytes_u32(raw->big_endian, at + FIELD_NAME);

	f->flags = bytes_u32(raw->big_endian, at + FIELD_FLAGS);
	f->offset = bytes_u32(raw->big_endian, at + FIELD_OFFSET);
	f->size = bytes_u32(raw->big_endian, at + FIELD_BYTES);
	f->buckets = bytes_u64(raw->big_endian, at + FIELD_BUCKETS);
	if (name >= block->size || !memchr(block->data + name, '\0', block->size - name) ||
	    (uint64_t)f->offset + f->size > block->entry_size)
		return hist_error_set(r->error, -EBADMSG,
				      "field %u has an invalid name, offset or size", i + 1);
	f->name = (const char *)block->data + name;
	return 0;
}

int raw_read_layout(struct hist_raw_reader *r, const struct hist_raw *raw,
		    const struct hist_raw_block *block)
{
	const struct hist_schema *schema = r->schema;
	unsigned int keys = 0, values = 0;
	struct field f = { 0 };
	uint32_t i;
	int ret;

	memset(&r->layout, 0, sizeof(r->layout));
	for (i = 0; i < block->nfields; i++) {
		ret = get_field(r, raw, block, i, &f);
		if (!ret && f.flags & FIELD_KEY)
			ret = raw_add_key_field(r, raw, block, &f, keys++);
		if (ret)
			return ret;
		if (f.flags & FIELD_KEY || values == schema->nvalues ||
		    strcmp(f.name, schema->values[values].name) ||
		    value_kind(f.flags) != schema->values[values].kind)
			continue;
		if (f.size != sizeof(uint64_t))
			return hist_error_set(r->error, -EBADMSG, "value %u is not 64 bits wide",
					      values + 1);
		r->layout.value[values++] = f.offset;
	}
	if (keys != schema->nkeys)
		return hist_error_set(r->error, -EBADMSG, "%u key%s, but the trigger has %u", keys,
				      text_plural(keys), schema->nkeys);
	if (values != schema->nvalues)
		return hist_error_set(r->error, -EBADMSG, "no value \"%s\"",
				      schema->values[values].name);
	return 0;
}

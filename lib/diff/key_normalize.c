// SPDX-License-Identifier: LGPL-2.1
/*
 * key_normalize.c - map the keys of several recordings to common names
 *
 * Invariant: two cells of the common table are equal exactly if their keys have the same
 * common name.  All later code therefore compares entry numbers.  The result for each string
 * of the input table is cached, because thousands of keys share a few strings.
 */
#include <ctype.h>
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "lib/base/array.h"
#include "lib/diff/key_normalize.h"
#include "lib/hist/key_names.h"
#include "lib/label/label.h"

/* 64-bit kernels are in the upper half of the address space; 0xffff.. is a heuristic. */
#define KERNEL_ADDRESSES UINT64_C(0xffff000000000000)

struct hist_key_normalizer {
	struct hist_table *table;
	enum hist_key_kind from[HIST_KEYS_MAX]; /* the kinds in the recordings */
	bool has_string[HIST_KEYS_MAX];
	unsigned int by_name; /* a bit for each number that is matched by its name */
	bool offsets;
	struct hist_strbuf text;
	/* cache by key: string of the input table to string of `table` + 1; 0: unknown */
	uint32_t *known[HIST_KEYS_MAX], known_room[HIST_KEYS_MAX], nknown;
	uint64_t generation; /* of the input table */
};

struct hist_key_normalizer *hist_key_normalize_new(const struct hist_schema *schema, bool offsets,
						   unsigned int by_name)
{
	struct hist_key_normalizer *m = calloc(1, sizeof(*m));
	struct hist_schema common = *schema;
	unsigned int i;

	if (!m)
		return NULL;
	m->offsets = offsets;
	m->by_name = by_name;
	for (i = 0; i < schema->nkeys; i++) {
		m->from[i] = schema->keys[i].kind;
		m->has_string[i] = hist_key_has_string(m->from[i]);
		if (by_name & 1u << i)
			common.keys[i].names = NULL;
		if (hist_key_has_name(m->from[i]) || by_name & 1u << i) {
			common.keys[i].kind = HIST_KEY_STRING;
			common.keys[i].is_signed = false;
		}
	}
	m->table = hist_table_new(&common);
	if (!m->table) {
		free(m);
		return NULL;
	}
	return m;
}

void hist_key_normalize_free(struct hist_key_normalizer *m)
{
	unsigned int i;

	if (!m)
		return;
	for (i = 0; i < HIST_KEYS_MAX; i++)
		free(m->known[i]);
	hist_table_free(m->table);
	hist_strbuf_free(&m->text);
	free(m);
}

const struct hist_table *hist_key_normalize_table(const struct hist_key_normalizer *m)
{
	return m->table;
}

/* Write "kmalloc+0x10/0x20 [mod]" without the offset and the size. */
static void put_symbol(struct hist_strbuf *b, const char *s, size_t len)
{
	size_t name = hist_label_symbol_len(s, len);
	const char *module = name < len ? memchr(s + name, ' ', len - name) : NULL;

	hist_strbuf_add(b, s, name);
	if (module)
		hist_strbuf_add(b, module, s + len - module);
}

static void key_normalize_put_stack(struct hist_strbuf *b, const char *s, size_t left)
{
	const char *frame;
	size_t len, start = b->len;

	while (hist_label_next_frame(&s, &left, &frame, &len)) {
		if (b->len > start)
			hist_strbuf_char(b, '\n');
		put_symbol(b, frame, len);
	}
}

/* Write the common name.  True if the string alone determines it, so that it can be cached. */
static bool key_normalize_put_name(struct hist_key_normalizer *m, unsigned int key, const char *s,
				   size_t len,
				   uint64_t num)
{
	struct hist_strbuf *b = &m->text;
	enum hist_key_form form = hist_key_form(m->from[key]);

	if (form == HIST_FORM_STACK) {
		key_normalize_put_stack(b, s, len);
	} else if (form == HIST_FORM_SYMBOL && !len) {
		hist_strbuf_str(b, "0x");
		hist_strbuf_hex(b, num);
		return false;
	} else if (form == HIST_FORM_SYMBOL && !m->offsets) {
		put_symbol(b, s, len);
	} else {
		hist_strbuf_add(b, s, len);
	}
	/* a system call is its number if the kernel does not have a name for it */
	if (form != HIST_FORM_SYSCALL || (len && (len < 7 || memcmp(s, "unknown", 7))))
		return true;
	hist_strbuf_printf(b, " [%" PRId64 "]", (int64_t)num);
	return false;
}

/* Extend the cache to the strings of @from; clear it if the generation changed. */
static int begin_table(struct hist_key_normalizer *m, const struct hist_table *from)
{
	unsigned int nkeys = hist_table_schema(m->table)->nkeys, i;
	uint32_t old = m->nknown;
	int ret = 0;

	if (m->generation != hist_table_generation(from))
		old = 0;
	m->generation = hist_table_generation(from);
	m->nknown = hist_table_strings(from);
	for (i = 0; i < nkeys && !ret; i++) {
		ret = array_grow(&m->known[i], &m->known_room[i], m->nknown,
				 sizeof(**m->known));
		if (!ret && m->nknown > old)
			memset(m->known[i] + old, 0, (m->nknown - old) * sizeof(**m->known));
	}
	/* after a failure, treat the whole cache as empty */
	if (ret)
		m->nknown = 0;
	return ret;
}

/* Set *@id to the string of the common table for @key of @cell. */
static int key_normalize_find_string(struct hist_key_normalizer *m, const struct hist_table *from,
				     unsigned int key,
				     const struct hist_cell *cell, uint32_t *id)
{
	const struct hist_key_desc *desc = &hist_table_schema(from)->keys[key];
	/* a name of the list belongs to the number, and not to the string */
	bool has_number = cell->str < m->nknown && !hist_key_names_count(desc->names), is_whole;
	const char *s;
	size_t len;
	int ret;

	if (has_number && m->known[key][cell->str]) {
		*id = m->known[key][cell->str] - 1;
		return 0;
	}
	s = hist_table_name(from, key, cell, &len);
	m->text.len = 0;
	is_whole = key_normalize_put_name(m, key, s, len, cell->num);
	if (m->text.error)
		return m->text.error;
	ret = hist_table_intern(m->table, m->text.data ? m->text.data : "", m->text.len, id);
	if (!ret && has_number && is_whole)
		m->known[key][cell->str] = *id + 1;
	return ret;
}

/* Set *@id to the name of a number, or to its digits. */
static int key_normalize_find_name(struct hist_key_normalizer *m, const struct hist_key_desc *desc,
				   uint64_t num, uint32_t *id)
{
	struct hist_strbuf *b = hist_strbuf_clear(&m->text);
	size_t len;
	const char *name = hist_key_names_find(desc->names, num, &len), *blank;

	if (name && hist_key_names_flags(desc->names) & HIST_NAMES_WHOLE) {
		blank = memchr(name, ' ', len);
		len -= blank ? blank + 1 - name : 0;
		name = blank ? blank + 1 : name;
	}
	if (name)
		hist_strbuf_add(b, name, len);
	else
		hist_strbuf_number(b, num, desc->is_signed);
	return b->error ? b->error : hist_table_intern(m->table, b->data, b->len, id);
}

int hist_key_normalize_entry(struct hist_key_normalizer *m, const struct hist_table *from,
			     const struct hist_cell *cells, uint32_t *entry)
{
	unsigned int nkeys = hist_table_schema(m->table)->nkeys, i;
	struct hist_cell made[HIST_KEYS_MAX];
	int ret;

	if (m->generation != hist_table_generation(from) || m->nknown != hist_table_strings(from)) {
		ret = begin_table(m, from);
		if (ret)
			return ret;
	}
	for (i = 0; i < nkeys; i++) {
		made[i] = (struct hist_cell){ cells[i].num, HIST_NO_STRING };
		if (m->by_name & 1u << i) {
			ret = key_normalize_find_name(m, &hist_table_schema(from)->keys[i],
						      cells[i].num, &made[i].str);
			if (ret)
				return ret;
			made[i].num = 0;
			continue;
		}
		if (!m->has_string[i] && cells[i].str == HIST_NO_STRING)
			continue;
		ret = key_normalize_find_string(m, from, i, &cells[i], &made[i].str);
		if (ret)
			return ret;
		made[i].num = 0;
	}
	return hist_table_add(m->table, made, entry);
}

bool hist_key_normalize_is_address(const struct hist_key_normalizer *m, unsigned int key,
				   const struct hist_cell *cell)
{
	const struct hist_key_desc *desc = &hist_table_schema(m->table)->keys[key];
	const char *s;
	size_t len;

	if (m->by_name & 1u << key)
		return false;
	switch (hist_key_form(m->from[key])) {
	case HIST_FORM_HEX:
	case HIST_FORM_NUMBER:
		return m->from[key] != HIST_KEY_USECS && !desc->is_signed &&
		       cell->num >= KERNEL_ADDRESSES &&
		       cell->num < UINT64_MAX - 4095; /* not -1 or an error number */
	case HIST_FORM_SYMBOL:
		s = hist_table_string(m->table, cell->str, &len);
		return len > 2 && s[0] == '0' && s[1] == 'x';
	default:
		return false;
	}
}

/* Length of a compiler's suffix at @s, or 0. */
static size_t suffix_len(const char *s, size_t left)
{
	static const struct {
		const char *word;
		bool bare; /* the number is optional */
	} suffixes[] = {
		{ ".isra", false }, { ".constprop", false }, { ".part", false },
		{ ".cold", true },  { ".llvm", false },	     { ".lto_priv", false },
	};
	size_t len, end, i;

	for (i = 0; i < sizeof(suffixes) / sizeof(*suffixes); i++) {
		len = strlen(suffixes[i].word);
		if (left < len || memcmp(s, suffixes[i].word, len))
			continue;
		end = len;
		if (end + 1 < left && s[end] == '.' && isdigit((unsigned char)s[end + 1])) {
			for (end++; end < left && isdigit((unsigned char)s[end]); end++)
				;
		} else if (!suffixes[i].bare) {
			continue;
		}
		/* the suffix must end the name, or another suffix must follow */
		if (end == left || !(isalnum((unsigned char)s[end]) || s[end] == '_'))
			return end;
	}
	return 0;
}

/* Length of "kworker/2:" at @s if a number follows, or 0. */
static size_t kworker_len(const char *s, size_t left)
{
	static const char word[] = "kworker/";
	size_t i = sizeof(word) - 1;

	if (left <= i || memcmp(s, word, i))
		return 0;
	i += s[i] == 'u';
	while (i < left && isdigit((unsigned char)s[i]))
		i++;
	return i + 1 < left && s[i] == ':' && isdigit((unsigned char)s[i + 1]) ? i + 1 : 0;
}

void hist_key_normalize_label(struct hist_strbuf *b, const char *label, size_t len)
{
	size_t i = 0, n;

	while (i < len) {
		n = label[i] == '.' && i ? suffix_len(label + i, len - i) : 0;
		if (n) {
			i += n;
			continue;
		}
		n = label[i] == 'k' ? kworker_len(label + i, len - i) : 0;
		if (!n) {
			hist_strbuf_char(b, label[i++]);
			continue;
		}
		hist_strbuf_add(b, label + i, n);
		hist_strbuf_char(b, '*');
		for (i += n; i < len && isdigit((unsigned char)label[i]); i++)
			;
	}
}

// SPDX-License-Identifier: GPL-2.0
/*
 * raw_make.c - see raw_make.h
 */
#include <string.h>

#include "utest/unit/lib/histfile/raw_make.h"

static void store(const struct raw_make *m, unsigned char *at, uint64_t number, unsigned int size)
{
	unsigned int i;

	for (i = 0; i < size; i++) {
		unsigned int byte = __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__ ? i : size - 1 - i;

		at[m->swap ? size - 1 - i : i] = number >> 8 * byte;
	}
}

static void put(struct raw_make *m, uint64_t number, unsigned int size)
{
	store(m, m->data + m->len, number, size);
	m->len += size;
}

static void put_string(struct raw_make *m, const char *s)
{
	memcpy(m->data + m->len, s, strlen(s) + 1);
	m->len += strlen(s) + 1;
}

void raw_make_entry(struct raw_make *m)
{
	memset(m->entries + m->nentries++ * m->entry_size, 0, m->entry_size);
}

void raw_make_number(struct raw_make *m, uint32_t offset, uint64_t number)
{
	store(m, m->entries + (m->nentries - 1) * m->entry_size + offset, number, 8);
}

void raw_make_string(struct raw_make *m, uint32_t offset, const char *s)
{
	memcpy(m->entries + (m->nentries - 1) * m->entry_size + offset, s, strlen(s));
}

enum { HEAD = 48, BLOCK = 80, FIELD = 24 };

static void put_head(struct raw_make *m, size_t size)
{
	put(m, 0x54534948, 4);
	put(m, 1, 2);
	put(m, HEAD, 2);
	put(m, 1, 4);
	put(m, m->long_size ? m->long_size : 8, 4);
	put(m, size, 8);
	put(m, 123456789, 8);
	memcpy(m->data + m->len, "mono\0\0\0\0\0\0\0\0\0\0\0\0", 16);
	m->len += 16;
}

static void put_block(struct raw_make *m, size_t size, uint32_t trigger, uint32_t entries)
{
	put(m, size, 8);
	put(m, m->id, 8);
	put(m, m->resets, 8);
	put(m, m->hits, 8);
	put(m, 3, 8);
	put(m, 0, 4);
	put(m, m->nentries, 4);
	put(m, 2048, 4);
	put(m, m->entry_size, 4);
	put(m, m->nfields, 4);
	put(m, FIELD, 4);
	put(m, BLOCK, 4);
	put(m, trigger, 4);
	put(m, m->comm, 4);
	put(m, entries, 4);
}

void raw_make_file(struct raw_make *m)
{
	uint32_t names[4], trigger, entries;
	unsigned int i;
	size_t size;

	memset(m->data, 0, sizeof(m->data));
	/* what is behind the fields comes first, to know where it is */
	m->len = HEAD + BLOCK + m->nfields * FIELD;
	for (i = 0; i < m->nfields; i++) {
		names[i] = m->len - HEAD;
		put_string(m, m->fields[i].name);
	}
	trigger = m->len - HEAD;
	put_string(m, m->trigger);
	m->len = (m->len + 7) / 8 * 8;
	entries = m->len - HEAD;
	memcpy(m->data + m->len, m->entries, m->nentries * m->entry_size);
	size = m->len + m->nentries * m->entry_size;

	m->len = 0;
	put_head(m, size);
	put_block(m, size - HEAD, trigger, entries);
	for (i = 0; i < m->nfields; i++) {
		put(m, m->fields[i].flags, 4);
		put(m, m->fields[i].offset, 4);
		put(m, m->fields[i].size, 4);
		put(m, names[i], 4);
		put(m, m->fields[i].buckets, 8);
	}
	m->len = size;
}

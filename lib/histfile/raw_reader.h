/* SPDX-License-Identifier: LGPL-2.1 */
/*
 * raw_reader.h - declarations shared by raw_reader.c, raw_layout.c and raw_keys.c
 *
 * raw_reader.c reads rows, raw_layout.c fields, and raw_keys.c keys and their names.
 */
#ifndef LIB_HISTFILE_RAW_READER_H
#define LIB_HISTFILE_RAW_READER_H

#include "lib/base/hash_index.h"
#include "lib/histfile/raw_private.h"
#include "lib/histfile/row_met.h"

struct raw_field {
	uint32_t offset, size; /* in an entry */
};

/* The positions of the schema's keys and values in the entries of a block. */
struct raw_layout {
	struct raw_field key[HIST_KEYS_MAX];
	uint32_t value[HIST_VALUES_MAX];
	uint32_t keys, keys_size; /* all keys, with any gaps between them */
};

/*
 * The keys of the rows read, and their entries.  The kernel inserts rows but never changes their
 * order.  The previous row therefore determines the next expected entry, and a known key is
 * compared instead of looked up.
 */
struct raw_rows {
	unsigned char *keys;
	uint32_t keys_room;
	uint32_t *entries; /* or HIST_NO_ENTRY */
	uint32_t entries_room;
	uint32_t n;
};

/* The name of number @num in key @key is string @str of the table. */
struct raw_name {
	uint64_t num;
	uint32_t str;
	uint32_t key; /* RAW_FRAME: an address whose symbol was found in the text */
};

#define RAW_FRAME HIST_KEYS_MAX

struct hist_raw_reader {
	struct hist_table *table;
	struct hist_schema *schema; /* of the table */
	uint64_t generation;	    /* of the table at the last reading */
	bool known;		    /* id and resets are those of the last snapshot */
	uint64_t id, resets;
	struct raw_layout layout;
	struct raw_rows last, now;

	struct row_met *met; /* one for each entry */
	uint32_t met_room, reading;

	struct raw_name *names;
	uint32_t nnames, names_room;
	struct hash_index index;
	uint64_t seed;
	uint32_t learnt; /* number of table entries already searched for names */

	const struct hist_kallsyms *symbols;
	/* what this reading lacks */
	bool lacks_name, lacks_frame, lacks_symbol;
	bool proved;	   /* a frame was found in the text */
	unsigned int vain; /* consecutive readings that lacked frames and proved none */
	bool needs_text; /* names of some keys are learned from the text */
	bool ambiguous;	 /* blanks at the end of a name of the table were removed */
	struct hist_error *error; /* of the current block */
};

/* raw_layout.c: read the fields of a block, which must match the schema.  -EBADMSG. */
int raw_read_layout(struct hist_raw_reader *r, const struct hist_raw *raw,
		    const struct hist_raw_block *block);

/* raw_keys.c: learn the names that the text has added to the table.  -ENOMEM, -E2BIG. */
int raw_learn_names(struct hist_raw_reader *r);
void raw_forget_names(struct hist_raw_reader *r);

/*
 * raw_find_entry - find or add the entry of a row
 * *@entry is HIST_NO_ENTRY, and lacks_* is set, if a name is not known.  -ENOMEM, -E2BIG.
 */
int raw_find_entry(struct hist_raw_reader *r, const struct hist_raw *raw,
		   const struct hist_raw_block *block, const unsigned char *row, uint32_t *entry);

#endif

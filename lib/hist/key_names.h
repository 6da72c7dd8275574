/* SPDX-License-Identifier: LGPL-2.1 */
/*
 * key_names.h - the names of the numbers of a key
 *
 * A plain number has the names of this list.  A system call has the name that the kernel printed,
 * except if the list has another one: the kernel names 32-bit system calls by the 64-bit table.
 *
 * A schema that is made from an event has a source of names for its keys (field_names.h); the name
 * of a number is looked up once, when a table gets an entry with it.  The writer of a file stores
 * the names in sections, and a reader gets them from there.
 *
 * Copies of a schema share the names: hist_key_names_get() and hist_key_names_put() count the
 * owners.  Only one thread may add names.
 *
 * Invariant: a plain number keeps its first name; a system call has its last one.  Name number @i
 * stays the same.
 */
#ifndef LIB_HIST_KEY_NAMES_H
#define LIB_HIST_KEY_NAMES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "lib/event/field_names.h"
#include "lib/hist/key_kind.h"

/* Limits for one key; further numbers do not get names. */
#define HIST_KEY_NAMES_MAX 4096
#define HIST_KEY_NAME_LEN 1024

struct hist_key_names;

/*
 * hist_key_names_new - an empty list; NULL: no memory
 * @flags: HIST_NAMES_ bits.  @source: NULL, or where hist_key_names_learn() finds names; the list
 * owns it, also after a failure.
 */
struct hist_key_names *hist_key_names_new(unsigned int flags, struct hist_field_names *source);
struct hist_key_names *hist_key_names_get(struct hist_key_names *names);
void hist_key_names_put(struct hist_key_names *names);

/* HIST_NAMES_ bits; 0 if @names is NULL. */
unsigned int hist_key_names_flags(const struct hist_key_names *names);

/* Add the name of @num unless it has one, or a limit is reached.  0 or -ENOMEM. */
int hist_key_names_add(struct hist_key_names *names, uint64_t num, const char *name, size_t len);

/* The same, also if @num has a name, which it then loses. */
int hist_key_names_set(struct hist_key_names *names, uint64_t num, const char *name, size_t len);

/* Look up the name of @num in the source, and add it.  0, also if there is none, or -ENOMEM. */
int hist_key_names_learn(struct hist_key_names *names, uint64_t num);

/* The name of @num and its length, valid until a name is added; NULL if it has none. */
const char *hist_key_names_find(const struct hist_key_names *names, uint64_t num, size_t *len);

/* The number of names, and name @i in the order in which they were added. */
uint32_t hist_key_names_count(const struct hist_key_names *names);
const char *hist_key_names_at(const struct hist_key_names *names, uint32_t i, uint64_t *num,
			      size_t *len);

/* The name to show for @num of a plain @key, as hist_key_names_find(); NULL with --raw-names. */
static inline const char *hist_key_find_name(const struct hist_key_desc *key, uint64_t num,
					     size_t *len)
{
	return key->kind != HIST_KEY_NUM || key->shows_numbers ?
		       NULL : hist_key_names_find(key->names, num, len);
}

/* True if @key is a plain number, and some of its numbers are shown by name. */
static inline bool hist_key_shows_names(const struct hist_key_desc *key)
{
	return key->kind == HIST_KEY_NUM && !key->shows_numbers && hist_key_names_count(key->names);
}

/* True if text is shown for the numbers of @key, so that it is aligned left. */
static inline bool hist_key_shows_text(const struct hist_key_desc *key)
{
	return hist_key_is_text(key->kind) || hist_key_shows_names(key) ||
	       (hist_key_has_string(key->kind) && !key->shows_numbers);
}

#endif

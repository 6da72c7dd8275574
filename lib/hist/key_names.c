// SPDX-License-Identifier: LGPL-2.1
/*
 * key_names.c - the names of the numbers of a key
 *
 * The names are one after the other in one buffer.  Lists are short, so a sorted array of their
 * numbers finds them.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "lib/base/array.h"
#include "lib/hist/key_names.h"

struct named_number {
	uint64_t num;
	size_t start, len; /* in the buffer */
};

struct hist_key_names {
	unsigned int owners;
	unsigned int flags;
	struct hist_field_names *source;
	struct named_number *list; /* in the order in which they were added */
	uint32_t *sorted;	   /* the index of the newest name of each number, by number */
	uint32_t n, nsorted, list_room, sorted_room;
	struct hist_strbuf text, scratch;
};

struct hist_key_names *hist_key_names_new(unsigned int flags, struct hist_field_names *source)
{
	struct hist_key_names *names = calloc(1, sizeof(*names));

	if (!names) {
		hist_field_names_free(source);
		return NULL;
	}
	names->owners = 1;
	names->flags = flags;
	names->source = source;
	return names;
}

struct hist_key_names *hist_key_names_get(struct hist_key_names *names)
{
	if (names)
		__atomic_add_fetch(&names->owners, 1, __ATOMIC_RELAXED);
	return names;
}

void hist_key_names_put(struct hist_key_names *names)
{
	if (!names || __atomic_sub_fetch(&names->owners, 1, __ATOMIC_ACQ_REL))
		return;
	hist_field_names_free(names->source);
	hist_strbuf_free(&names->text);
	hist_strbuf_free(&names->scratch);
	free(names->list);
	free(names->sorted);
	free(names);
}

unsigned int hist_key_names_flags(const struct hist_key_names *names)
{
	return names ? names->flags : 0;
}

/* The place of @num in the sorted array, or where it would be inserted. */
static uint32_t key_names_find_place(const struct hist_key_names *names, uint64_t num)
{
	uint32_t low = 0, high = names->nsorted, middle;

	while (low < high) {
		middle = (low + high) / 2;
		if (names->list[names->sorted[middle]].num < num)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

static bool key_names_has(const struct hist_key_names *names, uint32_t place, uint64_t num)
{
	return place < names->nsorted && names->list[names->sorted[place]].num == num;
}

int hist_key_names_set(struct hist_key_names *names, uint64_t num, const char *name, size_t len)
{
	uint32_t place = key_names_find_place(names, num);
	bool has = key_names_has(names, place, num);
	size_t start = names->text.len;
	int ret;

	if (names->n == HIST_KEY_NAMES_MAX || !len || len > HIST_KEY_NAME_LEN)
		return 0;
	ret = array_grow(&names->list, &names->list_room, names->n + 1, sizeof(*names->list));
	if (!ret)
		ret = array_grow(&names->sorted, &names->sorted_room, names->n + 1,
				 sizeof(*names->sorted));
	names->text.error = 0;
	if (ret || !hist_strbuf_reserve(&names->text, len))
		return -ENOMEM;
	hist_strbuf_add(&names->text, name, len);
	names->list[names->n] = (struct named_number){ num, start, len };
	if (!has) {
		memmove(names->sorted + place + 1, names->sorted + place,
			(names->nsorted - place) * sizeof(*names->sorted));
		names->nsorted++;
	}
	names->sorted[place] = names->n++;
	return 0;
}

int hist_key_names_add(struct hist_key_names *names, uint64_t num, const char *name, size_t len)
{
	if (key_names_has(names, key_names_find_place(names, num), num))
		return 0;
	return hist_key_names_set(names, num, name, len);
}

int hist_key_names_learn(struct hist_key_names *names, uint64_t num)
{
	struct hist_strbuf *b = hist_strbuf_clear(&names->scratch);

	if (!names->source || names->n == HIST_KEY_NAMES_MAX ||
	    key_names_has(names, key_names_find_place(names, num), num))
		return 0;
	b->error = 0;
	if (!hist_field_names_put(names->source, num, b))
		return b->error;
	return b->error ? b->error : hist_key_names_add(names, num, b->data, b->len);
}

const char *hist_key_names_find(const struct hist_key_names *names, uint64_t num, size_t *len)
{
	uint32_t place = names ? key_names_find_place(names, num) : 0;

	if (!names || !key_names_has(names, place, num))
		return NULL;
	return hist_key_names_at(names, names->sorted[place], &num, len);
}

uint32_t hist_key_names_count(const struct hist_key_names *names)
{
	return names ? names->n : 0;
}

const char *hist_key_names_at(const struct hist_key_names *names, uint32_t i, uint64_t *num,
			      size_t *len)
{
	*num = names->list[i].num;
	*len = names->list[i].len;
	return names->text.data + names->list[i].start;
}

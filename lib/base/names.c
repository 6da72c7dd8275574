// SPDX-License-Identifier: LGPL-2.1
/*
 * names.c - a list of strings that grows
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "lib/base/array.h"
#include "lib/base/names.h"
#include "lib/base/text.h"

int names_add(struct names *list, const char *name, size_t len)
{
	if (array_add(&list->names, list->n, sizeof(*list->names)))
		return -ENOMEM;
	list->names[list->n] = strndup(name, len);
	if (!list->names[list->n])
		return -ENOMEM;
	list->n++;
	return 0;
}

int names_add_new(struct names *list, const char *name, size_t len)
{
	size_t i;

	for (i = 0; i < list->n; i++) {
		if (text_equals(name, len, list->names[i]))
			return 0;
	}
	return names_add(list, name, len);
}

static int names_compare(const void *a, const void *b)
{
	return strcmp(*(char *const *)a, *(char *const *)b);
}

void names_sort(struct names *list)
{
	if (list->n)
		qsort(list->names, list->n, sizeof(*list->names), names_compare);
}

void names_clear(struct names *list)
{
	while (list->n)
		free(list->names[--list->n]);
	free(list->names);
	list->names = NULL;
}

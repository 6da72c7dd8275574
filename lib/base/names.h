/* SPDX-License-Identifier: LGPL-2.1 */
/*
 * names.h - a list of strings that grows
 */
#ifndef LIB_BASE_NAMES_H
#define LIB_BASE_NAMES_H

#include <stddef.h>

/* The list owns its strings.  Initialize with zeros. */
struct names {
	char **names;
	size_t n;
};

/* Append a copy of @len bytes.  On -ENOMEM the list is unchanged. */
int names_add(struct names *list, const char *name, size_t len);
/* The same, unless the list has the name; the search is linear. */
int names_add_new(struct names *list, const char *name, size_t len);
void names_sort(struct names *list);
void names_clear(struct names *list);

#endif

// SPDX-License-Identifier: GPL-2.0
/*
 * tests.c - the sorted list of suites
 *
 * Constructors of different files run in an unspecified order; the list does not depend on it.
 */
#include <stdio.h>
#include <string.h>

#include "utest/unit/tests.h"

struct unit_suite *unit_suites;

void unit_suites_add(struct unit_suite **list, struct unit_suite *suite)
{
	const char *slash = strrchr(suite->file, '/');
	const char *base = slash ? slash + 1 : suite->file;
	const char *end = strstr(base, "_test.c");

	snprintf(suite->name, sizeof(suite->name), "%.*s", (int)(end ? end - base : -1), base);
	while (*list && strcmp((*list)->name, suite->name) < 0)
		list = &(*list)->next;
	suite->next = *list;
	*list = suite;
}

const struct unit_suite *unit_suites_duplicate(const struct unit_suite *list)
{
	for (; list && list->next; list = list->next) {
		if (!strcmp(list->name, list->next->name))
			return list;
	}
	return NULL;
}

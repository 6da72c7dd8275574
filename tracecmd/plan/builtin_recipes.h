/* SPDX-License-Identifier: GPL-2.0 */
/*
 * builtin_recipes.h - the recipes that are part of the program, embedded by scripts/embed.cmake
 */
#ifndef TRACECMD_PLAN_BUILTIN_RECIPES_H
#define TRACECMD_PLAN_BUILTIN_RECIPES_H

#include <stddef.h>

struct builtin_recipe {
	const char *name;	   /* of the preset */
	const unsigned char *text; /* of the file, not terminated */
	size_t len;
};

/* Sorted by name. */
extern const struct builtin_recipe builtin_recipes[];
extern const size_t builtin_recipes_count;

#endif

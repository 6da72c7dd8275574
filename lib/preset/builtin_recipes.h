/* SPDX-License-Identifier: LGPL-2.1 */
/*
 * builtin_recipes.h - the recipes that are part of the program, embedded by scripts/embed.cmake
 */
#ifndef LIB_PRESET_BUILTIN_RECIPES_H
#define LIB_PRESET_BUILTIN_RECIPES_H

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

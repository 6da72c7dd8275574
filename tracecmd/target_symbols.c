// SPDX-License-Identifier: GPL-2.0
/*
 * target_symbols.c - the symbols of a target's kernel
 */
#include <stdlib.h>

#include "target_symbols.h"

struct hist_symbols *target_symbols(struct hist_target *t)
{
	struct hist_symbols *symbols;
	struct target_buf text = { 0 };

	if (!t->ops->kallsyms || t->ops->kallsyms(t, &text)) {
		free(text.data);
		return NULL;
	}
	return hist_symbols_new(&symbols, text.data, text.len) ? NULL : symbols;
}

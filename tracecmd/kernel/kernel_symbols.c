// SPDX-License-Identifier: GPL-2.0
/*
 * target_symbols.c - read the symbols of a target's kernel
 */
#include <errno.h>
#include <stdlib.h>

#include "tracecmd/kernel/kernel_symbols.h"

int kernel_symbols_read(struct hist_target *t, struct hist_kallsyms **symbols)
{
	struct target_buf text = { 0 };
	int ret;

	*symbols = NULL;
	ret = t->ops->kallsyms ? t->ops->kallsyms(t, &text) : -ENOENT;
	if (!ret)
		ret = hist_kallsyms_new(symbols, text.data, text.len);
	else
		free(text.data);
	return ret == -ENOMEM ? ret : 0;
}

/* SPDX-License-Identifier: GPL-2.0 */
/*
 * raw_render.h - read a hist_raw file and write down what was read, in the lines
 * of text_render.h
 */
#ifndef UTEST_UNIT_LIB_HISTFILE_RAW_RENDER_H
#define UTEST_UNIT_LIB_HISTFILE_RAW_RENDER_H

#include <stddef.h>
#include <stdio.h>

#include "lib/base/error.h"
#include "lib/histfile/hist_raw.h"

/*
 * @data is copied to memory of exactly @len bytes first.  @text: of the hist
 * file at the same moment, for names that are to be learnt; or NULL.  Each
 * histogram is read twice, the second time as one that is known.  @out, @error:
 * as of text_render().
 */
int raw_render(const void *data, size_t len, const char *text, size_t text_len,
	       const struct hist_kallsyms *symbols, FILE *out, struct hist_error *error);

#endif

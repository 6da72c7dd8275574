/* SPDX-License-Identifier: GPL-2.0 */
/*
 * text_render.h - parse a hist file and write down what was read, in the lines
 * that hist_text.py --cells prints
 */
#ifndef UTEST_UNIT_LIB_HISTFILE_TEXT_RENDER_H
#define UTEST_UNIT_LIB_HISTFILE_TEXT_RENDER_H

#include <stdint.h>
#include <stdio.h>

#include "lib/base/error.h"
#include "lib/event/event.h"
#include "lib/hist/table.h"

/*
 * @text is copied to memory of exactly @len bytes first, so that a sanitizer
 * sees each read beyond it.  @out: where to write, or NULL.
 * 0; or -errno with the parser's sentence in @error, of 256 bytes (may be NULL).
 * @flags: those of all blocks or'ed (may be NULL).
 */
int text_render(const char *text, size_t len, const struct hist_event *event, FILE *out,
		uint32_t *flags, struct hist_error *error);

/* "quoted" as hist_text.py does. */
void render_string(FILE *out, const char *s, size_t len);

/* All entries of @snap. */
void render_rows(FILE *out, const struct hist_table *table, const struct hist_snapshot *snap);

#endif

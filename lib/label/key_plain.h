/* SPDX-License-Identifier: LGPL-2.1 */
/*
 * key_plain.h - keys as text for machines: the name alone, without what is told
 * beside it in views for people
 *
 * Escaped as hist_escape() does; a ';' inside of a stack's frame is \x3b, as it
 * stands between frames.
 */
#ifndef LIB_LABEL_KEY_PLAIN_H
#define LIB_LABEL_KEY_PLAIN_H

#include "lib/base/strbuf.h"
#include "lib/hist/table.h"

/*
 * key_text - a symbol, a task's or system call's name, a string, a stack as
 * "innermost;caller;...", a number
 * What has no name is its number, an address as 0xff00.
 */
void key_text(struct hist_strbuf *b, const struct hist_table *table, unsigned int key,
	      const struct hist_cell *cell);

/* One name in a list with ';' between. */
void key_text_frame(struct hist_strbuf *b, const char *s, size_t len);

/* A stack's frames, the outermost first, without offsets, ';' between. */
void key_text_folded(struct hist_strbuf *b, const char *s, size_t len);

#endif

/* SPDX-License-Identifier: LGPL-2.1 */
/*
 * key_plain.h - keys as plain text for machines
 *
 * The text is only the name, without the numbers that views for users add to it.  It is escaped
 * with hist_escape().  A ';' inside a frame of a stack is written as \x3b, because ';' separates
 * frames.
 */
#ifndef LIB_LABEL_KEY_PLAIN_H
#define LIB_LABEL_KEY_PLAIN_H

#include "lib/base/strbuf.h"
#include "lib/hist/table.h"

/*
 * key_plain_put - write the key in plain form
 * A symbol, the name of a task or system call, a string, a stack as "innermost;caller;...", or a
 * number.  A key without a name is written as its number; an address is written like 0xff00.  A key
 * that shows numbers (--raw-names) does not have names.
 */
void key_plain_put(struct hist_strbuf *b, const struct hist_table *table, unsigned int key,
		   const struct hist_cell *cell);

/* Write one name of a list that is separated by ';'. */
void key_plain_put_frame(struct hist_strbuf *b, const char *s, size_t len);

#endif

// SPDX-License-Identifier: LGPL-2.1
/*
 * key_plain.c - keys as plain text for machines
 */
#include "lib/label/key_plain.h"
#include "lib/label/label.h"

void key_plain_put_frame(struct hist_strbuf *b, const char *s, size_t len)
{
	const char *semicolon;

	while ((semicolon = memchr(s, ';', len))) {
		hist_escape(b, s, semicolon - s, 0);
		hist_strbuf_str(b, "\\x3b");
		len -= semicolon + 1 - s;
		s = semicolon + 1;
	}
	hist_escape(b, s, len, 0);
}

static void key_plain_put_stack(struct hist_strbuf *b, const char *s, size_t left)
{
	const char *frame;
	bool any = false;
	size_t len;

	while (hist_label_next_frame(&s, &left, &frame, &len)) {
		if (any)
			hist_strbuf_char(b, ';');
		key_plain_put_frame(b, frame, len);
		any = true;
	}
}

void key_plain_put(struct hist_strbuf *b, const struct hist_table *table, unsigned int key,
		   const struct hist_cell *cell)
{
	const struct hist_key_desc *desc = &hist_table_schema(table)->keys[key];
	const char *s;
	size_t len;

	s = hist_table_name(table, key, cell, &len);
	if (desc->shows_numbers && hist_key_has_name(desc->kind))
		len = 0;
	switch (hist_key_form(desc->kind)) {
	case HIST_FORM_STACK:
		key_plain_put_stack(b, s, len);
		return;
	case HIST_FORM_STRING:
		hist_escape(b, s, len, 0);
		return;
	case HIST_FORM_SYMBOL:
		hist_label_put(b, table, key, cell, 0);
		return;
	default:
		break;
	}
	if (len)
		hist_escape(b, s, len, 0);
	else
		hist_strbuf_number(b, cell->num, desc->is_signed);
}

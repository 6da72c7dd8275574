/* SPDX-License-Identifier: LGPL-2.1 */
/*
 * xml.h - text in XML and HTML
 */
#ifndef LIB_REPORT_XML_H
#define LIB_REPORT_XML_H

#include "lib/base/strbuf.h"

/*
 * xml_put - append @s, escaped for text and quoted attributes of XML 1.0 and HTML
 * XML forbids control characters (even as references), U+FFFE and U+FFFF; they become '?'.  Newline
 * and tab stay.  Names are already escaped (label.h).
 */
void xml_put(struct hist_strbuf *b, const char *s, size_t len);

static inline void xml_text(struct hist_strbuf *b, const struct hist_strbuf *text)
{
	hist_strbuf_fail(b, text->error);
	xml_put(b, text->data, text->len);
}

static inline void xml_str(struct hist_strbuf *b, const char *s)
{
	xml_put(b, s, strlen(s));
}

/* Append a name: control characters are escaped first (label.h), into @text. */
void xml_put_name(struct hist_strbuf *b, struct hist_strbuf *text, const char *s);

#endif

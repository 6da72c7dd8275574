// SPDX-License-Identifier: LGPL-2.1
/*
 * xml.c - text in XML and HTML
 */
#include <string.h>

#include "lib/label/label.h"
#include "lib/report/xml.h"

static const char *const entities[256] = {
	['&'] = "&amp;", ['<'] = "&lt;", ['>'] = "&gt;", ['"'] = "&quot;", ['\''] = "&#39;",
};

void xml_put(struct hist_strbuf *b, const char *s, size_t len)
{
	const unsigned char *p = (const unsigned char *)s, *end = p + len;

	for (; p < end; p++) {
		if (entities[*p]) {
			hist_strbuf_str(b, entities[*p]);
		} else if (end - p > 2 && p[0] == 0xef && p[1] == 0xbf && p[2] >= 0xbe) {
			/* U+FFFE, U+FFFF */
			hist_strbuf_char(b, '?');
			p += 2;
		} else {
			hist_strbuf_char(b, *p < ' ' && *p != '\n' && *p != '\t' ? '?' : *p);
		}
	}
}

void xml_put_name(struct hist_strbuf *b, struct hist_strbuf *text, const char *s)
{
	hist_escape(hist_strbuf_clear(text), s, strlen(s), 0);
	xml_text(b, text);
}

// SPDX-License-Identifier: LGPL-2.1
/*
 * xml.c - text in XML and HTML
 */
#include "lib/base/xml.h"

void xml_put(struct hist_strbuf *b, const char *s, size_t len)
{
	size_t i;

	for (i = 0; i < len; i++) {
		unsigned char c = s[i];

		switch (c) {
		case '&':
			hist_strbuf_str(b, "&amp;");
			break;
		case '<':
			hist_strbuf_str(b, "&lt;");
			break;
		case '>':
			hist_strbuf_str(b, "&gt;");
			break;
		case '"':
			hist_strbuf_str(b, "&quot;");
			break;
		case '\'':
			hist_strbuf_str(b, "&#39;");
			break;
		case 0xef:
			/* U+FFFE, U+FFFF */
			if (len - i > 2 && (unsigned char)s[i + 1] == 0xbf &&
			    (unsigned char)s[i + 2] >= 0xbe) {
				hist_strbuf_char(b, '?');
				i += 2;
				break;
			}
			hist_strbuf_char(b, c);
			break;
		default:
			hist_strbuf_char(b, c < ' ' && c != '\n' && c != '\t' ? '?' : c);
		}
	}
}

// SPDX-License-Identifier: LGPL-2.1
/*
 * csv.c - a field of a CSV file (RFC 4180)
 */
#include <stdbool.h>
#include <string.h>

#include "lib/base/csv.h"

static bool csv_needs_quotes(const char *s, size_t len)
{
	return len && (s[0] == ' ' || s[len - 1] == ' ' || memchr(s, ',', len) ||
		       memchr(s, '"', len) || memchr(s, '\n', len) || memchr(s, '\r', len));
}

void csv_put_field(struct hist_strbuf *b, const char *s, size_t len)
{
	const char *quote;

	if (!csv_needs_quotes(s, len)) {
		hist_strbuf_add(b, s, len);
		return;
	}
	hist_strbuf_char(b, '"');
	while ((quote = memchr(s, '"', len))) {
		hist_strbuf_add(b, s, quote + 1 - s);
		hist_strbuf_char(b, '"');
		len -= quote + 1 - s;
		s = quote + 1;
	}
	hist_strbuf_add(b, s, len);
	hist_strbuf_char(b, '"');
}

/* SPDX-License-Identifier: LGPL-2.1 */
/*
 * csv.h - a field of a CSV file (RFC 4180)
 */
#ifndef LIB_BASE_CSV_H
#define LIB_BASE_CSV_H

#include "lib/base/strbuf.h"

/*
 * csv_put_field - append a field, in quotes if it has a comma, a quote or the end of a line, or a
 * blank at an end, which some readers remove
 */
void csv_put_field(struct hist_strbuf *b, const char *s, size_t len);

#endif

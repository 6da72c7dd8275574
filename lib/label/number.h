/* SPDX-License-Identifier: LGPL-2.1 */
/*
 * number.h - counts, shares and rates as text for users
 *
 * The decimal point is '.' in all locales.  Errors are kept in the buffer.
 */
#ifndef LIB_LABEL_NUMBER_H
#define LIB_LABEL_NUMBER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "lib/base/strbuf.h"
#include "lib/label/unit.h"

/* hist_number_put_grouped - "12,345"; below zero "-12,345", if @is_signed */
void hist_number_put_grouped(struct hist_strbuf *b, uint64_t number, bool is_signed);

/*
 * hist_number_put_short - "12.3k", for ticks and legends
 * The text has three significant digits, without zeros at the end, and a letter of "kMGTPE".
 */
void hist_number_put_short(struct hist_strbuf *b, double number);

/*
 * hist_number_put_tick - a number on an axis: with its unit "1.02 ms", otherwise "500" or "12.3k"
 * Without a unit, all digits of numbers below 10,000 are written.  @number has no fraction.
 */
void hist_number_put_tick(struct hist_strbuf *b, double number, enum hist_unit unit);

/* hist_number_share - the share of @part in @whole in hundredths of a percent, rounded; 0 of 0 */
uint32_t hist_number_share(uint64_t part, uint64_t whole);

/* hist_number_put_share - "12.34%" */
void hist_number_put_share(struct hist_strbuf *b, uint64_t part, uint64_t whole);

/*
 * hist_number_put_rate - a rate in thousandths: "0.01", "12.3", "12,345"
 * Rates below 100 have three significant digits, and at most two decimals.
 */
void hist_number_put_rate(struct hist_strbuf *b, uint64_t rate);

/*
 * hist_number_format_rate - a rate in thousandths for a column: "0", "<0.1", "0.5", "1234"
 * Rates below 100 have one decimal.
 */
void hist_number_format_rate(int64_t rate, char *buf, size_t len);

#endif

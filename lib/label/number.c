// SPDX-License-Identifier: LGPL-2.1
/*
 * number.c - counts, shares and rates as text for users
 */
#include <inttypes.h>
#include <math.h>

#include "lib/base/wide.h"
#include "lib/label/number.h"

void hist_number_put_grouped(struct hist_strbuf *b, uint64_t number, bool is_signed)
{
	bool below = is_signed && number >> 63;
	char text[32];
	int len = snprintf(text, sizeof(text), "%" PRIu64, below ? -number : number), i;

	if (below)
		hist_strbuf_char(b, '-');
	for (i = 0; i < len; i++) {
		if (i && (len - i) % 3 == 0)
			hist_strbuf_char(b, ',');
		hist_strbuf_char(b, text[i]);
	}
}

void hist_number_put_short(struct hist_strbuf *b, double number)
{
	static const char letters[] = "kMGTPE";
	const char *letter = letters;

	/* 999.5 rounds to 1000 */
	for (; fabs(number) >= 999.5 && *letter; letter++)
		number /= 1000;
	hist_unit_real(b, number, HIST_UNIT_NONE);
	if (letter > letters)
		hist_strbuf_char(b, letter[-1]);
}

void hist_number_put_tick(struct hist_strbuf *b, double number, enum hist_unit unit)
{
	double size = fabs(number);

	if (unit == HIST_UNIT_NONE && size >= 10000) {
		hist_number_put_short(b, number);
		return;
	}
	if (number < 0)
		hist_strbuf_char(b, '-');
	hist_unit_put(b, size < 0x1p64 ? (uint64_t)size : UINT64_MAX, false, unit);
}

uint32_t hist_number_share(uint64_t part, uint64_t whole)
{
	return whole ? hist_mul_div(part, 10000, whole / 2, whole) : 0;
}

void hist_number_put_share(struct hist_strbuf *b, uint64_t part, uint64_t whole)
{
	hist_strbuf_fixed(b, hist_number_share(part, whole), 2);
	hist_strbuf_char(b, '%');
}

void hist_number_put_rate(struct hist_strbuf *b, uint64_t rate)
{
	if (rate >= 100000)
		hist_number_put_grouped(b, rate / 1000 + (rate % 1000 >= 500), false);
	else
		hist_number_put_short(b, rate / 1000.0);
}

void hist_number_format_rate(int64_t rate, char *buf, size_t len)
{
	const char *sign = rate < 0 ? "-" : "";
	uint64_t size = rate < 0 ? -(uint64_t)rate : (uint64_t)rate;

	if (!size)
		snprintf(buf, len, "0");
	else if (size < 50)
		snprintf(buf, len, "%s<0.1", sign);
	else if (size < 99950)
		snprintf(buf, len, "%s%" PRIu64 ".%" PRIu64, sign, (size + 50) / 1000,
			 (size + 50) / 100 % 10);
	else
		snprintf(buf, len, "%s%" PRIu64, sign, (size + 500) / 1000);
}

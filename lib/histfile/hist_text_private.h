/* SPDX-License-Identifier: LGPL-2.1 */
/*
 * hist_text_private.h - declarations shared by hist_text.c (blocks) and hist_text_row.c (rows)
 *
 * All functions read forward from `at` and never at or beyond `end`.
 */
#ifndef LIB_HISTFILE_HIST_TEXT_PRIVATE_H
#define LIB_HISTFILE_HIST_TEXT_PRIVATE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "lib/base/strbuf.h"
#include "lib/base/text.h"
#include "lib/histfile/hist_text.h"
#include "lib/histfile/row_met.h"

/* The longest name that the kernel prints in a column: a symbol with offset and module. */
#define NAME_MAX_LEN 1024

/* Comes after the rows of a trigger that takes a conditional snapshot. */
#define HIST_TEXT_NOTE "\nSnapshot taken (see tracing/snapshot).  Details:\n"

/* A text that is required at a position. */
struct hist_text_format_token {
	char *text;
	size_t len;
	uint64_t word, mask; /* the first eight bytes, and a mask of those that exist */
};

/* One possible reading of the keys and values of a row. */
struct row_reading {
	uint64_t num[HIST_KEYS_MAX];
	const char *name[HIST_KEYS_MAX]; /* names, and the raw lines of stacks */
	size_t name_len[HIST_KEYS_MAX];
	uint64_t value[HIST_VALUES_MAX];
};

struct hist_text_parser {
	struct hist_table *table;
	const struct hist_text_part *part; /* or NULL */
	struct hist_schema *schema; /* of the blocks */
	struct hist_text_format_token before[HIST_KEYS_MAX];  /* the text before key i */
	struct hist_text_format_token close;		     /* the text after the last key */
	struct hist_text_format_token value[HIST_VALUES_MAX]; /* "hitcount: ", "bytes_req (%):" */
	bool has_names;  /* a key may hold untrusted text */
	bool has_saved;  /* the last value is HIST_VALUE_SAVED */
	/*
	 * One for each entry.  The rows of a block mostly have the same order as in the previous
	 * block: the parser first guesses the entry of a row, which avoids a search in the table.
	 */
	struct row_met *met;
	uint32_t met_room;
	struct hist_strbuf saved; /* a saved value, rewritten */
	struct hist_strbuf taken; /* text that becomes a string of the table */
	uint32_t generation; /* number of blocks read */

	/* for the current block */
	const char *text, *at;
	uint32_t last; /* entry of the previous row, or HIST_NO_ENTRY */
	const char *end;   /* where "\nTotals:\n" begins */
	bool may_have_note; /* the trigger takes a conditional snapshot */
	bool may_have_more; /* a value is an expression, which some kernels print */
	uint64_t steps; /* remaining steps to try names that are longer than their column */
	uint64_t ambiguous;
	uint64_t joined; /* rows that belong to the entry of an earlier row */
	int hitcount; /* index among the values, or -1 */
	uint32_t shrunk; /* entries whose hitcount decreased: another user cleared the histogram */
	const char *failed_at; /* position of the last hist_text_fail() */
	char failure[200];
};

/*
 * Sets the failure at position `at` and returns -EBADMSG.  It may be called for each skipped row:
 * the line number is computed only for the last failure.
 */
int hist_text_fail(struct hist_text_parser *p, const char *fmt, ...)
	__attribute__((format(printf, 2, 3)));

/* Make the texts that are required in each row.  0 or -ENOMEM. */
int hist_text_make_tokens(struct hist_text_parser *p);

/*
 * hist_text_read_rows - read the rows of a block from p->at on, which moves behind them
 * Text that only a name can have made is skipped.  *@rows: how many rows there were.
 */
int hist_text_read_rows(struct hist_text_parser *p, struct hist_snapshot *snap, uint64_t *rows);

static inline bool text_have(const struct hist_text_parser *p, const char *at, const char *s,
			     size_t len)
{
	return (size_t)(p->end - at) >= len && !memcmp(at, s, len);
}

/* Compare a token, without a function call for up to 16 bytes: tokens are short and frequent. */
static inline bool text_token_at(const struct hist_text_parser *p, const char *at,
				 const struct hist_text_format_token *token)
{
	size_t len = token->len;

	if (p->end - at >= 8) {
		if ((text_word(at) ^ token->word) & token->mask)
			return false;
		if (len <= 8)
			return true;
		if (len <= 16)
			return (size_t)(p->end - at) >= len &&
			       text_word(at + len - 8) == text_word(token->text + len - 8);
	}
	return (size_t)(p->end - at) >= len && !memcmp(at, token->text, len);
}

/* May a row end before @at? */
static inline bool text_row_ends(const struct hist_text_parser *p, const char *at)
{
	return at == p->end || text_token_at(p, at, &p->before[0]) ||
	       (p->may_have_note && text_have(p, at, HIST_TEXT_NOTE, strlen(HIST_TEXT_NOTE)));
}

/* True if @token is at p->at; p->at then moves after it. */
static inline bool text_accept(struct hist_text_parser *p,
			       const struct hist_text_format_token *token)
{
	if (!text_token_at(p, p->at, token))
		return false;
	p->at += token->len;
	return true;
}

static inline void text_skip_spaces(struct hist_text_parser *p)
{
	while (p->at < p->end && *p->at == ' ')
		p->at++;
}

/*
 * Read "%10llu" with at most eight digits: ten columns, without a loop.  False if the text differs;
 * it may still be a number. Each step joins neighbours: digits to pairs, pairs to fours, fours to
 * eight.
 */
static inline bool text_ten_columns(const char *at, uint64_t *num)
{
	uint64_t w = text_word(at + 2), blanks = w ^ TEXT_BLANKS;
	unsigned int skip;

	if (at[0] != ' ' || at[1] != ' ' || !blanks || (unsigned char)(at[10] - '0') < 10)
		return false;
	skip = __builtin_ctzll(blanks) / 8 * 8;
	w = (w ^ UINT64_C(0x3030303030303030)) >> skip << skip;
	if (((w + UINT64_C(0x7676767676767676)) | w) & UINT64_C(0x8080808080808080))
		return false;
	w = (w * 10 + (w >> 8)) & UINT64_C(0x00ff00ff00ff00ff);
	w = (w * 100 + (w >> 16)) & UINT64_C(0x0000ffff0000ffff);
	*num = (w * 10000 + (w >> 32)) & UINT32_MAX;
	return true;
}

/* Digits after any padding; false if there are no digits, or the number exceeds 64 bits. */
static inline bool text_decimal(struct hist_text_parser *p, uint64_t *num)
{
	const char *start;
	uint64_t n = 0;

	text_skip_spaces(p);
	start = p->at;
	while (p->at < p->end && (unsigned char)(*p->at - '0') < 10)
		n = n * 10 + (*p->at++ - '0');
	*num = n;
	if (p->at - start < 20)
		return p->at > start;
	return p->at - start == 20 && memcmp(start, "18446744073709551615", 20) <= 0;
}

/* text_decimal() that tries ten columns first. */
static inline bool text_decimal10(struct hist_text_parser *p, uint64_t *num)
{
	if (p->end - p->at > 10 && text_ten_columns(p->at, num)) {
		p->at += 10;
		return true;
	}
	return text_decimal(p, num);
}

/* text_decimal() for lower-case hexadecimal digits. */
static inline bool text_hexadecimal(struct hist_text_parser *p, uint64_t *num)
{
	const char *start;
	uint64_t n = 0;
	unsigned char c;

	text_skip_spaces(p);
	for (start = p->at; p->at < p->end; p->at++) {
		c = *p->at;
		if ((unsigned char)(c - '0') < 10)
			n = n << 4 | (c - '0');
		else if ((unsigned char)(c - 'a') < 6)
			n = n << 4 | (c - 'a' + 10);
		else
			break;
	}
	*num = n;
	return p->at > start && p->at - start <= 16;
}

#endif

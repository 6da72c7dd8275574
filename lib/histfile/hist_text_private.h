/* SPDX-License-Identifier: LGPL-2.1 */
/*
 * hist_text_private.h - what hist_text.c (rows) and hist_text_key.c (keys) share
 *
 * Everything here reads forward from `at` and never at or beyond `end`.
 */
#ifndef LIB_HISTFILE_HIST_TEXT_PRIVATE_H
#define LIB_HISTFILE_HIST_TEXT_PRIVATE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "lib/base/strbuf.h"
#include "lib/histfile/hist_text.h"

/* Longest name the kernel puts into a column: a symbol with offset and module. */
#define NAME_MAX_LEN 1024

/* Text that must stand at a place. */
struct token {
	char *text;
	size_t len;
	uint64_t word, mask; /* its first eight bytes, and where it has some */
};

/* One way to read the keys and values of a row. */
struct reading {
	uint64_t num[HIST_KEYS_MAX];
	const char *name[HIST_KEYS_MAX]; /* names, and the raw lines of stacks */
	size_t name_len[HIST_KEYS_MAX];
	uint64_t value[HIST_VALUES_MAX];
};

/*
 * The rows of one reading come mostly in the order of the reading before.  So
 * the entry of a row is guessed first, which costs no search in the table.
 */
struct met {
	uint32_t generation; /* in which it was met last */
	uint32_t next;	     /* entry of the row behind it then */
};

struct hist_text_parser {
	struct hist_table *table;
	struct hist_schema *schema; /* of the table */
	struct token before[HIST_KEYS_MAX];  /* what stands before key i */
	struct token close;		     /* what stands behind the last key */
	struct token value[HIST_VALUES_MAX]; /* "hitcount: ", "bytes_req (%):" */
	bool has_names;  /* a key may hold text that others choose */
	bool has_saved;  /* the last value is HIST_VALUE_SAVED */
	struct met *met; /* for each entry */
	uint32_t met_room;
	struct hist_strbuf saved; /* a saved value, written anew */
	struct hist_strbuf taken; /* what becomes a string of the table */
	uint32_t generation; /* counts the blocks read */

	/* of the block being read */
	const char *text, *at;
	uint32_t last; /* entry of the row before, or HIST_NO_ENTRY */
	const char *end;   /* where "\nTotals:\n" begins */
	bool may_have_note; /* the trigger takes a conditional snapshot */
	bool may_have_more; /* a value is an expression, which some kernels print */
	uint64_t steps; /* left for names that do not end with their column */
	uint64_t ambiguous;
	int hitcount; /* index among the values, or -1 */
	bool shrunk;  /* a hitcount is less than it was: somebody cleared it */
	const char *failed_at; /* where text_fail() was called last */
	char failure[200];
	char error[256];
};

/*
 * Returns -EBADMSG; `at` says where.  It may be called for each row that is passed over: the line
 * is counted for the last one only.
 */
int text_fail(struct hist_text_parser *p, const char *fmt, ...)
	__attribute__((format(printf, 2, 3)));

/* -ENOMEM. */
int text_token(struct token *token, const char *fmt, ...) __attribute__((format(printf, 2, 3)));

/* Fills before[] and close. -ENOMEM. */
int text_key_tokens(struct hist_text_parser *p);
/* Before the first row of a block: how this kernel names "cpu".  0 or -ENOMEM. */
int text_key_old_names(struct hist_text_parser *p);

/* Sets has_names from the kinds of the keys. */
void text_look_for_names(struct hist_text_parser *p);

/*
 * text_read_row - read the row at p->at, which moves to the next one
 * 0: *r filled, and ambiguous counted where there is more than one way.
 */
int text_read_row(struct hist_text_parser *p, struct reading *r);

/* hist_text.c: the values from p->at to the end of the row, which must be one. */
bool text_read_values(struct hist_text_parser *p, struct reading *r);

/* Is it the row of @entry? False only means that it is not known. */
bool text_is_entry(const struct hist_text_parser *p, const struct reading *r, uint32_t entry);

/* The cells of a reading, names interned. -EBADMSG, -ENOMEM, -E2BIG. */
int text_make_cells(struct hist_text_parser *p, const struct reading *r, struct hist_cell *cells);

static inline bool text_have(const struct hist_text_parser *p, const char *at, const char *s,
			     size_t len)
{
	return (size_t)(p->end - at) >= len && !memcmp(at, s, len);
}

/* Eight bytes, and eight blanks: padding is passed over a word at a time. */
static inline uint64_t text_word(const char *at)
{
	uint64_t w;

	memcpy(&w, at, 8);
	return w;
}

#define TEXT_BLANKS UINT64_C(0x2020202020202020)

/* How many of the bytes, from the first or from the last on, are 0; @w is not 0. */
static inline unsigned int text_zeros_first(uint64_t w)
{
#if __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
	return __builtin_ctzll(w) / 8;
#else
	return __builtin_clzll(w) / 8;
#endif
}

static inline unsigned int text_zeros_last(uint64_t w)
{
#if __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
	return __builtin_clzll(w) / 8;
#else
	return __builtin_ctzll(w) / 8;
#endif
}

/* Tokens are looked for all the time, and short: no call for those of up to 16 bytes. */
static inline bool text_token_at(const struct hist_text_parser *p, const char *at,
				 const struct token *token)
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

/* The length of a name without the blanks that fill its column. */
static inline size_t text_trim(const char *name, size_t len)
{
	uint64_t w;

	while (len >= 8) {
		w = text_word(name + len - 8) ^ TEXT_BLANKS;
		if (w)
			return len - text_zeros_last(w);
		len -= 8;
	}
	while (len && name[len - 1] == ' ')
		len--;
	return len;
}

/* True, and moved behind it, when @token stands at p->at. */
static inline bool text_accept(struct hist_text_parser *p, const struct token *token)
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
 * "%10llu" with at most eight digits: ten columns, without a loop.  False: it is
 * not that, though it may be a number.
 * Each step joins neighbours: digits to pairs, pairs to fours, fours to eight.
 */
static inline bool text_ten_columns(const char *at, uint64_t *num)
{
#if __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
	uint64_t w = text_word(at + 2), blanks = w ^ TEXT_BLANKS;

	if (at[0] != ' ' || at[1] != ' ' || !blanks || (unsigned char)(at[10] - '0') < 10)
		return false;
	w = (w ^ UINT64_C(0x3030303030303030)) >> 8 * text_zeros_first(blanks)
						<< 8 * text_zeros_first(blanks);
	if (((w + UINT64_C(0x7676767676767676)) | w) & UINT64_C(0x8080808080808080))
		return false;
	w = (w * 10 + (w >> 8)) & UINT64_C(0x00ff00ff00ff00ff);
	w = (w * 100 + (w >> 16)) & UINT64_C(0x0000ffff0000ffff);
	*num = (w * 10000 + (w >> 32)) & UINT32_MAX;
	return true;
#else
	(void)at;
	(void)num;
	return false;
#endif
}

/* Digits behind any padding; false without one, or beyond 64 bits. */
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

/* The same where ten columns are likely. */
static inline bool text_decimal10(struct hist_text_parser *p, uint64_t *num)
{
	if (p->end - p->at > 10 && text_ten_columns(p->at, num)) {
		p->at += 10;
		return true;
	}
	return text_decimal(p, num);
}

/* The same for lower-case hex digits. */
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

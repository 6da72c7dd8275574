// SPDX-License-Identifier: LGPL-2.1
/*
 * suggest.c - the candidate nearest to a mistyped name
 *
 * Algorithm: optimal string alignment distance, an edit distance that counts two swapped neighbours
 * as one edit.  row[j] is the distance between the first i bytes of one name and the first j bytes
 * of the other.  Three rows are enough.
 */
#include <ctype.h>
#include <string.h>

#include "lib/base/suggest.h"

/* Longer names are not compared; field names of the kernel are much shorter. */
#define NAME_MAX_COMPARED 63

static unsigned int suggest_min3(unsigned int a, unsigned int b, unsigned int c)
{
	unsigned int m = a < b ? a : b;

	return m < c ? m : c;
}

static unsigned int suggest_edit_distance(const char *a, size_t alen, const char *b, size_t blen)
{
	unsigned int rows[3][NAME_MAX_COMPARED + 1];
	unsigned int *before = rows[0], *last = rows[1], *row = rows[2], *spare;
	size_t i, j;

	for (j = 0; j <= blen; j++)
		row[j] = j;
	for (i = 1; i <= alen; i++) {
		spare = before;
		before = last;
		last = row;
		row = spare;
		row[0] = i;
		for (j = 1; j <= blen; j++) {
			row[j] = suggest_min3(last[j] + 1, row[j - 1] + 1,
					      last[j - 1] + (a[i - 1] != b[j - 1]));
			if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1] &&
			    before[j - 2] + 1 < row[j])
				row[j] = before[j - 2] + 1;
		}
	}
	return row[blen];
}

/* The only candidate that begins with @name as a whole word. */
static const char *only_longer(const char *name, size_t len, const char *const *candidates,
			       size_t n)
{
	const char *longer = NULL;
	size_t i;

	for (i = 0; i < n && len > 2; i++) {
		if (strncmp(candidates[i], name, len) || isalnum((unsigned char)candidates[i][len]))
			continue;
		if (longer)
			return NULL;
		longer = candidates[i];
	}
	return longer;
}

const char *hist_suggest(const char *name, const char *const *candidates, size_t n)
{
	size_t len = strlen(name), clen, i;
	const char *nearest = NULL;
	unsigned int best, d;

	/* every other letter would be near a single letter */
	if (len < 2 || len > NAME_MAX_COMPARED)
		return NULL;
	best = len / 3 ? len / 3 : 1;
	for (i = 0; i < n; i++) {
		clen = strnlen(candidates[i], NAME_MAX_COMPARED + 1);
		if (clen > NAME_MAX_COMPARED)
			continue;
		d = suggest_edit_distance(name, len, candidates[i], clen);
		if (d < best || (d == best && !nearest)) {
			best = d;
			nearest = candidates[i];
		}
	}
	return nearest ? nearest : only_longer(name, len, candidates, n);
}

// SPDX-License-Identifier: GPL-2.0
/*
 * pty_screen.c - a terminal's screen, from the bytes written to it
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "utest/tools/pty_screen.h"

static char *at(struct pty_screen *s, unsigned int row, unsigned int column)
{
	return s->cells[(size_t)row * s->columns + column];
}

static void blank(struct pty_screen *s, unsigned int row, unsigned int from, unsigned int to)
{
	for (; from < to && from < s->columns; from++)
		strcpy(at(s, row, from), " ");
}

void pty_screen_resize(struct pty_screen *s, unsigned int rows, unsigned int columns)
{
	struct pty_screen old = *s;
	unsigned int row, column;

	s->rows = rows ? rows : 1;
	s->columns = columns ? columns : 1;
	s->cells = calloc((size_t)s->rows * s->columns, sizeof(*s->cells));
	if (!s->cells)
		abort();
	for (row = 0; row < s->rows; row++) {
		blank(s, row, 0, s->columns);
		for (column = 0; column < s->columns; column++)
			if (row < old.rows && column < old.columns)
				strcpy(at(s, row, column), at(&old, row, column));
	}
	free(old.cells);
	s->top = 0;
	s->bottom = s->rows - 1;
	s->row = s->row < s->rows ? s->row : s->rows - 1;
	s->column = s->column < s->columns ? s->column : s->columns - 1;
}

void pty_screen_clear(struct pty_screen *s)
{
	free(s->cells);
	memset(s, 0, sizeof(*s));
}

/* Moves the lines from @from to the end of the region by @n: up, or down below 0. */
static void shift(struct pty_screen *s, unsigned int from, int n)
{
	unsigned int lines = s->bottom - from + 1, size = n < 0 ? -n : n, i;
	size_t width = s->columns * sizeof(*s->cells);

	if (from > s->bottom)
		return;
	if (size > lines)
		size = lines;
	if (n > 0)
		memmove(at(s, from, 0), at(s, from, 0) + size * width, (lines - size) * width);
	else
		memmove(at(s, from, 0) + size * width, at(s, from, 0), (lines - size) * width);
	for (i = 0; i < size; i++)
		blank(s, n > 0 ? s->bottom - i : from + i, 0, s->columns);
}

static void line_feed(struct pty_screen *s)
{
	if (s->row == s->bottom)
		shift(s, s->top, 1);
	else if (s->row + 1 < s->rows)
		s->row++;
}

static void put(struct pty_screen *s, const char *text)
{
	if (s->wrap) {
		s->column = 0;
		line_feed(s);
	}
	s->wrap = false;
	strcpy(at(s, s->row, s->column), text);
	memmove(s->last, text, strlen(text) + 1); /* @text can be @last itself */
	if (s->column + 1 < s->columns)
		s->column++;
	else
		s->wrap = true;
}

static void go(struct pty_screen *s, int row, int column)
{
	s->row = row < 0 ? 0 : row >= (int)s->rows ? s->rows - 1 : (unsigned int)row;
	s->column = column < 0 ? 0 : column >= (int)s->columns ? s->columns - 1 :
								 (unsigned int)column;
	s->wrap = false;
}

static void erase_display(struct pty_screen *s, int how)
{
	unsigned int row;

	for (row = 0; row < s->rows; row++)
		if (how == 2 || (how == 0 && row > s->row) || (how == 1 && row < s->row))
			blank(s, row, 0, s->columns);
	if (how == 0)
		blank(s, s->row, s->column, s->columns);
	else if (how == 1)
		blank(s, s->row, 0, s->column + 1);
}

static void shift_columns(struct pty_screen *s, int n)
{
	unsigned int rest = s->columns - s->column, size = n < 0 ? -n : n;
	char(*from)[5] = (char(*)[5])at(s, s->row, s->column);

	if (size > rest)
		size = rest;
	if (n < 0) { /* deleted */
		memmove(from, from + size, (rest - size) * sizeof(*from));
		blank(s, s->row, s->columns - size, s->columns);
	} else {
		memmove(from + size, from, (rest - size) * sizeof(*from));
		blank(s, s->row, s->column, s->column + size);
	}
}

/* ESC [ ... @final */
static bool control(struct pty_screen *s, const char *text, char final)
{
	int n[2] = { 0, 0 }, one, i;

	sscanf(text, "%d;%d", &n[0], &n[1]);
	one = n[0] ? n[0] : 1;
	if (strchr("mhlntc", final))
		return true;
	if (*text == '?' || *text == '>')
		return final == 'u';
	switch (final) {
	case 'H':
	case 'f':
		go(s, one - 1, (n[1] ? n[1] : 1) - 1);
		return true;
	case 'A':
		go(s, (int)s->row - one, s->column);
		return true;
	case 'B':
		go(s, s->row + one, s->column);
		return true;
	case 'C':
		go(s, s->row, s->column + one);
		return true;
	case 'D':
		go(s, s->row, (int)s->column - one);
		return true;
	case 'G':
		go(s, s->row, one - 1);
		return true;
	case 'd':
		go(s, one - 1, s->column);
		return true;
	case 'J':
		erase_display(s, n[0]);
		return true;
	case 'K':
		blank(s, s->row, n[0] ? 0 : s->column, n[0] == 1 ? s->column + 1 : s->columns);
		return true;
	case 'X':
		blank(s, s->row, s->column, s->column + one);
		return true;
	case 'P':
		shift_columns(s, -one);
		return true;
	case '@':
		shift_columns(s, one);
		return true;
	case 'L':
		shift(s, s->row, -one);
		return true;
	case 'M':
		shift(s, s->row, one);
		return true;
	case 'S':
		shift(s, s->top, one);
		return true;
	case 'T':
		shift(s, s->top, -one);
		return true;
	case 'b':
		for (i = 0; i < one; i++)
			put(s, s->last);
		return true;
	case 'Z':
		go(s, s->row, (s->column - 1) / 8 * 8);
		return true;
	case 'r':
		s->top = one - 1;
		s->bottom = (n[1] && n[1] <= (int)s->rows ? n[1] : (int)s->rows) - 1;
		go(s, 0, 0);
		return true;
	}
	return false;
}

/* A whole sequence? 1: done, 0: goes on, -1: not known. */
static int sequence(struct pty_screen *s)
{
	char final = s->sequence[s->used - 1];

	if (s->used < 2)
		return 0;
	switch (s->sequence[1]) {
	case '[':
		if (s->used < 3 || final < '@' || final > '~')
			return 0;
		return control(s, s->sequence + 2, final) ? 1 : -1;
	case ']':
		return final == '\a' || (final == '\\' && s->sequence[s->used - 2] == '\033');
	case '(':
	case ')':
		return s->used == 3;
	case '7':
		s->saved_row = s->row;
		s->saved_column = s->column;
		return 1;
	case '8':
		go(s, s->saved_row, s->saved_column);
		return 1;
	case 'M':
		if (s->row == s->top)
			shift(s, s->top, -1);
		else
			go(s, (int)s->row - 1, s->column);
		return 1;
	case 'D':
		line_feed(s);
		return 1;
	case 'H': /* a tab stop: they stay where they are */
	case '=':
	case '>':
		return 1;
	}
	return -1;
}

/* False: not known. */
static bool feed_byte(struct pty_screen *s, unsigned char c)
{
	unsigned int want;
	int ret;

	if (s->used) {
		if (s->used < sizeof(s->sequence) - 1)
			s->sequence[s->used++] = c;
		s->sequence[s->used] = '\0';
		if (s->sequence[0] == '\033') {
			ret = sequence(s);
			if (ret)
				s->used = 0;
			return ret >= 0;
		}
		want = (unsigned char)s->sequence[0] < 0xe0 ? 2 :
		       (unsigned char)s->sequence[0] < 0xf0 ? 3 : 4;
		if (s->used == want) {
			put(s, s->sequence);
			s->used = 0;
		}
		return true;
	}
	if (c == '\033' || c >= 0xc0) {
		s->sequence[0] = c;
		s->used = 1;
	} else if (c == '\r') {
		go(s, s->row, 0);
	} else if (c == '\n') {
		line_feed(s);
	} else if (c == '\b') {
		go(s, s->row, (int)s->column - 1);
	} else if (c == '\t') {
		go(s, s->row, (s->column / 8 + 1) * 8);
	} else if (c >= ' ') {
		put(s, (char[]){ c, '\0' });
	} else {
		return c == 0 || c == '\a' || c == 016 || c == 017;
	}
	return true;
}

bool pty_screen_feed(struct pty_screen *s, const char *data, size_t len)
{
	size_t i;

	for (i = 0; i < len; i++) {
		if (feed_byte(s, data[i]))
			continue;
		snprintf(s->unknown, sizeof(s->unknown), "not understood: byte 0x%02x, ESC %s",
			 (unsigned char)data[i], s->sequence[0] == '\033' ? s->sequence + 1 : "");
		return false;
	}
	return true;
}

char *pty_screen_text(const struct pty_screen *s)
{
	char *text = malloc((size_t)s->rows * (s->columns * 4 + 1) + 1), *to = text;
	unsigned int row, column, end;

	if (!text)
		abort();
	for (row = 0; row < s->rows; row++) {
		const char(*line)[5] = (const char(*)[5])&s->cells[(size_t)row * s->columns];

		for (end = s->columns; end && !strcmp(line[end - 1], " "); end--)
			;
		for (column = 0; column < end; column++)
			to = stpcpy(to, line[column]);
		*to++ = '\n';
	}
	*to = '\0';
	return text;
}

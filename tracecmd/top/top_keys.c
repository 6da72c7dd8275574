// SPDX-License-Identifier: GPL-2.0
/*
 * top_keys.c - what keys do to the model
 */
#include <string.h>

#include "tracecmd/top/top_model.h"

const char *const top_keys_help[][2] = {
	{ "q", "quit" },
	{ "h ?", "this help" },
	{ "space p", "pause the display; counting goes on" },
	{ "v", "next view: table, bars, heat map" },
	{ "t b m", "table, bars, heat map" },
	{ "< > left right", "sort by another column, and draw that" },
	{ "r", "reverse the order" },
	{ "/", "filter: only rows whose key contains a text" },
	{ "Enter Esc", "in the filter: keep it, drop it" },
	{ "Tab n, N", "next histogram, the one before" },
	{ "1 to 9", "histogram of that number" },
	{ "up down PgUp PgDn Home End", "move over the rows" },
	{ NULL, NULL },
};

static void scroll(struct top_hist *h, int64_t by, unsigned int page)
{
	int64_t to = h->scroll + by, last = (int64_t)h->nlines - page;

	if (to > last)
		to = last;
	h->scroll = to < 0 ? 0 : to;
}

/* The column beside the one that rows are sorted by. */
static void sort_beside(struct top_hist *h, int step)
{
	struct top_column columns[TOP_COLUMNS_MAX], now;
	int n = top_columns(h, columns), i;
	bool descending;

	now = top_sorted_by(h, &descending);
	for (i = 0; i < n - 1; i++)
		if (columns[i].kind == now.kind && columns[i].index == now.index)
			break;
	h->column = (i + n + step) % n;
	h->reverse = false;
	h->scroll = 0;
}

/* A character behind the filter, in UTF-8. */
static void append(char *filter, uint32_t c)
{
	size_t len = strlen(filter);
	char text[4];
	unsigned int n;

	if (c < 0x80) {
		text[0] = c;
		n = 1;
	} else if (c < 0x800) {
		text[0] = 0xc0 | c >> 6;
		text[1] = 0x80 | (c & 0x3f);
		n = 2;
	} else if (c < 0x10000) {
		text[0] = 0xe0 | c >> 12;
		text[1] = 0x80 | (c >> 6 & 0x3f);
		text[2] = 0x80 | (c & 0x3f);
		n = 3;
	} else {
		text[0] = 0xf0 | c >> 18;
		text[1] = 0x80 | (c >> 12 & 0x3f);
		text[2] = 0x80 | (c >> 6 & 0x3f);
		text[3] = 0x80 | (c & 0x3f);
		n = 4;
	}
	if (len + n >= TOP_FILTER)
		return;
	memcpy(filter + len, text, n);
	filter[len + n] = '\0';
}

static void take_back(char *filter)
{
	size_t len = strlen(filter);

	while (len && (filter[len - 1] & 0xc0) == 0x80)
		filter[--len] = '\0';
	if (len)
		filter[len - 1] = '\0';
}

static void edit(struct top_model *m, int32_t key)
{
	switch (key) {
	case TOP_KEY_ENTER:
	case '\n':
	case '\r':
		m->editing = false;
		break;
	case TOP_KEY_ESCAPE:
	case 27:
		m->editing = false;
		m->filter[0] = '\0';
		break;
	case TOP_KEY_BACKSPACE:
	case '\b':
	case 127:
		take_back(m->filter);
		break;
	default:
		if (key >= ' ')
			append(m->filter, key);
	}
}

static void move(struct top_hist *h, int32_t key, unsigned int page)
{
	switch (key) {
	case TOP_KEY_UP:
		scroll(h, -1, page);
		break;
	case TOP_KEY_DOWN:
		scroll(h, 1, page);
		break;
	case TOP_KEY_PAGE_UP:
		scroll(h, -(int64_t)page, page);
		break;
	case TOP_KEY_PAGE_DOWN:
		scroll(h, page, page);
		break;
	case TOP_KEY_HOME:
		h->scroll = 0;
		break;
	case TOP_KEY_END:
		scroll(h, h->nlines, page);
		break;
	case TOP_KEY_LEFT:
	case '<':
		sort_beside(h, -1);
		break;
	case TOP_KEY_RIGHT:
	case '>':
		sort_beside(h, 1);
		break;
	case 'r':
		h->reverse = !h->reverse;
		break;
	}
}

bool top_key(struct top_model *m, int32_t key, unsigned int page)
{
	if (m->editing) {
		edit(m, key);
		m->hists[m->current].scroll = 0;
		return true;
	}
	if (m->help) { /* any key closes it */
		m->help = false;
		return key != 'q';
	}
	switch (key) {
	case 'q':
		return false;
	case 'h':
	case '?':
		m->help = true;
		break;
	case ' ':
	case 'p':
		m->paused = !m->paused;
		break;
	case 'v':
		m->view = (m->view + 1) % TOP_VIEWS;
		break;
	case 't':
		m->view = TOP_TABLE;
		break;
	case 'b':
		m->view = TOP_BARS;
		break;
	case 'm':
		m->view = TOP_HEAT;
		break;
	case '/':
		m->editing = true;
		break;
	case TOP_KEY_ESCAPE:
		m->filter[0] = '\0';
		break;
	case '\t':
	case 'n':
		m->current = (m->current + 1) % m->nhists;
		break;
	case TOP_KEY_BACK_TAB:
	case 'N':
		m->current = (m->current + m->nhists - 1) % m->nhists;
		break;
	default:
		if (key >= '1' && key <= '9' && (unsigned int)(key - '1') < m->nhists)
			m->current = key - '1';
		else
			move(&m->hists[m->current], key, page);
	}
	return true;
}

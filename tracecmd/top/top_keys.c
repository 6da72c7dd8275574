// SPDX-License-Identifier: GPL-2.0
/*
 * top_keys.c - the keys of `trace-cmd hist top`
 */
#include <string.h>

#include "tracecmd/top/top_model.h"

const char *const top_keys_help[][2] = {
	{ "q", "quit" },
	{ "h ?", "show this help" },
	{ "space p", "pause the display, not the counting" },
	{ "v", "show the next view: table, bars, heat map, summary" },
	{ "t b m s", "show the table, the bars, the heat map or the summary" },
	{ "< > left right", "sort by another column and draw its values" },
	{ "r", "reverse the order" },
	{ "/", "show only rows whose key contains a text" },
	{ "Enter Esc", "apply or remove the filter" },
	{ "Tab n, N", "show the next or previous histogram" },
	{ "1 to 9", "show the histogram with this number" },
	{ "up down PgUp PgDn Home End", "scroll the rows" },
	{ NULL, NULL },
};

static void top_keys_scroll_lines(struct top_hist *h, int64_t by, unsigned int page)
{
	int64_t to = h->scroll + by, last = (int64_t)h->nlines - page;

	if (to > last)
		to = last;
	h->scroll = to < 0 ? 0 : to;
}

/* Sort by the column before or after the one that rows are sorted by. */
static void top_keys_sort_next(struct top_hist *h, int step, enum top_view view)
{
	bool descending;
	int now = top_sorted_by(h, &descending) - h->columns.list, n = h->columns.n;

	h->scroll = 0;
	if (view == TOP_SUMMARY) {
		top_groups_sort_next(h, step);
		return;
	}
	h->column = (now + n + step) % n;
	h->reverse = false;
}

/* Append the character @c to the filter in UTF-8, if it fits. */
static void top_keys_append_char(char *filter, uint32_t c)
{
	static const unsigned char leads[] = { 0, 0xc0, 0xe0, 0xf0 };
	unsigned int more = (c >= 0x80) + (c >= 0x800) + (c >= 0x10000);
	char *end = filter + strlen(filter);

	if (end - filter + more + 1 >= TOP_FILTER)
		return;
	*end++ = leads[more] | c >> 6 * more;
	while (more--)
		*end++ = 0x80 | (c >> 6 * more & 0x3f);
	*end = '\0';
}

static void top_keys_delete_char(char *filter)
{
	size_t len = strlen(filter);

	while (len && (filter[len - 1] & 0xc0) == 0x80)
		filter[--len] = '\0';
	if (len)
		filter[len - 1] = '\0';
}

static void top_keys_edit_filter(struct top_model *m, int32_t key)
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
		top_keys_delete_char(m->filter);
		break;
	default:
		if (key >= ' ')
			top_keys_append_char(m->filter, key);
	}
}

static void top_keys_move_lines(struct top_hist *h, int32_t key, unsigned int page,
				enum top_view view)
{
	static const struct {
		int32_t key;
		int64_t rows;
		int pages;
	} moves[] = {
		{ TOP_KEY_UP, -1, 0 },
		{ TOP_KEY_PAGE_UP, 0, -1 },
		{ TOP_KEY_HOME, INT32_MIN * 4ll, 0 },
		{ TOP_KEY_DOWN, 1, 0 },
		{ TOP_KEY_PAGE_DOWN, 0, 1 },
		{ TOP_KEY_END, INT32_MAX * 4ll, 0 },
	};
	unsigned int i;

	for (i = 0; i < sizeof(moves) / sizeof(*moves); i++) {
		if (moves[i].key == key)
			top_keys_scroll_lines(h, moves[i].rows + moves[i].pages * (int64_t)page,
					      page);
	}
	switch (key) {
	case TOP_KEY_LEFT:
	case '<':
		top_keys_sort_next(h, -1, view);
		break;
	case TOP_KEY_RIGHT:
	case '>':
		top_keys_sort_next(h, 1, view);
		break;
	case 'r':
		if (view == TOP_SUMMARY)
			h->group_reverse = !h->group_reverse;
		else
			h->reverse = !h->reverse;
		break;
	}
}

/* Not the view that looks as the one that is shown now. */
static void top_keys_show_next(struct top_model *m)
{
	enum top_view shown = top_shown_view(m, &m->hists[m->current]);

	do
		m->view = (m->view + 1) % TOP_VIEWS;
	while (m->view == shown);
}

bool top_handle_key(struct top_model *m, int32_t key, unsigned int page)
{
	if (m->editing) {
		top_keys_edit_filter(m, key);
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
		top_keys_show_next(m);
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
	case 's':
		m->view = TOP_SUMMARY;
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
			top_keys_move_lines(&m->hists[m->current], key, page,
					    top_shown_view(m, &m->hists[m->current]));
	}
	return true;
}

// SPDX-License-Identifier: LGPL-2.1
/*
 * events_symbols.c - which symbol of the kernel an address lies in
 *
 * From the text of /proc/kallsyms that the recorder has saved: "ADDRESS TYPE NAME", and behind
 * a tab "[MODULE]".  Read when the first address is asked for, as it takes longer
 * than all else of opening a file: the text runs through a small buffer, and what is kept is
 * an address and a name each.
 *
 * Looked up as kallsyms_lookup() in kernel/kallsyms.c does it: the symbol with the highest
 * address that is not above; of several at one address, the first in the list; none from
 * _end on, which is kept as a symbol without a name.
 */
#include <errno.h>
#include <stdlib.h>

#include "events_stream.h"

/* A kernel of a distribution has 7 MB with 150,000 symbols. */
#define TEXT_MAX (128u << 20)
#define SYMBOLS_MAX (4u << 20)

/* The text is behind a u32, its size. */
#define TEXT_AT 4

/* Room for many lines; KSYM_NAME_LEN is 512. */
#define BUFFER (64u << 10)

/* One more than the value of each hexadecimal digit; 0 for all else. */
static const unsigned char digits[256] = {
	['0'] = 1, 2, 3, 4, 5, 6, 7, 8, 9, 10,
	['a'] = 11, 12, 13, 14, 15, 16,
};

/* Half again as many: memory that is not used is little. */
static int add_symbol(struct events_symbols *s, uint64_t address, uint32_t name)
{
	struct events_symbol *list;
	size_t room;

	if (s->n == s->room) {
		room = s->room / 2 * 3 + 4096;
		if (room > SYMBOLS_MAX)
			return -EBADMSG;
		list = realloc(s->list, room * sizeof(*list));
		if (!list)
			return -ENOMEM;
		s->list = list;
		s->room = room;
	}
	s->list[s->n++] = (struct events_symbol){ address, name };
	return 0;
}

/* Half of the kernel's names are that of the function behind with "__pfx_" before it. */
static bool ends_the_last_name(const struct events_symbols *s, const char *name, size_t len)
{
	const size_t prefix = sizeof("__pfx_") - 1;

	return s->len > prefix + len && s->n &&
	       s->list[s->n - 1].name == s->len - len - 1 - prefix &&
	       !memcmp(s->names + s->len - len - 1, name, len);
}

static int add(struct events_symbols *s, uint64_t address, const char *name, size_t len)
{
	char *names;
	size_t room;

	if (ends_the_last_name(s, name, len))
		return add_symbol(s, address, s->len - len - 1);
	if (len + 1 > s->names_room - s->len) {
		room = s->names_room / 2 * 3 + len + 65536;
		names = realloc(s->names, room);
		if (!names)
			return -ENOMEM;
		s->names = names;
		s->names_room = room;
	}
	memcpy(s->names + s->len, name, len);
	s->names[s->len + len] = '\0';
	s->len += len + 1;
	return add_symbol(s, address, s->len - len - 1);
}

static bool is(const char *name, size_t len, const char *other)
{
	return len == strlen(other) && !memcmp(name, other, len);
}

/*
 * One line, to the line feed at @end.  What is no symbol is passed over: absolute ones, which on x86-64 are
 * offsets of per-CPU variables; marks of ARM ("$a"); those whose address was hidden.
 */
static int take_line(struct events_symbols *s, const char *at, const char *end)
{
	const char *tab, *name;
	uint64_t address = 0;
	unsigned int d;
	size_t len;
	char type;

	/* a line feed, which is none, stands at @end */
	for (; (d = digits[(unsigned char)*at]); at++)
		address = address << 4 | (d - 1);
	/* " T name" */
	if (end - at < 4 || at[0] != ' ' || at[2] != ' ')
		return 0;
	type = at[1] | ('a' - 'A');
	name = at + 3;
	if (!address || type == 'a' || *name == '$' || *name == '\t')
		return 0;
	if (type == 'd' || type == 'b' || type == 'r')
		s->has_data = true;
	len = end - name;
	tab = memchr(name, '\t', len);
	if (!tab)
		return add(s, address, name, is(name, len, "_end") ? 0 : len);
	/* "func\t[module]": the tab becomes a blank when all is read */
	return add(s, address, name, len);
}

/* All whole lines of the @len bytes; how many bytes they are, or -errno. */
static ssize_t take_lines(struct events_symbols *s, const char *text, size_t len)
{
	const char *line = text, *nl;
	int ret;

	while ((nl = memchr(line, '\n', text + len - line))) {
		ret = take_line(s, line, nl);
		if (ret)
			return ret;
		line = nl + 1;
	}
	return line - text;
}

static int read_lines(struct events_symbols *s, struct events_stream *stream, char *buf)
{
	size_t len = 0;
	ssize_t n;

	for (;;) {
		n = events_stream_read(stream, buf + len, BUFFER - len);
		if (n <= 0)
			return n;
		len += n;
		n = take_lines(s, buf, len);
		if (n < 0)
			return n;
		/* a line as long as the buffer is none */
		if (!n && len == BUFFER)
			return -EBADMSG;
		len -= n;
		memmove(buf, buf + n, len);
	}
}

/* By address; at the same, as they were listed, which is the order of their names. */
static int compare(const void *a, const void *b)
{
	const struct events_symbol *x = a, *y = b;

	if (x->address != y->address)
		return x->address < y->address ? -1 : 1;
	return (x->name > y->name) - (x->name < y->name);
}

/*
 * The kernel's own symbols come sorted, those of modules in any order behind them, mostly at
 * higher addresses.  Where the list is to be sorted from: nothing behind is below what is before.
 */
static size_t sorted_part(const struct events_symbols *s)
{
	uint64_t least = UINT64_MAX;
	size_t n, i;

	for (n = 1; n < s->n && s->list[n - 1].address <= s->list[n].address; n++)
		;
	for (i = n; i < s->n; i++)
		if (s->list[i].address < least)
			least = s->list[i].address;
	while (n && n < s->n && s->list[n - 1].address >= least)
		n--;
	return n;
}

static void sort(struct events_symbols *s)
{
	size_t i, n = sorted_part(s);

	if (n < s->n)
		qsort(s->list + n, s->n - n, sizeof(*s->list), compare);
	for (i = 0, n = 0; i < s->n; i++) {
		if (!n || s->list[n - 1].address != s->list[i].address)
			s->list[n++] = s->list[i];
		else if (!s->names[s->list[i].name])
			/* _end counts whatever else begins there */
			s->list[n - 1] = s->list[i];
	}
	s->n = n;
}

static void blanks_for_tabs(struct events_symbols *s)
{
	char *tab;
	size_t at;

	for (at = 0; at < s->len; at = tab + 1 - s->names) {
		tab = memchr(s->names + at, '\t', s->len - at);
		if (!tab)
			return;
		*tab = ' ';
	}
}

/* A list without data ends with the code: what is behind it lies in none of its functions. */
static void end_with_code(struct events_symbols *s)
{
	static const char *const ends[] = { "_etext", "_einittext" };
	unsigned int k;
	size_t i;

	if (s->has_data)
		return;
	for (i = 0; i < s->n; i++)
		for (k = 0; k < 2; k++)
			if (!strcmp(s->names + s->list[i].name, ends[k]))
				s->names[s->list[i].name] = '\0';
}

static int read_symbols(struct hist_events *events)
{
	struct events_symbols *s = &events->symbols;
	struct events_stream *stream;
	char *buf;
	int ret;

	if (!events->kallsyms.size)
		return 0;
	ret = events_stream_open(&stream, events, &events->kallsyms, TEXT_MAX);
	if (ret)
		return ret;
	buf = malloc(BUFFER);
	ret = buf ? 0 : -ENOMEM;
	if (!ret && events_stream_read(stream, buf, TEXT_AT) != TEXT_AT)
		ret = -EBADMSG;
	if (!ret)
		ret = read_lines(s, stream, buf);
	free(buf);
	events_stream_free(stream);
	if (!ret) {
		end_with_code(s);
		sort(s);
		blanks_for_tabs(s);
	}
	return ret;
}

/* The last symbol that is not above @address, or NULL. */
static const struct events_symbol *find(struct hist_events *events, uint64_t address)
{
	struct events_symbols *s = &events->symbols;
	size_t low = 0, high, mid;
	int ret;

	if (!s->ready) {
		ret = read_symbols(events);
		if (ret)
			events_symbols_free(s);
		s->ready = true;
		s->error = ret;
	}
	high = s->n;
	while (low < high) {
		mid = low + (high - low) / 2;
		if (s->list[mid].address <= address)
			low = mid + 1;
		else
			high = mid;
	}
	return low && s->names[s->list[low - 1].name] ? &s->list[low - 1] : NULL;
}

int hist_events_symbol(struct hist_events *events, uint64_t address, const char **name,
		       uint64_t *offset)
{
	const struct events_symbol *symbol = find(events, address);

	if (!symbol)
		return events->symbols.error == -ENOMEM ? -ENOMEM : -ENOENT;
	*name = events->symbols.names + symbol->name;
	*offset = address - symbol->address;
	return 0;
}

/* "[module]" at its end, or "". */
static const char *module_of(const char *name)
{
	const char *blank = strrchr(name, ' ');

	return blank ? blank + 1 : "";
}

uint64_t hist_events_symbol_size(struct hist_events *events, uint64_t address)
{
	const struct events_symbol *symbol = find(events, address);
	const struct events_symbols *s = &events->symbols;
	const char *next;

	if (!symbol || symbol + 1 == s->list + s->n)
		return 0;
	next = s->names + symbol[1].name;
	/* behind the kernel's last symbol is its end, which has no module either */
	if (strcmp(module_of(s->names + symbol->name), module_of(next)))
		return 0;
	return symbol[1].address - symbol->address;
}

void events_symbols_free(struct events_symbols *s)
{
	free(s->list);
	free(s->names);
	*s = (struct events_symbols){ 0 };
}

// SPDX-License-Identifier: LGPL-2.1
/*
 * hist_text_row.c - parse the keys and values of a row, and choose between several readings
 *
 * Only a padded name can have several readings.  The fast path assumes that a name ends with its
 * column, and checks the text that must follow.  This is correct for every name that fits into its
 * column.  If the fast path fails, all possible ends of longer names are tried, key by key, until
 * the whole row up to the start of the next one is valid.  The number of tries for all rows is
 * limited by the length of the text, so that the time is linear.  A row that is not resolved by
 * then is skipped, and the snapshot is flagged as ambiguous.
 *
 * Invariant: the true reading is among those tried, so one is found at each start of a row.  A
 * wrong reading requires a name that contains the text of the next key, or the end of a row and the
 * start of the next row.  It is detected: a second reading is valid too; or there are more rows
 * than in the totals; or the rest of the name is not a row, or is a row in which a name contains
 * the start of the next one.
 */
#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#include "lib/base/array.h"
#include "lib/hist/saved_fields.h"
#include "lib/histfile/hist_text_private.h"

/* The cost of one tried end of a name, in positions that are only compared. */
#define TRY_STEPS 16

/* "%-32s" */
#define STRING_COLUMNS 32

/* Enough for the lines of HIST_STACK_FRAMES_DEEP symbols with offset and module. */
#define STACK_MAX 32768

int hist_text_fail(struct hist_text_parser *p, const char *fmt, ...)
{
	va_list ap;

	p->failed_at = p->at;
	va_start(ap, fmt);
	vsnprintf(p->failure, sizeof(p->failure), fmt, ap);
	va_end(ap);
	return -EBADMSG;
}

/* Format a token.  0 or -ENOMEM. */
static __attribute__((format(printf, 2, 3))) int
hist_text_format_token(struct hist_text_format_token *token, const char *fmt, ...)
{
	char word[8] = { 0 }, mask[8] = { 0 };
	va_list ap;
	int n;

	va_start(ap, fmt);
	n = vasprintf(&token->text, fmt, ap);
	va_end(ap);
	if (n < 0) {
		token->text = NULL;
		return -ENOMEM;
	}
	token->len = n;
	n = n < 8 ? n : 8;
	memcpy(word, token->text, n);
	memset(mask, 0xff, n);
	token->word = text_word(word);
	token->mask = text_word(mask);
	return 0;
}

/* True for the stack of the event itself; otherwise a field of a synthetic event. */
static bool is_common_stack(const struct hist_key_desc *key)
{
	return !strcmp(key->name, "common_stacktrace") || !strcmp(key->name, "stacktrace");
}

static int make_key_tokens(struct hist_text_parser *p)
{
	const struct hist_schema *schema = p->schema;
	bool multiline = false;
	unsigned int i;
	int ret = 0;

	for (i = 0; i < schema->nkeys && !ret; i++) {
		const struct hist_key_desc *key = &schema->keys[i];
		const char *lead = i ? ", " : "{ ";

		if (key->kind != HIST_KEY_STACK) {
			ret = hist_text_format_token(&p->before[i], "%s%s: ", lead, key->name);
			continue;
		}
		multiline = true;
		/*
		 * 6.1 says "stacktrace:", later kernels "common_stacktrace:": see
		 * hist_text_read_stack()
		 */
		ret = is_common_stack(key) ? hist_text_format_token(&p->before[i], "%s", lead) :
					     hist_text_format_token(&p->before[i],
								    "%s%s.stacktrace", lead,
								    key->name);
	}
	return ret ? ret : hist_text_format_token(&p->close, "%s", multiline ? "}" : " }");
}

/*
 * A key given as "cpu" is printed as common_cpu in the trigger, but as "cpu" in the rows
 * (6.12.117).  The same applies to "comm".  The field "function" of a probe has the kernel's name.
 * The first row shows which name the kernel uses.
 */
static const struct {
	const char *printed, *row;
} old_names[] = {
	{ "common_cpu", "cpu" },
	{ "common_cpu", "CPU" },
	{ "common_comm", "comm" },
	{ "common_comm", "COMM" },
	{ "function", "__probe_ip" },
	{ "function", "__probe_func" },
};

/* The row has @row for key @i instead of what is expected.  0 or -ENOMEM. */
static int take_old_name(struct hist_text_parser *p, unsigned int i, const char *row,
			 const char *end)
{
	struct hist_text_format_token token = { 0 };
	int ret = hist_text_format_token(&token, "%s%s: ", i ? ", " : "{ ", row);

	if (ret)
		return ret;
	if (memmem(p->at, end - p->at, token.text, token.len) &&
	    !memmem(p->at, end - p->at, p->before[i].text, p->before[i].len)) {
		free(p->before[i].text);
		p->before[i] = token;
	} else {
		free(token.text);
	}
	return 0;
}

/* Before the first row of a block: detect this kernel's name for "cpu".  0 or -ENOMEM. */
static int hist_text_find_cpu_name(struct hist_text_parser *p)
{
	const char *nl = memchr(p->at, '\n', p->end - p->at);
	unsigned int i, j;
	int ret = 0;

	for (i = 0; i < p->schema->nkeys && nl; i++) {
		for (j = 0; j < sizeof(old_names) / sizeof(*old_names) && !ret; j++) {
			if (!strcmp(p->schema->keys[i].name, old_names[j].printed))
				ret = take_old_name(p, i, old_names[j].row, nl);
		}
	}
	return ret;
}

/* The column of a padded name at the end of a key; 0: the key does not end in such a name. */
static inline size_t hist_text_name_column(enum hist_key_kind kind)
{
	enum hist_key_form form = hist_key_form(kind);

	return form == HIST_FORM_STRING || form == HIST_FORM_SYMBOL ?
		       hist_key_kinds[kind].column : 0;
}

/* True if the text that must follow key @i is at @at. */
static inline bool key_ends(const struct hist_text_parser *p, unsigned int i, const char *at)
{
	return text_token_at(p, at, i + 1 < p->schema->nkeys ? &p->before[i + 1] : &p->close);
}

/* Read "NAME[%*llu]" with the name in a column of @width. */
static bool read_named(struct hist_text_parser *p, unsigned int i, size_t width,
		       struct row_reading *r)
{
	const char *start = p->at, *bracket;
	size_t limit = p->end - p->at;

	if (limit > NAME_MAX_LEN)
		limit = NAME_MAX_LEN;
	if (limit <= width)
		return false;
	bracket = start + width;
	if (*bracket != '[')
		bracket = memchr(bracket, '[', limit - width);
	if (!bracket)
		return false;
	p->at = bracket + 1;
	if (!text_decimal10(p, &r->num[i]) || p->at >= p->end || *p->at++ != ']')
		return false;
	r->name[i] = start;
	r->name_len[i] = text_trim(start, bracket - start);
	return true;
}

/* Read lines of nine spaces and a frame, each ending in a newline. */
static bool hist_text_read_stack(struct hist_text_parser *p, unsigned int i, struct row_reading *r)
{
	const char *nl;

	if (is_common_stack(&p->schema->keys[i])) {
		if (text_have(p, p->at, "common_stacktrace:\n", 19))
			p->at += 19;
		else if (text_have(p, p->at, "stacktrace:\n", 12))
			p->at += 12;
		else
			return false;
	}
	r->name[i] = p->at;
	while (text_have(p, p->at, "         ", 9)) {
		nl = memchr(p->at, '\n', p->end - p->at);
		if (!nl)
			return false;
		p->at = nl + 1;
	}
	r->name_len[i] = p->at - r->name[i];
	return true;
}

/* Set has_names from the kinds of the keys. */
static void hist_text_detect_names(struct hist_text_parser *p)
{
	enum hist_key_kind kind;
	unsigned int i;

	p->has_names = false;
	for (i = 0; i < p->schema->nkeys; i++) {
		kind = p->schema->keys[i].kind;
		p->has_names |= kind == HIST_KEY_STRING || kind == HIST_KEY_UNKNOWN;
	}
}

int hist_text_make_tokens(struct hist_text_parser *p)
{
	const struct hist_schema *schema = p->schema;
	unsigned int i;
	int ret;

	ret = make_key_tokens(p);
	hist_text_detect_names(p);
	for (i = 0; i < schema->nvalues && !ret; i++) {
		const struct hist_value_desc *value = &schema->values[i];

		if (hist_value_is_text(value->kind))
			p->has_saved = true;
		else
			ret = hist_text_format_token(&p->value[i], "%s%s:", value->name,
						     value->kind == HIST_VALUE_PERCENT ? " (%)" :
						     "");
	}
	return ret;
}

/* Determine from the first row whether a plain key is a number or a string. */
static void hist_text_settle_key_kind(struct hist_text_parser *p, unsigned int i)
{
	const char *start = p->at;
	uint64_t num;
	bool number = text_decimal(p, &num) && p->at - start >= 10 && key_ends(p, i, p->at);

	p->at = start;
	p->schema->keys[i].kind = number ? HIST_KEY_NUM : HIST_KEY_STRING;
	hist_text_detect_names(p);
}

/* Read "-END" of the bucket that begins at *@num, and set *@num to the number of the bucket. */
static bool read_range_end(struct hist_text_parser *p, const struct hist_key_desc *key,
			   uint64_t *num)
{
	const struct hist_range_ops *range = hist_key_traits(key)->range;
	struct hist_bounds bounds;
	uint64_t start = *num, end;

	if (p->at >= p->end || *p->at++ != '-' || !text_decimal(p, &end))
		return false;
	if (range->is_linear)
		return end == start + key->bucket - 1;
	*num = range->find(key, start);
	hist_key_bounds(key, *num, &bounds);
	return bounds.ge == start && bounds.le == end;
}

/* Read "~ 2^N", or both ends of a bucket. */
static bool read_range(struct hist_text_parser *p, const struct hist_key_desc *key, uint64_t *num)
{
	const struct hist_range_ops *range = hist_key_traits(key)->range;
	size_t len = strlen(range->prefix);

	if (!text_have(p, p->at, range->prefix, len))
		return false;
	p->at += len;
	if (!text_decimal(p, num))
		return false;
	if (!range->is_power)
		return read_range_end(p, key, num);
	/* "%-2llu" pads one digit with a space */
	if (*num < 10 && p->at < p->end && *p->at == ' ')
		p->at++;
	*num = hist_key_from_kernel(key, *num);
	return true;
}

/* Read key @i without the text before it; for a padded name, only up to its start. */
static inline bool read_key(struct hist_text_parser *p, unsigned int i, struct row_reading *r)
{
	const struct hist_key_desc *key = &p->schema->keys[i];
	const struct hist_key_traits *traits = hist_key_traits(key);

	switch (traits->form) {
	case HIST_FORM_NUMBER:
		return text_decimal10(p, &r->num[i]);
	case HIST_FORM_HEX:
		return text_hexadecimal(p, &r->num[i]);
	case HIST_FORM_SYMBOL:
		if (p->at >= p->end || *p->at++ != '[' || !text_hexadecimal(p, &r->num[i]) ||
		    !text_have(p, p->at, "] ", 2))
			return false;
		p->at += 2;
		return true;
	case HIST_FORM_TASK:
	case HIST_FORM_SYSCALL:
		return read_named(p, i, traits->column, r);
	case HIST_FORM_STACK:
		return hist_text_read_stack(p, i, r);
	case HIST_FORM_RANGE:
		return read_range(p, key, &r->num[i]);
	case HIST_FORM_STRING:
	case HIST_FORM_UNKNOWN:
		break;
	}
	return true;
}

static bool read_percent(struct hist_text_parser *p, uint64_t *value)
{
	uint64_t whole, part;

	*value = 0;
	if (text_have(p, p->at, "[ERROR]", 7)) {
		p->at += 7;
		return true;
	}
	if (!text_decimal(p, &whole) || whole > UINT32_MAX || p->end - p->at < 3 ||
	    *p->at++ != '.' || !text_decimal(p, &part) || part > 99)
		return false;
	*value = whole * 100 + part;
	return true;
}

/* " %20s": a bar of '#' in 20 columns. */
static bool read_bar(struct hist_text_parser *p, uint64_t *value)
{
	unsigned int i;

	*value = 0;
	if (p->end - p->at < 21 || *p->at++ != ' ')
		return false;
	for (i = 0; i < 20 && *p->at != '\n'; i++)
		*value += *p->at++ == '#';
	return true;
}

/* "  bytes_alloc-bytes_req:         10", which is not in the schema. */
static void skip_expression(struct hist_text_parser *p)
{
	const char *nl = memchr(p->at, '\n', p->end - p->at);
	const char *colon = nl ? memchr(p->at, ':', nl - p->at) : NULL, *start = p->at;
	uint64_t number;

	if (!colon)
		return;
	p->at = colon + 1;
	if (!text_decimal(p, &number))
		p->at = start;
}

/* Read the values from p->at; false if they do not end with the row. */
static bool hist_text_read_values(struct hist_text_parser *p, struct row_reading *r)
{
	const struct hist_schema *schema = p->schema;
	unsigned int i;
	bool ok = true;

	for (i = 0; i < schema->nvalues && ok; i++) {
		if (hist_value_is_text(schema->values[i].kind))
			break;
		text_skip_spaces(p);
		while (p->may_have_more && !text_token_at(p, p->at, &p->value[i])) {
			const char *before = p->at;

			skip_expression(p);
			text_skip_spaces(p);
			if (p->at == before)
				return false;
		}
		if (!text_accept(p, &p->value[i]))
			return false;
		switch (schema->values[i].kind) {
		case HIST_VALUE_SUM:
			/* after ": " */
			p->at += p->at < p->end && *p->at == ' ';
			ok = text_decimal10(p, &r->value[i]);
			break;
		case HIST_VALUE_HEX:
			ok = text_hexadecimal(p, &r->value[i]);
			break;
		case HIST_VALUE_PERCENT:
			ok = read_percent(p, &r->value[i]);
			break;
		case HIST_VALUE_GRAPH:
			ok = read_bar(p, &r->value[i]);
			break;
		case HIST_VALUE_SAVED:
		case HIST_VALUE_WORST:
		case HIST_VALUE_PEAK:
			break;
		}
	}
	while (ok && p->may_have_more && p->at < p->end && *p->at != '\n') {
		const char *before = p->at;

		text_skip_spaces(p);
		skip_expression(p);
		ok = p->at != before;
	}
	if (!ok || p->at >= p->end || *p->at++ != '\n')
		return false;
	return p->has_saved ? p->at < p->end && *p->at == '\t' : text_row_ends(p, p->at);
}

/* The fast path: every name ends with its column. */
static bool read_columns(struct hist_text_parser *p, struct row_reading *r)
{
	unsigned int i, nkeys = p->schema->nkeys;
	size_t width;

	for (i = 0; i < nkeys; i++) {
		if (!text_accept(p, &p->before[i]))
			return false;
		if (p->schema->keys[i].kind == HIST_KEY_UNKNOWN)
			hist_text_settle_key_kind(p, i);
		if (!read_key(p, i, r))
			return false;
		width = hist_text_name_column(p->schema->keys[i].kind);
		if (!width)
			continue;
		if ((size_t)(p->end - p->at) <= width)
			return false;
		r->name[i] = p->at;
		p->at += width;
		r->name_len[i] = text_trim(r->name[i], width);
	}
	return text_accept(p, &p->close) && hist_text_read_values(p, r);
}

/* True if a row begins inside a name: there may be two rows. */
static bool name_holds_row(const struct hist_text_parser *p, const struct row_reading *r)
{
	const char *nl, *end;
	unsigned int i;

	for (i = 0; i < p->schema->nkeys; i++) {
		if (p->schema->keys[i].kind != HIST_KEY_STRING)
			continue;
		end = r->name[i] + r->name_len[i];
		for (nl = r->name[i]; (nl = memchr(nl, '\n', end - nl)); nl++) {
			if (end - nl > 2 && nl[1] == '{' && nl[2] == ' ')
				return true;
		}
	}
	return false;
}

struct search {
	struct row_reading current, *first;
	const char *first_end; /* end of the first reading */
	unsigned int found;
	bool gave_up; /* there may be other readings */
};

/* Try all readings from key @i on; stop at the second. */
static void search_from(struct hist_text_parser *p, unsigned int i, struct search *s)
{
	const char *at, *last;
	size_t width;

	if (i == p->schema->nkeys) {
		if (!text_accept(p, &p->close) || !hist_text_read_values(p, &s->current))
			return;
		/* every name can extend into the next row; the number of rows detects that case */
		if (s->found && name_holds_row(p, &s->current))
			return;
		if (!s->found++) {
			*s->first = s->current;
			s->first_end = p->at;
		}
		return;
	}
	if (!text_accept(p, &p->before[i]) || !read_key(p, i, &s->current))
		return;
	width = hist_text_name_column(p->schema->keys[i].kind);
	if (!width) {
		search_from(p, i + 1, s);
		return;
	}
	at = s->current.name[i] = p->at;
	if ((size_t)(p->end - at) <= width)
		return;
	last = p->end - at > NAME_MAX_LEN ? at + NAME_MAX_LEN : p->end;
	for (at += width; at < last && s->found < 2; at++) {
		if (p->steps < TRY_STEPS) {
			s->gave_up = true;
			return;
		}
		p->steps--;
		if (!key_ends(p, i, at))
			continue;
		p->steps -= TRY_STEPS - 1;
		s->current.name_len[i] = at - s->current.name[i];
		/* only a name that fits into the column is padded */
		if (s->current.name_len[i] == width)
			s->current.name_len[i] = text_trim(s->current.name[i], width);
		p->at = at;
		search_from(p, i + 1, s);
	}
}

/* Report the text at @at, which may contain any bytes and end early. */
static int fail_row(struct hist_text_parser *p, const char *at)
{
	size_t n = p->end - at < 40 ? p->end - at : 40, i;
	char shown[41];

	for (i = 0; i < n; i++)
		shown[i] = at[i] >= ' ' && at[i] <= '~' ? at[i] : '?';
	shown[n] = '\0';
	return hist_text_fail(p, "unexpected text in the row \"%s\"", shown);
}

static int read_row(struct hist_text_parser *p, struct row_reading *r)
{
	const char *start = p->at, *reached;
	struct search search;

	if (!read_columns(p, r)) {
		reached = p->at;
		search = (struct search){ .first = r };
		p->at = start;
		search_from(p, 0, &search);
		if (!search.found) {
			p->at = reached;
			return fail_row(p, start);
		}
		p->at = search.first_end;
		p->ambiguous += search.found > 1 || search.gave_up;
	}
	if (p->has_names && name_holds_row(p, r))
		p->ambiguous++;
	return 0;
}

/* Write "  name: " into @buf and return its length. */
static size_t hist_text_put_saved_title(const struct hist_schema *schema, unsigned int i, char *buf,
					size_t len)
{
	const struct hist_saved_desc *saved = &schema->saved[i];
	int n = snprintf(buf, len, "%s%s: ", saved->begins ? i ? "\n\t" : "" : "  ", saved->name);

	return n > 0 && (size_t)n < len ? (size_t)n : 0;
}

static bool hist_text_needs_signs(const struct hist_schema *schema)
{
	bool is_signed = false;
	unsigned int i;

	for (i = 0; i < schema->nsaved; i++) {
		if (schema->saved[i].is_unknown)
			return false;
		is_signed |= schema->saved[i].sign_size != 0;
	}
	return is_signed;
}

/* Copy the number at @at to @b; return its end, or NULL if it is not a number. */
static const char *hist_text_sign_number(const struct hist_saved_desc *saved, const char *at,
					 const char *end, struct hist_strbuf *b)
{
	const char *start;
	uint64_t value = 0;

	while (at < end && *at == ' ')
		at++;
	for (start = at; at < end && at - start < 20 && text_is_digit(*at); at++)
		value = value * 10 + (*at - '0');
	if (at == start)
		return NULL;
	saved_print_number(b, saved, value);
	return at;
}

/*
 * Rewrite the kernel's text of saved fields, whose numbers are unsigned (track_data_print()), into
 * @b with signs.  The text is parsed in the order of the trigger, and only the numbers of signed
 * fields are rewritten.  A text in any other order stays unchanged, so nothing is guessed.
 * False if @text need not change, or if @b has an error.
 */
static bool hist_text_restore_signs(const struct hist_schema *schema, const char *text, size_t len,
				    struct hist_strbuf *b)
{
	const char *at = text, *end = text + len, *next;
	char name[512];
	unsigned int i;
	size_t n;

	b->len = 0;
	if (!hist_text_needs_signs(schema))
		return false;
	for (i = 0; i < schema->nsaved; i++) {
		n = hist_text_put_saved_title(schema, i, name, sizeof(name));
		if (!n || !text_starts_with(at, end - at, name))
			return false;
		hist_strbuf_add(b, name, n);
		at += n;
		if (!schema->saved[i].is_string) {
			at = hist_text_sign_number(&schema->saved[i], at, end, b);
			if (!at)
				return false;
			continue;
		}
		/* a longer string shifts the next item to the right; the last string is trimmed */
		next = end;
		if (i + 1 < schema->nsaved) {
			n = hist_text_put_saved_title(schema, i + 1, name, sizeof(name));
			next = n && end - at > STRING_COLUMNS
				       ? memmem(at + STRING_COLUMNS, end - at - STRING_COLUMNS,
						name, n)
				       : NULL;
			if (!next)
				return false;
		}
		hist_strbuf_add(b, at, next - at);
		at = next;
	}
	return at == end && !b->error;
}

/*
 * Read the values saved by onmax() and onchange(), on lines of their own that begin with a tab.  A
 * saved name may contain newlines, so the value continues until a row can be parsed.
 */
static int read_saved(struct hist_text_parser *p, uint64_t *value)
{
	const char *start = p->at + 1, *nl;
	uint64_t ambiguous = p->ambiguous;
	struct row_reading next;
	uint32_t id = 0;
	size_t len;
	int ret;

	for (;;) {
		nl = memchr(p->at, '\n', p->end - p->at);
		if (!nl)
			return hist_text_fail(p, "a value of save() is truncated");
		p->at = nl + 1;
		if (!text_row_ends(p, p->at))
			continue;
		if (!text_token_at(p, p->at, &p->before[0]) || !read_row(p, &next))
			break;
		/* the text looked like a row but is not one, which is suspicious for a name */
		p->at = nl + 1;
		ambiguous++;
	}
	p->at = nl + 1;
	p->ambiguous = ambiguous;
	len = text_trim(start, nl - start);
	if (hist_text_restore_signs(p->schema, start, len, &p->saved))
		ret = hist_table_intern(p->table, p->saved.data, p->saved.len, &id);
	else
		ret = p->saved.error ? -ENOMEM : hist_table_intern(p->table, start, len, &id);
	*value = id;
	return ret;
}

/*
 * Read the row at p->at, which moves to the next row.  0 with *r filled; the row is counted in
 * ambiguous if there are several readings.
 */
static int hist_text_read_row(struct hist_text_parser *p, struct row_reading *r)
{
	int ret = read_row(p, r);

	return ret || !p->has_saved ? ret : read_saved(p, &r->value[p->schema->nvalues - 1]);
}

/* Intern the frames of a stack, one per line, without the spaces before them. */
static int intern_stack(struct hist_text_parser *p, const char *at, size_t left, uint32_t *id)
{
	char frames[STACK_MAX];
	const char *nl;
	size_t len = 0, n;

	while (left) {
		nl = memchr(at, '\n', left);
		n = nl - at - 9;
		if (len + n + 1 > sizeof(frames))
			return hist_text_fail(p, "a stack has more frames than the kernel prints");
		if (len)
			frames[len++] = '\n';
		memcpy(frames + len, at + 9, n);
		len += n;
		left -= nl + 1 - at;
		at = nl + 1;
	}
	return hist_table_intern(p->table, frames, len, id);
}

/* Is it the row of @entry?  False only means that it is not known. */
static bool hist_text_is_entry(const struct hist_text_parser *p, const struct row_reading *r,
			uint32_t entry)
{
	const struct hist_cell *cells;
	unsigned int i;
	const char *s;
	size_t len;

	if (entry >= hist_table_entries(p->table))
		return false;
	cells = hist_table_cells(p->table, entry);
	for (i = 0; i < p->schema->nkeys; i++) {
		switch (p->schema->keys[i].kind) {
		case HIST_KEY_STACK:
			return false;
		case HIST_KEY_STRING:
			s = hist_table_string(p->table, cells[i].str, &len);
			if (len != r->name_len[i] || memcmp(s, r->name[i], len))
				return false;
			break;
		default:
			if (cells[i].num != r->num[i])
				return false;
		}
	}
	return true;
}

/* Make the cells of a reading and intern its names.  0, -EBADMSG, -ENOMEM, -E2BIG. */
static int hist_text_make_cells(struct hist_text_parser *p, const struct row_reading *r,
			 struct hist_cell *cells)
{
	unsigned int i;
	int ret = 0;

	for (i = 0; i < p->schema->nkeys && !ret; i++) {
		enum hist_key_kind kind = p->schema->keys[i].kind;

		cells[i].num = hist_key_is_text(kind) ? 0 : r->num[i];
		cells[i].str = HIST_NO_STRING;
		if (kind == HIST_KEY_STACK)
			ret = intern_stack(p, r->name[i], r->name_len[i], &cells[i].str);
		else if (hist_key_has_string(kind))
			ret = hist_table_intern(p->table, r->name[i], r->name_len[i],
						&cells[i].str);
	}
	return ret;
}

/* The key of a part's row becomes the bucket of the table. */
static void hist_text_regroup(const struct hist_text_parser *p, struct row_reading *r)
{
	const struct hist_text_part *part = p->part;
	const struct hist_key_desc *key = &hist_table_schema(p->table)->keys[part->key];
	uint64_t number = part->find_number(part->data, r->num[part->key]);

	r->num[part->key] = hist_key_traits(key)->range->find(key, number);
}

/* Find or add the entry of a row; *@first is set if the block did not have it yet. */
static int hist_text_find_entry(struct hist_text_parser *p, const struct row_reading *r,
				uint32_t *entry, bool *first)
{
	struct hist_cell cells[HIST_KEYS_MAX];
	int ret;

	*entry = p->last < p->met_room ? p->met[p->last].next : 0;
	if (!hist_text_is_entry(p, r, *entry)) {
		ret = hist_text_make_cells(p, r, cells);
		if (!ret)
			ret = hist_table_add(p->table, cells, entry);
		if (ret)
			return ret;
	}
	ret = *entry < p->met_room ? 0 : array_grow_zeroed(&p->met, &p->met_room,
							   (size_t)*entry + 1, sizeof(*p->met));
	if (ret)
		return ret;
	if (p->last < p->met_room)
		p->met[p->last].next = *entry;
	p->last = *entry;
	*first = row_met_is_first(&p->met[*entry], p->generation);
	return 0;
}

/* --- all rows --- */

/* The number of the text "max: NUMBER ..." (track_data_print() of trace_events_hist.c). */
static uint64_t hist_text_worst_of(const struct hist_table *table, uint64_t id)
{
	size_t len;
	const char *text = hist_table_string(table, id, &len);

	return strtoull(text + strcspn(text, "0123456789"), NULL, 10);
}

/* Does value @i keep the text with the largest number, if an entry has several rows? */
static bool hist_text_keeps_largest(const struct hist_text_parser *p, unsigned int i)
{
	enum hist_value_kind kind = p->schema->values[i].kind;

	return kind == HIST_VALUE_WORST || (p->part && kind == HIST_VALUE_SAVED);
}

static int hist_text_parse_row(struct hist_text_parser *p, struct hist_snapshot *snap)
{
	const struct hist_schema *schema = p->schema;
	unsigned int i, nvalues = schema->nvalues;
	struct row_reading r;
	uint64_t *into;
	uint32_t entry;
	bool first;
	int ret;

	ret = hist_text_read_row(p, &r);
	if (!ret && p->part)
		hist_text_regroup(p, &r);
	if (!ret)
		ret = hist_text_find_entry(p, &r, &entry, &first);
	if (!ret && entry >= snap->nentries)
		ret = hist_snapshot_grow(snap, schema, entry + 1);
	if (ret)
		return ret;
	/* the rows differ in blanks at the end of a name, which the kernel pads with blanks */
	if (!first && p->part)
		p->joined++;
	else if (!first && p->has_names)
		p->ambiguous++;
	into = snap->values + (size_t)entry * nvalues;
	if (p->hitcount >= 0)
		row_met_compare(&p->met[entry], first, into[p->hitcount], r.value[p->hitcount],
				&p->shrunk);
	for (i = 0; i < nvalues; i++) {
		if (!first && hist_value_is_sum(schema->values[i].kind))
			into[i] += r.value[i];
		else if (first || !hist_text_keeps_largest(p, i) ||
			 hist_text_worst_of(p->table, r.value[i]) >
				 hist_text_worst_of(p->table, into[i]))
			into[i] = r.value[i];
	}
	return 0;
}

/* Skip text that is not a row, up to the next start of a row or to the totals. */
static void hist_text_skip_row(struct hist_text_parser *p, const char *row)
{
	const char *nl = row;

	while ((nl = memchr(nl, '\n', p->end - nl))) {
		if (text_token_at(p, ++nl, &p->before[0]))
			break;
	}
	p->at = nl ? nl : p->end;
	p->ambiguous++;
}

int hist_text_read_rows(struct hist_text_parser *p, struct hist_snapshot *snap, uint64_t *rows)
{
	const char *row;
	int ret;

	p->last = HIST_NO_ENTRY;
	ret = hist_text_find_cpu_name(p);
	if (ret)
		return ret;
	for (*rows = 0; text_token_at(p, p->at, &p->before[0]); ++*rows) {
		row = p->at;
		ret = hist_text_parse_row(p, snap);
		/* a name in the previous row may have looked like the end of a row */
		if (ret == -EBADMSG && p->has_names && *rows)
			hist_text_skip_row(p, row);
		else if (ret)
			return ret;
	}
	return text_row_ends(p, p->at) ? 0 : hist_text_fail(p, "expected a row or the totals");
}

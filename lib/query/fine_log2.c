// SPDX-License-Identifier: LGPL-2.1
/*
 * fine_log2.c - a histogram with a key .log2=K as triggers of a kernel without .log2=K
 *
 * With K = 3, and a field x in microseconds:
 *
 *	x <= 128			x
 *	x <= 2048 && x > 128		x*18446744073709551615/16
 *	x <= 32768 && x > 2048		x*18446744073709551615/256
 *	x > 32768 && x <= 524288	x*18446744073709551615/4096
 *	x > 524288 && x <= 8388608	x*18446744073709551615/65536
 *	x > 8388608			x*18446744073709551615/1048576
 *
 * The buckets of a range are the smallest of .log2=K in it, so the four octaves of a range have
 * 15 << K rows at most, in place of 4 << K.  A bucket includes its upper end, which .buckets=N does
 * not.  The kernel divides unsigned numbers of 64 bits: -x / N is 2^64 / N - ceil(x / N), and
 * 2^64 - 1 is -1.  Kernels take an expression as a key, but no modifier of an expression.
 * A field in ns has one range more, a small field fewer, and a signed field a trigger for its
 * negative numbers, with .log2.
 *
 * Other ways were measured on Linux 6.12.  A field of a synthetic event with the latency minus 1
 * lets .buckets=N include the upper end, and costs each event 440 instructions.  A trigger for the
 * numbers at an end doubles the rows.  A table of all numbers up to 4096, and two above, has 8,000
 * rows.
 *
 * Each trigger whose filter does not fit costs an event about 70 instructions, and a comparison
 * that is not the last one 30 more.  So there are few ranges, and each compares first with the end
 * that most numbers fail: the lowest ranges are below most numbers, the others above them.
 */
#include <errno.h>
#include <inttypes.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "lib/base/strbuf.h"
#include "lib/expr/expr_parts.h"
#include "lib/hist/field_units.h"
#include "lib/query/fine_log2.h"

#define DIGITS "0123456789"
#define MINUS_ONE "18446744073709551615"
/* The octaves of a range. */
#define RANGE_OCTAVES 4
/* The ranges that begin below 2^this are likely below most numbers. */
#define LOW_OCTAVE 15
/* Where the last range begins, at or after this power of two: 134 ms, and 8 s for microseconds. */
#define LAST_OCTAVE_NS 27
#define LAST_OCTAVE 23

/* The index of the first key with .log2=K, or -1. */
static int fine_log2_find_key(const struct hist_expr *expr)
{
	unsigned int i;

	for (i = 0; i < expr->keys.n; i++) {
		if (expr->keys.field[i].modifier == HIST_MOD_LOG2 && expr->keys.field[i].bucket)
			return i;
	}
	return -1;
}

static int fine_log2_refuse(struct hist_error *error, struct hist_span at, const char *what)
{
	return hist_expr_error_refuse(error, at, "use .log2 (--coarse with a preset), "
				      "or --engine user",
				      "this kernel counts .log2=K with several triggers, which "
				      "%s", what);
}

/*
 * Are all clauses of @expr "VAR=FIELD:onmax($VAR).save(...)"?  The largest of two rows is then that
 * of their bucket, and both cannot have the same.
 */
static bool fine_log2_is_maximum(const struct hist_expr *expr, const char *field)
{
	const struct hist_variable *variable = expr->variables;
	const struct hist_action *action = expr->actions;

	return expr->nvariables == 1 && expr->nactions == 1 && !strcmp(variable->text, field) &&
	       action->handler == HIST_ONMAX && action->kind == HIST_ACTION_SAVE &&
	       *action->subject == '$' && !strcmp(action->subject + 1, variable->name);
}

/* Refuse what several triggers cannot do as one does. */
static int fine_log2_check(const struct hist_expr *expr, unsigned int key,
			   const struct hist_event *event, struct hist_error *error)
{
	const struct hist_field *field = &expr->keys.field[key];
	unsigned int i;

	if (!hist_event_find(event, field->name))
		return fine_log2_refuse(error, field->span, "need a field that a filter can have");
	for (i = key + 1; i < expr->keys.n; i++) {
		if (expr->keys.field[i].modifier == HIST_MOD_LOG2 && expr->keys.field[i].bucket)
			return fine_log2_refuse(error, expr->keys.field[i].span,
						"can divide only one key");
	}
	for (i = 0; i < expr->values.n; i++) {
		if (expr->values.field[i].modifier == HIST_MOD_PERCENT ||
		    expr->values.field[i].modifier == HIST_MOD_GRAPH)
			return fine_log2_refuse(error, expr->values.field[i].span,
						"do not know the share of the whole");
	}
	if (expr->name)
		return fine_log2_refuse(error, expr->name_span, "cannot have one name");
	if (expr->changes_existing)
		return fine_log2_refuse(error, expr->changes_span, "do not exist yet");
	if (expr->nclauses && !fine_log2_is_maximum(expr, field->name))
		return fine_log2_refuse(error, expr->clauses[0].span,
					"can only save() with onmax() of the key");
	return 0;
}

/* --- the text of one trigger --- */

/*
 * One range of numbers, (2^from, 2^to].  An end that the field cannot have is none: the kernel cuts
 * the numbers of a filter to the size of the field.
 */
struct fine_log2_range {
	unsigned int from, to; /* to: 0 for no end */
	uint64_t rows; /* that it can have */
};

static void fine_log2_put_span(struct hist_strbuf *b, const struct hist_expr *expr,
			       struct hist_span at)
{
	hist_strbuf_add(b, expr->text + at.start, at.len);
}

static void fine_log2_put_keys(struct hist_strbuf *b, const struct hist_expr *expr,
			       unsigned int key, const struct fine_log2_part *part)
{
	const char *name = expr->keys.field[key].name;
	unsigned int i;

	for (i = 0; i < expr->keys.n; i++) {
		hist_strbuf_str(b, i ? "," : "hist:keys=");
		if (i != key)
			fine_log2_put_span(b, expr, expr->keys.field[i].span);
		else if (part->rows == FINE_LOG2_BUCKETS)
			hist_strbuf_printf(b, "%s*" MINUS_ONE "/%" PRIu64, name, part->width);
		else
			hist_strbuf_printf(b, "%s%s", name,
					   part->rows == FINE_LOG2_NEGATIVE ? ".log2" : "");
	}
}

/* The name of a variable must be unique among the triggers of an event. */
static void fine_log2_put_maximum(struct hist_strbuf *b, const struct hist_expr *expr,
				  unsigned int number)
{
	const struct hist_variable *variable = expr->variables;
	const struct hist_action *action = expr->actions;
	size_t end = action->subject_span.start + action->subject_span.len;

	hist_strbuf_printf(b, ":%s_part%u=%s:", variable->name, number, variable->text);
	hist_strbuf_add(b, expr->text + action->span.start, end - action->span.start);
	hist_strbuf_printf(b, "_part%u", number);
	hist_strbuf_add(b, expr->text + end, action->span.start + action->span.len - end);
}

static void fine_log2_put_condition(struct hist_strbuf *b, const char **join, const char *name,
				    const char *op, uint64_t number)
{
	hist_strbuf_printf(b, "%s%s %s %" PRIu64, *join, name, op, number);
	*join = " && ";
}

static void fine_log2_put_filter(struct hist_strbuf *b, const struct hist_expr *expr,
				 const char *name, const struct fine_log2_part *part,
				 const struct fine_log2_range *range, bool is_signed)
{
	const char *join = " if ";
	bool low = range->from < LOW_OCTAVE;

	if (low && range->to)
		fine_log2_put_condition(b, &join, name, "<=", UINT64_C(1) << range->to);
	if (part->rows == FINE_LOG2_BUCKETS)
		fine_log2_put_condition(b, &join, name, ">", UINT64_C(1) << range->from);
	else if (part->rows == FINE_LOG2_NEGATIVE)
		fine_log2_put_condition(b, &join, name, "<", 0);
	else if (is_signed)
		fine_log2_put_condition(b, &join, name, ">=", 0);
	if (!low && range->to)
		fine_log2_put_condition(b, &join, name, "<=", UINT64_C(1) << range->to);
	if (expr->filter)
		hist_strbuf_printf(b, strcmp(join, " if ") ? "%s(%s)" : "%s%s", join, expr->filter);
}

/* A power of two for @rows, if they are all; with other keys, half of what was asked for. */
static uint64_t fine_log2_choose_size(const struct hist_expr *expr,
				      const struct fine_log2_range *range)
{
	uint64_t asked = expr->size ? expr->size : HIST_SIZE_DEFAULT, size = HIST_SIZE_LEAST;

	if (expr->keys.n > 1)
		return asked / 2 > HIST_SIZE_LEAST ? asked / 2 : HIST_SIZE_LEAST;
	if (!range->rows)
		return asked;
	while (size < range->rows)
		size *= 2;
	return size;
}

/* Add the part of @range. */
static int fine_log2_add(struct fine_log2_parts *parts, const struct hist_expr *expr,
			 const struct hist_event_field *field,
			 const struct fine_log2_range *range, struct fine_log2_part part)
{
	struct hist_strbuf b = { 0 };
	struct fine_log2_part *more;
	unsigned int i;

	fine_log2_put_keys(&b, expr, parts->key, &part);
	for (i = 0; i < expr->values.n; i++) {
		hist_strbuf_str(&b, i ? "," : ":vals=");
		fine_log2_put_span(&b, expr, expr->values.field[i].span);
	}
	if (expr->nclauses)
		fine_log2_put_maximum(&b, expr, parts->n);
	hist_strbuf_printf(&b, ":size=%" PRIu64, fine_log2_choose_size(expr, range));
	if (expr->clock)
		hist_strbuf_printf(&b, ":clock=%s", expr->clock);
	if (expr->nohitcount)
		hist_strbuf_str(&b, ":nohitcount");
	if (expr->paused)
		hist_strbuf_str(&b, ":pause");
	fine_log2_put_filter(&b, expr, field->name, &part, range, field->is_signed);
	part.trigger = hist_strbuf_string(&b);
	more = part.trigger ? realloc(parts->part, (parts->n + 1) * sizeof(*more)) : NULL;
	if (!more) {
		free(part.trigger);
		return -ENOMEM;
	}
	parts->part = more;
	more[parts->n++] = part;
	return 0;
}

/* --- the ranges --- */

/* Where the last range begins at the earliest. */
static unsigned int fine_log2_find_last(const struct hist_event *event, const char *name)
{
	const char *unit = field_units_find(event->system, event->name, name);
	size_t len = strlen(name);
	bool is_ns = (unit && !strcmp(unit, FIELD_UNIT_NS)) ||
		     (len > 3 && !strcmp(name + len - 3, "_ns"));

	return is_ns ? LAST_OCTAVE_NS : LAST_OCTAVE;
}

static int fine_log2_check_length(const struct fine_log2_parts *parts,
				  const struct hist_expr *expr, struct hist_error *error)
{
	unsigned int i;

	for (i = 0; i < parts->n; i++) {
		if (strlen(parts->part[i].trigger) > HIST_TEXT_MAX)
			return fine_log2_refuse(error, (struct hist_span){ 0, expr->end },
						"are longer than the kernel accepts");
	}
	return 0;
}

int fine_log2_split(struct fine_log2_parts *result, const struct hist_expr *expr,
		    const struct hist_event *event, struct hist_error *error)
{
	struct fine_log2_part part = { .rows = FINE_LOG2_EXACT };
	const struct hist_event_field *field;
	struct fine_log2_parts parts = { 0 };
	struct fine_log2_range range = { 0 };
	const struct hist_field *key;
	unsigned int bits, size, last, next;
	int ret = fine_log2_find_key(expr);

	if (ret < 0) {
		*result = parts;
		return 0;
	}
	parts.key = ret;
	key = &expr->keys.field[parts.key];
	bits = key->bucket;
	ret = fine_log2_check(expr, parts.key, event, error);
	if (ret)
		return ret;
	field = hist_event_find(event, key->name);
	last = fine_log2_find_last(event, key->name);
	size = 8 * field->size - field->is_signed;
	next = bits + RANGE_OCTAVES;
	range.rows = (UINT64_C(1) << next) + 1;
	next = next < size ? next : 0;
	range.to = next;
	ret = fine_log2_add(&parts, expr, field, &range, part);
	part.rows = FINE_LOG2_BUCKETS;
	while (!ret && next) {
		range.from = next;
		next = range.from + RANGE_OCTAVES;
		range.rows = ((UINT64_C(1) << RANGE_OCTAVES) - 1) << bits;
		if (next >= size || range.from >= last) {
			range.rows = next >= size ? range.rows : 0;
			next = 0;
		}
		range.to = next;
		part.width = UINT64_C(1) << (range.from - bits);
		ret = fine_log2_add(&parts, expr, field, &range, part);
	}
	if (!ret && field->is_signed) {
		range = (struct fine_log2_range){ .rows = 1 };
		part.rows = FINE_LOG2_NEGATIVE;
		ret = fine_log2_add(&parts, expr, field, &range, part);
	}
	if (!ret)
		ret = fine_log2_check_length(&parts, expr, error);
	if (ret)
		fine_log2_clear(&parts);
	else
		*result = parts;
	return ret;
}

/* --- presets --- */

/*
 * The rows of the histogram if it has other keys: four times those of the default, for eight times
 * the buckets, of which most keys use few.
 */
#define PRESET_SIZE "size=8192"

static int fine_log2_note_coarse(struct query *query)
{
	static const char coarse[] = "buckets are a factor of 2 wide: "
				     "kernels before Linux 5.16 have no finer ones";
	unsigned int i;

	for (i = 0; i < query->nnotes; i++)
		if (!strcmp(query->notes[i].text, coarse))
			return 0;
	return query_add_note(query, false, "%s", coarse);
}

int fine_log2_settle(struct query *query, const struct hist_kernel *kernel,
		     struct query_hist *hist)
{
	const char *at = hist->keys ? strstr(hist->keys, ".log2=") : NULL;
	int head = at ? at + strlen(".log2") - hist->keys : 0;

	if (!at)
		return 0;
	if (!query->coarse && (!kernel || kernel->fine_log2 || kernel->literals)) {
		if (!hist->more && strchr(hist->keys, ','))
			hist->more = PRESET_SIZE;
		return 0;
	}
	at = hist->keys + head + strlen("=");
	hist->keys = query_own_printf(query, "%.*s%s", head, hist->keys, at + strspn(at, DIGITS));
	if (!hist->keys)
		return -ENOMEM;
	return query->coarse ? 0 : fine_log2_note_coarse(query);
}

void fine_log2_clear(struct fine_log2_parts *parts)
{
	unsigned int i;

	for (i = 0; i < parts->n; i++)
		free(parts->part[i].trigger);
	free(parts->part);
	*parts = (struct fine_log2_parts){ 0 };
}

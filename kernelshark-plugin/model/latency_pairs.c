// SPDX-License-Identifier: GPL-2.0
/*
 * latency_pairs.c - the events behind a row, with the latency or the number of each
 *
 * As in a recording of --latency, each END ends a latency, also if the filter of the histogram does not
 * match it: otherwise its START would wait for a later END. Therefore a trigger of its own
 * has the conditions, and saves the time of each END that matches. A pair counts if this
 * time is that of its END.
 */
#include <errno.h>
#include <stddef.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "kernelshark-plugin/events/file_events.h"
#include "kernelshark-plugin/model/expression_private.h"
#include "kernelshark-plugin/model/latency_pairs.h"
#include "kernelshark-plugin/model/panel_data.h"
#include "lib/base/reason.h"
#include "lib/expr/expr_parts.h"
#include "lib/expr/expr_tree.h"
#include "lib/label/unit.h"

#define PREFIX "latency:"
#define NAME_MAX_LEN 64
#define TIMESTAMP "common_timestamp"
/* Two ways to have a time in us: the kernel rounds it, or a latency of record divides it */
#define ROUNDED TIMESTAMP ".usecs"
#define DIVIDED TIMESTAMP "/1000"
/* In the trigger of a relay, which has the time in ns */
#define RELAYED "=ts/1000"
#define ROWS_MOST "131072" /* the largest size of a table */

static bool latency_pairs_is_recorded(const struct recording *r, unsigned int hist)
{
	const char *event = r->hists[hist].info->def.event;

	return !strncmp(event, PREFIX, strlen(PREFIX)) && strstr(event, "..");
}

/* --- the expression that the panel counted --- */

/* A statement of the expression, without the blanks before it. */
struct statement {
	const char *text;
	size_t len;
};

/* Get the statement at *@at, and move *@at to the next one; NULL after the last. */
static bool latency_pairs_next_statement(const char **at, struct statement *s)
{
	const char *end;

	if (!*at)
		return false;
	end = *at + expression_statement_len(*at);
	s->text = *at + strspn(*at, BLANKS);
	s->len = end - s->text;
	*at = *end ? end + 1 : NULL;
	return true;
}

/* Its last statement: the offset in the text. */
static size_t latency_pairs_last_statement(const char *text)
{
	const char *at = text, *from = text, *last = text;
	struct statement s;

	for (; latency_pairs_next_statement(&at, &s); from = at)
		last = s.len ? from : last;
	return last - text;
}

/* The trigger of a statement; NULL for a definition, or if there is none. */
static struct hist_expr *latency_pairs_parse_statement(const struct statement *s)
{
	struct hist_expr *expr = NULL;
	char *copy = strndup(s->text, s->len), *at = copy;

	if (!copy)
		return NULL;
	at += strcspn(at, BLANKS);
	at += strspn(at, BLANKS);
	if (strncmp(copy, "s:", 2) && hist_expr_parse(&expr, at, NULL))
		expr = NULL;
	free(copy);
	return expr;
}

/* "common_timestamp-$ts" */
static bool latency_pairs_is_difference(const struct hist_node *node)
{
	const struct hist_node *time = node && node->kind == HIST_NODE_SUB ? node->left : NULL;

	if (time && time->kind == HIST_NODE_DIV)
		time = time->left;
	return time && time->kind == HIST_NODE_FIELD && !strcmp(time->name, TIMESTAMP) &&
	       node->right->kind == HIST_NODE_VARIABLE;
}

/* True if a trigger passes a difference of time stamps for parameter @number of @synth. */
static bool latency_pairs_passes(const struct hist_expr *expr, const char *synth, unsigned int number)
{
	const struct hist_variable *v;
	const struct hist_action *a;
	unsigned int i;

	for (i = 0; i < expr->nactions; i++) {
		a = &expr->actions[i];
		if (!a->synth || strcmp(a->synth, synth) || number >= a->nparams ||
		    !a->params[number].is_variable)
			continue;
		v = hist_expr_find_variable(expr, a->params[number].name);
		if (v && latency_pairs_is_difference(v->tree))
			return true;
	}
	return false;
}

/* A product or a quotient, whose meaning depends on the unit of times */
static bool latency_pairs_variable_scales(const char *text)
{
	const char *at = text;

	if (!strcmp(text, RELAYED + 1))
		return false;
	while ((at = strpbrk(at, "*/"))) {
		if (at - text < (ptrdiff_t)strlen(TIMESTAMP) ||
		    strncmp(at - strlen(TIMESTAMP), DIVIDED, strlen(DIVIDED)))
			return true;
		at++;
	}
	return false;
}

static bool latency_pairs_scales(const char *text)
{
	struct hist_expr *expr;
	struct statement s;
	bool scales = false;
	unsigned int i;

	while (!scales && latency_pairs_next_statement(&text, &s)) {
		expr = latency_pairs_parse_statement(&s);
		for (i = 0; expr && i < expr->nvariables; i++)
			scales |= latency_pairs_variable_scales(expr->variables[i].text);
		hist_expr_free(expr);
	}
	return scales;
}

/* The number of the field @name in the definition of @synth; -1: not found. */
static int latency_pairs_find_param(const char *text, const char *synth, const char *name)
{
	struct hist_synth *made;
	struct statement s;
	unsigned int i;
	int found = -1;
	char *copy;

	while (found < 0 && latency_pairs_next_statement(&text, &s)) {
		copy = strndup(s.text, s.len);
		if (copy && !strncmp(copy, "s:", 2) && !hist_synth_parse(&made, copy, NULL)) {
			for (i = 0; !strcmp(made->name, synth) && i < made->nfields; i++)
				if (!strcmp(made->fields[i].name, name))
					found = i;
			hist_synth_free(made);
		}
		free(copy);
	}
	return found;
}

/* True if the field of a synthetic event is a latency that the expression computes. */
static bool latency_pairs_is_computed(const char *text, const char *event, const char *field)
{
	const char *synth = strncmp(event, "synthetic:", 10) ? NULL : event + 10;
	struct hist_expr *expr;
	struct statement s;
	bool passes = false;
	int number;

	number = synth ? latency_pairs_find_param(text, synth, field) : -1;
	while (number >= 0 && !passes && latency_pairs_next_statement(&text, &s)) {
		expr = latency_pairs_parse_statement(&s);
		passes = expr && latency_pairs_passes(expr, synth, number);
		hist_expr_free(expr);
	}
	return passes;
}

/* A trigger that needs other triggers has none. */
const char *latency_pairs_number_field(const struct hist_definition *def, int value)
{
	const struct hist_schema *schema = def->schema;
	const int axis = hist_axis_key(schema);
	const enum hist_key_kind kind = axis >= 0 ? schema->keys[axis].kind : HIST_KEY_KINDS;

	if (strchr(def->trigger, '$'))
		return NULL;
	if (kind == HIST_KEY_NUM || (axis >= 0 && hist_key_form(kind) == HIST_FORM_RANGE))
		return schema->keys[axis].name;
	if (value >= 0 && schema->values[value].kind == HIST_VALUE_SUM &&
	    value != hist_schema_hitcount(schema))
		return schema->values[value].name;
	return NULL;
}

enum latency_pairs_kind latency_pairs_find_kind(const struct recording *r, unsigned int hist,
						const char *counted, int value)
{
	const struct hist_definition *def = &r->hists[hist].info->def;
	const char *field = latency_pairs_number_field(def, value);

	if (!counted && latency_pairs_is_recorded(r, hist))
		return PAIRS_RECORDED;
	if (!field || (!counted && !strncmp(def->event, "synthetic:", 10)))
		return PAIRS_NONE;
	return counted && latency_pairs_is_computed(counted, def->event, field) ? PAIRS_COUNTED :
									       PAIRS_NUMBERS;
}

/* Append " if CONDITION" for the first condition, otherwise " && CONDITION". */
static void put_if(struct hist_strbuf *b, bool *first)
{
	hist_strbuf_str(b, *first ? " if " : " && ");
	*first = false;
}

/* "NAME >= GE && NAME <= LE" */
static void latency_pairs_put_bounds(struct hist_strbuf *b, const char *name,
				     const struct hist_bounds *bounds)
{
	if (bounds->is_signed)
		hist_strbuf_printf(b, "%s >= %" PRId64 " && %s <= %" PRId64, name,
				   (int64_t)bounds->ge, name, (int64_t)bounds->le);
	else
		hist_strbuf_printf(b, "%s >= %" PRIu64 " && %s <= %" PRIu64, name, bounds->ge, name,
				   bounds->le);
}

/* The key @k of the row, as a condition. */
static int latency_pairs_put_key(struct hist_strbuf *b, const struct latency_pairs_query *q,
				 unsigned int k, const char *name, char *why, size_t why_len)
{
	const struct hist_key_desc *key = &hist_table_schema(q->table)->keys[k];
	const struct hist_cell *cell = &hist_table_cells(q->table, q->entry)[k];
	struct hist_bounds bounds;
	const char *s;
	size_t len;

	switch (hist_key_form(key->kind)) {
	case HIST_FORM_RANGE:
		hist_key_bounds(key, cell->num, &bounds);
		latency_pairs_put_bounds(b, name, &bounds);
		return 0;
	case HIST_FORM_STRING:
		s = hist_table_string(q->table, cell->str, &len);
		if (memchr(s, '"', len))
			return reason_set(-EOPNOTSUPP, why, why_len,
					  "%s: the name contains a quotation mark", name);
		hist_strbuf_printf(b, "%s == \"%.*s\"", name, (int)len, s);
		return 0;
	case HIST_FORM_STACK:
		return reason_set(-EOPNOTSUPP, why, why_len, "%s: select a single number or name",
				  name);
	default:
		hist_strbuf_printf(b, "%s == ", name);
		hist_strbuf_number(b, cell->num, key->is_signed);
		return 0;
	}
}

/*
 * The filter of the trigger, and the keys of the row except the axis, as conditions. The axis
 * of a latency is compared when the pairs are read.
 */
static int put_conditions(struct hist_strbuf *b, const struct hist_expr *expr,
			  const struct latency_pairs_query *q, char *why, size_t why_len)
{
	const struct hist_schema *schema = hist_table_schema(q->table);
	bool first = true;
	unsigned int k;
	int ret = 0;

	if (expr->filter) {
		put_if(b, &first);
		hist_strbuf_printf(b, "(%s)", expr->filter);
	}
	for (k = 0; q->entry != HIST_NO_ENTRY && k < schema->nkeys && k < expr->keys.n && !ret; k++) {
		if ((int)k == q->axis)
			continue;
		if (expr->keys.field[k].is_expression)
			return reason_set(-EOPNOTSUPP, why, why_len,
					  "%s: select a single number or name",
					  expr->keys.field[k].name);
		put_if(b, &first);
		ret = latency_pairs_put_key(b, q, k, expr->keys.field[k].name, why, why_len);
	}
	if (!ret && q->kind == PAIRS_NUMBERS && q->axis >= 0 && q->bounds) {
		put_if(b, &first);
		latency_pairs_put_bounds(b, expr->keys.field[q->axis].name, q->bounds);
	}
	return ret;
}

/* --latency */
static int latency_pairs_put_recorded(struct hist_strbuf *text, const struct latency_pairs_query *q,
				      const struct hist_expr *expr, char *why, size_t why_len)
{
	const struct hist_definition *def = &q->recording->hists[q->hist].info->def;
	const char *dots = strstr(def->event, ".."), *end = dots + 2;
	const struct expression_latency *rule;
	const char *systems[2];
	char start[NAME_MAX_LEN];
	int ret;

	snprintf(start, sizeof(start), "%.*s", (int)(dots - def->event - strlen(PREFIX)),
		 def->event + strlen(PREFIX));
	rule = expression_latency_find(start, end);
	if (!rule)
		return reason_set(-EOPNOTSUPP, why, why_len,
				  "the file does not show which %s event belongs to which %s "
				  "event", start, end);
	systems[0] = file_events_find_system(q->events, start);
	systems[1] = file_events_find_system(q->events, end);
	if (!systems[0] || !systems[1])
		return reason_set(-EOPNOTSUPP, why, why_len,
				  "the file does not contain the formats of the %s and %s "
				  "events", start, end);
	hist_strbuf_printf(text, "s:hist_pair u64 pair_lat; u64 pair_end; "
			   "%s:%s hist:keys=%s:pair_start=common_timestamp; "
			   "%s:%s hist:keys=%s:pair_end=common_timestamp", systems[0], start,
			   rule->start_keys, systems[1], end, rule->end_keys);
	ret = put_conditions(text, expr, q, why, why_len);
	hist_strbuf_printf(text, "; %s:%s hist:keys=%s:pair_lat=common_timestamp-$pair_start:"
			   "onmatch(%s.%s).trace(hist_pair,$pair_lat,%s.%s.$pair_end); "
			   "synthetic:hist_pair hist:keys=common_timestamp,pair_end:vals=pair_lat:"
			   "size=" ROWS_MOST, systems[1], end, rule->end_keys, systems[0], start,
			   systems[1], end);
	return ret;
}

/* The first of the two in the text from @at to @end; NULL: neither. */
static const char *latency_pairs_find_time(const char *at, const char *end)
{
	const char *time = memmem(at, end - at, TIMESTAMP, strlen(TIMESTAMP));
	const char *relayed = memmem(at, end - at, RELAYED, strlen(RELAYED));

	return !time || (relayed && relayed < time) ? relayed : time;
}

/* The statements before the last; without the unit for latencies, so that they are in ns. */
static int latency_pairs_put_before(struct hist_strbuf *text, const struct latency_pairs_query *q,
				    size_t len, char *why, size_t why_len)
{
	static const struct {
		const char *from, *to;
	} units[] = {
		{ ROUNDED, TIMESTAMP }, { DIVIDED, TIMESTAMP }, { RELAYED, "=ts" },
		{ TIMESTAMP, TIMESTAMP },
	};
	const char *at = q->counted, *end = at + len, *time;
	unsigned int i;

	if (q->kind == PAIRS_COUNTED && latency_pairs_scales(at))
		return reason_set(-EOPNOTSUPP, why, why_len,
				  "the expression multiplies or divides a time, so the result is not a time");
	while (q->kind == PAIRS_COUNTED && (time = latency_pairs_find_time(at, end))) {
		for (i = 0; strncmp(time, units[i].from, strlen(units[i].from)); i++)
			;
		hist_strbuf_add(text, at, time - at);
		hist_strbuf_str(text, units[i].to);
		at = time + strlen(units[i].from);
	}
	hist_strbuf_add(text, at, end - at);
	return 0;
}

/* The last statement: one row for each time and number. */
static int latency_pairs_put_list(struct hist_strbuf *text, const struct latency_pairs_query *q,
				  const struct hist_expr *expr, char *why, size_t why_len)
{
	const struct hist_definition *def = &q->recording->hists[q->hist].info->def;
	const size_t last = q->counted ? latency_pairs_last_statement(q->counted) : 0;
	const char *field = latency_pairs_number_field(def, q->value);
	int ret = 0;

	if (!field || (q->kind == PAIRS_COUNTED && expr->filter && strstr(expr->filter, field)))
		return reason_set(-EOPNOTSUPP, why, why_len,
				  "the filter of the expression compares its latency");
	if (q->counted)
		ret = latency_pairs_put_before(text, q, last, why, why_len);
	if (ret)
		return ret;
	hist_strbuf_printf(text, "%s hist:keys=" TIMESTAMP ",%s:size=" ROWS_MOST, def->event, field);
	return put_conditions(text, expr, q, why, why_len);
}

int latency_pairs_put_expression(struct hist_strbuf *text, const struct latency_pairs_query *q,
				 char *why, size_t why_len)
{
	const struct hist_definition *def = &q->recording->hists[q->hist].info->def;
	struct hist_expr *expr;
	int ret;

	ret = hist_expr_parse(&expr, def->trigger, NULL);
	if (ret)
		return ret == -ENOMEM ? ret :
		       reason_set(-EOPNOTSUPP, why, why_len, "cannot parse the trigger: %s",
				  def->trigger);
	ret = q->kind == PAIRS_RECORDED ? latency_pairs_put_recorded(text, q, expr, why, why_len) :
					  latency_pairs_put_list(text, q, expr, why, why_len);
	hist_expr_free(expr);
	return ret ? ret : text->error;
}

/* The largest first. @is_signed: a bool. */
static int compare_pairs(const void *a, const void *b, void *is_signed)
{
	const struct latency_pair *x = a, *y = b;

	if (x->number != y->number)
		return hist_number_is_less(y->number, x->number, *(bool *)is_signed) ? -1 : 1;
	return (x->end > y->end) - (x->end < y->end);
}

/* A time in the unit of the axis: cut as in a latency of record, or as ns2usecs() in the kernel. */
static uint64_t latency_pairs_in_unit(const struct latency_pairs_query *q, uint64_t ns)
{
	const struct hist_key_desc *axis = &hist_table_schema(q->table)->keys[q->axis];
	bool rounds = q->counted && strstr(q->counted, ROUNDED);

	return hist_unit_from_key(axis) == HIST_UNIT_US ? (ns + (rounds ? 500 : 0)) / 1000 : ns;
}

static bool is_in(const struct latency_pair *p, const struct latency_pairs_query *q)
{
	uint64_t lat;

	if (q->kind == PAIRS_NUMBERS || q->axis < 0 || !q->bounds)
		return true;
	/* both times are converted before they are subtracted */
	lat = latency_pairs_in_unit(q, p->end) - latency_pairs_in_unit(q, p->start);
	return lat >= q->bounds->ge && lat <= q->bounds->le;
}

/* Read one row; false if it does not count. */
static bool latency_pairs_read_row(struct latency_pair *p, const struct panel_data *f,
				   uint32_t entry, const struct latency_pairs_query *q)
{
	const struct hist_cell *cells = hist_table_cells(f->view.table, entry);

	p->start = p->end = cells[0].num;
	p->number = cells[1].num;
	if (q->kind == PAIRS_RECORDED) {
		if (cells[0].num != cells[1].num)
			return false;
		p->number = f->view.snap->values[(size_t)entry * f->schema->nvalues +
						 (f->schema->nvalues - 1)];
	}
	if (q->kind != PAIRS_NUMBERS)
		p->start -= p->number;
	return is_in(p, q);
}

int latency_pairs_read(struct latency_pair **pairs, uint32_t *n, bool *more,
		       struct recording *found, const struct latency_pairs_query *q, uint64_t after)
{
	struct panel_data_query query = { .recording = found, .what = PANEL_DATA_SNAPSHOT };
	struct panel_data *f;
	bool is_signed;
	uint32_t i;
	int ret;

	*pairs = NULL;
	*n = 0;
	*more = false;
	if (!found->hists[0].n)
		return 0;
	query.to = found->hists[0].n - 1;
	ret = panel_data_make(&f, &query, NULL, NULL);
	if (ret)
		return ret;
	*more = f->view.snap->dropped != 0;
	is_signed = q->kind == PAIRS_NUMBERS && f->schema->keys[1].is_signed;
	*pairs = calloc(f->rows.n + 1, sizeof(**pairs));
	for (i = 0; *pairs && i < f->rows.n; i++) {
		struct latency_pair *p = &(*pairs)[*n];

		*n += latency_pairs_read_row(p, f, f->rows.entries[i], q) && p->end > after;
	}
	ret = *pairs ? 0 : -ENOMEM;
	if (*n)
		qsort_r(*pairs, *n, sizeof(**pairs), compare_pairs, &is_signed);
	panel_data_free(f);
	return ret;
}

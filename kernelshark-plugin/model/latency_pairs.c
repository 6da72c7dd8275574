// SPDX-License-Identifier: GPL-2.0
/*
 * latency_pairs.c - the events behind a row, with the latency or the number of each
 *
 * As in a recording of --latency, each END ends a latency, also if the filter of the histogram does
 * not match it: otherwise its START would wait for a later END. Therefore a trigger of its own
 * has the conditions, and saves the time of each END that matches. A pair counts if this
 * time is that of its END.
 *
 * A latency of an expression is a difference of two time stamps.  It is in microseconds by the
 * unit of the time stamps, so that without this unit the expression computes nanoseconds.
 */
#include <errno.h>
#include <stddef.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "kernelshark-plugin/model/expression_private.h"
#include "kernelshark-plugin/model/latency_pairs.h"
#include "kernelshark-plugin/model/panel_data.h"
#include "lib/base/error.h"
#include "lib/check/check_hist.h"
#include "lib/expr/expr_parts.h"
#include "lib/expr/expr_tree.h"
#include "lib/label/unit.h"
#include "lib/ringbuf/file_events.h"

#define PREFIX "latency:"
#define NAME_MAX_LEN 64
/* The field with the time of a latency, by its unit */
#define LATENCY_US "lat_us"
#define LATENCY_NS "lat_ns"
#define TIMESTAMP "common_timestamp"
/* Two ways to have a time in us: the kernel rounds it, or a latency of record divides it */
#define ROUNDED TIMESTAMP ".usecs"
#define DIVIDED TIMESTAMP "/1000"
#define ROWS_MOST "131072" /* the largest size of a table */

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

/* The offset of the last statement. */
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
static bool latency_pairs_passes(const struct hist_expr *expr, const char *synth,
				 unsigned int number)
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

/* True if @field of the synthetic event @event is a latency that the statements compute. */
static bool latency_pairs_computes_latency(const char *text, const char *event, const char *field)
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

/* Append the statements before the last. */
static void latency_pairs_put_before_last(struct hist_strbuf *to, const char *text)
{
	hist_strbuf_add(to, text, latency_pairs_last_statement(text));
}

/*
 * Append the statements before the last, without the unit of times; -EOPNOTSUPP with a sentence in
 * @error
 */
static int latency_pairs_put_in_ns(struct hist_strbuf *to, const char *text,
				   struct hist_error *error)
{
	static const struct {
		const char *from, *to;
	} units[] = {
		{ ROUNDED, TIMESTAMP },
		{ DIVIDED, TIMESTAMP },
		{ TIMESTAMP, TIMESTAMP },
	};
	const char *at = text, *end = text + latency_pairs_last_statement(text), *time;
	unsigned int i;

	if (latency_pairs_scales(text))
		return hist_error_set(error, -EOPNOTSUPP,
				      "the expression multiplies or divides a "
				      "time, so the result is not a time");
	while ((time = memmem(at, end - at, TIMESTAMP, strlen(TIMESTAMP)))) {
		for (i = 0; strncmp(time, units[i].from, strlen(units[i].from)); i++)
			;
		hist_strbuf_add(to, at, time - at);
		hist_strbuf_str(to, units[i].to);
		at = time + strlen(units[i].from);
	}
	hist_strbuf_add(to, at, end - at);
	return 0;
}

/* True if a time in us is rounded, as ns2usecs() in the kernel does, and not cut. */
static bool latency_pairs_rounds_times(const char *text)
{
	return strstr(text, ROUNDED);
}

static bool latency_pairs_is_recorded(const struct recording *r, unsigned int hist)
{
	const char *event = r->hists[hist].info->def.event;

	return !strncmp(event, PREFIX, strlen(PREFIX)) && strstr(event, "..");
}

/* The field of the axis or of the drawn value; NULL: none has a number for each event. */
static const char *latency_pairs_shown_field(const struct hist_definition *def, int value)
{
	const struct hist_schema *schema = def->schema;
	const int axis = hist_axis_key(schema);
	const enum hist_key_kind kind = axis >= 0 ? schema->keys[axis].kind : HIST_KEY_KINDS;

	if (kind == HIST_KEY_NUM || (axis >= 0 && hist_key_form(kind) == HIST_FORM_RANGE))
		return schema->keys[axis].name;
	if (value >= 0 && schema->values[value].kind == HIST_VALUE_SUM &&
	    value != hist_schema_hitcount(schema))
		return schema->values[value].name;
	return NULL;
}

/* A trigger that needs other triggers has none. */
const char *latency_pairs_number_field(const struct hist_definition *def, int value)
{
	return strchr(def->trigger, '$') ? NULL : latency_pairs_shown_field(def, value);
}

/* Options made a latency, whose time is drawn if a number is drawn. */
static bool latency_pairs_is_option(const struct recording *r, unsigned int hist, int value)
{
	const char *field = latency_pairs_shown_field(&r->hists[hist].info->def, value);

	return latency_pairs_is_recorded(r, hist) &&
	       (!field || !strcmp(field, LATENCY_US) || !strcmp(field, LATENCY_NS));
}

enum latency_pairs_kind latency_pairs_find_kind(const struct recording *r, unsigned int hist,
						const char *counted, int value)
{
	const struct hist_definition *def = &r->hists[hist].info->def;
	const char *field = latency_pairs_number_field(def, value);

	if (!counted && latency_pairs_is_recorded(r, hist))
		return PAIRS_RECORDED;
	if (counted && expression_is_options(counted) && latency_pairs_is_option(r, hist, value))
		return PAIRS_COUNTED;
	if (!field || (!counted && !strncmp(def->event, "synthetic:", 10)))
		return PAIRS_NONE;
	return counted && !expression_is_options(counted) &&
			       latency_pairs_computes_latency(counted, def->event, field)
		       ? PAIRS_COUNTED
		       : PAIRS_NUMBERS;
}

/* Append " if CONDITION" for the first condition, otherwise " && CONDITION". */
static void latency_pairs_put_if(struct hist_strbuf *b, bool *first)
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
				 unsigned int k, const char *name, struct hist_error *error)
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
			return hist_error_set(error, -EOPNOTSUPP,
					      "%s: the name contains a quotation mark", name);
		hist_strbuf_printf(b, "%s == \"%.*s\"", name, (int)len, s);
		return 0;
	case HIST_FORM_STACK:
		return hist_error_set(error, -EOPNOTSUPP, "%s: select a single number or name",
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
			  const struct latency_pairs_query *q, struct hist_error *error)
{
	const struct hist_schema *schema = hist_table_schema(q->table);
	bool first = true;
	unsigned int k;
	int ret = 0;

	if (expr->filter) {
		latency_pairs_put_if(b, &first);
		hist_strbuf_printf(b, "(%s)", expr->filter);
	}
	for (k = 0; q->entry != HIST_NO_ENTRY && k < schema->nkeys && k < expr->keys.n && !ret;
	     k++) {
		if ((int)k == q->axis)
			continue;
		if (expr->keys.field[k].is_expression)
			return hist_error_set(error, -EOPNOTSUPP,
					      "%s: select a single number or name",
					      expr->keys.field[k].name);
		latency_pairs_put_if(b, &first);
		ret = latency_pairs_put_key(b, q, k, expr->keys.field[k].name, error);
	}
	if (!ret && q->kind == PAIRS_NUMBERS && q->axis >= 0 && q->bounds) {
		latency_pairs_put_if(b, &first);
		latency_pairs_put_bounds(b, expr->keys.field[q->axis].name, q->bounds);
	}
	return ret;
}

/* "sched:sched_waking hist:keys=pid:pair_start=common_timestamp if FILTER" */
static void latency_pairs_put_side(struct hist_strbuf *text, const char *system,
				   const struct latency_side *side, const char *more)
{
	const char *colon = strchr(side->event, ':');
	unsigned int i;

	hist_strbuf_printf(text, "%s:%s hist:keys=", system, colon ? colon + 1 : side->event);
	for (i = 0; i < side->nkeys; i++)
		hist_strbuf_printf(text, "%s%s", i ? "," : "", side->keys[i]);
	hist_strbuf_str(text, more);
}

/* The latency @l of a recording, from the event @start to @end, whose systems are known. */
static int latency_pairs_put_pair(struct hist_strbuf *text, const struct latency *l,
				  const char *const *systems, const char *start, const char *end,
				  const struct latency_pairs_query *q, const struct hist_expr *expr,
				  struct hist_error *error)
{
	int ret;

	hist_strbuf_str(text, "s:hist_pair u64 pair_lat; u64 pair_end; ");
	latency_pairs_put_side(text, systems[0], &l->start, ":pair_start=common_timestamp");
	if (l->start.filter)
		hist_strbuf_printf(text, " if %s", l->start.filter);
	hist_strbuf_str(text, "; ");
	latency_pairs_put_side(text, systems[1], &l->end, ":pair_end=common_timestamp");
	ret = put_conditions(text, expr, q, error);
	hist_strbuf_str(text, "; ");
	latency_pairs_put_side(text, systems[1], &l->end,
			       ":pair_lat=common_timestamp-$pair_start:");
	hist_strbuf_printf(text, "onmatch(%s.%s).trace(hist_pair,$pair_lat,%s.%s.$pair_end)",
			   systems[0], start, systems[1], end);
	if (l->end.filter)
		hist_strbuf_printf(text, " if %s", l->end.filter);
	hist_strbuf_str(text, "; synthetic:hist_pair hist:keys=common_timestamp,pair_end:"
			"vals=pair_lat:size=" ROWS_MOST);
	return ret;
}

/* --latency */
static int latency_pairs_put_recorded(struct hist_strbuf *text, const struct latency_pairs_query *q,
				      const struct hist_expr *expr, struct hist_error *error)
{
	const struct hist_definition *def = &q->recording->hists[q->hist].info->def;
	const char *dots = strstr(def->event, ".."), *end = dots + 2;
	const char *systems[2];
	struct latency latency;
	char start[NAME_MAX_LEN];
	int ret;

	snprintf(start, sizeof(start), "%.*s", (int)(dots - def->event - strlen(PREFIX)),
		 def->event + strlen(PREFIX));
	ret = expression_find_latency(&latency, start, end);
	if (ret)
		return ret == -ENOMEM ? ret
				      : hist_error_set(error, -EOPNOTSUPP,
						       "the file does not show which %s event "
						       "belongs to which %s "
						       "event",
						       start, end);
	systems[0] = file_events_find_system(q->events, start);
	systems[1] = file_events_find_system(q->events, end);
	if (systems[0] && systems[1])
		ret = latency_pairs_put_pair(text, &latency, systems, start, end, q, expr, error);
	else
		ret = hist_error_set(error, -EOPNOTSUPP,
				     "the file does not contain the formats of the %s and %s "
				     "events",
				     start, end);
	latency_clear(&latency);
	return ret;
}

/* --- the options that the panel counted --- */

static int latency_pairs_refuse_filter(struct hist_error *error)
{
	return hist_error_set(error, -EOPNOTSUPP,
			      "the filter of the expression compares its latency");
}

/* The event with histogram @hist of the result, and the number of the histogram in it. */
static const struct query_event *latency_pairs_find_hist(const struct query *query,
							 unsigned int hist, unsigned int *number)
{
	unsigned int i, h;

	for (i = 0; i < query->nevents; i++) {
		for (h = 0; h < query->events[i].nhists; h++) {
			if (query->events[i].hists[h].hidden ||
			    query->events[i].hists[h].is_switch || hist--)
				continue;
			*number = h;
			return &query->events[i];
		}
	}
	return NULL;
}

/* All triggers of the query except histogram @number of @of. */
static int latency_pairs_put_triggers(struct hist_strbuf *text, const struct query *query,
				      const struct query_event *of, unsigned int number)
{
	const struct query_event *event;
	struct hist_expr *expr;
	unsigned int i, h;
	char *bad;
	int ret;

	for (i = 0; i < query->nevents; i++) {
		event = &query->events[i];
		for (h = 0; h < event->nhists; h++) {
			if ((event == of && h == number) || event->hists[h].is_switch)
				continue;
			ret = hist_check_make_expr(&expr, &event->hists[h], NULL, NULL, NULL, &bad);
			free(bad);
			if (ret)
				return ret;
			hist_strbuf_printf(text, "%s %s; ", event->name, expr->text);
			hist_expr_free(expr);
		}
	}
	return 0;
}

/* Each latency in ns, so that the time of START is exact. */
static int latency_pairs_put_options(struct hist_strbuf *text, const struct latency_pairs_query *q,
				     const struct hist_expr *expr, struct hist_error *error)
{
	const char *field = q->kind == PAIRS_COUNTED ? LATENCY_NS : latency_pairs_number_field(
		&q->recording->hists[q->hist].info->def, q->value);
	const struct query_event *of = NULL;
	struct query query = { 0 };
	unsigned int i, number = 0;
	int ret;

	if (q->kind == PAIRS_COUNTED && expr->filter &&
	    (strstr(expr->filter, LATENCY_US) || strstr(expr->filter, LATENCY_NS)))
		return latency_pairs_refuse_filter(error);
	ret = expression_make_query(&query, q->events, q->buffer, q->counted, true, error);
	if (!ret)
		of = latency_pairs_find_hist(&query, q->hist, &number);
	if (!ret && (!of || !field))
		ret = hist_error_set(error, -EOPNOTSUPP, "the histogram has no number");
	for (i = 0; !ret && i < query.ndynevents; i++)
		hist_strbuf_printf(text, "s:%s; ", query.dynevents[i].definition);
	if (!ret)
		ret = latency_pairs_put_triggers(text, &query, of, number);
	if (!ret) {
		hist_strbuf_printf(text, "%s hist:keys=" TIMESTAMP ",%s:size=" ROWS_MOST, of->name,
				   field);
		ret = put_conditions(text, expr, q, error);
	}
	query_clear(&query);
	return ret;
}

/* --- the statements that the panel counted, or the trigger of a file --- */

/* The last statement: one row for each time and number. */
static int latency_pairs_put_list(struct hist_strbuf *text, const struct latency_pairs_query *q,
				  const struct hist_expr *expr, struct hist_error *error)
{
	const struct hist_definition *def = &q->recording->hists[q->hist].info->def;
	const char *field = latency_pairs_number_field(def, q->value);
	int ret = 0;

	if (q->counted && expression_is_options(q->counted))
		return latency_pairs_put_options(text, q, expr, error);
	if (!field || (q->kind == PAIRS_COUNTED && expr->filter && strstr(expr->filter, field)))
		return latency_pairs_refuse_filter(error);
	if (q->counted && q->kind == PAIRS_COUNTED)
		ret = latency_pairs_put_in_ns(text, q->counted, error);
	else if (q->counted)
		latency_pairs_put_before_last(text, q->counted);
	if (ret)
		return ret;
	hist_strbuf_printf(text, "%s hist:keys=" TIMESTAMP ",%s:size=" ROWS_MOST, def->event,
			   field);
	return put_conditions(text, expr, q, error);
}

int latency_pairs_put_expression(struct hist_strbuf *text, const struct latency_pairs_query *q,
				 struct hist_error *error)
{
	const struct hist_definition *def = &q->recording->hists[q->hist].info->def;
	struct hist_expr *expr;
	int ret;

	ret = hist_expr_parse(&expr, def->trigger, NULL);
	if (ret)
		return ret == -ENOMEM
			       ? ret
			       : hist_error_set(error, -EOPNOTSUPP, "cannot parse the trigger: %s",
						def->trigger);
	ret = q->kind == PAIRS_RECORDED ? latency_pairs_put_recorded(text, q, expr, error)
					: latency_pairs_put_list(text, q, expr, error);
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
	bool rounds = q->counted && latency_pairs_rounds_times(q->counted);

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

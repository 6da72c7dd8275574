// SPDX-License-Identifier: GPL-2.0
/*
 * latency_pairs.c - the START and END events of the latencies that a row counted
 *
 * As in a recording, each END ends a latency, also if the filter of the histogram does not
 * match it: otherwise its START would wait for a later END. Therefore a trigger of its own
 * has the conditions, and saves the time of each END that matches. A pair counts if this
 * time is that of its END.
 */
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "kernelshark-plugin/events/file_events.h"
#include "kernelshark-plugin/model/latency_pairs.h"
#include "kernelshark-plugin/model/panel_data.h"
#include "lib/base/reason.h"
#include "lib/base/text.h"
#include "lib/expr/expr.h"
#include "lib/label/unit.h"

#define PREFIX "latency:"
#define NAME_MAX_LEN 64

/*
 * The keys of two events in the presets. A name that ends in '*' stands for all names that
 * begin so. Presets whose START has a filter are not here: the file does not contain it.
 */
static const struct {
	const char *start, *end, *start_keys, *end_keys;
} rules[] = {
	{ "sched_waking", "sched_switch", "pid", "next_pid" },
	{ "sched_wakeup", "sched_switch", "pid", "next_pid" },
	{ "irq_handler_entry", "irq_handler_exit", "irq,common_cpu", "irq,common_cpu" },
	{ "softirq_entry", "softirq_exit", "vec,common_cpu", "vec,common_cpu" },
	{ "block_rq_issue", "block_rq_complete", "dev,sector", "dev,sector" },
	{ "block_bio_queue", "block_rq_complete", "dev,sector", "dev,sector" },
	{ "workqueue_queue_work", "workqueue_execute_start", "work", "work" },
	{ "workqueue_execute_start", "workqueue_execute_end", "work", "work" },
	{ "sys_enter*", "sys_exit*", "common_pid", "common_pid" },
};

bool latency_pairs_are(const struct recording *r, unsigned int hist)
{
	const char *event = r->hists[hist].info->def.event;

	return !strncmp(event, PREFIX, strlen(PREFIX)) && strstr(event, "..");
}

static bool is_like(const char *name, const char *pattern)
{
	size_t len = strlen(pattern);

	if (pattern[len - 1] == '*')
		return !strncmp(name, pattern, len - 1);
	return !strcmp(name, pattern);
}

static const char *system_of(const struct hist_events *events, const char *wanted, char *buf,
			     size_t room)
{
	const char *system, *name;
	unsigned int i;
	size_t len;

	for (i = 0; file_events_get(events, i, &system, &name, &len); i++) {
		if (text_equals(name, len, wanted)) {
			snprintf(buf, room, "%s", system);
			return buf;
		}
	}
	return NULL;
}

/* Append " if CONDITION" for the first condition, otherwise " && CONDITION". */
static void put_if(struct hist_strbuf *b, bool *first)
{
	hist_strbuf_str(b, *first ? " if " : " && ");
	*first = false;
}

/* The filter of the trigger, and the keys of @entry, as conditions on END. */
static int put_conditions(struct hist_strbuf *b, const struct hist_expr *expr,
			  const struct hist_table *table, int axis, uint32_t entry, char *why,
			  size_t why_len)
{
	const struct hist_schema *schema = hist_table_schema(table);
	const struct hist_cell *cells;
	bool first = true;
	unsigned int k;
	const char *s;
	size_t len;

	if (expr->filter) {
		put_if(b, &first);
		hist_strbuf_printf(b, "(%s)", expr->filter);
	}
	if (entry == HIST_NO_ENTRY)
		return 0;
	cells = hist_table_cells(table, entry);
	for (k = 0; k < schema->nkeys && k < expr->keys.n; k++) {
		const char *name = expr->keys.field[k].name;
		const enum hist_key_form form = hist_key_form(schema->keys[k].kind);

		if ((int)k == axis)
			continue;
		if (form == HIST_FORM_RANGE || schema->keys[k].kind == HIST_KEY_STACK ||
		    expr->keys.field[k].is_expression)
			return reason_set(-EOPNOTSUPP, why, why_len,
					  "%s: select a single number or name", name);
		put_if(b, &first);
		if (form != HIST_FORM_STRING) {
			hist_strbuf_printf(b, "%s == %" PRIu64, name, cells[k].num);
			continue;
		}
		s = hist_table_string(table, cells[k].str, &len);
		if (memchr(s, '"', len))
			return reason_set(-EOPNOTSUPP, why, why_len,
					  "%s: the name contains a quotation mark", name);
		hist_strbuf_printf(b, "%s == \"%.*s\"", name, (int)len, s);
	}
	return 0;
}

int latency_pairs_put_expression(struct hist_strbuf *text, const struct recording *r,
				 unsigned int hist, const struct hist_events *events,
				 const struct hist_table *table, int axis, uint32_t entry,
				 char *why, size_t why_len)
{
	const struct hist_definition *def = &r->hists[hist].info->def;
	const char *dots = strstr(def->event, ".."), *end = dots + 2;
	char start[NAME_MAX_LEN], systems[2][NAME_MAX_LEN];
	struct hist_expr *expr;
	unsigned int i;
	int ret;

	snprintf(start, sizeof(start), "%.*s", (int)(dots - def->event - strlen(PREFIX)),
		 def->event + strlen(PREFIX));
	for (i = 0; i < sizeof(rules) / sizeof(*rules); i++) {
		if (is_like(start, rules[i].start) && is_like(end, rules[i].end))
			break;
	}
	if (i == sizeof(rules) / sizeof(*rules))
		return reason_set(-EOPNOTSUPP, why, why_len,
				  "the file does not show which event %s belongs to which event "
				  "%s", start, end);
	if (!system_of(events, start, systems[0], sizeof(systems[0])) ||
	    !system_of(events, end, systems[1], sizeof(systems[1])))
		return reason_set(-EOPNOTSUPP, why, why_len,
				  "the file does not contain the formats of the events %s and "
				  "%s", start, end);
	ret = hist_expr_parse(&expr, def->trigger, NULL);
	if (ret)
		return ret == -ENOMEM ? ret :
		       reason_set(-EOPNOTSUPP, why, why_len, "cannot parse the trigger: %s",
				  def->trigger);
	hist_strbuf_printf(text, "s:hist_pair u64 pair_lat; u64 pair_end; "
			   "%s:%s hist:keys=%s:pair_start=common_timestamp; "
			   "%s:%s hist:keys=%s:pair_end=common_timestamp", systems[0], start,
			   rules[i].start_keys, systems[1], end, rules[i].end_keys);
	ret = put_conditions(text, expr, table, axis, entry, why, why_len);
	hist_strbuf_printf(text, "; %s:%s hist:keys=%s:pair_lat=common_timestamp-$pair_start:"
			   "onmatch(%s.%s).trace(hist_pair,$pair_lat,%s.%s.$pair_end); "
			   "synthetic:hist_pair hist:keys=common_timestamp,pair_end:vals=pair_lat:"
			   "size=131072", systems[1], end, rules[i].end_keys, systems[0], start,
			   systems[1], end);
	hist_expr_free(expr);
	return ret ? ret : text->error;
}

/* The longest first. */
static int compare_pairs(const void *a, const void *b)
{
	const struct latency_pair *x = a, *y = b;
	const uint64_t dx = x->end - x->start, dy = y->end - y->start;

	if (dx != dy)
		return dx > dy ? -1 : 1;
	return (x->end > y->end) - (x->end < y->end);
}

/* As the recorder does: both times are converted to the unit before they are subtracted. */
static bool is_in(const struct latency_pair *p, const struct hist_key_desc *axis,
		  const struct hist_bounds *bounds)
{
	const uint64_t unit = hist_unit_from_key(axis) == HIST_UNIT_US ? 1000 : 1;
	const uint64_t lat = p->end / unit - p->start / unit;

	return lat >= bounds->ge && lat <= bounds->le;
}

int latency_pairs_read(struct latency_pair **pairs, uint32_t *n, struct recording *found,
		       const struct hist_key_desc *axis, const struct hist_bounds *bounds,
		       uint64_t after)
{
	struct panel_data_query query = { .recording = found, .what = PANEL_DATA_SNAPSHOT };
	struct panel_data *f;
	uint32_t i, entry;
	int ret;

	*pairs = NULL;
	*n = 0;
	if (!found->hists[0].n)
		return 0;
	query.to = found->hists[0].n - 1;
	ret = panel_data_make(&f, &query, NULL, NULL);
	if (ret)
		return ret;
	*pairs = calloc(f->rows.n + 1, sizeof(**pairs));
	for (i = 0; *pairs && i < f->rows.n; i++) {
		struct latency_pair *p = &(*pairs)[*n];
		const struct hist_cell *cells;

		entry = f->rows.entries[i];
		cells = hist_table_cells(f->view.table, entry);
		if (cells[0].num != cells[1].num)
			continue;
		p->end = cells[0].num;
		p->start = p->end - f->view.snap->values[(size_t)entry * f->schema->nvalues +
							 (f->schema->nvalues - 1)];
		*n += p->end > after && (!axis || is_in(p, axis, bounds));
	}
	ret = *pairs ? 0 : -ENOMEM;
	if (*n)
		qsort(*pairs, *n, sizeof(**pairs), compare_pairs);
	panel_data_free(f);
	return ret;
}

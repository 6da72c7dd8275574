// SPDX-License-Identifier: LGPL-2.1
/*
 * expr_print.c - print an expression in canonical form
 *
 * The parts are printed from the parsed data, not from the text.  Only a part without a tree, which
 * the kernel does not accept as an expression, is copied from the text.
 */
#include <stdlib.h>
#include <string.h>

#include "lib/expr/expr_parts.h"
#include "lib/expr/expr_tree.h"
#include "lib/expr/filter.h"

static void print_fields(struct hist_strbuf *b, const struct hist_expr *expr, const char *word,
			 const struct hist_fields *fields)
{
	unsigned int i;

	for (i = 0; i < fields->n; i++) {
		hist_strbuf_str(b, i ? "," : word);
		if (fields->field[i].tree)
			hist_expr_tree_print(b, fields->field[i].tree);
		else
			hist_strbuf_add(b, expr->text + fields->field[i].span.start,
					fields->field[i].span.len);
	}
}

static void print_variables(struct hist_strbuf *b, const struct hist_expr *expr)
{
	unsigned int i;

	for (i = 0; i < expr->nvariables; i++) {
		const struct hist_variable *v = &expr->variables[i];

		hist_strbuf_printf(b, "%s%s=", i ? "," : ":", v->name);
		if (v->tree)
			hist_expr_tree_print(b, v->tree);
		else
			hist_strbuf_str(b, v->text);
	}
}

static void print_action(struct hist_strbuf *b, const struct hist_action *action)
{
	bool comma = false;
	unsigned int i;

	hist_strbuf_printf(b, ":%s(%s).%s(", hist_expr_handler_names[action->handler],
			   action->subject,
			   action->name);
	/* The name in SYNTH(PARAM..) is the event. */
	if (action->synth && action->synth_span.start != action->name_span.start) {
		hist_strbuf_str(b, action->synth);
		comma = true;
	}
	for (i = 0; i < action->nparams; i++, comma = true) {
		if (comma)
			hist_strbuf_char(b, ',');
		hist_strbuf_str(b, action->params[i].text);
	}
	hist_strbuf_char(b, ')');
}

char *hist_expr_print(const struct hist_expr *expr)
{
	struct hist_strbuf b = { 0 };
	unsigned int i;

	hist_strbuf_str(&b, "hist:");
	if (expr->name)
		hist_strbuf_printf(&b, "name=%s:", expr->name);
	print_fields(&b, expr, "keys=", &expr->keys);
	print_fields(&b, expr, ":vals=", &expr->values);
	print_variables(&b, expr);
	print_fields(&b, expr, ":sort=", &expr->sorts);
	if (expr->size) {
		hist_strbuf_str(&b, ":size=");
		hist_strbuf_u64(&b, expr->size);
	}
	if (expr->clock)
		hist_strbuf_printf(&b, ":clock=%s", expr->clock);
	if (expr->nohitcount)
		hist_strbuf_str(&b, ":nohitcount");
	if (expr->paused)
		hist_strbuf_str(&b, ":pause");
	if (expr->continued)
		hist_strbuf_str(&b, ":continue");
	if (expr->cleared)
		hist_strbuf_str(&b, ":clear");
	for (i = 0; i < expr->nactions; i++)
		print_action(&b, &expr->actions[i]);
	if (expr->filter) {
		hist_strbuf_str(&b, " if ");
		if (expr->filter_tree)
			hist_filter_print(&b, expr->filter_tree);
		else
			hist_strbuf_str(&b, expr->filter);
	}
	return hist_strbuf_string(&b);
}

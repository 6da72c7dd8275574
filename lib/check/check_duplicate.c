// SPDX-License-Identifier: LGPL-2.1
/*
 * check_duplicate.c - check for a duplicate trigger, and whether a named histogram matches
 *
 * hist_trigger_match() compares the flags and types of the fields, the sort keys, the text of the
 * filter and the actions.  It does not compare size, clock, nohitcount, bucket widths or what an
 * expression computes.  A kernel with .log2=K also has the patch that compares widths, literals
 * and expressions (kernel-patches/mainline/a-fixes).  This file writes the compared properties of a
 * trigger, except its filter, into one line, and compares the lines.  The filters are compared
 * first, because many histograms of one event usually differ only in their filters.
 */
#include <errno.h>
#include <inttypes.h>
#include <string.h>

#include "lib/base/strbuf.h"
#include "lib/check/check_private.h"

static int check_put_field_text(struct hist_check *c, struct hist_strbuf *b,
				const struct hist_node *tree,
				enum hist_purpose purpose)
{
	struct hist_typed *t;
	int ret;

	ret = tree ? hist_check_type(c, tree, purpose, tree->span, &t) : -EINVAL;
	if (ret)
		return ret;
	hist_strbuf_printf(b, " %d.%d.%d%d%d.%s.%u.%d", t->meaning, t->modifier, t->is_reference,
			   t->is_usecs, t->is_constant, t->field ? t->field->name : "",
			   (t->size + 7) / 8 * 8, t->is_signed);
	if (c->kernel->fine_log2) {
		hist_strbuf_printf(b, ".%" PRIu64 ".%" PRIu64, t->bucket, t->constant);
		if (tree->kind != HIST_NODE_FIELD)
			hist_strbuf_add(b, c->expr->text + tree->span.start, tree->span.len);
	}
	return 0;
}

static void put_actions(struct hist_strbuf *b, const struct hist_expr *expr)
{
	unsigned int i, j;

	for (i = 0; i < expr->nactions; i++) {
		const struct hist_action *a = &expr->actions[i];

		hist_strbuf_printf(b, " A%d.%d %s %s", a->handler, a->kind, a->subject,
				   a->synth ? a->synth : a->name);
		for (j = 0; j < a->nparams; j++)
			hist_strbuf_printf(b, " %s", a->params[j].text);
	}
}

static void put_sorts(struct hist_strbuf *b, const struct hist_expr *expr)
{
	unsigned int i;

	for (i = 0; i < expr->sorts.n; i++)
		hist_strbuf_printf(b, " S%s.%d", expr->sorts.field[i].name,
				   expr->sorts.field[i].descending);
	/* the default sort key */
	if (!expr->sorts.n)
		hist_strbuf_str(b, " Shitcount.0");
}

/* 0; -EINVAL if a part does not have a type, so that it cannot be compared; -ENOMEM. */
static int check_describe_trigger(struct hist_check *c, struct hist_strbuf *b)
{
	const struct hist_expr *expr = c->expr;
	unsigned int i;
	int ret = 0;

	for (i = 0; !ret && i < expr->values.n; i++)
		if (!hist_expr_field_is_hitcount(&expr->values.field[i]))
			ret = check_put_field_text(c, b, expr->values.field[i].tree,
						   HIST_FOR_VALUE);
	for (i = 0; !ret && i < expr->nvariables; i++) {
		hist_strbuf_printf(b, " V%s", expr->variables[i].name);
		ret = check_put_field_text(c, b, expr->variables[i].tree, HIST_FOR_VARIABLE);
	}
	for (i = 0; !ret && i < expr->keys.n; i++) {
		hist_strbuf_str(b, " K");
		ret = check_put_field_text(c, b, expr->keys.field[i].tree, HIST_FOR_KEY);
	}
	put_sorts(b, expr);
	put_actions(b, expr);
	return ret ? ret : b->error;
}

static bool check_texts_are_equal(const char *a, const char *b)
{
	return a ? b && !strcmp(a, b) : !b;
}

/*
 * True if the kernel considers both equal, except their filters.  @line is empty at first; it keeps
 * the line of the trigger of @c for the next comparison.
 */
static int check_compare_trigger(struct hist_check *c, unsigned int index,
				 struct hist_strbuf *line, bool *is_same)
{
	const struct hist_expr *a = c->expr, *b = c->context->triggers[index].expr;
	struct hist_check own = *c, there = hist_check_of(c, index);
	struct hist_strbuf other = { 0 };
	int ret = 0;

	*is_same = false;
	if (a->keys.n != b->keys.n || a->nvariables != b->nvariables || a->nactions != b->nactions)
		return 0;
	own.error = NULL;
	own.nreferences = 0;
	if (!line->len)
		ret = check_describe_trigger(&own, line);
	if (ret)
		hist_strbuf_clear(line);
	else
		ret = check_describe_trigger(&there, &other);
	*is_same = !ret && line->len == other.len && !memcmp(line->data, other.data, other.len);
	hist_strbuf_free(&other);
	return ret == -ENOMEM ? ret : 0;
}

static int check_histogram_name(struct hist_check *c, struct hist_strbuf *line)
{
	bool is_same;
	unsigned int i;
	int ret;

	for (i = 0; c->expr->name && i < c->nbefore; i++) {
		if (!check_texts_are_equal(c->expr->name, c->context->triggers[i].expr->name))
			continue;
		ret = check_compare_trigger(c, i, line, &is_same);
		if (ret || is_same)
			return ret;
		return hist_expr_error_refuse(
			c->error, c->expr->name_span,
			"use another name, or give both triggers the same keys, "
			"values, variables, sort keys and actions",
			"the histogram \"%.*s\" already exists with a different definition",
			HIST_SHOW(strlen(c->expr->name)), c->expr->name);
	}
	return 0;
}

static int check_refuse_duplicate(struct hist_check *c, bool is_others)
{
	struct hist_span at = { c->expr->params, c->expr->end - c->expr->params };

	if (is_others)
		return hist_expr_error_refuse(
			c->error, at,
			"change the keys, values or actions, or leave out -B to "
			"use a private instance",
			"another program has already set an equal trigger");
	return hist_expr_error_refuse(
		c->error, at, "change the keys, values or actions",
		"this trigger duplicates an earlier trigger: the kernel does not "
		"compare size, clock, bucket width or operators");
}

int hist_check_duplicates(struct hist_check *c)
{
	const struct hist_check_trigger *t;
	bool is_same = false, changes = c->expr->changes_existing;
	struct hist_strbuf line = { 0 };
	unsigned int i;
	int ret;

	ret = check_histogram_name(c, &line);
	for (i = 0; !ret && !is_same && i < c->nbefore; i++) {
		t = &c->context->triggers[i];
		if (t->expr->filter_hash != c->expr->filter_hash ||
		    !hist_event_is(t->event, c->event->system, c->event->name) ||
		    !check_texts_are_equal(c->expr->name, t->expr->name) ||
		    !check_texts_are_equal(c->expr->filter, t->expr->filter))
			continue;
		ret = check_compare_trigger(c, i, &line, &is_same);
	}
	hist_strbuf_free(&line);
	if (ret)
		return ret;
	changes |= is_same && c->expr->paused;
	if (changes && is_same && c->context->may_change)
		return 0;
	if (c->expr->changes_existing)
		return hist_expr_error_refuse(c->error, c->expr->changes_span, "leave it out",
					      "\"%.*s\" needs an existing trigger",
					      (int)c->expr->changes_span.len,
					      c->expr->text + c->expr->changes_span.start);
	return is_same ? check_refuse_duplicate(c, i - 1 < c->context->nothers) : 0;
}

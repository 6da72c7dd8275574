// SPDX-License-Identifier: GPL-2.0
/*
 * fuzz_expr.c - any bytes as a hist trigger expression and, behind a NUL, as
 * the format file of its event
 */
#include <assert.h>
#include <errno.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lib/base/error.h"
#include "lib/base/strbuf.h"
#include "lib/check/check.h"
#include "lib/event/event.h"
#include "lib/expr/expr.h"
#include "lib/expr/switch_trigger.h"
#include "lib/expr/synth.h"
#include "lib/hist/schema.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static FILE *null;

static void put_error(const char *text, struct hist_error *error)
{
	struct hist_strbuf lines = { 0 };

	error->text = text;
	hist_error_put(&lines, "fuzz", -EINVAL, error);
	hist_strbuf_flush(&lines, null);
	hist_strbuf_free(&lines);
}

static void use(const struct hist_expr *expr, const struct hist_event *event)
{
	struct hist_schema *schema = NULL, *copy;
	struct hist_expr *again = NULL;
	struct hist_error error = { 0 };
	char *with;

	if (event && hist_check_expr(expr, event, &error))
		put_error(expr->text, &error);
	if (!hist_schema_make(&schema, expr, event)) {
		copy = hist_schema_copy(schema);
		assert(!copy || (copy->nkeys == schema->nkeys && copy->nvalues == schema->nvalues));
		hist_schema_free(copy);
		hist_schema_free(schema);
	}
	with = hist_expr_insert_word(expr, "pause");
	/* what was accepted with a word more is accepted again */
	if (with)
		assert(!hist_expr_parse(&again, with, NULL) && again->paused);
	hist_expr_free(again);
	free(with);
}

/* Printed in one form, it is that form. */
static void print(const struct hist_expr *expr)
{
	char *once = hist_expr_print(expr), *twice;
	const char *filter = expr->filter;
	struct hist_expr *again = NULL;

	/* a filter that is none, and looks like the kernel's mark */
	if (filter && (strstr(filter, "[active]") || strstr(filter, "[paused]"))) {
		free(once);
		return;
	}
	if (once && !hist_expr_parse(&again, once, NULL)) {
		twice = hist_expr_print(again);
		assert(!twice || !strcmp(once, twice));
		free(twice);
	} else {
		assert(!once);
	}
	hist_expr_free(again);
	free(once);
}

/* The same trigger again, beside one that is there. */
static void use_again(const struct hist_expr *expr, const struct hist_event *event)
{
	struct hist_check_trigger there = { event, expr };
	struct hist_check_context context = {
		.triggers = &there, .ntriggers = 1, .all_triggers = true, .may_change = true
	};
	struct hist_kernel old = { .hist = true };
	struct hist_error error = { 0 };

	hist_check_expr_in(expr, event, &context, &error);
	context.kernel = &old;
	hist_check_expr_in(expr, event, &context, &error);
}

static void use_others(const char *text, const struct hist_event *event)
{
	struct hist_synth *synth;
	struct hist_switch *sw;
	struct hist_event *made;
	struct hist_error error = { 0 };

	if (!hist_synth_parse(&synth, text, &error)) {
		if (!hist_synth_make_event(&made, synth))
			hist_event_free(made);
		hist_synth_free(synth);
	}
	if (!hist_switch_parse(&sw, text, &error)) {
		if (event)
			hist_check_switch_trigger(sw, event, NULL, &error);
		hist_switch_free(sw);
	}
}

/* The parts as a user gives them, divided by '|'. */
static void build(char *text)
{
	char *parts[4] = { text }, *bad = NULL, *p = text;
	struct hist_expr *expr = NULL;
	struct hist_error error = { 0 };
	unsigned int i;

	for (i = 1; i < 4 && (p = strchr(p, '|')); i++) {
		*p++ = '\0';
		parts[i] = p;
	}
	if (hist_expr_build(&expr, parts[0], parts[1], parts[2], parts[3], "mono", NULL, &error, &bad))
		put_error(bad, &error);
	hist_expr_free(expr);
	free(bad);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	char *text = malloc(size + 1), *format;
	struct hist_event *event = NULL;
	struct hist_expr *expr = NULL;
	struct hist_error error = { 0 };
	size_t len;

	if (!null)
		null = fopen("/dev/null", "w");
	memcpy(text, data, size);
	text[size] = '\0';
	len = strlen(text);
	if (len < size) {
		/* of the exact length, so that a read beyond it is seen */
		format = malloc(size - len - 1);
		memcpy(format, text + len + 1, size - len - 1);
		if (hist_event_parse(&event, "sched", format, size - len - 1))
			event = NULL;
		free(format);
	}
	if (!hist_expr_parse(&expr, text, &error)) {
		use(expr, event);
		print(expr);
		if (event)
			use_again(expr, event);
	} else {
		put_error(text, &error);
	}
	use_others(text, event);
	hist_expr_free(expr);
	hist_event_free(event);
	build(text);
	free(text);
	return 0;
}

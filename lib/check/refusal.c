// SPDX-License-Identifier: LGPL-2.1
/*
 * refusal.c - the likely reason why a kernel refused a trigger
 *
 * The reason depends on the errno, then on the parts of the trigger.  For errors of the expression,
 * hist_check_expr() comes first: the caller may have checked without an event, or not at all.
 */
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "lib/check/check.h"
#include "lib/check/refusal.h"
#include "lib/expr/expr_private.h"
#include "lib/expr/expr_tree.h"

#define SIZE_DEFAULT 2048 /* 2^TRACING_MAP_BITS_DEFAULT */

static bool has_action(const struct hist_expr *expr, enum hist_action_kind kind)
{
	unsigned int i;

	for (i = 0; i < expr->nactions; i++)
		if (expr->actions[i].kind == kind)
			return true;
	return false;
}

static bool has_references(const struct hist_node *node)
{
	return node && (node->kind == HIST_NODE_VARIABLE || has_references(node->left) ||
			has_references(node->right));
}

static bool refusal_has_references(const struct hist_expr *expr)
{
	unsigned int i;

	for (i = 0; i < expr->nvariables; i++)
		if (has_references(expr->variables[i].tree))
			return true;
	for (i = 0; i < expr->values.n; i++)
		if (has_references(expr->values.field[i].tree))
			return true;
	return has_action(expr, HIST_ACTION_TRACE);
}

static const char *refusal_explain_einval(enum hist_write what, const struct hist_expr *expr)
{
	if (what == HIST_WRITE_CHANGE && expr->nvariables)
		return "the kernel cannot pause, continue or clear a trigger that sets variables";
	if (expr->name)
		return "a histogram of this name exists with another definition, perhaps in another "
		       "instance";
	if (refusal_has_references(expr))
		return "a variable or synthetic event that the trigger uses does not exist, or a "
		       "parameter has the wrong type";
	if (expr->nvariables)
		return "another trigger of this event sets a variable of the same name";
	if (expr->clock)
		return "this clock cannot be set in the instance";
	return NULL;
}

static const char *refusal_explain_ebusy(enum hist_write what, const struct hist_expr *expr)
{
	if (what == HIST_WRITE_REMOVE)
		return "another trigger uses its variables; remove that trigger first";
	if (has_action(expr, HIST_ACTION_SNAPSHOT))
		return "another trigger of the instance has snapshot(), or a tracer uses the "
		       "snapshot buffer";
	return NULL;
}

static const char *refusal_explain_eexist(const struct hist_expr *expr)
{
	unsigned int i, saves = 0;

	for (i = 0; i < expr->nactions; i++)
		saves += expr->actions[i].kind == HIST_ACTION_SAVE;
	if (saves > 1)
		return "a trigger can have only one save()";
	return "the same trigger exists; the kernel does not compare size, clock, bucket width and "
	       "operators";
}

static const char is_gone[] = "the event or the instance no longer exists";

static const char *refusal_explain_errno(enum hist_write what, const struct hist_expr *expr,
					 int err)
{
	switch (err) {
	case EINVAL:
		return refusal_explain_einval(what, expr);
	case EEXIST:
		return refusal_explain_eexist(expr);
	case ENOENT:
		return what == HIST_WRITE_CHANGE ? "no such trigger to continue or clear" : is_gone;
	case ENODEV:
		return is_gone;
	case EBUSY:
		return refusal_explain_ebusy(what, expr);
	case EDOM:
		return "division by zero";
	case E2BIG:
		return "an expression, or its name with all operands, is too long";
	case EPERM:
		return "the kernel is locked down and does not allow tracefs";
	case EACCES:
		return "tracefs needs root";
	default:
		return NULL;
	}
}

bool hist_refusal_explain(enum hist_write what, const struct hist_expr *expr,
			  const struct hist_event *event, int err, char *buf, size_t size)
{
	struct hist_error error;
	const char *why;

	if (size)
		buf[0] = '\0';
	/* a field with an unsupported type also causes ENOMEM */
	if (what == HIST_WRITE_SET && event &&
	    (err == EINVAL || err == EDOM || err == E2BIG || err == ENOMEM || err == ENOENT) &&
	    hist_check_expr(expr, event, &error) == -EINVAL) {
		snprintf(buf, size, "%s%s%s", error.what, error.hint[0] ? "; " : "", error.hint);
		return true;
	}
	if (err == ENOMEM) {
		snprintf(buf, size, "not enough memory for %llu entries; use a smaller size=",
			 (unsigned long long)(expr->size ? expr->size : SIZE_DEFAULT));
		return true;
	}
	why = refusal_explain_errno(what, expr, err);
	if (why)
		snprintf(buf, size, "%s", why);
	return why;
}

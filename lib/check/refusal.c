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
#include "lib/expr/expr_parts.h"
#include "lib/expr/expr_tree.h"

/* what: NULL if strerror() is the only explanation; hint: may be "" */
struct reason {
	const char *what, *hint;
};

static const struct reason no_reason = { NULL, "" };

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

/* "probably": the kernel returns EINVAL and EBUSY for other reasons, too. */
static struct reason refusal_explain_einval(const struct hist_expr *expr)
{
	if (expr->name)
		return (struct reason){ "a histogram with this name probably exists with a "
					"different definition, perhaps in another instance",
					"use another name=" };
	if (refusal_has_references(expr))
		return (struct reason){ "a variable or synthetic event probably does not exist, or "
					"a parameter has the wrong type",
					"set the trigger that defines the variable first" };
	if (expr->nvariables)
		return (struct reason){ "another trigger of this event probably sets a variable "
					"with the same name",
					"rename the variable, or leave out -B to use a private "
					"instance" };
	if (expr->clock)
		return (struct reason){ "the instance probably cannot use this clock",
					"leave out clock=" };
	return no_reason;
}

static struct reason refusal_explain_eexist(const struct hist_expr *expr)
{
	unsigned int i, saves = 0;

	for (i = 0; i < expr->nactions; i++)
		saves += expr->actions[i].kind == HIST_ACTION_SAVE;
	if (saves > 1)
		return (struct reason){ "a trigger can have only one save()",
					"put all fields into one save()" };
	return (struct reason){ "this trigger equals an existing trigger: the kernel does not "
				"compare size, clock, bucket width or operators",
				"leave out -B to use a private instance" };
}

static struct reason refusal_explain_errno(const struct hist_expr *expr, int err)
{
	switch (err) {
	case EINVAL:
		return refusal_explain_einval(expr);
	case EEXIST:
		return refusal_explain_eexist(expr);
	case ENOENT:
	case ENODEV:
		return (struct reason){ "the event or the instance no longer exists", "" };
	case EBUSY:
		if (!has_action(expr, HIST_ACTION_SNAPSHOT))
			return no_reason;
		return (struct reason){ "another trigger of the instance probably uses snapshot(), "
					"or a tracer uses the snapshot buffer",
					"leave out -B to use a private instance" };
	case EDOM:
		return (struct reason){ "division by zero", "" };
	case E2BIG:
		return (struct reason){ "an expression is too long for the kernel, which also "
					"counts the names of its variables",
					"use shorter variable names" };
	case EPERM:
		return (struct reason){ "the kernel is locked down and does not allow access to "
					"tracefs",
					"see kernel_lockdown(7)" };
	case EACCES:
		return (struct reason){ "permission denied", "run as root (sudo)" };
	default:
		return no_reason;
	}
}

bool hist_refusal_explain(const struct hist_expr *expr, const struct hist_event *event, int err,
			  struct hist_error *error)
{
	struct reason reason;

	/* a field with an unsupported type also causes ENOMEM */
	if (event &&
	    (err == EINVAL || err == EDOM || err == E2BIG || err == ENOMEM || err == ENOENT) &&
	    hist_check_expr(expr, event, error) == -EINVAL)
		return true;
	if (err == ENOMEM) {
		hist_error_set(error, -err,
			       "not enough memory for %llu entries\n"
			       "use a smaller size=",
			       (unsigned long long)(expr->size ? expr->size : HIST_SIZE_DEFAULT));
		return true;
	}
	reason = refusal_explain_errno(expr, err);
	hist_error_set(error, -err, "%s\n%s", reason.what ? reason.what : strerror(err),
		       reason.hint);
	return reason.what;
}

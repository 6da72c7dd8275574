// SPDX-License-Identifier: LGPL-2.1
/*
 * check_action.c - check HANDLER(SUBJECT).ACTION(PARAMETERS)
 *
 * Errors are reported in the order of the text.  The kernel checks in two passes, parse_actions()
 * before and create_actions() after all fields.  It may therefore report a different error if a
 * trigger has two.
 *
 * The check of the parameters of trace() against the synthetic event follows
 * trace_action_create() in trace_events_hist.c.  A $variable is searched in this trigger, then in
 * the onmatch() event, then in all events.  A field is searched in this event, then in the
 * onmatch() event or the event that the parameter names.  For a field of another event the kernel
 * sets a trigger of its own on that event.  The new trigger copies the keys of an existing trigger
 * there, whose keys must have the same types as the keys of this trigger.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "lib/base/suggest.h"
#include "lib/base/text.h"
#include "lib/check/check_private.h"
#include "lib/expr/synth.h"

/* A parameter must have at least two bytes (parse_action_params()). */
static int hist_check_param_text(struct hist_check *c, const struct hist_param *param)
{
	if (param->span.len >= 2)
		return 0;
	return hist_expr_error_refuse(c->error, param->span,
				      "use a name of at least two letters",
				      param->span.len ? "the parameter \"%s\" is too short" :
						   "empty parameter%s",
				      param->text);
}

static bool is_own(const struct hist_check *c, const struct hist_param *param)
{
	return !param->system || hist_event_is(c->event, param->system, param->event);
}

/* Will the kernel make the parameter a variable of this trigger? */
static bool hist_check_param_is_own_field(const struct hist_check *c,
					  const struct hist_action *action,
					  const struct hist_param *param)
{
	const struct hist_event_field *field;
	enum hist_meaning meaning;

	if (action->kind != HIST_ACTION_TRACE || param->is_variable || !is_own(c, param))
		return false;
	meaning = hist_field_find_meaning(param->name, false, c->event, &field);
	/* this alias does not exist before common_comm: it is a field of the onmatch() event */
	if (meaning == HIST_MEANS_COMM &&
	    (!c->kernel->common_comm ||
	     (c->context->comm_is_field && strcmp(param->name, "common_comm"))))
		return false;
	return meaning != HIST_MEANS_NOTHING;
}

/*
 * A field as a parameter becomes a variable of the same name.  -EINVAL if this event has such a
 * variable already.
 */
static int hist_check_field_variable(struct hist_check *c, const struct hist_param *param)
{
	struct hist_found found = { .trigger = NULL };

	if (!hist_expr_find_variable(c->expr, param->text)) {
		hist_check_find_event_variable(c, c->event->system, c->event->name,
					       param->text, &found);
		if (!found.trigger)
			return 0;
	}
	hist_expr_error_refuse(c->error, param->span, "", "\"%.*s\" is both a field and a variable",
			       HIST_SHOW(strlen(param->text)), param->text);
	return hist_expr_error_hint(c->error, "write $%.*s, or rename the variable",
				    HIST_SHOW(strlen(param->text)), param->text);
}

static int no_synth(struct hist_check *c, const struct hist_action *action)
{
	const char **names, *near;
	unsigned int i;

	hist_expr_error_refuse(c->error, action->synth_span, "define it first",
			       "no synthetic event \"%.*s\"", HIST_SHOW(strlen(action->synth)),
			       action->synth);
	names = calloc(c->context->nsynths + 1, sizeof(*names));
	if (!names)
		return -ENOMEM;
	for (i = 0; i < c->context->nsynths; i++)
		names[i] = c->context->synths[i]->name;
	near = hist_suggest(action->synth, names, i);
	if (near)
		hist_expr_error_hint(c->error, "did you mean \"%.*s\"?", HIST_SHOW(strlen(near)),
				     near);
	free(names);
	return -EINVAL;
}

static int find_synth(struct hist_check *c, const struct hist_action *action,
		      const struct hist_synth **synth)
{
	unsigned int i;

	if (!c->kernel->synthetic)
		return hist_check_refuse_feature(c, action->span, "synthetic events",
						 HIST_SINCE("4.17") " with CONFIG_SYNTH_EVENTS");
	if (!c->kernel->trace_action && action->synth_span.start != action->name_span.start)
		return hist_check_refuse_feature(c, action->name_span, "trace()",
						 "write SYNTH(...)");
	if (action->synth_span.len < 2 || !hist_expr_is_word(action->synth, strlen(action->synth)))
		return hist_expr_error_refuse(c->error, action->synth_span,
					      "write trace(EVENT,PARAMETER,...)",
					      "the name of the synthetic event is missing");
	for (i = 0; i < c->context->nsynths; i++) {
		if (strcmp(c->context->synths[i]->name, action->synth))
			continue;
		*synth = c->context->synths[i];
		return 0;
	}
	return c->context->all_synths ? no_synth(c, action) : 0;
}

/* find_target_event_var() and find_event_var() */
static int type_variable(struct hist_check *c, const struct hist_action *action,
			 const struct hist_param *param, struct hist_typed_param *typed,
			 struct hist_typed **value)
{
	struct hist_node node = { .kind = HIST_NODE_VARIABLE,
				  .name = param->name,
				  .system = param->system ? param->system : action->system,
				  .event = param->system ? param->event : action->event,
				  .span = param->span };
	const struct hist_variable *own = NULL;
	int ret;

	if (is_own(c, param))
		own = hist_expr_find_variable(c->expr, param->name);
	if (own) {
		ret = hist_check_variable_type(c, own, value);
		typed->trigger = HIST_THIS_TRIGGER;
		typed->variable = own - c->expr->variables;
		return ret ? ret : hist_check_add_reference(c, param->name, param->span);
	}
	ret = hist_check_type(c, &node, HIST_FOR_VALUE, param->span, value);
	if (!ret) {
		typed->trigger = (*value)->trigger;
		typed->variable = (*value)->variable;
	}
	return ret;
}

/* A field of this event.  create_var() makes the variable unsigned. */
static int type_own_field(struct hist_check *c, const struct hist_param *param,
			  struct hist_typed_param *typed, struct hist_typed **value)
{
	struct hist_node node = { .kind = HIST_NODE_FIELD,
				  .name = param->name,
				  .span = param->span };
	int ret;

	typed->trigger = HIST_THIS_TRIGGER;
	ret = hist_check_type(c, &node, HIST_FOR_VARIABLE, param->span, value);
	if (ret)
		return ret;
	(*value)->is_signed = false;
	ret = hist_check_field_variable(c, param);
	return ret ? ret : hist_check_add_reference(c, "", param->span);
}

/* compatible_keys() */
static bool check_param_keys_match(struct hist_check *c, struct hist_check *there)
{
	const struct hist_typed *own;
	struct hist_typed *other;
	unsigned int i;

	if (c->expr->keys.n != there->expr->keys.n)
		return false;
	for (i = 0; i < c->expr->keys.n; i++) {
		const struct hist_field *key = &there->expr->keys.field[i];

		own = c->typed->keys[i];
		if (!key->tree ||
		    hist_check_type(there, key->tree, HIST_FOR_KEY, key->span, &other) ||
		    strcmp(own->type, other->type) ||
		    (own->size + 7) / 8 != (other->size + 7) / 8 ||
		    own->is_signed != other->is_signed)
			return false;
	}
	return true;
}

static bool plain_keys(const struct hist_expr *expr, const struct hist_event *event)
{
	const struct hist_event_field *field;
	unsigned int i;

	for (i = 0; i < expr->keys.n; i++) {
		const struct hist_field *key = &expr->keys.field[i];

		if (key->is_expression ||
		    hist_field_find_meaning(key->name, key->modifier == HIST_MOD_NONE, event,
					    &field) != HIST_MEANS_FIELD)
			return false;
	}
	return true;
}

static int find_histogram_there(struct hist_check *c, const struct hist_param *param,
				const char *system, const char *event,
				struct hist_typed_param *typed)
{
	bool match = false, plain = plain_keys(c->expr, c->event);
	const struct hist_check_trigger *t;
	struct hist_check there;
	unsigned int i;

	for (i = 0; i < c->nbefore; i++) {
		t = &c->context->triggers[i];
		if (!hist_event_is(t->event, system, event))
			continue;
		plain &= t->expr->keys.n != c->expr->keys.n || plain_keys(t->expr, t->event);
		there = hist_check_of(c, i);
		if (match || !check_param_keys_match(c, &there))
			continue;
		match = true;
		typed->trigger = i;
	}
	/* create_field_var_hist() and compatible_keys() dereference a NULL pointer then */
	if (!plain && !c->kernel->stacks)
		return hist_expr_error_refuse(c->error, param->span,
					      "store the field in a variable with a trigger on "
					      "that event",
					      "this kernel crashes if a parameter is a field of "
					      "another event and a key is not a plain field");
	if (match || !c->context->all_triggers)
		return 0;
	return hist_expr_error_refuse(c->error, param->span,
				      "first set a hist trigger with the same number and types of "
				      "keys on that event",
				      "%s:%s: no histogram has the key types of this trigger",
				      system, event);
}

/* A field of the event SYSTEM:EVENT, which is not this event. */
static int type_other_field(struct hist_check *c, const struct hist_param *param,
			    const char *system, const char *name, struct hist_typed_param *typed,
			    struct hist_typed **value)
{
	struct hist_node node = { .kind = HIST_NODE_FIELD,
				  .name = param->name,
				  .span = param->span };
	const struct hist_event *event;
	struct hist_check there = *c;
	int ret;

	ret = hist_check_find_event(c, system, name, param->span, &event);
	if (ret)
		return ret;
	there.event = event;
	ret = hist_check_type(&there, &node, HIST_FOR_VARIABLE, param->span, value);
	if (!ret)
		ret = find_histogram_there(c, param, system, name, typed);
	return ret ? ret : hist_check_add_reference(c, param->text, param->span);
}

static int check_param_find_type(struct hist_check *c, const struct hist_action *action,
				 const struct hist_param *param, struct hist_typed_param *typed,
				 struct hist_typed **value)
{
	if (strchr(param->name, '.'))
		return hist_expr_error_refuse(c->error, param->span,
					      "write [SYS.EVENT.]FIELD or [SYS.EVENT.]$VARIABLE, "
					      "without a modifier",
					      "\"%.*s\" is not a valid parameter",
					      HIST_SHOW(strlen(param->text)), param->text);
	if (hist_check_param_is_own_field(c, action, param))
		return type_own_field(c, param, typed, value);
	if (param->system && !is_own(c, param))
		return type_other_field(c, param, param->system, param->event, typed, value);
	if (param->system || !action->system)
		return hist_check_refuse_field(param->name, param->span, HIST_USE_VALUE, c->event,
					       c->error);
	return type_other_field(c, param, action->system, action->event, typed, value);
}

/*
 * FILTER_PTR_STRING: a number to the kernel, with the size of char[] in a synthetic event.  The
 * kernel copies the string at the event, also from the memory of the task.
 */
static bool is_string_pointer(const struct hist_typed *typed, const struct hist_synth_field *field)
{
	return field->is_string && field->is_dynamic && typed->size == 8 &&
	       hist_event_is_string_pointer(typed->type);
}

/*
 * check_synth_field().  Other numbers are refused for a string: the kernel would use them as an
 * address.
 */
static bool check_param_fits_field(const struct hist_typed *typed,
				   const struct hist_synth_field *field)
{
	if (typed->unknown || is_string_pointer(typed, field))
		return true;
	if (typed->is_string != field->is_string || typed->is_stack != field->is_stack)
		return false;
	if (field->is_stack || (field->is_string && field->is_dynamic) ||
	    !strcmp(typed->type, field->type))
		return true;
	return typed->size == field->size &&
	       (field->is_string || typed->is_signed == field->is_signed);
}

static int check_param_refuse_type(struct hist_check *c, const struct hist_param *param,
				   const struct hist_typed *typed, const struct hist_synth *synth,
				   const struct hist_synth_field *field)
{
	const bool is_sign = typed->size == field->size && typed->is_string == field->is_string &&
			     typed->is_stack == field->is_stack;

	hist_expr_error_refuse(
		c->error, param->span, "",
		"type mismatch: \"%.*s\" is %.40s, but the field \"%.*s\" of %.*s is %.40s",
		HIST_SHOW(strlen(param->text)), param->text,
		!is_sign	   ? typed->type
		: typed->is_signed ? "signed"
				   : "unsigned",
		HIST_SHOW(strlen(field->name)), field->name, HIST_SHOW(strlen(synth->name)),
		synth->name,
		!is_sign	   ? field->type
		: field->is_signed ? "signed"
				   : "unsigned");
	return is_sign ? hist_expr_error_hint(c->error, "define the field as %.40s", typed->type) :
	       -EINVAL;
}

static int refuse_number(struct hist_check *c, struct hist_span at,
			 const struct hist_action *action, const struct hist_synth *synth)
{
	return hist_expr_error_refuse(c->error, at, "",
				      "%.*s has %u field%s, but %u parameter%s given",
				      HIST_SHOW(strlen(action->synth)), action->synth,
				      synth->nfields, text_plural(synth->nfields), action->nparams,
				      action->nparams == 1 ? " is" : "s are");
}

static int check_fit(struct hist_check *c, const struct hist_action *action, unsigned int i,
		     const struct hist_synth *synth, const struct hist_typed *value)
{
	const struct hist_param *param = &action->params[i];
	const struct hist_synth_field *field = &synth->fields[i];

	if (i >= synth->nfields)
		return refuse_number(c, param->span, action, synth);
	if (is_string_pointer(value, field) && !c->kernel->string_pointers)
		return hist_check_refuse_feature(c, param->span, "char * parameters for strings",
						 HIST_SINCE("6.1"));
	return check_param_fits_field(value, field) ? 0 :
	       check_param_refuse_type(c, param, value, synth, field);
}

/* Check trace(SYNTH,PARAM..) or SYNTH(PARAM..). */
static int hist_check_trace(struct hist_check *c, const struct hist_action *action,
			    struct hist_typed_action *typed)
{
	const struct hist_synth *synth = NULL;
	const struct hist_param *param;
	struct hist_typed *value;
	unsigned int i;
	int ret;

	ret = find_synth(c, action, &synth);
	for (i = 0; !ret && i < action->nparams; i++) {
		param = &action->params[i];
		ret = hist_check_param_text(c, param);
		if (!ret)
			ret = param->is_variable ?
				      type_variable(c, action, param, &typed->params[i], &value) :
				      check_param_find_type(c, action, param, &typed->params[i],
							    &value);
		if (!ret && synth)
			ret = check_fit(c, action, i, synth, value);
		typed->params[i].value = ret ? NULL : value;
	}
	if (ret || !synth || action->nparams == synth->nfields)
		return ret;
	return refuse_number(c, (struct hist_span){ action->span.start + action->span.len - 1, 1 },
			     action, synth);
}

static int check_onmatch(struct hist_check *c, const struct hist_action *action)
{
	const struct hist_event *event;

	if (!action->system)
		return hist_expr_error_refuse(c->error, action->subject_span,
					      "write onmatch(SYS.EVENT)",
					      "\"%.*s\" is not an event",
					      HIST_SHOW(strlen(action->subject)), action->subject);
	return hist_check_find_event(c, action->system, action->event, action->subject_span,
				     &event);
}

static int no_tracked(struct hist_check *c, const struct hist_action *action, const char *name)
{
	const char *candidates[HIST_TYPED_VARIABLES], *near;
	unsigned int i;

	hist_expr_error_refuse(c->error, action->subject_span, "",
			       "this trigger does not set the variable \"$%.*s\"",
			       HIST_SHOW(strlen(name)), name);
	for (i = 0; i < c->expr->nvariables; i++)
		candidates[i] = c->expr->variables[i].name;
	near = hist_suggest(name, candidates, i);
	if (near)
		return hist_expr_error_hint(c->error, "did you mean \"$%.*s\"?",
					    HIST_SHOW(strlen(near)), near);
	return hist_expr_error_hint(c->error,
				    "set it in this trigger: %.*s=FIELD or %.*s=$VARIABLE",
				    HIST_SHOW(strlen(name)), name, HIST_SHOW(strlen(name)), name);
}

/* onmax($v), onchange($v): $v must be a variable of this trigger. */
static int check_tracked(struct hist_check *c, const struct hist_action *action,
			 struct hist_typed_action *typed)
{
	const struct hist_variable *variable;

	if (action->handler == HIST_ONCHANGE && !c->kernel->onchange)
		return hist_check_refuse_feature(c, action->span, "onchange()",
						 HIST_SINCE("5.1"));
	if (action->subject[0] != '$')
		return hist_expr_error_refuse(c->error, action->subject_span,
					      action->handler == HIST_ONMAX ?
						 "write onmax($VARIABLE)" :
						 "write onchange($VARIABLE)",
					      "\"%.*s\" is not a variable",
					      HIST_SHOW(strlen(action->subject)), action->subject);
	variable = hist_expr_find_variable(c->expr, action->subject + 1);
	if (!variable)
		return no_tracked(c, action, action->subject + 1);
	typed->tracked = variable - c->expr->variables;
	return hist_check_add_reference(c, variable->name, action->subject_span);
}

/* The kernel selects the action by prefix, so longer names are errors here. */
static int check_action_name(struct hist_check *c, const struct hist_action *action)
{
	const char *word = action->kind == HIST_ACTION_SAVE	  ? "save"
			   : action->kind == HIST_ACTION_SNAPSHOT ? "snapshot"
								  : "trace";

	if (strncmp(action->name, word, strlen(word)) || !strcmp(action->name, word))
		return 0;
	hist_expr_error_refuse(c->error, action->name_span, "",
			       "the kernel mistakes \"%.*s\" for %s()",
			       HIST_SHOW(strlen(action->name)), action->name, word);
	return hist_expr_error_hint(c->error, "write trace(%.*s,...)",
				    HIST_SHOW(strlen(action->name)),
				    action->name);
}

static int check_saved(struct hist_check *c, const struct hist_param *param,
		       struct hist_typed_param *typed)
{
	struct hist_typed *value;
	struct hist_node *node;
	int ret;

	ret = hist_check_param_text(c, param);
	if (!ret)
		ret = hist_expr_tree_parse(&node, param->text, param->span.len, param->span.start,
					   c->error);
	if (ret)
		return ret;
	if (node->kind != HIST_NODE_FIELD && node->kind != HIST_NODE_VARIABLE) {
		hist_expr_error_refuse(c->error, param->span, "",
				       "save() accepts only fields and variables");
		ret = hist_expr_error_hint(c->error, "assign it to a variable first: NAME=%.*s",
					   HIST_SHOW(strlen(param->text)), param->text);
	} else {
		ret = hist_check_type(c, node, HIST_FOR_VARIABLE, param->span, &value);
		typed->value = value;
		/* the node of the name ends here */
		if (value)
			value->name = param->text;
	}
	hist_expr_tree_free(node);
	return ret ? ret : hist_check_field_variable(c, param);
}

/* tr->cond_snapshot: only one per instance */
static int check_snapshot(struct hist_check *c, const struct hist_action *action)
{
	const struct hist_expr *expr;
	unsigned int i, j, n = 0;

	if (!c->kernel->snapshot)
		return hist_check_refuse_feature(c, action->span, "snapshot()",
						 HIST_SINCE("5.1") " with CONFIG_TRACER_SNAPSHOT");
	for (i = 0; i <= c->nbefore; i++) {
		expr = i < c->nbefore ? c->context->triggers[i].expr : c->expr;
		for (j = 0; j < expr->nactions; j++)
			n += expr->actions[j].kind == HIST_ACTION_SNAPSHOT;
	}
	if (n <= 1)
		return 0;
	return hist_expr_error_refuse(c->error, action->span, "",
				      "an instance can have only one snapshot()");
}

static int check_action(struct hist_check *c, const struct hist_action *action,
			struct hist_typed_action *typed)
{
	unsigned int i;
	int ret;

	ret = action->handler == HIST_ONMATCH ? check_onmatch(c, action) :
						check_tracked(c, action, typed);
	if (!ret)
		ret = check_action_name(c, action);
	if (ret)
		return ret;
	if (action->handler == HIST_ONMATCH && action->kind != HIST_ACTION_TRACE)
		return hist_expr_error_refuse(
			c->error, action->name_span,
			"use trace(), or the handler onmax($VARIABLE) or onchange($VARIABLE)",
			"onmatch() does not support %s()", action->name);
	if (action->nparams > HIST_TYPED_PARAMS)
		return hist_expr_error_refuse(c->error, action->params[HIST_TYPED_PARAMS].span, "",
					      "the kernel accepts at most %u parameters",
					      HIST_TYPED_PARAMS);
	switch (action->kind) {
	case HIST_ACTION_SAVE:
		for (i = 0; !ret && i < action->nparams; i++)
			ret = check_saved(c, &action->params[i], &typed->params[i]);
		return ret;
	case HIST_ACTION_SNAPSHOT:
		return check_snapshot(c, action);
	default:
		return hist_check_trace(c, action, typed);
	}
}

/* The number of variables that an action adds to the trigger's own variables. */
static unsigned int check_action_count_variables(const struct hist_check *c,
						 const struct hist_action *action)
{
	unsigned int n = action->handler != HIST_ONMATCH, i;

	for (i = 0; i < action->nparams; i++)
		n += action->kind == HIST_ACTION_SAVE ||
		     hist_check_param_is_own_field(c, action, &action->params[i]);
	return n;
}

int hist_check_actions(struct hist_check *c)
{
	unsigned int i, saves = 0, variables = c->expr->nvariables;
	const struct hist_action *action;
	int ret;

	for (i = 0; i < c->expr->nactions; i++) {
		action = &c->expr->actions[i];
		if (!c->kernel->variables)
			return hist_check_refuse_feature(c, action->span, "actions",
							 HIST_SINCE("4.17"));
		ret = check_action(c, action, &c->typed->actions[i]);
		if (ret)
			return ret;
		saves += action->kind == HIST_ACTION_SAVE;
		if (saves > 1)
			return hist_expr_error_refuse(c->error, action->span, "",
						      "a trigger can have only one save()");
		variables += check_action_count_variables(c, action);
		if (variables > HIST_TYPED_VARIABLES)
			return hist_expr_error_refuse(
				c->error, action->span, "",
				"the kernel accepts at most %u variables; each onmax(), onchange() "
				"and field of save() or trace() counts as one",
				HIST_TYPED_VARIABLES);
	}
	return 0;
}

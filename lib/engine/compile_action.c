// SPDX-License-Identifier: LGPL-2.1
/*
 * compile_action.c - compile onmatch(), onmax() and onchange()
 *
 * Each parameter of an action is a reference to a variable.  A parameter that is a field gets a
 * hidden variable.  A field of this event uses a variable of this histogram.  A field of the
 * matching event uses a hidden histogram on that event with the same keys.
 *
 * Source: track_data_create(), trace_action_create(), create_field_var(),
 * create_field_var_hist() and action_create() in kernel/trace/trace_events_hist.c.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "lib/engine/compile.h"
#include "lib/expr/expr_private.h"

/* Where it is a string or a stack, an element has room for its bytes. */
static void give_string(struct making *m, struct engine_variable *variable)
{
	if (variable->value->is_string || variable->value->is_stack)
		variable->string = m->hist->nstrings++;
}

/* A field of this event in a variable of its own; *@variable NULL: there is none. */
static int own_field(struct making *m, const char *name, struct hist_span at,
		     struct engine_variable **variable)
{
	const struct value *value;
	int ret;

	*variable = NULL;
	ret = value_make_field_named(&value, m, name, at);
	if (ret || !value)
		return ret;
	if (value->fn == VALUE_STACK)
		return engine_refuse(m->error, at, "",
				     "kernels take the stack of the moment for it");
	ret = variable_add(m, at, variable);
	if (ret)
		return ret;
	(*variable)->value = value;
	give_string(m, *variable);
	return 0;
}

static bool is_on(const struct engine_event *on, const char *system, const char *event)
{
	return !strcmp(hist_event_system(on->event), system) &&
	       !strcmp(hist_event_name(on->event), event);
}

/* compatible_keys() */
static bool same_keys(const struct histogram *a, const struct histogram *b)
{
	const struct value *va, *vb;
	unsigned int i;

	if (a->nkeys != b->nkeys)
		return false;
	for (i = 0; i < a->nkeys; i++) {
		va = a->keys[i].value;
		vb = b->keys[i].value;
		if (strcmp(va->type, vb->type) || a->keys[i].size != b->keys[i].size ||
		    va->is_signed != vb->is_signed)
			return false;
	}
	return true;
}

/* The keys of a trigger as they were written. */
static void print_keys(struct hist_strbuf *b, const struct hist_expr *expr)
{
	unsigned int i;

	for (i = 0; i < hist_expr_nkeys(expr); i++) {
		const struct hist_field *key = hist_expr_key(expr, i);

		hist_strbuf_str(b, i ? "," : "hist:keys=");
		hist_strbuf_add(b, hist_expr_text(expr) + key->span.start, key->span.len);
	}
}

/* A trigger on @on that keeps @field for us, with the keys and the filter of @like. */
static int add_hidden(struct making *m, struct engine_event *on, const struct trigger *like,
		      const char *name, const char *field)
{
	const struct hist_expr *expr = like->hist->expr;
	struct hist_strbuf b = { 0 };
	struct hist_expr *hidden;
	int ret;

	print_keys(&b, expr);
	hist_strbuf_printf(&b, ":%s=%s", name, field);
	if (hist_expr_filter(like->expr))
		hist_strbuf_printf(&b, " if %s", hist_expr_filter(like->expr));
	hist_strbuf_char(&b, '\0');
	ret = b.error ? b.error : hist_expr_parse(&hidden, b.data, NULL);
	hist_strbuf_free(&b);
	if (ret)
		return ret;
	return engine_add(m->engine, on, hidden, hidden, m->error);
}

/* A field of the event SYSTEM.EVENT, in a variable there. */
static int other_field(struct making *m, const char *system, const char *event, const char *field,
		       struct hist_span at, struct histogram **of, unsigned int *index)
{
	struct engine_event *on = engine_find_event(m->engine, system, event);
	const struct engine_variable *variable;
	const struct trigger *like = NULL;
	char name[128];
	uint32_t i;
	int ret;

	for (i = 0; on && !like && i < on->ntriggers; i++)
		if (on->triggers[i]->hist && same_keys(m->hist, on->triggers[i]->hist))
			like = on->triggers[i];
	if (!like)
		return engine_refuse(m->error, at, "", "no histogram on %s:%s with these keys",
				     system, event);
	snprintf(name, sizeof(name), "synthetic_%s", field);
	variable = variable_find(m, system, event, name, of);
	if (!variable) {
		ret = add_hidden(m, on, like, name, field);
		if (ret)
			return ret;
		variable = variable_find(m, system, event, name, of);
		if (!variable)
			return -EINVAL;
	}
	*index = variable->index;
	return 0;
}

/* The SYSTEM and EVENT that a parameter without them belongs to: those of onmatch(). */
static int subject(const struct hist_action *action, char **system, const char **event)
{
	const char *dot = strchr(action->subject, '.');

	*system = NULL;
	if (action->handler != HIST_ONMATCH || !dot)
		return 0;
	*system = strndup(action->subject, dot - action->subject);
	*event = dot + 1;
	return *system ? 0 : -ENOMEM;
}

/* trace_action_find_var() */
static int find_variable(struct making *m, const struct hist_action *action,
			 const struct hist_param *param, struct histogram **of, unsigned int *index)
{
	const struct engine_variable *found;
	const char *event = param->event;
	char *system;
	unsigned int i;
	int ret;

	if (!param->system || is_on(m->on, param->system, param->event)) {
		for (i = 0; i < m->hist->ndefined; i++) {
			if (strcmp(m->hist->vars[i].name, param->name))
				continue;
			*of = m->hist;
			*index = i;
			return 0;
		}
	}
	ret = subject(action, &system, &event);
	if (ret)
		return ret;
	if (param->system)
		event = param->event;
	found = variable_find(m, param->system ? param->system : system, event, param->name, of);
	free(system);
	if (!found)
		return engine_refuse(m->error, param->span, "", "no variable \"$%.*s\"",
				     HIST_SHOW(strlen(param->name)), param->name);
	*index = found->index;
	return 0;
}

/* trace_action_create_field_var() */
static int find_field(struct making *m, const struct hist_action *action,
		      const struct hist_param *param, struct histogram **of, unsigned int *index)
{
	struct engine_variable *own = NULL;
	const char *event = param->event;
	char *system = NULL;
	int ret = 0;

	if (!param->system || is_on(m->on, param->system, param->event))
		ret = own_field(m, param->name, param->span, &own);
	if (ret)
		return ret;
	if (own) {
		m->hist->field_vars[m->hist->nfield_vars++] = own->index;
		*of = m->hist;
		*index = own->index;
		return 0;
	}
	if (param->system)
		return other_field(m, param->system, event, param->name, param->span, of, index);
	ret = subject(action, &system, &event);
	if (ret)
		return ret;
	if (system)
		ret = other_field(m, system, event, param->name, param->span, of, index);
	else
		ret = engine_refuse(m->error, param->span, "", "no field \"%.*s\"",
				    HIST_SHOW(strlen(param->name)), param->name);
	free(system);
	return ret;
}

/* A string's variable holds where the string is: nothing else may be followed. */
static int check_type(struct making *m, const struct engine_variable *variable,
		      const struct hist_event_field *field, struct hist_span at)
{
	const struct value *value = variable->value;

	if (value->is_string == (field->type == HIST_FIELD_STRING) &&
	    value->is_stack == (field->type == HIST_FIELD_STACK))
		return 0;
	if (field->type == HIST_FIELD_STRING && hist_is_string_pointer(value->type))
		return engine_refuse(m->error, at, "use the kernel's engine, which follows it",
				     "the event has the address of a string, and not the string");
	return engine_refuse(m->error, at, "", "does not fit \"%.*s\"",
			     HIST_SHOW(strlen(field->name)), field->name);
}

static int make_trace(struct making *m, struct engine_action *to, const struct hist_action *action)
{
	struct histogram *of;
	unsigned int i, index;
	int ret;

	to->synth = action->synth ? engine_find_event(m->engine, "synthetic", action->synth) : NULL;
	if (!to->synth || !to->synth->own)
		return engine_refuse(m->error, action->synth_span, "", "no such synthetic event");
	if (action->nparams != to->synth->nfields ||
	    action->nparams > sizeof(to->params) / sizeof(*to->params))
		return engine_refuse(m->error, action->span, "", "not as many as it has fields");
	for (i = 0; i < action->nparams; i++) {
		const struct hist_param *param = &action->params[i];

		if (param->is_variable)
			ret = find_variable(m, action, param, &of, &index);
		else
			ret = find_field(m, action, param, &of, &index);
		if (!ret)
			ret = check_type(m, &of->vars[index], hist_event_field(to->synth->own, i),
					 param->span);
		if (!ret)
			ret = reference_add(m, of, index, param->span, &to->params[i]);
		if (ret)
			return ret;
	}
	return 0;
}

static int make_save(struct making *m, const struct hist_action *action)
{
	struct histogram *hist = m->hist;
	struct engine_variable *own;
	unsigned int i;
	int ret;

	for (i = 0; i < action->nparams; i++) {
		const struct hist_param *param = &action->params[i];

		ret = own_field(m, param->text, param->span, &own);
		if (ret)
			return ret;
		if (!own)
			return engine_refuse(m->error, param->span, "", "no such field");
		if (own->value->is_stack)
			return engine_refuse(m->error, param->span, "",
					     "of a saved stack, kernels print an address only");
		hist->save_vars[hist->nsave_vars++] = own->index;
	}
	return 0;
}

/* $x of onmax() and onchange(): one of this trigger. */
static int make_tracked(struct making *m, struct engine_action *to,
			const struct hist_action *action)
{
	struct engine_variable *track;
	unsigned int i;
	int ret;

	for (i = 0; i < m->hist->ndefined; i++)
		if (action->subject[0] == '$' &&
		    !strcmp(m->hist->vars[i].name, action->subject + 1))
			break;
	if (i == m->hist->ndefined)
		return engine_refuse(m->error, action->subject_span, "", "no variable of its own");
	if (m->hist->vars[i].value->is_string || m->hist->vars[i].value->is_stack)
		return engine_refuse(m->error, action->subject_span, "", "no number to compare");
	ret = reference_add(m, m->hist, i, action->subject_span, &to->tracked);
	if (!ret)
		ret = variable_add(m, action->subject_span, &track);
	if (!ret)
		to->track = track->index;
	return ret;
}

int action_make_all(struct making *m)
{
	unsigned int i, n = hist_expr_nactions(m->expr);
	struct histogram *hist = m->hist;
	int ret = 0;

	if (!n)
		return 0;
	hist->actions = calloc(n, sizeof(*hist->actions));
	if (!hist->actions)
		return -ENOMEM;
	for (i = 0; !ret && i < n; i++) {
		const struct hist_action *action = hist_expr_action(m->expr, i);
		struct engine_action *to = &hist->actions[hist->nactions++];

		to->handler = action->handler;
		to->kind = action->kind;
		if (action->kind == HIST_ACTION_SNAPSHOT)
			return engine_refuse(m->error, action->span, "",
					     "snapshot() takes one of a running kernel's buffer");
		if (action->handler != HIST_ONMATCH)
			ret = make_tracked(m, to, action);
		if (!ret)
			ret = action->kind == HIST_ACTION_SAVE ? make_save(m, action)
							       : make_trace(m, to, action);
	}
	return ret;
}

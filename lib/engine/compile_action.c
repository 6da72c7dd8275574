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
#include "lib/expr/expr_parts.h"

/* A field of this event in a variable of its own. */
static int make_own_field(struct compilation *m, const struct hist_typed *typed,
			  struct engine_variable **variable)
{
	const struct value *value;
	int ret;

	ret = compile_value_tree(&value, m, typed);
	if (ret)
		return ret;
	if (value->fn == VALUE_STACK)
		return hist_expr_error_refuse(m->error, typed->at, "",
					      "this stack field cannot be used: the kernel would "
					      "use the current stack instead");
	ret = compile_add_variable(m, typed->at, variable);
	if (ret)
		return ret;
	(*variable)->value = value;
	/* an element has room for the bytes of a string or a stack */
	if (value->is_string || value->is_stack)
		(*variable)->string = m->hist->nstrings++;
	return 0;
}

/* The keys of a trigger as they were written. */
static void print_keys(struct hist_strbuf *b, const struct hist_expr *expr)
{
	unsigned int i;

	for (i = 0; i < expr->keys.n; i++) {
		hist_strbuf_str(b, i ? "," : "hist:keys=");
		hist_strbuf_add(b, expr->text + expr->keys.field[i].span.start,
				expr->keys.field[i].span.len);
	}
}

/* Add a trigger with the keys and filter of @like, on its event, that sets @name to @field. */
static int compile_add_hidden_trigger(struct compilation *m, const struct trigger *like,
				      const char *name,
				      const char *field)
{
	struct hist_strbuf b = { 0 };
	struct hist_expr *hidden;
	int ret;

	print_keys(&b, like->hist->expr);
	hist_strbuf_printf(&b, ":%s=%s", name, field);
	if (like->expr->filter)
		hist_strbuf_printf(&b, " if %s", like->expr->filter);
	hist_strbuf_char(&b, '\0');
	ret = b.error ? b.error : hist_expr_parse(&hidden, b.data, NULL);
	hist_strbuf_free(&b);
	return ret ? ret : engine_add(m->engine, like->on, hidden, hidden, m->error);
}

static bool compile_find_action(const struct engine_event *on, const char *name,
				struct engine_histogram **of,
				unsigned int *index)
{
	uint32_t i, j;

	for (i = 0; i < on->ntriggers; i++) {
		*of = on->triggers[i]->hist;
		for (j = 0; *of && j < (*of)->ndefined; j++) {
			*index = j;
			if (!strcmp((*of)->vars[j].name, name))
				return true;
		}
	}
	return false;
}

/* A field of the event of @like, a trigger with the same types of keys: a variable there. */
static int make_other_field(struct compilation *m, const struct trigger *like, const char *field,
			    struct engine_histogram **of, unsigned int *index)
{
	char name[128];
	int ret;

	snprintf(name, sizeof(name), "synthetic_%s", field);
	if (compile_find_action(like->on, name, of, index))
		return 0;
	ret = compile_add_hidden_trigger(m, like, name, field);
	return ret || compile_find_action(like->on, name, of, index) ? ret : -EINVAL;
}

/* The variable that has the value of a parameter. */
static int make_param(struct compilation *m, const struct hist_param *param,
		      const struct hist_typed_param *typed, struct engine_histogram **of,
		      unsigned int *index)
{
	struct engine_variable *own;
	int ret;

	*of = m->hist;
	*index = typed->variable;
	if (typed->trigger != HIST_THIS_TRIGGER)
		*of = m->engine->numbered[typed->trigger]->hist;
	if (param->is_variable)
		return 0;
	if (typed->trigger != HIST_THIS_TRIGGER)
		return make_other_field(m, m->engine->numbered[typed->trigger], param->name, of,
					index);
	ret = make_own_field(m, typed->value, &own);
	if (ret)
		return ret;
	*index = own->index;
	m->hist->field_vars[m->hist->nfield_vars++] = own->index;
	return 0;
}

static int make_trace(struct compilation *m, struct engine_action *to,
		      const struct hist_action *action,
		      const struct hist_typed_action *typed)
{
	struct engine_histogram *of;
	unsigned int i, index;
	int ret;

	to->synth = engine_find_event(m->engine, "synthetic", action->synth);
	for (i = 0; i < action->nparams; i++) {
		const struct hist_param *param = &action->params[i];

		if (hist_field_is_string(hist_event_field(to->synth->own, i)) &&
		    !typed->params[i].value->is_string)
			return hist_expr_error_refuse(m->error, param->span,
						      "use --engine kernel",
						      "the event contains only the address of the "
						      "string");
		ret = make_param(m, param, &typed->params[i], &of, &index);
		if (!ret)
			ret = compile_add_reference(m, of, index, param->span, &to->params[i]);
		if (ret)
			return ret;
	}
	return 0;
}

static int make_save(struct compilation *m, const struct hist_action *action,
		     const struct hist_typed_action *typed)
{
	struct engine_variable *own;
	unsigned int i;
	int ret;

	for (i = 0; i < action->nparams; i++) {
		const struct hist_typed *value = typed->params[i].value;
		const struct hist_param *param = &action->params[i];

		/* "comm" is not an alias of common_comm here (comm_is_field) */
		if (param->is_variable || (value->meaning == HIST_MEANS_COMM &&
					   strcmp(param->text, "common_comm")))
			return hist_expr_error_refuse(m->error, param->span, "", "no such field");
		ret = make_own_field(m, value, &own);
		if (ret)
			return ret;
		if (own->value->is_stack)
			return hist_expr_error_refuse(m->error, param->span, "",
						      "save() cannot store a stack, only its "
						      "address");
		m->hist->save_vars[m->hist->nsave_vars++] = own->index;
	}
	return 0;
}

/* $x of onmax() and onchange(), a variable of this trigger */
static int make_tracked(struct compilation *m, struct engine_action *to,
			const struct hist_action *action, unsigned int tracked)
{
	const struct value *value = m->hist->vars[tracked].value;
	struct engine_variable *track, *peak;
	int ret;

	if (value->is_string || value->is_stack)
		return hist_expr_error_refuse(m->error, action->subject_span, "",
					      "the variable is not a number");
	ret = compile_add_reference(m, m->hist, tracked, action->subject_span, &to->tracked);
	if (!ret)
		ret = compile_add_variable(m, action->subject_span, &track);
	if (ret)
		return ret;
	to->track = track->index;
	if (hist_schema_peak(m->hist->schema) < 0)
		return 0;
	ret = compile_add_variable(m, action->subject_span, &peak);
	if (!ret)
		to->peak = peak->index;
	return ret;
}

static int make_action(struct compilation *m, unsigned int i)
{
	const struct hist_typed_action *typed = &m->typed->actions[i];
	const struct hist_action *action = &m->expr->actions[i];
	struct engine_action *to = &m->hist->actions[i];
	int ret = 0;

	to->peak = -1;
	to->handler = action->handler;
	to->kind = action->kind;
	if (action->kind == HIST_ACTION_SNAPSHOT)
		return hist_expr_error_refuse(m->error, action->span, "",
					      "snapshot() works only in a running kernel");
	if (action->handler != HIST_ONMATCH)
		ret = make_tracked(m, to, action, typed->tracked);
	if (ret)
		return ret;
	return action->kind == HIST_ACTION_SAVE ? make_save(m, action, typed) :
						  make_trace(m, to, action, typed);
}

int compile_actions(struct compilation *m)
{
	unsigned int i;
	int ret = 0;

	if (!m->expr->nactions)
		return 0;
	m->hist->actions = calloc(m->expr->nactions, sizeof(*m->hist->actions));
	if (!m->hist->actions)
		return -ENOMEM;
	m->hist->nactions = m->expr->nactions;
	for (i = 0; !ret && i < m->expr->nactions; i++)
		ret = make_action(m, i);
	return ret;
}

// SPDX-License-Identifier: LGPL-2.1
/*
 * sql_found.c - what libtracefs made of a --sql query
 *
 * Each line is "echo 'TEXT' > FILE" or "echo 'TEXT' >> FILE".  A string of the query can contain
 * "' >", but no newline, and a file cannot: TEXT ends at the last one.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lib/base/text.h"
#include "lib/query/sql.h"

static const char command_head[] = "echo '", command_tail[] = "' >";

/* A part of the output of libtracefs. */
struct found_part {
	const char *at;
	size_t len;
};

/*
 * Divide the first command of @text into @what and @file, and remove it.  -EINVAL: there is none.
 */
static int sql_found_take_command(struct found_part *text, struct found_part *what,
				  struct found_part *file)
{
	const size_t head = strlen(command_head), tail = strlen(command_tail);
	const char *end = memchr(text->at, '\n', text->len), *at;
	size_t len;

	if (!end)
		return -EINVAL;
	len = end - text->at;
	if (len < head + tail || memcmp(text->at, command_head, head) ||
	    memchr(text->at, '\0', len))
		return -EINVAL;
	for (at = end - tail; memcmp(at, command_tail, tail); at--) {
		if (at == text->at + head)
			return -EINVAL;
	}
	*what = (struct found_part){ text->at + head, at - text->at - head };
	at += tail + (at[tail] == '>');
	*file = (struct found_part){ at, end - at };
	text->len -= len + 1;
	text->at = end + 1;
	return what->len <= HIST_TEXT_MAX ? 0 : -EINVAL;
}

/* Cut the last name of the path @file off; -EINVAL if it is no name of an event or a system. */
static int sql_found_cut_name(struct found_part *file, struct found_part *name)
{
	const char *slash = memrchr(file->at, '/', file->len), *c;

	if (!slash || slash + 1 == file->at + file->len)
		return -EINVAL;
	*name = (struct found_part){ slash + 1, file->at + file->len - slash - 1 };
	file->len = slash - file->at;
	for (c = name->at; c < name->at + name->len; c++) {
		if (!text_is_word(*c) && *c != '-' && *c != '.')
			return -EINVAL;
	}
	return 0;
}

/* "PATH/events/SYS/EVENT/trigger" */
static int sql_found_read_event(char **event, struct found_part file)
{
	struct found_part name, system;

	if (sql_found_cut_name(&file, &name) || !text_equals(name.at, name.len, "trigger") ||
	    sql_found_cut_name(&file, &name) || sql_found_cut_name(&file, &system))
		return -EINVAL;
	if (asprintf(event, "%.*s:%.*s", (int)system.len, system.at, (int)name.len, name.at) >= 0)
		return 0;
	*event = NULL;
	return -ENOMEM;
}

/*
 * The text of END with its action in the newer form: libtracefs writes that of Linux 4.17,
 * "NAME(PARAMS)" for "trace(NAME,PARAMS)", if it cannot read the README of this machine.  The
 * parser would take a NAME that begins with "trace" for the action.  The filter, which has strings,
 * is behind it.  @name: NULL for other triggers.
 */
static char *sql_found_copy_text(struct found_part what, const char *name)
{
	const char *end = what.at + what.len, *at = NULL;
	char old[80], *text;

	if (name) {
		snprintf(old, sizeof(old), ").%s(", name);
		at = memmem(what.at, what.len, old, strlen(old));
	}
	if (!at)
		return strndup(what.at, what.len);
	if (asprintf(&text, "%.*s).trace(%s,%.*s", (int)(at - what.at), what.at, name,
		     (int)(end - at - strlen(old)), at + strlen(old)) < 0)
		return NULL;
	return text;
}

static int sql_found_parse(struct sql_found_trigger *t, struct found_part what,
			   struct found_part file, const char *name)
{
	int ret = sql_found_read_event(&t->event, file);
	char *text;

	if (ret)
		return ret;
	text = sql_found_copy_text(what, name);
	ret = text ? hist_expr_parse(&t->expr, text, NULL) : -ENOMEM;
	free(text);
	return ret;
}

static int sql_found_read_trigger(struct sql_found_trigger *t, struct found_part *text,
				  const char *name)
{
	struct found_part what, file;
	int ret = sql_found_take_command(text, &what, &file);

	return ret ? ret : sql_found_parse(t, what, file, name);
}

/* A histogram has nothing that changes others, and no action but that of END. */
static bool sql_found_is_plain(const struct hist_expr *expr, unsigned int nactions)
{
	return expr->keys.n && expr->nactions == nactions && !expr->changes_existing &&
	       !expr->paused && !expr->name && !expr->size && !expr->clock && !expr->sorts.n;
}

static bool sql_found_is_join(const struct sql_found *found, const char *name)
{
	const struct hist_expr *end = found->end.expr;
	const struct hist_action *action = end->actions;

	return sql_found_is_plain(found->start.expr, 0) && sql_found_is_plain(end, 1) &&
	       action->handler == HIST_ONMATCH && action->kind == HIST_ACTION_TRACE &&
	       action->synth && !strcmp(action->synth, name) && !strcmp(found->synth->name, name) &&
	       action->nparams == found->synth->nfields;
}

static int sql_found_read_definition(struct sql_found *found, struct found_part what)
{
	if (text_starts_with(what.at, what.len, "s:")) {
		what.at += 2;
		what.len -= 2;
	}
	found->definition = strndup(what.at, what.len);
	return found->definition ? hist_synth_parse(&found->synth, found->definition, NULL)
				 : -ENOMEM;
}

int sql_found_read(struct sql_found *found, const struct hist_strbuf *commands, const char *name)
{
	struct found_part text = { commands->data, commands->len }, what, file;
	int ret = commands->len ? sql_found_take_command(&text, &what, &file) : -EINVAL;

	if (ret)
		return ret;
	if (!text.len) {
		ret = sql_found_parse(&found->start, what, file, NULL);
		return ret ? ret : sql_found_is_plain(found->start.expr, 0) &&
				   !found->start.expr->nvariables ? 0 : -EINVAL;
	}
	ret = sql_found_read_definition(found, what);
	if (!ret)
		ret = sql_found_read_trigger(&found->start, &text, NULL);
	if (!ret)
		ret = sql_found_read_trigger(&found->end, &text, name);
	return ret ? ret : !text.len && sql_found_is_join(found, name) ? 0 : -EINVAL;
}

void sql_found_clear(struct sql_found *found)
{
	hist_synth_free(found->synth);
	free(found->definition);
	free(found->start.event);
	free(found->end.event);
	hist_expr_free(found->start.expr);
	hist_expr_free(found->end.expr);
	*found = (struct sql_found){ 0 };
}

const struct hist_variable *sql_found_time(const struct sql_found *found, unsigned int n)
{
	const struct hist_expr *end = found->end.expr;
	const struct hist_param *param;
	unsigned int i;

	if (n >= end->actions->nparams)
		return NULL;
	param = &end->actions->params[n];
	for (i = 0; param->is_variable && i < end->nvariables; i++) {
		if (strcmp(end->variables[i].name, param->name))
			continue;
		return strstr(end->variables[i].text, "common_timestamp") &&
		       strchr(end->variables[i].text, '-') ? &end->variables[i] : NULL;
	}
	return NULL;
}

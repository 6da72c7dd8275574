// SPDX-License-Identifier: LGPL-2.1
/*
 * recipe.c - parse a recipe file
 *
 * There are three kinds of lines: comments, "word: value" lines of the head, and options. An option
 * after a '?' is used only with an argument.
 *
 * Invariant: the strings of a recipe do not contain control characters.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lib/base/array.h"
#include "lib/base/error.h"
#include "lib/base/reason.h"
#include "lib/base/strbuf.h"
#include "lib/base/text_file.h"
#include "lib/expr/expr.h"
#include "lib/preset/recipe.h"
#include "lib/query/capability_info.h"

/* Capabilities have longer names for these. */
static const char *const known_needs[] = { "hist", "synthetic" };

static int recipe_refuse_line(struct hist_error *error, unsigned int line, const char *what)
{
	const char *hint;
	int len = reason_split_hint(what, &hint);

	return hist_error_set(error, -EINVAL, "line %u: %.*s\n%s", line, len, what, hint);
}

/* Set *@place to a copy of @text, and free the old string. */
static int recipe_set_string(char **place, const char *text)
{
	char *copy = strdup(text);

	if (!copy)
		return -ENOMEM;
	free(*place);
	*place = copy;
	return 0;
}

/* The explanation is part of the text, so it needs at most the room of the text. */
static int recipe_add_explanation(struct recipe *r, const char *text)
{
	size_t len = r->explanation_len, more = strlen(text);
	char *all = realloc(r->explanation, len + more + 2);

	if (!all)
		return -ENOMEM;
	r->explanation = all;
	if (len)
		all[len++] = '\n';
	memcpy(all + len, text, more + 1);
	r->explanation_len = len + more;
	return 0;
}

/* Add a comment: the first one is the summary, the others of the head are the explanation. */
static int take_comment(struct recipe *r, const char *text)
{
	text += strspn(text, "# ");
	if (!r->summary)
		return *text && strncmp(text, "SPDX-", 5) ? recipe_set_string(&r->summary, text) :
		       0;
	if (r->noptions || r->needs.n || r->optional.n || r->naliases ||
	    (!*text && !*r->explanation))
		return 0;
	return recipe_add_explanation(r, text);
}

/* "SYS:EVENT" */
static bool is_event(const char *text)
{
	const char *colon = strchr(text, ':');

	return colon && colon > text && colon[1] && !strpbrk(text, " /");
}

static bool need_known(const char *text)
{
	size_t i;

	if (!strncmp(text, "event ", 6))
		return is_event(text + 6);
	for (i = 0; i < sizeof(known_needs) / sizeof(*known_needs); i++) {
		if (!strcmp(text, known_needs[i]))
			return true;
	}
	return capability_info_find(text);
}

bool recipe_is_name(const char *name)
{
	size_t len = strlen(name);

	return len && len < 64 && *name != '-' &&
	       strspn(name, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-") ==
		       len;
}

/* "NAME" or "NAME (TOOL, TOOL)" */
static int take_alias(struct recipe *r, char *text, unsigned int line, struct hist_error *error)
{
	char *tools = strchr(text, '('), *end = text + strlen(text) - 1;
	struct recipe_alias *alias;

	if (tools && *end == ')') {
		*end = '\0';
		*tools++ = '\0';
		for (end = tools - 1; end > text && end[-1] == ' '; end--)
			end[-1] = '\0';
	}
	if (!recipe_is_name(text) || (tools && !*tools))
		return recipe_refuse_line(error, line,
					  "alias: must be \"NAME\" or \"NAME (TOOL, TOOL)\"");
	if (array_add(&r->aliases, r->naliases, sizeof(*alias)))
		return -ENOMEM;
	alias = &r->aliases[r->naliases++];
	alias->name = strdup(text);
	alias->tools = tools ? strdup(tools) : NULL;
	return alias->name && (alias->tools || !tools) ? 0 : -ENOMEM;
}

/* "NAME" or "NAME = DEFAULT" */
static int take_argument(struct recipe *r, char *text)
{
	char *equals = strchr(text, '=');
	int ret = 0;

	if (equals) {
		ret = recipe_set_string(&r->argument_default, equals + 1 + strspn(equals + 1, " "));
		while (equals > text && equals[-1] == ' ')
			equals--;
		*equals = '\0';
	}
	return ret ? ret : recipe_set_string(&r->argument, text);
}

static const char line_kinds[] =
	"expected a comment, an option, \"alias:\", \"needs:\", \"optional:\", \"unmatched:\" or "
	"\"capture:\"; \"since:\" and \"argument:\" are allowed once each";

/* "event SYS:EVENT" or "event SYS:EVENT = TEXT" */
static int take_optional(struct recipe *r, char *text, unsigned int line, struct hist_error *error)
{
	char *equals = strstr(text, " = ");
	bool known;

	if (equals)
		*equals = '\0';
	known = !strncmp(text, "event ", 6) && is_event(text + 6);
	if (equals)
		*equals = ' ';
	return known ? names_add(&r->optional, text, strlen(text))
		     : recipe_refuse_line(error, line,
					  "optional: must be \"event SYS:EVENT\" or \"event "
					  "SYS:EVENT = TEXT\"");
}

static int take_unmatched(struct recipe *r, const char *text, unsigned int line,
			  struct hist_error *error)
{
	bool start = !strcmp(text, "start");

	if (!start && strcmp(text, "end"))
		return recipe_refuse_line(error, line, "unmatched: must be \"start\" or \"end\"");
	r->unmatched_starts |= start;
	r->unmatched_ends |= !start;
	return 0;
}

static int recipe_parse_head(struct recipe *r, const char *word, char *value, unsigned int line,
			     struct hist_error *error)
{
	if (!*value)
		return recipe_refuse_line(error, line, "a value is missing after ':'");
	if (!strcmp(word, "argument") && !r->argument)
		return take_argument(r, value);
	if (!strcmp(word, "since") && !r->since)
		return recipe_set_string(&r->since, value);
	if (!strcmp(word, "alias"))
		return take_alias(r, value, line, error);
	if (!strcmp(word, "needs"))
		return need_known(value)
			       ? names_add(&r->needs, value, strlen(value))
			       : recipe_refuse_line(error, line,
						    "needs: must be \"event SYS:EVENT\", "
						    "\"hist\", \"synthetic\", or a capability that "
						    "'trace-cmd hist list -v' shows");
	if (!strcmp(word, "optional"))
		return take_optional(r, value, line, error);
	if (!strcmp(word, "unmatched"))
		return take_unmatched(r, value, line, error);
	if (!strcmp(word, "capture"))
		return is_event(value)
			       ? names_add(&r->captured, value, strlen(value))
			       : recipe_refuse_line(error, line, "capture: must be \"SYS:EVENT\"");
	return recipe_refuse_line(error, line, line_kinds);
}

static int recipe_parse_option_line(struct recipe *r, const char *text, unsigned int line)
{
	struct recipe_option *o;
	size_t len;

	if (array_add(&r->options, r->noptions, sizeof(*o)))
		return -ENOMEM;
	o = &r->options[r->noptions];
	*o = (struct recipe_option){ .line = line, .with_argument = *text == '?' };
	if (*text == '?')
		text += 1 + strspn(text + 1, " ");
	len = strcspn(text, " ");
	o->name = strndup(text, len);
	o->value = strdup(text + len + strspn(text + len, " "));
	r->noptions++;
	return o->name && o->value ? 0 : -ENOMEM;
}

static int recipe_parse_line(struct recipe *r, char *text, unsigned int line,
			     struct hist_error *error)
{
	char *end = text + strlen(text), *c;

	for (c = text; *c; c++) {
		if (*c == '\t')
			*c = ' ';
		if ((unsigned char)*c < ' ' || *c == 127)
			return recipe_refuse_line(error, line,
						  "the line contains a control "
						  "character");
	}
	while (end > text && end[-1] == ' ')
		*--end = '\0';
	text += strspn(text, " ");
	if (*text == '#')
		return take_comment(r, text);
	if (!*text)
		return 0;
	if (*text == '-' || *text == '?') {
		c = text + (*text == '?');
		c += strspn(c, " ");
		if (*c != '-' || !c[1] || c[1] == ' ')
			return recipe_refuse_line(error, line, "an option is missing after '?'");
		return recipe_parse_option_line(r, text, line);
	}
	c = strchr(text, ':');
	if (!c)
		return recipe_refuse_line(error, line, line_kinds);
	*c++ = '\0';
	return recipe_parse_head(r, text, c + strspn(c, " "), line, error);
}

/* Check the recipe as a whole. */
static int recipe_check_whole(const struct recipe *r, struct hist_error *error)
{
	unsigned int i;

	if (!r->summary)
		return recipe_refuse_line(error, 1,
					  "a description is missing\nbegin the "
					  "preset file with a comment");
	if (!r->noptions)
		return recipe_refuse_line(error, 1, "the preset file contains no options");
	for (i = 0; i < r->noptions; i++) {
		const struct recipe_option *o = &r->options[i];

		if (!r->argument && (o->with_argument || strstr(o->value, "$ARG") ||
				     strstr(o->value, "$1")))
			return recipe_refuse_line(error, o->line,
						  "the option uses an argument, but the preset "
						  "file does not have an \"argument:\" line");
		if (r->argument && !r->argument_default && !o->with_argument &&
		    (strstr(o->value, "$ARG") || strstr(o->value, "$1")))
			return recipe_refuse_line(error, o->line,
						  "the option uses an argument without a default "
						  "value\nbegin the line with '?' to make the "
						  "option optional, or set a default with "
						  "\"argument: NAME = DEFAULT\"");
	}
	return 0;
}

int recipe_parse(struct recipe **recipe, const char *text, size_t len, struct hist_error *error)
{
	char *copy = NULL, *line, *next;
	unsigned int number = 0;
	struct recipe *r;
	int ret;

	r = calloc(1, sizeof(*r));
	ret = r ? recipe_set_string(&r->explanation, "") : -ENOMEM;
	if (!ret && (len > TEXT_FILE_MAX || memchr(text, '\0', len)))
		ret = recipe_refuse_line(error, 1, "must be a text file smaller than 64 KiB");
	if (!ret) {
		copy = strndup(text, len);
		ret = copy ? 0 : -ENOMEM;
	}
	for (line = copy; !ret && line; line = next) {
		next = strchr(line, '\n');
		if (next)
			*next++ = '\0';
		ret = recipe_parse_line(r, line, ++number, error);
	}
	if (!ret)
		ret = recipe_check_whole(r, error);
	free(copy);
	if (ret)
		recipe_free(r);
	else
		*recipe = r;
	return ret;
}

int recipe_expand_value(char **value, const struct recipe *recipe,
			const struct recipe_option *option, const char *argument)
{
	const char *from = option->value, *dollar;
	struct hist_strbuf b = { 0 };
	size_t skip;

	if (!argument)
		argument = recipe->argument_default;
	while (*from && b.len <= HIST_TEXT_MAX) {
		dollar = strchrnul(from, '$');
		skip = !strncmp(dollar, "$ARG", 4) ? 4 : !strncmp(dollar, "$1", 2) ? 2 : 0;
		/* any other '$' is a variable of a trigger */
		if (!skip && *dollar)
			dollar++;
		hist_strbuf_add(&b, from, dollar - from);
		if (skip && argument)
			hist_strbuf_str(&b, argument);
		from = dollar + skip;
	}
	if (b.len > HIST_TEXT_MAX) {
		hist_strbuf_free(&b);
		return -E2BIG;
	}
	*value = hist_strbuf_string(&b);
	return *value ? 0 : -ENOMEM;
}

bool recipe_needs_argument(const struct recipe *recipe)
{
	unsigned int i;

	for (i = 0; i < recipe->noptions && recipe->options[i].with_argument; i++)
		;
	return i == recipe->noptions && !recipe->argument_default;
}

void recipe_free(struct recipe *recipe)
{
	unsigned int i;

	if (!recipe)
		return;
	for (i = 0; i < recipe->noptions; i++) {
		free(recipe->options[i].name);
		free(recipe->options[i].value);
	}
	for (i = 0; i < recipe->naliases; i++) {
		free(recipe->aliases[i].name);
		free(recipe->aliases[i].tools);
	}
	free(recipe->aliases);
	names_clear(&recipe->needs);
	names_clear(&recipe->optional);
	names_clear(&recipe->captured);
	free(recipe->options);
	free(recipe->summary);
	free(recipe->explanation);
	free(recipe->argument);
	free(recipe->argument_default);
	free(recipe->since);
	free(recipe);
}

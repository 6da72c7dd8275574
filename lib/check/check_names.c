// SPDX-License-Identifier: LGPL-2.1
/*
 * check_names.c - errors for a field that does not exist
 *
 * The hint is a near name, or what the user may have meant by the name, or the list of the event's
 * own fields.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "lib/base/suggest.h"
#include "lib/check/check_private.h"

/* Names that every event has, although they are not in a format file. */
static const char *const special_names[] = {
	"common_cpu",
	"common_timestamp",
	"common_comm",
	"common_stacktrace",
	"hitcount",
};

static const char *const filter_names[] = { "common_cpu", "cpu", "comm" };

#define N_SPECIAL (sizeof(special_names) / sizeof(*special_names))
#define N_FILTER (sizeof(filter_names) / sizeof(*filter_names))

int hist_check_hint_fields(const struct hist_event *event, struct hist_error *error)
{
	char list[sizeof(((struct hist_error *)0)->hint)];
	size_t len = 0, n;
	unsigned int i;

	list[0] = '\0';
	for (i = 0; i < event->nfields; i++) {
		const char *name = hist_event_field(event, i)->name;

		if (!strncmp(name, "common_", strlen("common_")))
			break;
		n = strlen(name);
		if (len + n > 130) {
			strcpy(list + len, len ? ", ..." : "...");
			break;
		}
		if (len) {
			memcpy(list + len, ", ", 2);
			len += 2;
		}
		memcpy(list + len, name, n + 1);
		len += n;
	}
	return hist_expr_error_hint(
		error, list[0] ? "use one of: %s" : "use a common field, such as common_pid%s",
		list);
}

static int hint_use(const char *name, enum hist_use use, const struct hist_event *event,
		    struct hist_error *error)
{
	if (use == HIST_USE_FILTER &&
	    (!strcmp(name, "common_timestamp") || !strcmp(name, "common_stacktrace")))
		return hist_expr_error_refuse(error, error->at, "", "a filter cannot use \"%s\"",
					      name);
	if (use != HIST_USE_FILTER && (!strcasecmp(name, "comm") || !strcmp(name, "execname")))
		return hist_expr_error_hint(error, "did you mean \"common_pid.execname\"?");
	return hist_check_hint_fields(event, error);
}

int hist_check_refuse_field(const char *name, struct hist_span at, enum hist_use use,
			    const struct hist_event *event, struct hist_error *error)
{
	unsigned int i, n = 0, nfields = event->nfields;
	const char **candidates, *near;

	if (!error)
		return -EINVAL;
	hist_expr_error_set(error, at.start, at.len, "%s:%s: no field \"%.*s\"",
			    event->system, event->name,
			    HIST_SHOW(strlen(name)), name);
	candidates = malloc((nfields + N_SPECIAL + N_FILTER) * sizeof(*candidates));
	if (!candidates)
		return -ENOMEM;
	for (i = 0; i < nfields; i++)
		candidates[n++] = hist_event_field(event, i)->name;
	if (use == HIST_USE_FILTER)
		for (i = 0; i < N_FILTER; i++)
			candidates[n++] = filter_names[i];
	else
		for (i = 0; i < N_SPECIAL - (use == HIST_USE_KEY); i++)
			candidates[n++] = special_names[i];

	near = hist_suggest(name, candidates, n);
	/* otherwise the name exists, but not for this use */
	if (near && strcmp(near, name))
		hist_expr_error_hint(error, "did you mean \"%s\"?", near);
	else
		hint_use(name, use, event, error);
	free(candidates);
	return -EINVAL;
}

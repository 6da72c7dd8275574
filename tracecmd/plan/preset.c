// SPDX-License-Identifier: GPL-2.0
/*
 * preset.c - check what a preset needs, and add its options to a plan
 */
#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lib/base/text.h"
#include "tracecmd/base/message.h"
#include "tracecmd/kernel/capability.h"
#include "tracecmd/plan/plan_options.h"
#include "tracecmd/plan/preset.h"
#include "tracecmd/plan/preset_find.h"
#include "tracecmd/target/target_path.h"

/* Options that a recipe may have: those that define what is counted. */
static const char *const allowed[] = {
	"-e", "-R", "-k", "-v", "-s", "-f", "--latency", "--sql", "--kprobe", "--uprobe",
	"--usdt", "--function", "--function-latency", "--tracer",
};

/* A feature that is not a file: a capability, by its name. */
static int find_missing_capability(struct hist_target *t, const char *what, bool engine, char *why,
				   size_t why_len)
{
	const struct capability_info *info;
	struct capabilities caps;
	int ret;

	info = capability_find(what);
	if (info->is_tracer && !engine) {
		snprintf(why, why_len, "hist triggers count only events, not the output of a tracer");
		return 1;
	}
	if (engine && (info->base == CAP_HIST_TRIGGERS || info->base == CAP_SYNTHETIC_EVENTS))
		return 0;
	ret = capability_detect(&caps, t);
	if (ret)
		return ret;
	ret = caps.has[info - capability_info] == PRESENCE_NO;
	capability_clear(&caps);
	if (info->is_tracer)
		snprintf(why, why_len, "no %s (CONFIG_%.*s)", info->name,
			 (int)strcspn(info->configs, " "), info->configs);
	else
		snprintf(why, why_len, "no %s: %s", info->name, info->what);
	return ret;
}

int preset_find_missing(struct hist_target *t, const char *what, bool engine, char *why,
			size_t why_len)
{
	static const struct {
		const char *what, *file, *lacks;
		bool of_kernel; /* the user-space engine replaces it */
	} needs[] = {
		{ "hist", "events/sched/sched_switch/hist",
		  "no hist triggers (CONFIG_HIST_TRIGGERS)", true },
		{ "synthetic", "synthetic_events", "no synthetic events (CONFIG_SYNTH_EVENTS)", true },
		{ "uprobes", "uprobe_events", "no uprobe events (CONFIG_UPROBE_EVENTS)", false },
		{ "kprobes", "kprobe_events", "no kprobe events (CONFIG_KPROBE_EVENTS)", false },
	};
	const char *colon = strchr(what, ':'), *lacks = "no event ";
	const unsigned int n = sizeof(needs) / sizeof(*needs);
	unsigned int i = 0;
	int ret;

	if (colon) {
		what += strlen("event ");
		ret = target_existsf(t, "events/%.*s/%s/format", (int)(colon - what), what, colon + 1);
	} else {
		while (i < n && strcmp(needs[i].what, what))
			i++;
		if (i == n)
			return find_missing_capability(t, what, engine, why, why_len);
		lacks = needs[i].lacks;
		ret = needs[i].of_kernel && engine ? 1 : target_existsf(t, "%s", needs[i].file);
	}
	if (ret < 0)
		return ret;
	snprintf(why, why_len, "%s%s", lacks, colon ? what : "");
	return !ret;
}

/* The argument becomes a quoted part of filters. */
static int check_argument(const char *name, const struct recipe *recipe, const char *argument)
{
	const char *c;

	if (argument && !recipe->argument)
		return message_refuse(-EINVAL, "--preset %s:%s: this preset does not accept an "
				      "argument", name, argument);
	if (!argument && recipe_needs_argument(recipe))
		return message_refuse(-EINVAL, "--preset %s: needs an argument\nuse --preset %s:%s",
				      name, name, recipe->argument);
	for (c = argument ? argument : ""; *c; c++) {
		if ((unsigned char)*c >= ' ' && *c != 127 && !strchr("\"'\\", *c))
			continue;
		return message_refuse(-EINVAL, "--preset %s:%s: %s must not contain quotes, "
				      "backslashes or control characters", name, argument,
				      recipe->argument);
	}
	if (argument && !*argument)
		return message_refuse(-EINVAL, "--preset %s: %s is empty\nleave out the colon", name,
				      recipe->argument);
	return 0;
}

static bool preset_names_event(const char *value, const char *event)
{
	const char *at = strstr(value, event);

	while (at && text_is_word(at[strlen(event)]))
		at = strstr(at + 1, event);
	return at;
}

/* The events that an option added, from @first on, are left out if the target lacks what they name. */
static void preset_set_optional(struct plan *plan, unsigned int first, const char *value)
{
	unsigned int i;

	for (i = 0; i < plan->query.nneeds; i++) {
		const struct query_need *need = &plan->query.needs[i];

		if (!need->omits || !preset_names_event(value, need->what + strlen("event ")))
			continue;
		for (; first < plan->query.nevents; first++)
			plan->query.events[first].optional = need->what;
	}
}

/* Set what is normal in the latencies that an option added, from @first on. */
static void preset_set_unmatched(struct plan *plan, unsigned int first, const struct recipe *recipe)
{
	for (; first < plan->query.nevents; first++) {
		plan->query.events[first].of_preset = true;
		plan->query.events[first].usual_starts = recipe->unmatched_starts;
		plan->query.events[first].usual_ends = recipe->unmatched_ends;
	}
}

static int carry_out(struct plan *plan, const struct recipe *recipe, const char *path,
		     const char *argument)
{
	const struct recipe_option *o;
	unsigned int i, a, first;
	char *value;
	int ret;

	for (i = 0; i < recipe->noptions; i++) {
		o = &recipe->options[i];
		if (o->with_argument && !argument && !recipe->argument_default)
			continue;
		for (a = 0; a < sizeof(allowed) / sizeof(*allowed); a++) {
			if (!strcmp(allowed[a], o->name))
				break;
		}
		if (a == sizeof(allowed) / sizeof(*allowed) || !*o->value)
			return message_refuse(-EINVAL, "%s: line %u: %s: %s", path, o->line,
					      o->name, *o->value ? "not allowed in a preset file" :
					      "needs a value");
		value = (char *)query_own(&plan->query, recipe_expand_value(recipe, o, argument));
		first = plan->query.nevents;
		ret = value ? plan_apply_named_option(plan, o->name, value) : -ENOMEM;
		if (ret)
			return ret == -ENOMEM ? ret : message_refuse(ret, "%s: line %u: cannot apply "
				"%s %s", path, o->line, o->name, o->value);
		preset_set_optional(plan, first, value);
		preset_set_unmatched(plan, first, recipe);
	}
	return 0;
}

static int add_needs(struct plan *plan, const struct recipe *recipe, const char *name)
{
	struct query_need need = { .preset = query_own(&plan->query, strdup(name)) };
	const char *what;
	char *equals;
	unsigned int i;

	if (!need.preset)
		return -ENOMEM;
	for (i = 0; i < recipe->captured.n; i++) {
		what = query_own(&plan->query, strdup(recipe->captured.names[i]));
		if (!what || query_add_captured(&plan->query, what))
			return -ENOMEM;
	}
	if (recipe->since) {
		need.since = query_own(&plan->query, strdup(recipe->since));
		if (!need.since)
			return -ENOMEM;
	}
	for (i = 0; i < recipe->needs.n; i++) {
		need.what = query_own(&plan->query, strdup(recipe->needs.names[i]));
		if (!need.what || query_add_need(&plan->query, &need))
			return -ENOMEM;
	}
	for (i = 0; i < recipe->optional.n; i++) {
		need.what = query_own(&plan->query, strdup(recipe->optional.names[i]));
		if (!need.what)
			return -ENOMEM;
		equals = strstr(need.what, " = ");
		if (equals)
			*equals = '\0';
		need.omits = equals ? equals + strlen(" = ") : "";
		if (query_add_need(&plan->query, &need))
			return -ENOMEM;
	}
	return 0;
}

int preset_add(struct plan *plan, const char *spec)
{
	const char *slash = strrchr(spec, '/');
	const char *colon = strchr(slash ? slash : spec, ':');
	const char *argument = colon ? colon + 1 : NULL;
	struct preset preset = { 0 };
	char *name;
	int ret = -ENOMEM;

	name = colon ? strndup(spec, colon - spec) : strdup(spec);
	if (!name)
		goto out;
	ret = preset_open(&preset, name);
	if (ret == -ENOENT)
		preset_refuse_name(name);
	else if (ret && ret != -ENOMEM)
		message_error("--preset %s: %s", name, strerror(-ret));
	if (ret)
		goto out;
	if (!preset.recipe)
		ret = message_refuse_why(-EINVAL, "", preset.path ? preset.path : name,
					 preset.error);
	if (!ret)
		ret = check_argument(name, preset.recipe, argument);
	if (!ret)
		ret = add_needs(plan, preset.recipe, name);
	if (!ret)
		ret = carry_out(plan, preset.recipe, preset.path ? preset.path : name, argument);
out:
	preset_close(&preset);
	free(name);
	return ret;
}

// SPDX-License-Identifier: GPL-2.0
/*
 * kernel_needs.c - check if the kernel of a target has what a preset needs
 *
 * A need is an event, a file of tracefs, or a capability.
 */
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "tracecmd/kernel/capability.h"
#include "tracecmd/kernel/kernel_needs.h"
#include "tracecmd/target/target_path.h"

/* A feature that is not a file: a capability, by its name. */
static int kernel_find_missing_capability(struct hist_target *t, const char *what, bool engine,
					  struct hist_error *error)
{
	const struct capability_info *info;
	struct capabilities caps;
	int ret;

	info = capability_info_find(what);
	if (info->is_tracer && !engine) {
		hist_error_set(error, -EOPNOTSUPP,
			       "hist triggers count only events, not the output of a tracer");
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
		hist_error_set(error, -EOPNOTSUPP, "no %s (CONFIG_%.*s)", info->name,
			       (int)strcspn(info->configs, " "), info->configs);
	else
		hist_error_set(error, -EOPNOTSUPP, "no %s: %s", info->name, info->what);
	return ret;
}

int kernel_find_missing(struct hist_target *t, const char *what, bool engine,
			struct hist_error *error)
{
	static const struct {
		const char *what, *file, *lacks;
		bool of_kernel; /* the user-space engine replaces it */
	} needs[] = {
		{ "hist", "events/sched/sched_switch/hist",
		  "no hist triggers (CONFIG_HIST_TRIGGERS)", true },
		{ "synthetic", "synthetic_events", "no synthetic events (CONFIG_SYNTH_EVENTS)",
		  true },
		{ "uprobes", "uprobe_events", "no uprobe events (CONFIG_UPROBE_EVENTS)", false },
		{ "kprobes", "kprobe_events", "no kprobe events (CONFIG_KPROBE_EVENTS)", false },
	};
	const char *colon = strchr(what, ':'), *lacks = "no event ";
	const unsigned int n = sizeof(needs) / sizeof(*needs);
	unsigned int i = 0;
	int ret;

	if (colon) {
		what += strlen("event ");
		ret = target_existsf(t, "events/%.*s/%s/format", (int)(colon - what), what,
				     colon + 1);
	} else {
		while (i < n && strcmp(needs[i].what, what))
			i++;
		if (i == n)
			return kernel_find_missing_capability(t, what, engine, error);
		lacks = needs[i].lacks;
		ret = needs[i].of_kernel && engine ? 1 : target_existsf(t, "%s", needs[i].file);
	}
	if (ret < 0)
		return ret;
	hist_error_set(error, -EOPNOTSUPP, "%s%s", lacks, colon ? what : "");
	return !ret;
}

// SPDX-License-Identifier: GPL-2.0
/*
 * capability.c - detect what the kernel of a target can do for histograms
 *
 * The library detects the grammar of triggers (lib/expr/kernel_features.h). Any other capability
 * is a file that must exist, a word in the README of tracefs (readme_msg[] in
 * kernel/trace/trace.c, which depends on the configuration), or both. Without a README only the
 * files are checked.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "lib/expr/kernel_features.h"
#include "tracecmd/kernel/capability.h"

static enum presence capability_to_presence(bool there)
{
	return there ? PRESENCE_YES : PRESENCE_NO;
}

static int capability_file_exists(void *data, const char *file)
{
	struct hist_target *t = data;

	return t->ops->exists(t, file);
}

static void capability_read_kernel(struct hist_kernel *kernel, struct hist_target *t,
				   const char *readme)
{
	struct hist_kernel_signs signs = {
		.readme = readme, .release = hist_kernel_find_release(t->uname),
		.exists = capability_file_exists, .data = t,
	};

	hist_kernel_from_signs(kernel, &signs);
}

void capability_detect_kernel(struct hist_kernel *kernel, struct hist_target *t)
{
	struct target_buf readme = { 0 };
	int ret = t->ops->read(t, "README", &readme);

	capability_read_kernel(kernel, t, ret ? NULL : readme.data);
	free(readme.data);
}

/* Without a README the library assumes the newest kernel, but a list must not. */
static void capability_read_language(struct capabilities *caps, struct hist_target *t,
				     const char *readme)
{
	struct hist_kernel kernel;

	if (!readme)
		return;
	capability_read_kernel(&kernel, t, readme);
	caps->has[CAP_HIST_TRIGGERS] = capability_to_presence(kernel.hist);
	caps->has[CAP_SYNTHETIC_EVENTS] = capability_to_presence(kernel.synthetic);
	caps->has[CAP_COMMON_STACKTRACE] = capability_to_presence(kernel.stacks);
	if (!kernel.stacks)
		caps->has[CAP_STACK_FIELDS] = PRESENCE_NO;
	caps->has[CAP_STACK_CHAINS] =
		capability_to_presence(kernel.stack_chains && caps->has[CAP_STACK_FIELDS]);
	caps->has[CAP_COMMON_COMM] = capability_to_presence(kernel.common_comm);
	caps->has[CAP_BUCKETS] = capability_to_presence(kernel.buckets);
	/* with several triggers: lib/query/fine_log2.h */
	caps->has[CAP_FINE_LOG2] = capability_to_presence(kernel.fine_log2 || kernel.literals);
	caps->has[CAP_PERCENT_GRAPH] = capability_to_presence(kernel.percent);
	caps->has[CAP_NOHITCOUNT] = capability_to_presence(kernel.nohitcount);
	caps->has[CAP_SNAPSHOT] = capability_to_presence(kernel.snapshot);
}

/* 1 if the file exists, 0 if not; -errno. A file of /proc can only be read. */
static int capability_find_file(struct hist_target *t, const char *file)
{
	struct target_buf buf = { 0 };
	int ret;

	if (*file != '/')
		return t->ops->exists(t, file);
	ret = t->ops->read(t, file, &buf);
	free(buf.data);
	return ret == -ENOMEM ? ret : !ret;
}

/* No file of tracefs shows if the target has groups of tasks. */
static int capability_detect_cgroups(struct capabilities *caps, struct hist_target *t)
{
	struct target_buf buf = { 0 };
	int ret = t->ops->tasks ? t->ops->tasks(t, "/", &buf) : -ENOTSUP;

	free(buf.data);
	if (caps->has[CAP_TASK_CHILDREN] != PRESENCE_YES)
		caps->has[CAP_CGROUPS] = PRESENCE_NO;
	else if (t->ops->tasks)
		caps->has[CAP_CGROUPS] = capability_to_presence(!ret);
	return ret == -ENOMEM ? ret : 0;
}

static int capability_detect_one(enum presence *has, struct hist_target *t,
				 const struct capability_info *info,
				 const char *readme)
{
	int ret = info->file ? capability_find_file(t, info->file) : 1;

	if (ret < 0)
		return ret;
	if (ret && !info->word)
		*has = info->file ? PRESENCE_YES : PRESENCE_UNKNOWN;
	else if (ret && !readme)
		*has = PRESENCE_UNKNOWN;
	else
		*has = capability_to_presence(ret && strstr(readme, info->word));
	return 0;
}

int capability_detect(struct capabilities *caps, struct hist_target *t)
{
	struct target_buf readme = { 0 }, clocks = { 0 };
	unsigned int i;
	int ret;

	memset(caps, 0, sizeof(*caps));
	ret = t->ops->read(t, "README", &readme);
	if (ret == -ENOENT) {
		free(readme.data);
		readme.data = NULL;
	} else if (ret) {
		goto out;
	}
	for (i = 0; i < CAPABILITIES; i++) {
		ret = capability_detect_one(&caps->has[i], t, &capability_info[i], readme.data);
		if (ret)
			goto out;
	}
	ret = capability_detect_cgroups(caps, t);
	if (ret)
		goto out;
	capability_read_language(caps, t, readme.data);
	/* these need hist triggers, also if the README names them */
	if (caps->has[CAP_HIST_TRIGGERS] == PRESENCE_NO) {
		caps->has[CAP_STACK_KEYS] = PRESENCE_NO;
		caps->has[CAP_POLL] = PRESENCE_NO;
	}
	ret = t->ops->read(t, "trace_clock", &clocks);
	caps->clocks = clocks.data;
	if (!ret)
		caps->clocks[strcspn(caps->clocks, "\n")] = '\0';
out:
	free(readme.data);
	if (ret)
		capability_clear(caps);
	return ret;
}

void capability_clear(struct capabilities *caps)
{
	free(caps->clocks);
	memset(caps, 0, sizeof(*caps));
}

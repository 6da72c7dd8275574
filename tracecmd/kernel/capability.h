/* SPDX-License-Identifier: GPL-2.0 */
/*
 * capability.h - detect what the kernel of a target can do for histograms
 *
 * The detection uses tracefs: which files exist, and the text of its README. Some files are in
 * /proc, and cgroup v2 must be mounted to be used. The grammar of
 * triggers is detected by lib/expr/kernel_features.h, which also uses the release. The detection
 * works for any target, without its kernel configuration.
 */
#ifndef TRACECMD_KERNEL_CAPABILITY_H
#define TRACECMD_KERNEL_CAPABILITY_H

#include <stdbool.h>

#include "helper/local/target.h"
#include "lib/expr/kernel_features.h"
#include "lib/query/capability_info.h"

enum presence {
	PRESENCE_NO,
	PRESENCE_YES,
	PRESENCE_UNKNOWN, /* tracefs does not show it */
};

struct capabilities {
	enum presence has[CAPABILITIES];
	char *clocks; /* "local [global] ...", without a newline; malloc'ed */
};

/* Only the grammar of triggers. Without a README no feature is assumed to be missing. */
void capability_detect_kernel(struct hist_kernel *kernel, struct hist_target *t);

/* 0, or -errno without a message; then *@caps is zeroed. */
int capability_detect(struct capabilities *caps, struct hist_target *t);
void capability_clear(struct capabilities *caps);

static inline bool capability_is_present(const struct capabilities *caps, enum capability which)
{
	return caps->has[which] == PRESENCE_YES;
}

#endif

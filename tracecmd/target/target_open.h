/* SPDX-License-Identifier: GPL-2.0 */
/*
 * target_open.h - open the machine that is traced
 */
#ifndef TRACECMD_TARGET_TARGET_OPEN_H
#define TRACECMD_TARGET_TARGET_OPEN_H

#include "helper/local/target.h"

/*
 * target_local_new - open this machine
 * Finds tracefs and mounts tracefs if libtracefs can. On failure @why contains the
 * problem and a remedy: -ENODEV no tracefs, -EACCES not permitted, -ENOMEM.
 */
int target_local_new(struct hist_target **target, char *why, size_t why_len);

/* The same with the tracefs directory @path, which is not searched for. */
int target_local_open(struct hist_target **target, const char *path, char *why, size_t why_len);

/*
 * target_open - open the machine that @url names; NULL: this machine
 * target_url.h describes the forms of @url. The errors are those of target_local_new().
 */
int target_open(struct hist_target **target, const char *url, char *why, size_t why_len);

#endif

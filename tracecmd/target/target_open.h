/* SPDX-License-Identifier: GPL-2.0 */
/*
 * target_open.h - open the machine that is traced
 */
#ifndef TRACECMD_TARGET_TARGET_OPEN_H
#define TRACECMD_TARGET_TARGET_OPEN_H

#include "helper/local/target.h"
#include "lib/base/error.h"

/*
 * target_local_new - open this machine
 * Finds tracefs and mounts tracefs if libtracefs can. On failure @error contains the
 * problem and a remedy: -ENODEV no tracefs, -EACCES not permitted, -ENOMEM.
 */
int target_local_new(struct hist_target **target, struct hist_error *error);

/* The same with the tracefs directory @path, which is not searched for. */
int target_local_open(struct hist_target **target, const char *path, struct hist_error *error);

/*
 * target_open - open the machine that @url names; NULL: this machine
 * target_url.h describes the forms of @url. The errors are those of target_local_new().
 */
int target_open(struct hist_target **target, const char *url, struct hist_error *error);

#endif

/* SPDX-License-Identifier: GPL-2.0 */
/*
 * target_shell.h - target operations through a POSIX shell
 */
#ifndef TRACECMD_TARGET_TARGET_SHELL_H
#define TRACECMD_TARGET_TARGET_SHELL_H

#include "tracecmd/target/target_remote.h"
#include "lib/base/error.h"

/*
 * target_shell_new - create a target for a shell that reads lines at the other end of @w
 * Same as target_remote_new(). The target needs cat, mkdir, rmdir, printf, uname and ls; stty on a
 * terminal; dd for pages(). clock() needs an instance,
 * except for "realtime". Each read gets the whole text. A write of
 * more than SHELL_WRITE_MAX bytes is -E2BIG.
 */
int target_shell_new(struct hist_target **target, struct wire *w, const struct remote_link *link,
		     struct hist_error *error);

/* tracefs accepts this in one write(2), also with the newline that is added to a long text. */
#define SHELL_WRITE_MAX 4094

#endif

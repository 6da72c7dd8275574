/* SPDX-License-Identifier: GPL-2.0 */
/*
 * target_url.h - parse the URL of a target
 *
 *	ssh://[USER@]HOST[:PORT]	ssh(1), which runs sh on the target
 *	tcp://HOST:PORT			a listener (`listen -p PORT --key FILE`), by
 *					connect.c; --key names the key file
 *	exec:COMMAND			a command for sh, whose stdin and stdout lead to a
 *					helper or to a shell
 *	shell:URL			one of these, but do not look for a helper
 */
#ifndef TRACECMD_TARGET_TARGET_URL_H
#define TRACECMD_TARGET_TARGET_URL_H

#include <stdbool.h>
#include <stddef.h>

#include "lib/base/error.h"

struct target_url {
	bool shell_only;
	char *label;   /* its name in messages and file names: the host, or "exec" */
	char *argv[12]; /* the command; NULL-terminated */
	char *owned;
};

/* The environment variable of this process that names the key file of tcp:// targets. */
#define TARGET_KEY_ENV "TRACE_CMD_HIST_KEY"

/* What form number @i of a URL begins with, "ssh://"; NULL after the last. */
const char *target_url_scheme(unsigned int i);

/* -EINVAL or -ENOMEM with a sentence in @error. Call target_url_clear() also after a failure. */
int target_url_parse(struct target_url *url, const char *text, struct hist_error *error);
void target_url_clear(struct target_url *url);

#endif

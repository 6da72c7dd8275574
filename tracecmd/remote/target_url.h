/* SPDX-License-Identifier: GPL-2.0 */
/*
 * target_url.h - which machine a --target means
 *
 *	ssh://[USER@]HOST[:PORT]	ssh(1), which runs sh there
 *	tcp://HOST:PORT			a `listen -p PORT --key FILE`, by connect.c; the key's file is
 *					named by target_use_key()
 *	exec:COMMAND			a command of sh, whose stdin and stdout lead to a
 *					helper or to a shell
 *	shell:URL			one of these, without looking for a helper there
 */
#ifndef TRACECMD_REMOTE_TARGET_URL_H
#define TRACECMD_REMOTE_TARGET_URL_H

#include <stdbool.h>
#include <stddef.h>

struct target_url {
	bool shell_only;
	char *label;   /* what to call it in messages and file names: the host, or "exec" */
	char *argv[12]; /* what to run; NULL-terminated */
	char *owned;
};

/* Names the file with the key of tcp:// targets. */
#define TARGET_KEY_ENV "TRACE_CMD_HIST_KEY"

/*
 * target_use_key - the same, as an option says it
 * For this process and those that it starts.  0, or -ENOMEM after a message.
 */
int target_use_key(const char *file);

/* -EINVAL with a sentence in @why; -ENOMEM.  target_url_clear() in any case. */
int target_url_parse(struct target_url *url, const char *text, char *why, size_t why_len);
void target_url_clear(struct target_url *url);

#endif

// SPDX-License-Identifier: GPL-2.0
/*
 * bootstrap.c - who is at the other end of a connection: a helper or a shell
 *
 * A terminal on the way (adb, a serial line) echoes and changes bytes: stty puts
 * an end to that.  An echo of these lines is not taken for an answer, as
 * answers stand at the start of a line.
 */
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "bootstrap.h"

/* Lines of a login before an answer; more is not a login. */
#define MAX_NOISE 1000

#define ANSWER "trace-cmd-hist:"

/* A shell reads a line at a time from here, so nothing must follow until it has answered. */
static const char no_tty[] =
	"t=$(stty -g 2>/dev/null)||t=;[ \"$t\" ]&&stty raw -echo;";
static const char find_helper[] =
	"PATH=$PATH:/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin;"
	"for c in 'trace-cmd-hist-target --stdio' 'trace-cmd-hist listen --stdio';do "
	"if command -v ${c%% *} >/dev/null 2>&1;then echo " ANSWER "exec;"
	"[ \"$t\" ]||exec $c;$c;stty $t;exit;fi;done;";

static int greet(struct wire *w, bool shell_only)
{
	char text[1024];

	snprintf(text, sizeof(text), "#trace-cmd-hist %d %d\n%s%secho " ANSWER "shell\n",
		 WIRE_NEWEST, WIRE_OLDEST, no_tty, shell_only ? "" : find_helper);
	return wire_send_text(w, text);
}

int bootstrap(struct wire *w, bool shell_only, enum bootstrap_kind *kind, char *why,
	      size_t why_len)
{
	unsigned int newest, oldest, noise;
	bool started = false;
	char line[WIRE_LINE_MAX];
	int ret;

	ret = greet(w, shell_only);
	for (noise = 0; !ret && noise < MAX_NOISE; noise++) {
		ret = wire_line(w, line);
		if (ret)
			return ret;
		if (strncmp(line, ANSWER, strlen(ANSWER)))
			continue;
		if (!strcmp(line, ANSWER "shell") && !started) {
			*kind = BOOTSTRAP_SHELL;
			return 0;
		}
		if (!strcmp(line, ANSWER "exec") && !started && !shell_only) {
			started = true;
			ret = greet(w, false);
			continue;
		}
		if (!strncmp(line, ANSWER "refused ", strlen(ANSWER "refused "))) {
			snprintf(why, why_len, "%s", line + strlen(ANSWER "refused "));
			return -EREMOTEIO;
		}
		if (sscanf(line, ANSWER "helper %u %u ", &newest, &oldest) != 2)
			return -EPROTO;
		if (newest < WIRE_OLDEST || oldest > WIRE_NEWEST) {
			snprintf(why, why_len, "the helper there speaks version %u of the protocol: "
				 "install the same version on both sides", newest);
			return -EREMOTEIO;
		}
		*kind = BOOTSTRAP_HELPER;
		return shell_only ? -EPROTO : 0;
	}
	return ret ? ret : -EPROTO;
}

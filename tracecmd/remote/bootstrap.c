// SPDX-License-Identifier: GPL-2.0
/*
 * bootstrap.c - who is at the other end of a connection: a helper or a shell
 *
 * A terminal on the way (adb, a serial line) echoes and changes bytes: stty puts
 * an end to that.  An echo of these lines is not taken for an answer, as none of
 * them has the words of one.  Answers begin a line of their own, behind whatever
 * prompt.  On a terminal the shell prompts, and may edit lines and echo by itself,
 * so there another one, that only reads and runs lines, takes over.
 */
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "tracecmd/remote/bootstrap.h"

/* Lines of a login before an answer; more is not a login. */
#define MAX_NOISE 1000

#define ANSWER "trace-cmd-hist:"

/* The same for a shell, where it does not look like it. */
#define SAY(text) "echo;echo \"${a}" text "\";"

/* A shell reads a line at a time from here, so nothing must follow until it has answered. */
static const char no_tty[] =
	"a='trace-''cmd-hist:';t=$(stty -g 2>/dev/null)||t=;"
	"if [ \"$t\" ];then stty raw -echo;elif [ -t 0 ];then "
	SAY("refused a terminal is on the way, and there is no stty(1) to make it carry bytes") "fi;";
static const char find_helper[] =
	"PATH=$PATH:/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin;"
	"for c in 'trace-cmd-hist-target --stdio' 'trace-cmd-hist listen --stdio';do "
	"if command -v ${c%% *} >/dev/null 2>&1;then " SAY("exec")
	"[ \"$t\" ]||exec $c;$c;stty $t;exit;fi;done;";
/* $t tells it that it is on a terminal. */
static const char take_over[] =
	SAY("shell") "[ \"$t\" ]&&export t&&"
	"{ sh -c 'while IFS= read -r l;do eval \"$l\";done';stty $t;}";

static int greet(struct wire *w, bool shell_only)
{
	char text[1536];

	snprintf(text, sizeof(text), "#trace-cmd-hist %d %d\n%s%s%s\n", WIRE_NEWEST, WIRE_OLDEST,
		 no_tty, shell_only ? "" : find_helper, take_over);
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

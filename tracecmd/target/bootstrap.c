// SPDX-License-Identifier: GPL-2.0
/*
 * bootstrap.c - detect a target helper or a shell at the other end of a connection
 *
 * A terminal between the two ends (adb, a serial line) echoes and changes bytes; stty(1) stops
 * this. The sent lines do not contain the text of an answer, so an echo of them is not an answer.
 * Each answer is a separate line, also after a prompt. A shell on a terminal prints prompts, and
 * may edit and echo lines itself. It therefore starts a second shell that only reads and runs
 * lines.
 */
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "lib/base/error.h"
#include "tracecmd/target/target_link.h"

/* Limit for the lines that a login prints before an answer. */
#define MAX_NOISE 1000

#define ANSWER "trace-cmd-hist:"

/* The command that prints ANSWER; the command itself does not contain ANSWER. */
#define SAY(text) "echo;echo \"${a}" text "\";"

/* From here on the shell reads lines: send nothing more before it has answered. */
static const char no_tty[] =
	"a='trace-''cmd-hist:';t=$(stty -g 2>/dev/null)||t=;"
	"if [ \"$t\" ];then stty raw -echo;elif [ -t 0 ];then "
	SAY("refused the target is on a terminal and lacks stty(1), which is needed to send binary "
	    "data") "fi;";
static const char find_helper[] =
	"PATH=$PATH:/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin;"
	"for c in 'trace-cmd-hist-target --stdio' 'trace-cmd-hist listen --stdio';do "
	"if command -v ${c%% *} >/dev/null 2>&1;then " SAY("exec")
	"[ \"$t\" ]||exec $c;$c;stty $t;exit;fi;done;";
/* $t is set if the shell is on a terminal. */
static const char take_over[] =
	SAY("shell") "[ \"$t\" ]&&export t&&"
	"{ sh -c 'while IFS= read -r l;do eval \"$l\";done';stty $t;}";

static int bootstrap_send_greeting(struct wire *w, bool shell_only)
{
	char text[1536];

	snprintf(text, sizeof(text), "#trace-cmd-hist %d %d\n%s%s%s\n", WIRE_NEWEST, WIRE_OLDEST,
		 no_tty, shell_only ? "" : find_helper, take_over);
	return wire_send_text(w, text);
}

/* The answer is one line, "PROBLEM" or "PROBLEM; HINT". */
static int refuse_answer(const char *answer, struct hist_error *error)
{
	const char *hint = strstr(answer, "; ");
	int len = hint ? (int)(hint - answer) : (int)strlen(answer);

	return hist_error_set(error, -EREMOTEIO, "%.*s\n%s", len, answer,
			      hint ? hint + strlen("; ") : "");
}

int bootstrap(struct wire *w, bool shell_only, enum bootstrap_kind *kind, unsigned int *version,
	      struct hist_error *error)
{
	unsigned int newest, oldest, noise;
	bool started = false;
	char line[WIRE_LINE_MAX];
	int ret;

	ret = bootstrap_send_greeting(w, shell_only);
	for (noise = 0; !ret && noise < MAX_NOISE; noise++) {
		ret = wire_read_line(w, line);
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
			ret = bootstrap_send_greeting(w, false);
			continue;
		}
		if (!strncmp(line, ANSWER "refused ", strlen(ANSWER "refused ")))
			return refuse_answer(line + strlen(ANSWER "refused "), error);
		if (sscanf(line, ANSWER "helper %u %u ", &newest, &oldest) != 2)
			return -EPROTO;
		if (newest < WIRE_OLDEST || oldest > WIRE_NEWEST)
			return hist_error_set(
				error, -EREMOTEIO,
				"the target helper uses "
				"version %u of the protocol\ninstall the same version on "
				"both machines",
				newest);
		*kind = BOOTSTRAP_HELPER;
		*version = newest < WIRE_NEWEST ? newest : WIRE_NEWEST;
		return shell_only ? -EPROTO : 0;
	}
	return ret ? ret : -EPROTO;
}

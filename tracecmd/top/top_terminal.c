// SPDX-License-Identifier: GPL-2.0
/*
 * top_terminal.c - check that the terminal can be used
 *
 * This is a file of its own because <term.h> defines macros such as "columns".
 */
#include <errno.h>
#include <stdlib.h>
#include <unistd.h>

#include "tracecmd/base/message.h"
#include "tracecmd/top/top_screen.h"

#include <ncurses.h>
#include <term.h>

static int no_terminal(const char *why)
{
	const char *term = getenv("TERM");

	return message_refuse(-ENOTSUP, "TERM=%s: %s\nuse --batch, or another TERM", term ? term :
			      "", why);
}

int top_screen_check(void)
{
	int err, ret;

	if (setupterm(NULL, STDOUT_FILENO, &err) != OK)
		return no_terminal("unknown terminal type");
	ret = cursor_address ? 0 : no_terminal("cannot move the cursor");
	del_curterm(cur_term);
	return ret;
}

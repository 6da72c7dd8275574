// SPDX-License-Identifier: GPL-2.0
/*
 * replay.c - `trace-cmd hist replay`
 */
#include "tracecmd/base/command.h"
#include "tracecmd/replay/replay.h"

int cmd_replay(int argc, char **argv)
{
	struct replay_options options;
	int ret;

	ret = replay_options(&options, argc, argv);
	if (!ret)
		ret = replay_run(&options);
	else
		ret = ret > 0 ? EXIT_DONE : EXIT_TROUBLE;
	plan_clear(&options.plan);
	return ret;
}

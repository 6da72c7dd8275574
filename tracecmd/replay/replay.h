/* SPDX-License-Identifier: GPL-2.0 */
/*
 * replay.h - `trace-cmd hist replay`: count the recorded events of a file
 */
#ifndef TRACECMD_REPLAY_REPLAY_H
#define TRACECMD_REPLAY_REPLAY_H

/* The verb.  argv[0] is its name; the result is the exit status (command.h). */
int cmd_replay(int argc, char **argv);

#endif

/* SPDX-License-Identifier: GPL-2.0 */
/*
 * replay_files.h - the message if several files are given to `trace-cmd hist replay`
 */
#ifndef TRACECMD_REPLAY_REPLAY_FILES_H
#define TRACECMD_REPLAY_REPLAY_FILES_H

/* Print why two files are not counted together; the message names a host and its guest. */
void replay_refuse_files(const char *first, const char *second);

#endif

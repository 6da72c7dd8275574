/* SPDX-License-Identifier: GPL-2.0 */
/*
 * replay_files.h - why several files are not counted together
 */
#ifndef TRACECMD_REPLAY_REPLAY_FILES_H
#define TRACECMD_REPLAY_REPLAY_FILES_H

/* Tells it of the two files that were given; a host and its guest are called so. */
void replay_refuse_files(const char *first, const char *second);

#endif

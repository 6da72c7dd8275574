/* SPDX-License-Identifier: GPL-2.0 */
/*
 * version.h - the output of trace-cmd-hist --version
 */
#ifndef TRACECMD_VERSION_H
#define TRACECMD_VERSION_H

/* Print the version, the engines, and the libraries with their versions. */
void version_print(void);

#endif

/* SPDX-License-Identifier: GPL-2.0 */
/*
 * fake_target.h - a target over an ordinary directory, for tests
 *
 * A file called "trigger" behaves as the kernel's: what is written is a line
 * that is added, -EEXIST when it is there; "!LINE" removes it, and is 0 also
 * when it is not there.  Other files are plain.  rmdir takes all that is below
 * along.  Every change is one line in the file "log" of the directory, so that
 * those of forked children are seen too.
 */
#ifndef UTEST_UNIT_TRACECMD_TARGET_FAKE_TARGET_H
#define UTEST_UNIT_TRACECMD_TARGET_FAKE_TARGET_H

#include "helper/local/target.h"

struct fake_target {
	struct hist_target target; /* first */
	int dir;
	/* This operation on this path fails this often (-1: always) with this error. */
	const char *fail_op;
	const char *fail_path;
	int fail_times;
	int fail_err;
};

/* @dir is made, with instances/ in it. NULL on failure. */
struct fake_target *fake_target_new(const char *dir);

/* Add a file with this text; directories are made. */
int fake_target_put(struct fake_target *fake, const char *path, const char *text);

/* The text of a file, or NULL; free it. */
char *fake_target_get(struct fake_target *fake, const char *path);

/* The log so far, which is emptied; free it. */
char *fake_target_log(struct fake_target *fake);

#endif

/* SPDX-License-Identifier: GPL-2.0 */
/*
 * serve_fixture.h - a helper in a child, and the scratch directory it serves
 *
 * Its tracefs is "tracefs" in the scratch directory, so that what a request did
 * can be seen in files; its journals are in "journals".  What goes wrong here is a
 * failed assertion.
 */
#ifndef UTEST_UNIT_TARGET_SERVE_SERVE_FIXTURE_H
#define UTEST_UNIT_TARGET_SERVE_SERVE_FIXTURE_H

#include <stdbool.h>
#include <sys/types.h>

#include "helper/local/target.h"
#include "helper/wire/wire.h"
#include "lib/base/error.h"

/* For CUnit: as a suite begins and ends. */
int scratch_set_up(void);
int scratch_tear_down(void);

/* The whole name of a file there; the next call overwrites it. */
const char *scratch_path(const char *path);
void scratch_put(const char *path, const char *text);
/* The first 4 KB; overwritten by the next call. */
char *scratch_get(const char *path);
bool scratch_has(const char *path); /* also a dangling link */

/* Our end of a socket pair, and the helper at the other. */
struct end {
	int fd;
	pid_t child;
	struct hist_error error;
};

/* The next helpers run as before Linux 5.6: without openat2(2). */
extern bool helper_on_old_kernel;
bool helper_has_openat2(void);

void helper_start(struct end *end, bool journal);
/* Shakes hands; free() the wire. */
struct wire *helper_greet(struct end *end);
/* Both, and a target over it; target_free() closes our end. */
struct hist_target *helper_host(struct end *end, bool journal);
/* The same for a helper of @version of the protocol. */
struct hist_target *helper_host_version(struct end *end, unsigned int version);
/*
 * Closes our end and waits: 0 the helper has ended in order, 1 with an error, 100
 * with something left, 255 by a signal.
 */
int helper_stop(struct end *end);

#endif

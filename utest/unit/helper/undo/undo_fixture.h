/* SPDX-License-Identifier: GPL-2.0 */
/*
 * undo_fixture.h - what the tests of undo share
 *
 * A fake target and a directory for journals, both below a temporary directory;
 * recorders that are killed are forked children.
 */
#ifndef UTEST_UNIT_TARGET_UNDO_UNDO_FIXTURE_H
#define UTEST_UNIT_TARGET_UNDO_UNDO_FIXTURE_H

#include <stdbool.h>
#include <sys/types.h>

#include "tracecmd/undo/undo.h"
#include "utest/unit/tracecmd/target/fake_target.h"

#define TRIGGER "instances/h/events/trigger"

extern char base[64]; /* the temporary directory */
extern struct fake_target *fake;

/* Of a suite; 0. */
int undo_set_up(void);
int undo_tear_down(void);

/* A path below the temporary directory, good until the next call. */
char *in_base(const char *name);

/* Begin with no instance, no journal, an empty log and nothing that fails. */
void fresh(void);

/* Make an operation of the fake target fail. */
void fail_on(const char *op, const char *path, int times, int err);

/* The path of the only journal, or NULL when there is not exactly one. */
const char *only_journal(void);
int no_journal(void);
/* The first 4 KiB; free it. */
char *undo_read_file(const char *path);

/* The log since it was last asked for; the text of a file of the target. */
void expect_log(const char *expected);
void expect_file(const char *path, const char *expected);

struct undo *new_undo(void);
/* As a recorder does: note, then make. */
void add_instance(struct undo *undo);
void add_trigger(struct undo *undo, const char *path, const char *text);
void set_value(struct undo *undo, const char *path, const char *value);

/* With the output of both streams in one string; free it. */
char *cleanup(bool dry_run, unsigned int *removed, unsigned int *failed);
void expect_cleanup(unsigned int removed, unsigned int failed, const char *expected);

/* A child that runs @make, says so, and waits to be killed. */
pid_t start_recorder(void (*make)(struct undo *));
void kill_recorder(pid_t pid);

#endif

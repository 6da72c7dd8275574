/* SPDX-License-Identifier: GPL-2.0 */
/*
 * run_fixture.h - recordings as files, made from counts instead of a kernel's text
 *
 * All functions end the program after a message when something goes wrong.
 */
#ifndef UTEST_UNIT_LIB_SERIES_RUN_FIXTURE_H
#define UTEST_UNIT_LIB_SERIES_RUN_FIXTURE_H

#include <stdbool.h>
#include <stdint.h>

struct run_fixture;

/* One key: a number, a name, or both, as struct hist_cell has them. */
struct run_key {
	uint64_t num;
	const char *str; /* or NULL */
};

/* A new file at @path, recorded on @host, whose kernel is @uname. */
struct run_fixture *run_fixture_new(const char *path, const char *uname, const char *host);
/* In a trace.dat that is there, with its events. */
struct run_fixture *run_fixture_attach(const char *path, const char *uname, const char *host);

/* Keys without a modifier are strings where the name ends in "comm", else numbers. */
int run_fixture_define(struct run_fixture *f, const char *event, const char *trigger,
		       const char *clock);

/* Adds @values, one for each value of the trigger, to the entry @keys; hits too. */
void run_fixture_count(struct run_fixture *f, int hist, const struct run_key *keys,
		       const uint64_t *values);
/* The entry's HIST_VALUE_WORST is @max from now on; its place in the @values above was 0. */
void run_fixture_worst(struct run_fixture *f, int hist, const struct run_key *keys, uint64_t max);
void run_fixture_drop(struct run_fixture *f, int hist, uint64_t hits);
/* Somebody clears it: the next snapshot begins anew. */
void run_fixture_clear(struct run_fixture *f, int hist);
/* Another user paused it: the next snapshot is of a trigger that does not count. */
void run_fixture_stop(struct run_fixture *f, int hist);
/* The next snapshot is a full one, and numbers its entries in the other order. */
void run_fixture_renumber(struct run_fixture *f, int hist);
/* The next number is left out, as if the snapshot were missing in the file. */
void run_fixture_lose(struct run_fixture *f, int hist);
/* The next snapshot has this number, which no recording would give it. */
void run_fixture_number(struct run_fixture *f, int hist, uint32_t seq);

/* What there is at @ns of the clock. */
void run_fixture_snapshot(struct run_fixture *f, int hist, uint64_t ns);

/* @end: with the mark of a recording that ended in order. */
void run_fixture_close(struct run_fixture *f, bool end);

#endif

/* SPDX-License-Identifier: GPL-2.0 */
/*
 * engine_fixture.h - an engine, events made by hand, and what it has counted as text
 *
 * Whatever goes wrong in making things ends the test program: only what the engine
 * counts is tested.
 */
#ifndef UTEST_UNIT_LIB_ENGINE_ENGINE_FIXTURE_H
#define UTEST_UNIT_LIB_ENGINE_ENGINE_FIXTURE_H

#include "lib/engine/engine.h"

#define FIXTURE_MAX 16

struct engine_fixture {
	struct hist_engine_machine machine;
	struct hist_engine *engine;
	struct hist_run *run; /* made with the first event that is handed in */
	enum hist_run_scope scope; /* of the events that are handed in next */
	struct hist_event *events[FIXTURE_MAX];
	unsigned int nevents;
	struct hist_expr *exprs[FIXTURE_MAX];
	unsigned int nexprs;
	struct hist_synth *synths[FIXTURE_MAX];
	unsigned int nsynths;
	struct hist_switch *switches[FIXTURE_MAX];
	unsigned int nswitches;
	struct hist_error error; /* of the trigger added last */
	char text[8192];
};

/* A machine of that byte order, whose long has @long_size bytes. */
void fixture_init(struct engine_fixture *f, bool big_endian, unsigned int long_size);
/* Frees all of it. */
void fixture_clear(struct engine_fixture *f);

/*
 * fixture_event - "SYSTEM:NAME" number @id with @fields, each "TYPE NAME[ARRAY]:SIZE", a minus
 * before the size where it is signed, behind each other from offset 8 on
 */
const struct hist_event *fixture_event(struct engine_fixture *f, const char *name, unsigned int id,
				       const char *fields);
/* The text of its format, for the machine's kernel_stack. */
size_t fixture_format(char *text, size_t room, const char *name, unsigned int id,
		      const char *fields);
const struct hist_event *fixture_synth(struct engine_fixture *f, const char *definition);

/* The number of the histogram; or -errno and f->error. */
int fixture_add(struct engine_fixture *f, const struct hist_event *event, const char *trigger);

/* An event that is being made, its bytes in the order of the machine. */
struct record {
	const struct engine_fixture *f;
	const struct hist_event *event;
	unsigned char data[1024];
	uint32_t len;
};

void record_begin(struct record *r, const struct engine_fixture *f, const struct hist_event *event,
		  uint32_t pid);
void record_number(struct record *r, const char *field, uint64_t value);
/* Of any kind of string field; one of any length is put behind the event. */
void record_string(struct record *r, const char *field, const char *s);

/*
 * Little-endian ones of 64 bits in a page, where they fit, and all others by themselves; also those
 * that have a scope.
 */
void fixture_hit(struct engine_fixture *f, unsigned int cpu, uint64_t time, const struct record *r);

/*
 * fixture_rows - what histogram @hist has counted, in f->text
 * A row is "KEY KEY: VALUE VALUE\n", in the order of entries; the last line is "= HITS
 * ENTRIES DROPPED".  A key with a name is "NAME[NUMBER]", newlines in it are '/'.
 */
const char *fixture_rows(struct engine_fixture *f, unsigned int hist);
const char *fixture_rows_of(struct engine_fixture *f, struct hist_run *const *runs, unsigned int n,
			    unsigned int hist);

#endif

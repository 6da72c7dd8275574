/* SPDX-License-Identifier: GPL-2.0 */
/*
 * bench.h - measure things beside their peers, in turns
 *
 * Speeds differ from machine to machine and from minute to minute, so that
 * what is compared runs in turns in one process, and the best round of each
 * counts.  The table says it in ratios, and compare.py compares them with those of releases.
 */
#ifndef UTEST_BENCH_BENCH_H
#define UTEST_BENCH_BENCH_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct bench_case {
	const char *name;
	void (*run)(void *arg);
	void *arg;
	double best;  /* seconds of CPU; filled */
	double noise; /* relative difference of the best odd and the best even round; filled */
};

/* How ours compares with a peer or a limit. */
struct bench_ratio {
	double value;
	double noise; /* relative; 0: exact, as bytes and instructions are */
	bool more;    /* more is better */
};

/* Runs each case once a round, in turns; at least @rounds, and half a second of each. */
void bench_run(struct bench_case *cases, unsigned int n, unsigned int rounds);

/* How many times as long ours takes as a limit; less is better. */
struct bench_ratio bench_slower(const struct bench_case *ours, const struct bench_case *limit);
/* How many times as fast ours is as a peer; more is better. */
struct bench_ratio bench_faster(const struct bench_case *ours, const struct bench_case *peer);

/*
 * One line of the table: WHAT | OURS | PEER | RATIO | BETTER | NOISE | GOAL | yes/no.
 * Counts what is not met.
 */
void bench_row(const char *what, const char *ours, const char *peer, struct bench_ratio ratio,
	       const char *goal, bool met);

/* printf into one of a few static buffers. */
const char *bench_text(const char *fmt, ...) __attribute__((format(printf, 1, 2)));

/* 0 when every goal was met, else 1. */
int bench_status(void);

/* Stops the program with an error line when @ret is not 0. */
void bench_must(int ret, const char *what);

uint64_t bench_random(uint64_t *state);

/* --- histograms made up for this --- */

enum bench_kind { BENCH_CALLS, BENCH_CALLS_RET, BENCH_NAMES };

extern const char *const bench_triggers[];
extern const char *const bench_labels[];

/* Which tasks make which system calls how often; @n rows in random order. */
struct bench_rows {
	enum bench_kind kind;
	unsigned int n;
	uint32_t *pid;
	uint16_t *syscall;
	uint64_t *hitcount, *ret;
	uint16_t *size; /* what the call mostly returns */
	uint32_t *order; /* of the rows in the text */
	uint64_t random;
};

void bench_rows_init(struct bench_rows *rows, unsigned int n, enum bench_kind kind);
/* Counts in @percent of the rows. */
void bench_rows_change(struct bench_rows *rows, unsigned int percent);
/* By hitcount, with the heap sort that the kernel has: equal ones in any order. */
void bench_rows_sort(struct bench_rows *rows);
/* The kernel's text; malloc'ed. */
char *bench_rows_print(const struct bench_rows *rows, size_t *len);
void bench_rows_free(struct bench_rows *rows);

#endif

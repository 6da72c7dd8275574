/* SPDX-License-Identifier: GPL-2.0 */
/*
 * verbs.h - a verb of the program, run on an input of a fuzzer
 *
 * An input is a line with the words of the command line, with tabs between, and then the
 * files, one after the other: each begins with the magic of a trace.dat.
 */
#ifndef UTEST_FUZZ_VERBS_H
#define UTEST_FUZZ_VERBS_H

#include <stddef.h>
#include <stdint.h>

#include "tracecmd/base/command.h"

#define VERB_FILES_MAX 4
#define VERB_WORDS_MAX 24

struct fuzz_verb {
	const struct command *command;
	/* argv[0] and what is always given; ends with NULL */
	const char *const *always;
	/* What an input may give: the name of an option, with '=' if a value follows. */
	const char *const *options;
	unsigned int files; /* at most */
};

/* The exit status; -1 if the verb was not run, as the line has something else in it. */
int fuzz_verb_run(const struct fuzz_verb *verb, const uint8_t *data, size_t size);

#endif

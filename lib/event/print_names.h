/* SPDX-License-Identifier: LGPL-2.1 */
/*
 * print_names.h - the print fmt of an event: its arguments, and the names that it has for numbers
 *
 * The last line of a format file is a printf() call in C.  Kernels and stock `trace-cmd report`
 * print a field with it: __print_symbolic() has a name for each number, and __print_flags() has a
 * name for each bit.  Around them are conditions: a task state is
 * (REC->prev_state & 0xff) ? __print_flags(...) : "R".
 *
 * libtraceevent is not used.  Its parser crashes on damaged texts (7 of 1480 format files with one
 * to three damaged bytes, version 1.7.1), and formats come from files and from other machines.  It
 * also reads a constant that the kernel did not replace by its number as 0, which gives wrong
 * names.  The texts for both are equal otherwise (utest/unit/lib/event/print_names_test.c).
 */
#ifndef LIB_EVENT_PRINT_NAMES_H
#define LIB_EVENT_PRINT_NAMES_H

#include "lib/base/strbuf.h"
#include "lib/event/event.h"

/* The limit for hostile texts: kernels use at most 35 arguments. */
#define PRINT_ARGS_MAX 128

struct print_arg {
	const char *text; /* part of the print fmt */
	size_t len;
	char conversion;  /* the 's' of "%s", the 'p' of "%pI4"; 0: a width or a precision */
	char more[8];	  /* the letters after a 'p', such as "I4", cut to 7 bytes */
	bool is_joined;	  /* no character comes between the previous conversion and this one */
};

struct print_args {
	struct print_arg args[PRINT_ARGS_MAX];
	unsigned int n;
};

/*
 * print_args_read - split @text, the line after "print fmt: ", at its commas
 * Without arguments if they cannot be counted.  0 or -ENOMEM.
 */
int print_args_read(struct print_args *args, const char *text, size_t len);

struct hist_print_names;

/*
 * hist_print_names_new - find the names of the numbers of @field in the print fmt of @event
 * 0; -ENOENT: the print fmt does not name the numbers of the field, or has a constant or a function
 * whose value the text does not show; -ENOMEM.
 */
int hist_print_names_new(struct hist_print_names **names, const struct hist_event *event,
			 const struct hist_event_field *field);
void hist_print_names_free(struct hist_print_names *names);

/*
 * hist_print_names_put - write the name of @num to @b
 * @num: sign-extended if the field is signed.  False, and nothing is written: the number does not
 * have a name.  Errors are kept in @b.
 */
bool hist_print_names_put(const struct hist_print_names *names, uint64_t num,
			  struct hist_strbuf *b);

#endif

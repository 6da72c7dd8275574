/* SPDX-License-Identifier: LGPL-2.1 */
/*
 * print_args.h - the arguments of a print fmt, with the conversions that print them
 *
 * A print fmt is a printf() call in C: the format string, and expressions that commas separate.
 */
#ifndef LIB_EVENT_PRINT_ARGS_H
#define LIB_EVENT_PRINT_ARGS_H

#include <stdbool.h>
#include <stddef.h>

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
 * print_args_read - split @text, the line after "print fmt: "
 * Without arguments if they cannot be counted.  0 or -ENOMEM.
 */
int print_args_read(struct print_args *args, const char *text, size_t len);

#endif

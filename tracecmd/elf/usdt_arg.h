/* SPDX-License-Identifier: GPL-2.0 */
/*
 * usdt_arg.h - translate the arguments of a statically defined probe to fetch arguments
 *
 * An argument is "SIZE@OPERAND": SIZE is its bytes, negative for a signed number; OPERAND is a
 * register, memory or a constant as the assembler of the machine writes it. The kernel's fetch
 * arguments (Documentation/trace/uprobetracer.rst) are %REG, +N(%REG) and \CONSTANT.
 */
#ifndef TRACECMD_ELF_USDT_ARG_H
#define TRACECMD_ELF_USDT_ARG_H

#include <stdbool.h>
#include <stddef.h>

#include "tracecmd/elf/usdt_notes.h"
#include "lib/base/error.h"

struct usdt_arg {
	char fetch[48]; /* "%ax", "+8(%sp)", "\5" */
	unsigned int size; /* bytes: 1, 2, 4 or 8 */
	bool is_signed;
	bool is_constant; /* fits any type */
};

#define USDT_ARGS_MAX 128 /* MAX_TRACE_ARGS of the kernel */

/* The number of arguments in the text of a place, without those after USDT_ARGS_MAX. */
unsigned int usdt_arg_count(const char *args);

/*
 * usdt_arg_decode - translate argument @number (from 1) of @args
 * @machine: e_machine. 0, or -EINVAL with a sentence in @error: the kernel cannot fetch it.
 */
int usdt_arg_decode(struct usdt_arg *arg, int machine, const char *args, unsigned int number,
		    struct hist_error *error);

/*
 * usdt_arg_type - the type of argument @number at all of @n places: "u8" to "s64"
 * The kernel requires one type for all places of an event. 0, or -EINVAL with a sentence in
 * @error: a place does not have it, or the sizes differ.
 */
int usdt_arg_type(char type[4], int machine, const struct usdt_place *places, size_t n,
		  unsigned int number, struct hist_error *error);

#endif

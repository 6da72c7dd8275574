/* SPDX-License-Identifier: LGPL-2.1 */
/*
 * field_names.h - the names of the numbers of a field, from all sources
 *
 *   print fmt of the event   "TIMER" for vec 1, "S" for prev_state 1 (print_names.h)
 *   "%pI4" in the print fmt  "10.0.0.1" (address.h)
 *   dev_t, or "dev"	      "8:0 sda"
 *   "irq"		      "virtio0-input.0"
 *   "sig"		      "SIGKILL"
 *   "next_prio", ...	      "nice 0" for 120, in events of the system sched
 *   "ret", "error", ...      "ENOENT" for -2; other numbers have no name
 *   .syscall		      "sys_getpid" for 20 if user space has 32 bits, and the kernel 64
 */
#ifndef LIB_EVENT_FIELD_NAMES_H
#define LIB_EVENT_FIELD_NAMES_H

#include "lib/base/strbuf.h"
#include "lib/event/event.h"

/* What the names say about the numbers.  The bits are part of the file format. */
#define HIST_NAMES_CODE 0x4  /* the number is only a code, not a quantity */
#define HIST_NAMES_WHOLE 0x8 /* the name contains the number: "8:0 sda", "10.0.0.1" */
#define HIST_NAMES_ALONE 0x40 /* the name is shown without the number: "nice 0" for 120 */

struct hist_field_names;

/*
 * hist_field_names_new - find the names of @field; takes nothing from @event but its machine
 * @field: NULL: the names of system calls that differ from those that the kernel prints.
 * 0; -ENOENT: the numbers of the field do not have names; -ENOMEM.
 */
int hist_field_names_new(struct hist_field_names **names, const struct hist_event *event,
			 const struct hist_event_field *field);
void hist_field_names_free(struct hist_field_names *names);

/* HIST_NAMES_ bits. */
unsigned int hist_field_names_flags(const struct hist_field_names *names);

/* True if the name of @num was written to @b.  Errors are kept in @b. */
bool hist_field_names_put(const struct hist_field_names *names, uint64_t num,
			  struct hist_strbuf *b);

#endif

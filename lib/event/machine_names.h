/* SPDX-License-Identifier: LGPL-2.1 */
/*
 * machine_names.h - names of numbers that only the machine of the events knows
 *
 * Interrupts have the names of /proc/interrupts, and block devices those of /proc/diskstats.  Error
 * and signal numbers depend on the architecture.  So do the numbers of system calls; a 64-bit
 * kernel has other ones for 32-bit programs, but its own names only for 64-bit programs.
 *
 * The names are shared: hist_machine_names_get() and hist_machine_names_put() count the owners.
 */
#ifndef LIB_EVENT_MACHINE_NAMES_H
#define LIB_EVENT_MACHINE_NAMES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "lib/base/strbuf.h"

struct hist_machine_names;

/*
 * hist_machine_names_new - the names of a machine, without interrupts and devices
 * @uname: "Linux HOST RELEASE MACHINE"; NULL: the numbers of most architectures.  NULL: no memory.
 */
struct hist_machine_names *hist_machine_names_new(const char *uname);
struct hist_machine_names *hist_machine_names_get(struct hist_machine_names *m);
void hist_machine_names_put(struct hist_machine_names *m);

/* Add the names in the text of /proc/interrupts, or of /proc/diskstats.  0 or -ENOMEM. */
int hist_machine_names_add_interrupts(struct hist_machine_names *m, const char *text, size_t len);
int hist_machine_names_add_disks(struct hist_machine_names *m, const char *text, size_t len);

/*
 * hist_machine_names_add_maps - decide by /proc/1/maps whether user space has 32 bits
 * Only for a 64-bit kernel.  Always 0.
 */
int hist_machine_names_add_maps(struct hist_machine_names *m, const char *text, size_t len);

/* What a number is. */
enum hist_machine_name {
	HIST_MACHINE_INTERRUPT,
	HIST_MACHINE_DISK,   /* "8:0 sda", or "8:0" without a name; a dev_t of the kernel */
	HIST_MACHINE_CALL,   /* "sys_getpid" if the kernel prints another name, and that is wrong */
	HIST_MACHINE_ERROR,  /* "ENOENT" for 2 */
	HIST_MACHINE_SIGNAL, /* "SIGKILL" for 9 */
	/*
	 * "nice 5" for 125, "RT 90" for 9, "DL" for -1: a priority inside the kernel
	 * (include/linux/sched/prio.h).  It does not say whether a task is SCHED_FIFO or SCHED_RR.
	 */
	HIST_MACHINE_PRIORITY,
};

/*
 * hist_machine_names_add - add the name of one interrupt, disk or call, such as a recording has it
 * @name: of a disk "sda", or "8:0 sda".  0, also if a limit is reached, or -ENOMEM.
 */
int hist_machine_names_add(struct hist_machine_names *m, enum hist_machine_name what, uint64_t num,
			   const char *name, size_t len);

/* Write the name of @num; false, and nothing is written, if there is none.  @m may be NULL. */
bool hist_machine_names_write(const struct hist_machine_names *m, enum hist_machine_name what,
			      uint64_t num, struct hist_strbuf *b);

/*
 * hist_machine_names_next_shared - the next interrupt with several handlers, from number *@i on
 * @i: begins at 0.  @first: the name of the handler that the kernel calls first, of @len bytes.
 */
bool hist_machine_names_next_shared(const struct hist_machine_names *m, size_t *i, uint64_t *irq,
				    const char **first, size_t *len);
/* False if the interrupts are not known.  @m may be NULL. */
bool hist_machine_names_has_interrupts(const struct hist_machine_names *m);

/* "32-bit sys_getpid or 64-bit" for a number that programs of both kinds may have used */
bool hist_machine_names_mixed_call(const struct hist_machine_names *m, uint64_t number,
				   struct hist_strbuf *b);
/* True if user space has 32 bits, and the kernel 64. */
bool hist_machine_names_user_is_32(const struct hist_machine_names *m);

#endif

/* SPDX-License-Identifier: GPL-2.0 */
/*
 * usdt.h - define the event of a statically defined probe (USDT)
 *
 * The kernel counts several places as one event if each of them is a definition with the same name
 * and the same names and types of arguments (Linux 5.4). The semaphore of a place is its
 * ref_ctr_offset (Linux 4.20): the kernel increments it in each process that has the place, which
 * enables the probe there.
 */
#ifndef TRACECMD_ELF_USDT_H
#define TRACECMD_ELF_USDT_H

#include <stddef.h>

#include "lib/base/error.h"

/*
 * usdt_define - make the definition of the event, a line for each place of the probe
 * @head: "p:GROUP/NAME". @args: "[ARG=FETCH]..."; in FETCH, $argN is argument N of the probe. If
 * @args is empty, the event has the fields arg1, arg2... that the kernel can fetch at all places.
 * *@definition is malloc'ed. 0; -ENOMEM; another -errno with the problem in @error.
 */
int usdt_define(const char *head, const char *path, const char *provider, const char *name,
		const char *args, char **definition, struct hist_error *error);

#endif

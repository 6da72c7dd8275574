/* SPDX-License-Identifier: GPL-2.0 */
/*
 * probe.h - translate the argument of --kprobe, --uprobe or --usdt to a definition for the kernel
 *
 *	[[GROUP:]NAME=]SYMBOL[+OFFS][%return] [ARG[=FETCH]]...		--kprobe
 *	[[GROUP:]NAME=]PATH:SYMBOL[+OFFS][%return] [ARG[=FETCH]]...	--uprobe
 *	[[GROUP:]NAME=]PATH:0xOFFSET[%return] [ARG[=FETCH]]...		--uprobe
 *	[[GROUP:]NAME=]PATH:PROVIDER:PROBE [ARG[=FETCH]]...	--usdt
 *	p[:GROUP/NAME] PLACE [ARG[=FETCH]]...		any; r for return
 *
 * The first form is that of `perf probe`, the last is that of the kernel
 * (Documentation/trace/kprobetrace.rst, uprobetracer.rst). FETCH has the kernel's syntax in all
 * forms: $arg1, $retval:s32, +0($arg2):ustring. The kernel does not support $argN in a uprobe:
 * $argN is replaced by the register or stack slot of the C calling convention of the file's
 * machine.
 *
 * In a --usdt, $argN is argument N of the probe (usdt.h).
 *
 * Without a name the event is tch_kprobe:SYMBOL or tch_uprobe:SYMBOL, followed by "__return" for a
 * return probe, or tch_usdt:PROVIDER_PROBE. A PATH without a slash is searched in $PATH.
 */
#ifndef TRACECMD_PLAN_PROBE_H
#define TRACECMD_PLAN_PROBE_H

#include <stdbool.h>
#include <stddef.h>

#include "lib/base/error.h"

enum probe_kind {
	PROBE_KERNEL,
	PROBE_USER,
	PROBE_STATIC,
};

/*
 * probe_define - make the line for dynamic_events and the name of its event
 * @definition: "p:tch_kprobe/do_sys_openat2 do_sys_openat2 dfd=$arg1"
 * @event: "tch_kprobe:do_sys_openat2"
 * Both are malloc'ed. A --usdt has one line for each place of the probe, without a newline after
 * the last one. Reads only the ELF file of a uprobe. The kernel checks later that a kernel
 * symbol exists and that FETCH is valid. 0; -ENOMEM; another -errno with the problem in @error, and
 * a hint after its last newline if there is one.
 */
int probe_define(enum probe_kind kind, const char *text, char **definition, char **event,
		 struct hist_error *error);

/*
 * probe_is_plain - check if @text is a kernel probe that an fprobe event can replace
 * False for the kernel's syntax, which is used as it is, for a place inside a function, and for
 * arguments in registers, which fprobe events do not have.
 */
bool probe_is_plain(enum probe_kind kind, const char *text);

/*
 * probe_find_file - the absolute path of a program or library, malloc'ed
 * A name without a slash is searched in $PATH. 0, or -errno with the problem in @error, and perhaps
 * a hint after a newline.
 */
int probe_find_file(const char *name, char **path, struct hist_error *error);

#endif

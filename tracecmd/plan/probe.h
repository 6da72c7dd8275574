/* SPDX-License-Identifier: GPL-2.0 */
/*
 * probe.h - what --kprobe and --uprobe are given
 *
 *	[[GROUP:]NAME=]SYMBOL[+OFFS][%return] [ARG[=FETCH]]...		--kprobe
 *	[[GROUP:]NAME=]PATH:SYMBOL[+OFFS][%return] [ARG[=FETCH]]...	--uprobe
 *	[[GROUP:]NAME=]PATH:0xOFFSET[%return] [ARG[=FETCH]]...		--uprobe
 *	p[:GROUP/NAME] PLACE [ARG[=FETCH]]...		either; r for return
 *
 * The first is what `perf probe` users write, the last what the kernel takes
 * (Documentation/trace/kprobetrace.rst, uprobetracer.rst).  FETCH is the
 * kernel's in all of them: $arg1, $retval:s32, +0($arg2):ustring.  In a uprobe,
 * for which the kernel knows no $argN, it becomes the register (or stack slot)
 * that the C calling convention of the file's machine passes it in.
 *
 * Without a name the event is tch_kprobe:SYMBOL or tch_uprobe:SYMBOL, with
 * "__return" behind a return probe's.  A PATH without a slash is searched in
 * $PATH.
 */
#ifndef TRACECMD_PLAN_PROBE_H
#define TRACECMD_PLAN_PROBE_H

#include <stddef.h>

enum probe_kind {
	PROBE_KERNEL,
	PROBE_USER,
};

/*
 * probe_define - the line for dynamic_events, and the event that it makes
 * @definition: "p:tch_kprobe/do_sys_openat2 do_sys_openat2 dfd=$arg1"
 * @event: "tch_kprobe:do_sys_openat2"
 * Both malloc'ed.  Reads the ELF file of a uprobe, and nothing else; whether a
 * kernel symbol exists and what a FETCH means is the kernel's to say.
 * 0; -ENOMEM; another -errno with a sentence in @why.
 */
int probe_define(enum probe_kind kind, const char *text, char **definition, char **event,
		 char *why, size_t why_len);

#endif

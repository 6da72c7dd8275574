/* SPDX-License-Identifier: GPL-2.0 */
/*
 * complain.h - messages for people, safe for their terminal
 *
 * Names of events, tasks and files come from others: what is not fit for a
 * terminal is written as hist_escape() (tracehist/label.h) writes it, so that
 * one message is one line.
 */
#ifndef TRACECMD_COMPLAIN_H
#define TRACECMD_COMPLAIN_H

#include <stdio.h>

/* One line: "trace-cmd hist: ", the message escaped, a newline. */
void complain_to(FILE *to, const char *fmt, ...) __attribute__((format(printf, 2, 3)));

/* The message escaped and a newline, without a prefix. */
void say_to(FILE *to, const char *fmt, ...) __attribute__((format(printf, 2, 3)));

#endif

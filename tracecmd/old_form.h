/* SPDX-License-Identifier: GPL-2.0 */
/*
 * old_form.h - `trace-cmd hist [-i FILE] [-P] [FILE]`, which the stock trace-cmd has
 *
 * The stock program counts the events of FILE.  It ends with a number as its only message if
 * FILE is a recording with histograms and without events.  trace-cmd asks trace-cmd-hist before
 * it becomes the stock program, as trace-cmd has no library to read files by.
 */
#ifndef TRACECMD_OLD_FORM_H
#define TRACECMD_OLD_FORM_H

#include <stdbool.h>

/* `trace-cmd-hist old-form FILE` asks; exit status 1 is yes. */
#define OLD_FORM "old-form"
#define OLD_FORM_IS_OURS 1

/* Does @file have histograms and no events, so that only `trace-cmd hist report` can show it? */
bool old_form_is_ours(const char *file);

#endif

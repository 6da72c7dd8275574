/* SPDX-License-Identifier: GPL-2.0 */
/*
 * old_form.h - `trace-cmd hist [-i FILE] [-P] [FILE]`, which the stock trace-cmd has
 */
#ifndef TRACECMD_OLD_FORM_H
#define TRACECMD_OLD_FORM_H

#include <stdbool.h>

/* Names this question on the command line of trace-cmd-hist. */
#define OLD_FORM "old-form"

/*
 * True after a message: FILE is a recording that only `trace-cmd hist report` can show.
 * @argv: what follows "hist", from argv[1] on.
 */
bool old_form_is_ours(int argc, char **argv);

#endif

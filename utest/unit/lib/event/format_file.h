/* SPDX-License-Identifier: GPL-2.0 */
/*
 * format_file.h - the format files under utest/data/formats
 */
#ifndef UTEST_UNIT_LIB_EVENT_FORMAT_FILE_H
#define UTEST_UNIT_LIB_EVENT_FORMAT_FILE_H

#include <stddef.h>

#include "lib/event/event.h"

/* The text of a format file, malloc'ed; ends the test program when it cannot be read. */
char *format_text(const char *name, size_t *len);

/* "kmem:kmalloc", parsed; ends the test program when it cannot be. */
struct hist_event *format_event(const char *system_and_name);

#endif

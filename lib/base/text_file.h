/* SPDX-License-Identifier: LGPL-2.1 */
/*
 * text_file.h - read a whole small text file that someone else may have made
 *
 * The file may be a FIFO that nobody writes, a device without an end, or too large.
 */
#ifndef LIB_BASE_TEXT_FILE_H
#define LIB_BASE_TEXT_FILE_H

#include <stddef.h>

#include "lib/base/error.h"

/* The largest file of a preset or of thresholds. */
#define TEXT_FILE_MAX 65535

/*
 * text_file_read - read the regular file @path of at most TEXT_FILE_MAX bytes
 * *@text is malloc'ed, with a NUL behind its *@len bytes.
 * 0; -errno with @error: -EINVAL: "not a regular file", -EFBIG: "larger than 65535 bytes", or what
 * the system says.
 */
int text_file_read(char **text, size_t *len, const char *path, struct hist_error *error);

#endif

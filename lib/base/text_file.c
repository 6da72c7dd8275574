// SPDX-License-Identifier: LGPL-2.1
/*
 * text_file.c - read a whole small text file that someone else may have made
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "lib/base/infile.h"
#include "lib/base/error.h"
#include "lib/base/text_file.h"

/* One byte more than allowed is read: the size that stat() has can be 0, as in /proc, or change. */
static int text_file_read_all(char *text, size_t *len, int fd)
{
	ssize_t n;

	*len = 0;
	do {
		n = read(fd, text + *len, TEXT_FILE_MAX + 1 - *len);
		if (n < 0 && errno != EINTR)
			return -errno;
		*len += n > 0 ? n : 0;
	} while (n && *len <= TEXT_FILE_MAX);
	return n ? -EFBIG : 0;
}

int text_file_read(char **text, size_t *len, const char *path, struct hist_error *error)
{
	int fd = infile_open(path, error), ret;
	struct stat st;

	*text = NULL;
	if (fd < 0)
		return fd;
	if (fstat(fd, &st))
		ret = -errno;
	else if (!S_ISREG(st.st_mode))
		ret = hist_error_set(error, -EINVAL, "not a regular file");
	else if (!(*text = malloc(TEXT_FILE_MAX + 2)))
		ret = -ENOMEM;
	else
		ret = text_file_read_all(*text, len, fd);
	close(fd);
	if (!ret) {
		(*text)[*len] = '\0';
		return 0;
	}
	if (ret == -EFBIG)
		hist_error_set(error, ret, "larger than 65535 bytes");
	free(*text);
	*text = NULL;
	return ret;
}

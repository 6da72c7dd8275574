// SPDX-License-Identifier: GPL-2.0
/*
 * output_stream.c - write a report to standard output, or to the file of -o
 */
#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <unistd.h>

#include "tracecmd/base/message.h"
#include "tracecmd/base/output_stream.h"

/* A stream of its own also for standard output, so that its errors are reported once. */
static int open_stream(struct output_stream *file, int of)
{
	int fd = fcntl(of, F_DUPFD_CLOEXEC, 3), ret;

	file->f = fd < 0 ? NULL : fdopen(fd, "w");
	if (file->f)
		return 0;
	ret = -errno;
	if (fd >= 0)
		close(fd);
	outfile_close(&file->out);
	return message_error_errno(file->name, ret);
}

int output_stream_open(struct output_stream *file, const char *out)
{
	int ret;

	memset(file, 0, sizeof(*file));
	file->name = out ? out : "standard output";
	ret = out ? outfile_open(&file->out, out, true) : 0;
	return ret ? ret : open_stream(file, out ? file->out.fd : STDOUT_FILENO);
}

int output_stream_close(struct output_stream *file, bool keep, int error)
{
	int ret = error;

	if (!file->f)
		return error;
	errno = 0;
	if (fflush(file->f) && !ret)
		ret = errno ? -errno : -EIO;
	if (ferror(file->f) && !ret)
		ret = -EIO;
	/* some file systems report a full disk only at close(2) */
	if (fclose(file->f) && !ret)
		ret = -errno;
	if (ret && ret != -EPIPE)
		message_error("%s: %s", file->name, strerror(-ret));
	else if (!ret && keep && file->out.path)
		ret = outfile_publish(&file->out);
	outfile_close(&file->out);
	memset(file, 0, sizeof(*file));
	return ret;
}

// SPDX-License-Identifier: LGPL-2.1
/* infile.c - open a file that a user names, or that is beside such a file, for reading */
#include <errno.h>
#include <fcntl.h>
#include <unistd.h>

#include "lib/base/infile.h"

/* O_NONBLOCK: opening a FIFO must not wait for a writer */
#define FLAGS (O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY)

/* Open the file that was found.  -ESTALE: another file has its name now. */
static int infile_open_found(const struct file_place *place, const char *path)
{
	struct stat now;
	int fd, ret;

	/* only the kernel can follow a link of /proc */
	fd = place->dir < 0 ? open(path, FLAGS) :
			      openat(place->dir, place->name, FLAGS | O_NOFOLLOW);
	if (fd < 0)
		return errno == ELOOP ? -ESTALE : errno == ENXIO ? -EINVAL : -errno;
	ret = fstat(fd, &now) ? -errno : file_place_is_same(&now, &place->file) ? 0 : -ESTALE;
	if (!ret)
		return fd;
	close(fd);
	return ret;
}

int infile_open(const char *path, struct hist_error *error)
{
	struct file_place place;
	int ret = file_place_find(&place, path);

	if (!ret && place.fd < 0)
		ret = -ENOENT;
	if (!ret)
		ret = infile_open_found(&place, path);
	if (place.foreign)
		hist_error_set(error, ret,
			       "the symbolic link is not followed, " FILE_PLACE_WHY_FOREIGN);
	else if (ret == -EISDIR || (ret == -EINVAL && place.fd >= 0))
		/* "dir/", "." and a socket */
		ret = hist_error_set(error, -EINVAL, "not a regular file");
	file_place_clear(&place);
	return ret;
}

int infile_open_beside(const struct file_place *of, const char *name, uid_t owner, bool linked)
{
	struct file_place place;
	int ret = file_place_find_beside(&place, of, name);

	if (!ret && place.fd < 0)
		ret = -ENOENT;
	if (!ret && (!S_ISREG(place.file.st_mode) || place.file.st_uid != owner))
		ret = -EPERM;
	/* another user may have linked a file of @owner from elsewhere */
	if (!ret && !linked && place.file.st_nlink != 1 && file_place_is_others(&place.in))
		ret = -EPERM;
	if (!ret)
		ret = infile_open_found(&place, NULL);
	file_place_clear(&place);
	return ret;
}

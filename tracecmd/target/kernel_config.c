// SPDX-License-Identifier: GPL-2.0
/*
 * kernel_config.c - read the build configuration of this machine's kernel
 *
 * Lines are "CONFIG_NAME=VALUE" or comments. An option without a line is off.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/utsname.h>

#include <zlib.h>

#include "tracecmd/target/kernel_config.h"

#define FIRST_ROOM 65536
#define SIZE_MOST (16 << 20)

int kernel_config_read_file(struct kernel_config *config, const char *path)
{
	size_t len = 0, room = FIRST_ROOM;
	char *text = NULL, *bigger;
	int got, ret = -ENOMEM;
	gzFile f;

	memset(config, 0, sizeof(*config));
	errno = 0;
	f = gzopen(path, "re"); /* plain files too */
	if (!f)
		return errno ? -errno : -ENOMEM;
	for (;;) {
		bigger = realloc(text, room);
		if (!bigger)
			goto fail;
		text = bigger;
		got = gzread(f, text + len, room - len - 1);
		if (got < 0) {
			ret = -EIO;
			goto fail;
		}
		len += got;
		if (!got)
			break;
		if (room - len < FIRST_ROOM / 2)
			room *= 2;
		if (room > SIZE_MOST) {
			ret = -EFBIG;
			goto fail;
		}
	}
	text[len] = '\0';
	config->source = strdup(path);
	if (!config->source)
		goto fail;
	config->text = text;
	gzclose(f);
	return 0;
fail:
	free(text);
	gzclose(f);
	return ret;
}

int kernel_config_read(struct kernel_config *config)
{
	char path[128];
	struct utsname uts;
	int ret;

	ret = kernel_config_read_file(config, "/proc/config.gz");
	if (ret != -ENOENT)
		return ret;
	uname(&uts);
	snprintf(path, sizeof(path), "/boot/config-%s", uts.release);
	ret = kernel_config_read_file(config, path);
	/* that of a distribution may be for root only */
	return ret == -EACCES ? -ENOENT : ret;
}

char kernel_config_get(const struct kernel_config *config, const char *option, size_t len)
{
	const char *line = config->text;
	const size_t prefix = strlen("CONFIG_");

	if (!line)
		return '?';
	while (line) {
		if (!strncmp(line, "CONFIG_", prefix) && !strncmp(line + prefix, option, len) &&
		    line[prefix + len] == '=') {
			const char *value = line + prefix + len + 1;

			if ((value[0] == 'y' || value[0] == 'm') && (value[1] == '\n' || !value[1]))
				return value[0];
			return '?';
		}
		line = strchr(line, '\n');
		if (line)
			line++;
	}
	return 'n';
}

void kernel_config_clear(struct kernel_config *config)
{
	free(config->text);
	free(config->source);
	memset(config, 0, sizeof(*config));
}

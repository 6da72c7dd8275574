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

#include "lib/base/strbuf.h"
#include "tracecmd/kernel/kernel_config.h"

#define PIECE 65536
#define TEXT_MOST (16 << 20)

int kernel_config_read_file(struct kernel_config *config, const char *path)
{
	struct hist_strbuf text = { 0 };
	int got = 0, ret;
	gzFile f;

	memset(config, 0, sizeof(*config));
	errno = 0;
	f = gzopen(path, "re"); /* also reads plain files */
	if (!f)
		return errno ? -errno : -ENOMEM;
	while (hist_strbuf_reserve(&text, PIECE)) {
		got = gzread(f, text.data + text.len, PIECE);
		if (got <= 0 || text.len + got > TEXT_MOST)
			break;
		text.len += got;
	}
	gzclose(f);
	hist_strbuf_char(&text, '\0');
	ret = text.error ? text.error : got < 0 ? -EIO : got ? -EFBIG : 0;
	if (!ret) {
		config->source = strdup(path);
		ret = config->source ? 0 : -ENOMEM;
	}
	if (ret)
		hist_strbuf_free(&text);
	else
		config->text = text.data;
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
	/* only root may read the file of some distributions */
	return ret == -EACCES ? -ENOENT : ret;
}

char kernel_config_get(const struct kernel_config *config, const char *option, size_t len)
{
	const size_t prefix = strlen("CONFIG_");
	const char *line, *value;

	for (line = config->text; line && *line; line += *line == '\n') {
		if (!strncmp(line, "CONFIG_", prefix) && !strncmp(line + prefix, option, len) &&
		    line[prefix + len] == '=') {
			value = line + prefix + len + 1;
			return (*value == 'y' || *value == 'm') &&
			       (value[1] == '\n' || !value[1]) ? *value : '?';
		}
		line = strchrnul(line, '\n');
	}
	return config->text ? 'n' : '?';
}

void kernel_config_clear(struct kernel_config *config)
{
	free(config->text);
	free(config->source);
	memset(config, 0, sizeof(*config));
}

/* SPDX-License-Identifier: GPL-2.0 */
/*
 * kernel_config.h - read the build configuration of this machine's kernel
 *
 * It is only additional information for the user: many kernels do not provide it.
 */
#ifndef TRACECMD_KERNEL_KERNEL_CONFIG_H
#define TRACECMD_KERNEL_KERNEL_CONFIG_H

#include <stddef.h>

struct kernel_config {
	char *text;   /* NULL: not read */
	char *source; /* "/proc/config.gz" */
};

/* Read /proc/config.gz or /boot/config-RELEASE. -ENOENT if neither can be read; -ENOMEM. */
int kernel_config_read(struct kernel_config *config);

/* Read a file, plain or compressed with gzip, of at most 16 MiB. 0 or -errno. */
int kernel_config_read_file(struct kernel_config *config, const char *path);

/*
 * kernel_config_get - the setting of @option: 'y', 'm', 'n', or '?'
 * @option: name without CONFIG_, of @len bytes.
 * '?': the value is a number or a string, or no configuration was read.
 */
char kernel_config_get(const struct kernel_config *config, const char *option, size_t len);

void kernel_config_clear(struct kernel_config *config);

#endif

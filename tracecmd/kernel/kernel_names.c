// SPDX-License-Identifier: GPL-2.0
/*
 * target_names.c - read the names of interrupts, block devices and system calls of a target
 */
#include <errno.h>
#include <stdlib.h>

#include "tracecmd/kernel/kernel_names.h"

static int kernel_names_read(struct hist_machine_names *names, struct hist_target *t)
{
	static const struct {
		const char *path;
		int (*add)(struct hist_machine_names *names, const char *text, size_t len);
		unsigned int long_size; /* of the kernel; 0: any */
	} files[] = {
		{ "/proc/interrupts", hist_machine_names_add_interrupts, 0 },
		{ "/proc/diskstats", hist_machine_names_add_disks, 0 },
		{ "/proc/1/maps", hist_machine_names_add_maps, 8 },
	};
	struct target_buf text = { 0 };
	unsigned int i;
	int ret = 0;

	for (i = 0; !ret && i < sizeof(files) / sizeof(*files); i++) {
		if (files[i].long_size && files[i].long_size != t->long_size)
			continue;
		ret = t->ops->read(t, files[i].path, &text);
		if (!ret)
			ret = files[i].add(names, text.data, text.len);
		else if (ret != -ENOMEM)
			ret = 0;
	}
	free(text.data);
	return ret;
}

int kernel_names_set(struct hist_machine_names **names, struct hist_target *t,
		     struct hist_event *event)
{
	int ret = 0;

	if (!*names) {
		*names = hist_machine_names_new(t->uname);
		ret = *names ? kernel_names_read(*names, t) : -ENOMEM;
	}
	if (!ret)
		hist_event_set_machine(event, *names);
	return ret;
}

// SPDX-License-Identifier: GPL-2.0
/*
 * kernel_tracers.c - the files that set up the tracers of a target
 */
#include <stdlib.h>
#include <string.h>

#include "tracecmd/kernel/kernel_tracers.h"
#include "tracecmd/target/target_path.h"

int kernel_setting_is(struct hist_target *t, const char *file, const char *value, bool *is)
{
	struct target_buf buf = { 0 };
	int ret = t->ops->read(t, file, &buf);
	char *chosen = NULL;

	*is = false;
	if (!ret) {
		buf.data[strcspn(buf.data, "\n")] = '\0';
		chosen = target_parse_clock(buf.data);
		*is = !strcmp(chosen ? chosen : buf.data, value);
	}
	free(chosen);
	free(buf.data);
	return ret;
}

// SPDX-License-Identifier: GPL-2.0
/*
 * fuzz_report.c - any options and any files for `report`: all writers, views and the walk
 */
#include <stdlib.h>

#include "tracecmd/base/command.h"
#include "utest/fuzz/verbs.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static const char *const always[] = { "report", "-o", "/dev/null", NULL };
static const char *const options[] = {
	"-e=", "--list", "--at=", "--snapshot=", "--between=", "--intervals", "--sort=", "--top=",
	"--view=", "--percentiles=", "--color=", "--format=", "--max-series=", "--time-offset=", "--worst",
	NULL,
};
static const struct fuzz_verb report = {
	.command = &report_command,
	.always = always,
	.options = options,
	.files = 2,
};

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	int status = fuzz_verb_run(&report, data, size);

	if (status > 0 && status != EXIT_TROUBLE)
		abort();
	return 0;
}

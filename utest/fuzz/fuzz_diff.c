// SPDX-License-Identifier: GPL-2.0
/*
 * fuzz_diff.c - any options and any files for `diff`, in all formats
 */
#include <stdlib.h>

#include "tracecmd/base/command.h"
#include "utest/fuzz/verbs.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static const char *const always[] = { "diff", "-o", "/dev/null", NULL };
static const char *const options[] = {
	"-e=", "--threshold=", "--confidence=", "--worse=", "--percentiles=", "--max=", "--exceed=",
	"--min-hits=", "--max-dropped=", "--skip=", "--top=", "--strict", "--min-decided=",
	"--format=", NULL,
};
static const struct fuzz_verb diff = {
	.command = &diff_command,
	.always = always,
	.options = options,
	.files = 4,
};

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	if (fuzz_verb_run(&diff, data, size) > EXIT_INCONCLUSIVE)
		abort();
	return 0;
}

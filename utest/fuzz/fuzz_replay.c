// SPDX-License-Identifier: GPL-2.0
/*
 * fuzz_replay.c - any expressions and any recorded events for `replay` and its engine
 *
 * What was counted is reported, since a report must read whatever replay writes.
 */
#include <limits.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "tracecmd/base/command.h"
#include "utest/fuzz/verbs.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static char out[PATH_MAX];
static const char *const always[] = { "replay", "-q", "-o", out, NULL };
static const char *const options[] = {
	"-e=", "-R=", "-k=", "-v=", "-s=", "-f=", "-B=", "-P=", "-i=", "--latency=", "--sql=",
	"--synthetic=", "--threads=", NULL,
};
static const struct fuzz_verb replay = {
	.command = &replay_command,
	.always = always,
	.options = options,
	.files = 1,
};

static void remove_out(void)
{
	unlink(out);
}

/* In $TMPDIR, which run.sh sets. */
static void choose_out(void)
{
	const char *dir = getenv("TMPDIR");

	if (*out)
		return;
	snprintf(out, sizeof(out), "%s/fuzz_replay.%d", dir ? dir : "/tmp", getpid());
	atexit(remove_out);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	char *report[] = { (char *)"report", (char *)"--format", (char *)"json", (char *)"-o",
			   (char *)"/dev/null", out, NULL };
	sigset_t mask;
	int status;

	choose_out();
	/* the verb ends its process, and so leaves the mask as it needs it */
	sigprocmask(SIG_SETMASK, NULL, &mask);
	status = fuzz_verb_run(&replay, data, size);
	sigprocmask(SIG_SETMASK, &mask, NULL);
	if (status > 0 && status != EXIT_TROUBLE)
		abort();
	if (!status && report_command.run(6, report))
		abort();
	return 0;
}

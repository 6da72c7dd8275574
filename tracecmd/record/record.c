// SPDX-License-Identifier: GPL-2.0
/*
 * record.c - `trace-cmd hist record`
 */
#include "tracecmd/base/command.h"
#include "tracecmd/record/record_many.h"
#include "tracecmd/record/record_options.h"
#include "tracecmd/record/recorder.h"

int cmd_record(int argc, char **argv)
{
	struct plan plan;
	int ret;

	ret = record_options(&plan, argc, argv);
	if (!ret)
		ret = plan.ntargets > 1 ? record_many(&plan) : record_run(&plan);
	else
		ret = ret > 0 ? EXIT_DONE : EXIT_TROUBLE;
	plan_clear(&plan);
	return ret;
}

// SPDX-License-Identifier: LGPL-2.1
/*
 * check_kernel.c - errors for features that this kernel lacks
 */
#include <string.h>

#include "lib/check/check_private.h"
#include "lib/expr/modifier_fit.h"

int hist_check_refuse_feature(struct hist_check *c, struct hist_span at, const char *what,
			      const char *hint)
{
	return hist_expr_error_refuse(c->error, at, hint, "this kernel does not support %s", what);
}

#define REPORT_SHARES "leave out the modifier; 'trace-cmd hist report' computes the shares"

static const char no_stacks[] = "stacks that are not keys";

static int check_kernel_name(struct hist_check *c, const char *name, bool bare_key,
			     struct hist_span at)
{
	if (!strcmp(name, "common_stacktrace") && !c->kernel->stacks) {
		if (bare_key)
			return hist_check_refuse_feature(c, at, name, "write stacktrace");
		return hist_check_refuse_feature(c, at, no_stacks, HIST_SINCE("6.4"));
	}
	/* These kernels accept the name only as a bare key; newer kernels accept it elsewhere */
	if (!strcasecmp(name, "stacktrace") && !c->kernel->stacks && !bare_key)
		return hist_check_refuse_feature(c, at, no_stacks, HIST_SINCE("6.4"));
	if (!strcmp(name, "STACKTRACE") && !c->kernel->stacks)
		return hist_check_refuse_feature(c, at, name, "write stacktrace");
	if (!strcmp(name, "common_cpu") && !c->kernel->common_cpu)
		return hist_check_refuse_feature(c, at, name, "write cpu");
	/* a kernel prints this form, but does not accept it */
	if (hist_field_is_printed_cpu(name))
		return hist_check_refuse_field(name, at, HIST_USE_VALUE, c->event, c->error);
	if (!strcmp(name, "common_comm") && !c->kernel->common_comm)
		return hist_check_refuse_feature(c, at, name, "write common_pid.execname");
	if (!strcasecmp(name, "comm") && !c->kernel->common_comm)
		return hist_check_refuse_field(name, at, HIST_USE_VALUE, c->event, c->error);
	return 0;
}

int hist_check_kernel_field(struct hist_check *c, const struct hist_typed *typed, bool is_key,
			    struct hist_span name_at)
{
	struct hist_span modifier_at = typed->modifier_at;
	enum hist_modifier modifier = typed->modifier;
	int ret = 0;

	if (!typed->field)
		ret = check_kernel_name(c, typed->name, is_key && modifier == HIST_MOD_NONE,
					name_at);
	if (ret)
		return ret;
	if (modifier == HIST_MOD_STACKTRACE && !c->kernel->stacks)
		return hist_check_refuse_feature(c, modifier_at, ".stacktrace",
						 HIST_SINCE("6.4"));
	if (modifier == HIST_MOD_BUCKETS && !c->kernel->buckets)
		return hist_check_refuse_feature(c, modifier_at, ".buckets=N",
						 "use .log2, or upgrade to Linux 5.14 or later");
	if (modifier == HIST_MOD_LOG2 && typed->bucket && !c->kernel->fine_log2)
		return hist_expr_error_refuse(c->error, modifier_at, "use .log2 or .buckets=N",
					      "%s does not support .log2=K",
					      c->kernel->function_globs ? "the user-space engine" :
									  "this kernel");
	if ((modifier == HIST_MOD_PERCENT || modifier == HIST_MOD_GRAPH) && !c->kernel->percent)
		return hist_check_refuse_feature(c, modifier_at, ".percent and .graph",
						 REPORT_SHARES);
	/* others fit no value on any kernel: hist_check_key_or_value() says so */
	if (typed->meaning == HIST_MEANS_HITCOUNT && modifier != HIST_MOD_NONE &&
	    hist_modifier_fits_meaning(modifier, typed->meaning, NULL, is_key) == HIST_FITS &&
	    !c->kernel->nohitcount)
		return hist_check_refuse_feature(c, modifier_at, "modifiers of hitcount",
						 REPORT_SHARES);
	return 0;
}

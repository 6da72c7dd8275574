/* SPDX-License-Identifier: LGPL-2.1 */
/*
 * filter_eval.h - evaluate event filters
 */
#ifndef LIB_ENGINE_FILTER_EVAL_H
#define LIB_ENGINE_FILTER_EVAL_H

#include "lib/engine/engine_private.h"

/*
 * filter_eval_new - compile @filter for events of @on
 * *@uses_names: it looks up names of tasks or functions, which only one thread at a time may.
 * 0; -EOPNOTSUPP with *@error if the filter needs data that recordings lack; -ENOMEM.
 */
int filter_eval_new(struct filter_test **test, const struct hist_filter *filter,
		    const struct hist_engine *engine, struct engine_event *on, bool *uses_names,
		    struct hist_error *error);
void filter_eval_free(struct filter_test *test);

bool filter_eval_match(const struct filter_test *test, const struct hist_engine_machine *machine,
		       struct hit *hit);

#endif

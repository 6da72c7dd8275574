/* SPDX-License-Identifier: LGPL-2.1 */
/*
 * check_filter.h - check a filter against the fields of its event
 */
#ifndef LIB_CHECK_CHECK_FILTER_H
#define LIB_CHECK_CHECK_FILTER_H

#include "lib/event/event.h"
#include "lib/expr/expr_private.h"
#include "lib/expr/filter.h"
#include "lib/expr/kernel_features.h"

/*
 * hist_check_filter - check a filter
 * @tree: may be NULL; @text, at position @start, is then parsed again for the error.
 * 0; -EINVAL with *@error; -ENOMEM.
 */
int hist_check_filter(const struct hist_filter *tree, const char *text, size_t start,
		      const struct hist_event *event, const struct hist_kernel *kernel,
		      struct hist_error *error);

#endif

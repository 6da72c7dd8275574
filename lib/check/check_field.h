/* SPDX-License-Identifier: LGPL-2.1 */
/*
 * check_field.h - check one key or value against an event
 */
#ifndef LIB_CHECK_CHECK_FIELD_H
#define LIB_CHECK_CHECK_FIELD_H

#include "lib/check/check_type.h"

/*
 * hist_check_field - check a key or value
 * 0 with *@resolved filled, which the caller must clear; -EINVAL with *@error; -ENOMEM.
 */
int hist_check_field(struct hist_resolved *resolved, struct hist_check *c,
		     const struct hist_field *field, bool is_key);

#endif

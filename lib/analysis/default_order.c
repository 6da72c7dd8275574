// SPDX-License-Identifier: LGPL-2.1
/*
 * default_order.c - the order of rows if the user does not give one
 */
#include <errno.h>
#include <string.h>

#include "lib/analysis/default_order.h"
#include "lib/expr/expr.h"
#include "lib/hist/key_names.h"

bool hist_default_order_set_axis(const struct hist_schema *schema, struct hist_row_order *order)
{
	if (schema->nkeys != 1 || !hist_key_traits(&schema->keys[0])->axis ||
	    hist_key_names_flags(schema->keys[0].names) & HIST_NAMES_CODE)
		return false;
	*order = (struct hist_row_order){ .n = 1, .sorts[0].is_key = true };
	return true;
}

int hist_default_order_make(struct hist_default_order *default_order,
			    const struct hist_definition *def, bool bars,
			    uint32_t top)
{
	const struct hist_schema *schema = def->schema;
	struct hist_row_order asked = { 0 };
	bool has_asked = false;
	struct hist_expr *expr;
	int ret;

	memset(default_order, 0, sizeof(*default_order));
	ret = hist_expr_parse(&expr, def->trigger, NULL);
	if (ret == -ENOMEM)
		return ret;
	if (!ret) {
		has_asked = hist_row_order_from_expr(&asked, schema, expr);
		hist_expr_free(expr);
	}
	if (has_asked && !bars && !top) {
		default_order->order = asked;
		return 0;
	}
	default_order->has_axis = hist_default_order_set_axis(schema, &default_order->axis) &&
			  (bars || (hist_key_traits(&schema->keys[0])->range && !has_asked));
	hist_row_order_set_largest(&default_order->order,
				   hist_row_find_main_value(schema, has_asked ? &asked : NULL));
	return 0;
}

const struct hist_row_order *
hist_default_order_choose(const struct hist_default_order *default_order, uint32_t rows,
			  uint32_t top, bool *axis)
{
	*axis = default_order->has_axis && (!top || rows <= top);
	return *axis ? &default_order->axis : &default_order->order;
}

// SPDX-License-Identifier: LGPL-2.1
/*
 * default_order.c - the order of rows if the user does not give one
 */
#include <errno.h>
#include <string.h>

#include "lib/analysis/default_order.h"
#include "lib/analysis/snapshot_view.h"
#include "lib/expr/expr.h"

bool hist_view_axis(const struct hist_schema *schema, struct hist_order *order)
{
	if (schema->nkeys != 1 || !hist_key_traits(&schema->keys[0])->axis)
		return false;
	*order = (struct hist_order){ .n = 1, .sorts[0].is_key = true };
	return true;
}

int hist_usual_order(struct hist_usual_order *usual, const struct hist_definition *def, bool bars,
		     uint32_t top)
{
	const struct hist_schema *schema = def->schema;
	struct hist_order asked = { 0 };
	bool has_asked = false;
	struct hist_expr *expr;
	int ret;

	memset(usual, 0, sizeof(*usual));
	ret = hist_expr_parse(&expr, def->trigger, NULL);
	if (ret == -ENOMEM)
		return ret;
	if (!ret) {
		has_asked = hist_order_of_expr(&asked, schema, expr);
		hist_expr_free(expr);
	}
	if (has_asked && !bars && !top) {
		usual->order = asked;
		return 0;
	}
	usual->has_axis = hist_view_axis(schema, &usual->axis) &&
			  (bars || (hist_key_traits(&schema->keys[0])->range && !has_asked));
	hist_order_largest(&usual->order, hist_main_value(schema, has_asked ? &asked : NULL));
	return 0;
}

const struct hist_order *hist_usual_order_for(const struct hist_usual_order *usual, uint32_t rows,
					      uint32_t top, bool *axis)
{
	*axis = usual->has_axis && (!top || rows <= top);
	return *axis ? &usual->axis : &usual->order;
}

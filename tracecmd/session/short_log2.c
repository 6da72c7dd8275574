// SPDX-License-Identifier: GPL-2.0
/*
 * short_log2.c - note the hits that a 32-bit kernel may have put into a lower bucket of .log2
 */
#include "lib/label/unit.h"
#include "tracecmd/session/short_log2.h"

/* A name that is not a field is a variable or an expression, of 64 bits. */
static bool short_log2_is_wide(const struct traced_hist *h, const struct hist_key_desc *key)
{
	const struct hist_event *event = h->source ? h->source->event : NULL;
	const struct hist_event_field *field = event ? hist_event_find(event, key->name) : NULL;
	enum hist_unit unit = hist_unit_from_key(key);

	return (!field || field->size == 8) && (unit == HIST_UNIT_NONE || unit == HIST_UNIT_NS);
}

void short_log2_apply(const struct hist_target *t, const struct hist_kernel *kernel,
		      struct traced_hist *h)
{
	const struct hist_schema *schema = hist_table_schema(h->table);
	unsigned int k;

	for (k = 0; t->long_size == 4 && !kernel->fine_log2 && k < schema->nkeys; k++) {
		if (schema->keys[k].kind == HIST_KEY_LOG2 &&
		    short_log2_is_wide(h, &schema->keys[k]))
			h->snap.losses[HIST_LOSS_SHORT_LOG2] = h->snap.hits;
	}
}

/* SPDX-License-Identifier: LGPL-2.1 */
/*
 * worst.h - the largest value of each key of a view, with what the kernel saved at that time
 *
 * A trigger with onmax($worst).save() keeps a HIST_VALUE_WORST in each row (lib/hist/schema.h).
 * The rows of a group (axis.h) have one worst: that of the row with the largest maximum.
 *
 * The maximum of a row since the start is exact.  In a difference it is exact if it rose there.
 * Otherwise the row was hit by values up to that maximum, so it is an upper limit.  The engine also
 * records the exact maximum of each interval (HIST_VALUE_PEAK), but not what ran then.
 */
#ifndef LIB_ANALYSIS_WORST_H
#define LIB_ANALYSIS_WORST_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "lib/analysis/axis.h"
#include "lib/analysis/snapshot_view.h"
#include "lib/label/unit.h"

struct hist_worst {
	uint32_t group; /* number in the grouping */
	uint32_t entry; /* the row */
	uint64_t value;
	bool exact; /* false: at most @value, and what was saved is from an earlier time */
	/* what was saved, perhaps nothing; owned by the table of the view */
	const char *saved;
	size_t saved_len;
};

/* The list of a view.  Begin with all zero; the memory is used again by the next view. */
struct hist_worst_list {
	struct hist_grouping *grouping;
	struct hist_worst *list; /* largest first */
	uint32_t n, room;
	uint32_t *of_group; /* 1 + index in @list, or 0 */
	uint32_t groups_room;
	enum hist_unit unit; /* of the values */
	char field[64]; /* the field or expression whose maximum is kept: "lat_us" */
};

/*
 * hist_worst_select - fill @list with the groups that were hit in @view by more than 0
 * The list is empty if the histogram does not keep its worst.  Returns 0, -ENOMEM or -E2BIG.
 */
int hist_worst_select(struct hist_worst_list *list, const struct hist_view *view);
void hist_worst_free(struct hist_worst_list *list); /* not the struct */

/*
 * hist_worst_read - set value and saved of @worst from the string @id of a HIST_VALUE_WORST
 * False if nothing was kept: @worst is then undefined.
 */
bool hist_worst_read(struct hist_worst *worst, const struct hist_table *table, uint64_t id);

/*
 * hist_worst_find_field - the field or expression whose maximum @trigger keeps
 * @field is "" if there is none.  Returns 0 or -ENOMEM.
 */
int hist_worst_find_field(char *field, size_t size, const char *trigger);

/* One saved field. */
struct hist_worst_field {
	const char *name;
	size_t name_len;
	bool is_number, is_signed; /* is_signed: read @number as int64_t */
	uint64_t number;
	const char *text; /* if not a number; without the padding of its column */
	size_t text_len;
};

/*
 * hist_worst_next_field - the next field at *@at
 * @at, @left: initially the members saved and saved_len of a worst; advanced past the field.
 * False at the end, and at a text that is not in the kernel's form.
 */
bool hist_worst_next_field(const char **at, size_t *left, struct hist_worst_field *field);

/* What is shown in places of its own; the other saved fields are shown by their names. */
struct hist_worst_place {
	bool has_time, has_cpu;
	uint64_t time; /* of the trace clock */
	uint64_t cpu;
	/* the task that ran at the end or, if @has_previous, the one before the switch */
	bool has_pid, has_previous;
	uint64_t pid, prio;
	const char *comm;
	size_t comm_len;
};

void hist_worst_get_place(const struct hist_worst *worst, struct hist_worst_place *place);

/* True if hist_worst_get_place() has the field. */
bool hist_worst_is_place(const struct hist_worst_field *field);

#endif

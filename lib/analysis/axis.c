// SPDX-License-Identifier: LGPL-2.1
/*
 * axis.c - select the axis of a histogram, and the numbers that its cells cover
 *
 * A plain number may be a quantity or an identifier.  Only the name of the field distinguishes
 * them.  Events of the kernel use similar names for identifiers: "pid", "next_pid", "dev",
 * "gfp_flags".
 */
#include <ctype.h>
#include <string.h>

#include "lib/analysis/axis.h"
#include "lib/base/text.h"
#include "lib/hist/key_names.h"
#include "lib/label/unit.h"

/* Last parts of names, after the last '_', of identifiers, codes and sets of bits. */
static const char *const names[] = {
	"action", "address", "arg", "bit", "call", "caller", "cause", "cgroup", "class", "cmd",
	"code", "command", "cookie", "cpus", "crc", "ctx", "dest", "dev", "device", "err",
	"errno", "error", "event", "family", "fd", "flag", "fn", "func", "function", "handle",
	"hash", "id", "idx", "index", "ino", "ip", "key", "kind", "level", "major", "minor",
	"name", "nice", "nid", "nr", "number", "op", "opcode", "opf", "order", "owner", "page",
	"parent", "pfn", "pointer", "policy", "priority", "protocol", "qp", "queue", "reason",
	"root", "sector", "sig", "signal", "site", "sk", "sock", "status", "syscall", "tag",
	"target", "task", "vec", "vector", "version", "zone",
};

/* The same as endings of names: "next_pid", "ppid", "softirq", "kvaddr", "migratetype". */
static const char *const endings[] = {
	"pid", "tid", "gid", "uid", "_id", "cpu", "irq", "prio", "addr", "ptr", "flags", "mask",
	"state", "type", "mode", "node", "port", "proto",
};

/* Case and digits at the end are ignored: "arg1", "ID". */
static bool is_identifier(const char *field)
{
	size_t len = strlen(field), part, i;
	char name[64];

	if (!strncmp(field, "common_", 7) && strncmp(field, "common_timestamp", 16))
		return true;
	while (len && isdigit((unsigned char)field[len - 1]))
		len--;
	if (len >= sizeof(name)) {
		field += len - (sizeof(name) - 1);
		len = sizeof(name) - 1;
	}
	for (i = 0; i < len; i++)
		name[i] = tolower((unsigned char)field[i]);
	for (part = len; part && name[part - 1] != '_'; part--)
		;
	for (i = 0; i < sizeof(names) / sizeof(*names); i++)
		if (text_equals(name + part, len - part, names[i]))
			return true;
	for (i = 0; i < sizeof(endings) / sizeof(*endings); i++)
		if (text_ends_with(name, len, endings[i]))
			return true;
	return false;
}

/* A number whose event has names for it is a code, whatever its name. */
static bool key_is_identifier(const struct hist_key_desc *key)
{
	return hist_key_names_flags(key->names) & HIST_NAMES_CODE || is_identifier(key->name);
}

int hist_axis_key(const struct hist_schema *schema)
{
	enum hist_axis_rank rank;
	unsigned int i;

	for (rank = HIST_AXIS_RANGE; rank <= HIST_AXIS_PLAIN; rank++)
		for (i = 0; i < schema->nkeys; i++)
			if (hist_key_traits(&schema->keys[i])->axis == rank &&
			    (rank != HIST_AXIS_PLAIN || !key_is_identifier(&schema->keys[i])))
				return i;
	return -1;
}

bool hist_axis_comes_first(const struct hist_schema *schema)
{
	int axis = hist_axis_key(schema);

	if (axis < 0 || hist_schema_stack_key(schema) >= 0)
		return false;
	return schema->nkeys == 1 || hist_key_traits(&schema->keys[axis])->range ||
	       hist_unit_from_key(&schema->keys[axis]) != HIST_UNIT_NONE;
}

void hist_axis_get_bounds(const struct hist_key_desc *key, uint64_t num, struct hist_bounds *bounds)
{
	const struct hist_range_ops *range = hist_key_traits(key)->range;

	hist_key_bounds(key, range ? range->round(key, num) : num, bounds);
	bounds->is_signed = key->is_signed;
	if (bounds->is_signed && bounds->ge <= INT64_MAX && bounds->le > INT64_MAX)
		bounds->le = INT64_MAX;
}

bool hist_axis_find_sum(const struct hist_schema *schema, unsigned int *value)
{
	int key = hist_axis_key(schema);
	unsigned int i;

	if (key < 0)
		return false;
	for (i = 0; i < schema->nvalues; i++) {
		if (!hist_value_is_sum(schema->values[i].kind) ||
		    strcmp(schema->values[i].name, schema->keys[key].name))
			continue;
		*value = i;
		return true;
	}
	return false;
}

int hist_axis_find_counted(const struct hist_schema *schema)
{
	int value = hist_schema_hitcount(schema);
	unsigned int i;

	for (i = 0; value < 0 && i < schema->nvalues; i++)
		if (hist_value_is_sum(schema->values[i].kind))
			value = i;
	return value;
}

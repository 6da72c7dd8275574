// SPDX-License-Identifier: GPL-2.0
/*
 * fuzz_recipe.c - the file of a preset: behind a '+' the bytes choose a recipe of the grammar,
 * otherwise they are the recipe
 */
#include <assert.h>
#include <errno.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "lib/preset/preset.h"
#include "lib/thresholds/thresholds.h"
#include "utest/unit/lib/query/grammar.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void use(const char *spec)
{
	struct query query = { 0 };
	struct hist_error error = { 0 };
	int ret = preset_add(&query, spec, NULL, &error);

	/* without a reason only memory was short */
	assert(!ret || *error.what || ret == -ENOMEM);
	query_clear(&query);
}

/* The same text as thresholds. */
static void use_thresholds(struct hist_strbuf *text)
{
	struct hist_thresholds *t = NULL;
	struct hist_gate gate = { 0 };
	struct hist_error error = { 0 };
	char *copy = malloc(text->len + 1);
	unsigned int line;

	if (!copy)
		return;
	if (text->len)
		memcpy(copy, text->data, text->len);
	copy[text->len] = '\0';
	if (!hist_thresholds_parse(&t, copy, text->len, &line, &error))
		hist_thresholds_apply(t, &gate, "sched:sched_switch#0", "a b", "p99");
	else
		assert(*error.what);
	hist_thresholds_free(t);
	free(copy);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct hist_strbuf text = { 0 };
	static int fd = -1;
	char spec[64];

	if (fd < 0)
		fd = memfd_create("recipe", 0);
	if (size && *data == '+')
		grammar_add_recipe(&(struct grammar){ data + 1, size - 1, 0 }, &text);
	else
		hist_strbuf_add(&text, data, size);
	if (ftruncate(fd, 0) || (text.len && pwrite(fd, text.data, text.len, 0) != (ssize_t)text.len))
		abort();
	snprintf(spec, sizeof(spec), "/proc/self/fd/%d", fd);
	use(spec);
	snprintf(spec, sizeof(spec), "/proc/self/fd/%d:task-x*", fd);
	use(spec);
	use_thresholds(&text);
	hist_strbuf_free(&text);
	return 0;
}

// SPDX-License-Identifier: GPL-2.0
/*
 * fuzz_sql.c - a query of --sql over a recording: behind a '+' the bytes choose a query of the
 * grammar, otherwise they are the query; behind a '=' they are what libtracefs made of one
 */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "lib/query/sql.h"
#include "tracecmd/base/command.h"
#include "utest/unit/lib/query/grammar.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* Foreign commands are read, or refused. */
static void use_commands(const uint8_t *data, size_t size)
{
	struct hist_strbuf commands = { 0 };
	struct sql_found found = { 0 };
	unsigned int i;

	hist_strbuf_add(&commands, data, size);
	if (!sql_found_read(&found, &commands, "n")) {
		for (i = 0; found.synth && i <= found.synth->nfields; i++)
			sql_found_time(&found, i);
	}
	sql_found_clear(&found);
	hist_strbuf_free(&commands);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	char *argv[] = { (char *)"replay", (char *)"-q", (char *)"--dry-run", (char *)"--sql", NULL,
			 (char *)UTEST_DATA "/events/several.dat", NULL };
	struct hist_strbuf text = { 0 };
	int status;

	if (size && *data == '=') {
		use_commands(data + 1, size - 1);
		return 0;
	}
	if (size && *data == '+')
		grammar_add_sql(&(struct grammar){ data + 1, size - 1, 0 }, &text);
	else
		hist_strbuf_add(&text, data, size);
	argv[4] = hist_strbuf_string(&text);
	if (!argv[4])
		return 0;
	status = replay_command.run(6, argv);
	if (status != EXIT_DONE && status != EXIT_TROUBLE)
		abort();
	free(argv[4]);
	return 0;
}

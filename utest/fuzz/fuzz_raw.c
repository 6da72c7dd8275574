// SPDX-License-Identifier: GPL-2.0
/*
 * fuzz_raw.c - any bytes as a hist_raw file; or, if they begin with "kallsyms:", as the
 * symbols of a kernel, some addresses of which are asked for
 */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "utest/unit/lib/histfile/raw_render.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static const char magic[] = "kallsyms:";

static void read_symbols(const uint8_t *data, size_t size)
{
	struct hist_kallsyms *symbols;
	char *text = malloc(size ? size : 1), name[HIST_SYMBOL_MAX];
	uint64_t address;

	if (!text)
		abort();
	memcpy(text, data, size);
	if (hist_kallsyms_new(&symbols, text, size))
		return;
	for (address = 0; address < 0x3000; address += 0x7f)
		hist_kallsyms_format(symbols, address, name);
	hist_kallsyms_format(symbols, UINT64_MAX, name);
	hist_kallsyms_free(symbols);
}

/* So that stacks of the corpus, which has addresses like these, have names. */
static struct hist_kallsyms *make_symbols(void)
{
	struct hist_kallsyms *symbols;
	char *text = NULL;
	size_t len;
	FILE *out = open_memstream(&text, &len);

	fputs("0000000000001000 T _stext\nffffffff81000000 T code\nffffffffa0000000 T _etext\n"
	      "ffffffffc0000000 t one\t[m]\nffffffffc0001000 t two\t[m]\n", out);
	fclose(out);
	return hist_kallsyms_new(&symbols, text, len) ? NULL : symbols;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static struct hist_kallsyms *symbols;
	static FILE *null;

	if (!null) {
		null = fopen("/dev/null", "w");
		symbols = make_symbols();
	}
	if (size >= sizeof(magic) - 1 && !memcmp(data, magic, sizeof(magic) - 1))
		read_symbols(data + sizeof(magic) - 1, size - (sizeof(magic) - 1));
	else
		raw_render(data, size, NULL, 0, symbols, null, NULL);
	return 0;
}

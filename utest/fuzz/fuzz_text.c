// SPDX-License-Identifier: GPL-2.0
/*
 * fuzz_text.c - any bytes as a hist file
 */
#include <stdint.h>
#include <stdio.h>

#include "utest/unit/lib/histfile/text_render.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static FILE *null;

	if (!null)
		null = fopen("/dev/null", "w");
	text_render((const char *)data, size, NULL, null, NULL, NULL);
	return 0;
}

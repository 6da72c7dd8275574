// SPDX-License-Identifier: GPL-2.0
/* usdt_library.c - a library with a statically defined probe, for usdt_victim.c */
#include <sys/sdt.h>

__attribute__((visibility("default"))) void library_call(long number, const char *text);

void library_call(long number, const char *text)
{
	STAP_PROBE2(victim, library, number, text);
}

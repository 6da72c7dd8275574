/* SPDX-License-Identifier: GPL-2.0 */
/*
 * string.h - the string functions that mbedTLS needs from libc, for the static helper
 *
 * The functions are defined in other files of the helper or in ../port_mbedtls.c.
 */
#ifndef HELPER_PORT_MBEDTLS_STRING_H
#define HELPER_PORT_MBEDTLS_STRING_H

#include <stddef.h>

#include "helper/port/port_mbedtls.h"

void *memcpy(void *to, const void *from, size_t len);
void *memmove(void *to, const void *from, size_t len);
void *memset(void *to, int byte, size_t len);
size_t strlen(const char *text);

#define memcmp port_mbedtls_memcmp
#define strcmp port_mbedtls_strcmp

#endif

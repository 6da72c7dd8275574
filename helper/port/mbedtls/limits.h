/* SPDX-License-Identifier: GPL-2.0 */
/* limits.h - the limits that mbedTLS needs from libc, for the static helper */
#ifndef HELPER_PORT_MBEDTLS_LIMITS_H
#define HELPER_PORT_MBEDTLS_LIMITS_H

#define CHAR_BIT __CHAR_BIT__
#define INT_MAX __INT_MAX__
#define UINT_MAX (__INT_MAX__ * 2U + 1U)
#define LONG_MAX __LONG_MAX__
#define ULONG_MAX (__LONG_MAX__ * 2UL + 1UL)

#endif

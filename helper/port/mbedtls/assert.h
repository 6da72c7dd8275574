/* SPDX-License-Identifier: GPL-2.0 */
/* assert.h - empty: mbedTLS includes it, but does not use it with tls_config.h */

/* SPDX-License-Identifier: GPL-2.0 */
/* time.h - mbedTLS includes it, and uses nothing of it as tls_config.h has it */

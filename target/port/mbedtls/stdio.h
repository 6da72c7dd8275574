/* SPDX-License-Identifier: GPL-2.0 */
/* stdio.h - mbedTLS includes it, and uses nothing of it as tls_config.h has it */

/* SPDX-License-Identifier: LGPL-2.1 */
/*
 * assets.h - the style and the script of HTML pages, embedded by scripts/embed.cmake
 */
#ifndef LIB_REPORT_HTML_ASSETS_H
#define LIB_REPORT_HTML_ASSETS_H

#include <stddef.h>

extern const unsigned char asset_chart_css[], asset_page_css[], asset_page_js[];
extern const size_t asset_chart_css_len, asset_page_css_len, asset_page_js_len;

/* SHA-256 of chart.css followed by page.css, and of page.js; 32 bytes each. */
extern const unsigned char asset_style_sha256[], asset_script_sha256[];
extern const size_t asset_style_sha256_len, asset_script_sha256_len;

#endif

# SPDX-License-Identifier: GPL-2.0
#
# embed.cmake: the style and script of HTML reports as C arrays, with the SHA-256 by
# which a page allows these two and nothing else.
#
# cmake -DASSETS=lib/report/html -DOUT=assets.c -P embed.cmake

function(embed name hex)
	string(REGEX REPLACE "([0-9a-f][0-9a-f])" "0x\\1," bytes "${hex}")
	file(APPEND ${OUT} "const unsigned char ${name}[] = { ${bytes} };\n"
		"const size_t ${name}_len = sizeof(${name});\n")
endfunction()

file(WRITE ${OUT} "// Made by scripts/embed.cmake\n#include \"lib/report/html/assets.h\"\n")
foreach(asset chart.css page.css page.js)
	file(READ ${ASSETS}/${asset} hex HEX)
	string(REPLACE "." "_" name ${asset})
	embed(asset_${name} ${hex})
	file(READ ${ASSETS}/${asset} text_${name})
endforeach()
string(SHA256 style "${text_chart_css}${text_page_css}")
string(SHA256 script "${text_page_js}")
embed(asset_style_sha256 ${style})
embed(asset_script_sha256 ${script})

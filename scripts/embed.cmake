# SPDX-License-Identifier: GPL-2.0
#
# embed.cmake: files as C arrays.
#
# cmake -DASSETS=lib/report/html -DPALETTE=lib/chart/palette.h -DOUT=assets.c -P embed.cmake
#   the style and script of HTML reports, with the SHA-256 by which a page allows these
#   two and nothing else; the style gets its colours from the palette
# cmake -DRECIPES=recipes -DOUT=builtin_recipes.c -P embed.cmake
#   the recipes of presets, sorted by name

function(bytes_of hex out)
	string(REGEX REPLACE "([0-9a-f][0-9a-f])" "0x\\1," bytes "${hex}")
	set(${out} "${bytes}" PARENT_SCOPE)
endfunction()

function(embed name hex)
	bytes_of("${hex}" bytes)
	file(APPEND ${OUT} "const unsigned char ${name}[] = { ${bytes} };\n"
		"const size_t ${name}_len = sizeof(${name});\n")
endfunction()

if(RECIPES)
	file(GLOB_RECURSE files ${RECIPES}/*.recipe)
	foreach(file ${files})
		get_filename_component(name ${file} NAME_WLE)
		list(APPEND names ${name})
		set(file_${name} ${file})
	endforeach()
	list(SORT names)
	set(number 0)
	foreach(name ${names})
		file(READ ${file_${name}} hex HEX)
		bytes_of("${hex}" bytes)
		string(APPEND texts "static const unsigned char text_${number}[] = { ${bytes} };\n")
		string(APPEND rows "\t{ \"${name}\", text_${number}, sizeof(text_${number}) },\n")
		math(EXPR number "${number} + 1")
	endforeach()
	file(WRITE ${OUT} "// Made by scripts/embed.cmake\n"
		"#include \"lib/preset/recipe.h\"\n${texts}"
		"const struct builtin_recipe builtin_recipes[] = {\n${rows}};\n"
		"const size_t builtin_recipes_count = ${number};\n")
	return()
endif()
# Replace "@NAME@" by the colours of the palette: after the line with "dark" by those for dark grounds.
function(paint text out)
	file(READ ${PALETTE} rows)
	string(REGEX MATCHALL "X\\([A-Z_0-9]+, 0x[0-9a-f]+, 0x[0-9a-f]+" rows "${rows}")
	string(FIND "${text}" "prefers-color-scheme:dark" dark)
	string(SUBSTRING "${text}" 0 ${dark} light_text)
	string(SUBSTRING "${text}" ${dark} -1 dark_text)
	foreach(row ${rows})
		string(REGEX MATCH "X\\(([A-Z_0-9]+), 0x([0-9a-f]+), 0x([0-9a-f]+)" row "${row}")
		string(REPLACE "@${CMAKE_MATCH_1}@" "#${CMAKE_MATCH_2}" light_text "${light_text}")
		string(REPLACE "@${CMAKE_MATCH_1}@" "#${CMAKE_MATCH_3}" dark_text "${dark_text}")
	endforeach()
	if("${light_text}${dark_text}" MATCHES "@([A-Z_0-9]+)@")
		message(FATAL_ERROR "embed.cmake: ${PALETTE} has no colour ${CMAKE_MATCH_1}")
	endif()
	set(${out} "${light_text}${dark_text}" PARENT_SCOPE)
endfunction()

file(WRITE ${OUT} "// Made by scripts/embed.cmake\n#include \"lib/report/html/assets.h\"\n")
foreach(asset chart.css page.css page.js)
	string(REPLACE "." "_" name ${asset})
	file(READ ${ASSETS}/${asset} text_${name})
	if(asset MATCHES "css$")
		paint("${text_${name}}" text_${name})
	endif()
	string(HEX "${text_${name}}" hex)
	embed(asset_${name} ${hex})
endforeach()
string(SHA256 style "${text_chart_css}${text_page_css}")
string(SHA256 script "${text_page_js}")
embed(asset_style_sha256 ${style})
embed(asset_script_sha256 ${script})

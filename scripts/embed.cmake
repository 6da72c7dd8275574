# SPDX-License-Identifier: GPL-2.0
#
# embed.cmake: files as C arrays.
#
# cmake -DASSETS=lib/report/html -DOUT=assets.c -P embed.cmake
#   the style and script of HTML reports, with the SHA-256 by which a page allows these
#   two and nothing else
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
		"#include \"lib/preset/builtin_recipes.h\"\n${texts}"
		"const struct builtin_recipe builtin_recipes[] = {\n${rows}};\n"
		"const size_t builtin_recipes_count = ${number};\n")
	return()
endif()
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

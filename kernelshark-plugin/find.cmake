# SPDX-License-Identifier: GPL-2.0
# Is there what the panel for KernelShark is built of?  Included from the top, as
# languages and packages are known only where they were found, and below.
#
# KERNELSHARK says whether the panel is built: AUTO where the development packages
# are there (scripts/deps.sh kernelshark), ON: they must be, OFF: it is not.
# Sets KERNELSHARK_FOUND, QT, KERNELSHARK_INCLUDE, GLU_INCLUDE and
# KERNELSHARK_PLUGIN_SYSTEM_DIR.

set(KERNELSHARK AUTO CACHE STRING "build the panel for KernelShark: AUTO, ON or OFF")

# Not libkshark.pc: it asks for packages that its own package does not bring along.
# The header tells the version, and so which Qt, and where plugins are looked for.
find_path(KERNELSHARK_INCLUDE KsCmakeDef.hpp PATH_SUFFIXES kernelshark)
set(why "")
if(KERNELSHARK STREQUAL "OFF" OR FUZZ)
	set(why "switched off")
elseif(NOT KERNELSHARK_INCLUDE)
	set(why "the headers of KernelShark are missing: install libkshark-dev")
else()
	file(READ ${KERNELSHARK_INCLUDE}/KsCmakeDef.hpp def)
	string(REGEX MATCH "KS_VERSION_STRING \"([0-9.]+)\"" found "${def}")
	set(version ${CMAKE_MATCH_1})
	string(REGEX MATCH "KS_PLUGIN_INSTALL_PREFIX \"([^\"]+)\"" found "${def}")
	set(KERNELSHARK_PLUGIN_SYSTEM_DIR ${CMAKE_MATCH_1})
	if(NOT version OR NOT KERNELSHARK_PLUGIN_SYSTEM_DIR)
		set(why "${KERNELSHARK_INCLUDE}/KsCmakeDef.hpp does not define the version and the plugin folder")
	elseif(version VERSION_LESS 2.3)
		set(QT Qt5)
	else()
		set(QT Qt6)
	endif()
	include(CheckLanguage)
	check_language(CXX)
	if(NOT why AND NOT CMAKE_CXX_COMPILER)
		set(why "no C++ compiler: install g++")
	endif()
	if(NOT why)
		enable_language(CXX)
		find_package(${QT} COMPONENTS Widgets Test QUIET)
		find_path(GLU_INCLUDE GL/glu.h)
		# the headers of KernelShark include it, and their package does not bring it
		find_path(JSON_C_INCLUDE json-c/json.h)
		if(NOT ${QT}_FOUND)
			set(why "KernelShark ${version} was built with ${QT}, whose development files are missing")
		elseif(NOT GLU_INCLUDE)
			set(why "no GL/glu.h: install libglu1-mesa-dev and libgl-dev")
		elseif(NOT JSON_C_INCLUDE)
			set(why "no json-c/json.h: install libjson-c-dev")
		endif()
	endif()
endif()
if(why AND KERNELSHARK STREQUAL "ON")
	message(FATAL_ERROR "the panel for KernelShark cannot be built: ${why}")
endif()
if(why)
	message(STATUS "Not built: the panel for KernelShark: ${why}")
	set(KERNELSHARK_FOUND OFF)
else()
	set(KERNELSHARK_FOUND ON)
endif()

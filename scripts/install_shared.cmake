# SPDX-License-Identifier: GPL-2.0
#
# install_shared.cmake: install what has the name of a file of the stock trace-cmd.
#
# Part of cmake_install.cmake, which sets SHARED_BIN, SHARED_MAN, SHARED_COMPLETIONS (below
# the prefix), SHARED_PROGRAM, SHARED_PAGE and SHARED_COMPLETION (files to install).
#
# Invariant: no file of the stock trace-cmd is overwritten, and so none is in the manifest,
# which `make uninstall` deletes.  The prefix of distributions, /usr, is the stock one's even
# if it is not installed: the files may go into a package.

set(program "$ENV{DESTDIR}${CMAKE_INSTALL_PREFIX}/${SHARED_BIN}/trace-cmd")
set(ours "")
if(EXISTS "${program}")
	# the name of a variable that tracecmd/base/dispatch.c uses
	file(STRINGS "${program}" ours REGEX "TRACE_CMD_HIST_TRIED")
endif()

if(CMAKE_INSTALL_PREFIX STREQUAL "/usr" OR (EXISTS "${program}" AND NOT ours))
	# man finds it as trace-cmd-hist of section 1hist
	file(INSTALL DESTINATION "${CMAKE_INSTALL_PREFIX}/${SHARED_MAN}" TYPE FILE
		RENAME trace-cmd-hist.1hist FILES "${SHARED_PAGE}")
	message("note: ${CMAKE_INSTALL_PREFIX}/${SHARED_BIN}/trace-cmd: left to the stock trace-cmd")
	message("hint: run \"trace-cmd-hist COMMAND\" and \"man 1hist trace-cmd-hist\", or install with another prefix")
	return()
endif()

file(INSTALL DESTINATION "${CMAKE_INSTALL_PREFIX}/${SHARED_BIN}" TYPE EXECUTABLE
	FILES "${SHARED_PROGRAM}")
file(INSTALL DESTINATION "${CMAKE_INSTALL_PREFIX}/${SHARED_MAN}" TYPE FILE FILES "${SHARED_PAGE}")
file(INSTALL DESTINATION "${CMAKE_INSTALL_PREFIX}/${SHARED_COMPLETIONS}" TYPE FILE
	RENAME trace-cmd FILES "${SHARED_COMPLETION}")

#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# deps.sh: what `make` says on a machine that lacks a package.  Prints TAP.
#
# The machine is this one with something hidden: by a database of dpkg, a path of
# pkg-config and a PATH that lack it.  dpkg-query, pkg-config and cmake are the real ones.

set -u
export LC_ALL=C
# shellcheck source-path=SCRIPTDIR source=../scripts/tap.sh
. "$(dirname "$(readlink -f "$0")")/../scripts/tap.sh"

cd "$here/../.." || exit 2
work_make
mkdir "$work/pc" "$work/bin" "$work/dpkg" "$work/dpkg/info" "$work/dpkg/updates"

# The programs but NAME..., in $work/bin.
programs_without()
{
	rm -rf "${work:?}/bin"
	mkdir "$work/bin"
	ln -s /usr/bin/* "$work/bin/"
	(cd "$work/bin" && rm -f "$@")
}

# dpkg's database but for packages NAME...
packages_without()
{
	awk -v names=" $* " 'BEGIN { RS = ""; ORS = "\n\n" }
		{ name = $2; if (!index(names, " " name " ")) print }' \
		/var/lib/dpkg/status >"$work/dpkg/status"
}

# The .pc files but NAME...
libraries_without()
{
	local dir

	rm -rf "$work/pc"
	mkdir "$work/pc"
	for dir in $(pkg-config --variable pc_path pkg-config | tr : ' '); do
		[ ! -d "$dir" ] || ln -sf "$dir"/*.pc "$work/pc/"
	done
	(cd "$work/pc" && rm -f "$@")
}

# What make says there, and its status.
run_make()
{
	rm -rf "$work/build"*
	env -u MAKEFLAGS -u MAKELEVEL -u CC -u CMAKE_C_COMPILER_LAUNCHER PATH="$work/bin" \
		DPKG_ADMINDIR="$work/dpkg" PKG_CONFIG_LIBDIR="$work/pc" \
		make --no-print-directory BUILD="$work/build" 2>&1 | grep -v '^make: \*\*\*'
	echo "status ${PIPESTATUS[0]}"
}

programs_without nothing
packages_without libtracefs-dev libncurses-dev
libraries_without libtracefs.pc ncursesw.pc
is "make names missing libraries if cmake is installed" "$(run_make)" \
	"error: missing packages: libncurses-dev libtracefs-dev
hint: run \"scripts/deps.sh build\"
status 2"

packages_without cmake xsltproc
programs_without cmake xsltproc
libraries_without nothing
is "make names cmake among the missing packages" "$(run_make)" \
	"error: missing packages: cmake xsltproc
hint: run \"scripts/deps.sh build\"
status 2"

programs_without cmake dpkg-query
libraries_without libtracefs.pc ncursesw.pc
is "make names missing programs and libraries on a system without dpkg" "$(run_make)" \
	"error: missing programs or libraries: cmake, ncursesw, libtracefs
hint: install them with the files for development (-dev, -devel)
status 2"

# What the script does not know is in the log of CMake, which is shown.
programs_without nothing
packages_without nothing
libraries_without libtracefs.pc
is "make shows the error of CMake if only pkg-config lacks a library" \
	"$(run_make | grep -oE "missing packages|Package .libtracefs., required")" "Package 'libtracefs', required"
done_testing

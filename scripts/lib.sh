# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=sh
#
# lib.sh: what the scripts of this project share.  They source it, with sh or bash:
#
#	. "$(dirname "$(readlink -f "$0")")/lib.sh"
#
# Scripts that print TAP source utest/scripts/tap.sh, which sources this file.  The scripts
# of a guest have other files lib.sh, for busybox.
#
# $me is the name of the script in messages, and $here is the directory of the script.

me=${0##*/}
here=$(dirname "$(readlink -f "$0")")

# die PROBLEM: end the script with a message
die()
{
	echo "$me: $*" >&2
	exit 2
}

# need_files FILE...: end the script if one is missing
need_files()
{
	for needed; do
		[ -e "$needed" ] || die "$needed: missing"
	done
}

# Make a directory $work, which is removed at the end of the script.
work_make()
{
	work=$(mktemp -d) || exit 2
	trap 'rm -rf "$work"' EXIT
}

# The same, and make it the current directory.
work_enter()
{
	work_make
	cd "$work" || exit 2
}

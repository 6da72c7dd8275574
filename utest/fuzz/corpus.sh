#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# corpus.sh add NAME FILE...: add inputs to the corpus of fuzz_NAME, under the names of the files.
# corpus.sh unpack NAME DIR: write the inputs of the corpus to the new directory DIR.
# corpus.sh pack NAME DIR: replace the corpus by the inputs in DIR.
#
# corpus/NAME.tar holds the inputs of fuzz_NAME; `tar -tf` lists them.  An input that a fuzzer has
# found is named after the SHA-1 of its bytes, so a list of names is also one of contents.
#
# The same inputs always make the same archive: they are sorted by name, and have no time and no
# owner.  The archive is not compressed, because git compresses it and stores a new version
# as the difference from the last one.  A compressed archive would be stored anew for each input.

set -eu -o pipefail
export LC_ALL=C
# shellcheck source-path=SCRIPTDIR source=../../scripts/lib.sh
. "$(dirname "$(readlink -f "$0")")/../../scripts/lib.sh"

usage="usage: corpus.sh {add NAME FILE... | unpack NAME DIR | pack NAME DIR}"
[ $# -ge 3 ] || die "$usage"
command=$1 name=$2
[ -e "$here/fuzz_$name.c" ] || die "fuzz_$name: no such fuzzer"
archive=$here/corpus/$name.tar
shift 2

# unpack DIR
unpack()
{
	[ -e "$archive" ] || die "$archive: missing"
	mkdir -p "$1"
	[ -z "$(ls -A "$1")" ] || die "$1: not empty"
	tar -C "$1" -xf "$archive"
	[ -n "$(ls -A "$1")" ] || die "$archive: no inputs"
}

# pack DIR
pack()
{
	[ -n "$(ls -A "$1")" ] || die "$1: no inputs"
	[ -z "$(find "$1" -mindepth 1 ! -type f)" ] || die "$1: holds more than files"
	(cd "$1" && find . -type f -printf '%P\n' | sort) | tar -C "$1" --format=ustar --mtime=@0 \
		--owner=0 --group=0 --numeric-owner --mode=644 --verbatim-files-from -T - -cf "$archive.part"
	mv "$archive.part" "$archive"
}

# add FILE...
add()
{
	local file known

	work_make
	[ ! -e "$archive" ] || unpack "$work/inputs"
	mkdir -p "$work/inputs"
	for file; do
		known=$work/inputs/${file##*/}
		[ -f "$file" ] || die "$file: not a file"
		[ ! -e "$known" ] || cmp -s "$file" "$known" || die "$file: corpus $name has another input of this name"
		cp "$file" "$known"
	done
	pack "$work/inputs"
}

case $command$# in
add[1-9]*) add "$@" ;;
unpack1) unpack "$1" ;;
pack1) pack "$1" ;;
*) die "$usage" ;;
esac

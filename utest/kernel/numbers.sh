#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# numbers.sh [--linux VERSION] [BEFORE AFTER]: what the patches save, in instructions of the
# kernel.  A table, then TAP.  VERSION is 6.12 or mainline.  BEFORE and AFTER are directories
# as kernel_build.sh makes them; without, they are made.
#
# Two kernels for x86_64, the same but for the series, boot where QEMU counts instructions
# (-icount shift=0), and run cost.c: a snapshot by the text and by hist_raw at 2,048, 16,384
# and 131,072 entries, opened anew and of a file that is kept open, and what a hit adds to a
# getppid().  The goals that the table is held against are those of the series.

set -u
export LC_ALL=C.UTF-8
# shellcheck source-path=SCRIPTDIR source=../scripts/tap.sh
. "$(dirname "$(readlink -f "$0")")/../scripts/tap.sh"

top=$(readlink -f "$here/../..")
# shellcheck source-path=SCRIPTDIR source=machines.sh
. "$here/machines.sh"
# shellcheck source-path=SCRIPTDIR source=root.sh
. "$here/root.sh"

work_make
machine_set x86_64
cpus=1 memory=512 version=6.12
[ "${1-}" != --linux ] || { version=${2-} && shift 2; }
machine_accel=tcg
plain=${1-} kernel=${2-}
if [ $# = 0 ]; then
	kernel=$("$top/scripts/kernel_build.sh" --linux "$version" x86_64) || exit 2
	plain=$("$top/scripts/kernel_build.sh" --plain --linux "$version" x86_64) || exit 2
fi
root=$work/root
root_make "$root" x86_64 "$kernel" '' || exit 2

# measure KERNEL_DIR: its lines, "WHAT ENTRIES INSTRUCTIONS"
measure()
{
	machine_command x86_64 "$1" "$root.cpio" run=cost
	setpriv --pdeathsig KILL timeout -s KILL 900 "${command[@]}" -icount shift=0 </dev/null |
		tr -d '\r' | sed -n -e 's/^TAP: # cost //p' -e 's/^TAP: not ok/#&/p'
}

measure "$plain" >"$work/before"
measure "$kernel" >"$work/after"

# of FILE WHAT ENTRIES: instructions
of() { awk -v what="$2" -v n="$3" '$1 == what && $2 == n { print $3 }' "$work/$1"; }
# ratio A B: with a place after the point
ratio() { awk -v a="$1" -v b="$2" 'BEGIN { if (b > 0) printf "%.1f", a / b }'; }

row()
{
	local n=$1 before after

	before=$(of before text "$n")
	for what in text text-again binary binary-again; do
		after=$(of after $what "$n")
		printf '%-14s %8d %14s %14s %8s\n' $what "$n" "$(of before $what "$n")" "$after" \
			"$(ratio "$before" "$after")"
	done
}

# at_least WHAT GOT FLOOR
at_least()
{
	is "$1 ($2 times, at least $3)" \
		"$(awk -v a="${2:-0}" -v b="$3" 'BEGIN { print (a >= b) }')" 1
}

echo "Instructions of a snapshot, read to its end; the ratio is to the text opened before"
printf '%-14s %8s %14s %14s %8s\n' what entries before after ratio
for n in 2048 16384 131072; do
	row $n
done
echo
echo "Instructions that a hit adds to a getppid(), in thousandths"
printf '%-25s %10s %10s\n' keys before after
for what in pid pid-and-name stack; do
	printf '%-25s %10s %10s\n' $what "$(of before 1000-hits-by-$what 0)" "$(of after 1000-hits-by-$what 0)"
done
echo
text=$(of before text 131072)
at_least "the text of 131,072 entries takes fewer instructions than before" \
	"$(ratio "$text" "$(of after text 131072)")" 5
at_least "the binary file of 131,072 entries takes fewer instructions than the text" \
	"$(ratio "$text" "$(of after binary 131072)")" 20
for what in pid pid-and-name stack; do
	is "a hit by $what takes at most 1 % more instructions than before" \
		"$(awk -v a="$(of before 1000-hits-by-$what 0)" \
		-v b="$(of after 1000-hits-by-$what 0)" 'BEGIN { print (a > 0 && b > 0 && b <= a * 1.01) ? "yes" : b / a }')" yes
done
done_testing

#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# noise.sh KERNEL BIN [TRIES [RUNS [FILES]]]: what `diff` finds in a noisy machine.
#
# A load runs in an emulated machine whose CPUs the host lends as it likes.  RUNS times it
# records the load (a), the same again (s), and the load with read() and ppoll() doubled (b), in
# turns, so that the host's moods reach all three.  Each of TRIES begins anew.  Then, on the host:
#
#   a against b	read() is to be found: in each try, and in three tries joined.  ppoll() takes a
#		fifth of the time of read(), and is only counted: how often depends on the host.
#   a against s	nothing is to be found; random halves of all runs show the rate of false
#		alarms, which is 5 % at most
#
# Counts are comments, the bounds are TAP.  FILES: a directory to keep the recordings in, and if
# it has some, to take them from.

set -eu
export LC_ALL=C.UTF-8
# shellcheck source-path=SCRIPTDIR source=../scripts/tap.sh
. "$(dirname "$(readlink -f "$0")")/../scripts/tap.sh"

[ $# -ge 2 ] || die "usage: noise.sh KERNEL BIN [TRIES [RUNS [FILES]]]"
kernel=$1 bin=$(readlink -f "$2") tries=${3:-3} runs=${4:-5}
work_make
mkdir -p "${5:-$work/files}"
files=$(readlink -f "${5:-$work/files}")

if [ ! -e "$files/b-$((tries - 1))-$runs.dat" ]; then
	${CC:-cc} -O2 -Wall -Wextra -Werror -o "$work/noise_load" "$here/noise_load.c"
	cat >"$work/noise.sh" <<-END
	# shellcheck shell=dash
	. /tests/lib.sh
	cd /tmp || bail "no /tmp"
	record() # NAME FACTOR
	{
		trace-cmd hist record -q -i 0 -o "\$OUT/\$1.dat" --preset syscall-latency:noise_load \\
			-- noise_load 200 \$2 >err 2>&1 || not_ok "\$1: recorded" "\$(cat err)"
	}
	for try in \$(seq 0 $((tries - 1))); do
		for run in \$(seq $runs); do
			record a-\$try-\$run 1
			record b-\$try-\$run 2
			record s-\$try-\$run 1
		done
	done
	pass "all runs are recorded"
	done_testing
	END
	# the noise is that of this machine
	VM_ACCEL=${VM_ACCEL:-tcg} "$here/vm.sh" run --kernel "$kernel" --bin "$bin" \
		--add "$work/noise_load:/usr/bin/noise_load" \
		--time-limit $((120 + tries * runs * 40)) --script-limit $((60 + tries * runs * 40)) \
		--out "$files" -- "$work/noise.sh" >"$work/tap" || { cat "$work/tap"; die "the VM failed"; }
fi
cd "$files"

# found BASE... -- NEW...: the keys that regressed, without what only p99 found
found()
{
	"$bin/trace-cmd-hist" diff --threshold 20 --percentiles 50 --format json "$@" 2>/dev/null |
		/usr/bin/python3 -c 'import json, sys
print(" ".join(k["key"] for h in json.load(sys.stdin)["histograms"] for k in h["keys"]
               if k["verdict"] == "regressed"))'
}

# runs_of SIDE TRY...
runs_of()
{
	local side=$1 try

	shift
	for try; do
		printf '%s\n' "$side-$try"-*.dat
	done
}

# count_found NAME TRIES-OF-A-SIDE...: sets $n, $read, $ppoll and $alarms
count_found()
{
	local group ab aa call

	n=0 read=0 ppoll=0 alarms=0
	for group in "${@:2}"; do
		# shellcheck disable=SC2046,SC2086 # lists
		ab=$(found $(runs_of a $group) -- $(runs_of b $group))
		# shellcheck disable=SC2046,SC2086
		aa=$(found $(runs_of a $group) -- $(runs_of s $group))
		n=$((n + 1))
		for call in $ab; do
			case $call in
			sys_read) read=$((read + 1)) ;;
			sys_ppoll) ppoll=$((ppoll + 1)) ;;
			esac
		done
		[ -z "$aa" ] || alarms=$((alarms + 1))
		echo "# $1, tries $group: doubled: ${ab:-nothing}; the same: ${aa:-nothing}"
	done
	echo "# $1: read was found in $read of $n, ppoll in $ppoll; alarms in $alarms"
}

single=() joined=()
for ((i = 0; i < tries; i++)); do
	single+=("$i")
	[ $((i % 3)) != 2 ] || joined+=("$((i - 2)) $((i - 1)) $i")
done
# A key is missed in one try of ten at most, and an alarm raised in one of ten.
count_found "$runs runs a side" "${single[@]}"
ok "read doubled is found" [ $((read * 10)) -ge $((n * 9 - 9)) ]
ok "the same is the same" [ $alarms -le $((1 + n / 10)) ]
if [ ${#joined[@]} != 0 ]; then
	count_found "$((3 * runs)) runs a side" "${joined[@]}"
	ok "read doubled is found in more runs" [ $read = $n ]
	ok "the same is the same in more runs" [ $alarms -le $((1 + n / 10)) ]
fi

# 5 % of 100 is 5, and more than 12 have a chance of 0.001
alarms=0
for ((i = 0; i < 100; i++)); do
	mapfile -t some < <(printf '%s\n' a-*.dat s-*.dat | shuf -n $((2 * runs)))
	[ -z "$(found "${some[@]:0:runs}" -- "${some[@]:runs}")" ] || alarms=$((alarms + 1))
done
ok "random halves of equal runs: $alarms alarms of 100" [ $alarms -le 12 ]
done_testing

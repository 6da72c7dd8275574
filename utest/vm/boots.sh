#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# boots.sh BIN: what depends on how the kernel was booted.  TAP on stdout.  BIN holds the programs.
#
# Recordings of two boots, whose kernels lie at other addresses (KASLR), compare by name; a CPU that
# no boot has brought online; a kernel that is locked down.  The last two are in check-long.

set -u
export LC_ALL=C.UTF-8
# shellcheck source-path=SCRIPTDIR source=../scripts/tap.sh
. "$(dirname "$(readlink -f "$0")")/../scripts/tap.sh"

[ $# = 1 ] || die "usage: boots.sh BIN"
bin=$(readlink -f "$1")
need_files "$bin/trace-cmd-hist"
work_make

for boot in 1 2; do
	mkdir "$work/$boot"
	"$here/vm.sh" run --kernel 6.12 --bin "$bin" --out "$work/$boot" -- \
		"$here/guest/boot-record.sh" >"$work/log" 2>&1
	is "boot $boot: recorded" "$?" 0
	[ -r "$work/$boot/boot.dat" ] || { sed 's/^/# /' "$work/log"; die "no recording"; }
done
cd "$work" || exit 2

# The least address of a caller in FILE.
least()
{
	"$bin/trace-cmd-hist" report -e kmalloc#1 --format json "$1" |
		grep -Eo '"call_site": *"?[0-9a-fx]+' | sort | head -n 1
}

# keys ARGS...: how many keys, of those with 100 hits, are on both sides, and on one
keys()
{
	"$bin/trace-cmd-hist" diff --format json --top 0 "$@" 1/boot.dat 2/boot.dat >result 2>err
	/usr/bin/python3 - <<'END'
import json
both = one = 0
for hist in json.load(open("result"))["histograms"]:
    for key in hist["keys"]:
        if key.get("whole") or key["key"] == "all keys":
            continue
        if key["presence"] in ("both", "renamed"):
            both += 1
        else:
            one += 1
print("several" if both > 2 else both, one)
END
}

is "the kernels lie at different addresses" "$([ "$(least 1/boot.dat)" != "$(least 2/boot.dat)" ] && echo yes)" yes
is "callers are matched by name" "$(keys -e 'kmalloc#0')" "several 0"
is "stacks are matched by name" "$(keys -e 'kmalloc#2')" "several 0"
is "addresses are refused" "$("$bin/trace-cmd-hist" diff -e 'kmalloc#1' 1/boot.dat 2/boot.dat |
	grep -o 'change with each boot' | sort -u)" "change with each boot"

[ -n "${CHECK_LONG-}" ] || { done_testing; exit; }

# boot WHAT SCRIPT OPTION...: SCRIPT passes in a guest with the OPTIONs
boot()
{
	local what=$1 script=$here/$2

	shift 2
	"$here/vm.sh" run --kernel 6.12 --bin "$bin" "$@" -- "$script" >log 2>&1
	is "$what" "$? $(grep -c '^not ok' log)" "0 0"
	sed 's/^/# /' log
}
boot "a CPU that is offline since the boot is recorded when it comes" tests/28-hotplug.sh \
	--script-limit 240 --append maxcpus=1
boot "root is told of a lockdown from the boot" guest/boot-locked.sh --append lockdown=confidentiality
boot "root is told of a lockdown that began later" guest/boot-locked.sh

done_testing

#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# demo.sh BIN: record real histograms and show them.
#
# On this kernel where it has hist triggers and lets us use them; else in a
# virtual machine with Debian's 6.12 kernel.  Leaves demo.dat here.

set -eu

bin=$(readlink -f "$1")
here=$(dirname "$(readlink -f "$0")")
out=$PWD/demo.dat
work=$(mktemp -d)
trap 'rm -rf "$work"; [ -z "${ticker-}" ] || kill "$ticker" 2>/dev/null || true' EXIT

say() { printf '\n== %s\n' "$*"; }

# A line with the seconds while something takes its time; silent in a log.
tick()
{
	[ -t 2 ] || return 0
	( while :; do printf '\r   %s ... %s s ' "$1" $SECONDS >&2; sleep 1; done ) &
	ticker=$!
}

tick_end()
{
	[ -n "${ticker-}" ] || return 0
	kill "$ticker" 2>/dev/null || true
	wait "$ticker" 2>/dev/null || true
	ticker=
	printf '\r\033[K' >&2
}

# What is recorded, and the load that makes it worth a look: demo-record.sh.
can_here()
{
	local tracefs=/sys/kernel/tracing

	[ "$(id -u)" = 0 ] || return 1
	[ -e $tracefs/events ] || mount -t tracefs nodev $tracefs 2>/dev/null || return 1
	[ -w $tracefs/instances ] && [ -e $tracefs/events/sched/sched_switch/hist ]
}

if can_here; then
	say "Recording on this kernel, $(uname -r), for about 5 seconds"
	PATH=$bin:$PATH sh "$here/demo-record.sh" "$out"
else
	say "This kernel has no hist triggers: booting Debian's 6.12 in QEMU (software emulation)"
	"$here/deps.sh" vm
	cat >"$work/demo.sh" <<-'END'
		. /tests/lib.sh
		ok "recorded" sh /tests/demo-record.sh "$OUT/demo.dat"
		done_testing
	END
	tick "booting and recording"
	if ! "$here/../utest/vm/vm.sh" run --kernel 6.12 --bin "$bin" --time-limit 150 \
		--add "$here/demo-record.sh:/tests/demo-record.sh" --out "$work/out" \
		-- "$work/demo.sh" >"$work/log" 2>&1; then
		tick_end
		cat "$work/log" >&2
		echo "demo: the recording failed" >&2
		exit 1
	fi
	tick_end
	cp "$work/out/demo.dat" "$out"
fi

say "Which system call is made how often: a table"
"$bin/trace-cmd" hist report demo.dat -e raw_syscalls:sys_enter --top 12
say "How large the kernel's allocations are: bars"
"$bin/trace-cmd" hist report demo.dat -e kmem:kmalloc --view bars

relative=${bin#"$PWD"/}
cat <<END

== All of it is in demo.dat, a trace.dat that stock trace-cmd and KernelShark open, too.
   Next:
     $relative/trace-cmd hist report demo.dat --list
     $relative/trace-cmd hist report demo.dat -e sched:sched_switch --intervals
     $relative/trace-cmd hist report demo.dat --format json
     $relative/trace-cmd hist --help
   On a machine of yours, as root:
     $relative/trace-cmd hist record -e kmem:kmalloc -k call_site.sym -v bytes_req sleep 5
END

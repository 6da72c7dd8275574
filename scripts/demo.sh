#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# demo.sh BIN: record real histograms and show three pictures of them.
#
# Records on this machine if its kernel has hist triggers and the user may set them.
# Otherwise boots Debian's 6.12 kernel in QEMU.  Leaves demo.dat in the current directory.

set -eu

bin=$(readlink -f "$1")
here=$(dirname "$(readlink -f "$0")")
out=$PWD/demo.dat
work=$(mktemp -d)
trap 'rm -rf "$work"; [ -z "${ticker-}" ] || kill "$ticker" 2>/dev/null || true' EXIT

say() { printf '\n== %s\n' "$*"; }

# tick TEXT: print TEXT and the seconds until tick_end, only on a terminal
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

# Can the user set hist triggers on this kernel?
can_here()
{
	local tracefs=/sys/kernel/tracing

	[ "$(id -u)" = 0 ] || return 1
	[ -e $tracefs/events ] || mount -t tracefs nodev $tracefs 2>/dev/null || return 1
	[ -w $tracefs/instances ] && [ -e $tracefs/events/sched/sched_switch/hist ]
}

if can_here; then
	say "Recording on this kernel, $(uname -r), for 5 seconds"
	PATH=$bin:$PATH sh "$here/demo-record.sh" "$out"
else
	say "No access to hist triggers: booting Debian's 6.12 kernel in QEMU"
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

header='event histogram|heat map|trigger info|engine|host|columns|difference|date|set-up|shares'
relative=${bin#"$PWD"/}

# show OPTION...: a command and what it prints, without most of the header, in 80 columns
show()
{
	printf '   $ trace-cmd hist report demo.dat \\\n    %s\n' "$*"
	"$bin/trace-cmd" hist report "$out" "$@" | sed -E -e "/^#($| ($header)\b)/d" \
		-e 's/^(# note:.{60,72}) /\1\n#   /' | cat -s
}

say "How much memory does the kernel ask kmalloc() for?  Bars:"
show -e kmalloc --view bars
say "How long do tasks wait for a CPU after a wake-up?  A heat map over time:"
show -e sched_waking..sched_switch#0 --view heatmap
say "How long does each task wait?  Percentiles:"
show -e sched_waking..sched_switch#1 --view percentiles --percentiles 99 --top 8

cat <<END

== The recording is demo.dat.  Stock trace-cmd and KernelShark open it, too.
   Three commands to type next:

   $relative/trace-cmd hist report demo.dat --format html -o demo.html
   $relative/trace-cmd hist list --presets
   sudo $relative/trace-cmd hist record --preset wakeup-latency -d 10

   Documentation/tutorial.md explains them.
END

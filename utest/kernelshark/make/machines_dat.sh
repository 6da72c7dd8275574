#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
#
# How data/machine.one.dat and data/machine.two.dat were made: wake-up latencies, switches and
# their events of two machines with different kernels, recorded by one host over their shells:
#
#	utest/kernelshark/make/machines_dat.sh build/bin/trace-cmd-hist DIR
#
# Most of kallsyms is left out, as it would be most of the files.

set -eu
program=$1
out=$2
here=$(dirname "$(readlink -f "$0")")

# machine NAME KERNEL: a command whose input and output are a shell on it
machine()
{
	cat <<END
{ cat <<'COMMANDS'; cat; } | $here/../../vm/vm.sh shell --kernel $2
hostname $1
head -n 400 /proc/kallsyms | grep -v '\[' >/tmp/kallsyms
mount --bind /tmp/kallsyms /proc/kallsyms
(while :; do printf load-$1 >/proc/self/comm; usleep 30000; done) &
COMMANDS
END
}

"$program" record -o "$out/machine.dat" --events -i 50ms -d 400ms \
	-e sched:sched_switch -k next_comm --preset wakeup-latency \
	--target "exec:$(machine one 6.12)" --target "exec:$(machine two 6.1)"
mv "$out/machine.exec-1.dat" "$out/machine.one.dat"
mv "$out/machine.exec-2.dat" "$out/machine.two.dat"

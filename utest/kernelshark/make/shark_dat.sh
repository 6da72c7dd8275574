# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=dash
#
# How data/shark.dat was made: three histograms, 16 snapshots each, and their events, in
#
#	utest/vm/vm.sh run --bin build/bin --out DIR -- utest/kernelshark/make/shark_dat.sh
#
# Most of kallsyms is left out, as it would be most of the file.

# shellcheck source-path=SCRIPTDIR source=../../vm/guest/lib.sh
. /tests/lib.sh
cd /tmp || bail "no /tmp"

head -n 400 /proc/kallsyms | grep -v '\[' >kallsyms
mount --bind kallsyms /proc/kallsyms
cat >work.sh <<'WORK'
i=0
while [ $i -lt 12 ]; do
	cat /proc/stat >/dev/null
	ls / >/dev/null
	usleep 20000
	i=$((i + 1))
done
WORK
ok "recorded" trace-cmd hist record --events -i 40ms -o shark.dat \
	-e sched:sched_switch -k next_comm \
	-e sched:sched_stat_runtime -k runtime.log2 -v runtime \
	-e raw_syscalls:sys_enter -k id.syscall,common_pid -f 'id < 4' -- sh work.sh
cp shark.dat "$OUT"
done_testing

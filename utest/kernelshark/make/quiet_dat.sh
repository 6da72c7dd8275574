# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=dash
#
# How data/quiet.dat was made: a histogram of an event so rare that the mark of the last
# snapshot is the last event of all, in
#
#	utest/vm/vm.sh run --bin build/bin --out DIR -- utest/kernelshark/make/quiet_dat.sh
#
# Most of kallsyms is left out, as it would be most of the file.

# shellcheck source-path=SCRIPTDIR source=../../vm/guest/lib.sh
. /tests/lib.sh
cd /tmp || bail "no /tmp"

head -n 400 /proc/kallsyms | grep -v '\[' >kallsyms
mount --bind kallsyms /proc/kallsyms
ok "recorded" trace-cmd hist record --events -i 50ms -o quiet.dat \
	-e sched:sched_process_exec -k filename -- sh -c '
		i=0
		while [ $i -lt 5 ]; do
			/bin/busybox true
			usleep 50000
			i=$((i + 1))
		done'
like "the last event is a mark" "$(trace-cmd report quiet.dat 2>/dev/null | tail -n 1)" 'hist-snapshot: '
cp quiet.dat "$OUT"
done_testing

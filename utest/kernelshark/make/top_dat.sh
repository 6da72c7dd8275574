# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=dash
#
# How data/top.dat was made: two histograms and their events, in the top buffer, in
#
#	utest/vm/vm.sh run --bin build/bin --out DIR -- utest/kernelshark/make/top_dat.sh
#
# Most of kallsyms is left out, as it would be most of the file.

# shellcheck source-path=SCRIPTDIR source=../../vm/guest/lib.sh
. /tests/lib.sh
cd /tmp || bail "no /tmp"

head -n 400 /proc/kallsyms | grep -v '\[' >kallsyms
mount --bind kallsyms /proc/kallsyms
ok "recorded" trace-cmd hist record --events -i 50ms -o top.dat \
	-e sched:sched_switch -k next_comm \
	-e sched:sched_stat_runtime -k runtime.log2 -v runtime -- sh -c '
		i=0
		while [ $i -lt 6 ]; do
			ls / >/dev/null
			usleep 50000
			i=$((i + 1))
		done'
cp top.dat "$OUT"
done_testing

# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=dash
#
# How data/episodes.dat, data/pairs.dat and data/excess.dat were made: a real-time task takes the CPU
# from preset_load.  episodes.dat has the two worst waits with the events around them, from a version
# that did not store the threshold; excess.dat has one wait with the threshold.  pairs.dat has the
# events of all waits, in
#
#	utest/vm/vm.sh run --bin build/bin --out DIR -- utest/kernelshark/make/episodes_dat.sh
#
# Most of kallsyms is left out, as it would be most of the file.

# shellcheck source-path=SCRIPTDIR source=../../vm/guest/lib.sh
. /tests/lib.sh
cd /tmp || bail "no /tmp"

head -n 400 /proc/kallsyms | grep -v '\[' >kallsyms
mount --bind kallsyms /proc/kallsyms
# on the other CPU, except preset_load and "hog", which choose CPU 0
record="taskset 2 trace-cmd hist record -q -i 100ms --preset wakeup-latency:presetload"
ok "recorded episodes" $record --threshold 100ms --worst 2 -o episodes.dat -- preset_load hog 3
cp episodes.dat "$OUT"
ok "recorded an episode with its threshold" $record --threshold 100ms --worst 1 -b 32 -o excess.dat -- \
	preset_load hog 2
cp excess.dat "$OUT"
ok "recorded events" $record --events -o pairs.dat -- preset_load hog 3
cp pairs.dat "$OUT"
trace-cmd hist report --worst episodes.dat
trace-cmd hist report --worst pairs.dat
done_testing

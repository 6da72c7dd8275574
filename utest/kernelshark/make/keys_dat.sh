# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=dash
#
# How data/keys.dat was made: a histogram for each kind of key, and the events that it
# counts, those of one task (keys_load.c), in
#
#	gcc -static -o /tmp/keys_load utest/kernelshark/make/keys_load.c
#	utest/vm/vm.sh run --bin build/bin --add /tmp/keys_load:/keys_load --out DIR -- utest/kernelshark/make/keys_dat.sh
#
# Most of kallsyms is left out, as it would be most of the file.

# shellcheck source-path=SCRIPTDIR source=../../vm/guest/lib.sh
. /tests/lib.sh
cd /tmp || bail "no /tmp"

head -n 400 /proc/kallsyms | grep -v '\[' >kallsyms
mount --bind kallsyms /proc/kallsyms
mkfifo begin
/keys_load begin finished &
p=$!
mine="common_pid == $p"
ret=raw_syscalls:sys_exit
gen=signal:signal_generate

cat >work.sh <<WORK
# and of its children
for instance in $tracefs/instances/*; do
	echo 1 >\$instance/options/event-fork
done
: >begin
until [ -e finished ]; do usleep 100000; done
sleep 1
WORK

trace-cmd hist record -q --events -P $p -i 1s -o keys.dat \
	-e $ret -k ret -f "$mine" -k ret.hex -f "$mine" -k ret.log2 -f "$mine" \
		-k ret.buckets=10 -f "$mine" -k id.syscall,ret.buckets=16 -f "$mine" \
		-k id.syscall,common_pid.execname -f "$mine && ret < 0" \
		-k common_cpu,id -f "$mine && (ret >= -2 && ret <= 7 || !(id != 3))" \
		-k id -f "$mine && id & 1" \
		-k ret -f "$mine && !(id & 1)" \
	-e kmem:kmalloc -k call_site.sym,bytes_req.log2 -v bytes_alloc -f "$mine" \
		-k bytes_req,call_site.sym-offset -f "$mine && bytes_req > 0x20" \
		-k bytes_alloc.buckets=48 -f "$mine" -k stacktrace -f "$mine" \
	-e $gen -k sig,code -f "$mine" -k code -f "$mine" -k code.buckets=4,sig -f "$mine && code <= -1" \
		-k code.log2 -f "$mine" -k comm,code.hex -f "$mine && code != 0" \
		-k sig,code.log2 -f "$mine" \
		-k sig -f "comm == \"keys_load\" && code > -7" \
	-e sched:sched_process_fork -k parent_comm -f "parent_pid == $p" \
		-k parent_comm,child_pid -f "parent_comm != \"plain\" && parent_pid == $p" \
		-k child_comm -f "parent_comm ~ \"k*\"" \
	-e sched:sched_process_exec -k filename -f "old_pid > $p" -k filename,cpu -f "pid > $p" \
	-- sh work.sh
ok "recorded" [ -s keys.dat ]
trace-cmd hist report --list keys.dat | tap_comment
cp keys.dat "$OUT"
done_testing

# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=dash
#
# The presets that 80-presets.sh does not record, against loads of preset_load, which knows
# how often it did what.  verify_presets.py looks at the files on the host.
#
# In check-long: emulated kernels need minutes for all; 80-presets.sh and the unit tests of
# recipes are the sample.

# shellcheck source-path=SCRIPTDIR source=../guest/lib.sh
. /tests/lib.sh
cd /tmp || bail "no /tmp"

before=$(tree_state)
load=/usr/local/bin/preset_load

# record NAME OPTIONS... -- SCRIPT: into $OUT/load-NAME.dat; only a full table may be told.
record()
{
	local name=$1

	shift
	trace-cmd hist record -i 0 -o "$OUT/load-$name.dat" "$@" >said 2>&1
	is "the recording $name exits with status 0" "$?" 0
	is "the recording $name prints no error" \
		"$(grep -v -e 'did not fit in the table' -e '^hint: use a filter' said)" ""
}

# The stack of a start event is an argument of its end since 6.4, names of arguments are since 6.6.
new=
[ -e $tracefs/options/stacktrace ] && grep -q 'argname>' $tracefs/README && new=yes
echo "${new:-no}" >"$OUT/load-new"

record cpu --preset cpu-time --preset on-cpu-time:presetload --preset off-cpu-time:presetload \
	--preset wakeup-stacks:presetload --preset futex-waits:presetload \
	--preset cpu-migrations:presetload \
	${new:+--preset off-cpu-stacks:presetload --preset runqueue-length} -- sh -c "
	taskset 2 sh -c 'while :; do :; done' & taskset 2 $load spin 400 >$OUT/load-cpu.out; kill \$!
	taskset 1 $load sleep 50; taskset 1 $load futex 20; $load migrate 30"

record period --preset period:presettick -- sh -c "$load tick 30 >$OUT/load-period.out"

record calls --preset signals:presetload --preset capability-checks:presetload \
	--preset syscall-errors --preset programs --preset process-starts \
	--preset process-lifetime:presetload -- sh -c \
	"$load signal 40; $load capable 15; $load fail 35; $load fork 25; $load exec 10 $load; true"

# A file system in memory.
mkdir -p /sys/kernel/config
mount -t configfs configfs /sys/kernel/config 2>/dev/null
# disk NAME SIZE SETTING=VALUE...: sets $node
disk()
{
	local dir=/sys/kernel/config/nullb/$1 name=$1 setting

	mkdir $dir || return
	echo "$2" >$dir/size
	shift 2
	for setting; do
		echo "${setting#*=}" >$dir/"${setting%%=*}"
	done
	echo 1 >$dir/power || return
	# its name is that of the directory, and before 6.3 that of its number
	node=/dev/nullb$(cat $dir/index)
	[ -e /sys/block/$name ] && node=/dev/$name
	wait_until [ -b "$node" ]
}
ok "a disk in memory appears" disk memory 64 memory_backed=1
ok "the disk has a file system" sh -c "mke2fs $node && mkdir -p /tmp/mnt && mount -t ext4 $node /tmp/mnt"
dd if=/dev/zero of=mnt/big bs=4096 count=400 2>/dev/null
sync
echo 3 >/proc/sys/vm/drop_caches
echo x >mnt/f
record files --preset file-opens:presetload --preset stat-calls:presetload \
	--preset vfs-calls:presetload --preset sync-calls --preset page-cache \
	--preset ext4-latency --preset readahead --preset slab-allocations --preset writeback -- \
	sh -c "dd if=/tmp/mnt/big of=/dev/null bs=65536 2>/dev/null
	$load open 30 /tmp/mnt/f; $load stat 60 /tmp/mnt/f; $load rw 20 /tmp/mnt/f
	$load sync 5 /tmp/mnt/f"
umount mnt
rmdir /sys/kernel/config/nullb/memory

ok "a slow disk appears" disk slow 64 irqmode=2 completion_nsec=5000000
record block --preset bitesize ${new:+--preset biostacks} -- sh -c \
	"dd if=$node of=/dev/null bs=4096 count=20 iflag=direct 2>/dev/null"
rmdir /sys/kernel/config/nullb/slow

# Nobody answers: packets to it come back and are not for this machine.
ip route add 10.9.9.9/32 dev lo
record network --preset tcp-connects --preset tcp-accepts --preset tcp-state-time \
	--preset tcp-connect-latency --preset tcp-session-time --preset tcp-round-trip \
	--preset tcp-bytes --preset tcp-retransmits --preset packet-drops \
	--preset network-bytes -- sh -c "cd /sys/class/net/lo/statistics
	cat tx_packets tx_bytes >$OUT/load-network.before
	$load tcp 20; $load udp 50; $load retransmit 2 10.9.9.9 >$OUT/load-network.out
	cat tx_packets tx_bytes >$OUT/load-network.after"
ip route del 10.9.9.9/32 dev lo

[ -z "$new" ] || record leaks --preset memleak --preset page-leaks -- sh -c \
	"$load leak 400; $load pages 600"
killall preset_load presetload 2>/dev/null

# The page cache fills the memory, and then the kernel has to keep more of it free: a task
# that wants pages must reclaim some itself.
ok "a large disk appears" disk large 4096
sh -c 'echo 1000 >/proc/self/oom_score_adj; exec sleep 1000' &
victim=$!
echo $victim >"$OUT/load-victim"
record memory --preset direct-reclaim --preset compaction --preset oom-kills \
	--preset workqueue-latency --preset cpu-idle-time -- sh -c "
	grep '^cpu[0-9]' /proc/stat >$OUT/load-memory.before
	i=0; while [ \$i -lt 5 ]; do echo >/proc/sys/vm/stat_refresh; i=\$((i + 1)); done
	sleep 2
	grep '^cpu[0-9]' /proc/stat >$OUT/load-memory.after
	grep '^allocstall' /proc/vmstat >$OUT/load-vmstat.before
	exec 3<$node # its last close would drop the pages
	dd if=$node of=/dev/null bs=1M count=900 2>/dev/null
	read -r free </proc/sys/vm/min_free_kbytes
	echo 200000 >/proc/sys/vm/min_free_kbytes
	$load pages 3000
	echo \$free >/proc/sys/vm/min_free_kbytes
	exec 3<&-
	echo 1 >/proc/sys/vm/compact_memory
	grep '^allocstall' /proc/vmstat >$OUT/load-vmstat.after
	echo f >/proc/sysrq-trigger
	while [ -e /proc/$victim/exe ]; do usleep 20000; done"
wait $victim
killall preset_load presetload 2>/dev/null
rmdir /sys/kernel/config/nullb/large

for preset in runqueue-length off-cpu-stacks block-stacks kmalloc-leaks page-leaks; do
	[ -z "$new" ] || break
	like "$preset is refused with what this kernel lacks" \
		"$(trace-cmd hist record --preset $preset true 2>&1)" \
		'^trace-cmd hist: error: --preset .*: this kernel has no (stack|probe)_fields: .*; the preset needs Linux 6\.[46] or later$'
done
is "recordings with presets leave tracefs unchanged" "$(tree_state)" "$before"
done_testing

# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=dash
#
# The loads of presets, for the scripts that record them: 81-preset-loads.sh compares the counts with what
# preset_load knows, and 88-replay-presets.sh compares the counts of several programs.
#
# Each *_load is a command for `sh -c`.  What only the load knows is left in files in $notes.
# shellcheck disable=SC2034 # the loads are for the caller

load=/usr/local/bin/preset_load
notes=${notes:-$OUT}

cpu_load="taskset 2 sh -c 'while :; do :; done' & taskset 2 $load spin 400 >$notes/load-cpu.out; kill \$!
	taskset 1 $load sleep 50; taskset 1 $load futex 20; $load migrate 30"
tick_load="$load tick 30 >$notes/load-period.out"
calls_load="$load signal 40; $load capable 15; $load fail 35; $load fork 25; $load exec 10 $load; true"
files_load="dd if=/tmp/mnt/big of=/dev/null bs=65536 2>/dev/null
	$load open 30 /tmp/mnt/f; $load stat 60 /tmp/mnt/f; $load rw 20 /tmp/mnt/f
	$load sync 5 /tmp/mnt/f"
block_load="dd if=\$node of=/dev/null bs=4096 count=20 iflag=direct 2>/dev/null"
network_load="cd /sys/class/net/lo/statistics
	cat tx_packets tx_bytes >$notes/load-network.before
	$load tcp 20; $load udp 50; $load retransmit 2 10.9.9.9 >$notes/load-network.out
	cat tx_packets tx_bytes >$notes/load-network.after"
leaks_load="$load leak 400; $load pages 600"
# $victim is a task that the kernel kills first.
memory_load="
	grep '^cpu[0-9]' /proc/stat >$notes/load-memory.before
	i=0; while [ \$i -lt 5 ]; do echo >/proc/sys/vm/stat_refresh; i=\$((i + 1)); done
	sleep 2
	grep '^cpu[0-9]' /proc/stat >$notes/load-memory.after
	grep '^allocstall' /proc/vmstat >$notes/load-vmstat.before
	exec 3<\$node # its last close would drop the pages
	dd if=\$node of=/dev/null bs=1M count=900 2>/dev/null
	read -r free </proc/sys/vm/min_free_kbytes
	echo 200000 >/proc/sys/vm/min_free_kbytes
	$load pages 3000
	echo \$free >/proc/sys/vm/min_free_kbytes
	exec 3<&-
	echo 1 >/proc/sys/vm/compact_memory
	grep '^allocstall' /proc/vmstat >$notes/load-vmstat.after
	echo f >/proc/sysrq-trigger
	while [ -e /proc/\$victim/exe ]; do usleep 20000; done"

disks=/sys/kernel/config/nullb

# disk NAME SIZE SETTING=VALUE...: sets $node
disk()
{
	local dir=$disks/$1 name=$1 setting

	mkdir -p /sys/kernel/config
	[ -d $disks ] || mount -t configfs configfs /sys/kernel/config || return
	mkdir "$dir" || return
	echo "$2" >"$dir/size"
	shift 2
	for setting; do
		echo "${setting#*=}" >"$dir/${setting%%=*}"
	done
	echo 1 >"$dir/power" || return
	# its name is that of the directory, and before 6.3 that of its number
	node=/dev/nullb$(cat "$dir/index")
	[ -e "/sys/block/$name" ] && node=/dev/$name
	export node
	wait_until [ -b "$node" ]
}

# A file system in memory, with a file that is not in memory.
files_begin()
{
	disk memory 64 memory_backed=1 && mke2fs "$node" && mkdir -p /tmp/mnt &&
		mount -t ext4 "$node" /tmp/mnt || return
	dd if=/dev/zero of=/tmp/mnt/big bs=4096 count=400 2>/dev/null
	sync
	echo 3 >/proc/sys/vm/drop_caches
	echo x >/tmp/mnt/f
}

files_end()
{
	umount /tmp/mnt
	rmdir $disks/memory
}

# A disk whose requests take 5 ms by a timer.
block_begin() { disk slow 64 irqmode=2 completion_nsec=5000000; }
block_end() { rmdir $disks/slow; }

# Nobody answers: packets to it come back and are not for this machine.
network_begin() { ip route add 10.9.9.9/32 dev lo; }
network_end() { ip route del 10.9.9.9/32 dev lo; }

leaks_end() { killall preset_load presetload 2>/dev/null; }

# The page cache fills the memory, and then the kernel has to keep more of it free: a task
# that wants pages must reclaim some itself.
memory_begin()
{
	disk large 4096 || return
	sh -c 'echo 1000 >/proc/self/oom_score_adj; exec sleep 1000' &
	export victim=$!
}

memory_end()
{
	wait "$victim"
	leaks_end
	rmdir $disks/large
}

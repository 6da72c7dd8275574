# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=dash
#
# In the guest: bytes on the wire, and instructions of the target, for a snapshot that
# is pulled from a helper through ssh, and for `ssh target cat hist`, with a connection
# for each and with one that is kept (ControlMaster).  Comments "# wire ENTRIES CHANGED
# PULL-BYTES PULL-NS SSH-BYTES SSH-NS KEPT-BYTES KEPT-NS"; with QEMU's -icount shift=0 a
# nanosecond is an instruction.
#
# The target is "far", a network namespace behind a pair of interfaces, which count the
# bytes.  What sshd there and all below it need is counted by a control group.  Of
# the recorder two recordings are taken, the longer one less the shorter, so
# that only snapshots count.

# shellcheck source-path=SCRIPTDIR source=../vm/guest/lib.sh
. /tests/lib.sh
mkdir -p /tmp/wire
cd /tmp/wire || bail "no /tmp"
ip() { /usr/bin/ip "$@"; }
far() { nsenter --net=/run/netns/far "$@"; }

ip link set lo up
ip netns add far || bail "no network namespaces"
ip link add near0 type veth peer name far0 netns far || bail "no veth"
ip addr add 10.9.0.1/24 dev near0 && ip link set near0 up
far /usr/bin/ip addr add 10.9.0.2/24 dev far0 && far /usr/bin/ip link set far0 up
mkdir -p /run/sshd /root/.ssh /var/empty /cg
grep -q ^sshd: /etc/passwd || echo 'sshd:x:100:65534::/run/sshd:/bin/false' >>/etc/passwd
ssh-keygen -q -t ed25519 -N '' -f host_key
ssh-keygen -q -t ed25519 -N '' -f /root/.ssh/id_ed25519
cp /root/.ssh/id_ed25519.pub /root/.ssh/authorized_keys
printf '10.9.0.2 %s\n' "$(cat host_key.pub)" >/root/.ssh/known_hosts
cat >sshd_config <<END
HostKey $PWD/host_key
PermitRootLogin prohibit-password
StrictModes no
UsePAM no
PidFile $PWD/pid
SetEnv PATH=$PATH
END
mount -t cgroup2 none /cg
mkdir /cg/target || bail "no control groups"
# the shell that becomes sshd is in the group first
far sh -c "echo \$\$ >/cg/target/cgroup.procs; exec /usr/sbin/sshd -f $PWD/sshd_config"
wait_until test -s pid || bail "no sshd"
grep -q "^$(cat pid)\$" /cg/target/cgroup.procs || bail "sshd is not in the group"

bytes()
{
	echo $(($(cat /sys/class/net/near0/statistics/rx_bytes) +
		$(cat /sys/class/net/near0/statistics/tx_bytes)))
}
ns() { sed -n 's/^usage_usec \(.*\)/\1000/p' /cg/target/cpu.stat; }
# sshd ends its part a moment after ssh has
quiet() { [ "$(wc -l </cg/target/cgroup.procs)" = 1 ]; }

# begin; end N: sets $got_bytes and $got_ns, a Nth of what was used between
begin() { begin_bytes=$(bytes) begin_ns=$(ns); }
end()
{
	got_bytes=$((($(bytes) - begin_bytes) / $1))
	got_ns=$((($(ns) - begin_ns) / $1))
}

trigger() { echo "hist:keys=common_pid.execname,id:size=$1 if id >= 10000"; }

# record ENTRIES CHANGED STEPS: sets $snapshots, and all that was used
record()
{
	begin
	trace-cmd-hist record -q -i 200ms -e raw_syscalls:sys_enter -R "$(trigger "$1")" \
		-o wire.dat --target ssh://root@10.9.0.2 -- \
		bench-load "$1" "$2" "$3" 200 >said 2>&1 || not_ok "a recording" "$(cat said)"
	wait_until quiet
	end 1
	snapshots=$(trace-cmd-hist report wire.dat --format json |
		sed -n 's/.*"snapshots": *\([0-9]*\).*/\1/p' | head -n 1)
	is "all rows are recorded" "$(trace-cmd-hist report wire.dat | sed -n 's/ *Entries: //p')" "$1"
	rm wire.dat
}

hist=$tracefs/instances/wire/events/raw_syscalls/sys_enter
mkdir $tracefs/instances/wire

# poll [SSH-OPTION...]: what a cat needs; all sessions but the last have ended before
poll()
{
	local left=3

	ssh "$@" root@10.9.0.2 "cat $hist/hist" >text
	begin
	while [ $left -gt 0 ]; do
		ssh "$@" root@10.9.0.2 "cat $hist/hist" >text
		left=$((left - 1))
	done
	end 3
	is "all rows are polled" "$(grep -c '} hitcount:' text)" "$entries"
}

for shape in '2048 64' '2048 2048' '16384 1024'; do
	entries=${shape% *}
	# shellcheck disable=SC2086 # words
	record $shape 2
	less_bytes=$got_bytes less_ns=$got_ns less=$snapshots
	# shellcheck disable=SC2086 # words
	record $shape 8
	n=$((snapshots - less))
	ok "$shape: more snapshots" [ $n -ge 3 ]
	pull="$(((got_bytes - less_bytes) / n)) $(((got_ns - less_ns) / n))"

	trigger "$entries" >>"$hist/trigger"
	bench-load "$entries" 0 0 0
	poll
	each="$got_bytes $got_ns"
	ssh -fNM -S control root@10.9.0.2
	poll -S control
	ssh -S control -O exit root@10.9.0.2 2>/dev/null
	wait_until quiet
	echo "!$(trigger "$entries")" >>"$hist/trigger"
	echo "# wire $shape $pull $each $got_bytes $got_ns"
done
rmdir $tracefs/instances/wire
done_testing

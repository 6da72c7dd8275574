# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=dash
#
# Remote capture over a network: "far" is a network namespace at the other end of
# a veth pair, with Debian's OpenSSH server, Debian's `trace-cmd listen` and our
# listener in it, and with delay and loss on the way (tc netem).  The kernel, and so
# what is counted, is the same on both ends; a local recording is what others are
# compared with.
#
# In check-long: three minutes of waiting for packets; 92 to 95 are the sample.
# On 6.12 alone: the protocol sees no kernel.

# shellcheck source-path=SCRIPTDIR source=../guest/lib.sh
. /tests/lib.sh
mkdir -p /tmp/net && cd /tmp/net || bail "no /tmp"

status() { "$@" >said 2>&1; echo $?; }
# The shell takes its own applets first.
ip() { /usr/bin/ip "$@"; }
tc() { /usr/sbin/tc "$@"; }
# not by `ip netns exec`, which mounts another /sys
far() { nsenter --net=/run/netns/far "$@"; }

# load N: renames a task N times to a name that the filter knows
cat >load <<'END'
i=0
while [ $i -lt "$1" ]; do
	printf net-load >/proc/$$/comm
	i=$((i + 1))
done
END
record()
{
	trace-cmd hist record -q -i 200ms -e task:task_rename -f 'newcomm == "net-load"' -k newcomm "$@"
}
hits() { trace-cmd hist report "$1" --format json | sed -n 's/.*"hits": *\([0-9]*\).*/\1/p' | tail -n 1; }
rows() { trace-cmd hist report "$1" --format json | tr -d ' \n' | sed 's/.*"rows"://' | sed 's/"time[^,}]*//g'; }
unchanged() { [ "$(tree_state)" = "$before" ]; }

# --- the network, and who serves there ---

ip link set lo up
ip netns add far || bail "no network namespaces"
ip link add near0 type veth peer name far0 netns far || bail "no veth"
ip addr add 10.9.0.1/24 dev near0 && ip link set near0 up
far /usr/bin/ip addr add 10.9.0.2/24 dev far0 && far /usr/bin/ip link set far0 up &&
	far /usr/bin/ip link set lo up

# The stock listener wants a name for who calls.
printf '127.0.0.1 localhost\n10.9.0.1 near\n10.9.0.2 far\n' >/etc/hosts

# network DELAY_MS: there and back, with a packet in a hundred lost
network()
{
	tc qdisc replace dev near0 root netem delay $(($1 / 2))ms loss 1%
	far /usr/sbin/tc qdisc replace dev far0 root netem delay $(($1 - $1 / 2))ms loss 1%
}

mkdir -p /run/sshd /root/.ssh /var/empty /dev/pts
mount -t devpts devpts /dev/pts 2>/dev/null
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
PidFile none
SetEnv PATH=$PATH
END
far /usr/sbin/sshd -f $PWD/sshd_config -E sshd.log || bail "sshd: $(cat sshd.log)"
trace-cmd hist listen --new-key key >/dev/null || bail "no key"
(far trace-cmd hist listen -p 4321 --key key --bind 10.9.0.2 >listen.log 2>&1 &)
mkdir -p stock
(cd stock && far trace-cmd listen -p 4322 >listen.log 2>&1 &)

export HOME=/root TRACE_CMD_HIST_KEY=/tmp/net/key
ssh=ssh://root@10.9.0.2
tcp=tcp://10.9.0.2:4321
# state 0A is LISTEN
listens() { far cat /proc/net/tcp /proc/net/tcp6 | grep -q "$(printf ':%04X [0-9A-F]*:0000 0A' "$1")"; }
for port in 22 4321 4322; do
	ok "a server listens on port $port" wait_until listens $port
done

# --- the same on every network ---

before=$(tree_state)
is "a local recording exits with status 0" "$(status record -o local.dat sh load 300)" 0
is "the local recording counts all 300 renames" "$(hits local.dat)" 300
for delay in 0 50 300; do
	network $delay
	for url in $ssh $tcp; do
		is "record --target $url with $delay ms of delay exits with status 0" \
			"$(status record -o far.dat --target $url sh load 300)" 0
		is "record --target $url with $delay ms of delay prints nothing" "$(cat said)" ""
		is "record --target $url with $delay ms of delay has the rows of the local recording" \
			"$(rows far.dat)" "$(rows local.dat)"
	done
	rm -f stock/trace.*
	is "record -N to a stock listener with $delay ms of delay exits with status 0" \
		"$(status record -N 10.9.0.2:4322 sh load 300)" 0
	arrived() { [ "$(hits "$(echo stock/trace.*)" 2>/dev/null)" = 300 ]; }
	ok "the stock listener gets all 300 renames with $delay ms of delay" wait_until arrived
	is "the file of the stock listener has the local rows with $delay ms of delay" \
		"$(rows stock/trace.*)" "$(rows local.dat)"
	ok "stock trace-cmd report opens the file of the stock listener with $delay ms of delay" \
		trace-cmd report -i "$(echo stock/trace.*)"
	ok "recordings with $delay ms of delay leave tracefs unchanged" wait_until unchanged
done
is "record without a target helper exits with status 0 over SSH" \
	"$(status record -o far.dat --target shell:$ssh sh load 300)" 0
is "record without a target helper over SSH has the rows of the local recording" \
	"$(rows far.dat)" "$(rows local.dat)"
network 0

# --- functions, tracers and groups of tasks over SSH ---

cat >calls <<'END'
dd if=/dev/zero of=/dev/null bs=64 count=300 2>/dev/null
END
# sum FILE START: the hits of dd in the histograms whose names begin with START
sum()
{
	trace-cmd hist report --view table "$1" | awk -v start="$2" '
		/^# event histogram: / { on = index($4, start) == 1 }
		on && /^\{.* dd / { sub(/.*hitcount: */, ""); n += $1 }
		END { print n + 0 }'
}
# called WHAT START OPTION...: dd calls the function once for each read; less than 600 of both
called()
{
	local what=$1 start=$2 calls

	shift 2
	rm -f calls.dat
	trace-cmd hist record -q -i 0 -o calls.dat -e syscalls:sys_enter_read -k common_pid.execname \
		"$@" >said 2>&1
	calls=$(sum calls.dat syscalls:)
	is "$what over SSH counts each of at least 300 calls once" \
		"$((calls >= 300 && calls < 600)) $(sum calls.dat "$start") $(cat said)" "1 $calls "
}
by='-k common_pid.execname'
# shellcheck disable=SC2086
{
	called --function function: --target $ssh --function vfs_read $by -- sh calls
	called --function-latency function_latency: --target $ssh --function-latency vfs_read $by \
		-- sh calls
	called --tracer function: --target shell:$ssh --tracer function:vfs_read $by -- sh calls
}
# The group has its task before the recording begins: one that enters is counted 100 ms later.
mkdir groups && mount -t cgroup2 none groups && mkdir groups/g || bail "no cgroup v2"
mkfifo go finished
for url in "$ssh" "shell:$ssh"; do
	sh -c 'echo $$ >groups/g/cgroup.procs; read -r _ <go; sh calls; echo >finished' &
	load=$!
	entered() { grep -q . groups/g/cgroup.procs; }
	ok "a task is in a group" wait_until entered
	# shellcheck disable=SC2086
	called "--cgroup ($url), which leaves out the same program outside the group," function: \
		--target "$url" --cgroup g --function vfs_read $by \
		-- sh -c 'sh calls; echo >go; read -r _ <finished'
	wait $load
done
umount groups
is "these recordings leave tracefs unchanged" "$(tree_state)" "$before"

# --- who is not let in ---

trace-cmd hist listen --new-key other >/dev/null
is "record with a wrong key exits with status 2" \
	"$(TRACE_CMD_HIST_KEY=/tmp/net/other status record -o no.dat --target $tcp true)" 2
like "record with a wrong key prints an error about the key" "$(cat said)" '^trace-cmd hist: error: .*key'
is "record with an empty TRACE_CMD_HIST_KEY exits with status 2" \
	"$(TRACE_CMD_HIST_KEY='' status record -o no.dat --target $tcp true)" 2
like "record with an empty TRACE_CMD_HIST_KEY prints an error about the key" \
	"$(cat said)" '^trace-cmd hist: error: .*key'
sed -i s/10.9.0.2/10.9.0.3/ /root/.ssh/known_hosts
is "record exits with status 2 if ssh does not know the host" \
	"$(status record -o no.dat --target $ssh true)" 2
like "record shows the error of ssh about an unknown host" \
	"$(cat said)" 'Host key verification failed'
sed -i s/10.9.0.3/10.9.0.2/ /root/.ssh/known_hosts
mv /root/.ssh/authorized_keys refused
is "record exits with status 2 if the target refuses the SSH user" \
	"$(status record -o no.dat --target $ssh true)" 2
like "record shows the error of ssh about a refused user" "$(cat said)" 'Permission denied'
mv refused /root/.ssh/authorized_keys
is "refused connections leave tracefs unchanged" "$(tree_state)" "$before"

# --- ten at once ---

for i in 0 1 2 3 4 5 6 7 8 9; do
	url=$ssh
	[ $((i % 2)) = 0 ] || url=$tcp
	record -o many$i.dat -d 3 --target $url >many$i.said 2>&1 &
	pids="${pids-} $!"
done
i=0
for pid in $pids; do
	wait "$pid"
	is "recording $i of ten at once exits with status 0 and prints nothing" \
		"$? $(cat many$i.said)" "0 "
	i=$((i + 1))
done
is "each of ten recordings at once has a file" "$(ls many?.dat | wc -l)" 10
is "ten recordings at once leave tracefs unchanged" "$(tree_state)" "$before"

# --- a link that goes down ---

counting() { grep -qs '^hist:' $tracefs/instances/*/events/task/task_rename/trigger; }
more() { [ "$(snapshots cut.dat)" -gt "$1" ]; }
for url in $ssh $tcp; do
	rm -f cut.dat
	# not by record(): a function in the background is a shell, which gets the signal
	trace-cmd hist record -q -i 200ms -e task:task_rename -k newcomm -o cut.dat --target $url \
		>said 2>&1 &
	host=$!
	ok "record --target $url writes snapshots before an outage" wait_until more 1
	ip link set near0 down
	sleep 2 # the length of the outage
	n=$(snapshots cut.dat)
	ip link set near0 up
	ok "record --target $url continues after an outage" wait_until more "$n"
	kill -INT $host
	wait $host
	is "record --target $url exits with status 0 after an outage and SIGINT" $? 0
	is "record --target $url leaves tracefs unchanged after an outage" "$(tree_state)" "$before"
done
done_testing

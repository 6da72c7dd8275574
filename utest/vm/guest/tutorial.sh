# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=dash
#
# Documentation/tutorial.md: every command in it is run, in its order and in one
# directory, on a machine that does what the text says it does.  Each must end with
# status 0, say something where the page shows output and nothing where it shows none,
# and where the page shows its first line, say the same but for the numbers.  What they
# said and drew goes to the host, where scripts/pictures.sh puts it into the page.
#
# In the page a command is a line with "$ " in a block of "console", those with "> "
# behind it go on with it, and what follows is what it said.

# shellcheck source-path=SCRIPTDIR source=lib.sh
. /tests/lib.sh
[ -r /tutorial.md ] || bail "no /tutorial.md: add Documentation/tutorial.md to the guest"
mkdir -p /tmp/tutorial "$OUT/tutorial" || bail "no /tmp"
cd /tmp/tutorial || bail "no /tmp/tutorial"

# N.cmd, the command, and N.page, the output in the page
awk '/^```/ { inside = $0 == "```console"; going = 0; next }
	!inside { next }
	/^\$ / { n++; going = 1; name = sprintf("/tmp/tutorial-%02d", n)
		printf "" >(name ".page"); print substr($0, 3) >(name ".cmd"); next }
	going && /^> / { print substr($0, 3) >(name ".cmd"); next }
	n { going = 0; print >(name ".page") }' /tutorial.md
ok "the page has commands" [ -s /tmp/tutorial-10.cmd ]

# A disk whose requests take 1 ms, with a file system.
mkdir -p /sys/kernel/config /tmp/mnt
mount -t configfs configfs /sys/kernel/config 2>/dev/null
disk=/sys/kernel/config/nullb/disk
ok "null_blk creates a disk" mkdir $disk
echo 1 >$disk/memory_backed
echo 2 >$disk/irqmode
echo 1000000 >$disk/completion_nsec
echo 64 >$disk/size
ok "with 1 ms for a request" sh -c "echo 1 >$disk/power"
# its name is that of the directory, and before 6.3 that of its number
node=/dev/nullb$(cat $disk/index)
[ -e /sys/block/disk ] && node=/dev/disk
ok "the node of the disk appears" wait_until [ -b "$node" ]
ok "mke2fs makes a file system on the disk" mke2fs "$node"
ok "the file system is mounted" mount -t ext4 "$node" /tmp/mnt

# "board" is this machine, at the other end of a real connection.
ip link set lo up || ifconfig lo up
printf '127.0.0.1 localhost board\n' >/etc/hosts
mkdir -p /run/sshd /root/.ssh /var/empty
grep -q ^sshd: /etc/passwd || echo 'sshd:x:100:65534::/run/sshd:/bin/false' >>/etc/passwd
ssh-keygen -q -t ed25519 -N '' -f /tmp/host_key
ssh-keygen -q -t ed25519 -N '' -f /root/.ssh/id_ed25519
cp /root/.ssh/id_ed25519.pub /root/.ssh/authorized_keys
printf 'board %s\n' "$(cat /tmp/host_key.pub)" >/root/.ssh/known_hosts
printf '%s\n' 'HostKey /tmp/host_key' 'PermitRootLogin prohibit-password' 'StrictModes no' \
	'UsePAM no' 'PidFile /tmp/sshd.pid' "SetEnv PATH=$PATH" >/tmp/sshd_config
ok "an SSH server starts" /usr/sbin/sshd -f /tmp/sshd_config
export HOME=/root

export LC_ALL=C.UTF-8
mkfifo /tmp/never
before=$(tree_state)

# What the machine does all the time: system calls, forks, files, and one task that
# wakes up every 10 ms.
load_start 0
cat >/tmp/load.sh <<'END'
case $1 in
ticker) printf ticker >/proc/$$/comm
	exec 3<>/tmp/never
	while :; do read -r -t 0.01 x <&3; done ;;
disk) while :; do
		dd if=/dev/zero of=/tmp/mnt/file bs=64k count=32 conv=fsync 2>/dev/null
		echo 1 >/proc/sys/vm/drop_caches
		dd if=/tmp/mnt/file of=/dev/null bs=4k 2>/dev/null
		sleep 0.1
	done ;;
files) while :; do ls -lR /sys/class /tmp/mnt >/dev/null; sleep 0.2; done ;;
esac
END
for part in ticker disk files; do
	setsid sh /tmp/load.sh $part &
	load_pids="$load_pids $!"
	wait_until leads_group $! || bail "no load: $part"
done
# so that the commands themselves do not wait for it
for group in $load_pids; do
	[ "$(cat "/proc/$group/comm")" = ticker ] || renice 10 -g "$group"
done

# The program that is compared with itself: 30 waits, far longer in the new one, so that
# no noise hides it.
for version in old:0.01 new:0.05; do
	mkdir "${version%:*}"
	# shellcheck disable=SC2016
	printf '#!/bin/sh\nexec 3<>/tmp/never\nfor i in $(seq 30); do read -r -t %s x <&3; done\nexit 0\n' \
		"${version#*:}" >"${version%:*}/benchmark"
	chmod +x "${version%:*}/benchmark"
done

# Without what differs from kernel to kernel and from run to run.
shape()
{
	sed -n '1s/[0-9][^ ]*//g; 1s/  */ /g; 1p' "$1"
}

# PORT: state 0A is LISTEN
listens()
{
	cat /proc/net/tcp /proc/net/tcp6 | grep -q ":$(printf %04X "$1") [0-9A-F]*:0000 0A "
}

# Those that the page starts in the background.
listeners()
{
	local p

	for p in /proc/[0-9]*; do
		case $(tr '\0' ' ' 2>/dev/null <"$p/cmdline") in
		*' listen -p '*) echo "${p#/proc/}" ;;
		esac
	done
}
no_listeners() { [ -z "$(listeners)" ]; }

# Of the commands that end with: echo "status $?"
status()
{
	sed -n 's/^status //p' "$1"
}

for command in /tmp/tutorial-*.cmd; do
	name=$(basename "$command" .cmd)
	said=$OUT/tutorial/${name#tutorial-}.out
	# shellcheck disable=SC2016
	ok "$(tr '\n' ' ' <"$command")" sh -c 'set -o pipefail; . "$1" >"$2" 2>&1 || { cat "$2"; exit 1; }' \
		sh "$command" "$said"
	is "$name prints the text of the tutorial" "$(shape "$said")" "$(shape "/tmp/$name.page")"
	[ "$(status "/tmp/$name.page")" = "" ] ||
		is "$name exits with the status of the tutorial" "$(status "$said")" "$(status "/tmp/$name.page")"
	port=$(sed -n 's/.* -p \([0-9]*\) .*&$/\1/p' "$command")
	[ -z "$port" ] || ok "$name listens on port $port" wait_until listens "$port"
done
# shellcheck disable=SC2046 # numbers
kill $(listeners) "$(cat /tmp/sshd.pid)"
ok "the listeners have ended" wait_until no_listeners
is "what was sent is in a file" "$(echo trace.*.dat | wc -w)" 1
load_stop
# what was killed may still have a file open
ok "the disk is not used" wait_until umount /tmp/mnt
rmdir $disk
ok "its pictures go to the host" cp ./*.svg "$OUT/tutorial"

is "nothing is left behind" "$(tree_state)" "$before"
done_testing

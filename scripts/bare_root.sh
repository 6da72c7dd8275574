#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# bare_root.sh make SUITE DIR [ARCH [PACKAGE...]]: make a bare Debian system in the new
# directory DIR.
# bare_root.sh run [--user] DIR COMMAND [ARGUMENT...]: run a command in it, as root or as
# an ordinary user, and exit with the status of the command.
#
# SUITE is bookworm, trixie or sid; ARCH is a name of dpkg, by default this machine's.  The
# system has the required packages, sudo, and PACKAGEs.  Its apt uses the repositories of
# this machine, for SUITE, and the proxy of this machine.  The user is called "user",
# starts in /home/user with a login shell's environment, and may use sudo without a password.
#
# The command has its own mounts (/proc, /sys, /dev, tracefs), and the process numbers that the
# kernel's events have.  Invariant: mounts and processes end with this script, however it ends,
# so DIR can be deleted by `rm -rf`.
#
# This script needs root, and uses sudo if another user runs it.

set -eu
export LC_ALL=C

script=$(readlink -f "$0")
# shellcheck source-path=SCRIPTDIR source=apt_cache.sh
. "${script%/*}/apt_cache.sh"

usage="usage: bare_root.sh make SUITE DIR [ARCH [PACKAGE...]]
       bare_root.sh run [--user] DIR COMMAND [ARGUMENT...]"
proxies=()
for name in http_proxy https_proxy no_proxy; do
	[ -z "${!name-}" ] || proxies+=("$name=${!name}")
done

# The repositories of this machine, as lines of sources.list for suite $1.
suite_sources()
{
	local uri codename component host

	host=$(sed -n 's/^VERSION_CODENAME=//p' /etc/os-release)
	apt_repositories | while read -r uri codename component; do
		case $codename in
		"$host" | "$host"-updates | "$host"-security) ;;
		*) continue ;;
		esac
		# sid changes itself, and has neither
		[ "$1" != sid ] || [ "$codename" = "$host" ] || continue
		echo "deb [signed-by=$debian_keyring] $uri $1${codename#"$host"} $component"
	done
}

# What mmdebstrap and the apt in the root need to reach the repositories as this one does.
apt_options()
{
	apt-config dump |
		grep -E '^Acquire::(https?::Proxy|https?::Proxy::.*|Check-(Valid-Until|Date)|Retries) ' || true
}

command_make()
{
	local suite dir arch packages work

	[ $# -ge 2 ] || die "$usage"
	suite=$1 dir=$2 arch=${3:-$(dpkg --print-architecture)}
	shift "$(($# < 3 ? $# : 3))"
	packages=$(IFS=, && echo "sudo${*:+,$*}")
	command -v mmdebstrap >/dev/null || die "mmdebstrap: missing: run scripts/deps.sh root"
	[ ! -e "$dir" ] || [ -z "$(ls -A "$dir")" ] || die "$dir: exists"
	work=$(mktemp -d)
	# shellcheck disable=SC2064 # this directory, not a later one
	trap "rm -rf '$work'" EXIT
	suite_sources "$suite" >"$work/sources.list"
	[ -s "$work/sources.list" ] || die "apt knows no repository of Debian"
	! grep -q ' https:' "$work/sources.list" || packages=$packages,ca-certificates
	apt_options >"$work/apt.conf"
	# a root that is lost in a power failure is made again
	env "${proxies[@]}" mmdebstrap --quiet --mode=root --variant=minbase --architectures="$arch" \
		--include="$packages" --aptopt="$work/apt.conf" --dpkgopt=force-unsafe-io "$suite" "$dir" "$work/sources.list" >&2 ||
		die "$suite, $arch: mmdebstrap failed"
	cp /etc/resolv.conf /etc/hosts "$dir/etc/"
	chroot "$dir" useradd --create-home --shell /bin/bash user
	echo 'user ALL=(ALL) NOPASSWD: ALL' >"$dir/etc/sudoers.d/user"
	[ ${#proxies[@]} = 0 ] || printf '%s\n' "${proxies[@]}" >>"$dir/etc/environment"
}

# The processes of the mount namespace named in $1, and all that descend from this one, in $1.pids.
processes_inside()
{
	ps -e -o pid=,ppid=,mntns=,comm= >"$1.all"
	awk -v me=$$ -v space="$(cat "$1")" '
		{ parent[$1] = $2; inside[$1] = $1 == me || $3 == space; own[$1] = $2 == me && $4 == "ps" }
		END {
			do {
				found = 0
				for (pid in parent)
					if (!inside[pid] && inside[parent[pid]])
						found = inside[pid] = 1
			} while (found)
			for (pid in inside)
				if (inside[pid] && pid != me && !own[pid])
					print pid
		}' "$1.all" >"$1.pids"
}

end_inside()
{
	trap '' INT TERM HUP
	while processes_inside "$1" && [ -s "$1.pids" ]; do
		xargs kill -KILL <"$1.pids" 2>/dev/null || true
	done
	rm -f "$1" "$1.all" "$1.pids"
}

# What looks after the command: it stays outside, as a bare root has no ps.
command_inside()
{
	local space

	space=$(mktemp)
	# shellcheck disable=SC2064 # it is local
	trap "end_inside '$space'" EXIT
	trap 'exit 143' TERM
	# bash ignores SIGINT in what it starts in the background, and some tests need it
	env --default-signal unshare --mount "$script" enter "$space" "$@" <&0 &
	wait $!
}

# In a mount namespace of its own, which ends with its last process.  Not chroot: Linux gives a
# user in one no user namespace, which Chromium and some tests need.
command_enter()
{
	local root=$2

	readlink /proc/self/ns/mnt | tr -dc '0-9' >"$1"
	shift 2
	mount --bind "$root" "$root"
	mount -t proc proc "$root/proc"
	mount -t sysfs sysfs "$root/sys"
	mount -t tracefs nodev "$root/sys/kernel/tracing" 2>/dev/null || true
	mount --bind /dev "$root/dev"
	mkdir -p "$root/dev/pts" "$root/dev/shm"
	mount -t devpts -o newinstance,ptmxmode=0666,mode=0620,gid=5 devpts "$root/dev/pts"
	mount -t tmpfs -o mode=1777 tmpfs "$root/dev/shm"
	cd "$root"
	pivot_root . .
	umount -l .
	cd /
	exec "$@"
}

command_run()
{
	local user='' root child

	[ "${1-}" != --user ] || { user=1 && shift; }
	[ $# -ge 2 ] || die "$usage"
	root=$(readlink -f "$1")
	shift
	[ -x "$root/usr/bin/dpkg" ] || die "$1: not a root made by bare_root.sh make"
	# a word of su's shell for each argument
	[ -z "$user" ] || set -- su -l user -c "$(printf '%q ' "$@")"
	# if this script is killed, the other one gets SIGTERM, too
	setpriv --pdeathsig TERM env -i TERM="${TERM:-dumb}" HOME=/root \
		PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin "${proxies[@]}" \
		"$script" inside "$root" "$@" <&0 &
	child=$!
	# shellcheck disable=SC2064 # it is local
	trap "kill -TERM $child 2>/dev/null && wait $child || true" EXIT
	trap 'exit 130' INT
	trap 'exit 143' TERM HUP
	wait $child
}

case ${1-} in
make | run | inside | enter) ;;
*) die "$usage" ;;
esac
[ "$(id -u)" = 0 ] || exec sudo env TERM="${TERM:-dumb}" "${proxies[@]}" "$script" "$@"
"command_$1" "${@:2}"

# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=bash
#
# apt_cache.sh: packages of Debian in a cache of this project, without installing them.
# Sourced by scripts that then unpack what they need.
#
# All that is downloaded goes through cache_make(), which holds the lock of a name for as
# long as it makes what has this name.  apt refuses a package whose hash is not the one in its
# signed lists.
#
# Invariant: a name in the cache that a script prints was put there by one rename of a
# complete directory, so a killed run leaves only *.part there.  The names, sizes and times
# of its files are sealed by a hash, so a directory that was damaged later is made again.

# shellcheck source-path=SCRIPTDIR source=lib.sh
. "${BASH_SOURCE[0]%/*}/lib.sh"

# Make the cache the current directory.  Sets $cache.
cache_enter()
{
	cache=${TRACE_CMD_HIST_CACHE:-${XDG_CACHE_HOME:-$HOME/.cache}/trace-cmd-hist/kernels}
	mkdir -p "$cache" || die "$cache: cannot make the cache directory"
	cd "$cache" || exit
	cache=$PWD
}

# cache_lock NAME: wait until no other script holds it; until cache_unlock or the end.
cache_lock()
{
	exec 9>"$cache/$1.lock" || exit
	flock 9
}

cache_unlock()
{
	exec 9>&-
}

# The hash of what is in directory $1.
cache_hash()
{
	find "$1" ! -type d ! -name .whole -printf '%P %s %T@ %l\n' | sort | sha256sum
}

# Is NAME in the cache as it was made?
cache_whole()
{
	[ -e "$cache/$1/.whole" ] && [ "$(cache_hash "$cache/$1")" = "$(cat "$cache/$1/.whole")" ]
}

# cache_make NAME COMMAND...: the directory NAME of the cache, which is the current one.  If
# it is missing or damaged, COMMAND makes what is to be in it in an empty current directory;
# it ends the script if it fails, by die or by set -e.
cache_make()
{
	local name=$1

	shift
	cache_lock "$name"
	if ! cache_whole "$name"; then
		[ ! -e "$name/.whole" ] || echo "$me: $cache/$name: damaged: creating it again" >&2
		rm -rf "${name:?}" "$name.part"
		mkdir "$name.part" && cd "$name.part" || exit
		"$@"
		cd "$cache" || exit
		cache_hash "$name.part" >"$name.part/.whole"
		mv -T "$name.part" "$name" || exit
	fi
	cache_unlock
}

# One at a time: apt does not wait for another apt that reads the lists.
apt_refresh()
{
	local sudo=

	if [ "$(id -u)" != 0 ]; then
		sudo=$(command -v sudo) ||
			die "apt's package lists are too old: run apt-get update as root"
	fi
	echo "$me: apt-get update" >&2
	# shellcheck disable=SC2086 # a word or none
	flock "${cache:-/etc/apt}" $sudo apt-get -q=2 update >&2 || true
}

# More options of apt for packages of other machines.
apt_options=()

apt_get()
{
	apt-get -q=2 -o APT::Sandbox::User="$(id -un)" -o APT::Get::AllowUnauthenticated=false \
		${apt_options[@]+"${apt_options[@]}"} "$@"
}

# Only what apt says last is the reason.
apt_fetch()
{
	apt_get download "$1" >apt.log 2>&1
}

# apt_download PACKAGE: its .deb in the current directory; apt-get compares its size and hash
# with the lists
apt_download()
{
	echo "$me: downloading $1" >&2
	apt_fetch "$1" || { apt_refresh && apt_fetch "$1"; } || {
		cat apt.log >&2
		die "$1: apt-get download failed: $(grep '^E: ' apt.log | tail -n 1)"
	}
	rm apt.log
}

# apt_unpack PACKAGE: its files in the current directory
apt_unpack()
{
	apt_download "$1"
	dpkg-deb -x "$1"_*.deb . || die "$1: cannot be unpacked"
	rm -f "$1"_*.deb
}

debian_repositories()
{
	# shellcheck disable=SC2016 # names that apt-get replaces
	apt-get indextargets --format '$(CREATED_BY) $(ORIGIN) $(REPO_URI) $(CODENAME) $(COMPONENT)' |
		sed -n 's|^Packages Debian ||p' | sort -u
}

# The repositories of Debian that apt knows, one a line: ADDRESS CODENAME COMPONENT.
# CODENAME is bookworm, bookworm-updates, bookworm-security.  Only lists say which are Debian's.
apt_repositories()
{
	[ -n "$(debian_repositories)" ] || apt_refresh
	debian_repositories
}

debian_keyring=/usr/share/keyrings/debian-archive-keyring.gpg

# use_suite SUITE...: from now on apt knows these suites of Debian alone, and keeps what
# it knows in the cache.
use_suite()
{
	local dir mirror suite

	dir=$(IFS=- && echo "$cache/apt-$*")
	# shellcheck disable=SC2016 # names that apt-get replaces
	mirror=$(apt-get indextargets --format '$(CREATED_BY) $(ORIGIN) $(REPO_URI)' |
		sed -n 's|^Packages Debian ||p' | grep -v -m 1 security) ||
		die "apt knows no repository of Debian"
	mkdir -p "$dir/lists/partial" "$dir/archives/partial"
	for suite; do
		echo "deb [signed-by=$debian_keyring] $mirror $suite main"
	done >"$dir/sources.list"
	cat >"$dir/apt.conf" <<-EOT
	Dir::Etc::SourceList "$dir/sources.list";
	Dir::Etc::SourceParts "/dev/null";
	Dir::State::Lists "$dir/lists";
	Dir::Cache "$dir";
	APT::Sandbox::User "$(id -un)";
	EOT
	export APT_CONFIG=$dir/apt.conf
}

# apt_source PACKAGE: its source, as Debian signed and patched it, in the current directory.
# The lists of sources are of the repositories that apt knows for packages, and are kept
# here, so apt's own configuration is not changed.
apt_source()
{
	echo "$me: downloading the source package $1" >&2
	mkdir -p apt/lists/partial apt/cache/archives/partial
	apt_repositories | sed "s|^|deb-src [signed-by=$debian_keyring] |" >apt/sources.list
	[ -s apt/sources.list ] || die "apt knows no repository of Debian"
	apt_options=(-o Dir::Etc::SourceList="$PWD/apt/sources.list" -o Dir::Etc::SourceParts=/dev/null
		-o Dir::State::Lists="$PWD/apt/lists" -o Dir::Cache="$PWD/apt/cache")
	if ! apt_get update >apt/log 2>&1 || ! apt_get source "$1" >>apt/log 2>&1; then
		cat apt/log >&2
		die "$1: apt-get source failed: $(grep '^E: ' apt/log | tail -n 1)"
	fi
	rm -rf apt
}

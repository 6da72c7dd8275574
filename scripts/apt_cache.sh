# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=bash
#
# apt_cache.sh: packages of Debian in a cache of our own, without installing them.
# Sourced by scripts that then unpack what they need; $me is their name.
#
# Invariant: a name in the cache that a script prints was put there by one
# rename of a complete directory, so a killed run leaves only *.part behind.

die()
{
	echo "${me:?}: $*" >&2
	exit 2
}

# cache_enter LOCK: make the cache the current directory, and take its lock: a second run
# waits until the first has finished its download.  Sets $cache.
cache_enter()
{
	cache=${TRACE_CMD_HIST_CACHE:-${XDG_CACHE_HOME:-$HOME/.cache}/trace-cmd-hist/kernels}
	mkdir -p "$cache" || die "$cache: cannot make the cache directory"
	cd "$cache" || exit
	cache=$PWD
	exec 9>"$1"
	flock 9
}

apt_refresh()
{
	local sudo=

	if [ "$(id -u)" != 0 ]; then
		sudo=$(command -v sudo) ||
			die "apt's package lists are too old: run apt-get update as root"
	fi
	echo "$me: apt-get update" >&2
	$sudo apt-get -q=2 update >&2 || true
}

# Into the current directory. As root, apt would drop to a user that cannot
# write there.
apt_fetch()
{
	apt-get -q=2 -o APT::Sandbox::User="$(id -un)" download "$1" >&2
}

# apt_download PACKAGE: its .deb into the new directory PACKAGE.part, which becomes the
# current one
apt_download()
{
	rm -rf "$1.part"
	mkdir "$1.part"
	cd "$1.part" || exit
	echo "$me: downloading $1" >&2
	apt_fetch "$1" || { apt_refresh && apt_fetch "$1"; } || die "$1: apt-get download failed"
}

# The repositories of Debian that apt has lists of, one a line: ADDRESS CODENAME COMPONENT.
# CODENAME is bookworm, bookworm-updates, bookworm-security.
apt_repositories()
{
	# shellcheck disable=SC2016 # names that apt-get replaces
	apt-get indextargets --format '$(CREATED_BY) $(ORIGIN) $(REPO_URI) $(CODENAME) $(COMPONENT)' |
		sed -n 's|^Packages Debian ||p' | sort -u
}

debian_keyring=/usr/share/keyrings/debian-archive-keyring.gpg

# The same as the lists of packages, but for sources, and with state of its own.
source_lists()
{
	mkdir -p apt/lists/partial apt/cache/archives/partial
	apt_repositories | sed "s|^|deb-src [signed-by=$debian_keyring] |" >apt/sources.list
	[ -s apt/sources.list ] || die "apt knows no repository of Debian"
}

source_apt()
{
	apt-get -q=2 -o APT::Sandbox::User="$(id -un)" -o Dir::Etc::SourceList="$PWD/apt/sources.list" \
		-o Dir::Etc::SourceParts=/dev/null -o Dir::State::Lists="$PWD/apt/lists" \
		-o Dir::Cache="$PWD/apt/cache" "$@" >&2
}

# apt_source PACKAGE: its source, as Debian signed and patched it, into the new directory
# PACKAGE.part, which becomes the current one; apt's own configuration is not changed
apt_source()
{
	rm -rf "$1.part"
	mkdir "$1.part"
	cd "$1.part" || exit
	echo "$me: downloading the source package $1" >&2
	source_lists
	source_apt update || die "$1: apt-get update failed"
	source_apt source "$1" || die "$1: apt-get source failed"
}

# apt_keep PACKAGE NAME: what was made out of it in PACKAGE.part, under NAME
apt_keep()
{
	rm -f ./*.deb
	cd ..
	# of a version of a script that kept less
	rm -rf "$2"
	mv -T "$1.part" "$2"
}

#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# deb_root.sh DEBS: install, use, upgrade, remove and purge the packages in DEBS.  TAP on stdout.
#
# Installs packages as root: only for a root that scripts/check_deb.sh made, with the stock trace-cmd.
# At the end the files of the root are those of the beginning.

set -u
export LC_ALL=C DEBIAN_FRONTEND=noninteractive
# shellcheck source-path=SCRIPTDIR source=../scripts/tap.sh
. "$(dirname "$(readlink -f "$0")")/../scripts/tap.sh"

top=$here/../..
[ $# = 1 ] || die "usage: deb_root.sh DEBS"
debs=$(readlink -f "$1")
[ -e /etc/sudoers.d/user ] || die "not a root of bare_root.sh"
work_enter

# All files and links, except what dpkg, apt and ldconfig write for any package.
files()
{
	find / -xdev \( -path /proc -o -path /sys -o -path /dev -o -path /tmp -o -path /home -o -path /run -o \
		-path /var/lib/dpkg -o -path /var/lib/apt -o -path /var/cache -o -path /var/log \) -prune -o \
		! -type d -printf '%p %l %s\n' | grep -v -e '^/etc/ld.so.cache ' -e '^/var/lib/systemd/deb-systemd' | sort
}
stock_sums()
{
	dpkg -L trace-cmd | while read -r file; do
		[ ! -f "$file" ] || sha256sum "$file"
	done
}
apt()
{
	apt-get -q=2 -y --no-install-recommends "$@" </dev/null
}

apt update >/dev/null 2>&1
dpkg-query -W >"$work/packages"
files >"$work/before"
stock_sums >"$work/sums"
ok "the files of stock trace-cmd are present" grep -q ' /usr/bin/trace-cmd$' "$work/sums"
main=$(echo "$debs"/trace-cmd-hist_*.deb)
helper=$(echo "$debs"/trace-cmd-hist-target_*.deb)
panel=$(echo "$debs"/trace-cmd-hist-kernelshark_*.deb)

ok "the helper installs without any other package" dpkg -i "$helper"
is "the helper's package has one file outside /usr/share" \
	"$(dpkg -L trace-cmd-hist-target | while read -r f; do [ -d "$f" ] || echo "$f"; done |
		grep -v '^/usr/share/\(doc\|lintian\)/')" "/usr/bin/trace-cmd-hist-target"
ok "the helper runs" trace-cmd-hist-target --version
ok "the helper is static" sh -c '! ldd /usr/bin/trace-cmd-hist-target >/dev/null 2>&1'

ok "trace-cmd-hist installs next to stock trace-cmd" apt install "$main"
ok "the dependencies of the panel's package can be installed" apt -s install "$panel"
ok "the files of stock trace-cmd are unchanged" sha256sum --quiet -c "$work/sums"
ok "dpkg finds the stock package unchanged" dpkg -V trace-cmd
is "no file belongs to both packages" "$(dpkg -L trace-cmd trace-cmd-hist | sort | uniq -d |
	while read -r f; do [ -d "$f" ] || echo "$f"; done)" ""
is "nothing is diverted" "$(dpkg-divert --list | grep trace-cmd)" ""
is "the packages have no maintainer scripts, except those of debhelper" \
	"$(for p in trace-cmd-hist trace-cmd-hist-target; do dpkg-query --control-list $p; done |
		grep -E '^(preinst|postinst|prerm|postrm)$')" ""
is "the packages have no service" "$(dpkg -L trace-cmd-hist trace-cmd-hist-target |
	grep -E '/(systemd|init\.d|cron[^/]*|udev|dbus-1)/')" ""
is "no header, static library or pkg-config file is installed" "$(dpkg -L trace-cmd-hist trace-cmd-hist-target |
	grep -E '\.(h|hpp|a|la|pc)$')" ""
is "each link of the packages leads to a file" "$(dpkg -L trace-cmd-hist | while read -r f; do
	[ ! -L "$f" ] || [ -e "$f" ] || echo "$f"; done)" ""
ok "the reinstallation of stock trace-cmd succeeds" apt install --reinstall trace-cmd

ok "the test of the package passes" "$top/debian/tests/record"
# After Debian 13, secure_path has no /usr/local/bin.
is "sudo runs trace-cmd-hist" "$(su -l user -c 'sudo trace-cmd-hist --version' | head -n 1)" \
	"trace-cmd-hist $("$top/scripts/version.sh")"
grep -q '^Defaults.*secure_path=.*/usr/local/bin' /etc/sudoers ||
	echo 'Defaults secure_path="/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin"' >/etc/sudoers.d/local
is "the symlink of README.Debian makes trace-cmd hist work for sudo" \
	"$(ln -s /usr/lib/trace-cmd-hist/bin/trace-cmd /usr/local/bin/trace-cmd &&
		su -l user -c 'sudo trace-cmd hist --version' | head -n 1)" "trace-cmd-hist $("$top/scripts/version.sh")"
like "stock trace-cmd runs through the symlink" "$(su -l user -c 'trace-cmd --version' 2>&1)" 'trace-cmd version [0-9]'
rm -f /usr/local/bin/trace-cmd /etc/sudoers.d/local

# A newer version with the same files.
dpkg-deb -R "$main" "$work/newer"
sed -i 's/^Version: .*/&+upgrade1/' "$work/newer/DEBIAN/control"
dpkg-deb -b "$work/newer" "$work/newer.deb" >/dev/null
dpkg -L trace-cmd-hist | sort >"$work/old-list"
ok "the upgrade succeeds" apt install "$work/newer.deb"
like "the upgraded version is installed" "$(dpkg-query -W -f '${Version}' trace-cmd-hist)" '\+upgrade1$'
ok "the upgrade keeps the files" diff "$work/old-list" <(dpkg -L trace-cmd-hist | sort)
ok "the upgraded program runs" trace-cmd-hist --version

ok "apt removes the packages" apt remove trace-cmd-hist trace-cmd-hist-target
is "the removed packages leave no configuration" "$(dpkg -l | grep '^rc.*trace-cmd-hist')" ""
ok "the packages install again" apt install "$main" "$helper"
ok "apt purges the packages" apt purge trace-cmd-hist trace-cmd-hist-target
is "the purged packages are unknown to dpkg" "$(dpkg -l | grep 'trace-cmd-hist')" ""
ok "apt removes what they needed" apt autoremove --purge
ok "the packages are those of the beginning" diff "$work/packages" <(dpkg-query -W)
ok "the files are those of the beginning" diff "$work/before" <(files)
ok "the files of stock trace-cmd are still unchanged" sha256sum --quiet -c "$work/sums"
done_testing

#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# rpm.sh DIR: what is in the packages of `make rpm`, DIR/RPMS/ARCH/*.rpm?  TAP on stdout.
#
# They are installed into a directory with a database of its own, and removed again.  The programs run
# from there.  rpm does not know the packages of this machine, so what they require is only compared.

set -u
export LC_ALL=C
# shellcheck source-path=SCRIPTDIR source=../scripts/tap.sh
. "$(dirname "$(readlink -f "$0")")/../scripts/tap.sh"

[ $# = 1 ] || die "usage: rpm.sh DIR"
top=$here/../..
work_make
version=$("$top/scripts/version.sh")
packages=("$1"/RPMS/*/*-"$version"-*.rpm)
root=$work/root
mkdir -p "$root"

is "there are three packages" "$(rpm -qp --qf '%{NAME} ' "${packages[@]}")" \
	"trace-cmd-hist trace-cmd-hist-kernelshark trace-cmd-hist-target "
is "all packages have the version" "$(rpm -qp --qf '%{VERSION}\n' "${packages[@]}" | sort -u)" "$version"
is "the program's package requires trace-cmd" "$(rpm -qp --requires "$1"/RPMS/*/trace-cmd-hist-"$version"-*.rpm |
	grep -x trace-cmd)" trace-cmd
is "the helper's package requires nothing" "$(rpm -qp --requires "$1"/RPMS/*/trace-cmd-hist-target-*.rpm |
	grep -v '^rpmlib(')" ""
is "the packages have no scripts" "$(rpm -qp --scripts "${packages[@]}")" ""

ok "rpm installs the packages" rpm --root "$root" --nodeps --ignorearch --ignoreos --nosignature -i "${packages[@]}"
is "no file has the name of a file of stock trace-cmd" \
	"$( (cd "$root" && find . ! -type d | sed 's|^\.||; s|\.gz$||'; dpkg -L trace-cmd | while read -r f; do
		[ -d "$f" ] || echo "${f%.gz}"; done | sort -u) | sort | uniq -d)" ""
is "no header, static library, pkg-config file or service is installed" \
	"$(cd "$root" && find . -name '*.h' -o -name '*.a' -o -name '*.pc' -o -name '*.service')" ""
is "each link leads to a file" "$(find "$root" -xtype l ! -path '*/var/lib/rpm/*')" ""
is "the installed program has the version" "$("$root/usr/bin/trace-cmd-hist" --version | head -n 1)" \
	"trace-cmd-hist $version"
is "the installed dispatcher runs it" "$(PATH=$root/usr/bin:$PATH "$root/usr/libexec/trace-cmd-hist/bin/trace-cmd" hist --version | head -n 1)" \
	"trace-cmd-hist $version"
is "the installed helper has the version" "$("$root/usr/bin/trace-cmd-hist-target" --version)" \
	"trace-cmd-hist-target $version"
ok "the installed page is made for man" sh -c "zcat '$root'/usr/share/man/man1/trace-cmd-hist.1hist.gz | grep -q '^\.SH'"
ok "rpm removes the packages" rpm --root "$root" --nodeps -e trace-cmd-hist trace-cmd-hist-kernelshark trace-cmd-hist-target
is "no file is left" "$(find "$root" ! -type d ! -path '*/lib/rpm/*' ! -path '*/.rpmdb/*' ! -path '*/sysimage/*')" ""
done_testing

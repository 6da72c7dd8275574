#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
#
# deps.sh [GROUP...]: install what is missing, by apt.
# deps.sh --explain GROUP...: name what is missing and the command that installs it, and
# exit with status 1; with status 0 if nothing is missing.
#
# Groups: build, vm, test, fuzz, cross, arch, kernelshark, kernel, root, unit, deb, rpm.
# Without a group: the first three.
# What the helper for one machine needs of cross is a group too: cross-armv5,
# cross-mips, ..; with TLS it also needs helper-tls.  arch-i386 is what i386 needs of arch.
# Only packages that dpkg does not know as installed are asked for, so a second run
# does nothing.
# Needs root or sudo only when something is missing. The package lists are
# refreshed only when apt does not know a package or cannot fetch it.

set -eu
# shellcheck source-path=SCRIPTDIR source=lib.sh
. "$(dirname "$(readlink -f "$0")")/lib.sh"

build="gcc libc6-dev make cmake pkg-config
	libtraceevent-dev libtracefs-dev libzstd-dev zlib1g-dev libelf-dev
	libncurses-dev libmbedtls-dev libmicrohttpd-dev trace-cmd asciidoc-base docbook-xml docbook-xsl xsltproc"
# The libraries are those of OpenSSH's server, which is unpacked and not installed.
vm="qemu-system-x86 busybox-static cpio kmod xz-utils trace-cmd util-linux
	openssh-client iproute2 libwrap0"
unit="libcunit1-dev libjson-c-dev libtracecmd-dev"
# Named "testing", as "test" is a command a reader would take it for.
testing="$unit ccache strace python3 valgrind shellcheck libkshark-dev
	bash-completion zstd python3-prometheus-client python3-jsonschema cmark-gfm
	chromium chromium-driver fonts-dejavu-core libxml2-utils openssl xz-utils dpkg-dev
	codespell mandoc systemtap-sdt-dev"
# The panel is built where the development packages are; its tests need all of these.  Those
# of Qt6 are for tests that it is ready for KernelShark 2.3.
kernelshark="kernelshark gdb libkshark-dev libjson-c-dev qtbase5-dev qt6-base-dev g++ libgl-dev libglu1-mesa-dev
	xvfb xauth libgl1-mesa-dri fonts-dejavu-core desktop-file-utils util-linux"
# Large, and for the fuzzers and utest/setup/analyse.sh only.
fuzz="clang clang-tidy libclang-rt-14-dev"
# To build kernels, with the compiler that build has.
# dpkg-dev unpacks the source of busybox.
kernel="gcc libc6-dev make flex bison bc libelf-dev git xz-utils sparse dpkg-dev"
# Compilers for targets, with the kernel's headers that come with their libc, and
# qemu-user to run what they make: 240 MB to download and 1 GB on the disk for all.
cross_armv5="gcc-arm-linux-gnueabi libc6-dev-armel-cross"
cross_armv7="gcc-arm-linux-gnueabihf libc6-dev-armhf-cross"
cross_arm64="gcc-aarch64-linux-gnu libc6-dev-arm64-cross"
cross_mips="gcc-mips-linux-gnu libc6-dev-mips-cross"
cross_mipsel="gcc-mipsel-linux-gnu libc6-dev-mipsel-cross"
cross_riscv64="gcc-riscv64-linux-gnu libc6-dev-riscv64-cross"
cross="$cross_armv5 $cross_armv7 $cross_arm64 $cross_mips $cross_mipsel $cross_riscv64 qemu-user-static"
# For utest/setup/arch.sh; the libraries are unpacked by arch_root.sh.
arch_i386="gcc-i686-linux-gnu qemu-user-static"
arch="$arch_i386 gcc-arm-linux-gnueabihf gcc-aarch64-linux-gnu gcc-s390x-linux-gnu gcc-riscv64-linux-gnu"
# To unpack the source of mbedTLS, for a helper that listens on a TCP port.
helper_tls="dpkg-dev"
# What debian/control asks for to build packages, and lintian.
deb="$build build-essential dpkg-dev debhelper lintian libkshark-dev libjson-c-dev libgl-dev
	libglu1-mesa-dev qt6-base-dev musl-tools xz-utils"
# The panel is built for the Qt of KernelShark, which is 5 before version 2.3.
[ "$(sed -n 's/^VERSION_ID="*\([0-9]*\).*/\1/p' /etc/os-release 2>/dev/null)" != 12 ] || deb="$deb qtbase5-dev"
# To build and check RPM packages.
rpm="rpm rpmlint xz-utils"
# For bare_root.sh.
root="mmdebstrap debian-archive-keyring util-linux procps"

# The packages of one group.
group()
{
	case $1 in
	build) echo "$build" ;;
	vm) echo "$vm" ;;
	test) echo "$testing" ;;
	unit) echo "$unit" ;;
	fuzz) echo "$fuzz" ;;
	cross) echo "$cross" ;;
	arch) echo "$arch" ;;
	arch-i386) echo "$arch_i386" ;;
	kernelshark) echo "$kernelshark" ;;
	helper-tls) echo "$helper_tls" ;;
	kernel) echo "$kernel" ;;
	root) echo "$root" ;;
	deb) echo "$deb" ;;
	rpm) echo "$rpm" ;;
	cross-armv5) echo "$cross_armv5" ;;
	cross-armv7) echo "$cross_armv7" ;;
	cross-arm64) echo "$cross_arm64" ;;
	cross-mips) echo "$cross_mips" ;;
	cross-mipsel) echo "$cross_mipsel" ;;
	cross-riscv64) echo "$cross_riscv64" ;;
	*) die "$1: no such group: use build, vm, test, fuzz, cross, arch, kernelshark, kernel, root, unit, deb or rpm" ;;
	esac
}

# names_left LIST NAME...: those that are not a line of LIST
names_left()
{
	list="
$1
"
	shift
	for name; do
		case $list in
		*"
$name
"*) ;;
		*) echo "$name" ;;
		esac
	done
}

# Is there what package $1 of group build has?  For a system without dpkg.
there()
{
	case $1 in
	zlib1g-dev) pkg-config --exists zlib ;;
	libncurses-dev) pkg-config --exists ncursesw ;;
	libmbedtls-dev) printf '#include <mbedtls/ssl.h>\n' | cc -E - ;;
	libc6-dev) printf '#include <stdio.h>\n' | cc -E - ;;
	lib*-dev) library=${1%-dev} && pkg-config --exists "$library" ;;
	asciidoc-base) command -v asciidoc ;;
	docbook-*) true ;; # xsltproc finds them by a catalog, at a place that differs
	*) command -v "$1" ;;
	esac >/dev/null 2>&1
}

# The name of package $1 on other systems: that of the program or library.
plain_name()
{
	case $1 in
	libc6-dev) echo "the C library's headers" ;;
	zlib1g-dev) echo zlib ;;
	libncurses-dev) echo ncursesw ;;
	libmbedtls-dev) echo mbedtls ;;
	lib*-dev) echo "${1%-dev}" ;;
	*) echo "${1%-base}" ;;
	esac
}

# explain PACKAGE...: one line that says what is missing, and one with what to do.
explain()
{
	if command -v dpkg-query >/dev/null; then
		missing=$(not_installed "$@" | tr '\n' ' ')
		what="missing packages: ${missing% }"
		hint="run \"scripts/deps.sh $groups\""
	else
		missing=$(for package; do there "$package" || plain_name "$package"; done)
		what="missing programs or libraries: $(echo "$missing" | sed ':a; N; s/\n/, /; ta')"
		hint="install them with the files for development (-dev, -devel)"
	fi
	[ -n "$missing" ] || return 0
	printf 'error: %s\nhint: %s\n' "$what" "$hint" >&2
	return 1
}

# Both ask once for all, as apt takes most of a second to begin.
not_installed()
{
	names_left "$(dpkg-query -W -f '${db:Status-Status} ${Package}\n' "$@" 2>/dev/null |
		sed -n 's/^installed //p')" "$@"
}

not_known()
{
	names_left "$(apt-cache show --no-all-versions "$@" 2>/dev/null | sed -n 's/^Package: //p')" "$@"
}

as_root()
{
	if [ "$(id -u)" = 0 ]; then
		"$@"
	elif command -v sudo >/dev/null; then
		sudo "$@"
	else
		die "missing: $missing: needs root: run it as root or install sudo"
	fi
}

refresh()
{
	echo "$me: apt-get update" >&2
	as_root apt-get -q=2 update >&2 ||
		echo "$me: apt-get update had errors, continuing" >&2
	refreshed=1
}

# DEBIAN_FRONTEND is given by env, as sudo drops the caller's environment.
fetch_and_install()
{
	# shellcheck disable=SC2086 # a list of package names
	as_root env DEBIAN_FRONTEND=noninteractive apt-get -q=2 -y \
		--no-install-recommends install $missing >&2
}

refreshed=
only_explain=
[ "${1-}" != --explain ] || { only_explain=1 && shift; }
[ $# -gt 0 ] || set -- build vm test
groups=$*

packages=
for name; do
	packages="$packages $(group "$name")" || exit
done
# shellcheck disable=SC2086 # a list of package names, each once
packages=$(printf '%s\n' $packages | sort -u)
if [ -n "$only_explain" ]; then
	# shellcheck disable=SC2086
	explain $packages
	exit
fi
# shellcheck disable=SC2086
missing=$(not_installed $packages | tr '\n' ' ')
missing=${missing% }
[ -n "$missing" ] || exit 0

command -v apt-get >/dev/null ||
	die "missing: $missing: no apt-get here: install them by hand"
# shellcheck disable=SC2086
[ -z "$(not_known $missing)" ] || refresh
# shellcheck disable=SC2086
unknown=$(not_known $missing | tr '\n' ' ')
[ -z "$unknown" ] || die "${unknown% }: apt does not know this package: use Debian 12 or newer"
echo "$me: installing: $missing" >&2
fetch_and_install && exit 0
# A list that is too old names files that the mirror no longer has.
[ -z "$refreshed" ] && refresh && fetch_and_install && exit 0
die "apt-get could not install: $missing"

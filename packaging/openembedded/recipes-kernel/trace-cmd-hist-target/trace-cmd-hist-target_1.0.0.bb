# SPDX-License-Identifier: GPL-2.0
SUMMARY = "Static helper of trace-cmd hist for targets"
DESCRIPTION = "The program that a target needs for \"trace-cmd hist record --target\" on a host"
LICENSE = "GPL-2.0-only"
LIC_FILES_CHKSUM = "file://LICENSES/GPL-2.0-only.txt;md5=b234ee4d69f5fce4486a80fdaf4a4263"

# The source is the tree that contains this layer.
inherit externalsrc
EXTERNALSRC = "${@os.path.abspath(d.getVar('THISDIR') + '/../../../..')}"
EXTERNALSRC_BUILD = "${WORKDIR}/build"
# not the directories of other builds
EXTERNALSRC_SYMLINKS = ""

do_compile() {
	oe_runmake -C ${S}/helper O=${B} CC="${CC}" CPPFLAGS="${CPPFLAGS}" CFLAGS="${CFLAGS}" LDFLAGS="${LDFLAGS}"
}

do_install() {
	install -D -m 0755 ${B}/trace-cmd-hist-target ${D}${bindir}/trace-cmd-hist-target
}

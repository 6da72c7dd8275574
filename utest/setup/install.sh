#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# install.sh BUILD: `make install` into a folder of its own, what is there then, and that
# `make uninstall` takes all of it away.  Prints TAP.
#
# The prefix is compiled in, so this is a build of its own.  It begins with the objects of
# BUILD except the one that has the prefix, as all others are the same.
#
# The plugins of stock programs go to those programs' own folders where the prefix
# is the system's.  That is looked up in what CMake would do: it is not done here.

set -u
# shellcheck source-path=SCRIPTDIR source=../scripts/tap.sh
. "$(dirname "$(readlink -f "$0")")/../scripts/tap.sh"

[ $# = 1 ] || die "usage: install.sh BUILD"
objects=$(readlink -f "$1")
cd "$here/../.." || exit 2
work_make
dest=$work/dest
mkdir "$dest"

# ctest may run beside us, with jobs of its own: MAKEFLAGS would confuse this one.
quietly_make()
{
	env -u MAKEFLAGS make --no-print-directory BUILD="$work/build" DESTDIR="$dest" \
		prefix=/opt/hist "$@"
}

ok "cmake configures the build for /opt/hist" \
	cmake -S . -B "$work/build" -DCMAKE_INSTALL_PREFIX=/opt/hist
# copies are newer than the rules, so make takes them as they are
(cd "$objects" && find . \( -name '*.o' -o -path './man/*.[1-9]' \) ! -name preset_find.c.o ! -path './utest/*' \
	! -path './fuzz/*' -print0 |
	xargs -0 cp --parents -t "$work/build") || exit 2

root=$dest/opt/hist
ok "make install succeeds" quietly_make install
ok "the prefix is compiled into the program" \
	grep -qa /opt/hist/share/trace-cmd-hist/recipes "$root/bin/trace-cmd-hist"
ok "no other prefix is compiled into the program" \
	sh -c "! grep -qa /usr/local/share/trace-cmd-hist '$root/bin/trace-cmd-hist'"
ok "the program is installed" test -x "$root/bin/trace-cmd-hist"
ok "the dispatcher is installed" test -x "$root/bin/trace-cmd"
ok "the installed dispatcher runs" sh -c "'$root/bin/trace-cmd' hist | grep -q 'record'"
for page in man1/trace-cmd-hist.1 man1/trace-cmd-hist-record.1 man1/trace-cmd-hist-report.1 \
	man1/trace-cmd-hist-cleanup.1 man5/trace-cmd-hist.dat.5 \
	man5/trace-cmd-hist-recipe.5 man1/kernelshark-hist.1 \
	man7/trace-cmd-hist-engines.7 man7/trace-cmd-hist-expression.7 man7/trace-cmd-hist-latency.7 \
	man7/trace-cmd-hist-presets.7 man7/trace-cmd-hist-probes.7 man7/trace-cmd-hist-protocol.7 man7/trace-cmd-hist-snapshots.7 \
	man7/trace-cmd-hist-targets.7 man7/trace-cmd-hist-tracers.7; do
	ok "the manual page $page is installed" grep -q '^\.SH' "$root/share/man/$page"
done
for name in trace-cmd trace-cmd-hist; do
	ok "the completion of $name is installed" \
		bash -n "$root/share/bash-completion/completions/$name"
done
# a program that was copied alone has its presets, and a file beside it replaces one
cp "$root/bin/trace-cmd-hist" "$work/alone"
ok "the program alone lists the presets" \
	sh -c "'$work/alone' list --presets | grep -q '^wakeup-latency.*Time from the wake-up'"
mkdir -p "$root/share/trace-cmd-hist/recipes"
printf '# Mine\n-e x:y\n-k z\n' >"$root/share/trace-cmd-hist/recipes/wakeup-latency.recipe"
ok "a recipe of the installation replaces a preset of the program" \
	sh -c "'$root/bin/trace-cmd-hist' list --presets |
	grep -A 1 '^wakeup-latency  *Mine' | grep -q '$root/share/trace-cmd-hist/recipes/wakeup-latency.recipe'"
rm -r "$root/share/trace-cmd-hist/recipes"
# what the tutorial leads to
doc=$root/share/doc/trace-cmd-hist
for link in $(grep -o '](\([^)#:]*\))' Documentation/tutorial.md | sed 's/^](//; s/)$//' | sort -u); do
	ok "the file $link of the tutorial is installed" test -e "$doc/$link"
done
# the library is a part of the programs: nothing is there to link
ok "no header, static library or pkg-config file is installed" sh -c "
	! find '$root' -name '*.h' -o -name '*.hpp' -o -name '*.a' -o -name '*.pc' -o -name '*.cmake' | grep ."
# plugins of stock programs, and what starts KernelShark with ours
plugin=$root/lib/traceevent/plugins/plugin_hist_snapshot.so
ok "the plugin of libtraceevent is installed" test -f "$plugin"
ok "stock trace-cmd loads the installed plugin" sh -c "TRACEEVENT_PLUGIN_DIR='${plugin%/*}' \
	/usr/bin/trace-cmd report utest/data/marks.dat 2>&1 |
	grep -q 'histogram sched:sched_switch snapshot 3: 107 hits, 19 entries, none dropped'"
mkdir -p "$work/home/.local/lib/traceevent/plugins"
cp "$plugin" "$work/home/.local/lib/traceevent/plugins"
ok "stock trace-cmd loads the plugin from the user's own folder" \
	sh -c "env -u TRACEEVENT_PLUGIN_DIR HOME='$work/home' \
	/usr/bin/trace-cmd report utest/data/marks.dat 2>&1 |
	grep -q 'histogram sched:sched_switch snapshot 3: 107 hits, 19 entries, none dropped'"
panel=lib/kernelshark/plugins/plugin-hist_panel.so
ok "the panel is installed" test -f "$root/$panel"
ok "the panel exports only the names that KernelShark looks up" sh -c "
	test \"\$(nm -D --defined-only '$root/$panel' | cut -d ' ' -f 3 | sort | tr '\n' ' ')\" = \
	'kshark_data_plugin_deinitializer kshark_data_plugin_initializer kshark_plugin_menu_initializer '"
ok "the panel is not bound to a version of KernelShark's libraries" sh -c "
	! readelf -d '$root/$panel' | grep NEEDED | grep -i kshark"
ok "the menu entry is valid" \
	desktop-file-validate "$root/share/applications/kernelshark-hist.desktop"
ok "the menu entry starts the installed script" grep -qx 'Exec=/opt/hist/bin/kernelshark-hist %f' \
	"$root/share/applications/kernelshark-hist.desktop"
# a KernelShark that tells how it was called
mkdir "$work/path"
cat >"$work/path/kernelshark" <<-'END'
	#!/bin/sh
	echo "marks=${TRACEEVENT_PLUGIN_DIR-}"
	printf '<%s>' "$@"
	echo
END
chmod +x "$work/path/kernelshark"
# says EXPECTED COMMAND...: what it prints, with its status if that is not 0
says()
{
	local expected=$1

	shift
	diff <(echo "$expected") <(env -u TRACEEVENT_PLUGIN_DIR PATH="$work/path:/usr/bin:/bin" "$@" 2>&1 ||
		echo "status $?")
}
built=$work/build
ok "kernelshark-hist loads the panel first and passes its arguments on" says \
	"marks=$built/lib/traceevent/plugins
<-p><$built/$panel><-s><a b.json><-i><>" "$built/bin/kernelshark-hist" -s 'a b.json' -i ''
ok "kernelshark-hist keeps a plugin folder that the user has set" says \
	"marks=/mine
<-p><$built/$panel>" env TRACEEVENT_PLUGIN_DIR=/mine "$built/bin/kernelshark-hist"
ok "the installed kernelshark-hist names the missing panel of its prefix" says \
	"kernelshark-hist: error: /opt/hist/$panel: not found
hint: reinstall trace-cmd-hist
status 2" "$root/bin/kernelshark-hist"
for prefix in /usr /usr/local; do
	ok "cmake configures the build for $prefix" \
		cmake -S . -B "$work/system" -DCMAKE_INSTALL_PREFIX=$prefix
	ok "$prefix: the plugin is installed where libtraceevent looks" grep -rqF \
		"\"$(strings "$(/sbin/ldconfig -p | awk '$1 == "libtraceevent.so.1" { print $NF; exit }')" |
			grep '^/.*/traceevent/plugins$')\"" "$work/system/plugins/cmake_install.cmake"
	ok "$prefix: the panel is installed where KernelShark looks" grep -rqF \
		"\"$(sed -n 's/^#define KS_PLUGIN_INSTALL_PREFIX "\(.*\)"/\1/p' \
			/usr/include/kernelshark/KsCmakeDef.hpp)\"" \
		"$work/system/kernelshark-plugin/cmake_install.cmake"
	ok "$prefix: kernelshark-hist leaves the plugin folder to libtraceevent" grep -qx 'marks=' \
		"$work/system/kernelshark-plugin/installed/kernelshark-hist"
done
ok "make install succeeds a second time" quietly_make install
ok "the second installation keeps the dispatcher" grep -q TRACE_CMD_HIST_TRIED "$root/bin/trace-cmd"
# the stock package, installed to the same prefix later
echo '#!/bin/sh' >"$root/bin/trace-cmd"
ok "make uninstall succeeds after another trace-cmd replaced the dispatcher" quietly_make uninstall
ok "make uninstall leaves the other trace-cmd" grep -qx '#!/bin/sh' "$root/bin/trace-cmd"
ok "make install succeeds next to the other trace-cmd" quietly_make install
ok "make install leaves the other trace-cmd" grep -qx '#!/bin/sh' "$root/bin/trace-cmd"
rm "$root/bin/trace-cmd"
ok "make uninstall succeeds" quietly_make uninstall
ok "make uninstall removes all files" test -z "$(find "$dest" ! -type d)"

# The files of Debian's trace-cmd, in a prefix of their own and in /usr.
sums()
{
	(cd "$dest" && find . ! -type d -exec sha256sum {} + | sort)
}
# install_to PREFIX: what was built, to another prefix
install_to()
{
	DESTDIR=$dest cmake -DCMAKE_INSTALL_PREFIX="$1" -P "$work/build/cmake_install.cmake"
}
for prefix in /usr /opt/stock; do
	rm -rf "${dest:?}"/*
	mkdir -p "$dest$prefix"
	dpkg -L trace-cmd | sed -n 's|^/usr/||p' | while read -r file; do
		[ -d "/usr/$file" ] || (cd /usr && cp -P --parents "$file" "$dest$prefix")
	done
	sums >"$work/stock"
	ok "$prefix: the files of stock trace-cmd are present" \
		test -x "$dest$prefix/bin/trace-cmd" \
		-a -f "$dest$prefix/share/man/man1/trace-cmd-hist.1.gz"
	ok "$prefix: the installation next to stock trace-cmd succeeds" install_to $prefix
	ok "$prefix: the installation leaves the stock files unchanged" sh -c "cd '$dest' &&
		sha256sum --quiet -c '$work/stock' && test ! -e '$dest$prefix/share/man/man1/trace-cmd-hist.1'"
	ok "$prefix: trace-cmd-hist is installed" test -x "$dest$prefix/bin/trace-cmd-hist"
	ok "$prefix: the manual page has a name of its own" grep -q '^\.SH' \
		"$dest$prefix/share/man/man1/trace-cmd-hist.1hist"
	ok "$prefix: make uninstall succeeds" quietly_make uninstall
	ok "$prefix: make uninstall leaves the stock files and nothing else" \
		diff "$work/stock" <(sums)
done
rm -rf "${dest:?}"/*
ok "the installation to /usr succeeds without stock trace-cmd" install_to /usr
ok "the installation to /usr leaves the names of stock trace-cmd free" \
	sh -c "test -x '$dest/usr/bin/trace-cmd-hist' -a ! -e '$dest/usr/bin/trace-cmd' \
	-a ! -e '$dest/usr/share/man/man1/trace-cmd-hist.1' \
	-a ! -e '$dest/usr/share/bash-completion/completions/trace-cmd'"
done_testing

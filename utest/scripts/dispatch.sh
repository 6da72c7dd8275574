#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# dispatch.sh BINDIR: is the stock trace-cmd still the stock one?
#
# BINDIR has our trace-cmd-hist and trace-cmd. Prints TAP; status 1 when
# a test failed. A stub that prints its arguments stands for the stock one where
# the arguments matter, the real one where its output does.

set -u
export LC_ALL=C
# shellcheck source-path=SCRIPTDIR source=tap.sh
. "$(dirname "$(readlink -f "$0")")/tap.sh"

[ $# = 1 ] || die "usage: dispatch.sh BINDIR"
[ -x "$1/trace-cmd" ] || die "$1/trace-cmd: missing: build first"
bin=$(readlink -f "$1")
stock=/usr/bin/trace-cmd
[ -x $stock ] || die "$stock: missing: run scripts/deps.sh"
# A file with events, recorded by the stock trace-cmd.
data=$here/../data/events.dat
[ -s "$data" ] || die "$data: missing"
work_enter

# make_stub DIR: a trace-cmd that prints each argument on a line, in brackets.
make_stub()
{
	mkdir -p "$1"
	cat >"$1/trace-cmd" <<-'EOT'
		#!/bin/sh
		printf 'stub'
		printf ' [%s]' "$@"
		echo
		exit 42
	EOT
	chmod 755 "$1/trace-cmd"
}

# run PATH ARG...: "STATUS OUTPUT" of trace-cmd found in PATH, both streams.
run()
{
	local path=$1 out status=0

	shift
	out=$(PATH=$path timeout 20 trace-cmd "$@" 2>&1) || status=$?
	echo "$status $out"
}

make_stub "$work/stub"
mkdir "$work/empty"
tools=/usr/bin:/bin
stubbed=$bin:$work/stub:$tools
alone=$bin:$work/empty

# Byte for byte as without us: exit status, output and errors.
same()
{
	local desc=$1 direct through

	shift
	"$stock" "$@" >direct.out 2>direct.err </dev/null
	direct=$?
	PATH=$bin:$tools trace-cmd "$@" >through.out 2>through.err </dev/null
	through=$?
	# The usage tells the name it was called by, which is the same.
	is "trace-cmd acts as the stock program does for $desc" \
		"$through $(cksum <through.out) $(cksum <through.err)" \
		"$direct $(cksum <direct.out) $(cksum <direct.err)"
}

same "no argument"
same "--version" --version
same "-h" -h
same "an unknown verb" nonsense
same "report of a missing file" report -i missing.dat
same "record -h" record -h
same "hist -i of a missing file" hist -i missing.dat -P
same "hist of a missing file without -i" hist missing.dat
echo garbage >bad.dat
same "report of a damaged file" report -i bad.dat
same "hist of a damaged file" hist bad.dat
same "hist with an unknown option" hist --nonsense
same "report of a file with events" report -i "$data"
is "trace-cmd report prints all sched_switch events of a file" \
	"$(grep -c sched_switch: through.out)" \
	"$($stock report -i "$data" 2>/dev/null | grep -c sched_switch:)"
same "report of a file with -R, -t and -E" report -i "$data" -R -t -E
same "hist -i of a file with events" hist -i "$data" -P
same "hist of a file with events without -i" hist "$data"
is "trace-cmd hist of a file with events prints the stock graph" \
	"$(grep -c -e '--- \*sched_switch\*' through.out | sed 's/^[1-9].*/some/')" \
	some
same "dump of a file with events" dump --summary "$data"

recorded=$(dirname "$data")/recorded.dat
for old in "-i $recorded -P" "-i$recorded" "-P $recorded" "$recorded"; do
	# shellcheck disable=SC2086 # words
	is "hist $old refuses a recording without events" "$(run "$stubbed" hist $old)" \
		"2 trace-cmd hist: error: $recorded: the file has histograms but no events
hint: run 'trace-cmd hist report $recorded'"
done
is "hist runs the stock program for a recording with events" \
	"$(run "$stubbed" hist "${recorded%/*}/shark.dat")" \
	"42 stub [hist] [${recorded%/*}/shark.dat]"

is "hist -i FILE -P passes its arguments to the stock program" \
	"$(run "$stubbed" hist -i x.dat -P)" \
	"42 stub [hist] [-i] [x.dat] [-P]"
is "hist FILE passes its argument to the stock program" \
	"$(run "$stubbed" hist x.dat)" "42 stub [hist] [x.dat]"
is "hist -P runs the stock program" "$(run "$stubbed" hist -P)" "42 stub [hist] [-P]"
is "hist -record is an option, not a verb, and runs the stock program" \
	"$(run "$stubbed" hist -record)" "42 stub [hist] [-record]"
is "unusual arguments reach the stock program unchanged" \
	"$(run "$stubbed" record -e 'a b' '' '*' $'line\nline' -- "q'\"")" \
	"42 stub [record] [-e] [a b] [] [*] [line
line] [--] [q'\"]"
is "trace-cmd report runs the stock program" "$(run "$stubbed" report)" "42 stub [report]"
is "trace-cmd cleanup runs the stock program" "$(run "$stubbed" cleanup)" "42 stub [cleanup]"
is "a file name that resembles no verb runs the stock program" "$(run "$stubbed" hist trace.dat)" \
	"42 stub [hist] [trace.dat]"

help=$(run "$stubbed" hist)
is "hist alone prints the help with status 0" "${help%%$'\n'*}" \
	"0 usage: trace-cmd hist COMMAND [OPTIONS]"
is "the help shows the old form of hist" "$(grep -c 'trace-cmd hist \[-i file\] \[-P\] \[file\]' \
	<<<"$help")" 1
is "hist -h prints the same help as hist alone" "$(run "$stubbed" hist -h)" "$help"
is "hist --help prints the same help as hist alone" "$(run "$stubbed" hist --help)" "$help"
is "hist help prints the same help as hist alone" "$(run "$stubbed" hist help)" "$help"
is "trace-cmd-hist prints the same help as hist alone" "0 $("$bin/trace-cmd-hist")" "$help"
is "hist help help prints the same help as hist alone" "$(run "$stubbed" hist help help)" "$help"
is "hist help cleanup prints the help of hist cleanup --help=all" \
	"$(run "$stubbed" hist help cleanup)" "$(run "$stubbed" hist cleanup --help=all)"
is "the help of hist cleanup has three examples" \
	"$(run "$stubbed" hist cleanup -h | sed '1,/^Examples:/d' | grep -c '^    trace-cmd hist cleanup')" 3
for verb in record report cleanup help; do
	is "the help lists $verb" "$(grep -c "^    $verb  " <<<"$help")" 1
done
version=$("$bin/trace-cmd-hist" --version)
is "trace-cmd-hist --version prints the name trace-cmd-hist" "${version%% *}" trace-cmd-hist
is "hist --version prints the version of trace-cmd-hist" \
	"$(run "$stubbed" hist --version)" "0 $version"

is "a mistyped verb is refused with a suggestion" "$(run "$stubbed" hist recrod -e x)" \
	"2 trace-cmd hist: error: recrod: no such command or file
hint: did you mean \"record\"?"
: >recrod
is "a mistyped verb that is the name of a file runs the stock program" \
	"$(run "$stubbed" hist recrod)" \
	"42 stub [hist] [recrod]"
is "hist -i with a file name like a verb runs the stock program" \
	"$(run "$stubbed" hist -i recrd)" "42 stub [hist] [-i] [recrd]"
is "trace-cmd-hist refuses a file name in place of a verb" \
	"$("$bin/trace-cmd-hist" recrod 2>&1)" \
	"trace-cmd hist: error: recrod: unknown command
hint: did you mean \"record\"?"
is "an unknown verb that resembles no verb is refused without a suggestion" \
	"$("$bin/trace-cmd-hist" xyzzy 2>&1)" \
	"trace-cmd hist: error: xyzzy: unknown command
hint: run 'trace-cmd hist help'"
is "an unknown option in place of a verb is called an option" \
	"$("$bin/trace-cmd-hist" --help=all 2>&1)" \
	"trace-cmd hist: error: --help=all: unknown option
hint: run 'trace-cmd hist help'"
for verb in list listen connect cleanup; do
	is "the help of $verb, which has no rare options, does not offer --help=all" \
		"$("$bin/trace-cmd-hist" "$verb" -h | grep -c -e --help=all)" 0
done
is "control characters of an unknown verb are escaped" \
	"$("$bin/trace-cmd-hist" $'a\e[31m\nb' 2>&1)" \
	'trace-cmd hist: error: a\x1b[31m\nb: unknown command
hint: run '\''trace-cmd hist help'\'
is "hist cleanup refuses an unknown long option" "$(run "$stubbed" hist cleanup --bad)" \
	"2 trace-cmd hist: error: --bad: unknown option
hint: run 'trace-cmd hist cleanup --help=all'"
is "hist cleanup refuses an unknown letter after a known one" "$(run "$stubbed" hist cleanup -nx)" \
	"2 trace-cmd hist: error: -x: unknown option
hint: run 'trace-cmd hist cleanup --help=all'"
is "writing to a full disk is an error" \
	"$("$bin/trace-cmd-hist" 2>&1 >/dev/full; echo $?)" \
	"trace-cmd hist: error: standard output: No space left on device
2"

missing="2 trace-cmd hist: error: trace-cmd: not found in PATH
hint: install the package trace-cmd"
is "trace-cmd report fails if the stock program is missing" \
	"$(PATH=$alone /usr/bin/timeout 20 "$bin/trace-cmd" report 2>&1
	echo $?)" "${missing#2 }
2"
is "hist --version works if the stock program is missing" \
	"$(PATH=$alone "$bin/trace-cmd" hist --version)" "$version"

# Ourselves again under other names, and copies of us.
mkdir links copy
ln -s "$bin/trace-cmd" links/trace-cmd
ln "$bin/trace-cmd" copy/trace-cmd 2>/dev/null || cp "$bin/trace-cmd" copy/trace-cmd
mkdir copy2 copy3
cp "$bin/trace-cmd" copy2/trace-cmd
cp "$bin/trace-cmd" copy3/trace-cmd
timeout=$(command -v timeout)
with_path()
{
	local path=$1 status=0 out

	shift
	out=$(PATH=$path "$timeout" 20 "$@" 2>&1) || status=$?
	echo "$status $out"
}
is "links to the dispatcher are skipped in PATH" \
	"$(with_path "$work/links:$bin:$work/links:$work/stub:$tools" trace-cmd report)" \
	"42 stub [report]"
is "copies of the dispatcher lead to the stock program" \
	"$(with_path "$work/copy2:$work/copy3:$work/copy:$work/stub:$tools" trace-cmd report)" \
	"42 stub [report]"
is "copies of the dispatcher without a stock program end with an error" \
	"$(with_path "$work/copy2:$work/copy3:$work/copy" trace-cmd report)" \
	"$missing"
is "the dispatcher ends with an error if PATH has only copies" \
	"$(with_path "$work/copy2:$work/copy3" "$bin/trace-cmd" report)" "$missing"
is "a stock program before the dispatcher in PATH is found" \
	"$(with_path "$work/stub:$bin:$work/empty" "$bin/trace-cmd" report)" "42 stub [report]"
is "a stock program after the dispatcher in PATH is preferred" \
	"$(with_path "/usr/bin:$bin:$work/stub" "$bin/trace-cmd" report)" "42 stub [report]"

# Scripts that call us back: by exec in this process, and as a new one each time.
mkdir back fork
printf '#!/bin/sh\nexec "%s/trace-cmd" "$@"\n' "$bin" >back/trace-cmd
printf '#!/bin/sh\n"%s/trace-cmd" "$@"\n' "$bin" >fork/trace-cmd
chmod 755 back/trace-cmd fork/trace-cmd
is "a script that calls the dispatcher is skipped in PATH" \
	"$(with_path "$work/back:$work/stub:$tools" "$bin/trace-cmd" report)" "42 stub [report]"
is "a script that calls the dispatcher ends with an error if PATH has no other" \
	"$(with_path "$work/back" "$bin/trace-cmd" report)" "$missing"
is "a script that starts the dispatcher as a child ends after 32 calls" \
	"$(with_path "$work/fork:$tools" "$bin/trace-cmd" report)" \
	"2 trace-cmd hist: error: trace-cmd: the program started itself 32 times and did not find the stock trace-cmd
hint: remove scripts named trace-cmd from PATH"

# Where trace-cmd-hist is.
is "a link to the dispatcher runs the trace-cmd-hist next to its target" \
	"$(with_path "$work/links:$work/empty" trace-cmd hist --version)" "0 $version"
is "a lone copy of the dispatcher runs the trace-cmd-hist in PATH" \
	"$(with_path "$work/copy2:$bin" trace-cmd hist --version)" "0 $version"
is "a lone copy of the dispatcher reports that trace-cmd-hist is missing" \
	"$(with_path "$work/copy2:$work/stub" trace-cmd hist record)" \
	"2 trace-cmd hist: error: trace-cmd-hist: not found
hint: reinstall trace-cmd-hist"

# Libraries that are missing: the loader takes an empty file of the name first, and fails.
mkdir broken
needed=$(ldd "$bin/trace-cmd-hist" | sed -nE 's/^[[:space:]]*(lib[^ ]*) => .*/\1/p' |
	grep -vE '^lib(c|m|pthread|asan|ubsan|gcc_s|stdc\+\+|dl|rt)\.so')
for library in $needed; do
	: >"broken/$library"
done
is "trace-cmd-hist needs libmbedtls, libncursesw and libtracefs" \
	"$(grep -cE '^lib(mbedtls|ncursesw|tracefs)\.so' <<<"$needed")" 3
is "trace-cmd record reaches the stock program if libraries are missing" \
	"$(LD_LIBRARY_PATH=$work/broken with_path "$bin:$work/stub" trace-cmd record -e x)" \
	"42 stub [record] [-e] [x]"
is "trace-cmd hist -i FILE reaches the stock program if libraries are missing" \
	"$(LD_LIBRARY_PATH=$work/broken with_path "$bin:$work/stub" trace-cmd hist -i x.dat)" \
	"42 stub [hist] [-i] [x.dat]"
is "hist record ends with the loader's message if libraries are missing" \
	"$(LD_LIBRARY_PATH=$work/broken with_path "$bin:$work/stub" trace-cmd hist record |
		grep -oE '^127|trace-cmd-hist: error while loading shared libraries' | xargs)" \
	"127 trace-cmd-hist: error while loading shared libraries"

# A command that the stock one runs may use trace-cmd again.
mkdir nest
cat >nest/trace-cmd <<'EOT'
#!/bin/sh
if [ "$1" = again ]; then trace-cmd report; else echo "nested $1"; fi
EOT
chmod 755 nest/trace-cmd
is "the stock program can call trace-cmd again" \
	"$(with_path "$bin:$work/nest:$tools" trace-cmd again)" "0 nested report"

mkdir odd odd/trace-cmd plain
echo 'not a program' >plain/trace-cmd
is "a directory and a plain file named trace-cmd are skipped in PATH" \
	"$(with_path "$bin:$work/odd:$work/plain:$work/stub:$tools" trace-cmd x)" "42 stub [x]"
cd stub || exit 2
is "an empty part of PATH is the current directory" \
	"$(with_path "$bin::$tools" trace-cmd x)" "42 stub [x]"
cd "$work" || exit 2

done_testing

#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# run.sh [OPTIONS] BUILD TEST: the stages of a test in the real KernelShark, under Xvfb
# and as an ordinary user.  TAP on stdout.
#
#	--pictures DIR   keep the pictures that scenarios take
#	--keep           keep the folder of the test, and print its name
#	--valgrind       run the program in valgrind; errors with our plugin in the stack count
#	--gdb            where it crashes, show the stacks
#	--scenarios FILE instead of `scenarios`
#	--data FILE      this file, too, as $DATA/NAME; a hard link if possible
#	--patience N     seconds for a stage (120, with valgrind 900), beside KSHIST_SECONDS
#	--panel FILE     the panel, of another build than BUILD
#	--stock          without the panel: what KernelShark does by itself
#
# Of a panel that was built with -DSANITIZE=ON what AddressSanitizer finds in our plugin counts too.
#
# Of the stages that `scenarios` marks with "long" only check-long runs all, with CHECK_LONG=1.
#
# KSHIST_SEED and KSHIST_STEPS in the environment: what `order` and `monkey` draw, and how
# long it is; KSHIST_SECONDS: how long `monkey` goes on.  If `monkey` ends the program, the
# same seed is run without the panel.  If that ends the program too, and the stack has no code
# of this project, KernelShark did it: run.sh says so, and the panel does not fail.
# The file `scenarios` tells what the stages are, driver.hpp what a scenario can do.
# What the driver cannot see is judged here: after each stage the program must have
# ended by itself, with status 0, after the plan was printed, and without complaints
# of Qt or of libc.
#
# Invariant: what is started here ends on every way out, by its pid alone.

set -u
export LC_ALL=C.UTF-8
# shellcheck source-path=SCRIPTDIR source=../../scripts/lib.sh
. "$(dirname "$(readlink -f "$0")")/../../scripts/lib.sh"

panel='' stock='' data='' pictures='' keep='' valgrind='' gdb='' patience='' scenarios=$here/program/scenarios
while [ $# -gt 2 ]; do
	case $1 in
	--pictures) pictures=$2; shift ;;
	--keep) keep=1 ;;
	--valgrind) valgrind=1 ;;
	--gdb) gdb=1 ;;
	--stock) stock=1 ;;
	--panel) panel=$2; shift ;;
	--data) data=$2; shift ;;
	--scenarios) scenarios=$2; shift ;;
	--patience) patience=$2; shift ;;
	*) die "$1: no such option" ;;
	esac
	shift
done
[ $# = 2 ] || die "usage: run.sh [OPTIONS] BUILD TEST"
build=$1
name=$2
patience=${patience:-$([ -n "$valgrind" ] && echo 900 || echo 120)}
patience=$((patience + ${KSHIST_SECONDS:-0}))
for command in kernelshark Xvfb xauth mcookie setpriv; do
	command -v $command >/dev/null || die "$command: missing: run scripts/deps.sh kernelshark"
done
for file in bin/many_dat lib/kernelshark/test/plugin-hist_driver.so lib/traceevent/plugins/plugin_hist_snapshot.so; do
	[ -e "$build/$file" ] || die "$build/$file: missing: build with -DTESTS=ON"
done
grep -q "^${name}[[:space:]]" "$scenarios" || die "$name: no such test in $scenarios"

xvfb=''
program=''
work=$(mktemp -d) || exit 2
cleanup()
{
	trap '' HUP INT TERM
	[ -z "$program" ] || kill -KILL -- "-$program" 2>/dev/null
	if [ -n "$xvfb" ]; then
		kill "$xvfb" 2>/dev/null
		wait "$xvfb" 2>/dev/null
	fi
	if [ -n "$keep" ]; then
		echo "# kept: $work"
	else
		rm -rf "$work"
	fi
}
trap cleanup EXIT
trap 'exit 2' HUP INT TERM

# An ordinary user: KernelShark warns root in a dialog.  The user may not be able to
# read the build, so all that is needed is copied.
as_user=
if [ "$(id -u)" = 0 ]; then
	as_user="setpriv --reuid=65534 --regid=65534 --clear-groups --no-new-privs"
fi
mkdir -p "$work/home" "$work/run" "$work/data" "$work/traceevent" "$work/lib"
cp "$here"/../data/*.dat "$work/data/"
cp "$here/valgrind.supp" "$work/"
# over the time of its events, 3.796173 to 3.954906
cp "$here/../data/events.dat" "$work/data/many.dat"
chmod 644 "$work/data/many.dat"
"$build/bin/many_dat" "$work/data/many.dat" 3000 3796000000 3955000000 || die "many_dat failed"
[ -z "$data" ] || cp -l "$data" "$work/data/" 2>/dev/null || cp "$data" "$work/data/" || die "$data: not copied"
[ -z "$data" ] || chmod 644 "$work/data/${data##*/}"
cp "$build/lib/traceevent/plugins/plugin_hist_snapshot.so" "$work/traceevent/"
cp "$build/lib/kernelshark/test/plugin-hist_driver.so" "$work/lib/"
mkdir -p "$work/bin"
cp "$build/bin/trace-cmd-hist" "$work/bin/"
[ -z "$panel" ] || [ -e "$panel" ] || die "$panel: missing: build it with -DSANITIZE=ON"
panel=${panel:-$build/lib/kernelshark/plugins/plugin-hist_panel.so}
if [ -e "$panel" ]; then
	cp "$panel" "$work/lib/"
	sed "s|^panel=.*|panel=$work/lib/plugin-hist_panel.so|; s|^marks=.*|marks=|" \
		"$build/bin/kernelshark-hist" >"$work/bin/kernelshark-hist"
	chmod 755 "$work/bin/kernelshark-hist"
fi
# A sanitized plugin needs the sanitizer in the program from its start.
sanitizer=''
if readelf -d "$work/lib/plugin-hist_panel.so" 2>/dev/null | grep -q 'NEEDED.*libasan'; then
	sanitizer=$(gcc -print-file-name=libasan.so)
	sanitizer=$(readlink -f "$sanitizer")
fi
chmod 755 "$work"
chmod 700 "$work/home" "$work/run"

# The display finds a number of its own.  Its key does not depend on the number.
key=$(mcookie)
xauth -q -f "$work/server.auth" add :0 . "$key" 2>/dev/null || die "xauth failed"
mkfifo "$work/display"
Xvfb -displayfd 4 -screen 0 1400x1000x24 -screen 1 1920x1080x24 -nolisten tcp -auth "$work/server.auth" \
	4>"$work/display" >"$work/xvfb.log" 2>&1 &
xvfb=$!
read -r -t 60 display <"$work/display" || { cat "$work/xvfb.log" >&2; die "Xvfb does not start"; }
xauth -q -f "$work/home/.Xauthority" add ":$display" . "$key" 2>/dev/null || die "xauth failed"
[ -z "$as_user" ] || chown -R 65534:65534 "$work"

count=0
failed=0
result()
{
	count=$((count + 1))
	if [ "$1" = 0 ]; then
		echo "ok $count - $2"
	else
		failed=$((failed + 1))
		echo "not ok $count - $2"
	fi
}

# Lines that Qt and libc print when a program is wrong, though it goes on.
complaints='QObject::|QBasicTimer|QPainter|QWidget::|QPaintDevice|QOpenGL|QCoreApplication::|QThread|ASSERT|QSocketNotifier|free\(\)|malloc|corrupt|terminate called|pure virtual|stack smashing|symbol lookup'

# run_program ARGUMENTS...: of a stage, which has the variables; what it says into $said
run_program()
{
	local status

	echo "# kernelshark -p driver $*"
	# A group of its own, to end all of it.  Its home is what an installed plugin is not in.
	# shellcheck disable=SC2086 # lists of words
	# A core lands in its folder, where the kernel's pattern is a name.
	(cd "$work/run" && ulimit -c unlimited && exec setsid timeout -s ABRT -k 5 "$patience" $as_user env -i PATH=/usr/bin:/bin LC_ALL=C.UTF-8 HOME="$work/home" TZ=UTC \
		XDG_CONFIG_HOME="$config" XDG_RUNTIME_DIR="$work/run" DISPLAY=":$display$screen" QT_SCALE_FACTOR="$factor" XAUTHORITY="$work/home/.Xauthority" \
		QT_QPA_PLATFORM=xcb QT_ACCESSIBILITY=0 LP_NUM_THREADS=1 \
		TRACEEVENT_PLUGIN_DIR="$plugins" KSHIST_SCENARIO="$scenario" \
		KSHIST_SEED="$seed" KSHIST_STEPS="$steps" KSHIST_SECONDS="${KSHIST_SECONDS-}" \
		${CHECK_LONG:+CHECK_LONG=1} \
		KSHIST_DATA="$work/data" KSHIST_WORK="$work" KSHIST_PANEL="$work/lib/plugin-hist_panel.so" \
		$wrap $program_name -p "$work/lib/plugin-hist_driver.so" "$@" \
		>"$said" 2>"$said.err" </dev/null) &
	program=$!
	{ wait "$program"; } 2>/dev/null
	status=$?
	program=
	return $status
}

tell_stacks()
{
	local core

	for core in "$work"/run/core*; do
		[ -e "$core" ] || continue
		gdb -q -batch -ex bt "$(command -v kernelshark)" "$core" 2>&1 | sed -n 's/^#[0-9]/# stack: &/p' | uniq
		rm "$core"
	done
}

# without_panel ARGUMENTS...: into the array `rest`
without_panel()
{
	rest=()
	while [ $# -gt 0 ]; do
		if [ "$1" = -p ] && [[ ${2-} == *hist_panel* ]]; then
			shift
		else
			rest+=("$1")
		fi
		shift
	done
}

# stock_too ARGUMENTS...: does the same seed end the program without the panel?
stock_too()
{
	local said=$work/said.stock seed steps rest wrap='' status=0

	seed=$(sed -n 's/^# KSHIST_SEED=//p' "$work/said")
	# as many steps as were begun
	steps=$(sed -n 's/^# \([0-9]*\): .*/\1/p' "$work/said" | tail -n 1)
	steps=$((${steps:-0} + 1))
	without_panel "$@"
	KSHIST_SECONDS=3600 run_program "${rest[@]}" || status=$?
	tell_stacks
	echo "# KSHIST_SEED=$seed KSHIST_STEPS=$steps without the panel: status $status"
	[ $status != 0 ]
}

# stage SCENARIO ARGUMENTS...
stage()
{
	local scenario=$1 status said=$work/said plugins=$work/traceevent wrap='' plan tests rest
	local what="$name: $scenario" program_name=kernelshark config=$work/config
	local seed=${KSHIST_SEED-} steps=${KSHIST_STEPS-} excused='' leaks=1 screen='' factor=''

	shift
	# what the panel remembers
	if [ "${1-}" = again ]; then
		shift
	else
		rm -rf "$config"
	fi
	if [ "${1-}" = bare ]; then
		plugins=$work/none
		shift
	fi
	if [ "${1-}" = scaled ]; then
		screen=.1 factor=2
		shift
	fi
	if [ "${1-}" = wrapper ]; then
		program_name=$work/bin/kernelshark-hist
		shift
	fi
	if [ -n "$valgrind" ]; then
		wrap="valgrind -q --error-limit=no --num-callers=40 --leak-check=full
			--show-leak-kinds=definite --keep-debuginfo=yes --trace-children=yes --fullpath-after=
			--log-file=$work/valgrind.$scenario.%p
			--suppressions=$work/valgrind.supp"
	fi
	# KernelShark loses entries in each reload, which clicks on bars ask for
	[ "$scenario" != monkey ] || leaks=0
	if [ -n "$sanitizer" ]; then
		wrap="env LD_PRELOAD=$sanitizer
			ASAN_OPTIONS=abort_on_error=1:exitcode=0:detect_leaks=$leaks:log_path=$work/sanitizer.$scenario
			UBSAN_OPTIONS=print_stacktrace=1:abort_on_error=1:log_path=$work/sanitizer.$scenario"
	fi
	[ -z "$gdb" ] || wrap="gdb -q -batch -ex run -ex bt --args"
	if [ -n "$stock" ]; then
		without_panel "$@"
		set -- "${rest[@]}"
	fi
	run_program "$@"
	status=$?
	tell_stacks
	if [ "$scenario" = monkey ] && [ -z "$stock" ] && [ $status != 0 ]; then
		stock_too "$@" && excused=1
	fi

	# its lines with our numbers
	while read -r line; do
		case $line in
		'ok '* | 'not ok '*) result "$([ "${line%% *}" = ok ]; echo $?)" "$what: ${line#* - }" ;;
		'# '* | 'Bail out!'*) echo "$line" ;;
		esac
	done <"$said"
	plan=$(sed -n 's/^1\.\.//p' "$said")
	tests=$(grep -cE '^(not )?ok ' "$said")
	[ -n "$excused" ] || { [ -n "$plan" ] && [ "$plan" = "$tests" ] && [ "$plan" != 0 ]; }
	result $? "$what: runs to its end"
	[ -n "$excused" ] || [ $status = 0 ]
	result $? "$what: the program ends by itself"
	[ $status != 124 ] || echo "# still running after $patience s"
	! grep -qE "$complaints" "$said.err"
	result $? "$what: no complaints"
	[ -z "$gdb" ] || sed -n 's/^#[0-9]/# gdb: &/p' "$said"
	if [ $status != 0 ] || grep -qE "$complaints" "$said.err"; then
		echo "# status $status"
		tail -n 30 "$said.err" | cat -v | sed 's/^/# stderr: /'
		# what ended the program, of whomever it is
		cat "$work/sanitizer.$scenario".* 2>/dev/null | grep -m 30 '^ *#\|ERROR' | cut -c1-200 | sed 's/^/# sanitizer: /'
	fi
	[ -z "$valgrind" ] || judge_memory "$what: valgrind" "$work/valgrind.$scenario".*
	[ -z "$sanitizer" ] || judge_memory "$what: the sanitizer" "$work/sanitizer.$scenario".*
}

# judge_memory WHAT FILES...: an error or leak is ours where one of our plugins is in
# its stack: by the name of its file, or with debug information by that of the source
judge_memory()
{
	local what=$1 ours

	shift
	# in a paragraph each
	ours=$(cat "$@" 2>/dev/null | sed 's/^==[0-9]*== *//' | awk -v RS= \
		'/plugin-hist_panel|plugin_hist_snapshot|\/(kernelshark-plugin|lib)\/[a-z_\/]*\.([ch]pp|[ch]):/')
	[ -z "$ours" ]
	result $? "$what finds nothing of ours"
	[ -z "$ours" ] || head -n 60 <<<"$ours" | sed 's/^/# /'
}

while read -r -a words; do
	[ "${words[0]-}" = "$name" ] || continue
	if [ "${words[2]-}" = long ]; then
		[ -n "${CHECK_LONG-}" ] || continue
		unset 'words[2]'
		words=("${words[@]}")
	fi
	# shellcheck disable=SC2016 # these are names in the file
	words=("${words[@]//'$DATA'/$work/data}")
	# shellcheck disable=SC2016
	words=("${words[@]//'$WORK'/$work}")
	# shellcheck disable=SC2016
	words=("${words[@]//'$PANEL'/$work/lib/plugin-hist_panel.so}")
	stage "${words[@]:1}"
done <"$scenarios"
echo "1..$count"
if [ -n "$pictures" ] && [ -d "$work/pictures" ]; then
	mkdir -p "$pictures" && cp "$work"/pictures/*.png "$pictures/"
fi
[ $failed = 0 ]

#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# options.sh BIN: what the verbs say of options and times that were written wrongly.  TAP on stdout.
#
# All commands end before they use tracefs: what the options do is tested elsewhere.

set -u
export LC_ALL=C.UTF-8
# shellcheck source-path=SCRIPTDIR source=tap.sh
. "$(dirname "$(readlink -f "$0")")/tap.sh"

[ $# = 1 ] || die "usage: options.sh BIN"
hist=$(readlink -f "$1")/trace-cmd-hist
need_files "$hist"
verbs=$("$hist" help | sed -nE 's/^ {4}([a-z]+)  .*/\1/p' | grep -vx help)
[ -n "$verbs" ] || die "trace-cmd-hist help lists no commands"

# says DESC MESSAGE ARGUMENT...: status 2, and this message alone; a line break for its hint
says()
{
	local desc=$1 message=$2 said

	shift 2
	said=$("$hist" "$@" 2>&1)
	is "$desc" "$? $said" "2 trace-cmd hist: error: $message"
}

# --- near names ---

says "record names the option next to a misspelt one" \
	$'--treshold: unknown option\nhint: did you mean "--threshold"?' record --treshold 10ms
says "record names it also with a value in the same word" \
	$'--treshold: unknown option\nhint: did you mean "--threshold"?' record --treshold=10ms
says "record names a long option that was written with one dash" \
	$'-t: unknown option\nhint: did you mean "--threshold"?' record -threshold 10ms
says "record does not guess from a letter" \
	$'-t: unknown option\nhint: run \'trace-cmd hist record --help=all\'' record -t 10ms
says "record does not guess from what is not near" \
	$'--nonsense: unknown option\nhint: run \'trace-cmd hist record --help=all\'' record --nonsense
says "record says that an option has no value" \
	$'--dry-run: does not take a value\nhint: leave out \'=yes\'' record --dry-run=yes
says "record says that an option with a letter has no value" \
	$'--quiet: does not take a value\nhint: leave out \'=1\'' record --quiet=1
says "the program names the option next to a misspelt one" \
	$'--versoin: unknown option\nhint: did you mean "--version"?' --versoin
# each verb, with the letters of its longest option in another order
for verb in $verbs; do
	option=$("$hist" "$verb" --help=all | grep -Eo -- '^ {2,4}(-., )?--[a-z-]+' | grep -Eo -- '--[a-z-]+' |
		awk '{ print length, $0 }' | sort -rn | sed 's/.* //; q')
	wrong=$(sed -E 's/^--(.)(.)/--\2\1/' <<<"$option")
	says "$verb names $option for $wrong" "$wrong: unknown option
hint: did you mean \"$option\"?" "$verb" "$wrong"
done

# --- times ---

units="ns, us, ms, s, m or h"
for time in 10 0.5 10.; do
	says "record refuses --threshold $time, which has no unit" \
		"--threshold $time: the time has no unit
hint: write $time with a unit: $units" record --threshold $time -e a:b -k c
done
for time in 10 1.5; do
	says "record refuses --rotate $time, which has no unit" \
		"--rotate $time: a time or a size needs a unit
hint: use a time such as 10m ($units), or a size such as 10M (K, M, G)" record --rotate $time -e a:b -k c
done

# separate WORDS HINT VERB...: the number and its unit are two words
separate()
{
	local words=$1 one=$2 unit=${1##* }

	shift 2
	# shellcheck disable=SC2086
	says "$1 refuses $words" "$words: a number and its unit must be one word
hint: write $one; write -- before a command or file of the name $unit" "$@" $words
}
for unit in ns us ms s m h; do
	separate "--threshold 10 $unit" 10$unit record -e a:b -k c
	separate "-i 10 $unit" 10$unit record -e a:b -k c
done
separate "-d 5 s" 5s record -e a:b -k c
separate "-d 0.5 h" 0.5h record
separate "--rotate 10 m" 10m record
separate "--rotate 10 M" 10M record
separate "-i 500 ms" 500ms top -e a:b -k c
separate "-i 1 s" 1s replay -e a:b -k c
separate "--skip 5 s" 5s diff
separate "--max 10 ms" 10ms diff
separate "--at 10 s" 10s report
# -- makes it a command, and only a unit is one
last=$'no event to count\nhint: add -e SYS:EVENT and -k KEYS, or --preset NAME'
says "record accepts the command ms after --" "$last" record -i 10 -- ms
says "record accepts the command ms after a time with a unit" "$last" record -i 10s ms
says "record accepts another command after a time" "$last" record -i 10 make
says "record accepts the command s after a number that is not a time" "$last" record -P 10 s
says "record accepts -i and -d in seconds" "$last" record -i 10 -d 1.5

# --- help ---

work_make

# words: the options in the input, one a line
words() { grep -Eo -- "(^|[ (,;'\`])--?[a-zA-Z][a-z-]*" | tr -d " (,;'\`" | sort -u; }

# What the help calls an option is one of its verb.  A command in quotes is that of another verb.
for verb in $verbs; do
	"$hist" "$verb" --help=all >"$work/help"
	sed -nE 's/^ {2,4}(-[^ ]+( ?[^ ]+)*)(  .*)?$/\1/p' "$work/help" | words >"$work/own"
	sed -E '/^Examples/,$d; s/`[^`]*`//g; s/'"'(record|report|trace-cmd) [^']*'//g; s/record --target//" \
		"$work/help" | words >"$work/named"
	is "$verb --help names only options that $verb takes" "$(comm -13 "$work/own" "$work/named")" ""
done
# an example is a command of some verb, up to the command that record runs
for verb in $verbs; do
	"$hist" "$verb" --help=all
done | sed '/^Examples/,/^See/!d' | sed -e ':a' -e '/\\$/N; s/\\\n//; ta' |
	sed -nE 's/^ *trace-cmd hist (.*)/\1/p' | sed "s/ -- .*//; s/'[^']*'//g; s/   .*//" >"$work/examples"
bad=
while read -r verb rest; do
	"$hist" "$verb" --help=all | sed -nE 's/^ {2,4}(-[^ ]+( ?[^ ]+)*)(  .*)?$/\1/p' | words >"$work/own"
	bad+=$(words <<<"$rest" | comm -13 "$work/own" - | sed "s/^/$verb /")
done <"$work/examples"
is "the examples of all verbs have only options of their verbs" \
	"$(grep -c . "$work/examples" | sed 's/^[1-9][0-9]*$/many/') $bad" "many "
done_testing

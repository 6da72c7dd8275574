#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# tutorial.sh BIN: are tutorial and README true, as far as it shows without a kernel?
# TAP on stdout.
#
# Links lead to files and headings that are there, pictures of the tutorial are drawn by
# its own commands, options are those of their verb, and every verb and manual page can be
# found from the start.  That the commands work is vm/tutorial.sh.

set -u
export LC_ALL=C.UTF-8
# shellcheck source-path=SCRIPTDIR source=tap.sh
. "$(dirname "$(readlink -f "$0")")/tap.sh"

[ $# = 1 ] || die "usage: tutorial.sh BIN"
hist=$(readlink -f "$1")/trace-cmd-hist
need_files "$hist"
cd "$here/../.." || exit 2
tutorial=Documentation/tutorial.md

# yes CMD...: "yes" if it succeeds
yes()
{
	"$@" && echo yes
}

# links FILE: where its links and pictures lead
links()
{
	grep -o '](\([^)]*\))' "$1" | sed 's/^](//; s/)$//' | sort -u
}

# anchors FILE: its headings as GitHub names them in links
anchors()
{
	# shellcheck disable=SC2016 # a fence of markdown
	sed -n '/^```/,/^```/!s/^##* //p' "$1" | tr 'A-Z ' 'a-z-' | tr -cd 'a-z0-9\n_-'
}

for page in $tutorial README.md; do
	for link in $(links "$page"); do
		case $link in
		http*) ;;
		\#*) is "$page has the heading $link" \
			"$(anchors "$page" | grep -cx -- "${link#\#}")" 1 ;;
		*) is "the file $link that $page links to exists" \
			"$(yes test -e "$(dirname "$page")/$link")" yes ;;
		esac
	done
done

# joined FILE: with each command on one line
joined()
{
	sed -e ':a; /\\$/{N; s/\\\n[> ]*//; ba}' "$1"
}

for picture in $(links $tutorial | grep '^pictures/'); do
	is "a command of the tutorial draws $picture" \
		"$(joined $tutorial | grep -c -- "^\$ .*-o ${picture#pictures/}\$")" 1
done

# commands FILE: one a line, without comments, redirections, and COMMANDs to record
commands()
{
	joined "$1" |
		sed -En 's/^( {4}[#$]|[$>]) +(trace-cmd hist [a-z]+ .*)/\2/p' |
		sed -E "s/'[^']*'/ARG/g; s/ (--|[|>;]|\|\|) .*//; s/  +.*//"
}

verbs=$("$hist" help | sed -nE 's/^ {4}([a-z]+)  .*/\1/p')
[ -n "$verbs" ] || die "trace-cmd-hist help lists no commands"
for page in $tutorial README.md; do
	is "$page has at least eight commands" "$(yes test "$(commands "$page" | wc -l)" -ge 8)" yes
	while read -r _ _ verb rest; do
		unknown=
		for word in $rest; do
			case $word in
			-*) "$hist" "$verb" --help=all | grep -Eq -- "^ +(-., )?${word%%=*}\b" ||
				unknown="$unknown $word" ;;
			esac
		done
		is "the help has all options of $verb $rest in $page" "$unknown" ""
	done < <(commands "$page")
done

for verb in $verbs; do
	[ "$verb" != help ] || continue
	is "the tutorial shows trace-cmd hist $verb" \
		"$(yes grep -q "trace-cmd hist $verb" $tutorial)" yes
done
for source in Documentation/*.[157].txt; do
	page=$(basename "$source" .txt)
	page="${page%.*}(${page##*.})"
	[ "$page" != "trace-cmd-hist(1)" ] || continue
	is "trace-cmd-hist(1) mentions $page" \
		"$(yes grep -qF "$page" Documentation/trace-cmd-hist.1.txt)" yes
done

done_testing

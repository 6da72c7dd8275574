#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# diff_formats.sh BIN: the machine-readable formats of `diff`, each held against what
# defines it, and against each other.  TAP on stdout.
#
# JSON: its published schema. JUnit: data/junit.rng. KTAP and markdown: by what
# diff_formats.py reads out of them. Once on made-up recordings, once on the
# comparison of view_diff_test.c, whose names are as hostile as can be.

set -u
export LC_ALL=C.UTF-8
# shellcheck source-path=SCRIPTDIR source=tap.sh
. "$(dirname "$(readlink -f "$0")")/tap.sh"

[ $# = 1 ] || die "usage: diff_formats.sh BIN"
bin=$(readlink -f "$1")
schema=$here/../../Documentation/trace-cmd-hist-diff.schema.json
need_files "$bin/trace-cmd-hist" "$bin/diff_make" "$schema"
for tool in xmllint cmark-gfm python3; do
	command -v $tool >/dev/null || die "$tool: missing: run scripts/deps.sh test"
done

work_enter

fails()
{
	! "$@"
}

valid_json()
{
	/usr/bin/python3 -B "$here/lib/json_schema.py" "$schema" valid "$@"
}

valid_junit()
{
	xmllint --noout --relaxng "$here/../data/junit.rng" "$@"
}

same()
{
	/usr/bin/python3 -B "$here/lib/diff_formats.py" "$@"
}

golden=$here/../data/diff/all
ok "the JSON of hostile names is valid by its schema" valid_json "$golden.json"
ok "the JUnit output of hostile names is valid by its grammar" valid_junit "$golden.xml"
ok "all formats agree on hostile names" same "$golden".{json,md,xml,ktap}

# Each of the checks sees a mistake.
sed 's/"verdict": "improved"/"verdict": "fine"/' "$golden.json" >bad.json
ok "the schema refuses an unknown verdict" fails valid_json bad.json
sed 's/"old_key"/"oldkey"/' "$golden.json" >bad.json
ok "the schema refuses a renamed key without its old name" fails valid_json bad.json
sed 's/failures="1"/failures="one"/' "$golden.xml" >bad.xml
ok "the grammar refuses a count that is not a number" fails valid_junit bad.xml
sed 's/<failure /<broken /' "$golden.xml" >bad.xml
ok "the grammar refuses an unknown element" fails valid_junit bad.xml
sed '0,/not ok 1/s//ok 1/' "$golden.ktap" >bad.ktap
ok "the comparison of formats detects another verdict in KTAP" \
	fails same "$golden".{json,md,xml} bad.ktap
sed 's/^  1\.\.6$/  1..7/' "$golden.ktap" >bad.ktap
ok "the comparison of formats detects a missing result in KTAP" \
	fails same "$golden".{json,md,xml} bad.ktap
sed 's/few_%231/few_\\#1/' "$golden.ktap" >bad.ktap
ok "the comparison of formats detects a # in a description of KTAP" \
	fails same "$golden".{json,md,xml} bad.ktap
sed 's/<summary>1 passed/<summary>2 passed/' "$golden.md" >bad.md
ok "the comparison of formats detects another number of passed keys in markdown" \
	fails same "$golden.json" bad.md "$golden".{xml,ktap}
sed 's/&#124;/|/' "$golden.md" >bad.md
ok "the comparison of formats detects a name that breaks out of its cell" \
	fails same "$golden.json" bad.md "$golden".{xml,ktap}

for i in 1 2 3; do
	"$bin/diff_make" mean$i.dat mean $i || die "diff_make"
	"$bin/diff_make" slow$i.dat mean 1$i slow=1.4 || die "diff_make"
	"$bin/diff_make" kmalloc$i.dat kmalloc $i || die "diff_make"
	"$bin/diff_make" more$i.dat kmalloc 1$i more=1.3 boot=1 renamed=1 || die "diff_make"
done
"$bin/diff_make" lat.dat latency 1 || die "diff_make"
"$bin/diff_make" other.dat latency 2 bucket=10 clear=5 || die "diff_make"

"$bin/diff_make" stack1.dat stack 1 || die "diff_make"
"$bin/diff_make" stack2.dat stack 2 || die "diff_make"
printf '[latency:* sys_open]\nmax = 1\n[*]\nthreshold = 20\n' >missing

# compare NAME ARG...: all formats of one comparison
compare()
{
	local name=$1 format

	shift
	for format in json:json markdown:md junit:xml ktap:ktap text:txt; do
		# 2 is trouble; all others are verdicts
		"$bin/trace-cmd-hist" diff --format ${format%:*} -o "$name.${format#*:}" "$@"
		[ $? != 2 ] || return 1
	done
	[ -s "$name.ktap" ]
}

while read -r name args; do
	# shellcheck disable=SC2086 # lists of files, with patterns
	ok "diff writes the case $name in all formats" compare "$name" $args
	ok "the JSON of the case $name is valid by its schema" valid_json "$name.json"
	ok "the JUnit output of the case $name is valid by its grammar" valid_junit "$name.xml"
	ok "all formats agree on the case $name" same "$name".{json,md,xml,ktap,txt}
done <<'EOF'
slower mean?.dat -- slow?.dat
equal mean?.dat -- mean?.dat
keys --top 3 kmalloc?.dat -- more?.dat
incomparable lat.dat other.dat
several mean1.dat kmalloc1.dat -- slow1.dat more1.dat
budgets --max 1ms --exceed 100us:1 mean1.dat slow1.dat
open --max 800us mean?.dat -- mean?.dat
two-histograms --threshold 20 stack1.dat -- stack2.dat
not-judged --thresholds missing mean?.dat -- mean?.dat
few-hits --min-hits 3000 mean?.dat -- mean?.dat
renamed --threshold 40 kmalloc?.dat -- more?.dat
EOF

done_testing

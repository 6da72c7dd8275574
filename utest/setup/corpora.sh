#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# corpora.sh: the archives with the inputs of the fuzzers, and fuzz/corpus.sh, which changes them.
# TAP on stdout.
#
# The second half works on a copy, with a fuzzer that is a script, so it needs no compiler.

set -u
export LC_ALL=C.UTF-8
# shellcheck source-path=SCRIPTDIR source=../scripts/tap.sh
. "$(dirname "$(readlink -f "$0")")/../scripts/tap.sh"

fuzz=$here/../fuzz
work_enter

# names DIRECTORY PREFIX SUFFIX: the rest of the names of its files
names()
{
	find "$1" -maxdepth 1 -type f -name "$2*$3" -printf '%f\n' | sed "s/^$2//; s/$3\$//" | sort
}

is "each fuzzer has a corpus, and each corpus has a fuzzer" "$(names "$fuzz/corpus" '' .tar)" \
	"$(names "$fuzz" fuzz_ .c)"
is "nothing but archives is beside them" "$(find "$fuzz/corpus" -mindepth 1 ! -name '*.tar')" ""

mkdir -p made/utest/fuzz/corpus made/scripts bin
cp "$here/../../scripts/lib.sh" made/scripts/
cp "$fuzz/corpus.sh" "$fuzz/run.sh" made/utest/fuzz/
cp "$fuzz"/fuzz_*.c made/utest/fuzz/
copy=$work/made/utest/fuzz
corpus=$copy/corpus.sh

# again NAME: its archive has the bytes that corpus.sh makes of its inputs
again()
{
	"$fuzz/corpus.sh" unpack "$1" "$work/inputs-$1" && "$corpus" pack "$1" "$work/inputs-$1" &&
		cmp "$fuzz/corpus/$1.tar" "$copy/corpus/$1.tar"
}
for name in $(names "$fuzz/corpus" '' .tar); do
	ok "corpus $name has inputs, and is as corpus.sh packs them" again "$name"
done

# refused STATUS WORDS COMMAND...: it exits with STATUS and these words, and leaves the corpus text
refused()
{
	local said status=0 expected=$1 words=$2

	shift 2
	cp "$copy/corpus/text.tar" before.tar
	said=$("$@" 2>&1) || status=$?
	echo "status $status: $said"
	[ $status = "$expected" ] && grep -qF -e "$words" <<<"$said" && cmp before.tar "$copy/corpus/text.tar"
}
# holds FILES: the corpus text holds these, with these bytes
holds()
{
	rm -rf held
	"$corpus" unpack text held && diff -r held "$1"
}

cp -r inputs-text expected
printf 'new\0' >expected/new
cp expected/new .
ok "an input is added" "$corpus" add text new
ok "the corpus holds the new input next to the old ones" holds expected
cp "$copy/corpus/text.tar" once.tar
touch -d @86400 new
chmod 600 new
umask 077
ok "the same input is added again, later" "$corpus" add text new
umask 022
ok "the archive has the same bytes" cmp once.tar "$copy/corpus/text.tar"
printf other >new
ok "another input of the same name is refused" refused 2 "another input of this name" "$corpus" add text new
ok "a file that does not exist is refused" refused 2 "absent: not a file" "$corpus" add text absent
ok "a fuzzer that does not exist is refused" refused 2 "fuzz_nothing: no such fuzzer" "$corpus" add nothing new
ok "a directory without inputs is refused" refused 2 "no inputs" "$corpus" pack text "$work/bin"
ok "no directory is overwritten" refused 2 "expected: not empty" "$corpus" unpack text expected
rm expected/new
ok "a smaller corpus is packed" "$corpus" pack text expected
ok "it has lost the input" cmp "$fuzz/corpus/text.tar" "$copy/corpus/text.tar"

# run.sh with a fuzzer that says how many inputs it has run: all, except $LEFT_OUT.
for tool in clang cmake make; do
	ln -s /bin/true "bin/$tool"
done
mkdir -p build/bin
find "$copy" -name 'fuzz_*.c' ! -name fuzz_text.c ! -name fuzz_tls.c -delete
for name in text tls; do
	cat >"build/bin/fuzz_$name" <<-'END'
	#!/bin/sh
	for corpus; do :; done
	echo "stat::number_of_executed_units: $(($(ls "$corpus" | wc -l) - ${LEFT_OUT:-0}))"
	END
done
chmod +x build/bin/*
kept()
{
	PATH=$work/bin:$PATH "$copy/run.sh" --kept "$work/build"
}
is "run.sh --kept runs each input of each corpus" "$(kept)" "1..2
ok 1 - fuzz_text: $(find inputs-text -type f | wc -l) inputs
ok 2 - fuzz_tls: $(find inputs-tls -type f | wc -l) inputs"
LEFT_OUT=1
export LEFT_OUT
ok "run.sh --kept fails if an input is not run" refused 1 "not ok 2 - fuzz_tls" kept
unset LEFT_OUT
mv "$copy/corpus/tls.tar" .
ok "run.sh --kept fails if an archive is missing" refused 2 "corpus/tls.tar: missing" kept
tar -cf "$copy/corpus/tls.tar" -T /dev/null
ok "run.sh --kept fails if an archive is empty" refused 2 "corpus/tls.tar: no inputs" kept
head -c 1000 tls.tar >"$copy/corpus/tls.tar"
ok "run.sh --kept fails if an archive is damaged" refused 2 "fuzz_tls has no corpus" kept
done_testing

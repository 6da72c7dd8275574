#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0
"""
prose.py TOP [BIN] - find sentences that a reader must read twice.  TAP on stdout.

Checks the manuals and the other texts of TOP, and the strings of the programs in BIN (messages and
help) against RULES.  RULES has forms that CONTRIBUTING.md bans.  EXCEPTIONS allows words, each with
its reason; an exception that no text needs is an error.  `prose.py --file FILE...` checks single
files, without exceptions that are not needed.

A message or hint that a manual quotes must be a format string of trace-cmd-hist.

A text is cut into paragraphs, without literal blocks and markup, and a paragraph into sentences.
"""
import glob
import os
import re
import subprocess
import sys
import tempfile

WORDS_MAX = 30

# name, pattern, what to write.  The pattern sees one sentence without markup.
RULES = [
    ("fronted", r"^(Of|Where|With|So|Then|Thus|There(by|in|of)) ", "begin with the subject"),
    ("is-no", r"\b(is|are|was|were|be) no\b(?! longer)", '"is not a", "does not have"'),
    ("but-for", r"\bbut for\b|\bnothing but\b", '"except"'),
    ("will-do", r"\bwill do\b", '"is sufficient", "you can"'),
    ("behind", r"\b(behind|beside)\b", '"after", "next to", "in addition to"'),
    ("stand", r"\b(stands?|stood)\b", '"is"'),
    ("we", r"\b(we|our|ours|We|Our)\b", "name the program"),
    ("somebody", r"\b(somebody|nobody|Somebody|Nobody)\b", '"another user", "another program"'),
    ("taken-for", r"\b(take|takes|taken|took) (it |them )?for\b", '"is considered"'),
    ("take-back", r"\b(take|takes|taken|took)( \w+){0,3} back\b", '"undo", "remove"'),
    ("where-there", r"\bwhere (there|none|one) (is|are)\b|\bwhere it (is|can|has)\b", '"if"'),
    ("else", r"\b(and|or) else\b|, else\b|^Else\b", '"otherwise"'),
    ("here", r"\b(from|over|up) (here|there)\b|\b(is|are|that|run|runs|was) (here|there)\b(?! (is|are))",
     '"on the host", "on the target"'),
    ("so-is", r"\bso (is|does|are|do) \w+", '"also"'),
    ("said", r"\b(is|are|which is|and|be) (said|told)\b", '"the program prints a note"'),
    ("mark", r"\bmarks? of (a |the )?snapshots?\b", '"snapshot marker"'),
    ("journal", r"\bjournals?\b", '"undo log"'),
    ("no-such", r"\bas (many|much|little|few|long) as (there|it|they)\b", "the number"),
    ("give", r"^(hint: )?[Gg]ive\b", '"put", "add", "use"'),
    ("slow-latency", r"\b[Ss]low(er|est)? (latenc(y|ies)|wake-ups?)\b", '"longest latency"'),
    ("comma-hint", r", did you mean\b", "the hint on its own line"),
    ("had-the-cpu", r"\b(had|has|have) the CPU\b", '"used the CPU", "ran on the CPU"'),
    ("of-its-own", r"\ba \w+ of (its|their) own\b", '"a separate"'),
    ("refusal", r"\b[Rr]efusals?\b", "what is refused, or the error message"),
    ("which-section", r", which [A-Z]\w+ describes\b", '"see SECTION"'),
    ("passed-on", r"\bpassed on\b", "what passes it, and to what"),
    ("common-line", r"\bon the common time line\b", '"aligned with the other files"'),
    ("each-interval", r"\beach INTERVAL\b", '"every INTERVAL"'),
    ("at-ctrl-c", r"\bat Ctrl-C\b", '"on Ctrl-C"'),
    ("size-alone", r"\brecord with a larger size=", '"-R with a larger size="'),
]

# rule, a part of the sentence, reason
EXCEPTIONS = os.path.join(os.path.dirname(os.path.abspath(__file__)), "prose_exceptions.txt")

TEXTS = ["README.md", "ARCHITECTURE.md", "CHANGELOG.md", "CONTRIBUTING.md", "SECURITY.md",
     "Documentation/*.txt", "Documentation/*.md", "kernel-patches/README.md",
     "packaging/*/README", "debian/README.Debian"]
PROGRAMS = ["trace-cmd-hist", "trace-cmd", "trace-cmd-hist-target"]


def strip_markup(text, path):
    """The words of a paragraph.  Code becomes one word, as a reader takes it."""
    text = re.sub(r"`[^`]+`", "X", text)
    if path.endswith(".md"):
        text = re.sub(r"!?\[([^\]]*)\]\([^)]*\)", r"\1", text)
        text = re.sub(r"<[^>]+>", "X", text)
        return text.replace("*", "")
    text = re.sub(r"'[^' ][^']*'", "X", text)
    text = re.sub(r"\*([^*\n]+)\*", r"\1", text)
    return text.replace("+++", "")


def paragraphs_of(path):
    """(line number, text) of each paragraph, list item and option text of a manual or .md file."""
    markdown = path.endswith(".md")
    out, start, block, literal, code = [], 0, [], None, False

    def end():
        if block:
            # a line that ends with a full stop ends a sentence
            out.append((start, re.sub(r"(?<![.!?])\n", " ", "\n".join(block))))
            block.clear()

    with open(path, encoding="utf-8") as f:
        lines = f.read().split("\n")
    for number, line in enumerate(lines, 1):
        fence = re.match(r"^(```|-{4,}$|\.{4,}$|\+{4,}$|\|={3,})", line)
        if literal:
            if fence and fence.group(1)[:3] == literal:
                literal = None
            continue
        # "----" below a title of its length is not a block
        if fence and not markdown and number > 1 and len(lines[number - 2]) == len(line):
            block.clear()
            continue
        if fence and not (markdown and line.startswith("-")):
            end()
            literal = fence.group(1)[:3]
            continue
        bare = line.strip()
        title = re.match(r"^(#|=+$|~+$|-+$|\^+$)", bare) or bare == "+"
        label = not markdown and bare.endswith("::")
        # a literal paragraph goes on until an empty line
        code = bare and (code or re.match(r"^( {4,}|\t)" if markdown else r"^ {2}\S", line) and not block)
        table = markdown and bare.startswith("|")
        if not bare or title or label or code or table or re.match(r"^[A-Z][A-Z -]+$", bare):
            if title and block and re.match(r"^(=+|~+|-+|\^+)$", bare):
                block.clear()
            end()
            continue
        item = re.match(r"^\s*([*-]|\d+\.|\.) +(.*)", line)
        if item:
            end()
            bare = item.group(2)
        if not block:
            start = number
        block.append(bare)
    end()
    return [(n, strip_markup(text, path)) for n, text in out]


def sentences_of(text):
    text = re.sub(r"\b(e\.g|i\.e|etc|vs|approx)\.", r"\1", text)
    return [s.strip() for s in re.split(r"\n|(?<=[.!?])[\")]?\s+(?=[\"(A-Z0-9-])", text) if s.strip()]


def read_rodata(path):
    with tempfile.NamedTemporaryFile() as f:
        subprocess.run(["objcopy", "-O", "binary", "-j", ".rodata", path, f.name], check=True)
        return f.read()


def formats_of(path):
    """The lines of format strings as patterns, except those that have almost only conversions."""
    for match in re.finditer(rb"[\x20-\x7e\n]{6,}", read_rodata(path)):
        for line in match.group().decode().split("\n"):
            parts = re.split(r"%[-+0-9.*]*(?:l|ll|h|z)?[a-z]", line)
            if len(re.findall("[a-z]", "".join(parts))) >= 6:
                yield re.compile(".*".join(re.escape(p.replace("%%", "%")) for p in parts))


def quotes_of(path):
    """The messages and hints in the examples of a text, each with the number of its line."""
    with open(path, encoding="utf-8") as f:
        for n, line in enumerate(f, 1):
            match = re.match(r" *(?:trace-cmd hist: (?:error|warning|note)|hint): (.*)", line)
            # a hint of diff names the key first; <object> is a form
            if match and "trimmed mean" not in line and "<" not in line:
                yield n, match.group(1)


def strings_of(path):
    """Messages and help in a program: lines that have at least three words, or begin with "give"."""
    data = read_rodata(path)
    for match in re.finditer(rb"[\x20-\x7e\n\t]{12,}", data):
        text = match.group().decode()
        # pages and their code, shell commands and names of system calls are not English
        if re.search(r"[{};]\n|function|</|=>|\bSELECT\b|\$[({]|(^| )=\d+ ", text):
            continue
        # the compiler keeps the beginnings of lines as constants next to each other
        for part in re.split(r"\n|(?=# [a-z])|(?=  \()", text):
            part = re.sub(r"\s+", " ", part).strip()
            if len(re.findall(r"\b[a-z]{2,}\b", part)) >= 3 or part.startswith("give "):
                yield part


def faults_of(sentence):
    for name, pattern, instead in RULES:
        if re.search(pattern, sentence):
            yield name, "write " + instead
    words = [w for w in sentence.split() if re.search(r"\w", w)]
    if len(words) > WORDS_MAX:
        yield "long", "%d words, at most %d" % (len(words), WORDS_MAX)


def exceptions_read():
    out = []
    with open(EXCEPTIONS, encoding="utf-8") as f:
        for line in f:
            if line.strip() and not line.startswith("#"):
                rule, part, reason = line.rstrip("\n").split("\t")
                assert reason.strip(), line
                out.append((rule, part))
    return out


class Check:
    def __init__(self):
        self.exceptions = exceptions_read()
        self.used = set()
        self.count = self.failed = 0

    def ok(self, faults, name):
        self.count += 1
        self.failed += bool(faults)
        print("%sok %d - %s" % ("not " if faults else "", self.count, name))
        for fault in faults:
            print("# " + fault)

    def allowed(self, rule, sentence):
        for exception in self.exceptions:
            if exception[0] == rule and exception[1] in sentence:
                self.used.add(exception)
                return True
        return False

    def faults(self, pieces):
        out = []
        for place, text in pieces:
            for sentence in sentences_of(text):
                out += ["%s: %s (%s): %s" % (place, rule, instead, sentence)
                    for rule, instead in faults_of(sentence)
                    if not self.allowed(rule, sentence)]
        return out

    def text(self, path, name):
        self.ok(self.faults(("%s:%d" % (name, n), t) for n, t in paragraphs_of(path)),
            name + " has no form that must be read twice")

    def program(self, path):
        name = os.path.basename(path)
        self.ok(self.faults((name, s) for s in strings_of(path)),
            "the messages and help of %s have no form that must be read twice" % name)

    def quotes(self, top, program):
        formats = list(formats_of(program))
        quotes = [(path, n, quote) for pattern in TEXTS
              for path in sorted(glob.glob(os.path.join(top, pattern)))
              for n, quote in quotes_of(path)]
        self.ok(["%s:%d: no such message: %s" % (os.path.relpath(path, top), n, quote)
             for path, n, quote in quotes if not any(f.fullmatch(quote) for f in formats)] +
            ([] if quotes else ["no message is quoted"]),
            "each message that a text quotes is one of trace-cmd-hist")


def main(argv):
    check = Check()
    if argv[1:2] == ["--file"]:
        for path in argv[2:]:
            check.text(path, path)
    elif len(argv) in (2, 3):
        for pattern in TEXTS:
            for path in sorted(glob.glob(os.path.join(argv[1], pattern))):
                check.text(path, os.path.relpath(path, argv[1]))
        for name in PROGRAMS if len(argv) == 3 else []:
            check.program(os.path.join(argv[2], name))
        if len(argv) == 3:
            check.quotes(argv[1], os.path.join(argv[2], PROGRAMS[0]))
        check.ok(["%s: %s" % e for e in check.exceptions if e not in check.used],
             "each exception is needed")
    else:
        sys.exit("usage: prose.py TOP [BIN], or prose.py --file FILE...")
    print("1..%d" % check.count)
    return check.failed != 0


if __name__ == "__main__":
    sys.exit(main(sys.argv))

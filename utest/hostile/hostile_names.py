#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0
"""hostile_names.py BIN: names that want to be more than text, through every verb and format.  TAP.

A recording has them as names of rows, in stacks, and in all words of its definition; files are
named by them; a target has them in its error_log and as its own name.  What comes out has
neither a control character (C0, DEL, C1) nor one that turns the direction of writing, is
UTF-8, and is what a parser that we did not write takes for a document without their tags.
"""
import concurrent.futures
import csv
import html.parser
import io
import json
import os
import re
import subprocess
import sys
import tempfile
import unicodedata
import xml.etree.ElementTree as ET

HERE = os.path.dirname(os.path.realpath(__file__))
BIN = os.path.realpath(sys.argv[1])
HIST = os.path.join(BIN, "trace-cmd-hist")
count = failed = 0

# Bytes, as not all of them are UTF-8.  Files cannot have NUL or a slash.
NAMES = [
    b"esc \x1b[31mred\x1b[0m", b"osc \x1b]0;title\x07", b"bell \x07 back \x08\x08 form \x0c vt \x0b",
    b"line\nbreak", b"carriage\rreturn", b"tab\tstop", b"del \x7f",
    b"".join(bytes([c]) for c in range(1, 0x20)), b"bare csi \x9b31m", b"bare \x85 \x90 \x9d",
    "c1 \u009b31m \u0085 \u009d0;x\u009c".encode(), "".join(map(chr, range(0x80, 0xa0))).encode(),
    b"cut \xe2\x80", b"overlong \xc0\xaf \xe0\x80\x9b", b"surrogate \xed\xa0\x80",
    b"beyond \xf4\x90\x80\x80",
    "bidi \u202e\u202d\u202a\u202b\u202c\u2066\u2067\u2068\u2069 \u200e\u200f\u061c".encode(),
    "lines \u2028 \u2029 zero \u200b\u200d\ufeff soft\u00ad tag \U000e0041".encode(),
    b"<img src=x onerror=alert(1)>", b"</script><script>alert(1)</script>",
    b"<b>bold</b> &lt; &amp; &#27;", b"\"double\" 'single' `back`", b"\\ \\n \\x1b \\u009b",
    b"=cmd|'/c calc'!A0", b"+1+1", b"-1-1", b"@SUM(1)", b"a,b;c|d", b"]]><!-- --> <?x ?>",
    b"%s%n%d {x} ${x} $(x)", b"# EOF", b"{ key: x } hitcount: 9", b"plain",
]
TEXT = b" ".join(NAMES[:-1])


def check(what, good, details=""):
    global count, failed
    count += 1
    failed += not good
    print(f"{'ok' if good else 'not ok'} {count} - {what}")
    if not good:
        print("# " + ascii(str(details))[:3000])


def run(*args, env=None):
    done = subprocess.run(args, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                          stderr=subprocess.PIPE, timeout=60, env={**os.environb, **(env or {})},
                          check=False)
    return done.returncode, done.stdout, done.stderr


# Those of Unicode's Bidi_Control, and what ends a line elsewhere than at \n.
TURNING = set("\u061c\u200e\u200f\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069\u2028\u2029")


def is_safe(data):
    """What is wrong with these bytes on a terminal, or None.  The script of a page has tabs."""
    if data.startswith(b"<!DOCTYPE html>"):
        data = data.replace(b"\t", b" ")
    try:
        words = data.decode("utf-8")
    except UnicodeDecodeError as error:
        return f"no UTF-8: {error}"
    for at, c in enumerate(words):
        if c != "\n" and (unicodedata.category(c) == "Cc" or c in TURNING):
            return f"U+{ord(c):04X} at {at}: {words[max(0, at - 60):at + 20]!r}"
    return None


class Page(html.parser.HTMLParser):
    def __init__(self):
        super().__init__()
        self.tags, self.handlers, self.data = set(), [], []

    def handle_starttag(self, tag, attrs):
        self.tags.add(tag)
        self.handlers += [name for name, _ in attrs if name.startswith("on")]
        self.handlers += [value for _, value in attrs if (value or "").startswith("javascript")]


def page_is_ours(data):
    page = Page()
    page.feed(data.decode())
    bad = page.tags & {"img", "b", "iframe", "object"}
    scripts = data.count(b"<script")
    if bad or page.handlers or b"<script>alert" in data or scripts != data.count(b"</script"):
        return f"{bad} {page.handlers} {scripts} scripts"
    return None


def is_xml(data):
    try:
        root = ET.fromstring(data)
    except ET.ParseError as error:
        return str(error)
    bad = [e.tag for e in root.iter() if e.tag.split("}")[-1] in ("img", "b")]
    return str(bad) if bad else None


def is_json(data):
    try:
        json.loads(data)
    except ValueError as error:
        return str(error)
    return None


def is_ndjson(data):
    return next((wrong for wrong in map(is_json, data.splitlines()) if wrong), None)


def is_csv(data):
    rows = list(csv.reader(io.StringIO(data.decode(), newline="")))
    widths = {len(row) for row in rows}
    return None if len(widths) == 1 and len(rows) > len(NAMES) else f"{widths} {len(rows)}"


def is_metrics(data):
    lines = data.decode().split("\n")
    return None if lines.count("# EOF") == 1 and lines[-2] == "# EOF" else lines[-3:]


def is_markdown(data):
    """Tags would be HTML there, outside of code."""
    lines = data.decode().split("\n")
    bad = [line for line in lines if "<img" in line.replace("\\<img", "") and "`" not in line]
    return bad[0] if bad else None


def no_more(data):
    return None


FORMATS = {"json": is_json, "ndjson": is_ndjson, "csv": is_csv, "openmetrics": is_metrics,
           "svg": is_xml, "html": page_is_ours, "junit": is_xml, "markdown": is_markdown}


def say(what, result, verify=no_more, status=(0,)):
    code, out, err = result
    wrong = is_safe(out) or is_safe(err)
    check(f"{what} prints no control character", wrong is None, wrong)
    wrong = None if code in status else f"status {code}: {err[-500:]}"
    wrong = wrong or (verify(out) if verify and code in (0, 1) else None)
    check(f"{what} has the expected status and a well-formed output", wrong is None, wrong)


def report_formats():
    """All that the help lists, without text, which has views, and svg, which has others."""
    _, out, _ = run(HIST, "report", "--help=all")
    names = re.search(rb"--format ([a-z|]+)", out).group(1).decode().split("|")
    return [name for name in names if name not in ("text", "svg")]


def reports(file):
    report = [HIST, "report", file]
    for view in "table", "bars", "heatmap", "percentiles":
        say(f"report --view {view}", run(*report, "--view", view))
        say(f"report --view {view} --color always", strip(run(*report, "--view", view, "--color", "always")))
    say("report in ASCII", run(*report, env={b"LC_ALL": b"C"}))
    say("report --intervals", run(*report, "--intervals"))
    say("report --list", run(*report, "--list"))
    say("report --list --format json", run(*report, "--list", "--format", "json"), is_json)
    for name in report_formats():
        say(f"report --format {name}", run(*report, "--format", name), FORMATS.get(name, no_more))
    for view in "bars", "heatmap", "percentiles":
        say(f"report --format svg --view {view}",
            run(*report, "--format", "svg", "--view", view), is_xml)


def strip(result):
    """Colours are ours: SGR with digits and nothing else."""
    code, out, err = result
    while b"\x1b[" in out:
        at = out.index(b"\x1b[")
        end = at + 2
        while out[end:end + 1] in b"0123456789;" and end < len(out):
            end += 1
        if out[end:end + 1] not in (b"m", b"K"):
            break
        # none of the hostile names is whole
        out = out[:at] + out[end + 1:]
    return code, out, err


def diffs(old, new):
    for name in "text", "json", "markdown", "junit", "ktap":
        say(f"diff --format {name}", run(HIST, "diff", "--min-hits", "1", "--format", name, old, new),
            FORMATS.get(name, no_more), (0, 1, 3, 4))


def files(good):
    """Files that are named so: whole, cut, absent, and of no format."""
    with open(good, "rb") as f:
        data = f.read()
    for i, name in enumerate(NAMES):
        name = name.replace(b"/", b"_")
        for what, part in ("whole", data), ("cut", data[:-300]), ("empty", b""):
            with open(name, "wb") as f:
                f.write(part)
            for verb in (["report", "--list"], ["report"], ["diff", good], ["replay", "-e", "a:b", "-k", "c"]):
                _, out, err = run(HIST, *verb, b"./" + name)
                wrong = is_safe(out) or is_safe(err)
                if wrong:
                    check(f"{' '.join(verb)} escapes name {i} of a file that is {what}",
                          False, wrong)
        with open(name, "wb") as f:
            f.write(data[:-300])
        two = run(HIST, "report", "--list", b"./" + name, good)
        wrong = is_safe(two[1]) or is_safe(two[2])
        os.unlink(name)
        none = run(HIST, "report", b"./" + name)
        wrong = wrong or is_safe(none[1]) or is_safe(none[2])
        check(f"report escapes file name {i} and prints a note about the cut file",
              wrong is None and b"# note: " in two[1], wrong or two)
    check("listen --new-key escapes the name of the key file",
          is_safe(run(HIST, "listen", "--new-key", b"k\x1b[31m\xc2\x9bk")[1]) is None)


def words_of_options():
    """What a shell hands over may come from a name, too."""
    for args in (["report", "-e"], ["report", "--sort"], ["record", "-e"], ["record", "--target"],
                 ["record", "--preset"], ["record", "-N"], ["diff", "-e"], ["replay", "-e"],
                 ["list", "--target"], ["list"], ["top", "--attach"], ["connect", "--key"],
                 ["connect"], ["listen", "--bind"], ["cleanup", "--target"], []):
        code, out, err = run(HIST, *args, TEXT)
        wrong = is_safe(out) or is_safe(err)
        check(f"{' '.join(['hist', *args, 'TEXT'])} fails and prints no control character",
              wrong is None and code == 2, wrong or code)


def target():
    """A target's error_log, name, and what it says to stderr."""
    log = (b"[  1.0] hist:kmem:kmalloc: error: " + TEXT.replace(b"\n", b" ") +
           b"\n  Command: " + TEXT.replace(b"\n", b" ") + b"\n           \x1b[31m^\x9b\n")
    peer = f"exec:printf '\\033[31m\\233x\\r\\302\\233\\n' >&2; exec /usr/bin/python3 -B {HERE}/hostile_peer.py "
    args = ["--engine", "kernel", "-e", "kmem:kmalloc", "-k", "bytes_req", "-d", "50ms"]
    hostile = {b"TARGET_NAME": TEXT}
    error_logs = {"ESC": log, "no ESC": log.replace(b"\x1b", b"")}
    # Each waits until the target is killed, so all run at the same time.
    with concurrent.futures.ThreadPoolExecutor() as pool:
        records = {what: pool.submit(run, HIST, "record", *args, "-o", f"{i}.dat", "--target",
                                     f"{peer}WRITE 1 error {i}.fifo", env={b"ERROR_LOG": words})
                   for i, (what, words) in enumerate(error_logs.items())}
        record = pool.submit(run, HIST, "record", *args, "-o", "t.dat", "--target",
                             peer + "PING 99 x fifo", env=hostile)
        top = pool.submit(run, HIST, "top", *args, "-i", "20ms", "--batch", "--target",
                          peer + "PING 99 x top.fifo", env=hostile)
    for what, done in records.items():
        code, out, err = done.result()
        check(f"record shows a target's error_log with {what} and escapes it",
              b"carriage\\rreturn" in err and code == 2, err)
        say(f"record from a target whose error_log has {what}", (code, out, err), no_more, (2,))
    say("record from a target with a hostile name", record.result(), no_more)
    say("report of a target with a hostile name", run(HIST, "report", "t.dat"))
    say("list --target of a hostile name",
        run(HIST, "list", "--target", peer + "PING 99 x fifo", env=hostile), no_more, (0, 2))
    say("list of an event's fields with --target of a hostile name",
        run(HIST, "list", "kmem:kmalloc", "--target", peer + "PING 99 x fifo", env=hostile),
        no_more, (0, 2))
    say("top --batch with --target of a hostile name", top.result(), no_more)


def main():
    with tempfile.TemporaryDirectory() as work:
        os.chdir(work)
        for name, names in (("old.dat", NAMES), ("new.dat", NAMES[::-1])):
            code, _, err = run(os.path.join(BIN, "hostile_make"), name, TEXT, *names)
            check(f"hostile_make writes {name}", code == 0, err)
        reports("old.dat")
        diffs("old.dat", "new.dat")
        files("old.dat")
        words_of_options()
        target()
        os.chdir("/")
    print(f"1..{count}")
    return failed != 0


sys.exit(main())

#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0
"""bench_compare.py: does `make bench-compare` find the ratios that became worse?  TAP on stdout."""
import contextlib
import io
import os
import sys
import tempfile

BENCH = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "bench")
sys.path.insert(0, BENCH)
sys.dont_write_bytecode = True
import compare  # noqa: E402 pylint: disable=wrong-import-position

# WHAT, PEER, less or more, NOISE; and the name and the ratio of it in a release
ROWS = [
    ("opening", "none", "less", "exact", "opening", 1),
    ("  read", "none", "less", "exact", "opening, read", 1),
    ("report", "report | awk 0.24 M/s", "less", "2 %", "report, beside report | awk", 1),
    ("  all", "none", "less", "2 %", "report, all", 1),
    ("diff", "", "less", "20 %", "diff", 1),
    ("replay", "bare walk 9", "more", "2 %", "replay, beside bare walk", 2),
    ("  the same", "its CPUs allow 1.86x", "more", "2 %", "replay, beside its CPUs allow", 2),
    ("snapshot", "cat 647 MB/s", "more", "exact", "snapshot, beside cat", 4),
]
SAME = [row[5] for row in ROWS]


def release(version, machine, times=1):
    lines = [f"{better}\t{noise}\t{ratio * times}\t{name}\n" for _, _, better, noise, name, ratio in ROWS]
    return f"\nrelease {version}, {machine}\n" + "".join(lines)


def table(ratios, machine="here", rows="whole", more=""):
    """What run.sh prints; a ratio that is None has no row."""
    text = f"# machine: {machine}\n# rows: {rows}\nwhat      | ours | peer or limit | ratio | better | noise | goal | met\n"
    for (what, peer, better, noise, _, _), ratio in zip(ROWS, ratios):
        if ratio is not None:
            text += f"{what:<20} | {'5 ms':>14} | {peer:>26} | {ratio:>7} | {better:<6} | {noise:>5} | at most 2x   | NO\n"
    return text + more


class Tests:
    def __init__(self, folder):
        self.history, self.table = os.path.join(folder, "HISTORY"), os.path.join(folder, "table")
        self.count = self.failed = 0

    def check(self, what, got, expected):
        self.count += 1
        if got == expected:
            print(f"ok {self.count} - {what}")
            return
        self.failed += 1
        print(f"not ok {self.count} - {what}")
        for name, value in (("got", got), ("expected", expected)):
            print(f"# {name}: {value}")

    def run(self, text, *args, history=None):
        """Exit status, and the lines that it prints, the sum at the end not."""
        if text:
            with open(self.table, "w", encoding="utf-8") as f:
                f.write(text)
        out, err = io.StringIO(), io.StringIO()
        with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
            try:
                status = compare.main([*args, history or self.history, self.table])
            except SystemExit as end:
                status = end.code
        lines = [line.partition(" before, now ")[0].rpartition(": ")[0] if " before, now " in line else line
                 for line in (out.getvalue() + err.getvalue()).splitlines()]
        return status, [line for line in lines if " ratios compared with those of " not in line]

    def compared(self, what, text, status, lines):
        self.check(what, self.run(text), (status, lines))

    def refused(self, what, text, *args, ending):
        status, lines = self.run(text, *args)
        self.check(what, (status, len(lines), lines[-1].endswith(ending)), (2, 1, True))


def comparisons(t):
    t.compared("the same ratios are not worse, and only the last release counts", table(SAME), 0, [])
    t.compared("changes within the noise are not worse",
               table([1.015, 0.99, 1.08, 0.92, 1.35, 1.85, 2.1, 3.95]), 0, [])
    t.compared("changes beyond the noise are found, in both directions",
               table([1.03, 0.9, 1.2, 0.7, 1.5, 1.7, 2.5, 3.9]), 1,
               ["worse: opening", "better: opening, read", "worse: report, beside report | awk",
                "better: report, all", "worse: diff", "worse: replay, beside bare walk",
                "better: replay, beside its CPUs allow", "worse: snapshot, beside cat"])
    new = "new | 1 | peer 2 | 3 | less | exact | none | -\n"
    t.compared("a missing row is found, and a new row is not worse", table(SAME[:-1] + [None], more=new), 1,
               ["missing: snapshot, beside cat", "new: new, beside peer"])
    t.compared("a short run need not have all rows", table(SAME[:-1] + [None], rows="short"), 0, [])
    note = "note: release 0.9 was measured on another machine: here"
    t.compared("times may differ more on another machine, and instructions may not",
               table([1.03, 1, 1.2, 1, 1, 2, 1.2, 4], "there"), 1,
               [note, "worse: opening", "worse: replay, beside its CPUs allow"])
    turned = "snapshot | 5 | cat 7 | 4 | less | exact | none | -\n"
    t.compared("a row whose direction changed is found", table(SAME[:-1] + [None], more=turned), 1,
               ["worse: snapshot, beside cat"])


def additions(t):
    t.check("a release is added", t.run(table([3] * 8), "--add", "1.0"), (0, []))
    t.compared("the comparison is with the added release", table([3] * 8), 0, [])
    t.run(table([4] * 8), "--add", "1.0")
    t.compared("a release that is added again is replaced", table([4] * 8), 0, [])
    with open(t.history, encoding="utf-8") as f:
        heads = [line.rstrip() for line in f if line.startswith(("#", "release"))]
    t.check("the other releases and the comment are kept", heads,
            ["# comment", "release 0.8, there", "release 0.9, here", "release 1.0, here"])
    t.refused("a short run is not added", table(SAME, rows="short"), "--add", "1.1",
              ending="not all rows: run: make bench")


def main():
    with tempfile.TemporaryDirectory() as folder:
        t = Tests(folder)
        with open(t.history, "w", encoding="utf-8") as f:
            f.write("# comment\n" + release("0.8", "there", 5) + release("0.9", "here"))
        comparisons(t)
        additions(t)
        twice = table([4]).splitlines(True)[-1]
        t.refused("two rows with one name are an error", table(SAME, more=twice),
                  ending="two rows with the name: opening")
        t.refused("a ratio that is not a number is an error", table(["4x"]), ending="not a ratio: exact, 4x")
        t.refused("a table without rows is an error", "# machine: x\n", ending="no rows: run: make bench")
        os.remove(t.table)
        t.refused("a missing table is an error", None, ending="table: No such file or directory: run: make bench")
        history = os.path.join(BENCH, "HISTORY")
        t.check("the history of the project can be read", t.run(table(SAME), history=history)[0] != 2, True)
    print(f"1..{t.count}")
    return 1 if t.failed else 0


if __name__ == "__main__":
    sys.exit(main())

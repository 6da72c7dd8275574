#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0
"""
compare.py HISTORY TABLE: which ratios of `make bench` are worse than in the last release?
compare.py --add VERSION HISTORY TABLE: append the ratios of a release, or replace those of VERSION.

TABLE is what run.sh writes, and HISTORY has the ratios of each release, the newest last:

    release VERSION, MACHINE
    less|more <tab> NOISE <tab> RATIO <tab> NAME

"less" means that a smaller ratio is better.  NOISE is "exact" for bytes and instructions, otherwise
the noise of that run in percent.  A ratio is worse if it changed by more than the noise of both
runs; see allowance().  A row of the release that TABLE does not have is worse, too.

Exit status: 0 nothing is worse, 1 something is, 2 trouble.
"""
import re
import sys

EXACT = 0.02  # compilers and libraries differ
TIMED = 0.10  # the machine's load and temperature differ
OTHER_MACHINE = 0.30  # caches differ


def die(text):
    print(f"compare.py: {text}", file=sys.stderr)
    sys.exit(2)


class Row:
    def __init__(self, better, noise, ratio, where):
        try:
            self.noise = None if noise == "exact" else float(noise.rstrip(" %")) / 100
            self.ratio = float(ratio)
        except ValueError:
            die(f"{where}: not a ratio: {noise}, {ratio}")
        if better not in ("less", "more") or self.ratio <= 0:
            die(f"{where}: not a ratio: {better} {ratio}")
        self.better = better

    def text(self):
        noise = "exact" if self.noise is None else f"{self.noise * 100:.0f} %"
        return f"{self.better}\t{noise}\t{self.ratio:.4g}"


class Rows:
    """The ratios of one run of `make bench`, by name."""

    def __init__(self, machine, whole=True):
        self.machine, self.whole, self.rows = machine, whole, {}

    def add(self, name, row, where):
        if name in self.rows:
            die(f"{where}: two rows with the name: {name}")
        self.rows[name] = row


def read_table(path):
    """Names are unique: "the same" stands for the row before, and the peer belongs to the name."""
    found, section, before = Rows(""), "", ""
    with open(path, encoding="utf-8") as f:
        for number, line in enumerate(f, 1):
            where, line = f"{path}:{number}", line.rstrip("\n")
            if line.startswith("# machine: "):
                found.machine = line[11:]
            elif line.startswith("# rows: "):
                found.whole = line[8:] == "whole"
            if line.startswith("#") or re.match(r"what +\| ", line):
                continue
            # names of peers may have " | "
            what, _, rest = line.partition(" | ")
            parts = rest.rsplit(" | ", 5)
            if len(parts) != 6:
                die(f"{where}: not a row: {line}")
            left, ratio, better, noise, _, _ = parts
            peer = left.split(" | ", 1)[1].strip()
            peer = re.sub(r" *-?[0-9][0-9.]*x?( ?[A-Za-z%][A-Za-z/]*)?$", "", peer)
            what = what.rstrip()
            if what.startswith("  the same"):
                name = before + what[10:]
            elif what.startswith("  "):
                before = name = f"{section}, {what.strip()}"
            else:
                section = before = name = what
            if ratio.strip() in ("-", "none"):
                continue
            if peer not in ("", "none"):
                name += f", beside {peer}"
            found.add(name, Row(better.strip(), noise.strip(), ratio.strip(), where), where)
    if not found.rows:
        die(f"{path}: no rows: run: make bench")
    return found


def read_history(path):
    """(comment lines, {version: Rows}), in the order of the file."""
    head, releases, last = [], {}, None
    with open(path, encoding="utf-8") as f:
        for number, line in enumerate(f, 1):
            where, line = f"{path}:{number}", line.rstrip("\n")
            if line.startswith("#") and last is None:
                head.append(line)
            elif line.startswith("release "):
                version, _, machine = line[8:].partition(", ")
                last = releases[version] = Rows(machine)
            elif line and not line.startswith("#"):
                parts = line.split("\t")
                if len(parts) != 4 or last is None:
                    die(f"{where}: not a row: {line}")
                last.add(parts[3], Row(parts[0], parts[1], parts[2], where), where)
    return head, releases


def write_history(path, head, releases):
    with open(path, "w", encoding="utf-8") as f:
        f.writelines(line + "\n" for line in head)
        for version, found in releases.items():
            f.write(f"\nrelease {version}, {found.machine}\n")
            f.writelines(f"{row.text()}\t{name}\n" for name, row in found.rows.items())


def allowance(old, new, same_machine):
    """How much a ratio may change, relative to the old one."""
    if old.noise is None and new.noise is None:
        return EXACT
    least = TIMED if same_machine else OTHER_MACHINE
    return max(least, (old.noise or 0) + (new.noise or 0))


def compare(version, old, new):
    """Print what changed; True if something is worse."""
    same_machine = old.machine == new.machine
    counts = dict.fromkeys(("worse", "missing", "better", "new"), 0)

    def tell(kind, name, text=""):
        counts[kind] += 1
        print(f"{kind}: {name}{text}")

    if not same_machine:
        print(f"note: release {version} was measured on another machine: {old.machine}")
    compared = 0
    for name, was in old.rows.items():
        now = new.rows.get(name)
        if now is None:
            if new.whole:
                tell("missing", name)
            continue
        compared += 1
        may = allowance(was, now, same_machine)
        change = now.ratio / was.ratio if was.better == "less" else was.ratio / now.ratio
        text = f": {was.ratio:.4g} before, now {now.ratio:.4g}; noise {may * 100:.0f} %"
        if was.better != now.better or change > 1 + may:
            tell("worse", name, text)
        elif change < 1 / (1 + may):
            tell("better", name, text)
    for name in new.rows:
        if name not in old.rows:
            tell("new", name)
    told = ", ".join(f"{n} {kind}" for kind, n in counts.items())
    print(f"{compared} ratios compared with those of release {version}: {told}")
    return bool(counts["worse"] or counts["missing"])


def main(args):
    version = None
    if args[:1] == ["--add"] and len(args) == 4:
        version = args[1]
        args = args[2:]
    if len(args) != 2 or args[0].startswith("-"):
        die("usage: compare.py [--add VERSION] HISTORY TABLE")
    try:
        head, releases = read_history(args[0])
        table = read_table(args[1])
    except OSError as error:
        die(f"{error.filename}: {error.strerror}: run: make bench")
    if version:
        if not table.whole:
            die(f"{args[1]}: not all rows: run: make bench")
        releases[version] = table
        write_history(args[0], head, releases)
        return 0
    if not releases:
        die(f"{args[0]}: no release")
    last = list(releases)[-1]
    return 1 if compare(last, releases[last], table) else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))

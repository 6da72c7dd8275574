#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0
"""
verify.py TRACE_CMD_HIST DIR FIRST SCRIPT...

Look on the host at what guest tests sent out of the VM.  SCRIPTs are the guest
scripts that ran.  Prints TAP, numbered from FIRST; exit status 1 when something
differs or a SCRIPT sent nothing.

- kinds: for each recording, `report --format json` says the same as the text
  of the hist file beside it, which hist_text.py reads independently.
- conserve: the intervals' sums are the final totals, key by key.
- events: snapshots and events of one file are on one time line.
- odd: names that would drive a terminal or forge text are read whole, and
  escaped in every view.
- presets: what 80-presets.sh and 81-preset-loads.sh recorded (verify_presets.py).
- replay: what 87-replay.sh and 88-replay-presets.sh recorded, counted again (verify_replay.py).
- lists: what `list --format json` writes is JSON, and whole.
"""
import json
import os
import re
import subprocess
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "scripts", "lib"))
import hist_text  # noqa: E402
import verify_presets  # noqa: E402
import verify_replay  # noqa: E402

U64 = (1 << 64) - 1
SPANS = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "format", "spans.py")


class Tap:
    def __init__(self, first):
        self.number = first - 1
        self.failed = 0

    def ok(self, good, what, why=""):
        self.number += 1
        print(f"{'ok' if good else 'not ok'} {self.number} - verify: {what}")
        if not good:
            self.failed += 1
            for line in str(why).splitlines()[:20]:
                print("# " + ascii(line)[1:-1])


def number(value):
    """Counts beyond 2^53 are decimal strings in our JSON."""
    if isinstance(value, str) and re.fullmatch(r"-?\d+", value):
        return int(value)
    return value


def plain(value):
    """One form for both: big numbers as numbers, runs of U+FFFD as one."""
    if isinstance(value, dict):
        return {k: plain(v) for k, v in value.items()}
    if isinstance(value, list):
        return [plain(v) for v in value]
    if isinstance(value, str):
        return number(re.sub("\ufffd+", "\ufffd", value))
    return value


def canonical(row):
    return json.dumps({k: plain(row.get(k)) for k in ("key", "key_id", "value")}, sort_keys=True)


class Report:
    def __init__(self, program, path):
        self.program = program
        self.path = path

    def json(self, *args):
        out = subprocess.run([self.program, "report", "--format", "json", *args, self.path],
                             stdout=subprocess.PIPE, check=True).stdout
        return json.loads(out)["histograms"]


def total(program, path):
    """All that was counted, also before the first snapshot: it is in the last one."""
    return Report(program, path).json("--snapshot", "all")


def read_text(path, fmt):
    with open(path, "rb") as f:
        return [b.json() for b in hist_text.parse(f.read(), hist_text.Fields(fmt))]


def kinds(tap, program, directory):
    lines = open(os.path.join(directory, "kinds"), encoding="utf-8").read().splitlines()
    tap.ok(len(lines) >= 30, "enough kinds", lines)
    for line in lines:
        name, event, trigger = line.split("\t")
        base = os.path.join(directory, name)
        try:
            # all that was counted, as the kernel's text has it
            hist = [h for h in Report(program, base + ".dat").json("--snapshot", "all")
                    if h["event"] == event and h["trigger"] == trigger][-1]
            blocks = read_text(base + ".txt", base + ".format")
        except (subprocess.CalledProcessError, hist_text.Bad, IndexError, KeyError) as why:
            tap.ok(False, name, repr(why))
            continue
        ours = hist["snapshots"][-1]
        # the instance holds our triggers alone; those of one event are in order
        text = blocks[-1]
        want = sorted(canonical(r) for r in text["rows"])
        got = sorted(canonical(r) for r in ours["rows"])
        tap.ok(bool(want) or name in ("empty", "paused-from-start"), f"{name} has rows")
        tap.ok(got == want, f"{name}: keys and values are the kernel's",
               "\n".join(["ours " + r for r in sorted(set(got) - set(want))[:4]] +
                         ["text " + r for r in sorted(set(want) - set(got))[:4]]))
        for what in ("hits", "entries", "dropped"):
            tap.ok(number(ours[what]) == text[what], f"{name}: {what}", f"{ours[what]} {text[what]}")


# What 30-kinds.sh calls its tasks and files, as JSON has them.  Blanks at the end
# of a short name look like the kernel's padding: nobody can tell.
ODD = ["\033[31mred\033[m", "\033]0;title\007", "over\rwrite", "tab\tx\bback", "gr\u00fcn\u20ac",
       "c1\ufffd1mx", "c1\u009b1m", "bad\ufffdx", "\u202eevil", "sym+0x1 [mod]", "[kvm_intel]",
       "} hitcount: 9", "a, b: c } x", "next_comm: no", "back\\\\slash", " blanks",
       "fifteen-letters"]
ODD_FILES = ["odd } hitcount:", "new\nline", "} hitcount: 5\n{ fn: x",
             "fifty-characters-so-that-no-padding-is-left-of-this", "n" + "1".zfill(200),
             "7".zfill(120) + "/" + "7".zfill(120)]


def harmless(text):
    """Nothing in it that a terminal would obey, or that turns the writing round."""
    return not re.search("[\0-\x09\x0b-\x1f\x7f-\x9f\u00ad\u200b-\u200f\u2028-\u202e\u2060-\u206f]", text)


def odd(tap, program, directory):
    for name, field, want in (("comm-odd", "next_comm", ODD + ["x\ny", "a } b: {"]),
                              ("string-odd", "fn", ODD + ODD_FILES)):
        path = os.path.join(directory, name + ".dat")
        rows = Report(program, path).json()[-1]["snapshots"][-1]["rows"]
        names = {plain(row["key"][field]) for row in rows}
        missing = sorted(set(want) - names)
        tap.ok(not missing, f"{name}: every odd name is a key of its own", missing)
        for view in ("table", "bars"):
            for locale in ("C.UTF-8", "C"):
                out = subprocess.run([program, "report", "--view", view, path], check=True,
                                     stdout=subprocess.PIPE, env={"LC_ALL": locale}).stdout
                try:
                    text = out.decode("utf-8" if locale == "C.UTF-8" else "ascii")
                except UnicodeDecodeError as why:
                    tap.ok(False, f"{name}: {view} in {locale}", why)
                    continue
                shown = [line for line in text.split("\n") if not harmless(line)]
                tap.ok(not shown, f"{name}: {view} in {locale} cannot drive a terminal",
                       "\n".join(shown))
                tap.ok("\\x1b[31mred\\x1b[m" in text and "over\\rwrite" in text and
                       "\\u202eevil" in text, f"{name}: {view} in {locale} shows escapes",
                       text)


def conserve(tap, program, directory):
    report = Report(program, os.path.join(directory, "conserve.dat"))
    finals, parts, wholes = report.json(), report.json("--intervals"), report.json("--snapshot", "all")
    for final, part, whole in zip(finals, parts, wholes):
        last = final["snapshots"][-1]
        sums, hits = {}, 0
        for interval in part["snapshots"]:
            hits += number(interval["hits"])
            for row in interval["rows"]:
                key = json.dumps([row["key"], row.get("key_id")], sort_keys=True)
                for name, value in row["value"].items():
                    sums[key, name] = (sums.get((key, name), 0) + number(value)) & U64
        want = {}
        for row in last["rows"]:
            key = json.dumps([row["key"], row.get("key_id")], sort_keys=True)
            for name, value in row["value"].items():
                want[key, name] = number(value) & U64
        zero = {k: v for k, v in sums.items() if k not in want}
        name = final["name"]
        tap.ok(number(last["hits"]) > 100, f"conservation: {name} had load", last["hits"])
        tap.ok(len(part["snapshots"]) > 10, f"conservation: {name} has intervals",
               len(part["snapshots"]))
        tap.ok(not zero and all(sums.get(k) == v for k, v in want.items()),
               f"conservation: {name}: the intervals add up to the total, key by key",
               [(k, sums.get(k), v) for k, v in want.items() if sums.get(k) != v][:3])
        tap.ok(hits == number(last["hits"]), f"conservation: {name}: so do the hits",
               f"{hits} {last['hits']}")
        if "hitcount" in final["values"]:
            # the first was not paused: its rows have some that came after its hits were read
            paused = whole["snapshots"][-1]
            total = sum(number(r["value"]["hitcount"]) for r in paused["rows"])
            tap.ok(total == number(paused["hits"]),
                   f"conservation: {name}: hitcounts add up to the hits of a paused histogram",
                   f"{total} {paused['hits']}")


def set_up(tap, program, directory):
    """What the kernel allocates for our triggers is in no report, and read_dat.py counts so too."""
    for name in ("conserve", "set-up"):
        done = subprocess.run([sys.executable, "-B", SPANS, program,
                               os.path.join(directory, name + ".dat")],
                              stdout=subprocess.PIPE, stderr=subprocess.STDOUT, check=False)
        tap.ok(done.returncode == 0, f"{name}: from the first snapshot to the last",
               done.stdout.decode(errors="replace"))
    report = Report(program, os.path.join(directory, "set-up.dat"))

    # that allocates the elements; reading sorts, and a pause makes a map that it throws away
    def tables(hist):
        return sum(number(row["value"]["hitcount"]) for row in hist["snapshots"][0]["rows"]
                   if row["key"]["call_site"].startswith("tracing_map_init"))

    hists = {"first": report.json("--snapshot", "0")[0], "default": report.json()[0]}
    counts = {name: tables(hist) for name, hist in hists.items()}
    tap.ok(counts["first"] > 1000 and counts["default"] == 0,
           "set-up: the tables of our triggers are left out", counts)
    shown = hists["default"]["snapshots"][0]
    tap.ok(number(shown["from"]["hits"]) == number(hists["first"]["snapshots"][0]["hits"]) and
           number(shown["hits"]) * 3 < number(shown["from"]["hits"]),
           "set-up: and the report says how many hits", shown["from"])


def events(tap, directory):
    marks = {}
    with open(os.path.join(directory, "e.txt"), encoding="utf-8", errors="replace") as f:
        for line in f:
            found = re.search(r"\s(\d+\.\d+): print:.*hist-snapshot: \S+ seq=(\d+) hits=(\d+) "
                              r"entries=(\d+) dropped=(\d+)", line)
            if found:
                marks[int(found[2])] = (float(found[1]), *map(int, found.groups()[2:]))
    with open(os.path.join(directory, "e.json"), encoding="utf-8") as f:
        snapshots = json.load(f)["histograms"][0]["snapshots"]
    tap.ok(len(snapshots) >= 4, "events: several snapshots", len(snapshots))
    tap.ok(sorted(marks) == [s["seq"] for s in snapshots], "events: a mark for each snapshot",
           sorted(marks))
    for snap in snapshots:
        mark = marks.get(snap["seq"], (0, 0, 0, 0))
        late = mark[0] - number(snap["time_ns"]) / 1e9
        tap.ok(-0.000002 <= late < 0.2 and
               mark[1:] == (snap["hits"], snap["entries"], snap["dropped"]),
               f"events: mark {snap['seq']} follows its snapshot and says the same",
               f"{late} s, {mark}, {snap['hits']}")


def stopped(tap, directory):
    """All histograms are stopped before the first of the last snapshots is read."""
    with open(os.path.join(directory, "f.txt"), encoding="utf-8", errors="replace") as f:
        marks = re.findall(r"\s(\d+)\.(\d{9}): print:.*hist-snapshot: (\S+)#0 seq=(\d+) ", f.read())
    with open(os.path.join(directory, "f.json"), encoding="utf-8") as f:
        lasts = {h["event"]: h["snapshots"][-1] for h in json.load(f)["histograms"]}
    seq = max(s["seq"] for s in lasts.values())
    of_last = [int(s) * 10**9 + int(ns) for s, ns, event, n in marks
               if int(n) == seq and event in lasts]
    times = [number(s["time_ns"]) for s in lasts.values()]
    tap.ok(len(times) == len(of_last) == 2 and max(times) < min(of_last),
           "events: the last snapshots have the times at which counting stopped",
           f"{times}, marks {of_last}")


def lists(tap, directory):
    def read(name):
        try:
            with open(os.path.join(directory, f"list-{name}.json"), encoding="utf-8") as f:
                return json.load(f)
        except ValueError as why:
            tap.ok(False, f"list: {name} is JSON", why)
            return {}

    with open(os.path.join(directory, "list-count"), encoding="ascii") as f:
        count = int(f.read())
    overview = read("overview")
    tap.ok(sum(s["events"] for s in overview.get("systems", [])) == count + 1,
           "list: the systems have all events")
    names = [c["name"] for c in overview.get("kernel", {}).get("capabilities", [])]
    tap.ok("hist_triggers" in names and len(set(names)) == len(names) == 35,
           "list: the capabilities", names)
    events = read("events").get("events", [])
    tap.ok(len(events) == count + 1 and all(len(e["fields"]) >= 8 for e in events),
           "list: all events with their fields", len(events))
    tap.ok({f["type"] for e in events if e["event"] == "sched:sched_switch"
            for f in e["fields"] if f["name"] == "prev_comm"} == {"char[16]"}, "list: a type")
    presets = read("presets").get("presets", [])
    tap.ok(len(presets) >= 30 and not any(p["error"] for p in presets), "list: presets",
           presets)
    hists = read("hists").get("hists", [])
    tap.ok([(h["instance"], h["event"]) for h in hists] ==
           [(None, "raw_syscalls:sys_exit")] + [("theirs", "sched:sched_switch")] * 2 and
           all(h["hits"] > 0 for h in hists), "list: histograms of others", hists)


# Each guest script that sends files, and what looks at them.
CHECKS = {
    "20-record": lambda tap, program, directory: (events(tap, directory), stopped(tap, directory)),
    "30-kinds": lambda tap, program, directory: (kinds(tap, program, directory),
                                                 odd(tap, program, directory)),
    "35-list": lambda tap, program, directory: lists(tap, directory),
    "40-conserve": lambda tap, program, directory: (conserve(tap, program, directory),
                                                    set_up(tap, program, directory)),
    "80-presets": lambda tap, program, directory:
        verify_presets.check(tap, lambda path: Report(program, path).json(), directory),
    "81-preset-loads": lambda tap, program, directory:
        verify_presets.check_loads(tap, lambda path: Report(program, path).json(), directory),
    "87-replay": lambda tap, program, directory:
        verify_replay.check(tap, program, lambda path: total(program, path), directory),
    "88-replay-presets": lambda tap, program, directory:
        verify_replay.check_presets(tap, program, lambda path: total(program, path), directory),
}


def main():
    program, directory, first, *scripts = sys.argv[1:]
    tap = Tap(int(first))
    for script in scripts:
        name = os.path.basename(script).removesuffix(".sh")
        if name in CHECKS:
            try:
                CHECKS[name](tap, program, directory)
            except OSError as why:
                tap.ok(False, f"{name} sent its files", why)
    print(f"# verify: {tap.failed} failed")
    return 1 if tap.failed else 0


if __name__ == "__main__":
    sys.exit(main())

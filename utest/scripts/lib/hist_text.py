#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0
"""
hist_text.py [--cells] [--format FILE] [--strings FIELD,...] HIST_FILE

Read the text of a tracefs `hist` file and print what it says.

This is the tests' second opinion: it shares nothing with lib/histfile/hist_text.c.  It goes
by the kernel's print formats too (hist_trigger_print_key() and its
neighbours in kernel/trace/trace_events_hist.c), but makes a regular expression
of them and leaves the searching to Python.

Without --cells: JSON with one element a block, whose rows look like those of
`trace-cmd hist report --format json`, but that all numbers are plain integers:
  {"blocks": [{"trigger": "hist:...", "paused": false, "hits": 1, "entries": 1,
    "dropped": 0, "rows": [{"key": {..}, "key_id": {..}, "value": {..}}]}]}
With --cells: one line a row, "KEY KEY.. | VALUE..", for the unit tests.

--format FILE  the event's format file: which fields are signed, which are strings
--strings      fields that are strings, where there is no format file; without
               either a plain key is a string if its first row is no number
"""
import argparse
import json
import re
import sys

HEADER = b"# event histogram\n#\n# trigger info: "
U64 = (1 << 64) - 1
OLD_NAMES = {"stacktrace": "common_stacktrace",
             # 6.16 and later print the name of a CPU twice
             "common_cpucommon_cpu": "common_cpu", "common_cpucpu": "common_cpu",
             "common_cpuCPU": "common_cpu"}


class Bad(Exception):
    pass


class Fields:
    """What the format file says of an event's fields."""

    def __init__(self, path=None, strings=()):
        self.types = {}
        self.sizes = {}
        self.known = path is not None
        for name in strings:
            self.types[name] = ("string", False)
        if path is None:
            return
        with open(path, encoding="utf-8", errors="replace") as f:
            text = f.read()
        line = re.compile(r"field:(.*?)\s*(\w+)(\[[^\]]*\])?;\s*offset:\d+;\s*size:(\d+);\s*signed:(\d)")
        for ctype, name, array, size, signed in line.findall(text):
            is_array = bool(array) or "__data_loc" in ctype or "__rel_loc" in ctype
            kind = "string" if "char" in ctype and is_array else "number"
            self.types[name] = (kind, signed == "1" and kind == "number")
            self.sizes[name] = int(size)
        self.types["common_pid"] = ("number", True)

    def is_string(self, name):
        """True, False, or None where nothing is known."""
        if name in self.types:
            return self.types[name][0] == "string"
        if name == "common_comm":
            return True
        if self.known or name.startswith("common_") or name == "cpu":
            return False
        return None

    def is_signed(self, name):
        return self.types.get(name, ("number", False))[1]


class Key:
    def __init__(self, spec, fields):
        name, _, modifier = spec.partition(".")
        # 6.1 has the old name: we go by the new one
        self.name = OLD_NAMES.get(name, name)
        self.modifier, _, bucket = modifier.partition("=")
        self.bucket = int(bucket, 0) if bucket else 0
        self.signed = fields.is_signed(self.name)
        # what order_base_2() makes of numbers below zero
        self.negative = (64 if fields.sizes.get(self.name, 4) > 4 else 32) if self.signed else None
        if self.modifier in ("hex", "sym", "sym-offset", "log2"):
            self.kind = self.modifier
        elif self.modifier in ("execname", "syscall", "buckets", "stacktrace"):
            self.kind = self.modifier
        elif self.name == "common_stacktrace":
            self.kind = "stacktrace"
        else:
            self.kind = {True: "string", False: "number", None: "unknown"}[fields.is_string(self.name)]

    def pattern(self):
        """A regular expression with the groups that value() takes."""
        name = {"common_cpu": rb"(?:(?:common_)?cpu|CPU)",
                "common_comm": rb"(?:(?:common_)?comm|COMM)"}.get(
                    self.name, re.escape(self.name.encode())) + b": "

        def padded(width):
            return b"(.{%d}|.{%d,1024}?)" % (width, width + 1)

        number = rb"(?=.{10}) *(\d+)"
        if self.kind == "number":
            return name + number
        if self.kind == "string":
            return name + padded(50)
        if self.kind == "hex":
            return name + rb"([0-9a-f]+)"
        if self.kind == "sym":
            return name + rb"\[([0-9a-f]+)\] " + padded(45)
        if self.kind == "sym-offset":
            return name + rb"\[([0-9a-f]+)\] " + padded(55)
        if self.kind == "execname":
            return name + rb"(.{16,}?)\[ *(\d+)\]"
        if self.kind == "syscall":
            return name + rb"([^\[]{30,}?)\[ *(\d+)\]"
        if self.kind == "log2":
            return name + rb"~ 2\^(\d |\d\d)"
        if self.kind == "buckets":
            return name + rb"~ (\d+)-(\d+)"
        frames = rb"((?: {9}[^\n]+\n)*)"
        if self.name == "common_stacktrace":
            return rb"(?:common_)?stacktrace:\n" + frames
        return re.escape(self.name.encode()) + rb"\.stacktrace" + frames

    def groups(self):
        return 2 if self.kind in ("sym", "sym-offset", "execname", "syscall", "buckets") else 1

    def value(self, groups):
        """(number, string), either may be None."""
        first = groups[0]
        if self.kind == "number":
            return int(first), None
        if self.kind == "string":
            return None, first.rstrip(b" ") if len(first) == 50 else first
        if self.kind == "hex":
            return int(first, 16), None
        if self.kind in ("sym", "sym-offset"):
            return int(first, 16), groups[1].rstrip(b" ")
        if self.kind in ("execname", "syscall"):
            return int(groups[1]), first.rstrip(b" ")
        if self.kind == "log2":
            return int(first), None
        if self.kind == "buckets":
            low, high = int(first), int(groups[1])
            if (high - low + 1) & U64 != self.bucket:
                raise Bad("%s: a range that is not %d wide" % (self.name, self.bucket))
            return low, None
        return None, b"\n".join(line[9:] for line in first.split(b"\n") if line)

    def identity(self, number, string):
        return string if self.kind in ("string", "stacktrace") else number

    def sign(self, number):
        return number - (1 << 64) if self.signed and number >> 63 else number

    def json(self, number, string):
        if self.kind in ("sym", "sym-offset", "syscall", "string"):
            return text(string)
        if self.kind == "execname":
            return {"comm": text(string), "pid": self.sign(number)}
        if self.kind == "stacktrace":
            return [text(frame) for frame in string.split(b"\n") if frame]
        if self.kind == "log2":
            if number == 0:
                return {"ge": 0, "le": 1}
            if self.negative and number >= self.negative:
                return {"ge": -(1 << 63) + 1, "le": -1}
            return {"ge": (1 << number - 1) + 1, "le": min(1 << number, U64)}
        if self.kind == "buckets":
            return {"ge": self.sign(number), "le": self.sign(min(number + self.bucket - 1, U64))}
        return self.sign(number)

    def json_id(self, number):
        if self.kind in ("sym", "sym-offset"):
            return "0x%x" % number
        return self.sign(number) if self.kind == "syscall" else None


class Value:
    def __init__(self, spec, fields):
        name, _, self.modifier = spec.partition(".")
        self.name = OLD_NAMES.get(name, name)
        self.signed = not self.modifier and fields.is_signed(self.name)

    def pattern(self):
        name = b" +" + re.escape(self.name.encode())
        if self.modifier == "percent":
            return name + rb" \(%\):(?: *(\d+\.\d\d)|\[ERROR\])"
        if self.modifier == "graph":
            return name + rb": ( *\[ERROR\]|#* *)(?<=.{20})"
        if self.modifier == "hex":
            return name + rb":(?=.{11}) +([0-9a-f]+)"
        return name + rb":(?=.{11}) +(\d+)"

    def value(self, group):
        if self.modifier == "percent":
            return int(group.replace(b".", b"")) if group else 0
        if self.modifier == "graph":
            return group.count(b"#")
        return int(group, 16 if self.modifier == "hex" else 10)

    def is_sum(self):
        return self.modifier not in ("percent", "graph")

    def title(self):
        return self.name + ("." + self.modifier if self.modifier else "")

    def json(self, value):
        if self.modifier == "percent":
            return value / 100
        return value - (1 << 64) if self.signed and value >> 63 else value


class Saved:
    """The lines that onmax() and onchange() put below a row."""

    @staticmethod
    def title():
        return "saved"

    @staticmethod
    def is_sum():
        return False

    @staticmethod
    def json(value):
        return text(value)


def text(raw):
    return raw.decode("utf-8", errors="replace")


def titles(items, name):
    seen, made = {}, []
    for item in items:
        title = name(item)
        seen[title] = seen.get(title, 0) + 1
        made.append(title if seen[title] == 1 else "%s#%d" % (title, seen[title]))
    return made


class Schema:
    def __init__(self, trigger, fields):
        spec = re.split(r"\sif\s", trigger, maxsplit=1)[0]
        self.keys, self.values, saved = [], [], False
        hitcount, listed = True, []
        for part in spec.split(":")[1:]:
            word, _, rest = part.partition("=")
            if word in ("key", "keys"):
                self.keys = [Key(k, fields) for k in rest.split(",")]
            elif word in ("val", "vals", "values"):
                listed = rest.split(",")
            elif part in ("nohitcount", "NOHC"):
                hitcount = False
            elif re.match(r"on(max|change)\(", part) and not part.endswith(".snapshot()"):
                saved = True
        if hitcount:
            self.values.append(Value("hitcount", fields))
        if "hitcount" in listed:
            listed.remove("hitcount")
        # an expression is accepted as a value, and never printed
        self.values += [Value(v, fields) for v in listed if not re.search(r"[-+*/$]", v)]
        self.saved = saved
        self.key_titles = titles(self.keys, lambda k: k.name)
        self.value_titles = titles(self.values, lambda v: v.title())

    def row(self):
        close = b"}" if any(k.kind == "stacktrace" for k in self.keys) else b" }"
        pattern = rb"\{ " + b", ".join(k.pattern() for k in self.keys) + close
        pattern += b"".join(v.pattern() for v in self.values) + b"\n"
        if self.saved:
            pattern += rb"\t(.*?)\n"
        return re.compile(pattern + rb"(?=\{ |\n|\Z)", re.DOTALL)

    def settle(self, rows):
        """Number or string?  By the first row, key by key from the left."""
        for key in self.keys:
            if key.kind != "unknown":
                continue
            key.kind = "number"
            if rows.startswith(b"{ ") and not self.row_prefix(key).match(rows):
                key.kind = "string"

    def row_prefix(self, last):
        i = self.keys.index(last)
        more = b", " if i + 1 < len(self.keys) else rb" ?\}"
        return re.compile(rb"\{ " + b", ".join(k.pattern() for k in self.keys[:i + 1]) + more,
                          re.DOTALL)


class Block:
    def __init__(self, raw, fields):
        line, _, rest = raw.partition(b"\n#\n\n")
        self.paused = line.endswith(b" [paused]")
        self.trigger = re.sub(rb" \[(active|paused)\]\Z", b"", line).decode()
        schema = self.schema = Schema(self.trigger, fields)
        totals = rest.rfind(b"\nTotals:\n")
        found = re.fullmatch(rb"\nTotals:\n    Hits: (\d+)\n    Entries: (\d+)\n    Dropped: (\d+)\n+",
                             rest[totals:]) if totals >= 0 else None
        if not found:
            raise Bad("no totals")
        self.hits, self.entries, self.dropped = (int(n) for n in found.groups())
        schema.settle(rest)
        self.read_rows(rest[:totals])

    def read_rows(self, rows):
        schema, at, self.printed, self.rows = self.schema, 0, 0, {}
        pattern = schema.row()
        while rows.startswith(b"{ ", at):
            found = pattern.match(rows, at)
            if not found:
                raise Bad("not a row: %r" % rows[at:at + 80])
            at, groups = found.end(), list(found.groups())
            self.printed += 1
            cells = []
            for key in schema.keys:
                cells.append(key.value(groups[:key.groups()]))
                del groups[:key.groups()]
            values = [v.value(g) for v, g in zip(schema.values, groups)]
            if schema.saved:
                values.append(groups[-1].rstrip(b" "))
            ident = tuple(k.identity(*c) for k, c in zip(schema.keys, cells))
            if ident in self.rows:
                cells, before = self.rows[ident]
                for i, value in enumerate(schema.values):
                    if value.is_sum():
                        values[i] = (values[i] + before[i]) & U64
            self.rows[ident] = (cells, values)
        rest = rows[at:]
        if rest and not (rest.startswith(b"\nSnapshot taken (see tracing/snapshot).  Details:\n")
                         and ".snapshot(" in self.trigger):
            raise Bad("neither row nor totals: %r" % rest[:80])

    def json(self):
        schema, rows = self.schema, []
        kinds = schema.values + ([Saved] if schema.saved else [])
        names = schema.value_titles + (["saved"] if schema.saved else [])
        for cells, values in self.rows.values():
            row = {"key": {t: k.json(*c) for t, k, c in zip(schema.key_titles, schema.keys, cells)}}
            ids = {t: k.json_id(c[0]) for t, k, c in zip(schema.key_titles, schema.keys, cells)}
            ids = {t: v for t, v in ids.items() if v is not None}
            if ids:
                row["key_id"] = ids
            row["value"] = {t: k.json(v) for t, k, v in zip(names, kinds, values)}
            rows.append(row)
        return {"trigger": self.trigger, "paused": self.paused, "hits": self.hits,
                "entries": self.entries, "dropped": self.dropped, "rows": rows}

    def cells(self):
        yield "block %s" % escape(self.trigger.encode())
        yield "paused %d hits %d entries %d dropped %d rows %d" % (
            self.paused, self.hits, self.entries, self.dropped, len(self.rows))
        for cells, values in self.rows.values():
            line = []
            for number, string in cells:
                line.append("-" if number is None else str(number))
                line.append("-" if string is None else '"%s"' % escape(string))
            shown = ['"%s"' % escape(v) if isinstance(v, bytes) else str(v) for v in values]
            yield " ".join(line) + " | " + " ".join(shown)


def escape(raw):
    return "".join(chr(c) if 32 <= c < 127 and c not in b'"\\' else "\\x%02x" % c for c in raw)


def parse(raw, fields):
    """The blocks of a hist file."""
    if not raw.strip(b"\n"):
        return []
    if not raw.startswith(HEADER):
        raise Bad("no header")
    parts = re.split(rb"(?<=\n)\n\n" + re.escape(HEADER), raw[len(HEADER):])
    return [Block(part, fields) for part in parts]


def main():
    args = argparse.ArgumentParser()
    args.add_argument("--cells", action="store_true")
    args.add_argument("--format")
    args.add_argument("--strings", default="")
    args.add_argument("file")
    args = args.parse_args()
    fields = Fields(args.format, [s for s in args.strings.split(",") if s])
    try:
        with open(args.file, "rb") as f:
            blocks = parse(f.read(), fields)
    except (OSError, Bad) as error:
        sys.exit("hist_text.py: %s: %s" % (args.file, error))
    if args.cells:
        for block in blocks:
            print("\n".join(block.cells()))
    else:
        json.dump({"blocks": [block.json() for block in blocks]}, sys.stdout, indent=1)
        print()


if __name__ == "__main__":
    main()

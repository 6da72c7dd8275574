#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0
"""
diff_formats.py JSON MARKDOWN JUNIT KTAP [TEXT]: do the formats of one comparison say the same?

Each is read by a reader of its own: markdown by cmark-gfm, GitHub's, and its HTML by
Python's; JUnit by an XML parser; KTAP line by line after Documentation/dev-tools/ktap.rst.
The JSON is what they are held against: each key with its verdict, and its name, as text.
So are the numbers of its keys by verdict, and the verdict of the whole.  Exit status 0 if so.
"""
import html
import html.parser
import json
import re
import subprocess
import sys
import urllib.parse
import xml.etree.ElementTree

OUTCOME = {"pass": "ok", "improved": "ok", "inconclusive": "skip", "regressed": "bad",
           "incomparable": "bad"}


def from_json(path):
    """{histogram: (verdict, [(key, verdict)])}"""
    with open(path, encoding="utf-8") as f:
        doc = json.load(f)
    return {h["name"]: (h["verdict"], [(k["key"], k["verdict"]) for k in h["keys"]])
            for h in doc["histograms"]}


def hints(path):
    """each hint of a histogram or a metric; a reason never contains one"""
    with open(path, encoding="utf-8") as f:
        doc = json.load(f)
    assert "\\n" not in json.dumps(doc)
    found = [*doc["histograms"]]
    for h in doc["histograms"]:
        found += [m for k in h["keys"] for m in k["metrics"]]
    return {part["hint"] for part in found if "hint" in part}


def counts(path):
    """[the keys in all, and by verdict, as the other formats count them] of each histogram"""
    with open(path, encoding="utf-8") as f:
        doc = json.load(f)
    return [[h["keys_total"], *(h["counts"][v] for v in ("regressed", "inconclusive", "improved",
                                                         "pass"))]
            for h in doc["histograms"] if h["keys_total"]]


def counted(text):
    """the same, from the lines of another format"""
    made = []
    for total, rest in re.findall(r"(?:^|[ >])(\d+) keys?((?:[:,] \d+ [a-z ]+)+)", text, re.M):
        named = {name: int(n) for n, name in re.findall(r"(\d+) ([a-z ]+)", rest)}
        made.append([int(total), *(named.get(v, 0) for v in ("regressed", "inconclusive",
                                                             "improved", "pass"))])
    return made


def whole(outcomes, verdict):
    """the comparison is as bad as the worst of its tests"""
    worst = max(outcomes, key=("ok", "skip", "bad").index)
    assert worst == OUTCOME[verdict], (worst, verdict)


def from_junit(path):
    """{histogram: [(key, outcome)]}, after a look at the sums"""
    root = xml.etree.ElementTree.parse(path).getroot()
    made = {}
    total = {"failures": 0, "errors": 0, "tests": 0}
    for suite in root.findall("testsuite"):
        cases = []
        for case in suite.findall("testcase"):
            assert case.get("classname") == suite.get("name")
            found = [c.tag for c in case if c.tag in ("failure", "error", "skipped")]
            cases.append((case.get("name"), {"failure": "bad", "error": "bad", "skipped": "skip"}
                          .get(found[0] if found else "", "ok")))
        for name, tag in (("failures", "failure"), ("errors", "error"), ("skipped", "skipped")):
            assert int(suite.get(name)) == len(suite.findall(f"testcase/{tag}")), name
        assert int(suite.get("tests")) == len(cases)
        for name in total:
            total[name] += int(suite.get(name))
        if suite.get("name") != "notes" or cases:
            made[suite.get("name")] = cases
    for name, value in total.items():
        assert int(root.get(name)) == value, name
    return made


def ktap_level(lines, at, indent):
    """[(name, outcome, children)] from line @at on, and the line behind"""
    pad = " " * indent
    assert lines[at] == pad + "KTAP version 1", lines[at]
    plan = re.fullmatch(pad + r"1\.\.(\d+)", lines[at + 1])
    assert plan, lines[at + 1]
    results, children = [], []
    at += 2
    while at < len(lines) and lines[at].startswith(pad):
        line = lines[at][indent:]
        if line.startswith("  ") and line.lstrip().startswith("KTAP version"):
            children, at = ktap_level(lines, at, indent + 2)
            continue
        at += 1
        if line.lstrip().startswith("#"):
            continue
        # kunit_parser.py: a description has no '#'
        result = re.fullmatch(r"(ok|not ok) (\d+) ([^#]*?)(?: # (SKIP) .*)?", line)
        assert result, line
        assert int(result[2]) == len(results) + 1, line
        outcome = "skip" if result[4] else "ok" if result[1] == "ok" else "bad"
        results.append((urllib.parse.unquote(result[3]), outcome, children))
        children = []
    assert len(results) == int(plan[1]), f"{len(results)} of {plan[1]}"
    return results, at


def from_ktap(path):
    with open(path, encoding="utf-8") as f:
        lines = f.read().split("\n")
    assert lines.pop() == ""
    results, at = ktap_level(lines, 0, 0)
    assert at == len(lines), lines[at]
    return {name: (outcome, [(n, o) for n, o, _ in children])
            for name, outcome, children in results}


class Page(html.parser.HTMLParser):
    """Headings of histograms, and the first <code> of each row with a key and its verdicts"""

    def __init__(self):
        super().__init__()
        self.histograms, self.rows, self.cells, self.text = {}, None, None, None
        self.tags = set()

    def handle_starttag(self, tag, attrs):
        self.tags.add(tag)
        if tag in ("h4", "td"):
            self.text = ""
        elif tag == "tr":
            self.cells = []

    def handle_endtag(self, tag):
        if tag == "h4":
            self.rows = self.histograms.setdefault(self.text, [])
        elif tag == "td":
            self.cells.append(self.text)
        elif tag == "tr" and self.cells:
            assert len(self.cells) == 6, self.cells
            self.rows.append(self.cells)

    def handle_data(self, data):
        if self.text is not None:
            self.text += data


def from_markdown(path):
    """{histogram: {keys}}, and the tags that were used"""
    made = subprocess.run(["cmark-gfm", "-e", "table", "-e", "autolink", "-e", "strikethrough",
                           "--unsafe", path], check=True, capture_output=True, text=True).stdout
    page = Page()
    page.feed(made)
    histograms = {}
    for title, rows in page.histograms.items():
        name = re.fullmatch(r":\w+: (.*) (\w+)", title)
        keys = [re.sub(r" (was .*|\((added|removed)\))$", "", row[0]) for row in rows if row[0]]
        histograms[name[1]] = (name[2], keys)
    return histograms, page.tags


def main():
    wanted = from_json(sys.argv[1])
    with open(sys.argv[1], encoding="utf-8") as f:
        verdict = json.load(f)["verdict"]
    markdown, tags = from_markdown(sys.argv[2])
    junit, ktap = from_junit(sys.argv[3]), from_ktap(sys.argv[4])

    whole([o for cases in junit.values() for _, o in cases], verdict)
    whole([o for o, _ in ktap.values()], verdict)
    assert junit.pop("notes", None) is None or "comparison" in ktap
    ktap.pop("comparison", None)
    assert list(junit) == list(wanted), list(junit)
    assert list(ktap) == list(wanted), list(ktap)
    assert list(markdown) == list(wanted), list(markdown)
    known = {"h3", "h4", "p", "code", "br", "table", "thead", "tbody", "tr", "th", "td", "sub",
             "strong", "blockquote", "details", "summary"}
    assert tags <= known, tags - known
    for name, (verdict, keys) in wanted.items():
        outcomes = [(key, OUTCOME[v]) for key, v in keys]
        assert junit[name] == (outcomes or [(name, OUTCOME[verdict])]), junit[name]
        assert ktap[name] == (OUTCOME[verdict], outcomes), ktap[name]
        assert markdown[name][0] == verdict, markdown[name]
        assert sorted(markdown[name][1]) == sorted(key for key, _ in keys), markdown[name]
    for path in sys.argv[2:]:
        with open(path, encoding="utf-8") as f:
            text = html.unescape(f.read())
        for hint in hints(sys.argv[1]):
            # text has only the first reason of each histogram
            assert hint in text or [path] == sys.argv[5:6], f"{path}: {hint}"
        assert counted(text) == counts(sys.argv[1]), f"{path}: {counted(text)}"
    with open(sys.argv[2], encoding="utf-8") as f:
        passed = re.findall(r"<summary>(\d+) passed", f.read())
    # no number if no key passed
    assert set(map(int, passed)) <= {c[-1] for c in counts(sys.argv[1])}, passed


main()

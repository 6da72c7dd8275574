#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0
"""html_browser.py HTML JSON [PICTURES]: an HTML report in headless Chromium

Speaks WebDriver with chromedriver, over the loopback device. Compares what the page
shows with the JSON report of the same file, sorts and filters its tables, at two
widths, in light and dark. Prints TAP. With PICTURES keeps a screenshot of each there.
"""
import base64
import json
import os
import re
import subprocess
import sys
import tempfile
import urllib.request

count = failed = 0


def ok(good, name, why=""):
    global count, failed
    count += 1
    print(f"{'ok' if good else 'not ok'} {count} - {name}")
    if not good:
        failed += 1
        print("# " + str(why)[:2000].replace("\n", "\n# "))


def same(name, got, expected):
    ok(got == expected, name, f"got {got!r}, expected {expected!r}")


class Browser:
    def __init__(self, profile):
        self.driver = subprocess.Popen(["chromedriver", "--port=0"], text=True,
                                       stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
        self.session = None
        for line in self.driver.stdout:
            if "started successfully on port" in line:
                port = int(line.strip().rstrip(".").split()[-1])
                self.url = f"http://127.0.0.1:{port}"
                break
        else:
            sys.exit("html_browser.py: chromedriver: did not start")
        args = ["--headless=new", "--disable-gpu", f"--user-data-dir={profile}"]
        if os.getuid() == 0:
            args.append("--no-sandbox")
        caps = {"browserName": "chrome", "goog:chromeOptions": {"args": args},
                "goog:loggingPrefs": {"browser": "ALL"}}
        self.session = self.call("/session", {"capabilities": {"alwaysMatch": caps}})["sessionId"]

    def call(self, path, body=None, method=None):
        where = self.url + (f"/session/{self.session}" if self.session else "") + path
        data = None if body is None else json.dumps(body).encode()
        request = urllib.request.Request(where, data, {"Content-Type": "application/json"},
                                         method=method)
        with urllib.request.urlopen(request, timeout=60) as answer:
            return json.load(answer)["value"]

    def run(self, script, *args):
        return self.call("/execute/sync", {"script": script, "args": list(args)})

    def devtools(self, command, **params):
        return self.call("/goog/cdp/execute", {"cmd": command, "params": params})

    def click(self, selector):
        element = self.call("/element", {"using": "css selector", "value": selector})
        self.call(f"/element/{next(iter(element.values()))}/click", {})

    def close(self):
        try:
            if self.session:
                self.call("", method="DELETE")
        finally:
            self.driver.terminate()
            self.driver.wait()
            self.driver.stdout.close()


ROWS = """return Array.from(document.querySelector(arguments[0]).tBodies[0].rows, row =>
    Array.from(row.cells, cell => "v" in cell.dataset ? cell.dataset.v : cell.textContent))"""


EXACT = """return Array.from(document.querySelector(arguments[0]).tBodies[0].rows, row =>
    Array.from(row.cells, cell => cell.title || cell.textContent))"""
SHOWN = """return Array.from(document.querySelector(arguments[0]).tBodies[0].rows, row =>
    Array.from(row.cells, cell => cell.textContent))"""


def number_of(key):
    """What a key's cell sorts by, where it is a number."""
    return str(key["ge"]) if isinstance(key, dict) and "ge" in key else None


def check_table(page, n, hist):
    """Every count of the last snapshot is in the table, once."""
    rows = page.run(ROWS, f"#rows-{n}")
    snap = hist["snapshots"][-1]
    keys, values = len(hist["keys"]), [v for v in hist["values"]]
    kinds = page.run("return Array.from(document.querySelector(arguments[0]).tHead.rows[0].cells,"
                     " c => c.className)", f"#rows-{n}")
    name = hist["name"]
    for i, value in enumerate(values):
        if kinds[keys + i] != "n" or any(not isinstance(r["value"][value], (int, str))
                                         for r in snap["rows"]):
            continue
        same(f"{name}: the table has the {value} of all rows",
             sorted(int(r[keys + i]) for r in rows),
             sorted(int(r["value"][value]) for r in snap["rows"]))
    # of stacks the functions; the offsets are in the title
    stacks = any(k["modifier"] == "stacktrace" for k in hist["keys"])
    shown = [tuple(r[:keys]) for r in page.run(EXACT if stacks else SHOWN, f"#rows-{n}")]
    same(f"{name}: no two rows read the same", len(shown) - len(set(shown)), 0)
    exact = page.run(EXACT, f"#rows-{n}")
    for i in (i for i in range(keys) if kinds[i] == "n"):
        same(f"{name}: the table shows all digits of {hist['keys'][i]['name']}",
             [r[i] for r, e in zip(rows, exact)
              if e[i] != "negative" and re.match("-?[0-9]+", e[i]).group() != r[i]], [])
    for i, key in enumerate(hist["keys"]):
        wanted = [number_of(r["key"][key["name"]]) for r in snap["rows"]]
        if all(wanted):
            same(f"{name}: the table has the {key['name']} of all rows",
                 sorted(r[i] for r in rows), sorted(wanted))
    facts = page.run("return ['hits', 'dropped', 'entries'].map(f => document.querySelector("
                     "arguments[0] + ' .fact-' + f).textContent.replaceAll(',', ''))", f"#h{n}")
    same(f"{name}: the page shows the hits, dropped hits and entries", facts,
         [str(snap["hits"]), str(snap["dropped"]), str(snap["entries"])])


def check_sort(page, n, hist):
    column = len(hist["keys"])
    head = f"#rows-{n} th:nth-child({column + 1})"
    page.run("document.querySelector(arguments[0]).scrollIntoView()", f"#rows-{n}")
    for order in "descending", "ascending":
        page.click(head + " button")
        got = [int(r[column]) for r in page.run(ROWS, f"#rows-{n}")]
        same(f"{hist['name']}: a click sorts {order}", got, sorted(got, reverse=order[0] == "d"))
        same(f"{hist['name']}: the sorted column is marked {order}",
             page.run("return document.querySelector(arguments[0])"
                                     ".getAttribute('aria-sort')", head), order)


def main():
    html, data, pictures = sys.argv[1], sys.argv[2], (sys.argv + [None])[3]
    with open(data, encoding="utf-8") as f:
        hists = json.load(f)["histograms"]
    with tempfile.TemporaryDirectory(prefix="html-browser.") as profile:
        page = Browser(profile)
        try:
            page.call("/url", {"url": "file://" + os.path.abspath(html)})
            title = page.run("return document.title")
            ok(title.startswith("Histograms of "), "the title names histograms", title)
            same("the page has a section for each histogram",
                 page.run("return Array.from(document.querySelectorAll('h2'), h => h.textContent)"),
                 [h["name"] for h in hists])
            same("names add no elements to the page", page.run(
                "return document.querySelectorAll('img, iframe, object, b, i, script:not(body > script)')"
                ".length"), 0)
            same("the page has one script", page.run("return document.scripts.length"), 1)
            same("ids are unique", page.run(
                "const ids = Array.from(document.querySelectorAll('[id]'), e => e.id);"
                "return ids.length - new Set(ids).size"), 0)
            same("the elements that labels refer to exist", page.run(
                "return Array.from(document.querySelectorAll('[aria-labelledby]')).flatMap(e =>"
                " e.getAttribute('aria-labelledby').split(' ')).filter(i =>"
                " !document.getElementById(i))"), [])
            for n, hist in enumerate(hists, 1):
                check_table(page, n, hist)
            check_sort(page, 1, hists[0])
            same("the filter shows only matching rows", page.run(
                "const input = document.querySelector('#h1 input'), rows = () => Array.from("
                "document.querySelector('#rows-1').tBodies[0].rows).filter(r => !r.hidden);"
                "const wanted = rows()[0].cells[0].textContent; input.value = wanted;"
                "input.dispatchEvent(new Event('input'));"
                "const bad = rows().filter(r => !r.textContent.toLowerCase().includes("
                "wanted.toLowerCase())).length, shown = rows().length; input.value = '';"
                "input.dispatchEvent(new Event('input')); return [bad, shown > 0]"), [0, True])
            backgrounds = set()
            for width in 400, 1400:
                for scheme in "light", "dark":
                    page.devtools("Emulation.setDeviceMetricsOverride", width=width, height=900,
                                  deviceScaleFactor=1, mobile=False)
                    page.devtools("Emulation.setEmulatedMedia", features=[
                        {"name": "prefers-color-scheme", "value": scheme}])
                    same(f"the {scheme} page needs no sideways scrolling at {width} pixels",
                         page.run(
                        "return document.documentElement.scrollWidth > innerWidth"), False)
                    backgrounds.add((scheme, page.run(
                        "return getComputedStyle(document.querySelector('.hist')).backgroundColor +"
                        " getComputedStyle(document.querySelector('.chart text')).fill")))
                    if pictures:
                        shot = page.devtools("Page.captureScreenshot", captureBeyondViewport=True,
                                             clip={"x": 0, "y": 0, "width": width, "height": 2400,
                                                   "scale": 1})
                        with open(f"{pictures}/{width}-{scheme}.png", "wb") as f:
                            f.write(base64.b64decode(shot["data"]))
            for width in 640, 1110, 1172:
                page.devtools("Emulation.setDeviceMetricsOverride", width=width, height=900,
                              deviceScaleFactor=1, mobile=False)
                same(f"no half chart is cut at {width} pixels", page.run(
                    "return Array.from(document.querySelectorAll('.half .scroll'), e =>"
                    " e.scrollWidth - e.clientWidth).filter(n => n > 0)"), [])
            same("no text leaves its chart", page.run(
                "return Array.from(document.querySelectorAll('.chart text')).filter(t => {"
                "const box = t.getBBox(), all = t.ownerSVGElement.viewBox.baseVal;"
                "return box.x < 0 || box.x + box.width > all.width ||"
                " box.y + box.height > all.height}).map(t => t.textContent)"), [])
            same("colours depend on the scheme and not on the width", len(backgrounds), 2)
            same("the two schemes have different colours", len({b[1] for b in backgrounds}), 2)
            same("the browser logs nothing on the console",
                 page.call("/se/log", {"type": "browser"}), [])
        finally:
            page.close()
    print(f"1..{count}")
    sys.exit(failed != 0)


main()

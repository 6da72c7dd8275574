#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0
"""http_get.py URL [ACCEPT [METHOD]]: the status, the headers, an empty line, and the body."""
import sys
import urllib.error
import urllib.request

url, accept, method = (sys.argv[1:] + ["", "GET"])[:3] if len(sys.argv) < 4 else sys.argv[1:]
request = urllib.request.Request(url, headers={"Accept": accept} if accept else {}, method=method)
try:
    answer = urllib.request.urlopen(request, timeout=30)
except urllib.error.HTTPError as error:
    answer = error
head = f"{answer.status}\n" + "".join(f"{k}: {v}\n" for k, v in answer.headers.items())
sys.stdout.buffer.write(head.encode() + b"\n" + answer.read())

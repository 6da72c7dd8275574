#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0
"""
quantiles.py - makes quantiles.txt, what quantile_test.c expects

    ./quantiles.py >quantiles.txt

Not needed to run the tests.  The quantiles are those of numpy (1.24.2), of the
raw numbers and not of buckets:

    numpy.percentile(numbers, percentage, method='inverted_cdf')

numpy computes the rank in floating point; each value is compared here with the
definition in exact fractions.  The interval of a quantile is that of the bucket
which the number lies in, written down from the definition of the buckets:
log2 is (2^(n-1), 2^n], with 0 and 1 in one; buckets=N is [k * N, k * N + N - 1],
where the kernel takes a number below zero for 2^64 more.

Lines of quantiles.txt:
    set NAME BUCKET     the numbers that follow, and the N of buckets=N
    n NUMBER COUNT      so often this number
    q MILLIONTHS NUMBER LOW2 HIGH2 LOW HIGH
                        the quantile; its log2 bucket, 0 0 below zero; its bucket of N
"""
import math
import random
from collections import Counter
from fractions import Fraction

import numpy

PERCENTAGES = ["0", "0.0001", "1", "10", "25", "50", "75", "90", "95", "99", "99.9", "99.99", "100"]


def log2(number):
    if number < 0:
        return 0, 0
    if number <= 1:
        return 0, 1
    n = (number - 1).bit_length()
    return 2 ** (n - 1) + 1, 2**n


def bucket(number, size):
    start = number % 2**64 // size * size
    end = min(start + size - 1, 2**64 - 1)
    if number < 0:
        start, end = start - 2**64, end - 2**64
    return start, end


def put(name, size, numbers):
    print(f"set {name} {size}")
    for number, count in sorted(Counter(numbers).items()):
        print(f"n {number} {count}")
    for text in PERCENTAGES:
        p = Fraction(text) / 100
        number = int(numpy.percentile(numpy.array(numbers), float(text), method="inverted_cdf"))
        rank = max(math.ceil(p * len(numbers)), 1)
        assert number == sorted(numbers)[rank - 1], (name, text)
        print("q", int(p * 10**6), number, *log2(number), *bucket(number, size))


random.seed(20260)
put("one", 10, [77])
put("two", 1, [0, 1])
put("quarters", 8, list(range(64)))  # ranks of 25, 50 and 75 are whole: no number further
put("same", 100, [4096] * 1009)
put("edges", 16, [2**n for n in range(20)] + [2**n + 1 for n in range(20)])
put("latency", 500, [int(random.lognormvariate(4.5, 1.3)) for i in range(997)])
put("two_humps", 1000, [int(random.gauss(200, 30)) for i in range(900)] +
    [int(random.gauss(9000, 800)) for i in range(109)])
put("far_tail", 64, [random.randrange(8) for i in range(99990)] + [10**6 + i for i in range(17)])
put("signed", 50, [random.randrange(-300, 300) for i in range(499)])

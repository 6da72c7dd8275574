#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0
# moderated.py - the last lines of values.txt, that stats_test.c and judge_test.c hold the
# moderated t against.
#
#	/usr/bin/python3 utest/data/stats/moderated.py >> utest/data/stats/values.txt
#
# Nothing here is computed as lib/stats.c does: the polygamma functions are sums of their series
# with the tail as an integral, Student's t is its density integrated by Simpson's rule, and
# inverses are found by bisection.  The model is that of Smyth 2004.
import math
import random

EULER = 0.5772156649015329


def digamma(x):
    n = 20000
    head = sum(1 / (k + 1) - 1 / (k + x) for k in range(n))
    # the rest of the sum by Euler and Maclaurin
    a, b = n + 1, n + x
    tail = math.log(b / a) + (1 / a - 1 / b) / 2 + (1 / a**2 - 1 / b**2) / 12
    return -EULER + head + tail


def trigamma(x):
    n = 20000
    b = n + x
    return sum(1 / (k + x)**2 for k in range(n)) + 1 / b + 1 / (2 * b**2) + 1 / (6 * b**3)


def t_tails(t, df):
    """P(|T| >= t), with T = sqrt(df) tan(u), whose density is a power of cos(u)."""
    start, steps = math.atan(abs(t) / math.sqrt(df)), 20000
    norm = 2 * math.exp(math.lgamma((df + 1) / 2) - math.lgamma(df / 2)) / math.sqrt(math.pi)
    width = (math.pi / 2 - start) / steps

    def f(i):
        return math.cos(start + i * width)**(df - 1) if i < steps else float(df == 1)
    odd = sum(f(i) for i in range(1, steps, 2))
    even = sum(f(i) for i in range(2, steps, 2))
    return norm * width / 3 * (f(0) + 4 * odd + 2 * even + f(steps))


def bisect(f, low, high):
    for _ in range(80):
        mid = (low + high) / 2
        if f(mid) > 0:
            low = mid
        else:
            high = mid
    return (low + high) / 2


def prior(variances, dfs):
    e = [math.log(v) - digamma(d / 2) + math.log(d / 2) for v, d in zip(variances, dfs)]
    mean = sum(e) / len(e)
    scatter = sum((x - mean)**2 for x in e) / (len(e) - 1)
    over = scatter - sum(trigamma(d / 2) for d in dfs) / len(e)
    if over <= 0:
        return math.exp(mean), math.inf
    half = math.exp(bisect(lambda x: trigamma(math.exp(x)) - over, -10, 12))
    return math.exp(mean + digamma(half) - math.log(half)), 2 * half


def line(name, *groups):
    print(name, " | ".join(" ".join(repr(float(x)) for x in g) for g in groups))


def pool(scatter):
    """Keys of 5 and 4 runs, their numbers, and what comes out for each: change, interval, p."""
    keys = []
    for key in range(6):
        sigma = .05 * math.exp(scatter * random.gauss(0, 1))
        keys.append([[round(100 * (1.3 if side and not key else 1) *
                            math.exp(random.gauss(0, sigma)), 3) for _ in range(n)]
                     for side, n in ((0, 5), (1, 4))])
    logs = [[[math.log(x) for x in side] for side in key] for key in keys]
    means = [[sum(s) / len(s) for s in key] for key in logs]
    variances = [sum((x - m)**2 for s, m in zip(key, mean) for x in s) / 7
                 for key, mean in zip(logs, means)]
    centre, df = prior(variances, [7] * 6)
    freedom = min(7 + df, 42)
    t95 = bisect(lambda t: t_tails(t, freedom) - .05, 0, 40)
    want = []
    for mean, v in zip(means, variances):
        shrunk = centre if math.isinf(df) else (df * centre + 7 * v) / (df + 7)
        error = math.sqrt(shrunk * (1 / 5 + 1 / 4))
        d = mean[1] - mean[0]
        want += [math.exp(d) - 1, math.exp(d - t95 * error) - 1, math.exp(d + t95 * error) - 1,
                 t_tails(d / error, freedom)]
    line("pool", *(side for key in keys for side in key), want)


if __name__ == "__main__":
    random.seed(20240607)
    for x in [.05, .5, 1, 2.5, 4, 10, 33.3, 500]:
        line("polygamma", [x], [digamma(x), trigamma(x)])
    for n, scatter in [(2, 1), (5, .3), (30, .5), (30, 0), (200, .1)]:
        dfs = [random.choice([4, 7, 8]) for _ in range(n)]
        variances = [round(.01 * math.exp(random.gauss(0, scatter)) *
                           random.gammavariate(d / 2, 2 / d), 8) for d in dfs]
        line("prior", variances, dfs, prior(variances, dfs))
    for scatter in [0, .7, 2]:
        pool(scatter)

#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0
# make.py - values.txt, that stats_test.c and judge_test.c hold our statistics against.
#
#	/usr/bin/python3 utest/data/stats/make.py > utest/data/stats/values.txt
#
# Made with Debian's python3-scipy 1.10.1, python3-numpy 1.24.2 and
# python3-statsmodels 0.13.5; the tests do not need them.  A line is a name and
# groups of numbers with "|" between; the last group is what must come out.
import numpy as np
from scipy import special, stats
from statsmodels.stats.multitest import multipletests
from statsmodels.stats.proportion import proportion_confint


def line(name, *groups):
    print(name, " | ".join(" ".join(repr(float(x)) for x in np.atleast_1d(g)) for g in groups))


def basics():
    for a, b in [(.5, .5), (2, 3), (.5, 40), (1, 1), (9, 1e4), (300, 700), (1e5, 3e5), (3, 1e9)]:
        for x in [1e-8, .01, .2, .5, .75, .99]:
            value = special.betainc(a, b, x)
            if 1e-290 < value:
                line("beta", [a, b, x], value)
    for p in [1e-300, 1e-12, .001, .025, .3, .5, .6, .95, .975, .9999]:
        line("normal", p, stats.norm.ppf(p))
    for df in [.5, 1, 1.7, 2, 3, 4, 8, 30.5, 200, 1e6]:
        for p in [1e-9, .0005, .025, .4, .51, .9, .975, .99999]:
            line("t_quantile", [p, df], stats.t.ppf(p, df))
        for t in [-3, 0, .001, .7, 2, 12]:
            line("t_p", [t, df], 2 * stats.t.sf(abs(t), df))


def binomial():
    for k, n in [(0, 1), (0, 100), (0, 10**6), (1, 2), (1, 1000), (5, 20), (20, 20), (999, 1000),
                 (1234, 56789), (20000, 3 * 10**9), (10**6, 3 * 10**6),
                 (12 * 10**5, 36 * 10**5), (5, 10**12), (10**9 - 3, 10**9)]:
        for confidence in [.9, .95, .999]:
            # two-sided with twice the risk has these one-sided bounds
            low, high = proportion_confint(k, n, 2 * (1 - confidence), method="beta")
            line("binomial", [k, n, confidence], [low if k else 0, high if k < n else 1])


def welch(random):
    for n, m in [(2, 2), (3, 5), (5, 5), (20, 4)]:
        a, b = random.normal(10, 1, n).round(3), random.normal(11, 3, m).round(3)
        line("welch", a, b, stats.ttest_ind(a, b, equal_var=False).pvalue)


def holm(random):
    for p in [[.01, .04, .03, .005], [.5], [.05, .05, .05], [.6, .7, .001, .9, .02],
              random.uniform(0, .02, 30).round(5)]:
        line("holm", p, multipletests(p, method="holm")[1])


def kish(weight):
    return weight.sum()**2 / (weight**2).sum()


def ratio(value, weight):
    """Weighted mean, and its standard error as that of a ratio."""
    n = len(value)
    mean = np.average(value, weights=weight)
    return mean, np.std((value - mean) * weight * n / weight.sum(), ddof=1) / np.sqrt(n)


def change(random):
    for n, m, counts in [(2, 2, 0), (5, 5, 0), (5, 3, 0), (12, 4, 0), (5, 5, 40), (3, 4, 9)]:
        sides, groups = [], []
        for k, factor in [(n, 1), (m, 1.2)]:
            weight = random.uniform(5, 15, k).round(2)
            events = random.poisson(counts * factor * weight / 10) if counts else np.zeros(k)
            value = events / weight if counts else random.normal(50 * factor, 4, k).round(2)
            mean, error = ratio(value, weight)
            relative = (error / mean)**2
            if counts:
                relative = max(relative, 1 / events.sum())
            sides.append((mean, relative, kish(weight) - 1))
            groups += [value, weight, events]
        (a, va, fa), (b, vb, fb) = sides
        df = (va + vb)**2 / (va**2 / fa + vb**2 / fb)
        t = np.log(b / a) / np.sqrt(va + vb)
        reach = stats.t.ppf(.975, df) * np.sqrt(va + vb)
        line("change", *groups, [b / a - 1, b / a * np.exp(-reach) - 1, b / a * np.exp(reach) - 1,
                                 2 * stats.t.sf(abs(t), df)])


def share_above(runs, edge):
    """Share above the edge, and its variance between runs."""
    total = np.array([len(r) for r in runs], float)
    above = np.array([(r > edge).sum() for r in runs], float)
    share, error = ratio(above / total, total)
    return share, error**2, kish(total) - 1, total.sum(), above.sum()


def quantile(random):
    for width, p, n, m in [(1, .5, 5, 5), (10, .5, 5, 4), (10, .9, 3, 5), (25, .99, 5, 5),
                           (200, .5, 5, 5), (50, .999, 4, 4)]:
        base, new = [[np.floor(random.lognormal(np.log(scale) + random.normal(0, .05), .6,
                                                random.integers(60, 120))) for _ in range(k)]
                     for k, scale in [(n, 300), (m, 360)]]
        edges = np.unique(np.floor(np.concatenate(base + new) / width)) * width + width - 1
        ends = []
        for runs in base, new:
            at = np.quantile(np.concatenate(runs), p, method="inverted_cdf") // width * width
            low = high = None
            for edge in edges:
                share, variance, df, total, above = share_above(runs, edge)
                reach = stats.t.ppf(.975, df) * np.sqrt(variance)
                wilson = proportion_confint(above, total, .05, method="wilson")
                if low is None and min(share - reach, wilson[0]) <= 1 - p:
                    low = edge - width + 1
                if edge >= at and high is None and max(share + reach, wilson[1]) <= 1 - p:
                    high = edge
            ends.append((low, at, at + width - 1, np.inf if high is None else high))
        (b0, b1, b2, b3), (n0, n1, n2, n3) = ends
        with np.errstate(divide="ignore"):
            down = np.hypot(np.log(n1 / n0), np.log(b3 / b2))
            up = np.hypot(np.log(n3 / n2), np.log(b1 / b0))
            interval = n1 / b2 * np.exp(-down) - 1, n2 / b1 * np.exp(up) - 1
        shares = [(share_above(base, e), share_above(new, e), e) for e in edges]
        odds = special.logit(1 - p)
        a, b, edge = min((s for s in shares if 0 < s[0][0] + s[1][0] < 2),
                         key=lambda s: abs(special.logit((s[0][0] + s[1][0]) / 2) - odds))
        both = (a[4] + b[4]) / (a[3] + b[3])
        variance = max(a[1] + b[1], both * (1 - both) * (1 / a[3] + 1 / b[3]))
        df = (a[1] + b[1])**2 / (a[1]**2 / a[2] + b[1]**2 / b[2])
        line("quantile", [p, width, n, m], *base, *new,
             [b1, b2, n1, n2, *interval, edge, a[0], b[0],
              2 * stats.t.sf(abs(b[0] - a[0]) / np.sqrt(variance), df)])


if __name__ == "__main__":
    seeded = np.random.default_rng(20240607)
    basics()
    binomial()
    welch(seeded)
    holm(seeded)
    change(seeded)
    quantile(seeded)

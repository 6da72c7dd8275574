#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0
# make.py - values.txt, that stats_test.c and judge_test.c hold our statistics against.
#
#	/usr/bin/python3 utest/data/stats/make.py > utest/data/stats/values.txt
#
# Made with Debian's python3-scipy 1.10.1, python3-numpy 1.24.2 and
# python3-statsmodels 0.13.5; the tests do not need them.  moderated.py adds the rest.  A line is a name and
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


def holm(random):
    for p in [[.01, .04, .03, .005], [.5], [.05, .05, .05], [.6, .7, .001, .9, .02],
              random.uniform(0, .02, 30).round(5)]:
        line("holm", p, multipletests(p, method="holm")[1])


if __name__ == "__main__":
    seeded = np.random.default_rng(20240607)
    basics()
    binomial()
    for n in 2, 2, 3, 5, 5, 5, 20, 4:  # so that the numbers stay those of values.txt
        seeded.normal(size=n)
    holm(seeded)

# SPDX-License-Identifier: MIT
"""Student's t, estimates, steadied spreads."""
import math
import random

import scripts_test
from scripts_test import check

from allocbench_results.comparing import holm_level
from allocbench_results.estimate import Estimate, exact, from_interval, from_logs, t_quantile, t_tail
from allocbench_results.steadying import digamma, prior, steadied, trigamma, trigamma_inverse


def _close(found, expected, within=1e-6):
    check(abs(found - expected) <= within * max(1, abs(expected)), found, "is not", expected)


def case_t_quantile(t):
    for p, df, expected in ((0.975, 1, 12.7062047362), (0.975, 4, 2.7764451052),
                            (0.975, 8, 2.3060041352), (0.995, 9, 3.2498355416),
                            (0.9995, 4, 8.6103015813), (0.975, 1e6, 1.9599661), (0.5, 3, 0.0)):
        _close(t_quantile(p, float(df)), expected)


def case_t_tail(t):
    _close(t_tail(2.7764451052, 4.0), 0.025)
    _close(t_tail(-1.0, 1.0), 0.75)
    check(t_tail(50.0, 8.0) > 0, "no tail")


def case_interval_and_back(t):
    logs = [0.1, 0.2, 0.15, 0.3, 0.12]
    estimate = from_logs(logs)
    low, high = estimate.interval()
    again = from_interval(estimate.value, low, high, 5)
    _close(again.mean, estimate.mean)
    _close(again.error, estimate.error)
    check(from_logs([0.1]) is None and from_interval(1, None, None, 5) is None
          and from_interval(1, 1, 1, 1) is None, "an interval out of nothing")


def case_welch(t):
    a, b = Estimate(1.0, 0.1, 4.0), Estimate(0.5, 0.2, 9.0)
    change = a.over(b)
    _close(change.mean, 0.5)
    _close(change.error, math.sqrt(0.05))
    _close(change.df, 0.05 ** 2 / (0.01 ** 2 / 4 + 0.04 ** 2 / 9))
    check(exact(4).over(exact(2)).half_width() == 0, "an exact figure with an error")


def case_holm(t):
    _close(holm_level([0.5, 0.6, 0.7, 0.8]), 0.05 / 4)
    _close(holm_level([0.001, 0.6, 0.7, 0.8]), 0.05 / 4)
    _close(holm_level([0.001, 0.016, 0.7, 0.8]), 0.05 / 3)
    _close(holm_level([0.0, 0.0, 0.0, 0.0]), 0.05)
    _close(holm_level([]), 0.05)


def case_gamma_functions(t):
    _close(digamma(1.0), -0.5772156649)
    _close(trigamma(1.0), math.pi ** 2 / 6)
    _close(trigamma_inverse(trigamma(2.5)), 2.5)


def case_steadied_equal_spreads(t):
    """Rows of one spread end with nearly that spread and many degrees of freedom."""
    generator = random.Random(1)
    rows = [from_logs([generator.gauss(0, 0.1) for _ in range(5)]) for _ in range(200)]
    df, variance = prior(rows)
    check(df > 20, df)
    _close(math.sqrt(variance), 0.1 / math.sqrt(5), within=0.01)
    errors = [row.error for row in steadied(rows)]
    check(max(errors) / min(errors) < 1.6, min(errors), max(errors))


def case_steadied_unequal_spreads(t):
    """Rows that differ a thousandfold in spread keep their own."""
    generator = random.Random(1)
    rows = [from_logs([generator.gauss(0, 10 ** generator.uniform(-3, 0)) for _ in range(5)])
            for _ in range(100)]
    check(prior(rows)[0] < 4, prior(rows))


def case_steadied_few(t):
    rows = [Estimate(0, 0.1, 4.0)] * 3 + [exact(1)]
    check([row.error for row in steadied(rows)] == [0.1, 0.1, 0.1, 0], "few rows were changed")


scripts_test.main(globals())

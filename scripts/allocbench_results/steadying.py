# SPDX-License-Identifier: MIT
"""Spreads of many rows steadied by one another.

Five processes tell little about their own spread: one row in a hundred looks four times as
exact as it is.
Empirical Bayes (Smyth 2004): the variances of the rows are taken for draws from a scaled inverse
chi-square distribution, whose scale and degrees of freedom are estimated from the rows themselves;
each variance moves towards it and gains its degrees of freedom. Where rows differ much in spread,
little moves.
"""
import math

from .estimate import Estimate

ROWS_MIN = 10  # fewer say too little about each other
DF_MAX = 1e4


def digamma(x):
    result = 0.0
    while x < 8:
        result -= 1 / x
        x += 1
    inverse = 1 / (x * x)
    return result + math.log(x) - 0.5 / x - inverse * (1 / 12 - inverse * (1 / 120 - inverse / 252))


def trigamma(x):
    result = 0.0
    while x < 8:
        result += 1 / (x * x)
        x += 1
    inverse = 1 / (x * x)
    return result + 1 / x + inverse / 2 + inverse / x * (1 / 6 - inverse * (1 / 30 - inverse / 42))


def trigamma_inverse(y):
    """The x with trigamma(x) = y, by bisection: trigamma falls."""
    low, high = 1e-3, DF_MAX
    for _ in range(100):
        middle = math.sqrt(low * high)
        low, high = (middle, high) if trigamma(middle) > y else (low, middle)
    return math.sqrt(low * high)


def prior(estimates):
    """(degrees of freedom, variance) of the distribution of the variances."""
    logs = [2 * math.log(e.error) - digamma(e.df / 2) + math.log(e.df / 2) for e in estimates]
    mean = math.fsum(logs) / len(logs)
    own = math.fsum(trigamma(e.df / 2) for e in estimates) / len(estimates)
    spread = math.fsum((x - mean) ** 2 for x in logs) / (len(logs) - 1) - own
    df = DF_MAX if spread <= trigamma(DF_MAX / 2) else min(DF_MAX, 2 * trigamma_inverse(spread))
    return df, math.exp(mean + digamma(df / 2) - math.log(df / 2))


def steadied(estimates):
    """The estimates with steadied errors, in order; as they are where there are too few."""
    known = [e for e in estimates if 0 < e.error and e.df < math.inf]
    if len(known) < ROWS_MIN:
        return list(estimates)
    df, variance = prior(known)
    return [Estimate(e.mean, math.sqrt((df * variance + e.df * e.error ** 2) / (df + e.df)), df + e.df)
            if 0 < e.error and e.df < math.inf else e for e in estimates]

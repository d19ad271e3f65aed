# SPDX-License-Identifier: MIT
"""Estimates on the logarithmic scale, and Student's t without a library.

An Estimate is a mean of logarithms with its standard error and degrees of freedom: what a 95 %
interval of n processes stands for. Products and quotients of independent ones are Welch's.
"""
import functools
import math

CONFIDENCE = 0.95


def _beta_fraction(a, b, x):
    """Continued fraction of the incomplete beta function, by Lentz's method."""
    tiny = 1e-300
    c, d = 1.0, 1 - (a + b) * x / (a + 1)
    d = 1 / (d if abs(d) > tiny else tiny)
    result = d
    for m in range(1, 500):
        step = m * (b - m) * x / ((a + 2 * m - 1) * (a + 2 * m))
        d, c = 1 + step * d, 1 + step / c
        d, c = 1 / (d if abs(d) > tiny else tiny), (c if abs(c) > tiny else tiny)
        result *= d * c
        step = -(a + m) * (a + b + m) * x / ((a + 2 * m) * (a + 2 * m + 1))
        d, c = 1 + step * d, 1 + step / c
        d, c = 1 / (d if abs(d) > tiny else tiny), (c if abs(c) > tiny else tiny)
        result *= d * c
        if abs(d * c - 1) < 1e-14:
            break
    return result


def _incomplete_beta(a, b, x):
    if x <= 0 or x >= 1:
        return 0.0 if x <= 0 else 1.0
    front = math.exp(math.lgamma(a + b) - math.lgamma(a) - math.lgamma(b)
                     + a * math.log(x) + b * math.log1p(-x))
    if x < (a + 1) / (a + b + 2):
        return front * _beta_fraction(a, b, x) / a
    return 1 - front * _beta_fraction(b, a, 1 - x) / b


def t_tail(t, df):
    """P(T > t) of Student's t."""
    if t < 0:
        return 1 - t_tail(-t, df)
    return _incomplete_beta(df / 2, 0.5, df / (df + t * t)) / 2


@functools.lru_cache(maxsize=65536)
def t_quantile(p, df):
    """The t with P(T <= t) = p, for p in [0.5, 1)."""
    low, high = 0.0, 1.0
    while t_tail(high, df) > 1 - p and high < 1e300:
        low, high = high, 2 * high
    for _ in range(200):
        if high - low <= 1e-12 * high:
            break
        middle = (low + high) / 2
        low, high = (middle, high) if t_tail(middle, df) > 1 - p else (low, middle)
    return (low + high) / 2


class Estimate:
    """exp(mean) with its uncertainty. An exact figure has error 0 and endless degrees of freedom."""

    __slots__ = ("mean", "error", "df")

    def __init__(self, mean, error, df):
        self.mean, self.error, self.df = mean, error, df

    @property
    def value(self):
        return _exp(self.mean)

    def half_width(self, alpha=1 - CONFIDENCE):
        if self.error == 0:
            return 0.0
        # Fewer degrees of freedom widen: rounding down is the careful side, and few values to keep.
        df = max(1.0, math.floor(self.df * 10) / 10)
        return t_quantile(1 - alpha / 2, df) * self.error

    def logs(self, alpha=1 - CONFIDENCE):
        half = self.half_width(alpha)
        return self.mean - half, self.mean + half

    def interval(self, alpha=1 - CONFIDENCE, wider=0.0):
        """`wider`: by how much on either side, as a logarithm."""
        low, high = self.logs(alpha)
        return _exp(low - wider), _exp(high + wider)

    def over(self, other):
        """The quotient of two independent estimates (Welch)."""
        a, b = self.error ** 2, other.error ** 2
        if a + b == 0:
            return Estimate(self.mean - other.mean, 0.0, math.inf)
        df = (a + b) ** 2 / (a * a / self.df + b * b / other.df)
        return Estimate(self.mean - other.mean, math.sqrt(a + b), df)

    def times(self, factor):
        """The estimate times an exact factor."""
        return Estimate(self.mean + math.log(factor), self.error, self.df)


def _exp(x):
    return math.exp(min(x, 700.0))


def exact(value):
    return Estimate(math.log(value), 0.0, math.inf)


def from_interval(value, low, high, processes):
    """From a 95 % interval of Student's t with `processes` - 1 degrees of freedom; None where there
    is no interval."""
    if not value or not low or not high or not processes or processes < 2 or high < low:
        return None
    df = float(processes - 1)
    half = (math.log(high) - math.log(low)) / 2
    return Estimate(math.log(value), half / t_quantile((1 + CONFIDENCE) / 2, df), df)


def from_logs(logs):
    """From one logarithm per process; None for fewer than two."""
    n = len(logs)
    if n < 2:
        return None
    mean = math.fsum(logs) / n
    variance = math.fsum((x - mean) ** 2 for x in logs) / (n - 1)
    return Estimate(mean, math.sqrt(variance / n), float(n - 1))


def time_of(row):
    """Nanoseconds of one operation of a row."""
    return from_interval(row.ns_per_op, row.ci_low_ns, row.ci_high_ns, row.processes)


def ratio_of(row):
    """Time of a row over the baseline's in the same rounds."""
    return from_interval(row.ratio, row.ratio_low, row.ratio_high, row.processes)

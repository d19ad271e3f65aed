# SPDX-License-Identifier: MIT
"""How a conclusion of a document is judged.

A claim asks for Checks: each holds an estimate and the range that the claim puts it in. With the whole
95 % interval of every check inside its range the claim is reproduced; with one wholly outside (95 % for
all checks together, by Bonferroni) it is not; in between, or where a figure is missing, it is
unresolved. The claims themselves are in claims_list.py.
"""
import math
import textwrap

from .estimate import Estimate, exact
from .layout import Table
from .units import bound, interval

REPRODUCED, REFUTED, UNRESOLVED = "reproduced", "not reproduced", "unresolved"
ALPHA = 0.05


class Check:
    """`low` and `high` bound the figure. `power`: the figure is the exponent of growth over that factor,
    so that the estimate is of factor ** exponent."""

    def __init__(self, label, estimate, low, high, power=None, missing=""):
        self.label, self.estimate, self.low, self.high = label, estimate, low, high
        self.power = power
        self.missing = missing or "no interval (it takes two processes)"

    def _logs(self):
        if self.power:
            scale = math.log(self.power)
            return self.low * scale, self.high * scale
        return (math.log(self.low) if self.low > 0 else -math.inf,
                math.log(self.high) if self.high < math.inf else math.inf)

    def holds(self):
        if self.estimate is None:
            return False
        low, high = self._logs()
        found_low, found_high = self.estimate.logs(ALPHA)
        return low <= found_low and found_high <= high

    def is_contradicted(self, alpha):
        if self.estimate is None:
            return False
        low, high = self._logs()
        found_low, found_high = self.estimate.logs(alpha)
        return found_high < low or found_low > high

    def text(self):
        if self.estimate is None:
            return "%s: %s" % (self.label, self.missing)
        if self.power:
            scale = math.log(self.power)
            low, high = (log / scale for log in self.estimate.logs(ALPHA))
            value, shown = "%.2f" % (self.estimate.mean / scale), "%.2f to %.2f" % (low, high)
        else:
            value, shown = bound(self.estimate.value), interval(*self.estimate.interval(ALPHA))
        is_exact = self.estimate.error == 0 and self.estimate.df == math.inf
        return "%s: %s" % (self.label, value) if is_exact else "%s: %s (%s)" % (self.label, value, shown)


def missing(what):
    """A check whose figure was not measured."""
    return Check(what, None, 0, math.inf, missing="not measured")


class Claim:
    """`judge(results)` gives [(label of the variant, [Check...])...]."""

    def __init__(self, document, name, text, rule, judge):
        self.document, self.name, self.text, self.rule, self.judge = document, name, text, rule, judge


class Finding:
    def __init__(self, claim, label, checks):
        self.claim, self.label, self.checks = claim, label, checks
        self.verdict = verdict(checks)

    @property
    def title(self):
        return "%s (%s)" % (self.claim.text, self.label) if self.label else self.claim.text

    @property
    def figures(self):
        return "; ".join(check.text() for check in self.checks)


def verdict(checks):
    if checks and all(check.holds() for check in checks):
        return REPRODUCED
    judged = sum(1 for check in checks if check.estimate is not None)
    if any(check.is_contradicted(ALPHA / max(1, judged)) for check in checks):
        return REFUTED
    return UNRESOLVED


def findings(claims, results, documents):
    return [Finding(claim, label, checks) for claim in claims if claim.document in documents
            for label, checks in claim.judge(results)]


def quotient(a, b):
    """a over b, None where one is missing."""
    return a.over(b) if a is not None and b is not None else None


def exact_quotient(a, b):
    """Of two counts that are no samples."""
    if a is None or b is None or float(a) <= 0 or float(b) <= 0:
        return None
    return exact(float(a) / float(b))


def scaled(estimate, factor):
    return estimate.times(factor) if isinstance(estimate, Estimate) else None


# --- how they are shown ---

def _summary(found):
    counts = ["%d %s" % (sum(1 for finding in found if finding.verdict == word), word)
              for word in (REPRODUCED, REFUTED, UNRESOLVED)]
    return "Claims: %s." % ", ".join(counts)


def write_text(found, out):
    for finding in found:
        out.write("%s  %s  %s\n" % (finding.verdict.upper(), finding.claim.document, finding.title))
        for name, text in (("rule", finding.claim.rule), ("figures", finding.figures)):
            out.write(textwrap.fill(text, 100, initial_indent="    %s: " % name,
                                    subsequent_indent="      ", break_long_words=False,
                                    break_on_hyphens=False) + "\n")
    out.write("\n%s\n" % _summary(found))


def as_table(found):
    table = Table("Claims", ["document", "claim", "verdict", "figures (95 % intervals)", "rule", "name"],
                  notes=[_summary(found)])
    for finding in found:
        table.add(finding.claim.document, finding.title, finding.verdict, finding.figures,
                  finding.claim.rule, finding.claim.name)
    return table

# SPDX-License-Identifier: MIT
"""Two runs held against each other, row by row.

What is judged is `ratio` (time over the baseline's in the same rounds), which travels between days and
machines; nanoseconds are shown only. The change of a row is ratio of B over ratio of A, with Welch's
interval on the logarithms; its spread is steadied by that of the scenario's other rows (steadying.py).
A row is slower or faster when the whole interval lies beyond the threshold, at a level that keeps the
chance of a single false verdict among all judged rows at 5 % (Holm). Everything else is "no difference":
none was shown. `none`, which prices the harness, is not judged.

An interval holds what the machine did during a run, not what it does between two. Where both runs are of
one machine, the baseline's own time tells how much that was: each interval is widened by it, so that a
ratio which moved no more than the baseline did shows nothing.
"""
import math

from .command import BadInput, NotComparable
from .estimate import from_logs, ratio_of, t_tail
from .reading import Raw, read_any
from .steadying import steadied
from .units import plural

ALPHA = 0.05  # chance of a false verdict in a whole comparison
NO_CHOICE = ("none",)
BASELINE = "baseline"
SLOWER, FASTER, NO_DIFFERENCE = "slower", "faster", "no difference"
MACHINE = ("cpu", "cpus", "os", "kernel", "libc", "thp", "governor", "turbo")  # facts


class Measured:
    """One row as comparing needs it; `baseline` is the name of the baseline in its group."""

    __slots__ = ("key", "ns", "ratio", "estimate", "baseline", "digest", "status")

    def __init__(self, key, ns, ratio, estimate, digest, status):
        self.key, self.ns, self.ratio, self.estimate = key, ns, ratio, estimate
        self.digest, self.status, self.baseline = digest, status, None


class File:
    """A result or raw file: facts and Measured by key, in the order of the file."""

    def __init__(self, source, measured):
        self.name, self.facts = source.name, source.facts
        self.warnings = source.warnings
        self.by_key = {row.key: row for row in measured}


class Pair:
    """A row in both files. `change` is an Estimate, or None with the reason in `unjudged`; `drift` is how
    far the machine moved meanwhile, as a logarithm."""

    __slots__ = ("key", "a", "b", "change", "drift", "unjudged", "verdict", "low", "high")

    def __init__(self, a, b):
        self.key, self.a, self.b, self.drift = a.key, a, b, 0.0
        self.verdict, self.low, self.high = "", None, None
        self.unjudged = _reason(a, b)
        self.change = None if self.unjudged else b.estimate.over(a.estimate)

    @property
    def ratio_change(self):
        return self.b.ratio / self.a.ratio if self.a.ratio and self.b.ratio else None


class Comparison:
    """All pairs of two files, and what only one of them has."""

    def __init__(self, a, b):
        self.a, self.b = a, b
        self.pairs = [Pair(row, b.by_key[key]) for key, row in a.by_key.items() if key in b.by_key]
        self.only_a = [key for key in a.by_key if key not in b.by_key]
        self.only_b = [key for key in b.by_key if key not in a.by_key]
        self.level = ALPHA
        self.same_machine = "cpu" in a.facts and all(a.facts.get(name) == b.facts.get(name)
                                                     for name in MACHINE)
        if self.same_machine:
            self._set_drifts()

    def _set_drifts(self):
        moved = {pair.key[:6]: abs(math.log(pair.b.ns / pair.a.ns)) for pair in self.pairs
                 if pair.unjudged == BASELINE and pair.a.ns and pair.b.ns}
        for pair in self.judged():
            pair.drift = moved.get(pair.key[:6], 0.0)

    def judged(self):
        return [pair for pair in self.pairs if pair.change is not None]

    def count(self, verdict):
        return sum(1 for pair in self.pairs if pair.verdict == verdict)


def _reason(a, b):
    for side, row in (("A", a), ("B", b)):
        if row.status != "ok":
            return "%s in %s" % (row.status, side)
    if a.key[6] in (a.baseline, b.baseline):
        return BASELINE if a.baseline == b.baseline else "other baseline"
    if a.key[6] in NO_CHOICE:
        return "price of the harness"
    if a.ratio is None or b.ratio is None:
        return "no ratio"
    if a.baseline != b.baseline:
        return "other baseline"
    if a.estimate is None or b.estimate is None:
        return "no interval"
    return ""


# --- files ---

def load(names, baseline=None):
    files = [read_any(name) for name in names]
    kinds = {type(file) for file in files}
    if len(kinds) > 1:
        raise BadInput("%s: raw samples and results cannot be compared with each other"
                       % ", ".join(names))
    return [_from_raw(file, baseline) if kinds == {Raw} else _from_results(file) for file in files]


def _from_results(results):
    measured = [Measured(row.key, row.ns_per_op, row.ratio, ratio_of(row), row.stream_digest,
                         row.status) for row in results.rows]
    for row, source in zip(measured, results.rows):
        row.baseline = results.baseline_of(source)
    return File(results, measured)


def _baselines(cells, facts, wanted):
    """{group without the operation: name}, as the program chooses: --baseline, else the first."""
    words = facts.get("call", "").replace("=", " ").split()
    asked = words[words.index("--baseline") + 1:][:1] if "--baseline" in words else []
    backends = {}
    for key in cells:
        backends.setdefault(key[0:1] + key[2:6], {})[key[6]] = True
    return {group: next((name for name in [wanted] + asked if name in names), next(iter(names)))
            for group, names in backends.items()}


def _by_process(cell):
    """{process: {round: ns}} of the warm rounds; with one round, of that."""
    first_warm = 2 if max(cell.rounds) > min(cell.rounds) else 1
    found = {}
    for process, round_, ns in zip(cell.processes, cell.rounds, cell.ns):
        if round_ >= first_warm and ns > 0:
            found.setdefault(process, {})[round_] = ns
    return found


def _median(values):
    values = sorted(values)
    middle = len(values) // 2
    return values[middle] if len(values) % 2 else (values[middle - 1] + values[middle]) / 2


def _process_logs(own, base=None):
    """The median over rounds of ln(ns), or of ln(ns / base ns), of each process."""
    logs = []
    for process, rounds in own.items():
        other = base.get(process, {}) if base is not None else None
        values = [math.log(ns if other is None else ns / other[round_])
                  for round_, ns in rounds.items() if other is None or round_ in other]
        if values:
            logs.append(_median(values))
    return logs


def _geometric_mean(logs):
    return math.exp(math.fsum(logs) / len(logs)) if logs else None


def _from_raw(raw, wanted):
    groups = {}
    for key, cell in raw.cells.items():
        groups.setdefault(key[:6], {})[key[6]] = cell
    baselines = _baselines(raw.cells, raw.facts, wanted)
    measured = []
    for group, cells in groups.items():
        baseline = baselines[group[0:1] + group[2:6]]
        base = _by_process(cells[baseline]) if baseline in cells else {}
        for name, cell in cells.items():
            own = _by_process(cell)
            logs = _process_logs(own, base) if name != baseline else [0.0]
            row = Measured(cell.key, _geometric_mean(_process_logs(own)), _geometric_mean(logs),
                           from_logs(logs), None, "ok")
            row.baseline = baseline
            measured.append(row)
    return File(raw, measured)


# --- whether ---

def check_comparable(files):
    for file in files:
        build = file.facts.get("build")
        if build not in (None, "optimised"):
            raise NotComparable("%s: comes from a %s build: its times say nothing about allocators"
                                % (file.name, build))


def check_same_work(comparison):
    others = [pair for pair in comparison.pairs
              if pair.a.digest and pair.b.digest and pair.a.digest != pair.b.digest]
    if others:
        key = others[0].key
        raise NotComparable(
            "%s and %s: the operation streams differ (stream_digest) in %s, first %s %s %s: other "
            "work was measured" % (comparison.a.name, comparison.b.name,
                                   plural(len(others), "row"), key[0], key[1], key[6]))
    if not comparison.pairs:
        raise NotComparable("%s and %s: have no row in common"
                            % (comparison.a.name, comparison.b.name))


def differing_facts(files):
    """[(fact, [value or "" of each file])...]."""
    names = dict.fromkeys(name for file in files for name in file.facts
                          if not name.startswith("warning"))
    rows = [(name, [file.facts.get(name, "") for file in files]) for name in names]
    return [(name, values) for name, values in rows if len(set(values)) > 1]


# --- verdicts ---

def p_value(change, threshold, drift):
    """Of "the change lies within the threshold, widened by the drift"; two-sided."""
    low, high = math.log1p(-threshold) - drift, math.log1p(threshold) + drift
    beyond = max(change.mean - high, low - change.mean)
    if beyond <= 0:
        return 1.0
    if change.error == 0:
        return 0.0
    return min(1.0, 2 * t_tail(beyond / change.error, max(1.0, math.floor(change.df * 10) / 10)))


def holm_level(p_values):
    """The level at which every row is judged so that the verdicts are those of Holm's procedure."""
    count, refused = len(p_values), 0
    for p in sorted(p_values):
        if p > ALPHA / (count - refused):
            break
        refused += 1
    return ALPHA / max(1, count - max(0, refused - 1))


def steady(judged):
    """Steadies the changes of each scenario by one another."""
    by_scenario = {}
    for pair in judged:
        by_scenario.setdefault(pair.key[0], []).append(pair)
    for group in by_scenario.values():
        for pair, change in zip(group, steadied([pair.change for pair in group])):
            pair.change = change


def judge(comparisons, threshold_pct):
    """Gives every judged pair of all comparisons its interval and verdict."""
    threshold = threshold_pct / 100
    judged = [pair for comparison in comparisons for pair in comparison.judged()]
    steady(judged)
    level = holm_level([p_value(pair.change, threshold, pair.drift) for pair in judged])
    for pair in judged:
        pair.low, pair.high = pair.change.interval(level, pair.drift)
        pair.verdict = (SLOWER if pair.low > 1 + threshold else
                        FASTER if pair.high < 1 - threshold else NO_DIFFERENCE)
    for comparison in comparisons:
        comparison.level = level
    return judged


def geometric_means(comparison):
    """[(scenario, backend or "all", rows, B over A, slower, faster)...] over the judged rows."""
    groups = {}
    for pair in comparison.judged():
        for name in ("all", pair.key[6]):
            groups.setdefault((pair.key[0], name), []).append(pair)
    return [(scenario, name, len(pairs),
             math.exp(math.fsum(pair.change.mean for pair in pairs) / len(pairs)),
             sum(1 for pair in pairs if pair.verdict == SLOWER),
             sum(1 for pair in pairs if pair.verdict == FASTER))
            for (scenario, name), pairs in groups.items()]

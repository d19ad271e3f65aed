# SPDX-License-Identifier: MIT
"""Advice in words, from rows that have a verdict: which backend for which size and pattern, where
curves cross, and where nothing can be told apart. `none` is no choice and never advised."""
from .estimate import ratio_of
from .query import AMOUNTS, pair_text
from .units import bound, interval, size

VERDICTS = ("faster", "slower", "same", "unclear")
# The operation that stands for a scenario; pages and others: every operation.
MAIN = {"granularity": "toggle", "churn": "replace", "batch": "total", "map": "total", "growth": "grow"}
NO_CHOICE = ("none",)


class Point:
    """The rows of one group: the baseline's name, and the judged rows by backend."""

    def __init__(self, row):
        self.size, self.count = row.size, row.count
        self.repeat = int(row.variant.get("repeat", 0))
        self.is_counted = row.scenario in ("batch", "map")
        self.baseline, self.judged = None, {}


def _pattern(row):
    """What a curve is about: everything but what it is drawn over, which is the repeat where there
    are repeats, else size and count."""
    variant = tuple(sorted(pair for pair in row.variant.items()
                           if pair[0] not in AMOUNTS + ("repeat",)))
    fixed = row.key[2:4] if "repeat" in row.variant else ()
    return row.scenario, row.op, row.key[4], variant, fixed


def curves(results):
    """{pattern: {(size, count): Point}}, in the order of the file."""
    found = {}
    for row in results.rows:
        if not row.is_ok or row.backend in NO_CHOICE or MAIN.get(row.scenario, row.op) != row.op:
            continue
        point = found.setdefault(_pattern(row), {}).setdefault(
            row.key[2:4] + (row.variant.get("repeat"),), Point(row))
        if row.verdict in VERDICTS and ratio_of(row) is not None:
            point.judged[row.backend] = row
        elif row.ratio == 1 and row.ratio_low is None:
            point.baseline = row.backend
    return {pattern: points for pattern, points in found.items()
            if any(point.judged for point in points.values())}


def _names(names):
    names = list(names)
    return names[0] if len(names) == 1 else "%s and %s" % (", ".join(names[:-1]), names[-1])


def best_of(point):
    """(names, best row): the fastest backend and those that do not differ from it beyond noise."""
    faster = [row for row in point.judged.values() if row.verdict == "faster"]
    if not faster:
        return (), None
    best = min(faster, key=lambda row: row.ratio)
    others = [row.backend for row in faster if row is not best and not _differs(row, best)]
    return tuple([best.backend] + others), best


def _differs(row, best):
    low, _ = ratio_of(row).over(ratio_of(best)).interval()
    return low > 1


def _bytes(count):
    return size(count) if count >= 1024 and count % 1024 == 0 else "%d B" % count


def _objects(count, object_size):
    return "%s x %s" % (count, _bytes(object_size)) if object_size else "%s objects" % count


def _place(point):
    if point.repeat:
        return "repeat %d" % point.repeat
    if point.size is None:
        return "%d objects" % point.count
    return _objects(point.count, point.size) if point.is_counted else _bytes(point.size)


def _range(points):
    first, last = _place(points[0]), _place(points[-1])
    if len(points) == 1:
        return first
    return "%s to %s" % (first, last.replace("repeat ", ""))


def _runs(points):
    """[(fastest names, points)...]: consecutive points with the same answer."""
    runs, previous = [], None
    for point in points:
        names = best_of(point)[0]
        answer = names or tuple((name, row.verdict) for name, row in sorted(point.judged.items())
                                if row.verdict in ("slower", "same"))
        if not runs or previous != (bool(names), answer):
            runs.append((names, []))
        previous = bool(names), answer
        runs[-1][1].append(point)
    return runs


def _fastest(names, points):
    rows = [best_of(point)[1] for point in points]
    if len(rows) == 1:
        row = rows[0]
        share = "%s of %s's time (%s)" % (bound(row.ratio), points[0].baseline or "the baseline",
                                           interval(row.ratio_low, row.ratio_high))
    else:
        ratios = [row.ratio for row in rows]
        share = "%s of %s's time" % (
            interval(min(ratios), max(ratios)), points[0].baseline or "the baseline")
    tie = "; no difference beyond noise between them" if len(names) > 1 else ""
    return "%s, %s%s" % (_names(names), share, tie)


def _nothing_faster(points):
    """None is faster than the baseline: which are not shown to be slower either?"""
    baseline = points[0].baseline or "the baseline"
    slower = [name for name in points[0].judged
              if all(name in point.judged and point.judged[name].verdict == "slower"
                     for point in points)]
    equal = [name for name in points[0].judged
             if all(name in point.judged and point.judged[name].verdict == "same"
                    for point in points)]
    open_ = [name for name in points[0].judged if name not in slower + equal]
    parts = ["stay with %s: nothing is faster beyond noise" % baseline]
    if slower:
        parts.append("%s slower" % _names(slower))
    if equal:
        parts.append("%s the same" % _names(equal))
    if open_:
        parts.append("no difference beyond noise for %s" % _names(open_))
    return "; ".join(parts)


def crossings(points):
    """[(backend, last point before, first point after, verdict before)...]."""
    found = []
    for name in dict.fromkeys(name for point in points for name in point.judged):
        last = None
        for point in points:
            row = point.judged.get(name)
            if row is None or row.verdict not in ("faster", "slower"):
                continue
            if last and last[1] != row.verdict:
                found.append((name, last[0], point, last[1]))
            last = (point, row.verdict)
    return found


def _crossing_lines(points):
    for name, before, after, verdict in crossings(points):
        words = ("faster", "slower") if verdict == "faster" else ("slower", "faster")
        rows = before.judged[name], after.judged[name]
        yield "  %s crosses %s between %s (%s, %s) and %s (%s, %s)" % (
            name, after.baseline or "the baseline", _place(before), words[0],
            interval(rows[0].ratio_low, rows[0].ratio_high), _place(after), words[1],
            interval(rows[1].ratio_low, rows[1].ratio_high))


def _title(pattern, common):
    scenario, op, threads, variant, fixed = pattern
    parts = ["%s %s" % (scenario, op)]
    if fixed:
        parts.append(_objects(fixed[1], int(fixed[0] or 0)))
    parts += [pair_text(*pair) for pair in variant if pair not in common]
    if threads not in ("", "1"):
        parts.append("%s threads" % threads)
    return ", ".join(parts)


def lines_of(results):
    found = curves(results)
    for pattern, by_place in found.items():
        same = [set(other[3]) for other in found if other[:2] == pattern[:2]]
        points = [point for point in by_place.values() if point.judged]
        points.sort(key=lambda point: (point.size or 0, point.count or 0, point.repeat))
        yield _title(pattern, set.intersection(*same))
        for names, run in _runs(points):
            answer = _fastest(names, run) if names else _nothing_faster(run)
            yield "  %s: %s" % (_range(run), answer)
        for line in _crossing_lines(points):
            yield line
    if not found:
        yield ("No advice: no row has a verdict. It takes at least two processes and a baseline.")


def threshold_note(results):
    threshold = results.facts.get("threshold_pct")
    text = "From the rows with a verdict alone; ratios with their 95 % intervals"
    return text + ("; threshold %s %%." % threshold if threshold else ".")

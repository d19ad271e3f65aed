# SPDX-License-Identifier: MIT
"""What compare prints: facts that differ, rows side by side, means, and the verdicts counted."""
import math

from .comparing import FASTER, NO_DIFFERENCE, SLOWER, differing_facts, geometric_means
from .layout import Table, csv_line
from .query import pair_text
from .reading import KEY, pairs as pairs_of
from .units import bound, duration, figure, interval, plural, size

LISTED_MAX = 40  # rows that one side only has
DRIFT_PCT = 5  # of the baseline between two runs, above which advice is due
CSV_COLUMNS = KEY + ("file", "a_ns", "b_ns", "a_ratio", "b_ratio", "change", "change_low",
                     "change_high", "verdict")


def letter_of(index):
    return chr(ord("A") + index) if index < 26 else "file %d" % (index + 1)


def facts_table(files):
    table = Table("Facts that differ", ["fact"] + [letter_of(i) for i in range(len(files))])
    for name, values in differing_facts(files):
        table.add(name, *values)
    if not table.rows:
        table.notes.append("None.")
    return table


def _variant(key):
    """Parameters of a row as "k=v;...", its threads among them."""
    return ";".join(part for part in (key[4] and "threads=" + key[4], key[5]) if part)


def _varying(keys):
    """Per scenario, the parameters whose values differ among the rows."""
    values = {}
    for variant in {(key[0], _variant(key)) for key in keys}:
        for name, value in pairs_of(variant[1]).items():
            values.setdefault((variant[0], name), set()).add(value)
    return {name for name, found in values.items() if len(found) > 1}


def _place(key, varying):
    variant = " ".join(pair_text(*pair) for pair in pairs_of(_variant(key)).items()
                       if (key[0], pair[0]) in varying)
    return [key[0], key[1], size(int(key[2])) if key[2] else "", key[3], variant, key[6]]


PLACE = ["scenario", "op", "size", "count", "variant", "backend"]


def rows_table(comparison, letter, only_different):
    table = Table("%s against A, row by row" % letter,
                  PLACE + ["A", letter, "A ratio", letter + " ratio", "change", "interval", "verdict"],
                  notes=["Times are shown, not judged. ratio: time over the baseline's; change: ratio "
                         "of %s over that of A, 1 is none." % letter])
    varying = _varying([pair.key for pair in comparison.pairs])
    for pair in comparison.pairs:
        if only_different and pair.verdict not in (SLOWER, FASTER):
            continue
        change = pair.ratio_change if not pair.unjudged else None
        table.add(*(_place(pair.key, varying) + [
            duration(pair.a.ns), duration(pair.b.ns), figure(pair.a.ratio), figure(pair.b.ratio),
            bound(change) if change else "",
            interval(pair.low, pair.high) if pair.low is not None else "",
            pair.verdict or "- (%s)" % pair.unjudged]))
    return table


def means_table(comparison, letter):
    table = Table("Geometric mean of the change, over judged rows that both have",
                  ["scenario", "backend", "rows", "%s over A" % letter, "slower", "faster"])
    for scenario, name, count, mean, slower, faster in geometric_means(comparison):
        table.add(scenario, name, count, figure(mean), slower, faster)
    return table


def one_side_tables(comparison, letter):
    tables = []
    for name, keys in (("A", comparison.only_a), (letter, comparison.only_b)):
        if keys:
            table = Table("Rows in %s only: %d" % (name, len(keys)), PLACE)
            varying = _varying(keys)
            for key in keys[:LISTED_MAX]:
                table.add(*_place(key, varying))
            if len(keys) > LISTED_MAX:
                table.notes.append("and %d more" % (len(keys) - LISTED_MAX))
            tables.append(table)
    return tables


def _named(comparison, verdict):
    """"slower: pool in churn (9 of 9 rows), ...": what differs, by backend and scenario."""
    groups = {}
    for pair in comparison.judged():
        groups.setdefault((pair.key[6], pair.key[0]), []).append(pair.verdict)
    parts = ["%s in %s (%d of %s)" % (backend, scenario, found.count(verdict),
                                      plural(len(found), "row"))
             for (backend, scenario), found in groups.items() if verdict in found]
    return "%s: %s" % (verdict, ", ".join(parts)) if parts else ""


def _resolution(comparison, threshold_pct):
    halves = sorted(pair.high / pair.change.value for pair in comparison.judged())
    if not halves:
        return ""
    middle = halves[len(halves) // 2] * (1 + threshold_pct / 100) - 1
    return "Half of the rows would show a change of %s %%." % (
        figure(middle * 100, 2) if middle < 10 else ">1000")


def _drift(comparison):
    """What is known of the time between two runs of one machine; "" for two machines."""
    drifts = sorted(pair.drift for pair in comparison.judged())
    if not comparison.same_machine or not drifts:
        return ""
    typical, most = (100 * math.expm1(x) for x in (drifts[len(drifts) // 2], drifts[-1]))
    line = ("One machine: intervals are widened by what the baseline's own time moved between the files, "
            "%s %% (median), %s %% (most)." % (figure(typical, 2), figure(most, 2)))
    if typical > DRIFT_PCT:
        line += (" That hides smaller changes: measure again when the machine is quiet; two libraries in "
                 "one run (--backend malloc,lib:OLD,lib:NEW).")
    return line


def summary_lines(comparison, letter, threshold_pct):
    judged = comparison.judged()
    counts = ", ".join("%d %s" % (comparison.count(word), word)
                       for word in (SLOWER, FASTER, NO_DIFFERENCE))
    yield "%s against A: %s of %d judged rows; %s not judged." % (
        letter, counts, len(judged), plural(len(comparison.pairs) - len(judged), "row"))
    for verdict in (SLOWER, FASTER):
        line = _named(comparison, verdict)
        if line:
            yield line
    yield ("Verdicts: whole interval beyond %s %%; 5 %% chance of one false verdict in all (Holm: each "
           "interval at %.4g %%). %s" % (figure(threshold_pct, 2), 100 * (1 - comparison.level),
                                               _resolution(comparison, threshold_pct))).rstrip()
    drift = _drift(comparison)
    if drift:
        yield drift
    broken = [pair for pair in comparison.pairs if pair.a.status == "ok" and pair.b.status != "ok"]
    if broken:
        yield "%s ok in A and not in %s." % (plural(len(broken), "row"), letter)


def tables_of(comparison, index, only_different):
    letter = letter_of(index)
    return [rows_table(comparison, letter, only_different), means_table(comparison, letter)] + \
        one_side_tables(comparison, letter)


def _number(value):
    return "" if value is None else "%.9g" % value


def write_csv(files, comparisons, only_different, out):
    for index, file in enumerate(files):
        out.write("# file_%s: %s\n" % (letter_of(index), file.name))
    for name, values in differing_facts(files):
        out.write("# differs: %s: %s\n" % (name, " | ".join(values)))
    out.write(csv_line(CSV_COLUMNS))
    for index, comparison in enumerate(comparisons, 1):
        for pair in comparison.pairs:
            if not only_different or pair.verdict in (SLOWER, FASTER):
                out.write(csv_line(_csv_cells(pair, letter_of(index))))
        for name, keys in (("A", comparison.only_a), (letter_of(index), comparison.only_b)):
            for key in keys if not only_different else ():
                out.write(csv_line(list(key) + [letter_of(index)] + [""] * 7 + ["only in " + name]))


def _csv_cells(pair, letter):
    change = pair.change.value if pair.change is not None else None
    return list(pair.key) + [letter] + [_number(value) for value in (
        pair.a.ns, pair.b.ns, pair.a.ratio, pair.b.ratio, change, pair.low, pair.high)] + \
        [pair.verdict or "not judged: " + pair.unjudged]

# SPDX-License-Identifier: MIT
"""Every time, interval, ratio and verdict of the CSV, computed again from the raw samples.

Two and three processes have intervals whose Student quantiles have closed forms, so that nothing here
depends on a table.
"""
import csv
import math
import statistics

import allocbench_test
from allocbench_test import KEY, check, check_equal, facts, key, table_lines

RAW = KEY + ("process", "round", "position", "ops", "passes", "wall_ns", "user_ns", "sys_ns",
             "minor_faults", "major_faults", "involuntary_switches")
PLAN = ("--scenario", "granularity", "--size", "16M", "--total", "64M", "--ops", "100", "--space",
        "256M", "--backend", "pages-map,pages-commit,none", "--quiet", "--out", "a.csv", "--raw",
        "raw.csv")


def student(p, df):
    """The x with P(T <= x) = p."""
    if df == 1:
        return math.tan(math.pi * (p - 0.5))
    check_equal(df, 2, "degrees of freedom")
    return (2 * p - 1) * math.sqrt(2 / (1 - (2 * p - 1) ** 2))


def estimate(logs, alpha):
    """Value and interval of the processes' logarithms; None where there is none."""
    mean = sum(logs) / len(logs)
    if len(logs) == 1:
        return math.exp(mean), None, None
    error = math.sqrt(sum((x - mean) ** 2 for x in logs) / (len(logs) - 1) / len(logs))
    half = student(1 - alpha / 2, len(logs) - 1) * error
    return math.exp(mean), math.exp(mean - half), math.exp(mean + half)


def near(text, number, *what):
    if number is None:
        check_equal(text, "", *what)
    else:
        check(text != "" and abs(float(text) - number) <= 1e-7 * abs(number) + 1e-12, *(what + (text, number)))


def samples(t):
    """Times per operation by key, process and round, from the raw file."""
    lines = table_lines(t.read("raw.csv"))
    check_equal(tuple(lines[0].split(",")), RAW, "the raw header")
    times = {}
    for row in csv.DictReader(lines, strict=True):
        check(None not in row and None not in row.values(), "a ragged line:", row)
        for name in RAW[len(KEY):]:
            check(row[name].isdigit() or row[name] == "", name, "=", repr(row[name]))
        ns = int(row["wall_ns"]) / (int(row["ops"]) * int(row["passes"]))
        rounds = times.setdefault(key(row), {}).setdefault(int(row["process"]), {})
        check(int(row["round"]) not in rounds, "a sample twice:", row)
        rounds[int(row["round"])] = ns
    return times


def verdict(low, high, threshold_pct):
    if low is None:
        return ""
    below, above = 1 - threshold_pct / 100, 1 + threshold_pct / 100
    if high < below:
        return "faster"
    if low > above:
        return "slower"
    return "same" if below <= low and high <= above else "unclear"


def recompute(t, processes, rounds, threshold="2%"):
    t.run("--processes", str(processes), "--rounds", str(rounds), "--threshold", threshold, *PLAN)
    text = t.read("a.csv")
    rows = allocbench_test.parse(text)
    times = samples(t)
    alpha = 0.05 / int(dict(facts(text))["compared_rows"])
    warm = range(1 if rounds == 1 else 2, rounds + 1)
    judged = 0
    for row in rows:
        if row["status"] != "ok":
            continue
        own = times[key(row)]
        check_equal(sorted(own), list(range(1, processes + 1)), "processes of", key(row))
        check(all(sorted(own[p]) == list(range(1, rounds + 1)) for p in own), "rounds of", key(row))
        what = (row["op"], row["size_bytes"], row["backend"])
        value = estimate([math.log(statistics.median(own[p][r] for r in warm)) for p in own], 0.05)
        logs = estimate([statistics.median(math.log(own[p][r]) for r in warm) for p in own], 0.05)
        # Both readings of "ln of the median" are the same for an odd number of warm rounds.
        if len(warm) % 2 == 1:
            near(row["ns_per_op"], value[0], "ns_per_op", what)
        near(row["ns_per_op"], logs[0], "ns_per_op", what)
        near(row["ci_low_ns"], logs[1], "ci_low_ns", what)
        near(row["ci_high_ns"], logs[2], "ci_high_ns", what)
        cold = estimate([math.log(own[p][1]) for p in own], 0.05)[0] if rounds > 1 else None
        near(row["cold_ns_per_op"], cold, "cold_ns_per_op", what)
        near(row["min_ns_per_op"], min(own[p][r] for p in own for r in own[p]), "min_ns_per_op", what)
        base = times.get(key(dict(row, backend="pages-map")))
        if row["backend"] == "pages-map":
            check_equal((row["ratio"], row["ratio_low"], row["ratio_high"], row["verdict"]),
                        ("1", "", "", ""), "the baseline", what)
        elif base is not None:
            ratios = [statistics.median(math.log(own[p][r] / base[p][r]) for r in warm) for p in own]
            shown, strict = estimate(ratios, 0.05), estimate(ratios, alpha)
            for name, number in zip(("ratio", "ratio_low", "ratio_high"), shown):
                near(row[name], number, name, what)
            extra = dict(pair.split("=", 1) for pair in row["extra"].split(";") if pair)
            wanted = verdict(strict[1], strict[2], float(threshold[:-1]))
            if "modes" in extra and wanted:
                low, high = (float(mode) for mode in extra["modes"].split("/"))
                pairs = [own[p][r] / base[p][r] for p in own for r in warm]
                check(min(pairs) * 0.999 <= low < high <= max(pairs) * 1.001, "modes", extra, pairs)
                wanted = "unclear"
            check_equal(row["verdict"], wanted, "verdict", what)
            check_equal(int(extra.get("ties", "0")),
                        sum(own[p][r] == base[p][r] for p in own for r in warm), "ties", what)
            judged += 1
    check(judged >= 6, "only", judged, "rows were judged")
    compared = sum(row["backend"] != "pages-map" for row in rows)
    check_equal(int(dict(facts(text))["compared_rows"]), compared, "compared_rows")


def case_two_processes(t):
    recompute(t, 2, 4)


def case_three_processes(t):
    recompute(t, 3, 4, "50%")


def case_even_rounds(t):
    recompute(t, 2, 3)


def case_one_round(t):
    recompute(t, 2, 1)


def case_one_process(t):
    recompute(t, 1, 4)


def case_positions(t):
    """In every round each backend of a group has a place of its own."""
    t.run("--processes", "2", "--rounds", "6", *PLAN)
    places = {}
    for row in csv.DictReader(table_lines(t.read("raw.csv"))):
        if row["op"] == "toggle":
            places.setdefault((row["process"], row["round"]), []).append(int(row["position"]))
    check_equal(len(places), 12, "rounds")
    for place, positions in places.items():
        check_equal(sorted(positions), [0, 1, 2], "positions in", place)


if __name__ == "__main__":
    allocbench_test.main(globals())

# SPDX-License-Identifier: MIT
"""The CSV as an interface: its shape, whatever the locale, and what two runs have in common."""
import csv
import math
import re
import shutil
import subprocess

import allocbench_test
from allocbench_test import check, check_equal, extra, facts, key, skip, table_lines

PLAN = ("--scenario", "granularity", "--size", "16M,1M", "--total", "64M", "--ops", "100", "--space",
        "128M", "--backend", "p=pages-map,none", "--processes", "2", "--rounds", "2")
NUMBERS_OF_TIME = ("ns_per_op", "ci_low_ns", "ci_high_ns", "cold_ns_per_op", "min_ns_per_op",
                   "spread_pct", "ratio", "ratio_low", "ratio_high")


def case_every_line_has_all_fields(t):
    t.run("--quiet", "--out", "a.csv", *PLAN)
    lines = table_lines(t.read("a.csv"))
    check_equal(lines[0].split(","), allocbench_test.columns(), "the header")
    for line in csv.reader(lines, strict=True):
        check_equal(len(line), len(allocbench_test.columns()), "fields of", line)
    check(all(line.startswith("# ") for line in t.read("a.csv").split("\n") if line[:1] == "#"), "facts")


def case_rows_in_plan_order(t):
    rows = t.measure(*PLAN, code=None)
    found = [(row["size_bytes"], row["op"], row["backend"]) for row in rows]
    expected = [(size, op, backend)
                for size in ("16777216", "1048576")
                for op in ("reserve_all", "alloc", "free", "toggle")
                for backend in ("p", "none")
                if not (op == "reserve_all" and backend == "none")]
    check_equal(found, expected, "the order of rows")
    check_equal(len({key(row) for row in rows}), len(rows), "different keys")


def case_numbers(t):
    """A decimal point, no NaN, no inf, no sign; what is not available is empty."""
    number = re.compile(r"\d+(\.\d+)?(e[+-]\d+)?$")
    text = {"scenario", "op", "variant", "backend", "status", "reason", "verdict", "stream_digest", "extra"}
    for row in t.measure(*PLAN, code=None):
        for name, value in row.items():
            check(name in text or value == "" or number.match(value), name, "=", repr(value))
        check_equal([row[name] for name in ("p50_ns", "p99_ns", "p999_ns", "max_ns")], [""] * 4,
                    "latencies that nobody asked for")
        if row["status"] == "ok":
            check_equal(row["reason"], "", "the reason for ok")
            check(float(row["ci_low_ns"]) <= float(row["ns_per_op"]) <= float(row["ci_high_ns"]), row)
            check(0 < float(row["min_ns_per_op"]), row)
        else:
            check(row["reason"] != "", "no reason for", row["status"])
            check_equal([row[name] for name in NUMBERS_OF_TIME], [""] * len(NUMBERS_OF_TIME), row["status"])
        if row["backend"] == "p" and row["status"] == "ok":
            check_equal((row["ratio"], row["ratio_low"], row["verdict"]), ("1", "", ""), "the baseline")
        elif row["status"] == "ok":
            check(row["verdict"] in ("faster", "slower", "same", "unclear"), row["verdict"])


def case_one_process_one_round(t):
    """Nothing to estimate an interval from: the fields are empty, not 0."""
    for row in t.measure(*(PLAN + ("--processes", "1", "--rounds", "1")), code=None):
        if row["status"] == "ok":
            check(row["ns_per_op"] != "", "no value")
            for name in ("ci_low_ns", "ci_high_ns", "cold_ns_per_op", "spread_pct", "ratio_low",
                         "ratio_high", "verdict"):
                check_equal(row[name], "", name)


def shape(text):
    """A CSV with its numbers taken out."""
    return [re.sub(r"\d+(\.\d+)?(e[+-]\d+)?", "0", line) for line in text.split("\n")]


def case_locale(t):
    """The decimal comma of a locale must not get in. Times come and go with the resolution of the
    clock tick, so that their columns are compared by kind alone."""
    def run(locale):
        environment = {"LC_ALL": locale, "LANG": locale, "LC_NUMERIC": locale}
        t.run("--quiet", "--no-facts", "--out", "a.csv", *PLAN, env=environment)
        return t.read("a.csv")

    plain, german = run("C"), run("de_DE.UTF-8")
    check_equal(german.split("\n")[0], plain.split("\n")[0], "the header")
    check_equal([line.count(",") for line in german.split("\n")],
                [line.count(",") for line in plain.split("\n")], "commas")
    for a, b in zip(csv.reader(german.split("\n")[1:-1]), csv.reader(plain.split("\n")[1:-1])):
        check_equal(a[:7], b[:7], "the key")
        for one, other in zip(a, b):
            check(one == "" or other == "" or shape(one) == shape(other) or not one[0].isdigit(), one, other)


def case_gnuplot(t):
    gnuplot = shutil.which("gnuplot")
    if gnuplot is None:
        skip("gnuplot is not installed")
    t.run("--quiet", "--out", "a.csv", *PLAN)
    found = subprocess.run(
        [gnuplot, "-e", "set datafile separator comma; set terminal dumb; set logscale xy;"
         "set key autotitle columnhead; plot 'a.csv' using 'size_bytes':'ns_per_op'"],
        cwd=t.folder, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    check_equal(found.returncode, 0, "gnuplot's exit;", found.stderr)
    check(b"*" in found.stdout or b"A" in found.stdout, "an empty plot")
    check(b"arning" not in found.stderr, found.stderr)


def case_two_runs(t):
    """Measured columns differ, nothing else does."""
    same = list(allocbench_test.KEY) + ["status", "reason", "ops", "rounds", "processes",
                                        "requested_bytes", "stream_digest"]
    first, second = t.measure(*PLAN, code=None), t.measure(*PLAN, code=None)
    check_equal(len(first), len(second), "rows")
    for a, b in zip(first, second):
        check_equal([b[name] for name in same], [a[name] for name in same], "the second run")
        if a["op"] != "reserve_all":  # how many blocks fit depends on where the process lies
            for name in ("allocs", "frees", "live_final", "live_peak"):
                check_equal(extra(b)[name], extra(a)[name], name, "of the second run")


def case_seed(t):
    """The seed decides the random stream, and equal seeds decide it equally."""
    def digests(seed):
        return {(row["op"], row["size_bytes"], row["backend"]): row["stream_digest"]
                for row in t.measure("--seed", seed, *PLAN, code=None)}

    one, two = digests("1"), digests("2")
    check(one[("toggle", "1048576", "p")] != two[("toggle", "1048576", "p")], "the seed changes nothing")
    for digest in (one, two):
        for size in ("1048576", "16777216"):
            for op in ("alloc", "free", "toggle"):
                check_equal(digest[(op, size, "p")], digest[(op, size, "none")], "the stream of", op)


def case_facts(t):
    t.run("--quiet", "--label", "two words, a comma", "--out", "a.csv", "--raw", "b.csv", *PLAN)
    for name in ("a.csv", "b.csv"):
        found = dict(facts(t.read(name)))
        check_equal(found["label"], "two words, a comma", "the label")
        check_equal(found["schema"], "1", "the schema")
        check_equal(found["seed"], "1", "the seed")
        for fact in ("version", "commit", "compiler", "build", "call", "scale", "page_bytes",
                     "clock_step_ns", "os", "cpu"):
            check(found.get(fact, "") != "", "there is no fact", fact)
        check("--label two words, a comma" in found["call"], found["call"])


def case_label_of_two_lines(t):
    """A fact is one line whatever it holds."""
    result = t.run("--quiet", "--label", "one\ntwo,three", *(PLAN + ("--size", "16M")))
    lines = [line for line in result.out.split("\n") if "two,three" in line]
    check(lines and all(line.startswith("# ") for line in lines), lines)


def case_no_facts(t):
    t.run("--quiet", "--no-facts", "--label", "x", "--out", "a.csv", "--raw", "b.csv", *PLAN)
    for name in ("a.csv", "b.csv"):
        check(t.read(name).startswith("scenario,op,"), "there is something before the header of", name)
        check("#" not in t.read(name), "there is a fact in", name)


def case_finite(t):
    """Every figure of time is a finite number above 0."""
    for row in t.measure(*PLAN, code=None):
        for name in NUMBERS_OF_TIME:
            value = row[name]
            check(value == "" or (math.isfinite(float(value)) and float(value) >= 0), name, value)


if __name__ == "__main__":
    allocbench_test.main(globals())

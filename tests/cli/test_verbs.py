# SPDX-License-Identifier: MIT
"""doctor and selftest: what they say, and that every scenario does its work with every backend."""
import re

import allocbench_test
from allocbench_test import check, check_equal

HEAPS = ("none,malloc,winheap,pages-map,pages-commit,pool,smallobj,arena,autofree,scope,scope-shared,gc")
# What each scenario can run, and as little of it as there is.
WORK = {
    "granularity": (HEAPS, "--size", "64K", "--total", "1M", "--space", "256M", "--ops", "50",
                    "--touch", "none,first,read,write,all,populate"),
    "churn": (HEAPS, "--size", "16,100", "--slots", "256", "--ops", "2000", "--rng", "msvc,dotnet"),
    "batch": (HEAPS, "--size", "16,4+8+12", "--count", "600", "--order", "fifo,lifo,random"),
    "map": (HEAPS, "--count", "300", "--order", "ascending,random"),
    "growth": ("os-delta,delta,whole,double,upfront,populate-whole,realloc,remap,nt-delta,nt-whole",
               "--total", "256K", "--step", "4096", "--touch", "none,write"),
    "pages": ("map,reserve-commit,dontneed,dontneed-protect,remap-none,free-lazy,populate,huge,commit,"
              "decommit,reset,reset-undo", "--size", "64K", "--count", "50", "--touch", "write,read",
              "--pattern", "separate,checkerboard"),
    "handoff": (HEAPS, "--pattern", "pair,ring,shared,adjacent", "--ops", "1000"),
}


def case_doctor(t):
    """Exit 1 when there is something to say, each with what it does and how to change it."""
    result = t.run("doctor")
    check(result.code in (0, 1), "exit", result.code, result.err)
    check_equal(result.err, "", "stderr")
    found = re.match(r"(\d+) things? on this machine disturbs? measurements\.\n", result.out)
    check_equal(result.code, 1 if found else 0, "exit, with the output", result.out)
    if found:
        check("how to" in result.out or "to change it" in result.out or "$ " in result.out or
              result.out.count("\n") > 2 * int(found.group(1)), result.out)


def case_selftest(t):
    """All of its figures, on a run that is too short for them to be good ones."""
    allocbench_test.PATIENCE_S = 280
    result = t.run("selftest", "--scale", "quick", "--processes", "2", "--rounds", "2", "--pin", "none")
    check(result.code in (0, 1), "exit", result.code, result.err)
    for line in (r"malloc against itself, 27 groups of churn:", r"verdicts faster or slower +[\d.]+%",
                 r"95% intervals without 1 +[\d.]+%", r"error of the ratio, median +[\d.]+%",
                 r"error of the ratio, 95% below +[\d.]+%", r"smallest difference seen +[\d.]+%",
                 r"malloc against itself with 5% more work, 27 groups:", r"95% intervals above 1 +[\d.]+%",
                 r"verdict slower +[\d.]+%", r"95% interval holds the truth +[\d.]+%",
                 r"clock step +\d+ ns", r"price of the loop \(none\) +[\d.]+ ns",
                 r"work that is not done is noticed +yes"):
        check(re.search(line, result.out), "no line", line, "in", result.out)
    check_equal(result.code, 0 if "\nfit: " in result.out else 1, "exit, with the output", result.out)


def work(t, scenario):
    """Every backend has its rows, with latency where there is one; none of them is wrong."""
    allocbench_test.PATIENCE_S = 280
    backends, *arguments = WORK[scenario]
    rows = t.measure("--scenario", scenario, "--backend", backends, "--processes", "1", "--rounds", "2",
                     "--latency", "--pin", "none", *arguments)
    check_equal(sorted({row["backend"] for row in rows}), sorted(backends.split(",")), "backends")
    check(any(row["status"] == "ok" for row in rows), "nothing was measured")
    for row in rows:
        name = (row["op"], row["size_bytes"], row["variant"], row["backend"])
        check(row["status"] in ("ok", "unsupported"), name, row["status"], row["reason"])
        check_equal(row["status"] == "ok", row["reason"] == "", name, "has no reason")
        if row["status"] == "ok" and row["p50_ns"]:
            latencies = [float(row[column]) for column in ("p50_ns", "p99_ns", "p999_ns", "max_ns")]
            check_equal(latencies, sorted(latencies), "latencies of", name)


def case_dry_run(t):
    """What would run, of every scenario and backend, and for how long; nothing runs."""
    for scenario, (backends, *arguments) in sorted(WORK.items()):
        for scale in ("quick", "default", "published"):
            result = t.run("--scenario", scenario, "--backend", backends, "--scale", scale, "--dry-run",
                           *arguments).expect(0)
            last = result.out.splitlines()[-1]
            check(re.match(r"\d+ groups, \d+ cells, about [\d.]+ (s|min|h)$", last), last)
            for name in backends.split(","):
                check(re.search(r"\b%s\b" % name, result.out), name, "is not in", result.out)


def case_work_of_granularity(t):
    work(t, "granularity")


def case_work_of_churn(t):
    work(t, "churn")


def case_work_of_batch(t):
    work(t, "batch")


def case_work_of_map(t):
    work(t, "map")


def case_work_of_growth(t):
    work(t, "growth")


def case_work_of_pages(t):
    work(t, "pages")


def case_work_of_handoff(t):
    work(t, "handoff")


if __name__ == "__main__":
    allocbench_test.main(globals())

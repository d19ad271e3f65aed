# SPDX-License-Identifier: MIT
"""The operation streams are those of the golden file, on every machine."""
import csv
import os

import allocbench_test
from allocbench_test import SOURCE, check, check_equal, extra, skip

# What a column of the golden file is called in the program, by scenario.
OPTIONS = {
    "granularity": (("size_bytes", "--size"), ("seed", "--seed"), ("operations", "--toggles")),
    "churn": (("size_bytes", "--size"), ("seed", "--seed"), ("operations", "--ops"), ("rng", "--rng"),
              ("slots", "--slots")),
}


def golden():
    with open(os.path.join(SOURCE, "tests", "cli", "golden_streams.csv"), newline="") as file:
        return list(csv.DictReader(file))


def compare(t, scenario):
    listed = t.run("--list").out.split("\nbackends:")[0]
    if "\n  %s " % scenario not in listed:
        skip("the program has no scenario %s" % scenario)
    compared = 0
    for row in golden():
        if row["scenario"] != scenario:
            continue
        options = [part for column, option in OPTIONS[scenario] for part in (option, row[column])]
        measured = t.measure("--scenario", scenario, "--backend", "none", "--processes", "1", "--rounds",
                             "1", *options)
        found = [other for other in measured if other["op"] == row["op"]]
        check_equal(len(found), 1, "rows of", row["op"])
        check_equal(found[0]["stream_digest"], row["stream_digest"], "digest of", options)
        for name in ("allocs", "frees", "live_final", "live_peak"):
            check_equal(extra(found[0])[name], row[name], name, "of", options)
        check_equal(found[0]["ops"], row["operations"], "ops")
        compared += 1
    check(compared > 0, "the golden file has nothing about", scenario)


def case_granularity(t):
    compare(t, "granularity")


def case_churn(t):
    compare(t, "churn")


if __name__ == "__main__":
    allocbench_test.main(globals())

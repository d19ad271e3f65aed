# SPDX-License-Identifier: MIT
"""The memory ladder: requested, reserved, committed and resident at the peak of a worker."""
import allocbench_test
from allocbench_test import check

MIB = 1 << 20
PLAN = ("--scenario", "churn", "--touch", "zero", "--processes", "1", "--rounds", "1", "--pin", "none")


def near(row, column, wanted, base=0):
    found = int(row[column]) - base
    check(abs(found - wanted) <= 0.02 * wanted, row["backend"], column, found, "and not", wanted)


def case_of_256_mib(t):
    rows = t.measure(*PLAN, "--size", "1M", "--slots", "256", "--ops", "1100", "--backend",
                     "none,malloc,pages-map,pages-commit")
    base = int(rows[0]["resident_bytes"])
    check(base < 64 * MIB, "the worker itself takes", base)
    for row in rows[1:]:
        check(row["status"] == "ok", row["backend"], row["reason"])
        requested = int(row["requested_bytes"])
        check(250 * MIB <= requested <= 256 * MIB, "requested", requested)
        # malloc adds a page of its own to every mapping of a megabyte.
        near(row, "resident_bytes", requested, base if t.build() != "sanitizer" else int(row["resident_bytes"]) - requested)
        if row["backend"] != "malloc":
            near(row, "reserved_bytes", requested)
            near(row, "committed_bytes", requested)
        else:
            check(row["reserved_bytes"] == "" and row["committed_bytes"] == "", "malloc's pages are its own")


def case_is_not_the_parents(t):
    """A process that starts the program may be large; what it holds is none of the worker's."""
    ballast = bytearray(300 * MIB)
    for i in range(0, len(ballast), 4096):
        ballast[i] = 1
    rows = t.measure(*PLAN, "--size", "64", "--slots", "1000", "--ops", "1000", "--backend", "none,malloc")
    if t.build() != "sanitizer":
        for row in rows:
            check(int(row["resident_bytes"]) < 64 * MIB, row["backend"], "resident", row["resident_bytes"])
    check(ballast[4096] == 1, "the ballast is gone")


if __name__ == "__main__":
    allocbench_test.main(globals())

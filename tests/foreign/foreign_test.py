# SPDX-License-Identifier: MIT
"""What the tests of foreign backends share: where libraries are, and small plans."""
import os
import shutil
import sys

sys.dont_write_bytecode = True
sys.path.insert(0, os.path.join(os.path.dirname(os.path.dirname(os.path.abspath(__file__))), "cli"))
import allocbench_test  # noqa: E402
from allocbench_test import check_equal, skip  # noqa: E402

BRIEF = ("--processes", "1", "--rounds", "2", "--pin", "none")
# Every scenario over heaps, with the operations that a backend has there which frees single objects.
SCENARIOS = {
    "churn": (("--size", "4,48,1024", "--ops", "5000"), ["replace"] * 3),
    "batch": (("--size", "4,4+8+12+16+20", "--count", "1000", "--repeats", "2"),
              ["alloc", "free", "total"] * 4),
    "map": (("--count", "500"), ["insert", "destroy", "total"]),
    "granularity": (("--size", "64K", "--total", "4M", "--toggles", "500"), ["alloc", "free", "toggle"]),
}


def own(t, name):
    """A library that was built for the tests."""
    path = os.path.join(t.libraries, "lib%s.%s" % (name, "dll" if t.is_windows else "so"))
    if not os.path.exists(path):
        raise AssertionError("%s is missing" % path)
    return path


def copy(t, source, name):
    """The library under another name in the folder of the test."""
    os.makedirs(os.path.dirname(t.path(name)), exist_ok=True)
    shutil.copy(source, t.path(name))
    return name


def can_preload(t):
    t.posix_only("preload:")
    if t.build() == "sanitizer":
        skip("the sanitizer takes the place of malloc")


def measure(t, scenario, backends, *arguments, **options):
    """The rows of a small plan with these backends."""
    return t.measure("--scenario", scenario, *(BRIEF + SCENARIOS[scenario][0] + (
        "--backend", ",".join(backends)) + arguments), **options)


def of(rows, backend):
    return [row for row in rows if row["backend"] == backend]


def expect_ok(rows, backend, scenario):
    mine = of(rows, backend)
    check_equal([(row["status"], row["reason"]) for row in mine], [("ok", "")] * len(mine), backend)
    check_equal(sorted(row["op"] for row in mine), sorted(SCENARIOS[scenario][1]), backend, scenario)
    for row in mine:
        if float(row["ns_per_op"]) <= 0:
            raise AssertionError("%s has no time" % backend)

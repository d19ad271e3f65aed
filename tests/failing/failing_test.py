# SPDX-License-Identifier: MIT
"""What the tests of failing calls, kills and limits share: running the program while a call fails, and
judging what is left. A run may say that it could not do it; it may not crash, hang, lose a row that was
finished, leave a cell without a word or a worker behind."""
import collections
import csv
import os
import random
import sys

sys.dont_write_bytecode = True
sys.path.insert(0, os.path.join(os.path.dirname(os.path.dirname(os.path.abspath(__file__))), "cli"))
import allocbench_test  # noqa: E402
from allocbench_test import check, check_equal, columns, skip, unique_seed  # noqa: E402

CODES = (0, 1, 2, 4)
RAW_FIELDS = 18
# Two groups of two cells; a group is a few milliseconds of work.
PLAN = ("--scenario", "faulty", "--processes", "1", "--rounds", "2", "--pin", "none", "--timeout", "20s")
CELLS = [(point, name) for point in "12" for name in "ab"]
FILES = ("--quiet", "--out", "a.csv", "--raw", "a.raw")
PLANNED = PLAN + ("--backend", "a=well,b=well", "--point", "1,2")
# Calls that a run makes and the errors they fail with; names joined by commas are counted as one.
CALLS = {
    "mmap": 12, "munmap": 12, "mprotect": 12, "madvise": 12, "mremap": 12, "mincore": 12,
    "malloc,calloc,realloc": 12, "pipe,pipe2": 24, "fcntl": 24, "posix_spawn": 11, "open": 24,
    "read": 5, "write": 28, "close": 5, "fstat": 5, "ftruncate": 5, "lseek": 5, "readlink": 2,
    "poll": 12, "waitpid": 10, "clock_gettime": 22, "nanosleep": 4, "getrusage": 22, "getrlimit": 22,
    "setrlimit": 1, "sched_getaffinity": 22, "sched_setaffinity": 22, "sysconf": 22, "prctl": 22,
    "pthread_create": 11, "pthread_mutex_init": 12,
}

Report = collections.namedtuple("Report", "has_fired calls blocks files")


class Table:
    """The figures that a sweep ends with, printed line by line."""

    HEAD = ("cases", "rows lost", "unreadable", "workers left")

    def __init__(self, title):
        self.lines = {}
        self.title = title

    def add(self, name, cases=1, **more):
        line = self.lines.setdefault(name, collections.Counter())
        line["cases"] += cases
        line.update(more)

    def show(self):
        others = {key for line in self.lines.values() for key in line} - set(self.HEAD)
        names = list(self.HEAD) + sorted(others)
        print("%-34s" % self.title + "".join("%14s" % name for name in names))
        for name, line in self.lines.items():
            print("%-34s" % name + "".join("%14d" % line[key] for key in names))


def can_fail(t):
    """The library that lets calls fail can be put before this program's."""
    library = os.path.join(t.libraries, "libfailing.so")
    if t.is_windows or not os.path.exists(library):
        skip("calls are made to fail by a library for Linux and glibc")
    if t.build() == "sanitizer":
        skip("the sanitizer takes the place of malloc, and must be loaded first")
    return library


def can_limit(t):
    t.posix_only("limits")
    if t.build() == "sanitizer":
        skip("a sanitizer does not live within limits")


def run_failing(t, call, at, arguments, inside="", error=None, lasting=False):
    """Runs while the call of that number fails; what became of it, and what the library reports."""
    report = t.path("report")
    if os.path.exists(report):
        os.remove(report)
    result = t.run(*arguments, env={
        "LD_PRELOAD": can_fail(t), "FAILING_CALL": call, "FAILING_IN": inside, "FAILING_AT": str(at),
        "FAILING_FROM": "1" if lasting else "", "FAILING_HOW": str(CALLS[call] if error is None else error),
        "FAILING_REPORT": report})
    lines = []
    if os.path.exists(report):
        with open(report, encoding="ascii") as file:
            lines = file.read().splitlines()
        os.remove(report)
    ends = [[int(number) for number in line.split()[1:]] for line in lines if line.startswith("calls")]
    most = [max(column) for column in zip(*ends)] if ends else [0, 0, 0]
    return result, Report("fired" in lines, *most)


def numbers(calls, first, spread, seed):
    """Which calls are made to fail: the first ones, the last one, and some between, drawn from the seed."""
    chosen = set(range(1, min(calls, first) + 1)) | ({calls} if calls else set())
    rest = range(first + 1, calls)
    return sorted(chosen | set(random.Random(seed).sample(rest, min(spread, len(rest)))))


# --- what may be left ---


def whole_rows(t, name, fields):
    """The rows of a file whose lines must all have these fields; the last line may be cut, which is told."""
    text = t.read(name) if os.path.exists(t.path(name)) else ""
    lines = text.split("\n")
    rows = list(csv.reader((line for line in lines[:-1] if not line.startswith("# ")), strict=True))
    for row in rows:
        check_equal(len(row), fields, "fields of", row, "in", name)
    return rows[1:], lines[-1] != ""


def cells_of(rows):
    """(point, backend) of rows of the scenario faulty, as they stand in the file."""
    names = columns()
    return [(row[names.index("count")], row[names.index("backend")]) for row in rows]


def check_messages(result):
    """Every line is the program's; one that ends the run is alone."""
    lines = result.err.splitlines()
    for line in lines:
        check(line.startswith("allocbench: ") and len(line) > 14, "a stray line on stderr:", repr(line))
    ours = [line for line in lines if not line.startswith("allocbench: worker: ")
            and not (result.code == 1 and "no monotonic clock" in line)]
    check_equal(len(ours), 1 if result.code in (2, 4) else 0, "lines on stderr at exit", result.code, ":",
                result.err)


def check_rows(rows, planned, code):
    """Each planned cell has a row, with a reason if it is not ok; `code` says what the worst one is."""
    names = columns()
    check_equal(cells_of(rows), planned, "rows")
    bad = 0
    for row in (dict(zip(names, row)) for row in rows):
        is_ok = row["status"] == "ok"
        bad += not is_ok
        check_equal(row["reason"] == "", is_ok, "status", row["status"], "with the reason", row["reason"])
        check_equal(row["ns_per_op"] != "", is_ok, "status", row["status"], "with the time", row["ns_per_op"])
        check(not is_ok or row["processes"] == "1", "ok after", row["processes"], "processes")
    check_equal(code, 1 if bad else 0, "exit with", bad, "bad rows")


def judge(t, result, seed, planned=None):
    """Whether a run ended as it may, whatever failed; removes its files. The rows of the CSV."""
    planned = CELLS if planned is None else planned
    check(result.code in CODES, "exit", result.code, "\nstderr:", result.err)
    t.expect_no_workers(seed)
    rows, is_cut = whole_rows(t, "a.csv", len(columns()))
    raw, is_raw_cut = whole_rows(t, "a.raw", RAW_FIELDS)
    check(result.code == 4 or not (is_cut or is_raw_cut), "a line was cut at exit", result.code)
    check_messages(result)
    if result.code == 2:
        check_equal(os.listdir(t.folder), [], "the folder after exit 2")
    elif result.code == 4:
        group = len({name for _, name in planned})
        check_equal(len(rows) % group, 0, "rows of a group were torn apart:", len(rows))
        check_equal(cells_of(rows), planned[:len(rows)], "rows that were kept")
    else:
        check_rows(rows, planned, result.code)
        check(len(raw) <= 2 * len(planned), "lines of samples:", len(raw))
    for name in os.listdir(t.folder):
        check(name in ("a.csv", "a.raw"), "left in the folder:", name)
        os.remove(t.path(name))
    return [dict(zip(columns(), row)) for row in rows]


__all__ = ["CALLS", "CELLS", "CODES", "FILES", "PLAN", "PLANNED", "Table", "allocbench_test", "can_fail",
           "can_limit", "check", "check_equal", "columns", "judge", "numbers", "run_failing", "skip",
           "unique_seed", "whole_rows"]

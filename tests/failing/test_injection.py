# SPDX-License-Identifier: MIT
"""One call of the operating system fails, for every call that a small run makes: in the coordinator, or in
the workers of one group out of three, whose neighbours must not notice."""
import os

from failing_test import (CALLS, CELLS, FILES, PLAN, PLANNED, Table, check, check_equal, judge, numbers,
                          run_failing, unique_seed)

# Where a failure need not be noticed there may be no trace of it; these are told apart by their effect.
THREE = PLAN + ("--backend", "a=well,b=well", "--point", "1,2,3")
THREE_CELLS = [(point, name) for point in "123" for name in "ab"]


def sweep(t, calls, first, spread, inside="", table=None, **options):
    """Lets calls of each kind fail, one a run. Where workers are meant, they are those of group 2."""
    seed = unique_seed()
    plan = (THREE if inside else PLANNED) + FILES + ("--seed", str(seed))
    planned = THREE_CELLS if inside else CELLS
    for call in calls:
        result, whole = run_failing(t, call, 0, plan, inside, **options)
        result.expect(0)
        judge(t, result, seed, planned)
        for at in numbers(whole.calls, first, spread, seed):
            what = (call, at, "of", whole.calls, "in", inside or "the coordinator", options)
            try:
                result, report = run_failing(t, call, at, plan, inside, **options)
                rows = judge(t, result, seed, planned)
                check_harm(result, report, whole, rows, inside)
            except AssertionError as error:
                raise AssertionError("%s\n%s" % (" ".join(str(part) for part in what), error))
            if table:
                table.add(call, fired=report.has_fired, **{"exit %d" % result.code: 1})


def check_harm(result, report, whole, rows, inside):
    """Nothing is held at the end that a run without failures lets go; only group 2 suffers from its
    workers."""
    if inside:
        check(result.code in (0, 1), "exit", result.code, "for a failure in a worker")
        for row in rows:
            is_meant = row["count"] == "2"
            check(is_meant or row["status"] == "ok", "a neighbour is", row["status"], row["reason"])
    else:
        check(report.blocks <= whole.blocks, "blocks held:", report.blocks, "and not", whole.blocks)
        check(report.files <= whole.files, "files open:", report.files, "and not", whole.files)


MEMORY = ("mmap", "munmap", "mprotect", "madvise")
STARTS = ("pipe,pipe2", "fcntl", "posix_spawn", "waitpid", "poll")
FILE_CALLS = ("open", "read", "write", "close", "fstat", "ftruncate", "lseek", "readlink")
OTHERS = ("clock_gettime", "nanosleep", "getrusage", "getrlimit", "sched_getaffinity", "sched_setaffinity",
          "sysconf")
WORKER = ("mmap", "munmap", "read", "write", "poll", "prctl", "malloc,calloc,realloc", "clock_gettime")


def case_memory(t):
    sweep(t, MEMORY, 2, 1)


def case_heap(t):
    sweep(t, ("malloc,calloc,realloc",), 4, 14)


def case_starts(t):
    sweep(t, STARTS, 2, 1)


def case_files(t):
    sweep(t, FILE_CALLS, 2, 1)


def case_others(t):
    sweep(t, OTHERS, 1, 0)


def case_workers(t):
    sweep(t, WORKER, 1, 1, ";point=2")


def case_lasting(t):
    """From some call on, none succeeds."""
    sweep(t, ("mmap", "malloc,calloc,realloc", "pipe,pipe2", "open", "read", "write"), 1, 1, lasting=True)


def expect_unharmed(t, call, inside, **options):
    """All the same: what is interrupted is repeated, and what was done in part is completed."""
    seed = unique_seed()
    plan = (THREE if inside else PLANNED) + FILES + ("--seed", str(seed))
    planned = THREE_CELLS if inside else CELLS
    result, whole = run_failing(t, call, 0, plan, inside, **options)
    judge(t, result, seed, planned)
    for at in numbers(whole.calls, 1, 1, seed):
        result, report = run_failing(t, call, at, plan, inside, **options)
        check(report.has_fired or at > 1, call, at, "did not fail")
        rows = judge(t, result, seed, planned)
        check_equal([row["status"] for row in rows], ["ok"] * len(planned), call, at, options, "statuses")


def case_interrupted(t):
    for call in ("read", "write", "poll", "waitpid", "nanosleep"):
        expect_unharmed(t, call, "", error=4)
    for call in ("read", "write"):
        expect_unharmed(t, call, ";point=2", error=4)


def case_short(t):
    """One byte at a time, from some call on."""
    for inside in ("", ";point=2"):
        for call in ("read", "write"):
            expect_unharmed(t, call, inside, error="short")
            expect_unharmed(t, call, inside, error="short", lasting=True)


def case_words(t):
    """The row, or the one line, says what failed and why."""
    memory = "malloc,calloc,realloc"
    start = "cannot start a worker: "
    for call, at, error, code, words in (
            ("posix_spawn", 1, 11, 1, start + "Resource temporarily unavailable"),
            ("pipe,pipe2", 2, 24, 1, start + "Too many open files"),
            ("fcntl", 5, 22, 1, start + "Too many open files"),
            ("poll", 1, 12, 1, "cannot read the worker's answer: Cannot allocate memory in process 1"),
            (memory, 1, 12, 2, "out of memory"),
            ("ftruncate", 1, 5, 4, "cannot write the results: Input/output error"),
            ("fstat", 1, 5, 2, "--out: cannot open 'a.csv' for writing: Input/output error")):
        seed = unique_seed()
        result, _ = run_failing(t, call, at, PLANNED + FILES + ("--seed", str(seed)), error=error)
        rows = judge(t, result, seed)
        check_equal(result.code, code, "exit for", call)
        reasons = [row["reason"] for row in rows if row["status"] != "ok"]
        said = reasons[0] if code == 1 else result.error_line()
        check(words in said, call, "is said to be", repr(said), "and not", repr(words))


def case_pinning(t):
    """Where no process can be pinned it runs all the same, and doctor says so."""
    result, _ = run_failing(t, "sched_setaffinity", 1, ("doctor",), lasting=True)
    check_equal(result.code, 1, "exit of doctor")
    check("processes cannot be pinned to a CPU" in result.out, result.out)
    check("cannot be pinned" not in t.run("doctor").out, "doctor finds what is not so")
    plan = tuple(word for word in PLANNED if word not in ("--pin", "none"))
    result, _ = run_failing(t, "sched_setaffinity", 1, plan + FILES, lasting=True)
    result.expect(0)


def case_printing(t):
    """What prints a text alone either prints all of it or says that it could not."""
    for arguments in (("--help",), ("--list",), ("--version",), ("--help", "faulty"), ("doctor",),
                      PLANNED + ("--dry-run",)):
        fine, whole = run_failing(t, "malloc,calloc,realloc", 0, arguments)
        for at in numbers(whole.calls, 4, 2, 1):
            result, _ = run_failing(t, "malloc,calloc,realloc", at, arguments)
            check(result.code in (fine.code, 2, 4), arguments, at, "exit", result.code)
            if result.code in (2, 4):
                check("memory" in result.error_line(), arguments, at, result.err)
            elif arguments != ("doctor",) and "--dry-run" not in arguments:
                check_equal(result.out, fine.out, arguments, at, "what is printed")


def sweep_all(t, title, calls, **options):
    """Every call of every kind, up to some hundreds of each, then a sample."""
    table = Table(title)
    try:
        sweep(t, calls, 300, 50, table=table, **options)
    finally:
        table.show()


def case_long_coordinator(t):
    sweep_all(t, "a call fails in the coordinator", CALLS)


def case_long_lasting(t):
    # Without a clock, or with sleeps that a signal ends for ever, nothing ends by itself.
    calls = [call for call in CALLS if call not in ("clock_gettime", "nanosleep")]
    sweep_all(t, "all calls fail from some on", calls, lasting=True)


def case_long_workers(t):
    sweep_all(t, "a call fails in two workers", CALLS, inside=";point=2")


if __name__ == "__main__":
    import failing_test
    failing_test.allocbench_test.main(globals())

# SPDX-License-Identifier: MIT
"""A worker that misbehaves costs its cell alone: every fault becomes a row with status and reason."""
import re
import signal
import time

import allocbench_test
from allocbench_test import check, check_equal, kill, skip, unique_seed, wait_for

PLAN = ("--scenario", "faulty", "--processes", "1", "--rounds", "3", "--pin", "none")
SHORT_TIMEOUT = ("--timeout", "2s")


def measure_fault(t, backend, *arguments, **options):
    """The rows of the backend in two groups, between two that are well in spite of it."""
    rows = t.measure(*(PLAN + ("--backend", "a=well,%s,b=well" % backend, "--point", "1,2") + arguments),
                     **dict({"code": 1}, **options))
    found = [(row["count"], row["backend"]) for row in rows]
    check_equal(found, [(point, name) for point in "12" for name in ("a", backend, "b")], "rows")
    for row in rows:
        if row["backend"] != backend:
            check_equal((row["status"], row["reason"]), ("ok", ""), "a neighbour in group", row["count"])
            check(float(row["ns_per_op"]) > 0, "a neighbour has no time")
    return [row for row in rows if row["backend"] == backend]


def expect(rows, status, reason):
    for row in rows:
        check_equal(row["status"], status, "status, with the reason", row["reason"], ";")
        check(re.search(reason, row["reason"]), "reason:", row["reason"])
        for name in ("ns_per_op", "min_ns_per_op", "ratio", "verdict"):
            check_equal(row[name], "", name)


def died(t, signal_name, exception):
    """How a worker's end reads; a sanitizer makes an exit code of a signal."""
    if t.is_windows:
        return exception
    return r"exit code \d+" if t.build() == "sanitizer" and signal_name == "SIGSEGV" else signal_name


def case_crash(t):
    rows = measure_fault(t, "crash")
    expect(rows, "crashed", died(t, "SIGSEGV", "0xC0000005") + ".* in process 1 round 1")


def case_crash_of_ignored_children(t):
    """Where the end of children is ignored from the start on, it is still told how they ended."""
    t.posix_only("ignored signals")
    rows = measure_fault(t, "crash", preexec_fn=lambda: signal.signal(signal.SIGCHLD, signal.SIG_IGN))
    expect(rows, "crashed", died(t, "SIGSEGV", "") + ".* in process 1 round 1")


def case_late_crash(t):
    rows = measure_fault(t, "late-crash")
    expect(rows, "crashed", died(t, "SIGSEGV", "0xC0000005") + ".* in process 1 round 3")


def case_crash_in_proof(t):
    rows = measure_fault(t, "prove-crash")
    expect(rows, "crashed", died(t, "SIGSEGV", "0xC0000005") + ".* in the proof")


def case_abort(t):
    expect(measure_fault(t, "abort"), "crashed", died(t, "SIGABRT", "(exception|exit code)") + ".* in process 1 round 1")


def case_exit(t):
    expect(measure_fault(t, "exit3"), "crashed", "exit code 3 in process 1 round 1")


def case_hang(t):
    expect(measure_fault(t, "hang", *SHORT_TIMEOUT), "timeout", r"--timeout \(2 s\) in process 1 round 1")


def case_sleep(t):
    expect(measure_fault(t, "sleep", *SHORT_TIMEOUT), "timeout", r"--timeout \(2 s\) in process 1 round 1")


def case_hang_in_proof(t):
    expect(measure_fault(t, "prove-hang", *SHORT_TIMEOUT), "timeout", r"--timeout \(2 s\) in the proof")


def case_timeout_leaves_no_worker(t):
    seed = unique_seed()
    measure_fault(t, "hang", "--seed", str(seed), *SHORT_TIMEOUT)
    t.expect_no_workers(seed)


def case_memory_runs_out(t):
    """Under a limit: the row says so, and nothing else suffers."""
    t.posix_only("a limit on memory")
    if t.build() == "sanitizer":
        skip("a sanitizer does not live in a bounded address space")
    import resource

    def limit():
        resource.setrlimit(resource.RLIMIT_AS, (300 << 20, 300 << 20))

    expect(measure_fault(t, "eat", preexec_fn=limit), "nomem", r"no more after \d+ MiB")


def case_too_large(t):
    """Would need more than there is: it never runs."""
    expect(measure_fault(t, "huge"), "nomem", "would need about .* is available")


def case_elided(t):
    expect(measure_fault(t, "elided"), "failed", "^elided: ")


def case_chatty(t):
    """What a worker prints does not get between the results."""
    for row in measure_fault(t, "chatty", code=0):
        check_equal((row["status"], row["reason"]), ("ok", ""), "status")
    result = t.run("--no-facts", "--quiet", *(PLAN + ("--backend", "chatty"))).expect(0)
    check_equal(len(allocbench_test.parse(result.out)), 1, "rows on stdout")
    check("granularity" not in result.out, result.out)
    check("chatty says something" in result.err, "stderr of a worker is lost:", result.err)


def case_nonsense(t):
    expect(measure_fault(t, "nonsense"), "failed", "unknown in process 1 round 1")


def case_endless(t):
    expect(measure_fault(t, "endless"), "failed", "endless in process 1 round 1")


def case_stranger(t):
    expect(measure_fault(t, "stranger"), "failed", "unknown in process 1 round 1")


def case_overlapping(t):
    """Object 1 begins within object 0, which is found when operation 16 frees that."""
    expect(measure_fault(t, "overlapping"), "failed", r"objects of operation 0 and operation 1 overlap")


def case_overwriting(t):
    expect(measure_fault(t, "overwriting"), "failed", r"operation \d+ found the object of operation 1 overwritten")


def case_misaligned(t):
    expect(measure_fault(t, "misaligned"), "failed", "operation 2 got a misaligned pointer")


def case_exhausted(t):
    expect(measure_fault(t, "exhausted"), "nomem", "operation 2 got no memory")


def case_unopenable(t):
    expect(measure_fault(t, "unopenable"), "nomem", "cannot be opened: OS error 12")


def case_all_together(t):
    """Every fault in one group; the last of them is as well as the first."""
    faults = "crash,abort,exit3,hang,elided,nonsense,misaligned,late-crash,prove-crash,huge"
    rows = t.measure(*(PLAN + SHORT_TIMEOUT + ("--backend", "a=well," + faults + ",b=well")), code=1)
    check_equal([row["status"] for row in rows],
                ["ok", "crashed", "crashed", "crashed", "timeout", "failed", "failed", "failed", "crashed",
                 "crashed", "nomem", "ok"], "statuses")


def case_failed_baseline(t):
    """No ratio to a baseline that has no time, or none that can be believed."""
    for baseline, status in (("crash", "crashed"), ("elided", "failed")):
        rows = t.measure(*(PLAN + ("--backend", baseline + ",well", "--processes", "2")), code=1)
        check_equal([row["status"] for row in rows], [status, "ok"], "statuses")
        check_equal([row["ratio"] for row in rows], ["", ""], "ratios to", baseline)
        check_equal([row["verdict"] for row in rows], ["", ""], "verdicts against", baseline)


def case_killed_from_outside(t):
    """While it is busy; such a kill is also what the OOM killer does."""
    t.posix_only("killing a worker")
    seed = unique_seed()
    process = t.start("--quiet", "--no-facts", "--out", "a.csv", "--seed", str(seed), *(PLAN + (
        "--backend", "a=well,hang,b=well", "--timeout", "1m")))

    def kill_the_busy():
        for number in t.processes("backend=hang;seed=%d;" % seed):
            time.sleep(0.3)
            kill(number)
        return process.poll() is not None

    wait_for(kill_the_busy, allocbench_test.PATIENCE_S, "the end of the run")
    t.finish(process).expect(1)
    rows = t.rows("a.csv")
    check_equal([row["status"] for row in rows], ["ok", "crashed", "ok"], "statuses")
    check("SIGKILL" in rows[1]["reason"] and "memory" in rows[1]["reason"], rows[1]["reason"])


if __name__ == "__main__":
    allocbench_test.main(globals())

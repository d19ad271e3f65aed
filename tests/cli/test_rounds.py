# SPDX-License-Identifier: MIT
"""Timed rounds hold nothing of the harness's: no system call but the readings of usage around the kernel,
and no allocation from the heap under test."""
import os
import re
import shutil
import subprocess

import allocbench_test
from allocbench_test import check, check_equal, skip

PLAN = ("--scenario", "churn", "--size", "64", "--processes", "1", "--pin", "none", "--quiet", "--out", "a.csv")
READINGS = {"getrusage", "clock_gettime"}


def rounds_of(trace):
    """Names of the system calls between a worker's command to run a round and its answer, per round."""
    inside, found = {}, []
    for line in trace.splitlines():
        match = re.match(r"(\d+) +(<\.\.\. )?(\w+)", line)
        if not match or (match.group(2) and match.group(3) != "read"):
            continue  # the second half of a call that has been seen
        process, _, call = match.groups()
        if call == "read" and re.search(r'"(cold|warm)\\n"', line):
            inside[process] = []
        elif call == "write" and process in inside and '"s ' in line:
            found.append(inside.pop(process))
        elif process in inside:
            inside[process].append(call)
    return found


def case_hold_no_system_calls(t):
    t.posix_only("strace")
    if shutil.which("strace") is None:
        skip("strace is not installed")
    if t.build() == "sanitizer":
        skip("the sanitizer makes calls of its own")
    done = subprocess.run(["strace", "-f", "-o", t.path("trace"), t.program, *PLAN, "--backend", "none,pool,malloc",
                           "--ops", "400000", "--rounds", "4"], cwd=t.folder, env=t.environment,
                          stdout=subprocess.PIPE, stderr=subprocess.PIPE, timeout=200)
    if b"ptrace" in done.stderr and done.returncode != 0:
        skip("this machine forbids ptrace")
    check_equal(done.returncode, 0, "exit", done.stderr)
    rounds = rounds_of(t.read("trace"))
    check(len(rounds) == 3 * 4, "rounds seen:", len(rounds))
    passes = 0
    check(sum("getrandom" in calls for calls in rounds) <= 1, "keys are drawn in the first round of malloc alone")
    for calls in rounds:
        # Round 1 of a real heap grows it, and glibc's draws a key at its first call: the heap's doing.
        others = [call for call in calls if call not in READINGS]
        check(others.count("getrandom") <= 1, "more than the heap's first call:", others)
        check(set(others) <= {"brk", "mmap", "mprotect", "madvise", "munmap", "getrandom"}, "a round holds", others)
        passes += calls.count("getrusage") // 2
        check_equal(calls.count("getrusage") % 2, 0, "readings come in pairs")
    quiet = [calls for calls in rounds if set(calls) <= READINGS]
    check(len(quiet) >= 9, "only", len(quiet), "of 12 rounds hold readings alone")
    check(passes >= 12, "passes seen:", passes)


def counted(t, rounds):
    """What the worker of `none` took from malloc in its whole life."""
    library = os.path.join(t.libraries, "libcounting.so")
    if not os.path.exists(library):
        skip("the counting library is for glibc")
    result = t.run(*PLAN, "--backend", "none", "--ops", "100000", "--rounds", str(rounds),
                   env={"LD_PRELOAD": library}).expect(0)
    lines = re.findall(r"^counted (worker|other) (\d+)$", result.err, re.MULTILINE)
    mine = [int(number) for who, number in lines if who == "worker"]
    check_equal(len(mine), 1, "workers that told their count:", result.err)
    return mine[0]


def case_take_nothing_from_the_heap(t):
    t.posix_only("a preloaded library")
    if t.build() == "sanitizer":
        skip("the sanitizer takes the place of malloc")
    check_equal(counted(t, 40), counted(t, 2), "allocations of 40 rounds against those of 2")


if __name__ == "__main__":
    allocbench_test.main(globals())

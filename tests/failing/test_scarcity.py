# SPDX-License-Identifier: MIT
"""A gigabyte for everything: all scenarios at quick scale within a limit."""
import os

from failing_test import FILES, Table, allocbench_test, can_limit, check, skip, unique_seed

try:
    import resource
except ImportError:  # Windows
    resource = None

MIB = 1 << 20


def limited(what, amount):
    return lambda: resource.setrlimit(what, (amount, amount))


def everything(t, title, limit, allowed):
    """All scenarios at quick scale under a limit; what needs more says so."""
    can_limit(t)
    seed = unique_seed()
    with open(t.path("stdout"), "wb") as out:
        process = t.start("--scenario", "all", "--scale", "quick", "--seed", str(seed), *FILES, stdout=out,
                          preexec_fn=limit)
        process.wait(280)
    result = t.finish(process)
    check(result.code in (0, 1), "exit", result.code, result.err)
    table = Table(title)
    for row in t.rows("a.csv"):
        what = (row["scenario"], row["op"], row["backend"], row["status"], row["reason"])
        check(row["status"] in allowed, *what)
        check(row["status"] == "ok" or row["reason"] != "", "no reason")
        check(row["status"] != "crashed" or "SIGKILL" in row["reason"], *what)
        table.add(row["scenario"], **{row["status"]: 1})
    table.show()
    t.expect_no_workers(seed)


def case_long_gigabyte(t):
    everything(t, "1 GiB of addresses", limited(resource and resource.RLIMIT_AS, 1024 * MIB),
               ("ok", "nomem", "unsupported"))


def case_long_control_group(t):
    """1 GiB of memory for all processes together; the kernel may end a worker, and never the coordinator."""
    t.posix_only("control groups")
    for folder, file in (("/sys/fs/cgroup/memory", "memory.limit_in_bytes"),
                         ("/sys/fs/cgroup", "memory.max")):
        group = os.path.join(folder, "allocbench-test-%d" % os.getpid())
        try:
            os.mkdir(group)
        except OSError:
            continue
        try:
            with open(os.path.join(group, file), "w") as limit:
                limit.write(str(1024 * MIB))
        except OSError:
            os.rmdir(group)
            continue
        break
    else:
        skip("control groups cannot be made here")

    def join():
        with open(os.path.join(group, "cgroup.procs"), "w") as processes:
            processes.write(str(os.getpid()))

    try:
        everything(t, "control group of 1 GiB", join, ("ok", "nomem", "unsupported", "crashed"))
    finally:
        os.rmdir(group)


if __name__ == "__main__":
    allocbench_test.main(globals())

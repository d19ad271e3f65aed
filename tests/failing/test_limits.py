# SPDX-License-Identifier: MIT
"""Little room: on the disk, for addresses, data, files and processes. From where the program does not start
up to where nothing is missing, a run tells what it could not have."""
import os
import subprocess

from failing_test import (CELLS, FILES, PLANNED, RAW_FIELDS, Table, allocbench_test, can_limit, check,
                          check_equal, columns, judge, skip, unique_seed, whole_rows)

try:
    import resource
except ImportError:  # Windows
    resource = None

NO_FACTS = PLANNED + FILES + ("--no-facts",)
MIB = 1 << 20


def limited(what, amount):
    return lambda: resource.setrlimit(what, (amount, amount))


# --- a disk that is full ---


def fill_disk(t, room, seed):
    """A file may have so many bytes: a write beyond goes as far as it can, and the next one fails. How long
    the files became."""
    result = t.run(*(NO_FACTS + ("--seed", str(seed))), preexec_fn=limited(resource.RLIMIT_FSIZE, room))
    sizes = [os.path.getsize(t.path(name)) for name in ("a.csv", "a.raw")]
    rows, is_cut = whole_rows(t, "a.csv", len(columns()))
    raw, is_raw_cut = whole_rows(t, "a.raw", RAW_FIELDS)
    check(not is_cut and not is_raw_cut, "a short write was not cut back")
    check(max(sizes) <= room, "files of", sizes, "bytes with room for", room)
    is_whole = len(rows) == len(CELLS) and len(raw) == 2 * len(CELLS)
    check_equal(result.code, 0 if is_whole else 4, "exit with", len(rows), "rows,", len(raw), "samples")
    if not is_whole:
        check("cannot write the results: File too large" in result.error_line(), result.err)
    judge(t, result, seed)
    return sizes


def disk_at(t, rooms):
    """Exit codes and files for each size of the disk, and for one that holds all."""
    can_limit(t)
    seed = unique_seed()
    whole = fill_disk(t, MIB, seed)
    table = Table("disk with room for 0..%d bytes" % (max(whole) + 8))
    for room in rooms(max(whole) + 8):
        fill_disk(t, room, seed)
        table.add("csv and raw")
    table.show()


def case_full_disk(t):
    disk_at(t, lambda size: sorted(set(list(range(3)) + list(range(40, size, 97)) + [size - 1])))


def case_long_full_disk(t):
    disk_at(t, range)


def case_full_table(t):
    """Where stdout is a file it gets the CSV, which is not cut back: what stood there before is not ours."""
    can_limit(t)
    seed = unique_seed()
    plan = PLANNED + ("--quiet", "--no-facts", "--seed", str(seed))
    whole = t.run(*plan).expect(0).out
    header = len(whole.split("\n")[0]) + 1
    for room in (0, 1, header - 1, header, header + 1, len(whole) // 2, len(whole) - 40):
        with open(t.path("stdout"), "wb") as out:
            result = t.run(*plan, stdout=out, preexec_fn=limited(resource.RLIMIT_FSIZE, room)).expect(4)
        check("cannot write the results: File too large" in result.error_line(), result.err)
        text = t.read("stdout")
        check(len(text) <= room, len(text), "bytes with room for", room)
        check_equal(text[:header], whole[:min(header, room)], "the beginning")
        t.expect_no_workers(seed)


# --- limits of a process ---


def can_start(t, limit):
    """Whether the program says its version under the limit: what comes before main is the system's."""
    try:
        return t.run("--version", preexec_fn=limit).code == 0
    except (OSError, subprocess.SubprocessError):
        return False


def under(t, table, name, limit, plan=PLANNED, planned=None):
    """A run under a limit, judged if the program starts at all. Its exit code, None if it did not start."""
    seed = unique_seed()
    if not can_start(t, limit):
        table.add(name, **{"did not start": 1})
        return None
    result = t.run(*(plan + FILES + ("--seed", str(seed))), preexec_fn=limit)
    rows = judge(t, result, seed, planned)
    table.add(name, **{"exit %d" % result.code: 1, "bad rows": sum(row["status"] != "ok" for row in rows)})
    return result.code


def sweep_limit(t, name, what, amounts):
    """From large to small; the largest one must do."""
    can_limit(t)
    table = Table("limits")
    codes = [under(t, table, "%s %s" % (name, amount), limited(what, amount)) for amount in amounts]
    table.show()
    check_equal(codes[0], 0, "exit at", name, amounts[0])


def case_address_space(t):
    sweep_limit(t, "ulimit -v", resource and resource.RLIMIT_AS,
                [n * MIB // 2 for n in (2048, 64, 16, 14, 12, 11, 10, 9, 8, 4)])


def case_data(t):
    sweep_limit(t, "ulimit -d", resource and resource.RLIMIT_DATA,
                [n * MIB // 8 for n in (8192, 64, 16, 12, 11, 10, 9, 8, 0)])


def case_files(t):
    sweep_limit(t, "ulimit -n", resource and resource.RLIMIT_NOFILE, [24] + list(range(15, 2, -2)) + [6, 4])


NOBODY = 65534


def as_nobody(most):
    """A user without the right to exceed the limit."""
    def limit():
        if os.geteuid() == 0:
            os.setgroups([])
            os.setgid(NOBODY)
            os.setuid(NOBODY)
        resource.setrlimit(resource.RLIMIT_NPROC, (most, most))
    return limit


def case_processes(t):
    can_limit(t)
    if not os.path.isdir("/proc/self"):
        skip("there is no /proc")
    os.chmod(t.folder, 0o777)
    if not can_start(t, as_nobody(4096)):
        skip("another user cannot run the program")
    uid = NOBODY if os.geteuid() == 0 else os.geteuid()
    others = sum(os.stat("/proc/" + entry).st_uid == uid for entry in os.listdir("/proc") if entry.isdigit()
                 and os.path.exists("/proc/" + entry))
    table = Table("limits")
    codes = [under(t, table, "ulimit -u %d more" % more, as_nobody(others + more))
             for more in (200, 3, 2, 1, 0)]
    table.show()
    check_equal(codes[0], 0, "exit with room for 200 processes")
    if codes[-1] == 0:
        skip("the limit on processes is not enforced here")


if __name__ == "__main__":
    allocbench_test.main(globals())

# SPDX-License-Identifier: MIT
"""SIGKILL at moments that are drawn at random: of the coordinator, and of workers. The seed of the moments is
printed; ALLOCBENCH_MOMENTS=SEED draws the same ones again."""
import os
import random
import time

from failing_test import (FILES, PLAN, Table, allocbench_test, check, check_equal, columns, judge, skip,
                          unique_seed, whole_rows)
from allocbench_test import kill

GROUPS = 8
MANY = PLAN + ("--backend", "a=well,b=well", "--point", ",".join(str(n + 1) for n in range(GROUPS)))
MANY_CELLS = [(str(n + 1), name) for n in range(GROUPS) for name in "ab"]
RAW_FIELDS = 18


def moments():
    seed = int(os.environ.get("ALLOCBENCH_MOMENTS", unique_seed()))
    print("ALLOCBENCH_MOMENTS=%d" % seed)
    return random.Random(seed)


def start(t, seed):
    """Its table goes to a file, which tells which rows were finished."""
    with open(t.path("table"), "wb") as table:
        return t.start(*(MANY + FILES + ("--seed", str(seed))), stdout=table, start_new_session=True)


def usual_seconds(t):
    """How long the run takes here and now when nothing disturbs it."""
    seed = unique_seed()
    begin = time.monotonic()
    result = t.finish(start(t, seed))
    took = time.monotonic() - begin
    finish_table(t)
    judge(t, result.expect(0), seed, MANY_CELLS)
    return took


def finish_table(t):
    """How many rows the table has."""
    lines = t.read("table").split("\n")[:-1]
    os.remove(t.path("table"))
    return sum(line.startswith("work ") for line in lines)


def look(t, table, name):
    """What a killed run left: rows of the table that the CSV does not have, files that cannot be read."""
    shown = finish_table(t)
    lost = unreadable = kept = 0
    try:
        rows, _ = whole_rows(t, "a.csv", len(columns()))
        whole_rows(t, "a.raw", RAW_FIELDS)
        found = [(row[columns().index("count")], row[columns().index("backend")]) for row in rows]
        check_equal(found, MANY_CELLS[:len(found)], "rows")
        lost, kept = max(0, shown - len(rows)), len(rows)
    except (AssertionError, UnicodeDecodeError) as error:
        print(error)
        unreadable = 1
    for file in os.listdir(t.folder):
        os.remove(t.path(file))
    table.add(name, **{"rows lost": lost, "unreadable": unreadable, "rows kept": kept})


def coordinator(t, cases):
    t.posix_only("sessions of processes")
    drawn, table, seconds = moments(), Table("SIGKILL at random moments"), usual_seconds(t)
    for index in range(cases):
        seed = unique_seed() * 8 + index % 8
        process = start(t, seed)
        time.sleep(drawn.uniform(0, 1.1 * seconds))
        process.kill()
        t.finish(process)
        try:
            t.expect_no_workers(seed)
        except AssertionError:
            table.add("coordinator", 0, **{"workers left": len(t.workers(seed))})
        look(t, table, "coordinator")
    table.show()
    line = table.lines["coordinator"]
    check_equal([line[name] for name in table.HEAD], [cases, 0, 0, 0], table.HEAD)
    check(0 < line["rows kept"] < cases * len(MANY_CELLS), "all kills came too early or too late")


def kill_a_worker(t, process, seed, moment):
    """At the moment, or as soon after it as there is one; whether one was found."""
    time.sleep(moment)
    while process.poll() is None:
        for number in t.workers(seed):
            if number != process.pid:
                kill(number)
                return True
        time.sleep(0.001)
    return False


def workers(t, cases):
    t.posix_only("killing a worker")
    if not os.path.isdir("/proc/self"):
        skip("there is no /proc to look for workers in")
    drawn, table, seconds = moments(), Table("SIGKILL at random moments"), usual_seconds(t)
    for index in range(cases):
        seed = unique_seed() * 8 + index % 8
        process = start(t, seed)
        is_killed = kill_a_worker(t, process, seed, drawn.uniform(0, 0.9 * seconds))
        result = t.finish(process)
        finish_table(t)
        bad = [row for row in judge(t, result, seed, MANY_CELLS) if row["status"] != "ok"]
        check(len(bad) <= 1, "one was killed, and these are not ok:", bad)
        for row in bad:
            check_equal(row["status"], "crashed", "status")
            check("SIGKILL" in row["reason"], row["reason"])
        table.add("workers", killed=is_killed, crashed=len(bad))
    table.show()
    check(table.lines["workers"]["crashed"] > 0, "no kill came while a worker was busy")


def case_coordinator(t):
    coordinator(t, 10)


def case_workers(t):
    workers(t, 10)


def case_long_coordinator(t):
    coordinator(t, 100)


def case_long_workers(t):
    workers(t, 100)


if __name__ == "__main__":
    allocbench_test.main(globals())

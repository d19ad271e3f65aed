# SPDX-License-Identifier: MIT
"""Interrupting and killing a run: what is finished is kept, and no worker stays behind."""
import csv
import os
import signal
import subprocess
import time

import allocbench_test
from allocbench_test import check, check_equal, columns, kill, unique_seed, wait_for

PLAN = ("--scenario", "faulty", "--processes", "1", "--rounds", "2", "--pin", "none", "--quiet",
        "--no-facts", "--timeout", "5m", "--out", "a.csv")


def start(t, seed, *arguments):
    """In a session of its own, so that a signal to all of it does not reach the test. No pipes, which a
    worker that stays behind would hold open."""
    options = {} if os.name == "nt" else {"start_new_session": True}
    return t.start(*(PLAN + ("--seed", str(seed)) + arguments), stdout=subprocess.DEVNULL,
                   stderr=subprocess.DEVNULL, **options)


def has_rows(t, count):
    try:
        return t.read("a.csv").count("\n") > count
    except OSError:
        return False


def interrupt(t, number, backend, code):
    """Group 1 is finished, group 2 never ends, group 3 never begins."""
    t.posix_only("signals")
    seed = unique_seed()
    process = start(t, seed, "--backend", "well,%s" % backend, "--point", "1,2,3")
    wait_for(lambda: has_rows(t, 2) and t.processes("backend=%s;seed=%d;point=2" % (backend, seed)),
             allocbench_test.PATIENCE_S, "group 2")
    time.sleep(0.2)
    process.send_signal(number)
    t.finish(process).expect(code)
    rows = t.rows("a.csv")
    check_equal([(row["count"], row["backend"]) for row in rows],
                [(point, name) for point in "123" for name in ("well", backend)], "rows")
    status = [row["status"] for row in rows]
    check_equal(status[:2], ["ok", "ok"], "group 1")
    check(status[2] in ("ok", "interrupted"), status)  # it may have been finished by then
    check_equal(status[3:], ["interrupted"] * 3, "what was not finished")
    check(all(row["reason"] != "" for row in rows[3:]), "no reason")
    t.expect_no_workers(seed)


def case_sigint(t):
    interrupt(t, signal.SIGINT, "late-hang", 130)


def case_sigterm(t):
    interrupt(t, signal.SIGTERM, "late-hang", 143)


def case_sigint_blocked_worker(t):
    interrupt(t, signal.SIGINT, "late-sleep", 130)


def case_sigint_to_all(t):
    """As Ctrl-C on a terminal does: the workers get it too and leave it to the coordinator."""
    t.posix_only("signals")
    seed = unique_seed()
    process = start(t, seed, "--backend", "well,late-hang", "--point", "1,2")
    wait_for(lambda: has_rows(t, 2) and t.processes("backend=late-hang;seed=%d;point=2" % seed),
             allocbench_test.PATIENCE_S, "group 2")
    time.sleep(0.2)
    os.killpg(process.pid, signal.SIGINT)
    t.finish(process).expect(130)
    check_equal(t.rows("a.csv")[-1]["status"], "interrupted", "the last row")
    t.expect_no_workers(seed)


def check_file(t):
    """Whole lines of all fields; the last one may be cut short."""
    text = t.read("a.csv")
    lines = text.split("\n")
    whole = lines[:-1]  # what follows the last LF is empty or cut
    if whole:
        check_equal(whole[0].split(","), columns(), "the header")
    for fields in csv.reader(whole, strict=True):
        check_equal(len(fields), len(columns()), "fields of", fields)
    return len(whole)


def kill_coordinator(t, process, seed):
    """Under wine the process that was started may not be the program's own."""
    process.kill()
    if t.is_windows:
        for number in t.processes("\0--seed\0%d\0" % seed):
            kill(number)
    t.finish(process)


def case_sigkill_at_moments(t):
    points = ",".join(str(point) for point in range(1, 100))
    most = 0
    for index, (rows, delay_s) in enumerate(((0, 0), (0, 0.01), (0, 0.05), (2, 0), (4, 0.03))):
        seed = unique_seed() * 8 + index
        process = start(t, seed, "--backend", "well,x=well", "--point", points)
        wait_for(lambda: has_rows(t, rows) or (rows == 0 and os.path.exists(t.path("a.csv"))),
                 allocbench_test.PATIENCE_S, "the file")
        time.sleep(delay_s)
        kill_coordinator(t, process, seed)
        t.expect_no_workers(seed)
        most = max(most, check_file(t))
        os.remove(t.path("a.csv"))
    check(most > 1, "no kill came after the first group")


def killed_while(t, backend):
    seed = unique_seed()
    process = start(t, seed, "--backend", "well,%s" % backend, "--point", "1,2")
    wait_for(lambda: has_rows(t, 2) and t.processes("backend=%s;seed=%d;point=2" % (backend, seed)),
             allocbench_test.PATIENCE_S, "group 2")
    time.sleep(0.2)
    kill_coordinator(t, process, seed)
    t.expect_no_workers(seed)
    check_equal(check_file(t), 3, "lines of the file")


def case_sigkill_busy_worker(t):
    killed_while(t, "late-hang")


def case_sigkill_blocked_worker(t):
    killed_while(t, "late-sleep")


if __name__ == "__main__":
    allocbench_test.main(globals())

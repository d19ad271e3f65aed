# SPDX-License-Identifier: MIT
"""--threads: what it counts, what it hands on to each thread, and where the threads run."""
import os

import allocbench_test
from allocbench_test import check, check_equal, extra, facts, skip, unique_seed, wait_for

CHURN = ("--scenario", "churn", "--size", "64", "--slots", "1000", "--ops", "20000", "--processes", "1",
         "--rounds", "2")
BATCH = ("--scenario", "batch", "--count", "2000", "--processes", "1", "--repeats", "2")
SUMMED = ("allocs", "frees", "live_final", "live_peak")
MASK = (1 << 64) - 1


def thread_seed(seed, thread):
    """As the program has it: splitmix64 from the seed, the low 32 bits of its N-th number."""
    z = (seed + thread * 0x9E3779B97F4A7C15) & MASK
    z = ((z ^ (z >> 30)) * 0xBF58476D1CE4E5B9) & MASK
    z = ((z ^ (z >> 27)) * 0x94D049BB133111EB) & MASK
    return (z ^ (z >> 31)) & 0xFFFFFFFF if thread else seed


def chain(digests):
    value = 0xCBF29CE484222325
    for digest in digests:
        for byte in int(digest, 16).to_bytes(8, "little"):
            value = ((value ^ byte) * 0x100000001B3) & MASK
    return "%016x" % value


def by_op(rows):
    return {(row["op"], row["variant"]): row for row in rows}


def compare_with_single(t, plan, threads):
    """Counts are the sums, and the digest the chain, of what each thread would do alone."""
    together = by_op(t.measure(*(plan + ("--backend", "malloc", "--threads", str(threads)))))
    alone = [by_op(t.measure(*(plan + ("--backend", "malloc", "--seed", str(thread_seed(1, i))))))
             for i in range(threads)]
    check(len(together) > 0 and set(together) == set(alone[0]), "rows:", list(together))
    for name, row in together.items():
        parts = [rows[name] for rows in alone]
        check_equal((row["status"], row["threads"]), ("ok", str(threads)), name)
        check_equal(int(row["ops"]), sum(int(part["ops"]) for part in parts), "ops of", name)
        check_equal(int(row["requested_bytes"]), sum(int(part["requested_bytes"]) for part in parts), name)
        check_equal(row["stream_digest"], chain(part["stream_digest"] for part in parts), "digest of", name)
        check(0 <= float(extra(row)["thread_spread_pct"]) <= 100, row["extra"])
        for count in SUMMED:
            check_equal(int(extra(row)[count]), sum(int(extra(part)[count]) for part in parts), count)
        check("thread_spread_pct" not in extra(parts[0]), parts[0]["extra"])


def case_churn_sums(t):
    compare_with_single(t, CHURN, 2)


def case_churn_sums_of_five(t):
    compare_with_single(t, CHURN, 5)


def case_batch_sums(t):
    compare_with_single(t, BATCH, 3)


def case_batch_mix_at_random(t):
    compare_with_single(t, BATCH + ("--size", "4+8", "--order", "random"), 2)


def case_every_backend(t):
    """One heap per thread, whether it is thread safe or not."""
    rows = t.measure(*(CHURN + ("--backend", "malloc,none,pool,smallobj,gc,pages-map,pages-commit", "--threads",
                                "2", "--ops", "2000")))
    rows += t.measure(*(BATCH + ("--backend", "malloc,none,pool,smallobj,arena,autofree,scope,scope-shared",
                                 "--threads", "2")))
    check_equal({row["status"] for row in rows}, {"ok"}, "statuses")
    pool = {row["threads"]: row for row in rows + t.measure(*(CHURN + ("--backend", "pool")))
            if row["backend"] == "pool" and row["op"] == "replace"}
    for name in ("reserved_bytes", "committed_bytes"):
        check_equal(int(pool["2"][name]), 2 * int(pool["1"][name]), name)


def case_list(t):
    rows = t.measure(*(CHURN + ("--backend", "pool,none", "--threads", "1,2,4")))
    check_equal([(row["threads"], row["backend"]) for row in rows],
                [(n, b) for n in "124" for b in ("pool", "none")], "rows")


def case_latency(t):
    rows = t.measure(*(CHURN + ("--backend", "malloc", "--threads", "2", "--latency")))
    check_equal(len(rows), 1, "rows")
    check(0 < float(rows[0]["p50_ns"]) <= float(rows[0]["max_ns"]), rows)


def case_max_time(t):
    rows = t.measure("--scenario", "churn,handoff", "--backend", "malloc", "--size", "64", "--threads", "2",
                     "--ops", "50000000", "--max-time", "200ms", "--processes", "1", "--rounds", "1")
    check_equal([row["status"] for row in rows], ["ok", "ok"], "statuses")
    check(all(int(row["ops"]) < 100000000 for row in rows), rows)


def case_most_threads(t):
    rows = t.measure("--scenario", "churn", "--size", "16", "--slots", "100", "--ops", "100", "--processes", "1",
                     "--rounds", "1", "--backend", "pool,malloc", "--threads", "256")
    check_equal([(row["status"], row["ops"]) for row in rows], [("ok", "25600")] * 2, "rows")


def case_crowd_is_told(t):
    """More threads than CPUs: allowed, with a warning."""
    def warnings(threads):
        t.run("--quiet", "--out", "a.csv", *(CHURN + ("--backend", "none", "--threads", threads))).expect(0)
        return [value for key, value in facts(t.read("a.csv")) if key == "warning_threads"]
    check_equal(warnings("1"), [], "a warning of one thread")
    cpus = int(dict(facts(t.read("a.csv")))["cpus"])
    if cpus < 256:
        found = warnings("256")
        check(len(found) == 1 and found[0].startswith("256 threads share %d CPU" % cpus), found)


def case_table_tells_threads(t):
    out = t.run("--quiet", "--format", "table", *(CHURN + ("--backend", "none", "--threads", "1,2"))).expect(0).out
    lines = [line for line in out.splitlines() if line.startswith("replace")]
    check_equal(["[threads=2]" in line for line in lines], [False, True], "lines of\n" + out)


def case_no_thread_to_be_had(t):
    """Stacks of 256 threads do not fit: the row says so, the others are there."""
    t.posix_only("a limit on memory")
    if t.build() == "sanitizer":
        skip("a sanitizer does not live in a bounded address space")
    import resource

    def limit():
        resource.setrlimit(resource.RLIMIT_AS, (90 << 20, 90 << 20))

    rows = t.measure(*(CHURN + ("--backend", "none", "--threads", "1,256", "--slots", "10")), code=1,
                     preexec_fn=limit)
    check_equal([row["status"] for row in rows][0], "ok", rows)
    check(rows[1]["status"] in ("failed", "nomem") and "cannot be started: OS error" in rows[1]["reason"], rows)


def tasks(number):
    """CPUs that each thread of a process may run on."""
    found = []
    for task in sorted(os.listdir("/proc/%d/task" % number), key=int):
        with open("/proc/%d/task/%s/status" % (number, task)) as file:
            found += [line.split()[1] for line in file if line.startswith("Cpus_allowed_list:")]
    return found


def expect_threads(t, wanted, *options):
    """Where the threads of a busy worker run."""
    seed = unique_seed()
    process = t.start("--quiet", "--no-facts", "--out", "a.csv", "--scenario", "churn", "--size", "64",
                      "--backend", "malloc", "--processes", "1", "--rounds", "1", "--ops", "1000000000",
                      "--seed", str(seed), *options)

    def is_so():
        try:
            return [tasks(number) for number in t.workers(seed)] == [wanted]
        except OSError:
            return False  # it is just starting

    try:
        wait_for(is_so, 30, "threads on %s" % wanted)
    finally:
        process.kill()
        process.wait()
    t.expect_no_workers(seed)


def allowed(t):
    if t.is_windows or not os.path.isdir("/proc/self/task"):
        skip("there is no /proc to look at threads in")
    if t.build() == "sanitizer":
        skip("a sanitizer has a thread of its own")
    return sorted(os.sched_getaffinity(0), reverse=True)


def case_single_has_no_second_thread(t):
    expect_threads(t, [str(allowed(t)[0])], "--threads", "1")


def case_pinned_in_turn(t):
    """From the default CPU downwards, and from the highest one again."""
    cpus = [str(cpu) for cpu in allowed(t)]
    expect_threads(t, [cpus[i % len(cpus)] for i in range(3)], "--threads", "3")


def case_pinned_from_the_given(t):
    cpus = allowed(t)[::-1]
    cpus = [str(cpu) for cpu in cpus[:1] + cpus[:0:-1]]
    expect_threads(t, [cpus[i % len(cpus)] for i in range(3)], "--threads", "3", "--pin", cpus[0])


def case_pinned_nowhere(t):
    allowed(t)
    with open("/proc/self/status") as file:
        own = [line.split()[1] for line in file if line.startswith("Cpus_allowed_list:")]
    expect_threads(t, own * 2, "--threads", "2", "--pin", "none")


if __name__ == "__main__":
    allocbench_test.main(globals())

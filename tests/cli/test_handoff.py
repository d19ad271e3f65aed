# SPDX-License-Identifier: MIT
"""handoff: every pattern is proven, and its counts and digests are what its threads do."""
import allocbench_test
from allocbench_test import check, check_equal, extra
from test_threads import MASK, chain, thread_seed

PATTERNS = ("pair", "ring", "shared", "adjacent")
PLAN = ("--scenario", "handoff", "--processes", "1", "--rounds", "2")
SIZE, OPS = 64, 3000


def digest(records):
    value = 0xCBF29CE484222325
    for kind, slot in records:
        for byte in bytes([kind]) + slot.to_bytes(4, "little") + SIZE.to_bytes(8, "little"):
            value = ((value ^ byte) * 0x100000001B3) & MASK
    return "%016x" % value


def picks(seed):
    """Slots that a thread of `shared` goes to."""
    state = seed
    for _ in range(OPS):
        state = (state * 214013 + 2531011) & 0xFFFFFFFF
        yield (state >> 16 & 0x7FFF) % 4096


def records(pattern, threads, thread):
    allocs, frees = [(1, n) for n in range(OPS)], [(2, n) for n in range(OPS)]
    if pattern == "pair":
        return frees if thread % 2 else allocs
    if pattern == "ring":
        return allocs + frees
    if pattern == "shared":
        return [(1, slot) for slot in picks(thread_seed(1, thread))]
    objects = 64 * threads
    return ([(1, n) for n in range(objects)] if thread == 0 else []) + [
        (2, n) for n in range(thread, objects, threads)]


def counts(pattern, threads):
    if pattern == "adjacent":
        return {"allocs": 64 * threads, "frees": 64 * threads, "live_final": 0, "live_peak": 64 * threads}
    allocs = OPS * (threads // 2 if pattern == "pair" else threads)
    if pattern == "shared":
        live = len({slot for i in range(threads) for slot in picks(thread_seed(1, i))})
        return {"allocs": allocs, "frees": allocs - live, "live_final": live, "live_peak": live}
    return {"allocs": allocs, "frees": allocs, "live_final": 0}


def compare(t, pattern):
    for threads in (2, 4):
        rows = t.measure(*(PLAN + ("--pattern", pattern, "--ops", str(OPS), "--threads", str(threads))))
        check_equal([(row["op"], row["backend"], row["status"], row["reason"]) for row in rows],
                    [("handoff", "malloc", "ok", ""), ("handoff", "none", "ok", "")], "rows")
        for row in rows:
            check_equal((row["size_bytes"], row["count"], row["threads"]), ("64", "", str(threads)), "key")
            check_equal(row["ops"], str(OPS * (threads // 2 if pattern == "pair" else threads)), "ops")
            check_equal(row["stream_digest"],
                        chain(digest(records(pattern, threads, i)) for i in range(threads)), "digest")
            wanted = counts(pattern, threads)
            check_equal({name: int(extra(row)[name]) for name in wanted}, wanted, "counts")
            check_equal("live_peak" in extra(row), "live_peak" in wanted, row["extra"])
            check_equal(row["requested_bytes"] != "", "live_peak" in wanted, "requested_bytes")


def case_pair(t):
    compare(t, "pair")


def case_ring(t):
    compare(t, "ring")


def case_shared(t):
    compare(t, "shared")


def case_adjacent(t):
    compare(t, "adjacent")


def case_adjacent_figures(t):
    """Objects of 16 bytes of two threads share lines; those of a line's size and alignment cannot all."""
    rows = t.measure(*(PLAN + ("--pattern", "adjacent", "--size", "16", "--backend", "malloc,none", "--ops", "1000")))
    check(int(extra(rows[0])["lines_shared"]) > 0, rows[0]["extra"])
    check("lines_shared" not in extra(rows[1]), rows[1]["extra"])
    check(all(float(extra(row)["padded_ns_per_op"]) > 0 for row in rows), rows)


def case_sizes(t):
    """The smallest ones too, whose first byte is their last, and more than both ends of the pattern."""
    rows = t.measure(*(PLAN + ("--size", "1,3,200,5000", "--pattern", ",".join(PATTERNS), "--ops", "500",
                               "--backend", "malloc")))
    check_equal({row["status"] for row in rows}, {"ok"}, "statuses")
    check_equal(len(rows), 16, "rows")


def case_odd_ring(t):
    rows = t.measure(*(PLAN + ("--pattern", "ring,shared,adjacent", "--threads", "3,7", "--ops", "500")))
    check_equal([row["status"] for row in rows], ["ok"] * 12, "statuses")


def case_many_threads(t):
    rows = t.measure(*(PLAN + ("--pattern", ",".join(PATTERNS), "--threads", "64", "--ops", "200", "--backend",
                               "malloc")))
    check_equal([row["status"] for row in rows], ["ok"] * 4, "statuses")


def case_indirect(t):
    rows = t.measure(*(PLAN + ("--pattern", ",".join(PATTERNS), "--dispatch", "indirect", "--ops", "500")))
    check_equal({row["status"] for row in rows}, {"ok"}, "statuses")


def case_not_thread_safe(t):
    rows = t.measure(*(PLAN + ("--backend", "malloc,pool,smallobj,pages-map,arena,gc", "--ops", "500")))
    check_equal([(row["backend"], row["status"]) for row in rows[1:]],
                [(name, "unsupported") for name in ("pool", "smallobj", "pages-map", "arena", "gc")], "rows")
    for row in rows[1:4]:
        check_equal(row["reason"], "%s is not thread safe" % row["backend"], "reason")


def case_winheap(t):
    rows = t.measure(*(PLAN + ("--backend", "winheap", "--pattern", ",".join(PATTERNS), "--ops", "500")))
    check_equal({row["status"] for row in rows}, {"ok" if t.is_windows else "unsupported"}, "statuses")


def long_run(t, pattern):
    allocbench_test.PATIENCE_S = 280
    row, = t.measure("--scenario", "handoff", "--pattern", pattern, "--ops", "10000000", "--threads", "2",
                     "--processes", "1", "--rounds", "1", "--backend", "malloc")
    check_equal((row["status"], row["reason"]), ("ok", ""), pattern)


def case_long_pair(t):
    long_run(t, "pair")


def case_long_ring(t):
    long_run(t, "ring")


def case_long_shared(t):
    long_run(t, "shared")


def case_long_adjacent(t):
    long_run(t, "adjacent")


if __name__ == "__main__":
    allocbench_test.main(globals())

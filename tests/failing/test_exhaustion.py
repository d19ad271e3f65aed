# SPDX-License-Identifier: MIT
"""A call fails in the worker of a real backend: its rows say so or hold the proof of the same work as ever,
and the backend beside it does not notice."""
from failing_test import Table, allocbench_test, check, check_equal, numbers, run_failing, unique_seed
from allocbench_test import extra

BRIEF = ("--processes", "1", "--rounds", "2", "--pin", "none", "--timeout", "30s", "--quiet", "--no-facts",
         "--out", "a.csv")
CHURN = ("churn", "--size", "64", "--slots", "512", "--ops", "2000", "--rng", "dotnet")
BATCH = ("batch", "--size", "16", "--count", "2000", "--repeats", "2")
MAP = ("map", "--count", "1000")
BLOCKS = ("granularity", "--size", "64K", "--total", "1M", "--space", "64M", "--toggles", "100")
GROWTH = ("growth", "--total", "256K", "--step", "4096")
PAGES = ("pages", "--size", "64K", "--count", "8")
TEAM = CHURN + ("--threads", "2")
HANDOFF = ("handoff", "--pattern", "ring", "--threads", "2", "--ops", "1000")
# What runs in each scenario beside the first, which must stay well.
SETS = {
    CHURN: ("none", "malloc", "pool", "smallobj", "gc", "pages-map", "pages-commit"),
    BATCH: ("none", "malloc", "arena", "pool", "smallobj"),
    MAP: ("malloc", "arena", "autofree", "scope", "scope-shared"),
    BLOCKS: ("none", "malloc", "pages-map", "pages-commit"),
    GROWTH: ("os-delta", "delta", "whole", "double", "upfront", "realloc", "remap", "populate-whole"),
    PAGES: ("map", "reserve-commit", "dontneed", "dontneed-protect", "remap-none", "free-lazy", "populate",
            "huge"),
    TEAM: ("none", "malloc", "pool"),
    HANDOFF: ("malloc", "pages-map"),
}
MEMORY = ("mmap", "mprotect", "madvise", "munmap", "mremap", "mincore", "malloc,calloc,realloc")
OTHERS = ("getrlimit", "setrlimit", "sched_setaffinity", "pthread_create", "pthread_mutex_init", "open",
          "read")
# A heap does not tell what a failure to give back costs, nor does a region; the proof does.
PROOF = ("stream_digest", "allocs", "frees", "live_final", "live_peak")


def arguments(plan, backends, seed):
    return ("--scenario",) + plan + BRIEF + ("--backend", ",".join(backends), "--seed", str(seed))


def proof(row):
    figures = extra(row)
    return (row["stream_digest"],) + tuple(figures.get(name) for name in PROOF[1:])


def look(t, result, seed, usual, beside):
    """The rows, whose proofs are those of the usual ones where they are ok."""
    check(result.code in (0, 1), "exit", result.code, result.err)
    t.expect_no_workers(seed)
    rows = t.rows("a.csv")
    check_equal([(row["op"], row["backend"]) for row in rows], [(row["op"], row["backend"]) for row in usual],
                "rows")
    for row, as_ever in zip(rows, usual):
        what = (row["op"], row["backend"], row["status"], row["reason"])
        if row["backend"] == beside:
            check_equal(row["status"], as_ever["status"], "the neighbour", *what)
        check(row["status"] in ("ok", "nomem", "failed", "crashed", "unsupported"), *what)
        check_equal(row["reason"] == "", row["status"] == "ok", "a reason", *what)
        if row["status"] == "ok" and row["op"] != "reserve_all":  # which ends where a call fails
            check_equal(proof(row), proof(as_ever), "proof", *what)
    return rows


def fail_all(t, plan, calls, first, spread, table, backends=None, **options):
    chosen = SETS[plan]
    for backend in backends or chosen[1:]:
        seed = unique_seed()
        told = arguments(plan, (chosen[0], backend), seed)
        inside = "backend=%s;" % backend
        for call in calls:
            usual, whole = run_failing(t, call, 0, told, inside, **options)
            if usual.code == 1:
                continue  # it is not well here without a failure either
            as_ever = t.rows("a.csv")
            for at in numbers(whole.calls, first, spread, seed):
                try:
                    result, _ = run_failing(t, call, at, told, inside, **options)
                    rows = look(t, result, seed, as_ever, chosen[0])
                except AssertionError as error:
                    raise AssertionError("%s of %s, call %d of %d, %s\n%s" % (
                        call, " ".join(told), at, whole.calls, options, error))
                table.add("%s %s" % (plan[0], backend), **{
                    row["status"]: 1 for row in rows if row["backend"] == backend and row["status"] != "ok"})


def sweep(t, sets, calls, first=2, spread=1, **options):
    table = Table("a call fails in the worker")
    try:
        for plan in sets:
            fail_all(t, plan, calls, first, spread, table, **options)
    finally:
        table.show()


def case_heaps(t):
    sweep(t, (CHURN,), ("mmap", "mprotect"), backends=("pool", "gc", "smallobj", "pages-commit"))


def case_regions(t):
    sweep(t, (MAP,), ("mmap", "mprotect"), backends=("arena", "scope"))


def case_blocks(t):
    """Of a heap of the C library only the harness's own mappings are seen, those of the proof among them."""
    sweep(t, (BLOCKS,), ("mmap",), backends=("malloc",), first=12)
    sweep(t, (BLOCKS,), ("mprotect", "setrlimit"), backends=("pages-commit",))


def case_growth(t):
    sweep(t, (GROWTH,), ("mmap",), backends=("realloc",), first=12)
    sweep(t, (GROWTH,), ("mprotect", "mremap"), backends=("delta", "remap"))


def case_pages(t):
    sweep(t, (PAGES,), ("mmap", "madvise"), backends=("dontneed-protect", "huge"))


def case_threads(t):
    sweep(t, (TEAM,), ("mmap", "pthread_create", "pthread_mutex_init"), backends=("pool",))
    sweep(t, (HANDOFF,), ("mmap", "pthread_create"))


def case_heap_of_the_c_library(t):
    sweep(t, (CHURN, BATCH), ("malloc,calloc,realloc",), backends=("malloc",))


def case_long_all(t):
    """Up to 40 calls of each kind and a sample of the rest, alone and with all that follow."""
    sweep(t, SETS, MEMORY + OTHERS, 40, 10)
    sweep(t, SETS, MEMORY + OTHERS, 3, 5, lasting=True)


if __name__ == "__main__":
    allocbench_test.main(globals())

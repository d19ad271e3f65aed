# SPDX-License-Identifier: MIT
"""What granularity must show on every machine: how the space is used up, and --max-time."""
import allocbench_test
from allocbench_test import check, check_equal, extra, skip

ONE = ("--scenario", "granularity", "--toggles", "1", "--processes", "1", "--rounds", "1", "--backend",
       "pages-map")


def reserve_all(t, *arguments, code=0):
    if t.build() == "sanitizer":
        skip("a sanitizer does not live in a bounded address space")
    rows = t.measure(*(ONE + arguments), code=code)
    return [row for row in rows if row["op"] == "reserve_all"]


def case_obtained_bytes_fall(t):
    rows = reserve_all(t, "--size", "64K..512M:x2", "--space", "2G")
    check_equal([row["status"] for row in rows], ["ok"] * 14, "statuses")
    obtained = [int(extra(row)["obtained_bytes"]) for row in rows]
    check(obtained == sorted(obtained, reverse=True), "larger blocks obtain more:", obtained)
    check(obtained[0] > obtained[-1], "larger blocks obtain as much:", obtained)
    for row, got in zip(rows, obtained):
        check_equal(got, int(extra(row)["blocks"]) * int(row["size_bytes"]), "obtained_bytes")
        check_equal(extra(row)["blocks"], row["ops"], "blocks")
        check(got <= 2 << 30, "more than the space:", got)


def case_space_too_small(t):
    """A block that does not fit is a row with a reason, and the sweep goes on."""
    rows = reserve_all(t, "--size", "64M,256M,512M,128M", "--space", "256M", code=1)
    status = {row["size_bytes"]: row["status"] for row in rows}
    check_equal(status, {str(64 << 20): "ok", str(256 << 20): "nomem", str(512 << 20): "nomem",
                         str(128 << 20): "ok"}, "statuses")
    for row in rows:
        check((row["status"] == "ok") == (row["reason"] == ""), row["reason"])
        check((row["status"] == "ok") == (row["ns_per_op"] != ""), row["ns_per_op"])
    others = [row for row in t.rows("measured.csv") if row["op"] != "reserve_all"]
    check_equal({row["status"] for row in others}, {"ok"}, "other operations")


def case_fragments(t):
    """Small blocks fill the gaps, large ones do not."""
    t.posix_only("fragments that depend on the OS's choice of addresses")
    sizes = ("--size", "64K,1M,16M", "--space", "1G", "--fragment", "50")
    rows = reserve_all(t, *sizes, code=None)
    obtained = [int(extra(row)["obtained_bytes"]) for row in rows]
    check(obtained[0] > 2 * obtained[1] and obtained[1] >= obtained[2], "obtained:", obtained)
    whole = [int(extra(row)["obtained_bytes"]) for row in reserve_all(t, *sizes[:-2], code=None)]
    check(obtained[0] < whole[0], "fragments take nothing:", obtained[0], "of", whole[0])


def case_max_time(t):
    """Shortens to a prefix of the stream, the same for all backends."""
    plan = ("--scenario", "granularity", "--size", "16M", "--total", "64M", "--space", "256M",
            "--backend", "pages-map,none", "--processes", "1", "--rounds", "1")
    toggles = 100000000  # minutes with pages-map
    rows = [row for row in t.measure("--toggles", str(toggles), "--max-time", "200ms", *plan, code=None)
            if row["op"] == "toggle"]
    check_equal([row["status"] for row in rows], ["ok", "ok"], "statuses")
    check_equal(rows[0]["ops"], rows[1]["ops"], "ops")
    ops = int(rows[0]["ops"])
    check(0 < ops < toggles, "ops are not shortened:", ops)
    check("toggles=%d;" % toggles in rows[0]["variant"], "the key is not the plan's:", rows[0]["variant"])
    prefix = [row for row in t.measure("--toggles", str(ops), *plan, code=None) if row["op"] == "toggle"]
    for name in ("ops", "stream_digest"):
        check_equal(rows[0][name], prefix[0][name], name)


def case_max_time_long_enough(t):
    """Time enough changes nothing."""
    plan = ("--scenario", "granularity", "--size", "16M", "--total", "64M", "--space", "256M",
            "--backend", "pages-map,none", "--processes", "1", "--rounds", "1", "--toggles", "100")
    rows = [row for row in t.measure("--max-time", "1h", *plan, code=None) if row["op"] == "toggle"]
    check_equal([row["ops"] for row in rows], ["100", "100"], "ops")


def case_not_enough_memory(t):
    """A cell that the machine cannot hold does not run."""
    plan = ("--scenario", "granularity", "--size", "1G", "--total", "1024G", "--touch", "all", "--toggles",
            "1", "--space", "256M", "--backend", "malloc", "--processes", "1", "--rounds", "1")
    if t.build() == "sanitizer":
        skip("a sanitizer's heap refuses blocks of this size")
    rows = {row["backend"]: row for row in t.measure(*plan, code=1) if row["op"] == "alloc"}
    check_equal(rows["malloc"]["status"], "nomem", "status")
    check("available" in rows["malloc"]["reason"], rows["malloc"]["reason"])


if __name__ == "__main__":
    allocbench_test.main(globals())

# SPDX-License-Identifier: MIT
"""growth and pages through the program: the published page counts, exponents, the truth table."""
import math

import allocbench_test
from allocbench_test import check, check_equal, extra, skip

ONCE = ("--processes", "1", "--rounds", "1")


def page_bytes(t):
    """Of the system under test: a growth by one byte adds one page."""
    rows = t.measure("--scenario", "growth", "--total", "1M", "--step", "1M", "--backend", "upfront", *ONCE)
    return (1 << 20) // int(extra(rows[0])["new_pages"])


def exponent(points):
    xs, ys = [math.log(x) for x, _ in points], [math.log(y) for _, y in points]
    n, mean_x, mean_y = len(points), sum(xs) / len(xs), sum(ys) / len(ys)
    return (sum(x * y for x, y in zip(xs, ys)) - n * mean_x * mean_y) / (
        sum(x * x for x in xs) - n * mean_x * mean_x)


def case_published_pages(t):
    if page_bytes(t) != 4096:
        skip("the published figures are for pages of 4096 bytes")
    rows = t.measure("--scenario", "growth", "--total", "25M", "--step", "1009,4096", "--backend",
                     "os-delta,delta,whole", *ONCE)
    found = {(row["variant"].split("step=")[1].split(";")[0], row["backend"]): extra(row) for row in rows}
    check(abs(int(found["1009", "whole"]["pages_submitted"]) / 83.16e6 - 1) < 0.001, found)
    check_equal(int(found["4096", "whole"]["pages_submitted"]), 6400 * 6401 // 2)
    for step in ("1009", "4096"):
        for backend in ("os-delta", "delta"):
            check_equal(found[step, backend]["pages_submitted"], "6400", step, backend)
            check_equal(found[step, backend]["commit_calls"], "6400", step, backend)
        for backend in ("os-delta", "delta", "whole"):
            check_equal(found[step, backend]["new_pages"], "6400", step, backend)
            check(int(found[step, backend]["worst_step_ns"]) > 0, step, backend)


def case_exponents_of_pages(t):
    rows = t.measure("--scenario", "growth", "--total", "1M,4M,16M,64M", "--step", "4096", "--backend",
                     "delta,whole", *ONCE)
    for backend, low, high in (("whole", 1.9, 2.1), ("delta", 0.95, 1.05)):
        points = [(int(row["size_bytes"]), int(extra(row)["pages_submitted"])) for row in rows
                  if row["backend"] == backend]
        check(low < exponent(points) < high, backend, exponent(points))


def case_table_ends_with_exponents(t):
    arguments = ("--scenario", "growth", "--step", "4096", "--backend", "delta,whole", "--format", "table",
                 "--quiet") + ONCE
    lines = t.run("--total", "1M,2M", *arguments).expect(0).out.splitlines()
    start = [i for i, line in enumerate(lines) if line.startswith("exponent over size")]
    check_equal(len(start), 1, "headings")
    check_equal([line.split()[1] for line in lines[start[0] + 2:]], ["delta", "whole"])
    for line, expected in zip(lines[start[0] + 2:], (1, 2)):
        check(abs(float(line.split()[3]) - expected) < 0.02, line)
    check("exponent" not in t.run("--total", "1M", *arguments).expect(0).out, "an exponent of one total")


def case_ns_per_new_page_follows_from_the_time(t):
    for row in t.measure("--scenario", "growth", "--total", "1M", "--step", "4096", "--touch", "none,write",
                         "--backend", "os-delta,delta,double,realloc", *ONCE):
        expected = float(row["ns_per_op"]) / int(extra(row)["new_pages"])
        check(abs(float(extra(row)["ns_per_new_page"]) / expected - 1) < 0.001, row)
        if row["backend"] == "realloc":
            check_equal((row["reserved_bytes"], row["committed_bytes"]), ("", ""), "the ladder of realloc")
            check("pages_submitted" not in extra(row), "realloc names no pages")
        else:
            check_equal(row["committed_bytes"], str(1 << 20), row["backend"])


def case_strategies_of_other_systems(t):
    rows = t.measure("--scenario", "growth", "--total", "1M", "--step", "4096", "--backend",
                     "delta,remap,nt-delta,nt-whole", *ONCE)
    status = {row["backend"]: row["status"] for row in rows}
    if t.is_windows:
        check_equal(status["remap"], "unsupported")
        check_equal((status["nt-delta"], status["nt-whole"]), ("ok", "ok"))
    else:
        check_equal((status["nt-delta"], status["nt-whole"]), ("unsupported", "unsupported"))
    check(all(row["reason"] != "" for row in rows if row["status"] == "unsupported"), "no reason")


def case_huge_and_populate(t):
    rows = t.measure("--scenario", "growth", "--total", "4M", "--step", "4096", "--touch", "populate",
                     "--huge", "no,yes", "--backend", "delta,upfront,realloc", *ONCE)
    check_equal({row["status"] for row in rows if row["backend"] == "realloc"}, {"unsupported"})
    check_equal({row["status"] for row in rows if "huge=no" in row["variant"]}, {"ok", "unsupported"})
    rows = t.measure("--scenario", "granularity", "--size", "2M", "--total", "4M", "--ops", "4", "--touch",
                     "write", "--huge", "no,yes", "--backend", "pages-map", code=None, *ONCE)
    check("huge=yes" in rows[-1]["variant"], rows[-1]["variant"])


# What the systems document: resident_dropped, zeroed, faults_after. None: anything.
LINUX = {
    "reserve-commit": ("no", "no", "yes"),
    "dontneed": ("yes", "yes", "no"),
    "dontneed-protect": ("yes", "yes", "yes"),
    "remap-none": ("yes", "yes", "yes"),
    "free-lazy": (None, None, "no"),
}
WINDOWS = {"reserve-commit": ("unknown", "no", "yes"), "decommit": ("yes", "yes", "yes"), "reset": (None, None, "no")}


def truth(row):
    return tuple(extra(row)[name] for name in ("resident_dropped", "zeroed", "faults_after"))


def case_truth_table(t):
    documented = WINDOWS if t.is_windows else LINUX
    rows = t.measure("--scenario", "pages", "--size", "64K", "--backend", ",".join(["map"] + list(documented)),
                     *ONCE)
    found = {(row["op"], row["backend"]): row for row in rows}
    for backend, expected in documented.items():
        row = found["decommit", backend]
        if row["status"] == "unsupported":
            continue
        for value, wanted in zip(truth(row), expected):
            check(wanted in (None, value), backend, truth(row), "and not", expected)
        check_equal(extra(found["release", backend])["faults_after"], "yes", backend)
        check(extra(row)["commit_charge_dropped"] in ("yes", "no", "unknown"), row["extra"])
    check_equal(truth(found["release", "map"])[::2], ("yes", "yes"), "after release")


def case_every_operation_primitive_and_size(t):
    rows = t.measure("--scenario", "pages", "--size", "4K,64K", *ONCE)
    operations = ["reserve", "commit", "first_touch", "second_touch", "decommit", "touch_again", "release"]
    backends = list(dict.fromkeys(row["backend"] for row in rows))
    found = [(row["size_bytes"], row["op"], row["backend"]) for row in rows]
    check_equal(found, [(size, op, backend) for size in ("4096", "65536") for op in operations
                        for backend in backends])
    check("map" in backends and len(backends) > 3, backends)
    for row in rows:
        check(row["status"] == "ok" or (row["status"] == "unsupported" and row["reason"] != ""), row)
        check(row["status"] != "ok" or "ns_per_page" in extra(row), row)
    first = [row for row in rows if row["op"] == "first_touch" and row["backend"] == "map"]
    check_equal([extra(row).get("resident_change_bytes") for row in first], ["4096", "65536"])


def case_checkerboard_ends_at_the_limit(t):
    t.posix_only("a limit on mappings")
    try:
        with open("/proc/sys/vm/max_map_count", encoding="ascii") as file:
            limit = int(file.read())
    except OSError:
        skip("there is no vm.max_map_count")
    if limit > 120000:
        skip("vm.max_map_count is high")
    arguments = ("--scenario", "pages", "--pattern", "checkerboard", "--size", "4K", "--backend",
                 "reserve-commit") + ONCE
    for row in t.measure(*arguments, code=1):
        check_equal(row["status"], "nomem")
        check("vm.max_map_count is %d" % limit in row["reason"], row["reason"])
        reached = int(row["reason"].split("there are ")[1].split()[0])
        check(abs(reached - limit) <= 16, row["reason"])
    rows = t.measure("--count", "1000", *arguments)
    check_equal({row["status"] for row in rows}, {"ok"}, "a checkerboard that fits")


if __name__ == "__main__":
    allocbench_test.main(globals())

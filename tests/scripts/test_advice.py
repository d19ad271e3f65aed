# SPDX-License-Identifier: MIT
"""Advice: only from rows with a verdict."""
import scripts_test
from scripts_test import Csv, check

VARIANT = "dispatch=inline;ops=1000;touch=none"


def _advice(t, csv, *arguments):
    t.write("x.csv", csv)
    return t.run("tables", "x.csv", "--advice", *arguments).expect(0).out


def _curve(csv, **ratios):
    """Ratios of each backend at 16, 64, 256 and 1024 bytes."""
    for place, size in enumerate((16, 64, 256, 1024)):
        more = {"size_bytes": size, "count": 100, "variant": VARIANT}
        csv.add("churn", "replace", "malloc", ratio=1, **more)
        for name, values in ratios.items():
            if values[place]:
                csv.add("churn", "replace", name, 100 * values[place], ratio=values[place], **more)


def case_one_is_fastest(t):
    csv = Csv()
    _curve(csv, pool=(0.5, 0.5, 0.6, 0.6), arena=(0.8, 0.8, 0.8, 0.8))
    check("  16 B to 1K: pool, 0.500 to 0.600 of malloc's time\n" in _advice(t, csv), _advice(t, csv))


def case_two_are_fastest(t):
    csv = Csv()
    _curve(csv, pool=(0.5, 0.5, 0.5, 0.5), arena=(0.501, 0.501, 0.501, 0.8))
    out = _advice(t, csv)
    check("16 B to 256 B: pool and arena, " in out, out)
    check("no difference beyond noise between them" in out, out)
    check("  1K: pool, 0.500 of malloc's time (0.495 to 0.505)\n" in out, out)


def case_curves_cross(t):
    csv = Csv()
    _curve(csv, gc=(0.2, 0.7, 1.001, 2.0))
    out = _advice(t, csv)
    check("  16 B to 64 B: gc, 0.200 to 0.700 of malloc's time\n" in out, out)
    check("  256 B: stay with malloc: nothing is faster beyond noise; gc the same\n" in out, out)
    check("  1K: stay with malloc: nothing is faster beyond noise; gc slower\n" in out, out)
    check("  gc crosses malloc between 64 B (faster, 0.693 to 0.707) and 1K (slower, 1.98 to 2.02)\n"
          in out, out)


def case_cross_the_other_way(t):
    csv = Csv()
    _curve(csv, pool=(2.0, 0.5, 0.5, 0.5))
    check("pool crosses malloc between 16 B (slower, 1.98 to 2.02) and 64 B (faster, 0.495 to 0.505)"
          in _advice(t, csv), _advice(t, csv))


def case_nothing_beyond_noise(t):
    csv = Csv()
    for name, ratio in (("malloc", 1), ("pool", 0.9), ("arena", 1.1)):
        csv.add("map", "total", name, 100 * ratio, ratio=ratio, pct=30, size_bytes=40, count=20000,
                variant="order=ascending")
    check("20000 x 40 B: stay with malloc: nothing is faster beyond noise; no difference beyond noise "
          "for pool and arena" in _advice(t, csv), _advice(t, csv))


def case_none_is_no_choice(t):
    csv = Csv()
    _curve(csv, none=(0.01,) * 4, pool=(0.5,) * 4)
    check("none" not in _advice(t, csv), _advice(t, csv))


def case_only_with_a_verdict(t):
    csv = Csv()
    _curve(csv, pool=(0.5,) * 4)
    for row in csv.rows:
        row["verdict"] = ""
    check(_advice(t, csv).startswith("No advice: no row has a verdict."), _advice(t, csv))


def case_only_main_operations(t):
    csv = Csv()
    for op in ("alloc", "free", "total"):
        for name, ratio in (("malloc", 1), ("pool", 0.5)):
            csv.add("batch", op, name, ratio=ratio, size_bytes=4, count=9, variant="repeat=1")
    out = _advice(t, csv)
    check("batch total, 9 x 4 B\n  repeat 1: pool" in out and "batch alloc" not in out, out)


def case_variants_are_apart(t):
    csv = Csv()
    for touch, ratio in (("none", 0.5), ("zero", 2.0)):
        for name, value in (("malloc", 1), ("pool", ratio)):
            csv.add("churn", "replace", name, ratio=value, size_bytes=4, count=9,
                    variant="ops=1;touch=" + touch)
    out = _advice(t, csv)
    check("churn replace, touch=none\n  4 B: pool" in out, out)
    check("churn replace, touch=zero\n  4 B: stay with malloc" in out, out)


def case_markdown(t):
    csv = Csv()
    _curve(csv, pool=(0.5,) * 4)
    check(_advice(t, csv, "--format", "markdown").startswith("- churn replace\n  - 16 B to 1K: pool"),
          _advice(t, csv, "--format", "markdown"))


scripts_test.main(globals())

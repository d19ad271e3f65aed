# SPDX-License-Identifier: MIT
"""plot: files come out, every point is in them, and what is missing is said."""
import os
import re
import shutil

import scripts_test
from scripts_test import Csv, check, check_equal, skip

import made_up
from allocbench_results import gnuplot, pictures, reading


def _all():
    csv = Csv()
    made_up.granularity(csv)
    made_up.churn(csv)
    made_up.batch(csv)
    made_up.map_(csv)
    made_up.growth(csv)
    for op in ("reserve", "commit", "first_touch", "second_touch", "decommit", "touch_again", "release"):
        for size in (4096, 65536, 1 << 20):
            csv.add("pages", op, "map", 1000 + size / 10.0, ratio=1, size_bytes=size, count=4,
                    variant="pattern=separate;touch=write",
                    extra="ns_per_page=%.4g" % ((1000 + size / 10.0) / (size / 4096.0)))
    return csv


def _run_of_all(t):
    return t.write("x.csv", _all())


NAMES = ["granularity-toggle", "granularity-alloc", "granularity-free", "granularity-obtainable",
         "churn-replace", "batch-4-250000", "batch-4-500000", "batch-4-1000000", "batch-4+8+12+16+20-1000000", "map-20000",
         "growth-time-step-1009", "growth-pages-step-1009", "growth-time-step-4096",
         "growth-pages-step-4096", "pages-map"]


def _need_gnuplot():
    if not shutil.which("gnuplot"):
        skip("gnuplot is not there")


def case_list(t):
    _run_of_all(t)
    check_equal(t.run("plot", "x.csv", "--list").expect(0).out.split(), NAMES)


def case_threads(t):
    """Curves are of one thread; of a scenario without pictures there is nothing to draw."""
    csv = _all()
    csv.add_threads()
    t.write("x.csv", csv)
    check_equal(t.run("plot", "x.csv", "--list").expect(0).out.split(), NAMES)
    csv.rows = [row for row in csv.rows if row["scenario"] == "handoff"]
    t.write("y.csv", csv)
    check("nothing to draw" in t.run("plot", "y.csv").expect(2).error_line())


def case_svg(t):
    _need_gnuplot()
    _run_of_all(t)
    out = t.run("plot", "x.csv", "--out", "pictures").expect(0).out
    check_equal([os.path.basename(line) for line in out.split()], [name + ".svg" for name in NAMES])
    for name in NAMES:
        with open(t.path(os.path.join("pictures", name + ".svg")), encoding="utf-8") as file:
            text = file.read()
        check(text.rstrip().endswith("</svg>") and len(text) > 3000, name, len(text))
    with open(t.path("pictures/churn-replace.svg"), encoding="utf-8") as file:
        text = file.read()
    for label in ("malloc", "published, .NET 2.0", "bytes of an object", "time per replacement", "1K"):
        check(label in text, label, "is not in the picture")


def case_png(t):
    _need_gnuplot()
    _run_of_all(t)
    t.run("plot", "x.csv", "--terminal", "png", "--scenario", "churn,map").expect(0)
    for name in ("churn-replace.png", "map-20000.png"):
        with open(t.path(name), "rb") as file:
            check(file.read(8) == b"\x89PNG\r\n\x1a\n", name)


def case_terminal(t):
    _need_gnuplot()
    _run_of_all(t)
    before = sorted(os.listdir(t.folder))
    out = t.run("plot", "x.csv", "--terminal", "dumb", "--scenario", "churn").expect(0).out
    check("Replacing an object at random" in out and "malloc" in out and "\x1b" not in out, out)
    check_equal(sorted(os.listdir(t.folder)), before)


def case_published_alone(t):
    _need_gnuplot()
    out = t.run("plot", "--scenario", "granularity,churn,map,growth").expect(0).out
    check("granularity-toggle.svg" in out and "growth-time-step-1009.svg" in out, out)


def case_odd_names(t):
    """Quotes and what gnuplot takes for markup, in names and labels."""
    _need_gnuplot()
    csv = Csv()
    for name in ("malloc", 'lib:a"b', "lib:C:\\x_{y}^z@", "`touch hacked`", "a'b $c %d"):
        csv.add("churn", "replace", name if '"' not in name else '"lib:a""b"', ratio=1, size_bytes=4,
                count=1, variant="touch=it's")
    t.write("x.csv", csv)
    t.run("plot", "x.csv").expect(0)
    with open(t.path("churn-replace.svg"), encoding="utf-8") as file:
        text = file.read()
    check("lib:C:\\x_{y}^z@" in text and "`touch hacked`" in text, re.findall("<title>.*", text))
    check(not os.path.exists(t.path("hacked")), "gnuplot ran a command out of a name")


def case_no_gnuplot(t):
    _run_of_all(t)
    line = t.run("plot", "x.csv", "--gnuplot", "/no/such/gnuplot").expect(3).error_line()
    check("gnuplot is not there: install it" in line, line)
    line = t.run("plot", "x.csv", env={"PATH": t.folder}).expect(3).error_line()
    check("gnuplot-nox" in line, line)


def case_nothing_to_draw(t):
    _need_gnuplot()
    csv = Csv()
    csv.add("handoff", "handoff", "malloc", ratio=1, size_bytes=4, count=1)
    t.write("x.csv", csv)
    check("nothing to draw" in t.run("plot", "x.csv").expect(2).error_line())


def case_script(t):
    """Log axes where sizes double, published points as they are, measured in the same unit."""
    results = reading.read_results(t.path(_run_of_all(t)))
    toggle = [p for p in pictures.pictures_of("granularity", results)
              if p.name == "granularity-toggle"][0]
    script = "\n".join(toggle.script(False))
    check("set logscale x 2" in script and "set logscale y 10" in script, script)
    check("'64K' 65536" in script and "'10 us' 10000" in script, script)
    check("65536 9226" in script and "268435456 1027149" in script, script)
    check("16777216 4096 4055.44554 4136.96" in script, script)


def case_few_processes_have_no_bars(t):
    csv = Csv()
    made_up.churn(csv)
    for row in csv.rows:
        row["processes"] = "2"
    results = reading.read_results(t.path(t.write("x.csv", csv)))
    script = "\n".join(pictures.pictures_of("churn", results)[0].script(False))
    check("yerrorbars" not in script, script)


def case_labels(t):
    for ns, expected in ((0.1, "0.1 ns"), (1, "1 ns"), (500, "500 ns"), (1e3, "1 us"), (1e6, "1 ms"),
                         (2e9, "2 s"), (1e12, "1000 s")):
        check_equal(pictures.time_tic(ns), expected)
    check_equal(gnuplot.quoted("a'b\\c\nd`"), "'a''b\\c d`'")


def case_usage(t):
    t.run("plot", "--terminal", "gif").expect(2)
    t.run("plot", "--scenario", "chrun").expect(2)


scripts_test.main(globals())

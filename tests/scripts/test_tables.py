# SPDX-License-Identifier: MIT
"""The documents' tables: every published figure to the digit, measured ones in the same unit."""
import csv as csv_module
import io
import os

import scripts_test
from scripts_test import SOURCE, Csv, check, check_equal

import made_up

FIGURES = {"000": ("000_granularity.csv", ("block_count", "obtained_bytes", "elapsed_ms")),
           "001": ("001_churn.csv", ("object_bytes", "elapsed_s")),
           "002": ("002_batch.csv", ("object_bytes", "max_objects", "pools", "figure", "note")),
           "003": ("003_map.csv", ("order", "subject", "round", "ticks", "elapsed_ms", "elapsed_min")),
           "004": ("004_growth.csv", ("stage", "step_bytes", "benchmark", "relative_pct", "ns_per_op",
                                      "op_per_s", "err_pct", "total_s"))}


def _published(document):
    name, figures = FIGURES[document]
    with open(os.path.join(SOURCE, "results", "published", name), encoding="utf-8", newline="") as file:
        for row in csv_module.DictReader(file):
            yield [row[figure] for figure in figures if row[figure]]


def _cells(text):
    """Cells of the rows of all tables of a CSV output."""
    lines = [line for line in text.splitlines() if line and not line.startswith("#")]
    return [row for row in csv_module.reader(io.StringIO("\n".join(lines)))]


def _every_figure(t, document):
    out = t.run("tables", "--document", document, "--format", "csv").expect(0).out
    text = t.run("tables", "--document", document).expect(0).out
    rows = _cells(out)
    for figures in _published(document):
        missing = [figure for figure in figures if not any(figure in row for row in rows)]
        check(not missing, document, "lacks", missing)
        check(all(figure in text for figure in figures), document, "lacks one of", figures, "as text")
    return rows


def case_every_figure_of_000(t):
    rows = _every_figure(t, "000")
    check(any("29781" in row and "1951727616" in row and "172" in row and "77" in row and "214" in row
              and "9226" in row for row in rows), "the line of 64 KiB")
    check(any("512M" in row and "536870912" in row for row in rows), "the line of 512 MiB")


def case_every_figure_of_001(t):
    rows = _every_figure(t, "001")
    for line in (["4", "8.359", "8.375", "8.500", "8.359", "8.437", "8.406"],
                 ["256", "14.531", "14.625", "14.828", "14.661"],
                 ["1024", "45.281", "45.813", "45.391", "45.495"]):
        check(any(row[:len(line)] == line for row in rows), "no line", line)


def case_measured_is_what_the_document_measured(t):
    """One GiB and a million toggles, however much the run did; what differs from the document is said."""
    whole, quarter = Csv(), Csv()
    made_up.granularity(whole)
    made_up.granularity(quarter)
    for row in quarter.rows:
        row["variant"] = row["variant"].replace("total=1073741824", "total=268435456")
        if row["op"] in ("alloc", "free"):
            row["ops"] = str(int(row["ops"]) // 4)
    t.write("whole.csv", whole)
    t.write("quarter.csv", quarter)
    a, b = (t.run("tables", name, "--document", "000").expect(0).out for name in ("whole.csv", "quarter.csv"))
    check("pages-map [total=256M]" in b and "[" not in a.split("\n")[2], a, b)
    lines = [[line for line in out.splitlines() if line.lstrip().startswith(("64K", "1M", "4M", "16M"))]
             for out in (a, b)]
    check(lines[0] and lines[0] == lines[1], lines)
    csv = Csv()
    made_up.growth(csv, totals=(1 << 20,))
    out = t.run("tables", t.write("small.csv", csv), "--document", "004").expect(0).out
    check("Measured: growth to 1M" in out, out)


def case_over_malloc(t):
    """Also where the run's ratios are over another backend."""
    csv = Csv()
    more = {"size_bytes": 40, "count": 20000, "variant": "block=16352;dispatch=inline;huge=no;order=ascending"}
    csv.add("map", "total", "scope", 100, ratio=1, **more)
    csv.add("map", "total", "malloc", 400, ratio=4, **more)
    out = t.run("tables", t.write("x.csv", csv), "--document", "003", "--format", "csv").expect(0).out
    found = {row[1]: row[5:] for row in _cells(out) if len(row) > 6 and row[1] in ("malloc", "scope")}
    check_equal(found["malloc"][:2], ["1.00", "1.00"], "of malloc")
    check_equal(found["scope"][0], "4.00", "of scope")
    check(found["scope"][1].startswith("0.250 ("), found)


def case_every_figure_of_002(t):
    _every_figure(t, "002")


def case_every_figure_of_003(t):
    rows = _every_figure(t, "003")
    check(any(row[:4] == ["autofreealloc", "autofree", "3225", "2.78"] for row in rows), rows)


def case_every_figure_of_004(t):
    rows = _every_figure(t, "004")
    for figures in _published("004"):
        check(any(row[:8] == figures for row in rows), "no line", figures)


def _made():
    csv = Csv(label="made up")
    made_up.granularity(csv)
    made_up.granularity(csv, fragment=50, obtained=lambda block: 1 << 30)
    made_up.churn(csv)
    made_up.churn(csv, nursery=262144)
    made_up.batch(csv)
    made_up.map_(csv)
    made_up.growth(csv)
    return csv


def case_output_text(t):
    t.write("x.csv", _made())
    t.golden("tables.txt", t.run("tables", "x.csv").expect(0).out)


def case_output_markdown(t):
    t.write("x.csv", _made())
    t.golden("tables.md", t.run("tables", "x.csv", "--format", "markdown").expect(0).out)


def case_output_csv(t):
    t.write("x.csv", _made())
    t.golden("tables.csv", t.run("tables", "x.csv", "--format", "csv").expect(0).out)


def case_output_published(t):
    t.golden("published.txt", t.run("tables").expect(0).out)


def case_units(t):
    """1,000 toggles of 16 MiB at 4096 ns are 4096 ms per million; 0.8 us a replacement are 8 s."""
    t.write("x.csv", _made())
    rows = _cells(t.run("tables", "x.csv", "--document", "000,001", "--format", "csv").expect(0).out)
    check(any(row[0] == "16M" and row[-1] == "4096" and row[9] == "0.1280" for row in rows), rows)
    check(any(row[:1] == ["4"] and row[-1] == "8.000" for row in rows), rows)


def case_growth_nearest_total(t):
    t.write("x.csv", _made())
    rows = _cells(t.run("tables", "x.csv", "--document", "004", "--format", "csv").expect(0).out)
    whole = [row for row in rows if row[:2] == ["base", "1009"] and "resizable" in row[2]][0]
    check_equal(whole[8:11], ["whole", "0.5882", "850000000"])


def case_optimum(t):
    """Overhead 1, 1/16 ... and waste 8 blocks of 2 GiB: 0.0625 + 0.0039 is the least at 1M, if toggles
    cost the same at every size."""
    csv = Csv()
    made_up.granularity(csv, toggle=lambda block: 1000.0)
    made_up.granularity(csv, toggle=lambda block: 1000.0, fragment=50,
                        obtained=lambda block: (1 << 30) if block < 1 << 20 else 1 << 20)
    t.write("x.csv", csv)
    rows = _cells(t.run("tables", "x.csv", "--document", "000", "--format", "csv").expect(0).out)
    found = {row[1]: row[4:8] for row in rows if row[0] == "measured, pages-map"}
    check_equal(found["0 %"], ["4M", "0.0156", "0.0156", "0.0312"])
    check_equal(found["50 %"], ["16M", "0.00391", "1.00", "1.00"])
    check(any(row[0] == "published" and row[4] == "2M" for row in rows), rows)


def case_threads_are_not_the_documents(t):
    """Rows of several threads change nothing in tables and claims."""
    csv = _made()
    t.write("x.csv", csv)
    csv.add_threads()
    t.write("y.csv", csv)
    for what in ("--tables", "--claims"):
        check_equal(t.run("tables", "y.csv", what).expect(0).out.replace("y.csv", "x.csv"),
                    t.run("tables", "x.csv", what).expect(0).out, what)
    advice = t.run("tables", "y.csv", "--advice").expect(0).out
    check("handoff handoff" in advice and "2 threads" in advice, advice)
    t.run("compare", "y.csv", "y.csv").expect(0)


def case_several_files(t):
    one, other = Csv(), Csv()
    made_up.granularity(one)
    made_up.churn(other)
    t.write("a.csv", one)
    t.write("b.csv", other)
    out = t.run("tables", "a.csv", "b.csv").expect(0).out
    check("000 granularity" in out and "001 churn" in out and "002 batch" not in out, out)
    check("b.csv:11: has the key of a row in b.csv" in
          t.run("tables", "b.csv", "b.csv").expect(2).error_line())


def case_files_of_two_machines(t):
    one, other = Csv(), Csv(cpu="Another")
    made_up.granularity(one)
    made_up.churn(other)
    t.write("a.csv", one)
    t.write("b.csv", other)
    check("use compare" in t.run("tables", "a.csv", "b.csv").expect(2).error_line())


def case_usage(t):
    for arguments in (("--document", "005"), ("--format", "html"), ("--claims",), ("--no-such",)):
        t.run("tables", *arguments).expect(2)
    check("published" in t.run("tables", "--help").expect(0).out, "no help")


scripts_test.main(globals())

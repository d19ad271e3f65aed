# SPDX-License-Identifier: MIT
"""Files as they come: cut, empty, foreign, huge. One line of complaint each, never a traceback."""
import os
import subprocess
import sys

import scripts_test
from scripts_test import Csv, check, check_equal, columns, skip


def _good():
    csv = Csv()
    csv.add("churn", "replace", "malloc", ratio=1, size_bytes=4, count=100, variant="touch=none")
    csv.add("churn", "replace", "pool", ns=50, ratio=0.5, size_bytes=4, count=100,
            variant="touch=none")
    return csv


def _complaint(t, content, *expected, code=2, name="x.csv"):
    """All three scripts say the same of a bad file, in one line that names it."""
    if content is not None:
        t.write(name, content)
    for command in (("tables", name), ("compare", name, name), ("plot", name)):
        line = t.run(*command).expect(code).error_line()
        check(line.startswith("%s: %s:" % (command[0], name)), line)
        for text in expected:
            check(text in line, repr(text), "is not in", repr(line))


def case_missing_file(t):
    _complaint(t, None, "cannot be read")


def case_folder(t):
    os.mkdir(t.path("x.csv"))
    _complaint(t, None, "cannot be read")


def case_empty_file(t):
    _complaint(t, "", "is empty")


def case_facts_only(t):
    _complaint(t, "# schema: 1\n# os: Linux\n", "x.csv:2:", "before the row of column names")


def case_header_only(t):
    _complaint(t, Csv(), "x.csv:10:", "no row")


def case_missing_columns(t):
    text = _good().text().replace(",ratio,", ",old_ratio,").replace(",extra", ",more")
    _complaint(t, text, "x.csv:10:", "missing columns:", "ratio", "extra")


def case_missing_column_of_key(t):
    _complaint(t, _good().text().replace(",backend,", ",who,"), "missing column: backend")


def case_size_missing(t):
    csv = Csv()
    csv.add("growth", "grow", "delta", size_bytes="", count=1)
    _complaint(t, csv, "x.csv:11:", "size_bytes is empty", "growth")


def case_column_twice(t):
    _complaint(t, _good().text().replace(",reason,", ",status,"), "'status'", "twice")


def case_duplicate_key(t):
    csv = _good()
    csv.rows.append(csv.rows[1])
    _complaint(t, csv, "x.csv:13:", "key of line 12")


def case_other_schema(t):
    _complaint(t, Csv(schema="2"), "x.csv:1:", "schema 2", code=3)


def case_short_row(t):
    text = _good().text().replace("touch=none,malloc,ok,", "touch=none,malloc,")
    _complaint(t, text, "x.csv:11:", "has %d fields and the header has %d"
               % (len(columns()) - 1, len(columns())))


def case_decimal_comma(t):
    _complaint(t, _good().text().replace("50.0,", "50,0,"), "x.csv:12:", "fields")


def case_not_a_number(t):
    _complaint(t, _good().text().replace("50.0", "fifty"), "x.csv:12:", "ns_per_op is 'fifty'")


def case_nan(t):
    _complaint(t, _good().text().replace("50.0", "nan"), "x.csv:12:", "'nan'")


def case_negative_time(t):
    _complaint(t, _good().text().replace("50.0", "-50.0"), "x.csv:12:", "not above zero")


def case_size_not_whole(t):
    _complaint(t, _good().text().replace("replace,4,", "replace,4K,"), "x.csv:11:", "size_bytes is '4K'")


def case_open_quote(t):
    _complaint(t, _good().text().replace("touch=none,pool", '"touch=none,pool'), "x.csv:12:",
               "quoted field has no end")


def case_binary_file(t):
    _complaint(t, bytes(range(256)) * 40, "x.csv:")
    _complaint(t, b"\x7fELF\x02\x01\x01\0\0\0\n", "x.csv:1:", "binary")


def case_not_utf8(t):
    _complaint(t, _good().text().encode().replace(b"Made Up", b"M\xe4de"), "x.csv:9:", "not UTF-8")


def case_endless_line(t):
    _complaint(t, "a" * 200000, "x.csv:1:", "longer than")


def case_raw_where_results_are_needed(t):
    t.write("x.csv", ",".join(scripts_test.RAW_COLUMNS) + "\n")
    check("raw samples" in t.run("tables", "x.csv").expect(2).error_line())


def case_truncated_last_line(t):
    text = _good().text()
    t.write("whole.csv", text)
    t.write("cut.csv", text + "churn,replace,8,100,1,touch=none,malloc,ok,,12")
    whole, cut = t.run("tables", "whole.csv").expect(0), t.run("tables", "cut.csv").expect(0)
    check_equal(cut.out, whole.out)


def case_cut_in_first_row(t):
    text = _good().text()
    _complaint(t, text[:text.index("touch=none,malloc")], "no row")


def case_crlf(t):
    t.write("x.csv", _good().text().replace("\n", "\r\n"))
    check("0.500" in t.run("compare", "x.csv", "x.csv").expect(0).out)


def case_byte_order_mark(t):
    t.write("a.csv", _good())
    t.write("b.csv", b"\xef\xbb\xbf" + _good().text().encode())
    check_equal(t.run("tables", "b.csv").expect(0).out, t.run("tables", "a.csv").expect(0).out)


def case_reordered_and_unknown_columns(t):
    csv = _good()
    names = sorted(columns(), reverse=True)
    lines = [",".join(names + ["colour"])] + [",".join([row[name] for name in names] + ["red"])
                                              for row in csv.rows]
    t.write("a.csv", csv)
    t.write("b.csv", csv.text().split("scenario,")[0] + "\n".join(lines) + "\n")
    check_equal(t.run("tables", "b.csv").expect(0).out, t.run("tables", "a.csv").expect(0).out)


def case_quoted_fields(t):
    csv = _good()
    csv.rows[1]["backend"] = '"lib:/a,b ""c"""'
    t.write("x.csv", csv)
    check('lib:/a,b "c"' in t.run("compare", "x.csv", "x.csv").expect(0).out)


def case_quoted_line_feed(t):
    csv = _good()
    csv.rows[0]["reason"] = '"two\nlines"'
    t.write("x.csv", csv)
    t.run("tables", "x.csv").expect(0)


def case_without_facts(t):
    t.write("x.csv", _good().text()[_good().text().index("scenario,"):])
    t.run("tables", "x.csv", "--claims", "--advice").expect(0)
    t.run("compare", "x.csv", "x.csv").expect(0)


def case_other_statuses(t):
    csv = _good()
    for status in ("unsupported", "failed", "crashed", "timeout", "nomem", "interrupted"):
        csv.add("churn", "replace", status, size_bytes=4, count=100, status=status, ns_per_op="",
                ci_low_ns="", ci_high_ns="", reason="why", variant="touch=none")
    t.write("x.csv", csv)
    t.run("tables", "x.csv", "--claims", "--advice", "--tables").expect(0)
    check("- (crashed in A)" in t.run("compare", "x.csv", "x.csv").expect(0).out)


def case_windows_names(t):
    name = "C:\\results\\x.csv"
    check(name in t.run("tables", name).expect(2).error_line())
    if os.name != "nt":
        t.write(name, _good())
        t.run("tables", name).expect(0)


def case_counts_that_are_none(t):
    """Of parameters, figures and facts that are counted with."""
    for column, text in (("variant", "repeat=x"), ("variant", "nursery=1M"), ("extra", "blocks=3;pages_submitted=m0"),
                         ("extra", "obtained_bytes=-1"), ("extra", "new_pages="), ("variant", "step=" + "9" * 400)):
        csv = _good()
        csv.rows[1][column] = text
        t.write("x.csv", csv)
        line = t.run("tables", "x.csv", "--claims").expect(2).error_line()
        name, _, value = text.split(";")[-1].partition("=")
        check("%s is '%s' and not a whole number" % (name, value[:40]) in line, line)
        check("x.csv:" in line, line)


def _refused(t, words, arguments=("--claims",), **cells):
    csv = _good()
    csv.rows[1].update(cells)
    t.write("x.csv", csv)
    for script, more in (("tables", arguments), ("plot", ("--list",))):
        line = t.run(script, "x.csv", *more).expect(2).error_line()
        check(words in line and "x.csv:" in line, line)


def case_figures_that_cannot_be_counted_with(t):
    """Zeros that would be divided by, and numbers beyond all that can be measured."""
    _refused(t, "space is '0' and not a whole number above zero", variant="space=0")
    _refused(t, "size_bytes is '0' and not a whole number above zero", size_bytes="0")
    _refused(t, "count is '0' and not a whole number above zero", count="0")
    _refused(t, "threads is '0' and not a whole number above zero", threads="0")
    _refused(t, "ns_per_page is 'x' and not a number above zero", extra="ns_per_page=x")
    _refused(t, "ns_per_page is '0' and not a number above zero", extra="ns_per_page=0")
    _refused(t, "size_bytes is '%s' and not a whole number" % ("9" * 40), size_bytes="9" * 5000)
    _refused(t, "size_bytes is '\u00b2' and not a whole number", size_bytes="\u00b2")
    _refused(t, "ns_per_op is '1e303' and not a number", ns_per_op="1e303")
    _refused(t, "has a time or a ratio that is not above zero", ratio="1e-310")
    _refused(t, "count is empty, which it never is in map", scenario="map", op="total", count="")
    _refused(t, "size_bytes is empty, which it never is in handoff", ("--advice",), scenario="handoff",
             size_bytes="")
    csv = _good()
    csv.rows[1]["variant"] += ";total=\u00b2"
    t.run("tables", t.write("x.csv", csv)).expect(0)


def case_raw_figures_out_of_range(t):
    head = "# schema: 1\n" + ",".join(scripts_test.RAW_COLUMNS) + "\n"
    line = "churn,replace,4,8,1,ops=1,malloc,%s,%s,1,%s,%s,%s,,,,,\n"
    t.write("fine.csv", head + line % ("1", "1", "10", "1", "100"))
    for cells in (("1e30", "1", "10", "1", "100"), ("1", "0.5", "10", "1", "100"),
                  ("1", "1", "1e-200", "1", "100"), ("1", "1", "10", "1e-200", "100"),
                  ("1", "1", "10", "1", "1e303")):
        t.write("bad.csv", head + line % cells)
        check("bad.csv:3:" in t.run("compare", "fine.csv", "bad.csv").expect(2).error_line(), cells)


def case_closed_pipe(t):
    csv = Csv()
    for size in range(1, 3000):
        csv.add("churn", "replace", "malloc", ratio=1, size_bytes=size, count=1)
    t.write("x.csv", csv)
    for script in ("tables", "compare"):
        files = ["x.csv"] * (2 if script == "compare" else 1)
        process = subprocess.Popen([sys.executable, os.path.join(scripts_test.SCRIPTS, script)] + files,
                                   cwd=t.folder, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        process.stdout.read(100)
        process.stdout.close()
        said = process.stderr.read().decode()
        process.stderr.close()
        check_equal((process.wait(), said), (4, ""), script)


def case_locale(t):
    t.write("x.csv", _good())
    plain = t.run("tables", "x.csv", env={"LC_ALL": "C"}).expect(0).out
    for name in ("de_DE.UTF-8", "tr_TR.UTF-8", "C.UTF-8", "no_SUCH"):
        check_equal(t.run("tables", "x.csv", env={"LC_ALL": name}).expect(0).out, plain, name)


def case_label_beyond_ascii(t):
    csv = _good()
    csv.facts["label"] = "Prüfstand 7 \u6d4b"
    t.write("x.csv", csv)
    check("Prüfstand 7 \u6d4b" in t.run("tables", "x.csv", env={"LC_ALL": "C", "PYTHONUTF8": "0",
                                                               "PYTHONIOENCODING": "ascii"})
          .expect(0).out)


def _huge(t, name, header, line):
    with open(t.path(name), "w", encoding="utf-8", newline="\n") as file:
        file.write(header)
        written, number = 0, 0
        while written < 100 << 20:
            block = "".join(line(i) for i in range(number, number + 1000))
            file.write(block)
            written += len(block)
            number += 1000
    return name


def _expect_thrifty(t, *command):
    """Under 20 s of processor time (other tests run beside), and in bounded memory."""
    import resource
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    t.run(*command).expect(0)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    seconds = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    check(seconds < 20, "took", seconds, "s")
    check(after.ru_maxrss < 800 << 10, "memory of", after.ru_maxrss >> 10, "MiB")


def case_hundred_megabytes(t):
    if os.name == "nt":
        skip("needs getrusage")
    csv = _good()
    text = csv.text()
    header = text[:text.index("\nchurn,") + 1]
    tail = text.split("\n")[-2].split("replace,4,100,")[1]
    _huge(t, "x.csv", header, lambda i: "churn,replace,%d,100,%s\n" % (i + 1, tail))
    _expect_thrifty(t, "tables", "x.csv", "--claims")


def case_hundred_megabytes_raw(t):
    if os.name == "nt":
        skip("needs getrusage")
    _huge(t, "x.csv", ",".join(scripts_test.RAW_COLUMNS) + "\n",
          lambda i: "churn,replace,%d,100,1,touch=none,%s,%d,%d,0,1000,1,123456,,,0,0,0\n"
          % (4 << i // 5000 % 9, "malloc" if i // 2500 % 2 else "pool", i % 5 + 1, i // 45000 + 1))
    small = t.write("y.csv", ",".join(scripts_test.RAW_COLUMNS) + "\n" + "".join(
        "churn,replace,4,100,1,touch=none,%s,%d,1,0,1000,1,123456,,,0,0,0\n" % (name, process)
        for name in ("pool", "malloc") for process in (1, 2, 3)))
    _expect_thrifty(t, "compare", "x.csv", small)


scripts_test.main(globals())

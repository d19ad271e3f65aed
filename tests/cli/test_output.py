# SPDX-License-Identifier: MIT
"""Where results go: files that are kept, replaced or cannot be written, and a stdout that closes."""
import os
import stat
import time

import allocbench_test
from allocbench_test import check, check_equal, skip

SHORT = ("--scenario", "granularity", "--size", "16M", "--total", "64M", "--ops", "500", "--backend",
         "none", "--processes", "1", "--rounds", "1", "--quiet")
BAD = SHORT + ("--touch", "nonsense")


def write(t, name, text):
    with open(t.path(name), "w", newline="") as file:
        file.write(text)


def case_error_keeps_file(t):
    write(t, "kept.csv", "precious\n")
    t.run("--out", "kept.csv", *BAD).expect(2)
    t.run("--out", "kept.csv", "--raw", "no/such/folder.csv", *SHORT).expect(2)
    t.run("--out", "kept.csv", "--pin", "9999", *SHORT).expect(2)
    t.run("--out", "kept.csv", "--raw", "kept.csv", *SHORT).expect(2)
    check_equal(t.read("kept.csv"), "precious\n", "the file")
    check_equal(os.listdir(t.folder), ["kept.csv"], "the folder")


def case_error_creates_nothing(t):
    t.run("--out", "a.csv", "--raw", "b.csv", *BAD).expect(2)
    t.run("--out", "a.csv", "--raw", "no/such/folder.csv", *SHORT).expect(2)
    t.run("--raw", "b.csv", "--out", "no/such/folder.csv", *SHORT).expect(2)
    t.run("--out", "a.csv", "--raw", "b.csv", "--pin", "9999", *SHORT).expect(2)
    check_equal(os.listdir(t.folder), [], "the folder")


def case_standard_output_in_the_same_file(t):
    """It is not overwritten by another output."""
    t.posix_only("Windows opens no file twice for writing")
    for options, name in ((("--raw", "a.csv"), "raw"), (("--out", "a.csv", "--format", "table"), "out")):
        with open(t.path("a.csv"), "wb") as file:
            result = t.run(*options + SHORT, stdout=file).expect(2)
        check_equal(result.error_line(), "allocbench: --%s: 'a.csv' is the same file as the standard output; "
                    "they need two" % name)
        check_equal(t.read("a.csv"), "", "the file")
    with open(t.path("a.csv"), "wb") as file:
        t.run("--out", "a.csv", "--format", "csv", *SHORT, stdout=file).expect(0)
    check(len(t.rows("a.csv")) > 0, "nothing else is written to the standard output")


def case_non_blocking_pipe(t):
    """Whoever shares the standard output may have made it non-blocking: what does not fit waits."""
    t.posix_only("non-blocking pipes")
    wanted = t.run("--help").expect(0).out
    read_end, write_end = os.pipe()
    os.set_blocking(write_end, False)
    filled = 0
    try:
        while True:
            filled += os.write(write_end, b"." * 4096)
    except BlockingIOError:
        pass  # it is full
    process = t.start("--help", stdout=write_end)
    os.close(write_end)
    time.sleep(0.3)
    with os.fdopen(read_end, "rb") as pipe:
        found = pipe.read().decode("utf-8")
    t.finish(process).expect(0)
    check_equal(found[filled:], wanted, "the text")


def case_bytes_that_are_no_text(t):
    """Files are UTF-8, whatever bytes the arguments hold."""
    t.posix_only("arguments of bytes")
    label = b"caf\xe9 \xc3\xa9 \xed\xa0\x80 \xf4\x90\x80\x80 \xc0\xaf \xf0\x9f\x90\x8e \xe2\x82"
    t.run("--out", "a.csv", b"--label", label, *SHORT).expect(0)
    check_equal(dict(allocbench_test.facts(t.read("a.csv")))["label"],
                "caf? \u00e9 ??? ???? ?? \U0001f40e ??", "the label")


def case_valid_plan_replaces_file(t):
    write(t, "old.csv", "precious\n" * 100000)
    write(t, "raw.csv", "precious\n" * 100000)
    t.run("--out", "old.csv", "--raw", "raw.csv", *SHORT).expect(0)
    for name in ("old.csv", "raw.csv"):
        check("precious" not in t.read(name), "the old contents are still in", name)
        check(len(t.rows(name)) > 0, name, "has no rows")


def case_table_is_aligned(t):
    """However long the names of backends are: a row's time ends where its heading does."""
    for name in ("x", "a-name-of-more-than-thirty-letters"):
        backends = ("--backend", "none,%s=none" % name)
        out = t.run("--format", "table", *backends + SHORT[:8] + SHORT[10:]).expect(0).out
        heading, *rows = [line for line in out.splitlines() if line and line[0] != " "][1:]
        end = heading.index("time/op") + len("time/op")
        named = [row for row in rows if (" " + name + " ") in row]
        check_equal(len(named), 3, "rows of", name, "in", out)
        for row in named:
            check(row[end - 2:end + 1] == "ns ", "not aligned:", out)


def case_full_disk(t):
    if not os.path.exists("/dev/full") or t.is_windows:
        skip("there is no /dev/full")
    result = t.run("--out", "/dev/full", *SHORT).expect(4)
    check("cannot write" in result.error_line(), result.err)
    result = t.run("--out", "fine.csv", "--raw", "/dev/full", *SHORT).expect(4)
    check("cannot write" in result.error_line(), result.err)
    check_equal(len(t.rows("fine.csv")), 3, "rows of the file that could be written")


def case_full_stdout(t):
    if not os.path.exists("/dev/full") or t.is_windows:
        skip("there is no /dev/full")
    for arguments in (SHORT, ("--list",), ("--help",), ("--version",), SHORT + ("--dry-run",)):
        with open("/dev/full", "wb") as full:
            result = t.run(*arguments, stdout=full).expect(4)
        check("cannot write" in result.error_line(), arguments, result.err)


def case_closed_stdout(t):
    """As with `| head -1`: the reader goes away."""
    for arguments in (SHORT, SHORT + ("--out", "fine.csv")):
        process = t.start(*arguments)
        process.stdout.close()
        process.stdout = None
        result = t.finish(process).expect(4)
        check("cannot write" in result.error_line(), result.err)
    check_equal(len(t.rows("fine.csv")), 3, "rows of the file that could be written")


def case_closed_descriptors(t):
    """No file of ours gets the number of a stream that is closed, and with it what goes there."""
    t.posix_only("descriptors that are closed from the start")
    for closed in ((0,), (1,), (2,), (0, 1), (1, 2), (0, 1, 2)):
        result = t.run("--out", "a.csv", "--raw", "a.raw", "--no-facts", *SHORT[:-1],
                       preexec_fn=lambda: [os.close(number) for number in closed])
        check_equal(result.code, 4 if 1 in closed else 0, "exit with", closed, "closed;", result.err)
        if 1 in closed and 2 not in closed:
            check("cannot write the results: Bad file descriptor" in result.err, result.err)
        check_equal([row["status"] for row in t.rows("a.csv")], ["ok"] * 3, "statuses with", closed, "closed")
        check_equal(len(t.rows("a.raw")), 3, "samples with", closed, "closed")


def case_read_only_file(t):
    t.posix_only("file modes")
    if os.geteuid() == 0:
        skip("root may write to any file")
    write(t, "kept.csv", "precious\n")
    os.chmod(t.path("kept.csv"), stat.S_IRUSR)
    result = t.run("--out", "kept.csv", *SHORT).expect(2)
    check("kept.csv" in result.error_line(), result.err)
    check_equal(t.read("kept.csv"), "precious\n", "the file")


def case_formats(t):
    csv_start, table_start = "scenario,op,", "granularity: "
    plain = SHORT + ("--no-facts",)
    check(t.run(*plain).out.startswith(csv_start), "stdout is no terminal and gets no CSV")
    check(t.run("--out", "-", *plain).out.startswith(csv_start), "--out - gives no CSV")
    check(t.run("--format", "table", *plain).out.startswith(table_start), "--format table")
    check(t.run("--out", "a.csv", *plain).out.startswith(table_start), "no table beside --out FILE")
    check_equal(t.run("--out", "b.csv", "--format", "csv", *plain).out, "", "stdout beside --format csv")
    for name in ("a.csv", "b.csv"):
        check(t.read(name).startswith(csv_start), "no CSV in", name)


def case_quiet(t):
    check_equal(t.run(*SHORT).err, "", "stderr of --quiet")
    noisy = t.run(*SHORT[:-1]).expect(0)
    check("1 groups, 1 cells" in noisy.err or "1 group, 1 cell" in noisy.err, noisy.err)
    check("\x1b" not in noisy.out + noisy.err, "escape sequences where there is no terminal")


if __name__ == "__main__":
    allocbench_test.main(globals())

# SPDX-License-Identifier: MIT
"""A library that is broken, or none, is a row with a status and a reason; the others are unaffected."""
import os
import re

import foreign_test
from foreign_test import allocbench_test, can_preload, measure, of, own
from allocbench_test import check, check_equal, skip


def expect(t, backend, status, reason, scenarios=("churn", "map")):
    """In each scenario the backend has this status, between two that are well; exit 1."""
    for scenario in scenarios:
        arguments = ("--size", "48") if scenario == "churn" else ()
        rows = measure(t, scenario, ["a=malloc", "x=" + backend, "b=none" if scenario == "churn" else "b=pool"],
                       *arguments, code=1)
        check(of(rows, "x"), "no row of", backend)
        for row in rows:
            if row["backend"] != "x":
                check_equal((row["status"], row["reason"]), ("ok", ""), "neighbour", row["backend"])
                continue
            check_equal(row["status"], status, backend, scenario, "with reason", row["reason"], ";")
            check(re.search(reason, row["reason"]), backend, "has reason", row["reason"])
            check_equal((row["ns_per_op"], row["ratio"]), ("", ""), "time and ratio")


def both(t, path, status, preloaded, opened):
    expect(t, "lib:" + path, status, opened)
    if not t.is_windows and t.build() != "sanitizer":
        expect(t, "preload:" + path, status, preloaded)


def case_missing(t):
    both(t, "no/such.so", "failed", "^not in effect: No such file", "^the library cannot be opened: ")


def case_folder(t):
    os.mkdir(t.path("folder.so"))
    both(t, "folder.so", "failed", "^not in effect: Is a directory", "^the library cannot be opened: ")


def case_text_file(t):
    with open(t.path("text.so"), "w") as file:
        file.write("This is no library.\n" * 1000)
    both(t, "text.so", "failed", "^not in effect: .*(ELF|header)", "^the library cannot be opened: ")


def case_empty_file(t):
    open(t.path("empty.so"), "w").close()
    both(t, "empty.so", "failed", "^not in effect: ", "^the library cannot be opened: ")


def case_other_architecture(t):
    """A sound library whose header names another machine."""
    with open(own(t, "sound"), "rb") as file:
        contents = bytearray(file.read())
    if contents[:4] == b"\x7fELF":
        machine = 18
    elif contents[:2] == b"MZ":
        machine = int.from_bytes(contents[0x3c:0x40], "little") + 4
    else:
        skip("neither ELF nor PE")
    contents[machine:machine + 2] = b"\x08\x00" if contents[machine] != 8 else b"\x03\x00"
    with open(t.path("other.so"), "wb") as file:
        file.write(contents)
    both(t, "other.so", "failed", "^not in effect: it is for another architecture",
         "^the library cannot be opened: it is .*for another architecture")


def case_without_malloc(t):
    """The malloc of the C library that it needs is not its own."""
    both(t, own(t, "bare"), "failed", "^not in effect: it has no malloc", "exports neither .* nor malloc")
    expect(t, "lib:x_@" + own(t, "bare"), "failed", "exports no x_malloc")


def case_wrong_prefix(t):
    expect(t, "lib:y_@" + own(t, "sound"), "failed", "exports no y_malloc")


def case_crash_at_start(t):
    ended = "exception|exit code" if t.is_windows else "SIGABRT"
    both(t, own(t, "aborting"), "crashed", ended + ".* in the check of the library",
         ended + ".* in the check of the library")


def case_free_does_nothing(t):
    """Told before it is measured, so that memory does not grow without bound."""
    expect(t, "lib:x_@" + own(t, "keeping"), "failed", "free gives nothing back", ("churn", "map", "batch"))


def case_free_does_nothing_preloaded(t):
    can_preload(t)
    expect(t, "preload:" + own(t, "keeping"), "failed", "free gives nothing back")


def case_free_does_nothing_with_threads(t):
    rows = t.measure("--scenario", "churn", "--size", "48", "--ops", "5000", "--threads", "2", "--backend",
                     "malloc,x=lib:x_@" + own(t, "keeping"), code=1, *foreign_test.BRIEF)
    check_equal([row["status"] for row in rows], ["ok", "failed"], "statuses")
    check("free gives nothing back" in rows[1]["reason"], rows[1]["reason"])


def case_figures(t):
    for name in ("garrulous", "odd"):
        expect(t, "lib:" + own(t, name), "failed", "the plug-in's figures have no sound names", ("map",))


def case_overlapping(t):
    expect(t, "lib:x_@" + own(t, "overlapping"), "failed", "objects of operation 0 and operation 1 overlap", ("churn",))


def case_overlapping_preloaded(t):
    can_preload(t)
    expect(t, "preload:" + own(t, "overlapping"), "failed", "overlap", ("churn",))


def case_misaligned(t):
    expect(t, "lib:x_@" + own(t, "misaligned"), "failed", "operation 0 got a misaligned pointer", ("churn",))


def case_misaligned_preloaded(t):
    can_preload(t)
    expect(t, "preload:" + own(t, "misaligned"), "failed", "got a misaligned pointer", ("churn",))


def case_broken_tables(t):
    for name, reason in (("old", "made for interface 77"), ("holey", "alloc, free or close is missing"),
                         ("crooked", "alignment is no power of two"), ("boastful", "a bit that no plug-in has"),
                         ("nameless", "its name is not one of"), ("idle", "free gives nothing back")):
        expect(t, "lib:" + own(t, name), "failed", reason)


def case_max_time(t):
    """A broken library does not keep --max-time from pricing the others."""
    rows = measure(t, "churn", ["malloc", "x=lib:none.so"], "--max-time", "1s", code=1)
    check_equal({row["status"] for row in of(rows, "malloc")}, {"ok"}, "status")
    check_equal({row["status"] for row in of(rows, "x")}, {"failed"}, "status")


def case_all_together(t):
    """Every fault in one group, and what is well stays so."""
    faults = ["lib:x_@" + own(t, name) for name in ("overlapping", "keeping", "bare", "aborting")]
    rows = t.measure("--scenario", "churn", "--size", "48", "--ops", "5000", "--backend",
                     ",".join(["malloc", "lib:gone.so"] + faults + ["lib:" + t.plugin, "pool"]), code=1,
                     *foreign_test.BRIEF)
    check_equal([row["status"] for row in rows],
                ["ok", "failed", "failed", "failed", "failed", "crashed", "ok", "ok"], "statuses")


def case_damaged_after_naming(t):
    """A link into nothing is a missing file."""
    t.posix_only("symbolic links")
    os.symlink("gone.so", t.path("link.so"))
    both(t, "link.so", "failed", "^not in effect: No such file", "^the library cannot be opened: No such file")


if __name__ == "__main__":
    allocbench_test.main(globals())

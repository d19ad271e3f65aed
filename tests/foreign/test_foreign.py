# SPDX-License-Identifier: MIT
"""Libraries and plug-ins are measured beside the program's own backends, without recompiling."""
import glob
import os
import shutil
import subprocess

import foreign_test
from foreign_test import SCENARIOS, allocbench_test, can_preload, copy, expect_ok, measure, of, own
from allocbench_test import check, check_equal, extra, facts, skip

DEBIAN = {"jemalloc": "libjemalloc.so.2", "mimalloc": "libmimalloc.so.2.0",
          "tcmalloc_minimal": "libtcmalloc_minimal.so.4"}


def installed(t, name):
    t.posix_only("Debian's libraries")
    if t.build() == "sanitizer":
        skip("the sanitizer takes the place of malloc")
    for folder in ("/usr/lib/*", "/usr/lib", "/usr/lib64", "/usr/local/lib"):
        for path in sorted(glob.glob(os.path.join(folder, DEBIAN[name]))):
            return path
    return skip("%s is not installed" % DEBIAN[name])


def everywhere(t, name, prefix):
    """Preloaded and opened, in every scenario over heaps; the version is in `extra`."""
    path = installed(t, name)
    backends = ["malloc", "preload:" + path, "opened=lib:%s%s" % (prefix, path)]
    for scenario in SCENARIOS:
        rows = measure(t, scenario, backends)
        for backend in (name, "opened"):
            expect_ok(rows, backend, scenario)
            for row in of(rows, backend):
                check(extra(row).get("version"), backend, "tells no version:", row["extra"])
                check_equal(extra(row).get("dispatch"), "indirect" if backend == "opened" else None, "dispatch")
        digests = {backend: [row["stream_digest"] for row in of(rows, backend)] for backend in (
            "malloc", name, "opened")}
        check_equal(digests[name], digests["malloc"], "digests")
        check_equal(digests["opened"], digests["malloc"], "digests")


def case_jemalloc(t):
    everywhere(t, "jemalloc", "")


def case_mimalloc(t):
    everywhere(t, "mimalloc", "mi_@")


def case_tcmalloc(t):
    everywhere(t, "tcmalloc_minimal", "tc_@")


def case_glibc(t):
    """The C library itself passes every check."""
    can_preload(t)
    paths = glob.glob("/lib/*/libc.so.6") + glob.glob("/lib64/libc.so.6")
    if not paths:
        skip("there is no glibc")
    for scenario in SCENARIOS:
        expect_ok(measure(t, scenario, ["malloc", "preload:" + paths[0]]), "c", scenario)


def case_latency(t):
    rows = measure(t, "churn", ["x=lib:x_@" + own(t, "sound")], "--latency")
    check(all(float(row["max_ns"]) > 0 for row in rows), rows)


def case_own_library(t):
    for scenario in SCENARIOS:
        rows = measure(t, scenario, ["malloc", "lib:x_@" + own(t, "sound")])
        expect_ok(rows, "sound", scenario)


def case_memory_that_is_kept_back(t):
    """A free that takes effect later is no free that does nothing."""
    for scenario in ("churn", "map"):
        expect_ok(measure(t, scenario, ["malloc", "lib:x_@" + own(t, "slow")]), "slow", scenario)


def case_own_preloaded(t):
    can_preload(t)
    for scenario in SCENARIOS:
        expect_ok(measure(t, scenario, ["preload:" + own(t, "sound"), "malloc"]), "sound", scenario)


def case_preload_is_unsupported(t):
    """Where nothing can be preloaded the row says so, and the exit code is 0."""
    if not t.is_windows and t.build() != "sanitizer":
        skip("preload: works here")
    rows = of(measure(t, "churn", ["malloc", "preload:" + own(t, "sound")]), "sound")
    check_equal([row["status"] for row in rows], ["unsupported"] * 3, "status")
    check("preload" in rows[0]["reason"] or "sanitizer" in rows[0]["reason"], rows[0]["reason"])


def case_plug_in(t):
    """The example, in every scenario; its rows are those of a pool."""
    for scenario in SCENARIOS:
        rows = measure(t, scenario, ["malloc", "lib:" + t.plugin])
        expect_ok(rows, "freelist", scenario)
        check_equal({extra(row).get("dispatch") for row in of(rows, "freelist")}, {"indirect"}, "dispatch")


def case_plug_in_capabilities(t):
    """A region has other operations, and no row with a time where single objects must be freed."""
    region = "lib:" + own(t, "region")
    batch = of(measure(t, "batch", ["malloc", region]), "region")
    check_equal({row["op"] for row in batch}, {"alloc", "reset", "total"}, "operations")
    check_equal({row["status"] for row in batch}, {"ok"}, "status")
    churn = of(measure(t, "churn", ["malloc", region]), "region")
    check_equal({(row["status"], row["reason"]) for row in churn},
                {("unsupported", "region cannot free single objects")}, "churn")
    large = of(t.measure("--scenario", "batch", "--size", "8K", "--count", "10", "--backend", region,
                         *foreign_test.BRIEF), "region")
    check_equal({(row["status"], row["reason"]) for row in large},
                {("unsupported", "region serves at most 4096 bytes")}, "batch")


def case_readme_command(t):
    """The README's line makes a plug-in of the example."""
    compiler = "x86_64-w64-mingw32-gcc" if t.is_windows else "cc"
    with open(os.path.join(allocbench_test.SOURCE, "README.md"), encoding="utf-8") as file:
        lines = [line.split() for line in file if line.startswith("    %s " % compiler)]
    check_equal(len(lines), 1, "lines with", compiler)
    if shutil.which(compiler) is None:
        skip("%s is not installed" % compiler)
    output = lines[0].index("-o") + 1
    name = lines[0][output]
    subprocess.run(lines[0][:output] + [t.path(name)] + lines[0][output + 1:], cwd=allocbench_test.SOURCE,
                   check=True)
    expect_ok(measure(t, "batch", ["malloc", "lib:./" + name]), "freelist", "batch")


def case_names(t):
    """Short and stable, from the file's name."""
    source = own(t, "sound")
    for file, name in (("libjemalloc.so.2", "jemalloc"), ("libmimalloc.so.2.0", "mimalloc"), ("my.dll", "my"),
                       ("libtcmalloc_minimal.so.4", "tcmalloc_minimal"), ("libx.1.dylib", "x.1"),
                       ("lib.so", "lib"), ("plain", "plain"), ("a b.so", "a_b")):
        rows = t.run("--scenario", "map", "--dry-run", "--backend", "lib:" + copy(t, source, file)).expect(0)
        check(rows.out.splitlines()[1].strip() == name, file, "gives", rows.out)


def case_paths(t):
    """What a file system allows and a list of backends can hold comes through."""
    source = own(t, "sound")
    names = ["with space.so", "a=b.so", "50%.so", "%3Bx.so", "x;y=1.so", "a@b.so", "\u00fc.so"]
    for name in names:
        file = copy(t, source, os.path.join("folder", name))
        expect_ok(measure(t, "map", ["x=lib:x_@" + file.replace("\\", "/")]), "x", "map")


def case_bare_file_name(t):
    """No search along the system's folders: the file in the current one is meant."""
    copy(t, own(t, "sound"), "libc.so.6")
    expect_ok(measure(t, "map", ["x=lib:x_@libc.so.6"]), "x", "map")


def case_preload_through_link(t):
    """A space separates libraries there; a link without one helps."""
    can_preload(t)
    copy(t, own(t, "sound"), "with space.so")
    os.symlink("with space.so", t.path("link.so"))
    rows = measure(t, "map", ["with=preload:with space.so", "link=preload:link.so"], code=1)
    expect_ok(rows, "link", "map")
    check_equal({row["status"] for row in of(rows, "with")}, {"failed"}, "status")
    check("make a link" in of(rows, "with")[0]["reason"], of(rows, "with")[0]["reason"])


def case_two_processes_and_ratio(t):
    """A library is a contender like others: baseline, ratio, verdict."""
    rows = t.measure("--scenario", "map", "--count", "500", "--processes", "2", "--rounds", "3", "--pin", "none",
                     "--backend", "lib:" + t.plugin + ",malloc", "--baseline", "freelist")
    check_equal({row["ratio"] for row in of(rows, "freelist")}, {"1"}, "ratio of the baseline")
    check(all(row["verdict"] for row in of(rows, "malloc")), "no verdict")


def case_facts(t):
    """Where the file is and what it was; its digest is FNV-1a of the contents."""
    with open(t.plugin, "rb") as file:
        contents = file.read()
    digest = 0xcbf29ce484222325
    for byte in contents:
        digest = (digest ^ byte) * 0x100000001b3 & 0xffffffffffffffff
    t.run("--quiet", "--scenario", "map", "--count", "500", "--out", "f.csv", "--backend",
          "x=lib:%s,gone=lib:gone.so" % t.plugin, *foreign_test.BRIEF).expect(1)
    found = dict(facts(t.read("f.csv")))
    check(found["backend x"].endswith(" (%d KiB, fnv1a %016x)" % ((len(contents) + 1023) // 1024, digest)),
          found["backend x"])
    check(found["backend x"].startswith("lib:") and "freelist" in found["backend x"], found["backend x"])
    check("cannot be read" in found["backend gone"], found["backend gone"])


def case_coordinator_loads_nothing(t):
    """A library that ends its process costs no more than its cell, and a dry run not even that."""
    t.run("--scenario", "churn", "--dry-run", "--backend", "lib:" + own(t, "aborting")).expect(0)


if __name__ == "__main__":
    allocbench_test.main(globals())

# SPDX-License-Identifier: MIT
"""record: one command makes the folder of a machine. The program is a stand-in that writes made-up runs."""
import os
import stat
import sys

import scripts_test
from scripts_test import HERE, check, check_equal, skip

STAND_IN = """#!%s
import sys
sys.path.insert(0, %r)
import scripts_test, made_up
arguments = sys.argv[1:]
scenario = arguments[arguments.index("--scenario") + 1]
csv = scripts_test.Csv(call=" ".join(arguments))
if scenario == "all":
    made_up.churn(csv), made_up.map_(csv)
elif scenario == "growth":
    csv.add("growth", "grow", "populate-whole", ratio=1, size_bytes=2 << 20, count=1, variant="step=4096")
else:
    made_up.granularity(csv, free="release" if "release" in arguments else "decommit+release",
                        touch="write" if "write" in arguments else "none",
                        fragment=25 if "25,50,75" in arguments else 0)
with open(arguments[arguments.index("--out") + 1], "w", encoding="utf-8", newline="\\n") as file:
    file.write(csv.text())
with open(arguments[arguments.index("--raw") + 1], "w") as file:
    file.write("raw\\n")
sys.exit(%d)
"""


def _program(t, code=0):
    if os.name == "nt":
        skip("the stand-in is a script")
    t.write("allocbench", STAND_IN % (sys.executable, HERE, code))
    os.chmod(t.path("allocbench"), stat.S_IRWXU)
    return t.path("allocbench")


def case_folder(t):
    t.run("record", "machine-1", "--program", _program(t), "--results", t.path("results")).expect(0)
    found = sorted(name for name in os.listdir(t.path("results/machine-1")) if name != "pictures")
    check_equal(found, sorted(
        [name + end for name in ("run", "release", "fragment", "touch", "populate")
         for end in (".csv", ".raw.csv")] + ["tables.md", "claims.md", "advice.md"] +
        ["table-00%d.txt" % document for document in range(5)]))
    with open(t.path("results/machine-1/claims.md"), encoding="utf-8") as file:
        text = file.read()
    check(text.startswith("# Claims\n") and "| 000 |" in text and "reproduced" in text, text[:500])


def case_recorded_tables(t):
    """What lies in results/ is what the README's commands print."""
    results = os.path.join(os.path.dirname(os.path.dirname(HERE)), "results")
    found = 0
    for machine in sorted(os.listdir(results)):
        run = os.path.join(results, machine, "run.csv")
        for document in ("000", "001", "002", "003", "004") if os.path.exists(run) else ():
            with open(os.path.join(results, machine, "table-%s.txt" % document), encoding="utf-8") as file:
                check_equal(t.run("tables", run, "--document", document).expect(0).out, file.read(), document)
            found += 1
    check(found > 0, "no recorded tables")


def case_only_render(t):
    t.run("record", "machine-1", "--program", _program(t), "--results", t.path("results")).expect(0)
    os.remove(t.path("results/machine-1/tables.md"))
    t.run("record", "machine-1", "--results", t.path("results"), "--only-render").expect(0)
    check(os.path.exists(t.path("results/machine-1/tables.md")), "no tables")


def case_failed_cells(t):
    t.run("record", "machine-1", "--program", _program(t, 1), "--results", t.path("results")).expect(1)


def case_failed_run(t):
    result = t.run("record", "machine-1", "--program", _program(t, 2), "--results", t.path("results"))
    check("run ended with exit 2" in result.expect(2).err, result.err)


def case_no_program(t):
    result = t.run("record", "machine-1", "--program", "/no/such", "--results", t.path("results"))
    check("cannot be started" in result.expect(2).err, result.err)


def case_names(t):
    for name in ("published", "..", "a/b", ""):
        t.run("record", name, "--results", t.path("results")).expect(2)


scripts_test.main(globals())

# SPDX-License-Identifier: MIT
"""What the tests of the scripts share: made-up result files, running a script, golden outputs.

A test file holds functions case_NAME(t) and ends with scripts_test.main(globals()). CMake makes one ctest
entry of each line that begins with "def case_". Exit 0: passed, 1: failed, 77: skipped. --update rewrites
the golden outputs of a case.
"""
import argparse
import difflib
import math
import os
import random
import shutil
import subprocess
import sys
import tempfile
import traceback

HERE = os.path.dirname(os.path.abspath(__file__))
SOURCE = os.path.dirname(os.path.dirname(HERE))
SCRIPTS = os.path.join(SOURCE, "scripts")
GOLDEN = os.path.join(HERE, "golden")
PATIENCE_S = 120
sys.path.insert(0, SCRIPTS)

from allocbench_results.estimate import t_quantile  # noqa: E402

T_95 = {n: t_quantile(0.975, float(n - 1)) for n in range(2, 21)}
FACTS = (("schema", "1"), ("version", "0.1.0"), ("build", "optimised"), ("scale", "default"),
         ("seed", "1"), ("threshold_pct", "2"), ("page_bytes", "4096"), ("os", "Linux"),
         ("cpu", "Made Up 1"))
RAW_COLUMNS = ("scenario,op,size_bytes,count,threads,variant,backend,process,round,position,ops,"
               "passes,wall_ns,user_ns,sys_ns,minor_faults,major_faults,involuntary_switches").split(",")


def columns():
    """The names in src/harness/columns.def, in order."""
    path = os.path.join(SOURCE, "src", "harness", "columns.def")
    with open(path, encoding="utf-8") as file:
        return [line.split(",")[1].strip() for line in file if line.startswith("AB_COLUMN(")]


class Skip(Exception):
    pass


def skip(reason):
    raise Skip(reason)


def check(condition, *what):
    if not condition:
        raise AssertionError(" ".join(str(part) for part in what))


def check_equal(found, expected, *what):
    check(found == expected, *(what + ("is", repr(found), "and not", repr(expected))))


class Csv:
    """A made-up result file. Intervals are `pct` per cent wide on either side."""

    def __init__(self, **facts):
        self.facts = dict(FACTS)
        self.facts.update(facts)
        self.rows = []

    def add(self, scenario, op, backend, ns=100.0, ratio=None, pct=1.0, **more):
        """`ratio` 1 without `pct` is a baseline row; other columns by name."""
        row = {name: "" for name in columns()}
        row.update(scenario=scenario, op=op, backend=backend, threads="1", status="ok", ops="1000",
                   passes="1", rounds="10", processes="5", variant=more.pop("variant", ""))
        row["ns_per_op"] = repr(float(ns))
        row["ci_low_ns"], row["ci_high_ns"] = _interval(ns, pct)
        if ratio is not None:
            row["ratio"] = repr(float(ratio))
            if ratio != 1:
                row["ratio_low"], row["ratio_high"] = _interval(ratio, pct)
                row["verdict"] = _verdict(float(row["ratio_low"]), float(row["ratio_high"]))
        row.update({name: str(value) for name, value in more.items()})
        self.rows.append(row)
        return row

    def add_threads(self):
        """Adds every row again as one of two threads, twice as slow, and a scenario of threads alone."""
        for row in list(self.rows):
            self.rows.append(dict(row, threads="2", ns_per_op=repr(2 * float(row["ns_per_op"] or 1))))
        self.add("handoff", "handoff", "malloc", 90, ratio=1, threads="2", size_bytes=64,
                 variant="dispatch=inline;ops=1000;pattern=pair")
        self.add("handoff", "handoff", "winheap", 45, ratio=0.5, threads="2", size_bytes=64,
                 variant="dispatch=inline;ops=1000;pattern=pair")

    def text(self):
        lines = ["# %s: %s" % fact for fact in self.facts.items()]
        names = columns()
        lines.append(",".join(names))
        lines += [",".join(row[name] for name in names) for row in self.rows]
        return "\n".join(lines) + "\n"


def _interval(value, pct):
    factor = 1 + pct / 100.0
    return repr(value / factor), repr(value * factor)


def _verdict(low, high):
    return "faster" if high < 0.98 else "slower" if low > 1.02 else \
        "same" if low >= 0.98 and high <= 1.02 else "unclear"


def simulate(csv, cells, seed, processes=5, rounds=10, noise=0.03, slow=None):
    """Adds what a run would report: `cells` are (scenario, op, size, backends), the first backend being
    the baseline. Each round's time is 100 ns with lognormal noise; `slow` is (backend, factor)."""
    generator = random.Random(seed)
    for scenario, op, size, backends in cells:
        times = {name: [[100 * (slow[1] if slow and slow[0] == name else 1)
                         * math.exp(generator.gauss(0, noise)) for _ in range(rounds)]
                        for _ in range(processes)] for name in backends}
        for name in backends:
            _add_simulated(csv, scenario, op, size, name, times[name], times[backends[0]])


def _add_simulated(csv, scenario, op, size, name, own, base):
    logs = [_median([math.log(ns) for ns in process[1:]]) for process in own]
    ns, low, high = _student(logs)
    row = csv.add(scenario, op, name, ns=ns, size_bytes=size, count=1000, processes=len(own),
                  rounds=len(own[0]))
    row["ci_low_ns"], row["ci_high_ns"] = repr(low), repr(high)
    if own is base:
        row["ratio"] = "1"
        return
    logs = [_median([math.log(a / b) for a, b in zip(mine[1:], other[1:])])
            for mine, other in zip(own, base)]
    row["ratio"], row["ratio_low"], row["ratio_high"] = (repr(x) for x in _student(logs))
    row["verdict"] = "unclear"


def _median(values):
    values = sorted(values)
    middle = len(values) // 2
    return values[middle] if len(values) % 2 else (values[middle - 1] + values[middle]) / 2


def _student(logs):
    mean = sum(logs) / len(logs)
    error = math.sqrt(sum((x - mean) ** 2 for x in logs) / (len(logs) - 1) / len(logs))
    half = T_95[len(logs)] * error
    return math.exp(mean), math.exp(mean - half), math.exp(mean + half)


class Result:
    def __init__(self, code, out, err):
        self.code, self.out, self.err = code, out, err

    def expect(self, code):
        check(self.code == code, "exit", self.code, "and not", code, "\nstdout:", self.out[-2000:],
              "\nstderr:", self.err)
        check("Traceback" not in self.err, self.err)
        return self

    def error_line(self):
        lines = self.err.splitlines()
        check(len(lines) == 1 and self.err.endswith("\n"), "not one line on stderr:", repr(self.err))
        return lines[0]


class Tester:
    def __init__(self, update):
        self.update = update
        self.folder = tempfile.mkdtemp(prefix="allocbench-scripts-")

    def close(self):
        shutil.rmtree(self.folder, ignore_errors=True)

    def path(self, name):
        return os.path.join(self.folder, name)

    def write(self, name, content):
        """Writes a Csv, a text or bytes; the name again."""
        if isinstance(content, Csv):
            content = content.text()
        if isinstance(content, str):
            content = content.encode("utf-8")
        with open(self.path(name), "wb") as file:
            file.write(content)
        return name

    def run(self, script, *arguments, **options):
        environment = dict(os.environ, PYTHONDONTWRITEBYTECODE="1")
        environment.update(options.pop("env", {}))
        result = subprocess.run(
            [sys.executable, os.path.join(SCRIPTS, script)] + list(arguments), cwd=self.folder,
            env=environment, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
            timeout=PATIENCE_S, **options)
        return Result(result.returncode, result.stdout.decode("utf-8"), result.stderr.decode("utf-8"))

    def golden(self, name, text):
        path = os.path.join(GOLDEN, name)
        if self.update:
            os.makedirs(GOLDEN, exist_ok=True)
            with open(path, "w", encoding="utf-8", newline="\n") as file:
                file.write(text)
            return
        with open(path, encoding="utf-8", newline="") as file:
            expected = file.read()
        check(text == expected, "".join(difflib.unified_diff(
            expected.splitlines(True), text.splitlines(True), name + " expected", "found")),
            "\n(--update rewrites it)")


def main(names):
    cases = {name[5:]: value for name, value in names.items() if name.startswith("case_")}
    parser = argparse.ArgumentParser()
    parser.add_argument("case", nargs="*", help="default: all", metavar="CASE")
    parser.add_argument("--update", action="store_true", help="rewrite golden outputs")
    options = parser.parse_args()
    codes = [_run(name, cases[name], options.update) for name in options.case or sorted(cases)]
    sys.exit(1 if 1 in codes else 77 if codes and all(code == 77 for code in codes) else 0)


def _run(name, case, update):
    tester = Tester(update)
    try:
        case(tester)
        return 0
    except Skip as reason:
        print("%s skipped: %s" % (name, reason))
        return 77
    except Exception:
        print("%s failed" % name)
        traceback.print_exc(file=sys.stdout)
        return 1
    finally:
        tester.close()

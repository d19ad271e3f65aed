#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Damages result files and gives them to the scripts, which must never end with a traceback.

usage: fuzz_results.py [--seconds N] [--seed N]

Cuts, doubles, swaps and overwrites bytes, fields and lines of a file with made-up results or raw samples.
Whatever the file, `compare`, `tables` and `plot` end with a documented exit code, and with one line on stderr
when it is 2 or 3. A failure tells the seed and the number of the case, and leaves the file.
"""
import argparse
import contextlib
import io
import os
import random
import runpy
import sys
import tempfile
import time

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
sys.path.insert(0, os.path.join(ROOT, "scripts"))
sys.path.insert(0, os.path.join(ROOT, "tests", "scripts"))
DOCUMENTED = {0, 1, 2, 3, 4}
ODD = ["", "0", "-1", "nan", "inf", "1e999", "-0", "9" * 400, '"', '""', ",", "\0", "\ufeff", "\u0661", "x" * 5000,
       "ok", "failed", "faster", "=", ";", "k=v;k", "malloc", "1_000", " 7", "0x10", "1e303", "1e-310", "1e30",
       "\u00b2", "9" * 20, "write", "2"]


def mutate_text(draw, text):
    lines = text.split("\n")
    for _ in range(draw.randint(1, 6)):
        row = draw.randrange(len(lines))
        kind = draw.randrange(7)
        if kind == 0:
            fields = lines[row].split(",")
            at = draw.randrange(len(fields))
            pairs = fields[at].split(";")
            pair = draw.randrange(len(pairs))
            name, equals, _ = pairs[pair].partition("=")
            pairs[pair] = name + equals + draw.choice(ODD) if equals else pairs[pair]
            fields[at] = ";".join(pairs) if equals and draw.random() < 0.7 else draw.choice(ODD)
            lines[row] = ",".join(fields)
        elif kind == 1:
            lines.insert(row, draw.choice(lines))
        elif kind == 2 and len(lines) > 1:
            del lines[row]
        elif kind == 3:
            other = draw.randrange(len(lines))
            lines[row], lines[other] = lines[other], lines[row]
        elif kind == 4:
            lines[row] = lines[row][:draw.randint(0, len(lines[row]))]
        elif kind == 5:
            lines[row] += "," + draw.choice(ODD)
        else:
            lines[row] = draw.choice(("# schema: ", "# ", "#", "# threshold_pct: ")) + draw.choice(ODD)
    return "\n".join(lines)


def mutate(draw, text):
    data = mutate_text(draw, text).encode("utf-8") if draw.random() < 0.8 else text.encode("utf-8")
    if draw.random() < 0.4 and data:
        damaged = bytearray(data)
        for _ in range(draw.randint(1, 8)):
            damaged[draw.randrange(len(damaged))] = draw.randrange(256)
        data = bytes(damaged[:draw.randint(0, len(damaged))] if draw.random() < 0.3 else damaged)
    return data


def call(script, arguments):
    """(exit code, stderr, exception) of a script that is run in this process."""
    out, err = io.StringIO(), io.StringIO()
    before = sys.argv
    sys.argv = [script] + arguments
    try:
        with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
            runpy.run_path(os.path.join(ROOT, "scripts", script), run_name="__main__")
        return 0, err.getvalue(), None
    except SystemExit as end:
        return end.code if isinstance(end.code, int) else 0, err.getvalue(), None
    except BaseException as problem:  # what would have been a traceback
        return -1, err.getvalue(), problem
    finally:
        sys.argv = before


def complaint(script, arguments):
    code, err, problem = call(script, arguments)
    if problem is not None:
        return "%s: %r" % (script, problem)
    if code not in DOCUMENTED:
        return "%s ended with exit %r" % (script, code)
    if code in (2, 3) and (err.count("\n") != 1 or not err.endswith("\n")):
        return "%s: exit %d with not one line on stderr: %r" % (script, code, err)
    return None


def sample():
    """The text of a good file with rows of several scenarios."""
    import made_up
    import scripts_test
    csv = scripts_test.Csv()
    made_up.granularity(csv)
    made_up.churn(csv, sizes=(4, 1024))
    made_up.batch(csv)
    made_up.map_(csv)
    made_up.growth(csv)
    for size in (4096, 65536):
        csv.add("pages", "commit", "map", 1000, ratio=1, size_bytes=size, count=4,
                variant="pattern=separate;touch=write", extra="ns_per_page=250")
    csv.add_threads()
    return csv.text()


def raw_sample():
    """The text of a good file of raw samples."""
    import scripts_test
    lines = ["# schema: 1", ",".join(scripts_test.RAW_COLUMNS)]
    lines += ["churn,replace,%d,32768,1,ops=1000,%s,%d,%d,1,1000,2,%d,,,0,0,0" % (size, name, process, round_, ns)
              for size in (4, 64) for name, ns in (("malloc", 50000), ("pool", 20000))
              for process in (1, 2, 3) for round_ in (1, 2, 3)]
    return "\n".join(lines) + "\n"


COMPARE = (("compare", ["GOOD", "BAD"]), ("compare", ["BAD", "GOOD"]))
REPORTS = (("tables", ["BAD"]), ("tables", ["BAD", "--claims", "--advice"]), ("plot", ["BAD", "--list"]))


def check_undamaged(calls, good):
    for script, arguments in calls:
        result = call(script, [good if word in ("GOOD", "BAD") else word for word in arguments])
        if result[0] != 0:
            sys.exit("the undamaged file is refused by %s: %r" % (script, result))


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--seconds", type=float, default=30)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    end = time.monotonic() + options.seconds
    cases = 0
    with tempfile.TemporaryDirectory() as folder:
        bad = os.path.join(folder, "bad.csv")
        kinds = []
        for name, text, calls in (("good.csv", sample(), COMPARE + REPORTS), ("raw.csv", raw_sample(), COMPARE)):
            good = os.path.join(folder, name)
            with open(good, "w", encoding="utf-8", newline="\n") as file:
                file.write(text)
            check_undamaged(calls, good)
            kinds.append((good, text, calls))
        while time.monotonic() < end:
            draw = random.Random(options.seed * 1000003 + cases)
            good, text, calls = kinds[0 if draw.random() < 0.8 else 1]
            data = mutate(draw, text)
            with open(bad, "wb") as file:
                file.write(data)
            for script, arguments in calls:
                arguments = [{"GOOD": good, "BAD": bad}.get(word, word) for word in arguments]
                found = complaint(script, arguments)
                if found:
                    kept = os.path.join(ROOT, "build", "found-results.csv")
                    os.makedirs(os.path.dirname(kept), exist_ok=True)
                    with open(kept, "wb") as file:
                        file.write(data)
                    sys.exit("seed %d, case %d: %s %s\nthe file: %s" % (
                        options.seed, cases, found, " ".join(arguments), kept))
            cases += 1
    print("%d damaged files, no traceback" % cases)


if __name__ == "__main__":
    main()

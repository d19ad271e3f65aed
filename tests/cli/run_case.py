# SPDX-License-Identifier: MIT
"""Runs one golden case: a file of the arguments and of what the program answers.

    # why this case exists
    given: dir NAME | file NAME        what lies in the folder it runs in (optional)
    windows: REASON                    skipped there (optional)
    $ ARGUMENTS                        as a shell would split them
    exit: N
    stderr:
    ...
    stdout:
    ...

What varies is replaced on both sides (see VARIES). In an expectation, [*] stands for any text in a
line, and a line that is [*] alone for any lines. --update rewrites an expectation that does not match.
"""
import argparse
import difflib
import os
import re
import shlex
import sys

import allocbench_test

VARIES = (
    (r"^allocbench: warning: .*\n", ""),  # what the machine is like today
    (r"allocbench \d+\.\d+\.\d+ \(commit [^,]+, (gcc|clang) [^,]+, [a-z]+\)",
     "allocbench VERSION (commit COMMIT, COMPILER, BUILD)"),
    (r", about (under )?[\d.]+ (s|min|h)$", ", about TIME"),
    (r"(cannot open '.*' for writing): .*$", r"\1: OS-ERROR"),
    (r"(cannot run on CPU \d+): .*$", r"\1: OS-ERROR"),
    (r"(cannot write the results): .*$", r"\1: OS-ERROR"),
)


class Case:
    def __init__(self, path):
        self.head, self.given, self.windows = [], [], ""
        self.arguments, self.code = None, None
        self.expected = {"stderr": "", "stdout": ""}
        section = None
        with open(path, encoding="utf-8") as file:
            lines = file.read().splitlines()
        for line in lines:
            if section is not None and line not in ("stderr:", "stdout:"):
                self.expected[section] += line + "\n"
            elif line in ("stderr:", "stdout:"):
                section = line[:-1]
            elif line.startswith("exit: "):
                self.code = int(line[6:])
            else:
                self.head.append(line)
                if line.startswith("$ ") or line == "$":
                    self.arguments = shlex.split(line[1:])
                elif line.startswith("given: "):
                    self.given.append(line[7:].split(" ", 1))
                elif line.startswith("windows: "):
                    self.windows = line[9:]
                elif line and not line.startswith("#"):
                    sys.exit("%s: unknown line: %s" % (path, line))
        if self.arguments is None:
            sys.exit("%s: there is no line of arguments" % path)

    def text(self, result):
        return "\n".join(self.head) + "\nexit: %d\nstderr:\n%sstdout:\n%s" % (
            result.code, result.err, result.out)


def normalise(text):
    for pattern, replacement in VARIES:
        text = re.sub(pattern, replacement, text, flags=re.MULTILINE)
    return text


def matches(expected, found):
    pattern = "".join(
        r"(?:.*\n)*" if line == "[*]\n" else re.escape(line).replace(re.escape("[*]"), ".*")
        for line in expected.splitlines(True))
    return re.fullmatch(pattern, found) is not None


def run(case, tester):
    for kind, name in case.given:
        if kind == "dir":
            os.mkdir(tester.path(name))
        else:
            open(tester.path(name), "w").close()
    before = sorted(os.listdir(tester.folder))
    result = tester.run(*case.arguments)
    result.out, result.err = normalise(result.out), normalise(result.err)
    if case.code == 2:
        allocbench_test.check_equal(sorted(os.listdir(tester.folder)), before, "the folder after an error")
    return result


def differences(case, result):
    found = []
    if case.code != result.code:
        found.append("exit: %s expected, %d found\n" % (case.code, result.code))
    for name, text in (("stderr", result.err), ("stdout", result.out)):
        if not matches(case.expected[name], text):
            found += difflib.unified_diff(case.expected[name].splitlines(True), text.splitlines(True),
                                          name + " expected", name + " found")
    return found


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("case")
    parser.add_argument("--program", required=True)
    parser.add_argument("--emulator", default="")
    parser.add_argument("--wine-prefix", default="")
    parser.add_argument("--update", action="store_true", help="rewrite the case's expectation")
    options = parser.parse_args()
    case = Case(options.case)
    tester = allocbench_test.Tester(options.program, options.emulator, options.wine_prefix)
    try:
        if case.windows and tester.is_windows:
            print("skipped: %s" % case.windows)
            sys.exit(77)
        result = run(case, tester)
    finally:
        tester.close()
    found = differences(case, result)
    if found and options.update:
        with open(options.case, "w", encoding="utf-8", newline="\n") as file:
            file.write(case.text(result))
        print("rewrote %s" % options.case)
    elif found:
        print("allocbench " + " ".join(case.arguments))
        print("".join(found))
        sys.exit(1)


if __name__ == "__main__":
    main()

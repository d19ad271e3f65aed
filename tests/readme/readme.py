#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""The README tells the truth: its generated parts are what the sources say, and its toy backend works.

usage: readme.py CASE --source DIR --program PROGRAM [--update]
cases: columns, lists, toy_text, toy_backend
Generated parts stand between `<!-- NAME -->` and `<!-- end -->`; --update rewrites them.
"""
import argparse
import os
import re
import shutil
import subprocess
import sys
import tempfile


def columns(source, program):
    text = open(os.path.join(source, "src/harness/columns.def"), encoding="utf-8").read()
    rows = re.findall(r'^AB_COLUMN\((\w+), (\w+), "([^"]*)"\)', text, re.M)
    lines = ["| column | kind | meaning |", "|---|---|---|"]
    kinds = {"TEXT": "text", "COUNT": "whole number", "REAL": "number"}
    lines += ["| `%s` | %s | %s |" % (name, kinds[kind], meaning) for kind, name, meaning in rows]
    return "\n".join(lines)


def lists(source, program):
    out = subprocess.run([program, "--list"], check=True, stdout=subprocess.PIPE).stdout.decode()
    return "```\n" + out.strip() + "\n```"


def toy_text(source, program):
    text = open(os.path.join(source, "tests/readme/toy.h"), encoding="utf-8").read()
    return "```c\n" + text.strip() + "\n```"


PARTS = {"columns": columns, "lists": lists, "toy_text": toy_text}


def check_part(name, args):
    path = os.path.join(args.source, "README.md")
    text = open(path, encoding="utf-8").read()
    pattern = re.compile(r"(<!-- %s -->\n).*?(\n<!-- end -->)" % name, re.S)
    if not pattern.search(text):
        sys.exit("README.md has no part <!-- %s -->" % name)
    wanted = PARTS[name](args.source, args.program)
    updated = pattern.sub(lambda match: match.group(1) + wanted + match.group(2), text)
    if args.update:
        open(path, "w", encoding="utf-8", newline="\n").write(updated)
    elif updated != text:
        sys.exit("README.md: the part '%s' is out of date; run readme.py %s --update" % (name, name))


def toy_backend(args):
    """The README's promise: one header and one line, in a clean copy of the sources."""
    with tempfile.TemporaryDirectory() as folder:
        tree = os.path.join(folder, "tree")
        shutil.copytree(args.source, tree, ignore=shutil.ignore_patterns("build", ".git", "results"))
        shutil.copy(os.path.join(tree, "tests/readme/toy.h"), os.path.join(tree, "bench/backends"))
        with open(os.path.join(tree, "bench/backends/backends.def"), "a", encoding="utf-8") as file:
            file.write("AB_BACKEND(toy)\n")
        build = os.path.join(folder, "build")
        quiet = {"check": True, "stdout": subprocess.DEVNULL}
        subprocess.run(["cmake", "-S", tree, "-B", build, "-DCMAKE_BUILD_TYPE=Release",
                        "-DBUILD_TESTING=OFF"], **quiet)
        subprocess.run(["cmake", "--build", build, "--target", "allocbench", "-j2"], **quiet)
        out = subprocess.run([os.path.join(build, "bench", "allocbench"), "--scenario", "churn,batch",
                              "--backend", "malloc,toy", "--scale", "quick", "--processes", "1",
                              "--rounds", "2", "--no-facts", "--quiet"],
                             check=True, stdout=subprocess.PIPE).stdout.decode()
        rows = [line for line in out.splitlines() if ",toy,ok," in line]
        if len(rows) < 10:
            sys.exit("the toy backend gave only %d rows:\n%s" % (len(rows), out))


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("case")
    parser.add_argument("--source", required=True)
    parser.add_argument("--program", required=True)
    parser.add_argument("--update", action="store_true")
    args = parser.parse_args()
    if args.case == "toy_backend":
        toy_backend(args)
    else:
        check_part(args.case, args)


if __name__ == "__main__":
    main()

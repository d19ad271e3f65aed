#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""The README tells the truth: its generated parts are what the sources say, and its toy backend works.

usage: readme.py CASE --source DIR --program PROGRAM [--update]
cases: columns, lists, toy_text, commands, toy_backend
Generated parts stand between `<!-- NAME -->` and `<!-- end -->`; --update rewrites them.
"""
import argparse
import json
import os
import re
import shlex
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


def shown_commands(text):
    """Every indented line that calls one of ours, without its remark and what it is piped into."""
    text = re.sub(r"\\\n +", " ", text)
    for line in re.findall(r"^ {4}((?:cmake|allocbench|scripts/)\S* .*)$", text, re.M):
        yield shlex.split(re.split(r" +# | \|", line)[0])


def check_command(args, words, presets):
    """One line on what is wrong with it, or ""."""
    if words[:3] == ["cmake", "--workflow", "--preset"]:
        return "" if words[3] in presets else "there is no preset '%s'" % words[3]
    if words[0].startswith("scripts/"):
        path = os.path.join(args.source, words[0])
        if not os.access(path, os.X_OK):
            return "there is no such script"
        text = subprocess.run([sys.executable, "-B", path, "--help"], check=True,
                              stdout=subprocess.PIPE).stdout.decode()
        unknown = [word for word in words if word.startswith("--") and word not in text]
        return "it has no %s" % unknown[0] if unknown else ""
    if words[0] == "allocbench" and not re.search("lib:|preload:", " ".join(words)):
        extra = [] if {"--dry-run", "--help", "doctor", "selftest"} & set(words) else ["--dry-run"]
        if words[1] in ("doctor", "selftest"):
            words = ["allocbench", words[1], "--help"]
        result = subprocess.run([args.program] + words[1:] + extra, stdout=subprocess.DEVNULL,
                                stderr=subprocess.PIPE)
        return "" if result.returncode == 0 else result.stderr.decode().strip()
    return ""


def commands(args):
    """What it tells people to type is there. Libraries are another test's; nothing is measured."""
    with open(os.path.join(args.source, "CMakePresets.json"), encoding="utf-8") as file:
        presets = {preset["name"] for preset in json.load(file)["workflowPresets"]}
    with open(os.path.join(args.source, "README.md"), encoding="utf-8") as file:
        found = list(shown_commands(file.read()))
    if len(found) < 20:
        sys.exit("README.md: only %d commands found" % len(found))
    faults = ["%s: %s" % (" ".join(words), fault) for words in found
              for fault in [check_command(args, words, presets)] if fault]
    if faults:
        sys.exit("README.md:\n" + "\n".join(faults))


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


WHOLE = {"commands": commands, "toy_backend": toy_backend}


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("case")
    parser.add_argument("--source", required=True)
    parser.add_argument("--program", required=True)
    parser.add_argument("--update", action="store_true")
    args = parser.parse_args()
    if args.case in WHOLE:
        WHOLE[args.case](args)
    else:
        check_part(args.case, args)


if __name__ == "__main__":
    main()

# SPDX-License-Identifier: MIT
"""Rules of the sources that no compiler checks. `lint.py RULE --compiler CC`; exit 77: skipped.

Each rule is a function rule_NAME(options) that returns complaints, and an entry of ctest.
"""
import argparse
import ast
import os
import re
import shutil
import subprocess
import sys

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
CODE = (".c", ".h")
SOURCES = CODE + (".def", ".py", ".sh", ".cmake", "CMakeLists.txt")
TEXTS = SOURCES + (".test", ".md", ".json", ".yml", ".gp")
LONGEST = 400
TOP_LEVEL = {"CMakeLists.txt", "CMakePresets.json", "src", "include", "bench", "results", "scripts",
             "tests", "README.md", "LICENSE", "build"}


def files(folders, endings):
    """Paths from the top, with slashes. What is built or hidden is no source."""
    for folder in folders:
        for where, inner, names in os.walk(os.path.join(ROOT, folder)):
            inner[:] = sorted(name for name in inner
                              if name != "__pycache__" and not name.startswith("build") and name != ".git")
            for name in sorted(names):
                if name.endswith(endings):
                    yield os.path.relpath(os.path.join(where, name), ROOT).replace(os.sep, "/")


def read(path):
    with open(os.path.join(ROOT, path), encoding="utf-8", newline="") as file:
        return file.read()


def lines(path):
    return enumerate(read(path).split("\n"), 1)


def everything(endings):
    top = [name for name in os.listdir(ROOT) if name.endswith(endings)]
    return sorted(top) + list(files(("src", "include", "bench", "scripts", "tests", ".ci"), endings))


def code_only(text):
    """Without comments and the contents of strings; lines stay where they are."""
    def blank(match):
        found = match.group(0)
        return '""' if found[0] == '"' else "''" if found[0] == "'" else "\n" * found.count("\n") or " "
    return re.sub(r'/\*.*?\*/|//[^\n]*|"(?:\\.|[^"\\\n])*"|\'(?:\\.|[^\'\\\n])*\'', blank, text,
                  flags=re.DOTALL)


def includes(path):
    for number, line in lines(path):
        match = re.match(r'\s*#\s*include\s+"([^"]+)"', line)
        if match:
            yield number, match.group(1)


def exists(path):
    return os.path.isfile(os.path.join(ROOT, path))


def is_own(path, name, folder):
    """In the includer's own folder or below the folder's top; os has folders of headers per system."""
    near = os.path.join(os.path.dirname(path), name)
    if exists(near) or exists(os.path.join(folder, name)):
        return os.path.normpath(near).startswith(os.path.normpath(folder))
    return any(exists(os.path.join(folder, inner, name)) for inner in os.listdir(os.path.join(ROOT, folder)))


def is_public(name):
    return name.startswith("allocbench/") and exists("include/" + name)


def may_include(path, name):
    if is_public(name):
        return True
    if path.startswith("include/"):
        return False
    if path.startswith("src/os/"):
        return is_own(path, name, "src/os")
    if path.startswith("src/alloc/"):
        return is_own(path, name, "src/alloc")
    if path.startswith("src/harness/"):
        if name == "scenarios.def":
            return path == "src/harness/registry.c"
        return (name.startswith("os/") and exists("src/" + name)) or is_own(path, name, "src/harness")
    if path.startswith("bench/"):
        return (name == "harness/scenario.h" or (re.match(r"os/raw_\w+\.h$", name) and exists("src/" + name))
                or name == "backends_all.h" or is_own(path, name, "bench"))
    return False


def rule_layers(options):
    """Data and includes flow one way: DESIGN of the folders."""
    for path in files(("include", "src", "bench"), CODE + (".def",)):
        for number, name in includes(path):
            if not may_include(path, name):
                yield "%s:%d: must not include \"%s\"" % (path, number, name)
            elif ".." in name.split("/"):
                yield "%s:%d: \"%s\" climbs out of its folder" % (path, number, name)


def rule_platforms(options):
    """Platform knowledge stays in src/os/."""
    system = re.compile(r"\b(_WIN32|_WIN64|__MINGW\w+|__linux__|__linux|__APPLE__|__FreeBSD__|__unix__)\b")
    for path in files(("include", "src", "bench"), CODE + (".def",)):
        if not path.startswith("src/os/") and path != "include/allocbench/compiler.h":
            for number, line in enumerate(code_only(read(path)).split("\n"), 1):
                if system.search(line):
                    yield "%s:%d: asks for a platform outside of src/os/" % (path, number)


def rule_forbidden_functions(options):
    """Unbounded writes, numbers that are parsed in part, hidden state, the locale."""
    bad = re.compile(r"(?<![\w.>])(strcpy|strcat|strncpy|sprintf|vsprintf|gets|atoi|atol|atoll|atof|strtok|"
                     r"rand|srand|gmtime|localtime|setlocale)\s*\(")
    for path in files(("include", "src", "bench", "tests"), CODE):
        for number, line in enumerate(code_only(read(path)).split("\n"), 1):
            match = bad.search(line)
            if match:
                yield "%s:%d: %s is not used here" % (path, number, match.group(1))


def rule_licence(options):
    """The SPDX line is the first one, or the second after #!."""
    for path in everything(SOURCES):
        if path.startswith("tests/readme/"):
            continue  # excerpts, as readers see them
        head = read(path).split("\n")[:2]
        if head and head[0].startswith("#!"):
            head = head[1:]
        if not head or not re.match(r"(/\*|#|//) SPDX-License-Identifier: MIT", head[0]):
            yield "%s:1: does not begin with the SPDX line" % path


def rule_length(options):
    for path in everything(SOURCES):
        count = read(path).count("\n")
        if count > LONGEST:
            yield "%s: has %d lines, more than %d" % (path, count, LONGEST)


def rule_top_level(options):
    """The folder that its user asked for, and dotfiles."""
    for name in sorted(os.listdir(ROOT)):
        if name not in TOP_LEVEL and not name.startswith("."):
            yield "%s: does not belong to the top level" % name


def rule_white_space(options):
    for path in everything(TEXTS):
        if "/golden/" in path:
            continue  # what a program printed
        text = read(path)
        if "\r" in text:
            yield "%s: has CR" % path
        if text and (not text.endswith("\n") or text.endswith("\n\n")):
            yield "%s: does not end with one LF" % path
        for number, line in enumerate(text.split("\n"), 1):
            if "\t" in line:
                yield "%s:%d: has a tab" % (path, number)
            if line != line.rstrip() and not path.endswith(".test"):
                yield "%s:%d: ends with a space" % (path, number)


def rule_no_orphans(options):
    """Every file is built, or included, by something."""
    lists = "".join(read(path) for path in everything(("CMakeLists.txt", ".cmake", ".def")))
    included = {os.path.basename(name) for path in files(("include", "src", "bench"), CODE + (".def",))
                for number, name in includes(path)}
    for path in files(("src", "bench"), CODE + (".def",)):
        name = os.path.basename(path)
        stem, ending = os.path.splitext(name)
        is_listed = re.search(r"(?<![\w.])%s\b" % re.escape(name), lists) is not None
        if re.match(r"bench/(backends|scenarios)/", path):
            is_listed = is_listed or re.search(r"^AB_\w+\(%s[,)]" % re.escape(stem), lists, re.M) is not None
        if not is_listed and not (ending != ".c" and name in included):
            yield "%s: is in no CMakeLists.txt, no .def, and no other file includes it" % path


def compiles(options, text):
    return subprocess.run([options.compiler, "-std=c11", "-Wall", "-Wextra", "-Wpedantic", "-Werror",
                           "-fsyntax-only", "-I", os.path.join(ROOT, "include"), "-x", "c", "-"],
                          input=text.encode(), stdout=subprocess.PIPE, stderr=subprocess.STDOUT)


def rule_headers_alone(options):
    """A public header needs no other before it, and may come twice."""
    for path in files(("include",), (".h",)):
        name = path[len("include/"):]
        done = compiles(options, '#include "%s"\n#include "%s"\nint ab_unused;\n' % (name, name))
        if done.returncode != 0:
            yield "%s: does not compile alone:\n%s" % (path, done.stdout.decode("utf-8", "replace"))


def rule_format(options):
    tool = shutil.which("clang-format")
    if tool is None:
        print("skipped: clang-format is not installed")
        sys.exit(77)
    paths = [path for path in files(("include", "src", "bench", "tests"), CODE)
             if not path.startswith("tests/readme/")]  # the toy of the README, which is to be short
    done = subprocess.run([tool, "--dry-run", "--Werror"] + paths, cwd=ROOT, stdout=subprocess.PIPE,
                          stderr=subprocess.STDOUT)
    if done.returncode != 0:
        found = re.findall(r"^(\S+?:\d+):\d+: error:", done.stdout.decode("utf-8", "replace"), re.M)
        for place in sorted(set(found)):
            yield "%s: clang-format would change this" % place


def rule_python_3_8(options):
    """Scripts and tests run on the oldest Python that the README names."""
    for path in list(files(("scripts", "tests"), (".py",))) + list(files(("scripts",), ("",))):
        text = read(path)
        if path.endswith(".py") or text.startswith("#!/usr/bin/env python3"):
            try:
                ast.parse(text, path, feature_version=(3, 8))
            except SyntaxError as problem:
                yield "%s:%d: not Python 3.8: %s" % (path, problem.lineno, problem.msg)


def main():
    rules = {name[5:]: value for name, value in globals().items() if name.startswith("rule_")}
    parser = argparse.ArgumentParser()
    parser.add_argument("rule", choices=sorted(rules))
    parser.add_argument("--compiler", default="cc")
    options = parser.parse_args()
    complaints = list(rules[options.rule](options))
    print("\n".join(complaints))
    sys.exit(1 if complaints else 0)


if __name__ == "__main__":
    main()

# SPDX-License-Identifier: MIT
"""How a script starts and ends: options, exit codes, one line for what went wrong.

A BadInput never becomes a traceback. Output is UTF-8 with LF whatever the locale or the OS.
"""
import argparse
import gc
import os
import sys

EXIT_USAGE = 2
EXIT_OUTPUT = 4
EXIT_INTERRUPTED = 130


class BadInput(Exception):
    """What is wrong, in one line, with file and line number where there is one."""

    exit_code = EXIT_USAGE


class NotComparable(BadInput):
    """The input can be read, but its figures must not be held against each other."""

    exit_code = 3


def parser(name, text):
    return argparse.ArgumentParser(prog=name, description=text, allow_abbrev=False,
                                   formatter_class=argparse.RawDescriptionHelpFormatter)


def _use_utf8(stream):
    if hasattr(stream, "reconfigure"):
        stream.reconfigure(encoding="utf-8", errors="backslashreplace", newline="\n")


def _one_line(text):
    return " ".join(str(text).split())


def _drop_output():
    """Keeps the interpreter from complaining about a closed pipe while it ends."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), 1)


def run(name, main):
    """Calls main(arguments), which returns the exit code, and ends the process."""
    gc.disable()  # rows are many and hold no cycles: looking for some doubles the time to read
    _use_utf8(sys.stdout)
    _use_utf8(sys.stderr)
    try:
        code = main(sys.argv[1:])
        sys.stdout.flush()
    except BadInput as problem:
        sys.stdout.flush()
        sys.stderr.write("%s: %s\n" % (name, _one_line(problem)))
        code = problem.exit_code
    except BrokenPipeError:
        _drop_output()
        code = EXIT_OUTPUT
    except OSError as problem:
        _drop_output()
        sys.stderr.write("%s: %s\n" % (name, _one_line(problem)))
        code = EXIT_OUTPUT
    except KeyboardInterrupt:
        code = EXIT_INTERRUPTED
    sys.exit(code)


def percent(text):
    """For argparse: "2%" or "2" as 2.0."""
    number = text[:-1] if text.endswith("%") else text
    try:
        value = float(number)
    except ValueError:
        raise argparse.ArgumentTypeError("'%s' is not a percentage such as 2%%" % text)
    if not 0 <= value < 100:
        raise argparse.ArgumentTypeError("%s is not between 0 and 100 %%" % text)
    return value


def choices(known):
    """For argparse: a comma-separated list out of `known`."""
    def parse(text):
        items = [item for item in text.split(",") if item]
        for item in items:
            if item not in known:
                raise argparse.ArgumentTypeError(
                    "'%s' is none of %s" % (item, ", ".join(known)))
        return items
    return parse

# SPDX-License-Identifier: MIT
"""What the tests of the program share: running it, reading its files, finding its processes.

A test file holds functions case_NAME(t) and ends with allocbench_test.main(globals()). CMake makes
one ctest entry of each line that begins with "def case_". Exit 0: passed, 1: failed, 77: skipped.
"""
import argparse
import csv
import io
import os
import shutil
import signal
import subprocess
import sys
import tempfile
import time
import traceback

PATIENCE_S = 60  # longest that any run may take, on a loaded machine too
KEY = ("scenario", "op", "size_bytes", "count", "threads", "variant", "backend")
SOURCE = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))


class Skip(Exception):
    pass


def skip(reason):
    raise Skip(reason)


def check(condition, *what):
    if not condition:
        raise AssertionError(" ".join(str(part) for part in what))


def check_equal(found, expected, *what):
    check(found == expected, *(what + ("is", repr(found), "and not", repr(expected))))


class Result:
    """How a run ended, and what it wrote."""

    def __init__(self, code, out, err):
        self.code = code
        self.out = out.decode("utf-8") if out is not None else ""
        # On Windows the C library ends lines of stderr its own way; stdout and files get LF.
        self.err = err.decode("utf-8", "replace").replace("\r\n", "\n") if err is not None else ""

    def expect(self, code):
        check(self.code == code, "exit", self.code, "and not", code, "\nstdout:", self.out[-2000:],
              "\nstderr:", self.err)
        return self

    def error_line(self):
        """The one line on stderr."""
        lines = self.err.splitlines()
        check(len(lines) == 1 and self.err.endswith("\n"), "not one line on stderr:", repr(self.err))
        return lines[0]


class Tester:
    """A program under test and a folder to run it in."""

    def __init__(self, program, emulator, wine_prefix):
        self.program = os.path.abspath(program)
        self.emulator = [emulator] if emulator else []
        self.is_windows = os.name == "nt" or program.endswith(".exe")
        self.environment = dict(os.environ)
        if emulator:
            self.environment.setdefault("WINEPREFIX", wine_prefix or os.path.abspath("wine"))
            self.environment["WINEDEBUG"] = "-all"
        self.folder = tempfile.mkdtemp(prefix="allocbench-test-")
        self.libraries = self.plugin = ""
        self.started = []
        self._build = None

    def close(self):
        for process in self.started:
            if process.poll() is None:
                process.kill()
                process.wait()
        shutil.rmtree(self.folder, ignore_errors=True)

    def path(self, name):
        return os.path.join(self.folder, name)

    def posix_only(self, what):
        if self.is_windows:
            skip("%s: POSIX only" % what)

    def build(self):
        """"optimised", "debug" or "sanitizer"."""
        if self._build is None:
            self._build = self.run("--version").out.rstrip(")\n").split(", ")[-1]
        return self._build

    def start(self, *arguments, **options):
        """Starts the program in the folder and does not wait."""
        environment = dict(self.environment)
        environment.update(options.pop("env", {}))
        options.setdefault("stdout", subprocess.PIPE)
        options.setdefault("stderr", subprocess.PIPE)
        process = subprocess.Popen(self.emulator + [self.program] + list(arguments), cwd=self.folder,
                                   env=environment, stdin=subprocess.DEVNULL, **options)
        self.started.append(process)
        return process

    def finish(self, process):
        try:
            out, err = process.communicate(timeout=PATIENCE_S)
        except subprocess.TimeoutExpired:
            process.kill()
            raise AssertionError("no end within %d s" % PATIENCE_S)
        return Result(process.returncode, out, err)

    def run(self, *arguments, **options):
        result = self.finish(self.start(*arguments, **options))
        if self.emulator and "--quiet" not in arguments and (result.code, result.out, result.err) == (1, "", ""):
            # The program says why it ends like that; wine, once in thousands of starts, does not.
            print("the emulator could not start the program; once more")
            result = self.finish(self.start(*arguments, **options))
        return result

    def measure(self, *arguments, **options):
        """Runs quietly without facts into a file, exit 0 unless `code` says so
        (None: whatever it is); the rows."""
        code = options.pop("code", 0)
        result = self.run("--quiet", "--no-facts", "--out", "measured.csv", *arguments, **options)
        if code is not None:
            result.expect(code)
        return self.rows("measured.csv")

    def read(self, name):
        with open(self.path(name), "rb") as file:
            return file.read().decode("utf-8")

    def rows(self, name):
        return parse(self.read(name))

    def processes(self, mark):
        """Numbers of the processes whose command line holds the text, the program's only."""
        if not os.path.isdir("/proc/self"):
            skip("there is no /proc to look for processes in")
        name = os.path.basename(self.program).encode()
        found = []
        for entry in os.listdir("/proc"):
            if entry.isdigit() and int(entry) != os.getpid():
                try:
                    with open("/proc/%s/cmdline" % entry, "rb") as file:
                        line = file.read()
                except OSError:
                    continue  # it has ended meanwhile
                if name in line and mark.encode() in line:
                    found.append(int(entry))
        return found

    def workers(self, seed):
        """Workers of the run with this --seed, which marks them among those of other tests."""
        return self.processes("seed=%d;" % seed)

    def expect_no_workers(self, seed):
        wait_for(lambda: not self.workers(seed), 15, "the workers to end")


def unique_seed():
    return os.getpid() * 64 + int(time.time()) % 64


def wait_for(is_true, seconds, what):
    end = time.monotonic() + seconds
    while not is_true():
        check(time.monotonic() < end, "waited", seconds, "s in vain for", what)
        time.sleep(0.01)


def table_lines(text):
    """The lines of a CSV without its facts."""
    return [line for line in text.split("\n")[:-1] if not line.startswith("#")]


def parse(text):
    """Rows of a CSV as dictionaries."""
    check("\r" not in text, "there is a CR in the CSV")
    check(text.endswith("\n"), "the CSV does not end with LF")
    return list(csv.DictReader(io.StringIO("\n".join(table_lines(text)) + "\n"), strict=True))


def facts(text):
    """The "# key: value" lines of a CSV, as a list of pairs."""
    lines = [line[2:] for line in text.split("\n") if line.startswith("# ")]
    return [tuple(line.split(": ", 1)) for line in lines]


def extra(row):
    return dict(pair.split("=", 1) for pair in row["extra"].split(";") if pair)


def key(row):
    return tuple(row[name] for name in KEY)


def columns():
    """The names in src/harness/columns.def, in order."""
    with open(os.path.join(SOURCE, "src", "harness", "columns.def"), encoding="utf-8") as file:
        return [line.split(",")[1].strip() for line in file if line.startswith("AB_COLUMN(")]


def kill(process_number):
    try:
        os.kill(process_number, signal.SIGKILL)
    except OSError:
        pass  # it has ended meanwhile


def main(names):
    cases = {name[5:]: value for name, value in names.items() if name.startswith("case_")}
    parser = argparse.ArgumentParser()
    parser.add_argument("case", choices=sorted(cases))
    parser.add_argument("--program", required=True)
    parser.add_argument("--emulator", default="")
    parser.add_argument("--wine-prefix", default="")
    parser.add_argument("--libraries", default="", help="folder of libraries that were built for tests")
    parser.add_argument("--plugin", default="", help="the example of a plug-in")
    options = parser.parse_args()
    tester = Tester(options.program, options.emulator, options.wine_prefix)
    tester.libraries, tester.plugin = options.libraries, options.plugin
    code = 0
    try:
        cases[options.case](tester)
    except Skip as reason:
        print("skipped: %s" % reason)
        code = 77
    except Exception:
        traceback.print_exc(file=sys.stdout)
        code = 1
    finally:
        tester.close()
    sys.exit(code)

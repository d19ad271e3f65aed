# SPDX-License-Identifier: MIT
"""What a terminal sees: progress that is redrawn and erased, and a table in colour."""
import os
import re
import subprocess

import allocbench_test
from allocbench_test import check, check_equal, skip, wait_for

# No malloc: a leak checker would speak of what its cells keep.
RUN = ("--scenario", "churn,batch", "--size", "16", "--slots", "256", "--ops", "200000", "--count", "2000",
       "--backend", "none,pool", "--processes", "4", "--rounds", "6", "--pin", "none")


def on_terminal(t, *arguments, columns=200, codes=(0,), **environment):
    """What the program writes to a terminal that is its stdout and stderr."""
    t.posix_only("pseudo-terminals")
    import fcntl
    import pty
    import struct
    import termios
    try:
        ours, theirs = pty.openpty()
    except OSError as problem:
        skip("no pseudo-terminal: %s" % problem)
    fcntl.ioctl(theirs, termios.TIOCSWINSZ, struct.pack("HHHH", 50, columns, 0, 0))
    seen = []
    process = t.start(*arguments, stdout=theirs, stderr=theirs,
                      env=dict({"TERM": "xterm", "NO_COLOR": ""}, **environment))
    os.close(theirs)

    def has_ended():
        try:
            seen.append(os.read(ours, 65536))
        except OSError:  # the other side is closed
            return True
        return seen[-1] == b""

    wait_for(has_ended, allocbench_test.PATIENCE_S, "the end of the output")
    os.close(ours)
    check(process.wait() in codes, "exit", process.returncode, "after", b"".join(seen)[-500:])
    return b"".join(seen).decode("utf-8")


def screen(text):
    """Lines as they stand at the end; what was erased is gone."""
    lines = []
    for line in text.replace("\r\n", "\n").split("\n"):
        lines.append(re.sub("\x1b\\[[0-9;]*m", "", line.split("\r\x1b[K")[-1]))
    return lines


def case_progress(t):
    text = on_terminal(t, "--out", "a.csv", *RUN)
    drawn = re.findall(r"\r\x1b\[K *(\d+)%  group (\d) of 2  (\w+) 16 \w+  left: [\d.]+ \w+", text)
    check(drawn, "no progress in", repr(text[:1000]))
    shares = [int(share) for share, _, _ in drawn]
    check(all(0 <= share <= 100 for share in shares), shares)
    check_equal({name for _, _, name in drawn} - {"churn", "batch"}, set(), "scenarios")
    check(not any("left:" in line for line in screen(text)), "progress stays:", screen(text))
    check(len(t.rows("a.csv")) > 2, "no rows")


def case_progress_fits_the_terminal(t):
    """A line that wraps could not be erased."""
    text = on_terminal(t, "--out", "a.csv", *RUN, columns=30)
    drawn = re.findall("\r\x1b\\[K([^\r\n\x1b]*%[^\r\n\x1b]*)", text)
    check(drawn, "no progress in", repr(text[:500]))
    check(max(len(line) for line in drawn) < 30, drawn)


def case_selftest_progress(t):
    if t.build() == "sanitizer":
        skip("a leak checker speaks between the lines")
    allocbench_test.PATIENCE_S = 280
    text = on_terminal(t, "selftest", "--scale", "quick", "--processes", "2", "--rounds", "1", "--pin", "none",
                       codes=(0, 1))
    check(re.search(r"\r\x1b\[K *\d+%  group \d+ of 27  left: ", text), "no progress in", repr(text[:500]))
    check(not any("left:" in line for line in screen(text)), "progress stays")


def case_colour(t):
    """Of a row that is there whatever the machine does; those of verdicts: test_table.colours."""
    run = [word.replace("none,pool", "none,gc") for word in RUN]
    coloured = on_terminal(t, "--quiet", *run)
    check("\x1b[2m" in coloured, "no colour in", repr(coloured))
    plain = on_terminal(t, "--quiet", *run, NO_COLOR="1")
    check("\x1b" not in plain, "colour in spite of NO_COLOR in", repr(plain))


def case_dumb_terminal(t):
    check("\x1b" not in on_terminal(t, *RUN, TERM="dumb"), "a dumb terminal got escapes")


def case_no_terminal(t):
    """stderr has whole lines and no escapes."""
    result = t.run("--out", "a.csv", *RUN, stdout=subprocess.PIPE).expect(0)
    check("\x1b" not in result.out + result.err and "\r" not in result.err, repr(result.err))
    check(result.err == "" or result.err.endswith("\n"), repr(result.err))


if __name__ == "__main__":
    allocbench_test.main(globals())

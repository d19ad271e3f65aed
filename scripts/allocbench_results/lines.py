# SPDX-License-Identifier: MIT
"""Records of a CSV, one at a time, each with its line number; facts first.

Memory stays bounded whatever the file is: a line has a greatest length. The last line counts only with
its LF, since a killed run may have cut it.
"""
import csv
import sys

from .command import BadInput

LINE_MAX_BYTES = 65536
QUOTED_LINES_MAX = 50  # lines that one quoted field may span


class Lines:
    """Iterates over the texts of the complete lines of a binary stream."""

    def __init__(self, stream, name):
        self.stream, self.name, self.number, self.cut = stream, name, 0, False

    def problem(self, text, number=None):
        return BadInput("%s:%d: %s" % (self.name, number or self.number, text))

    def __iter__(self):
        return self

    def __next__(self):
        line = self.stream.readline(LINE_MAX_BYTES + 1)
        if not line:
            raise StopIteration
        self.number += 1
        if b"\0" in line:
            raise self.problem("holds a zero byte: this is a binary file, not a CSV")
        if len(line) > LINE_MAX_BYTES:
            raise self.problem("is longer than %d bytes: this is not a CSV of allocbench"
                               % LINE_MAX_BYTES)
        if not line.endswith(b"\n"):
            self.cut = True
            raise StopIteration
        try:
            text = line.decode("utf-8")
        except UnicodeDecodeError:
            raise self.problem("is not UTF-8")
        if self.number == 1 and text.startswith("\ufeff"):
            text = text[1:]
        return text[:-2] if text.endswith("\r\n") else text[:-1]


def split_record(lines, text):
    """Fields of the record that begins with this line; reads on where a quoted field does."""
    if '"' not in text:
        return text.split(",")
    start = lines.number
    parts = [text]
    while sum(part.count('"') for part in parts) % 2 == 1:
        following = next(lines, None) if len(parts) < QUOTED_LINES_MAX else None
        if following is None:
            raise lines.problem("a quoted field has no end", start)
        parts.append(following)
    try:
        records = list(csv.reader(["\n".join(parts)], strict=True))
    except csv.Error as problem:
        raise lines.problem("is not CSV: %s" % problem, start)
    return records[0]


def read_facts(lines):
    """([(key, value)...], header fields). Facts are the "# key: value" lines before the header."""
    facts = []
    for text in lines:
        if text.startswith("#"):
            key, colon, value = text[1:].strip().partition(":")
            if colon:
                facts.append((key.strip(), value.strip()))
        elif text.strip():
            return facts, split_record(lines, text)
    if lines.number == 0:
        raise BadInput("%s: is empty" % lines.name)
    raise lines.problem("ends before the row of column names")


def open_binary(name):
    if name == "-":
        return sys.stdin.buffer
    try:
        return open(name, "rb")
    except OSError as problem:
        raise BadInput("%s: cannot be read: %s" % (name, problem.strerror or problem))
    except ValueError as problem:
        raise BadInput("%r: cannot be read: %s" % (name, problem))

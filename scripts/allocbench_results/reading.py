# SPDX-License-Identifier: MIT
"""Result files (--out) and raw files (--raw) as rows.

Columns are found by name: their order does not matter and unknown ones are ignored. A Results object
owns its rows; equal strings are kept once, so that a large file fits.
"""
import functools
import math
from array import array

from .command import BadInput, NotComparable
from .lines import Lines, open_binary, read_facts, split_record

SCHEMA = "1"
ROWS_MAX = 1000000
KEY = ("scenario", "op", "size_bytes", "count", "threads", "variant", "backend")
TEXTS = ("status", "reason", "verdict", "stream_digest", "extra")
NUMBERS = ("ns_per_op", "ci_low_ns", "ci_high_ns", "ratio", "ratio_low", "ratio_high", "ops",
           "passes", "rounds", "processes")
RAW_NUMBERS = ("process", "round", "ops", "passes", "wall_ns")
RAW_ONLY = "wall_ns"
RESULT_ONLY = "ns_per_op"


class Row:
    """One row of a result file. What is not available is None, numbers are floats."""

    __slots__ = ("key", "line") + TEXTS + NUMBERS

    def __init__(self, key, line):
        self.key, self.line = key, line

    scenario = property(lambda self: self.key[0])
    op = property(lambda self: self.key[1])
    size = property(lambda self: _whole(self.key[2]))
    count = property(lambda self: _whole(self.key[3]))
    backend = property(lambda self: self.key[6])

    @property
    def variant(self):
        """The parameters that are in no key column, as a dictionary that must not be changed."""
        return pairs(self.key[5])

    @property
    def figures(self):
        return pairs(self.extra)

    @property
    def is_ok(self):
        return self.status == "ok" and self.ns_per_op is not None


class Results:
    """A result file: facts (a dictionary; a repeated key holds its last value), rows, warnings."""

    def __init__(self, name, facts):
        self.name = name
        self.facts = dict(facts)
        self.warnings = [value for key, value in facts if key.startswith("warning")]
        self.rows = []


class RawCell:
    """The samples of one key: ns per operation by (process, round)."""

    __slots__ = ("key", "processes", "rounds", "ns")

    def __init__(self, key):
        self.key = key
        self.processes, self.rounds, self.ns = array("l"), array("l"), array("d")


class Raw:
    """A raw file: facts, and its cells by key, in the order of the file."""

    def __init__(self, name, facts):
        self.name, self.facts, self.cells = name, dict(facts), {}
        self.warnings = [value for key, value in facts if key.startswith("warning")]


@functools.lru_cache(maxsize=1024)
def pairs(text):
    """{"k": "v"} of "k=v;...", a dictionary that must not be changed."""
    found = {}
    for pair in (text or "").split(";"):
        name, sign, value = pair.partition("=")
        if sign:
            found[name] = value
    return found


def _whole(text):
    return int(text) if text else None


class _Columns:
    """Where each needed column stands in a header."""

    def __init__(self, header, needed, lines):
        self.width = len(header)
        self.lines = lines
        self.at = {}
        for index, name in enumerate(header):
            if name in self.at:
                raise lines.problem("the column '%s' is there twice" % name)
            self.at[name] = index
        missing = [name for name in needed if name not in self.at]
        if missing:
            raise lines.problem(_about_missing(missing, self.at))

    def fields(self, text):
        start = self.lines.number
        fields = split_record(self.lines, text)
        if len(fields) != self.width:
            raise self.lines.problem(
                "has %d fields and the header has %d" % (len(fields), self.width), start)
        return fields

    def number(self, fields, name):
        text = fields[self.at[name]]
        if not text:
            return None
        if len(text) < 4 and text.isdigit():
            return _small(text)
        try:
            value = float(text)
        except ValueError:
            value = math.nan
        if not math.isfinite(value):
            raise self.lines.problem("%s is '%s' and not a number" % (name, text[:40]))
        return value


@functools.lru_cache(maxsize=4096)
def _small(text):
    """One object for each of the small numbers, which repeat."""
    return float(text)


def _about_missing(missing, found):
    if RESULT_ONLY in missing and RAW_ONLY in found:
        return "this is a file of raw samples (--raw), and one of results (--out) is needed"
    if RAW_ONLY in missing and RESULT_ONLY in found:
        return "this is a file of results (--out), and one of raw samples (--raw) is needed"
    return "missing column%s: %s" % ("s" if len(missing) > 1 else "", ", ".join(missing))


def _check_schema(facts, name):
    for number, (key, value) in enumerate(facts, 1):
        if key == "schema" and value != SCHEMA:
            raise NotComparable("%s:%d: schema %s is unknown here; these scripts read schema %s"
                                % (name, number, value, SCHEMA))


def _key_of(fields, places, known, lines):
    key = tuple(known.setdefault(fields[at], fields[at]) for at in places)
    for text, name in ((key[2], "size_bytes"), (key[3], "count"), (key[4], "threads")):
        if text and not (text.isascii() and text.isdigit()):
            raise lines.problem("%s is '%s' and not a whole number" % (name, text[:40]))
    return key


def _row_of(fields, columns, places, known):
    row = Row(_key_of(fields, places, known, columns.lines), columns.lines.number)
    for name in TEXTS:
        text = fields[columns.at[name]]
        setattr(row, name, known.setdefault(text, text) or None)
    for name in NUMBERS:
        setattr(row, name, columns.number(fields, name))
    return row


def _is_positive(row):
    return all(value is None or value > 0 for value in (
        row.ns_per_op, row.ci_low_ns, row.ci_high_ns, row.ratio, row.ratio_low, row.ratio_high))


def read_results(name):
    """A Results of at least one row; BadInput says what is wrong with the file."""
    lines = Lines(open_binary(name), name)
    facts, header = read_facts(lines)
    _check_schema(facts, name)
    columns = _Columns(header, KEY + TEXTS + NUMBERS, lines)
    places = [columns.at[column] for column in KEY]
    results, known, seen = Results(name, facts), {}, {}
    for text in lines:
        row = _row_of(columns.fields(text), columns, places, known)
        if row.key in seen:
            raise lines.problem("has the key of line %d again" % seen[row.key])
        if not _is_positive(row):
            raise lines.problem("has a time or a ratio that is not above zero")
        if len(results.rows) >= ROWS_MAX:
            raise lines.problem("there are more than %d rows" % ROWS_MAX)
        seen[row.key] = row.line
        results.rows.append(row)
    if not results.rows:
        raise lines.problem("there is no row below the column names")
    return results


def merge(files):
    """One Results of several files of one machine; a key may be in one of them only."""
    merged = Results(files[0].name, list(files[0].facts.items()))
    merged.warnings = files[0].warnings
    seen = {}
    for results in files:
        for row in results.rows:
            if row.key in seen:
                raise BadInput("%s:%d: has the key of a row in %s"
                               % (results.name, row.line, seen[row.key]))
        seen.update((row.key, results.name) for row in results.rows)
        merged.rows += results.rows
        for fact in ("os", "cpu"):
            if merged.facts.get(fact) != results.facts.get(fact):
                raise BadInput("%s: the %s is another one than in %s: use compare for files of "
                               "several machines" % (results.name, fact, files[0].name))
    return merged


def is_raw(name):
    """Whether the file has the columns of raw samples."""
    if name == "-":
        return False
    with open_binary(name) as stream:
        return RAW_ONLY in read_facts(Lines(stream, name))[1]


def read_raw(name):
    """A Raw of at least one sample."""
    lines = Lines(open_binary(name), name)
    facts, header = read_facts(lines)
    _check_schema(facts, name)
    columns = _Columns(header, KEY + RAW_NUMBERS, lines)
    places = [columns.at[column] for column in KEY]
    raw, known, previous = Raw(name, facts), {}, None
    for text in lines:
        fields = columns.fields(text)
        process, round_, ops, passes, wall_ns = (
            columns.number(fields, column) for column in RAW_NUMBERS)
        if not process or not round_ or not ops or not passes or wall_ns is None:
            raise lines.problem("lacks process, round, ops, passes or wall_ns")
        key = _key_of(fields, places, known, lines)
        if key not in raw.cells:
            if len(raw.cells) >= ROWS_MAX:
                raise lines.problem("there are more than %d cells" % ROWS_MAX)
            raw.cells[key] = RawCell(key)
        elif (key, process, round_) == previous:
            raise lines.problem("has the key, process and round of the line above again")
        previous = (key, process, round_)
        cell = raw.cells[key]
        cell.processes.append(int(process))
        cell.rounds.append(int(round_))
        cell.ns.append(wall_ns / (ops * passes))
    if not raw.cells:
        raise lines.problem("there is no row below the column names")
    return raw

# SPDX-License-Identifier: MIT
"""Result files (--out) and raw files (--raw) as rows.

Columns are found by name: their order does not matter and unknown ones are ignored. A Results object
owns its rows; equal strings are kept once, so that a large file fits.
"""
import functools
import math
import operator
import re
import sys
from array import array

from .command import BadInput, NotComparable
from .lines import Lines, open_binary, read_facts, split_record
from .units import is_count

SCHEMA = "1"
ROWS_MAX = 1000000
KEY = ("scenario", "op", "size_bytes", "count", "threads", "variant", "backend")
# Columns of the key that a scenario's rows always have; of a batch, a mix has no size.
NEEDED = {"granularity": ("size_bytes",), "churn": ("size_bytes",), "batch": ("count",),
          "map": ("size_bytes", "count"), "growth": ("size_bytes",), "pages": ("size_bytes",),
          "handoff": ("size_bytes",)}
TEXTS = ("status", "reason", "verdict", "stream_digest", "extra")
VARIANT, EXTRA = KEY.index("variant"), TEXTS.index("extra")
NUMBERS = ("ns_per_op", "ci_low_ns", "ci_high_ns", "ratio", "ratio_low", "ratio_high", "ops",
           "passes", "rounds", "processes")
POSITIVE = 6  # so many of them are above zero: times and ratios
# Parameters of `variant` and figures of `extra` that are counted with.
COUNTS = frozenset(("repeat", "nursery", "space", "fragment", "step", "blocks", "obtained_bytes",
                    "commit_calls", "pages_submitted", "new_pages"))
ABOVE_ZERO = frozenset(("space", "ns_per_page"))
REALS = frozenset(("ns_per_page",))
LARGEST = 1e30  # of a number; the smallest that is not zero is one over it
RAW_NUMBERS = ("process", "round", "ops", "passes", "wall_ns")
COUNTED_MAX = 1e9  # processes and rounds
RAW_ONLY = "wall_ns"
RESULT_ONLY = "ns_per_op"


class Row:
    """One row of a result file. What is not available is None, numbers are floats."""

    __slots__ = ("key", "line", "texts", "numbers")

    def __init__(self, key, line, texts, numbers):
        self.key, self.line, self.texts, self.numbers = key, line, texts, numbers

    scenario = property(lambda self: self.key[0])
    op = property(lambda self: self.key[1])
    size = property(lambda self: int(self.key[2]) if self.key[2] else None)
    count = property(lambda self: int(self.key[3]) if self.key[3] else None)
    backend = property(lambda self: self.key[6])
    variant = property(lambda self: pairs(self.key[5]))
    figures = property(lambda self: pairs(self.extra))

    @property
    def is_ok(self):
        return self.status == "ok" and self.ns_per_op is not None

    @property
    def is_baseline(self):
        return self.ratio == 1 and self.ratio_low is None and self.verdict is None


for _place, _name in enumerate(TEXTS):
    setattr(Row, _name, property(lambda self, at=_place: self.texts[at] or None))
for _place, _name in enumerate(NUMBERS):
    setattr(Row, _name, property(lambda self, at=_place: self.numbers[at]))


class Results:
    """A result file: facts (a dictionary; a repeated key holds its last value), rows, warnings."""

    def __init__(self, name, facts):
        self.name = name
        self.facts = dict(facts)
        self.warnings = [value for key, value in facts if key.startswith("warning")]
        self.rows = []
        self._index = self._groups = None

    def timed(self, scenario, op=None, backend=None):
        """Rows with a time; the rows must be complete before the first call."""
        if self._index is None:
            self._index = {}
            for row in self.rows:
                if row.is_ok:
                    names = row.key[0], row.key[1], row.key[6]
                    for key in (names[:1] + (None, None), names[:2] + (None,), names,
                                (names[0], None, names[2])):
                        self._index.setdefault(key, []).append(row)
        return self._index.get((scenario, op, backend), [])

    def _group_of(self, row):
        """{backend: row} of the rows that were measured together, and their baseline."""
        if self._groups is None:
            self._groups = {}
            for one in self.rows:
                members = self._groups.setdefault(one.key[:6], [{}, None])
                members[0][one.backend] = one
                if one.is_baseline and members[1] is None:
                    members[1] = one.backend
        return self._groups[row.key[:6]]

    def baseline_of(self, row):
        """Name of the backend that `ratio` is over, or None where its row is not in the file."""
        return self._group_of(row)[1]

    def in_group_of(self, row, backend):
        """The row of that backend in the same group, if it has a time."""
        other = self._group_of(row)[0].get(backend)
        return other if other is not None and other.is_ok else None


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


def _is_fitting(name, value):
    if name in REALS:
        return _is_number(value) and float(value) >= 1 / LARGEST
    return name not in COUNTS or is_count(value) and (name not in ABOVE_ZERO or int(value) > 0)


def _about_figure(name, value):
    return "%s is '%s' and not a %s%s" % (
        name, value[:40], "number" if name in REALS else "whole number",
        " above zero" if name in ABOVE_ZERO or name in KEY else "")


@functools.lru_cache(maxsize=1024)
def _unfit(text):
    """("k", "v") of the first pair whose figure cannot be counted with, or None."""
    return next((pair for pair in pairs(text).items() if not _is_fitting(*pair)), None)


def _check_figures(texts, lines):
    for text in texts:
        found = _unfit(text)
        if found:
            raise lines.problem(_about_figure(*found))


@functools.lru_cache(maxsize=1024)
def _is_key_number(text):
    return is_count(text) and int(text) > 0


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

    def numbers(self, fields, names, getter):
        """The named fields as floats, None where empty."""
        texts = getter(fields)
        if _DIGITS.fullmatch("".join(texts)):
            try:
                values = [float(text) if text else None for text in texts]
                if all(value is None or abs(value) <= LARGEST for value in values):
                    return values
            except ValueError:
                pass
        for name, text in zip(names, texts):
            if text and not _is_number(text):
                raise self.lines.problem("%s is '%s' and not a number" % (name, text[:40]))
        return [float(text) if text else None for text in texts]

    def key(self, fields, getter):
        key = tuple(map(sys.intern, getter(fields)))
        for name, text in zip(KEY[2:5], key[2:5]):
            if text and not _is_key_number(text):
                raise self.lines.problem(_about_figure(name, text))
            if not text and name in NEEDED.get(key[0], ()):
                raise self.lines.problem("%s is empty, which it never is in %s" % (name, key[0]))
        return key

    def getter(self, names):
        return operator.itemgetter(*(self.at[name] for name in names))


_DIGITS = re.compile("[-+.0-9eE]*")


def _is_number(text):
    try:
        return bool(_DIGITS.fullmatch(text)) and abs(float(text)) <= LARGEST
    except ValueError:
        return False


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


def _check_positive(numbers, lines):
    for value in numbers[:POSITIVE]:
        if value is not None and value < 1 / LARGEST:
            raise lines.problem("has a time or a ratio that is not above zero")


def _begin(name):
    """The lines below the header, the facts and the header."""
    lines = Lines(open_binary(name), name)
    facts, header = read_facts(lines)
    _check_schema(facts, name)
    return lines, facts, header


def read_any(name):
    """A Raw where the file has the columns of raw samples, else a Results."""
    lines, facts, header = _begin(name)
    return (_raw if RAW_ONLY in header else _results)(lines, facts, header)


def read_results(name):
    """A Results of at least one row; BadInput says what is wrong with the file."""
    return _results(*_begin(name))


def _results(lines, facts, header):
    columns = _Columns(header, KEY + TEXTS + NUMBERS, lines)
    get_key, get_texts, get_numbers = (columns.getter(names) for names in (KEY, TEXTS, NUMBERS))
    results, seen = Results(lines.name, facts), {}
    for text in lines:
        number = lines.number
        fields = columns.fields(text)
        key = columns.key(fields, get_key)
        if key in seen:
            raise lines.problem("has the key of line %d again" % seen[key])
        numbers = columns.numbers(fields, NUMBERS, get_numbers)
        _check_positive(numbers, lines)
        texts = tuple(map(sys.intern, get_texts(fields)))
        _check_figures((key[VARIANT], texts[EXTRA]), lines)
        if len(seen) >= ROWS_MAX:
            raise lines.problem("there are more than %d rows" % ROWS_MAX)
        seen[key] = number
        results.rows.append(Row(key, number, texts, tuple(numbers)))
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


def _raw(lines, facts, header):
    """A Raw of at least one sample."""
    columns = _Columns(header, KEY + RAW_NUMBERS, lines)
    get_key, get_numbers = columns.getter(KEY), columns.getter(RAW_NUMBERS)
    raw, previous = Raw(lines.name, facts), None
    for text in lines:
        fields = columns.fields(text)
        numbers = columns.numbers(fields, RAW_NUMBERS, get_numbers)
        process, round_, ops, passes, wall_ns = numbers
        if not process or not round_ or not ops or not passes or wall_ns is None:
            raise lines.problem("lacks process, round, ops, passes or wall_ns")
        if not all(1 <= number <= COUNTED_MAX for number in (process, round_)) or min(ops, passes) < 1:
            raise lines.problem("has a process, round, ops or passes out of range")
        key = columns.key(fields, get_key)
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

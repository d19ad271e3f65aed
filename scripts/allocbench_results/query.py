# SPDX-License-Identifier: MIT
"""Picking rows: by scenario, operation, backend and parameters; and what tells variants apart."""

from .estimate import exact, ratio_of
from .units import is_count, size

# Parameters that say how much was done, not what.
AMOUNTS = ("ops", "toggles")
IN_BYTES = ("nursery", "total", "space")


def rows_of(results, scenario, op=None, backend=None, **fixed):
    """Rows of one thread with a time, which is what documents and pictures are about. A parameter of
    `fixed` is one value or a tuple of them; a row that does not have the parameter fits."""
    return [row for row in results.timed(scenario, op, backend)
            if row.key[4] in ("", "1") and _fits(row, fixed)]


def _fits(row, fixed):
    for name, wanted in fixed.items():
        value = row.variant.get(name)
        if value is not None and value not in (wanted if isinstance(wanted, tuple) else (wanted,)):
            return False
    return True


def first(rows, **attributes):
    """The first row whose attributes have these values, or None."""
    for row in rows:
        if all(getattr(row, name) == value for name, value in attributes.items()):
            return row
    return None


def parameter(row, name):
    return row.variant.get(name)


def by_variant(rows, *ignored, **documented):
    """[(label, rows)...]: rows with the same parameters but for the ignored ones. The label names
    what differs between the entries, and what is not as `documented`; it may be ""."""
    groups = {}
    for row in rows:
        key = tuple(sorted(pair for pair in row.variant.items() if pair[0] not in ignored))
        groups.setdefault(key, []).append(row)
    common = set.intersection(*(set(key) for key in groups)) if groups else set()
    usual = {(name, value) for name, value in common if documented.get(name, value) == value}
    return [(" ".join(pair_text(*pair) for pair in key if pair not in usual), group)
            for key, group in groups.items()]


def pair_text(name, value):
    """"nursery=1M", "order=fifo"."""
    is_bytes = name in IN_BYTES and is_count(value)
    return "%s=%s" % (name, size(int(value)) if is_bytes else value)


def sizes_of(rows):
    return sorted({row.size for row in rows if row.size is not None})


def counts_of(rows):
    return sorted({row.count for row in rows if row.count is not None})


def over(results, row, name):
    """(value, Estimate or None) of the time of a row over that of the backend `name` in its group,
    whichever of the group's backends the run took for its baseline; (None, None) where it has none."""
    if row is None or row.ratio is None:
        return None, None
    if results.baseline_of(row) == name:
        return row.ratio, ratio_of(row)
    other = results.in_group_of(row, name)
    if other is None or other.ratio is None:
        return None, None
    if other is row:
        return 1.0, None
    own, base = (exact(1) if results.baseline_of(row) == one.backend else ratio_of(one)
                 for one in (row, other))
    return row.ratio / other.ratio, own.over(base) if own and base else None

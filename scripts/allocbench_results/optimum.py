# SPDX-License-Identifier: MIT
"""The question that document 000 leaves open: which block size balances overhead against waste.

Rule: the least of (toggle ns per byte over its maximum in the sweep) + (1 - obtained bytes over the
address space), with and without fragmentation.
"""
from . import published
from .documents import block_backend
from .layout import Table
from .query import AMOUNTS, by_variant, first, rows_of, sizes_of
from .units import figure, size

RULE = ("Rule: the least sum of overhead (toggle time per byte over its maximum in the sweep) and "
        "waste (1 - obtained bytes over the address space).")


def scores(blocks):
    """[(block, overhead, waste)...] of [(block, toggle ns, obtained bytes, space)...]."""
    highest = max(ns / block for block, ns, _, _ in blocks)
    return [(block, ns / block / highest, 1 - obtained / space)
            for block, ns, obtained, space in blocks]


def published_blocks():
    found = []
    for block, phases in sorted(published.granularity().items()):
        if "random_toggle_1e6" in phases and "reserve_all" in phases:
            found.append((block, float(phases["random_toggle_1e6"]["elapsed_ms"]),
                          float(phases["reserve_all"]["obtained_bytes"]), published.SPACE_BYTES))
    return found


def measured_blocks(rows):
    found = []
    for block in sizes_of(rows):
        toggle = first(rows, op="toggle", size=block)
        filled = first(rows, op="reserve_all", size=block)
        if toggle and filled and filled.figures.get("obtained_bytes"):
            space = float(filled.variant.get("space", published.SPACE_BYTES))
            found.append((block, toggle.ns_per_op, float(filled.figures["obtained_bytes"]), space))
    return found


def _line(table, source, fragment, label, blocks):
    if len(blocks) < 2:
        return
    ranked = sorted(scores(blocks), key=lambda score: score[1] + score[2])
    best, second = ranked[0], ranked[1]
    table.add(source, fragment, label, len(blocks), size(best[0]), figure(best[1]), figure(best[2]),
              figure(best[1] + best[2]), size(second[0]), figure(second[1] + second[2]))


def table_of(results):
    table = Table("000: the block size that balances overhead against obtainable bytes",
                  ["source", "space taken before", "variant", "sizes", "optimum", "overhead", "waste",
                   "sum", "runner-up", "its sum"], notes=[RULE])
    _line(table, "published", "0 %", "", published_blocks())
    name = block_backend(results)
    by_fragment = {}
    for row in rows_of(results, "granularity", backend=name):
        by_fragment.setdefault(row.variant.get("fragment", "0"), []).append(row)
    for fragment, rows in sorted(by_fragment.items(), key=lambda item: int(item[0])):
        for label, group in by_variant(rows, *AMOUNTS):
            _line(table, "measured, %s" % name, fragment + " %", label, measured_blocks(group))
    return table

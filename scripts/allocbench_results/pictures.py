# SPDX-License-Identifier: MIT
"""The pictures of each scenario: which curves, over what, in which unit."""
import re

from . import published
from .documents import ALLOCATED_BYTES, DOCUMENT_TOTAL_BYTES, batch_kinds, block_backend
from .gnuplot import Bars, Curves, Series
from .query import AMOUNTS, by_variant, first, over, rows_of
from .units import size

SCENARIOS = ("granularity", "churn", "batch", "map", "growth", "pages")
PROCESSES_FOR_BARS = 3  # with fewer, an interval of Student's t says nothing
NS_PER_MS = 1e6
USUAL = ("fragment=0", "free=decommit+release", "touch=none", "total=1G", "order=ascending",
         "order=fifo", "dispatch=inline", "huge=no")


def pictures_of(scenario, results):
    makers = {"granularity": granularity, "churn": churn, "batch": batch, "map": map_,
              "growth": growth, "pages": pages}
    return [picture for picture in makers[scenario](results) if not picture.is_empty()]


def time_tic(ns):
    for unit, scale in (("s", 1e9), ("ms", 1e6), ("us", 1e3)):
        if ns >= scale * 0.999:
            return "%.9g %s" % (round(ns / scale, 6), unit)
    return "%.9g ns" % round(ns, 6)


def count_tic(value):
    return "{:,.0f}".format(value)


def size_tic(value):
    return size(int(value))


def _point(x, row, factor=1.0):
    if row.ci_low_ns is None or (row.processes or 0) < PROCESSES_FOR_BARS:
        return x, row.ns_per_op * factor, None, None
    return x, row.ns_per_op * factor, row.ci_low_ns * factor, row.ci_high_ns * factor


def _backends(rows):
    return list(dict.fromkeys(row.backend for row in rows))


def _by_backend(rows, x_of, factor_of=lambda row: 1.0):
    return [Series(name, sorted((_point(x_of(row), row, factor_of(row))
                                 for row in rows if row.backend == name), key=lambda p: p[0]))
            for name in _backends(rows)]


def _named(base, label):
    """The name of a file: what is unusual in the label is part of it."""
    words = [base] + [word for word in label.split(" ") if word not in USUAL]
    return re.sub(r"[^A-Za-z0-9.+-]+", "-", " ".join(words)).strip("-")


def _titled(title, label):
    return "%s [%s]" % (title, label) if label else title


def _variants(rows, *ignored):
    return by_variant(rows, *(AMOUNTS + ignored)) or [("", [])]


# --- granularity ---

def _printed(phase, column, factor):
    points = [(block, float(phases[phase][column]) * factor, None, None)
              for block, phases in sorted(published.granularity().items())
              if phase in phases and phases[phase][column]]
    return Series("published (Windows)", points, is_published=True)


def granularity(results):
    kinds = (("toggle", "random_toggle_1e6", "Random toggles of a block", "time per toggle",
              1.0, lambda row: 1.0),
             ("alloc", "alloc_1gib", "Obtaining one GiB in blocks", "time for all blocks",
              NS_PER_MS, lambda row: ALLOCATED_BYTES / row.size),
             ("free", "free_1gib", "Giving one GiB back in blocks", "time for all blocks",
              NS_PER_MS, lambda row: ALLOCATED_BYTES / row.size))
    for op, phase, title, y_label, unit, factor_of in kinds:
        for label, rows in _variants(rows_of(results, "granularity", op, fragment="0")):
            series = _by_backend(rows, lambda row: row.size, factor_of)
            yield Curves(_named("granularity-" + op, label), _titled(title, label), "bytes of a block",
                         y_label, series + [_printed(phase, "elapsed_ms", unit)], size_tic, time_tic)
    yield _obtainable(results)


def _obtainable(results):
    name = block_backend(results)
    series = []
    for label, rows in by_variant(rows_of(results, "granularity", "reserve_all", name, touch="none"),
                                  *(AMOUNTS + ("free",))):
        points = {row.size: 100 * float(row.figures["obtained_bytes"])
                  / float(row.variant.get("space", published.SPACE_BYTES))
                  for row in rows if row.figures.get("obtained_bytes")}
        series.append(Series("%s %s" % (name, label) if label else name,
                             [(block, points[block], None, None) for block in sorted(points)]))
    series.append(_printed("reserve_all", "obtained_bytes", 100.0 / published.SPACE_BYTES))
    return Curves("granularity-obtainable", "Address space that can be had in blocks",
                  "bytes of a block", "per cent of the space", series, size_tic, str,
                  is_y_log=False, y_range=(0, 105))


# --- churn ---

def _churn_published():
    for program, sizes in published.churn().items():
        yield Series("published, %s" % program,
                     [(object_size, published.mean(texts) * 100, None, None)  # s of 1e7 to ns of one
                      for object_size, texts in sorted(sizes.items())], is_published=True)


def churn(results):
    for label, rows in _variants(rows_of(results, "churn", "replace")):
        yield Curves(_named("churn-replace", label), _titled("Replacing an object at random", label),
                     "bytes of an object", "time per replacement",
                     _by_backend(rows, lambda row: row.size) + list(_churn_published()),
                     size_tic, time_tic)


# --- batch ---

def batch(results):
    for label, rows in by_variant(rows_of(results, "batch", "total"), "repeat", "mix"):
        for kind in batch_kinds(rows):
            own = [row for row in rows
                   if (row.key[2], row.key[3], row.variant.get("mix")) == kind]
            what = "%s objects of %s bytes" % (kind[1], kind[2] or kind[0])
            yield Curves(_named("batch-%s-%s" % (kind[2] or kind[0], kind[1]), label),
                         _titled("Allocating and freeing %s" % what, label),
                         "repeat in one process (the document's figures are lost)",
                         "time per object",
                         _by_backend(own, lambda row: int(row.variant.get("repeat", 0))),
                         str, time_tic, is_x_log=False)


# --- map ---

MAP_PUBLISHED = {"malloc": "std_map_new_delete", "autofree": "autofreealloc",
                 "scope": "scopealloc_private_pool", "scope-shared": "scopealloc_shared_pool"}


def _bar(results, row):
    value, estimate = over(results, row, "malloc")
    if value is None:
        return None
    if estimate is None or (row.processes or 0) < PROCESSES_FOR_BARS:
        return value, None, None
    return (value,) + estimate.interval()


def map_(results):
    means = published.map_means()
    native = means["std_map_new_delete"]
    for label, rows in _variants(rows_of(results, "map", "total")):
        for count in sorted({row.count for row in rows}) or [20000]:
            own = [row for row in rows if row.count == count]
            names = list(MAP_PUBLISHED) + [n for n in _backends(own) if n not in MAP_PUBLISHED]
            groups = [(name, _bar(results, first(own, backend=name)),
                       means[MAP_PUBLISHED[name]] / native if name in MAP_PUBLISHED else None)
                      for name in names]
            yield Bars(_named("map-%d" % count, label),
                       _titled("Map of %d inserts, with its destruction" % count, label),
                       "time over malloc (below 1 is faster)",
                       [group for group in groups if group[1] or group[2]])


# --- growth ---

GROWTH_PUBLISHED = (("base", "VirtualAlloc", "published, reference"),
                    ("base", "resizable_memory (NtAllocateVirtualMemory)", "published, whole"),
                    ("pr11_commit_delta", "resizable_memory (NtAllocateVirtualMemory)",
                     "published, delta"))


def _growth_published(step):
    rows = published.read("004")
    for stage, benchmark, title in GROWTH_PUBLISHED:
        yield Series(title, [(DOCUMENT_TOTAL_BYTES, float(row["ns_per_op"]), None, None)
                             for row in rows if (row["stage"], row["benchmark"], row["step_bytes"])
                             == (stage, benchmark, step)], is_published=True)


def growth(results):
    for label, rows in _variants(rows_of(results, "growth", "grow"), "step"):
        steps = sorted({row.variant.get("step", "") for row in rows}, key=lambda s: (len(s), s))
        for step in steps or ["1009", "4096"]:
            own = [row for row in rows if row.variant.get("step", "") == step]
            name = "step-%s %s" % (step, label)
            yield Curves(_named("growth-time " + name, ""),
                         _titled("Growing a region by %s bytes a step" % step, label),
                         "bytes in the end", "time of the whole growth",
                         _by_backend(own, lambda row: row.size) + list(_growth_published(step)),
                         size_tic, time_tic)
            yield _submitted(own, name, step, label)


def _submitted(rows, name, step, label):
    series = [Series(backend, sorted(
        (row.size, float(row.figures["pages_submitted"]), None, None)
        for row in rows if row.backend == backend and row.figures.get("pages_submitted")))
        for backend in _backends(rows)]
    return Curves(_named("growth-pages " + name, ""),
                  _titled("Pages submitted while growing by %s bytes a step" % step, label),
                  "bytes in the end", "pages", series, size_tic, count_tic)


# --- pages ---

def _pages_of(row):
    """How many pages one operation is about, which the row's own figure tells."""
    return row.ns_per_op / float(row.figures["ns_per_page"])


def pages(results):
    rows = [row for row in rows_of(results, "pages") if "ns_per_page" in row.figures]
    for label, group in by_variant(rows, *AMOUNTS):
        for name in _backends(group):
            own = [row for row in group if row.backend == name]
            series = [Series(op, [_point(row.size, row, 1 / _pages_of(row))
                                  for row in sorted((row for row in own if row.op == op),
                                                    key=lambda row: row.size)])
                      for op in dict.fromkeys(row.op for row in own)]
            yield Curves(_named("pages-" + name, label), _titled("What each page costs: %s" % name, label),
                         "bytes of the region", "time per page", series, size_tic, time_tic)

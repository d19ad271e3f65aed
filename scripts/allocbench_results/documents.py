# SPDX-License-Identifier: MIT
"""One function per document: its own table with the published figures as they were printed and the
measured ones beside them ("pub" and "meas"). Without measured rows the latter stay empty."""
from . import published
from .layout import Table
from .query import AMOUNTS, by_variant, first, over, parameter, rows_of, sizes_of
from .units import bound, figure, interval, size

USUAL_BLOCKS = ("pages-map", "pages-commit")  # the first that was measured stands for the document


def tables_of(document, results, backend=None):
    return {"000": granularity, "001": churn, "002": batch, "003": map_, "004": growth}[document](
        results, backend)


def ratio_text(results, row, name):
    """Time over that of the backend `name`: "0.31 (0.29 to 0.34)", "" where it is unknown."""
    value, estimate = over(results, row, name)
    if value is None:
        return ""
    return "%s (%s)" % (bound(value), interval(*estimate.interval())) if estimate else figure(value)


def _title(text, label):
    return "%s [%s]" % (text, label) if label else text


def _or_empty(rows, *ignored, **documented):
    """Groups by variant, or one empty group, so that published figures always have a table."""
    return by_variant(rows, *(AMOUNTS + ignored), **documented) or [("", [])]


# --- 000 ---

def block_backend(results, wanted=None):
    for name in (wanted,) if wanted else USUAL_BLOCKS:
        if rows_of(results, "granularity", backend=name):
            return name
    return wanted or USUAL_BLOCKS[0]


GRANULARITY = {"total": str(1 << 30), "space": str(published.SPACE_BYTES), "touch": "none",
               "free": "decommit+release", "fragment": "0", "huge": "no"}
ALLOCATED_BYTES = 1 << 30
TOGGLES = 1000000


def _milliseconds(rows, op, block, calls=None):
    """Of so many calls; without a number, of those of a pass."""
    row = first(rows, op=op, size=block)
    if row is None:
        return ""
    return figure(row.ns_per_op * (calls or row.ops or 0) / 1e6, 4)


def _granularity_line(block, doc, rows):
    def printed(phase, column):
        return doc.get(phase, {}).get(column, "")

    all_row = first(rows, op="reserve_all", size=block)
    figures = all_row.figures if all_row else {}
    return [size(block),
            printed("reserve_all", "block_count"), figures.get("blocks", ""),
            printed("reserve_all", "obtained_bytes"), figures.get("obtained_bytes", ""),
            printed("reserve_all", "elapsed_ms"), _milliseconds(rows, "reserve_all", block),
            printed("alloc_1gib", "block_count"), printed("alloc_1gib", "elapsed_ms"),
            _milliseconds(rows, "alloc", block, ALLOCATED_BYTES / block),
            printed("free_1gib", "elapsed_ms"), _milliseconds(rows, "free", block, ALLOCATED_BYTES / block),
            printed("random_toggle_1e6", "elapsed_ms"),
            _milliseconds(rows, "toggle", block, TOGGLES)]


def granularity(results, backend=None):
    doc = published.granularity()
    name = block_backend(results, backend)
    columns = ["block", "blocks pub", "meas", "obtained bytes pub", "meas", "reserve ms pub", "meas",
               "slots", "alloc ms pub", "meas", "free ms pub", "meas", "toggle ms pub", "meas"]
    notes = ["reserve: until the address space is exhausted; alloc, free: one GiB in these blocks; "
             "toggle: 1,000,000 of them. Measured: time of one times these numbers."]
    notes += ["%s: %s" % (size(block), phase["note"]) for block, phases in sorted(doc.items())
              for phase in phases.values() if phase["note"].startswith("second")]
    tables = []
    for label, rows in _or_empty(rows_of(results, "granularity", backend=name), **GRANULARITY):
        table = Table(_title("000 granularity: one GiB in blocks of doubling size, %s" % name, label),
                      columns, notes=notes)
        for block in sorted(set(doc) | set(sizes_of(rows))):
            table.add(*_granularity_line(block, doc.get(block, {}), rows))
        tables.append(table)
    return tables


# --- 001 ---

CHURN_OPERATIONS = 10000000
COUNTERPARTS = ((published.CPP, "malloc", None), (published.DOTNET_11, "gc", "262144"),
                (published.DOTNET_20, "gc", "1048576"))


def _churn_rows(results, backend, nursery):
    rows = rows_of(results, "churn", "replace", backend, rng="msvc", touch="none",
                   dispatch="inline", huge="no")
    return [row for row in rows
            if nursery is None or parameter(row, "nursery") in (None, nursery)]


def _seconds(row):
    return figure(row.ns_per_op * CHURN_OPERATIONS / 1e9, 4) if row else ""


def _stand_in(backend, nursery):
    return backend if nursery is None else "%s, nursery %s" % (backend, size(int(nursery)))


def churn(results, backend=None):
    doc = published.churn()
    tables, shown = [], []
    for program, stand_in, nursery in COUNTERPARTS:
        rows = _churn_rows(results, backend if backend and stand_in == "malloc" else stand_in, nursery)
        shown.append(rows)
        runs = len(next(iter(doc[program].values())))
        name = backend if backend and stand_in == "malloc" else _stand_in(stand_in, nursery)
        table = Table("001 churn: seconds of 10,000,000 replacements, %s beside %s" % (program, name),
                      ["bytes"] + ["run %d" % (i + 1) for i in range(runs)] + ["mean pub", "meas"])
        for object_size in sorted(set(doc[program]) | set(sizes_of(rows))):
            texts = doc[program].get(object_size, [])
            table.add(object_size, *(texts or [""] * runs),
                      "%.3f" % published.mean(texts) if texts else "",
                      _seconds(first(rows, size=object_size)))
        tables.append(table)
    return tables + [_managed_against_native(results, doc, shown)]


def _managed_against_native(results, doc, shown):
    table = Table("001 churn: time over that of new/delete (over malloc), below 1 is faster",
                  ["bytes", ".NET 1.1 pub", "gc 256K meas", ".NET 2.0 pub", "gc 1M meas"])
    native = doc[published.CPP]
    for object_size in sorted(set(native) | set(sizes_of(shown[1])) | set(sizes_of(shown[2]))):
        cells = []
        for program, rows in ((published.DOTNET_11, shown[1]), (published.DOTNET_20, shown[2])):
            texts = doc[program].get(object_size)
            cells.append(figure(published.mean(texts) / published.mean(native[object_size]))
                         if texts else "")
            cells.append(ratio_text(results, first(rows, size=object_size), "malloc"))
        table.add(object_size, *cells)
    return table


# --- 002 ---

SUBJECTS = (("malloc_free", "malloc"), ("boost_pool", "pool"))


def batch_kinds(rows):
    """[(title, test of a row)...]: the document's two experiments, per count."""
    kinds = []
    for row in rows:
        kind = (row.key[2], row.key[3], row.variant.get("mix"))
        if kind not in kinds:
            kinds.append(kind)
    return kinds


def _batch_figures(results, rows, kind, order):
    object_size, count, mix = kind
    rows = [row for row in rows if (row.key[2], row.key[3], row.variant.get("mix")) == kind]
    repeats = sorted({int(row.variant.get("repeat", 0)) for row in rows})
    what = mix or object_size
    table = Table(_title("002 batch: ns per object to allocate and free %s objects of %s bytes"
                         % (count, what), order),
                  ["backend"] + ["repeat %d" % repeat for repeat in repeats]
                  + ["over malloc, repeat %d" % repeat for repeat in repeats[:1] + repeats[1:][-1:]])
    for name in dict.fromkeys(row.backend for row in rows):
        of_name = {int(row.variant.get("repeat", 0)): row for row in rows if row.backend == name}
        times = [figure(of_name[r].ns_per_op) if r in of_name else "" for r in repeats]
        ratios = [ratio_text(results, of_name.get(r), "malloc") for r in repeats[:1] + repeats[1:][-1:]]
        table.add(name, *(times + ratios))
    return table


def _batch_text(doc):
    setup = Table("002 batch: what the document ran", ["experiment", "subject", "bytes", "objects",
                                                       "pools", "note"])
    said = Table("002 batch: what the document says (its figures are lost)", ["about", "figure", "note"])
    for row in doc:
        if row["experiment"] == "claim":
            said.add(row["subject"], row["figure"], row["note"])
        else:
            setup.add(row["experiment"], row["subject"], row["object_bytes"], row["max_objects"],
                      row["pools"], row["note"])
    return [setup, said]


def batch(results, backend=None):
    tables = _batch_text(published.read("002"))
    rows = rows_of(results, "batch", "total", backend, dispatch="inline", huge="no")
    for order, group in by_variant(rows, "repeat", "mix", order="fifo"):
        tables += [_batch_figures(results, group, kind, order) for kind in batch_kinds(group)]
    return tables


# --- 003 ---

MAP_SUBJECTS = (("std_map_new_delete", "malloc"), ("autofreealloc", "autofree"),
                ("scopealloc_private_pool", "scope"), ("scopealloc_shared_pool", "scope-shared"))


def _map_runs(doc):
    table = Table("003 map: 20,000 ascending inserts and the destruction of the map, as printed",
                  ["order", "subject", "round", "ticks", "ms", "min"])
    for row in doc:
        table.add(row["order"], row["subject"], row["round"], row["ticks"], row["elapsed_ms"],
                  row["elapsed_min"])
    return table


def map_(results, backend=None):
    means = published.map_means()
    native = means["std_map_new_delete"]
    tables = [_map_runs(published.read("003"))]
    rows = rows_of(results, "map", "total", dispatch="inline", huge="no")
    for label, group in _or_empty(rows, order="ascending", block="16352"):
        for count in sorted({row.count for row in group}) or [20000]:
            own = [row for row in group if row.count == count]
            table = Table(_title("003 map: %d inserts and the destruction" % count, label),
                          ["subject", "backend", "mean ms pub", "times as fast pub", "ms meas",
                           "times as fast meas", "time over malloc meas"])
            named = [(subject, name) for subject, name in MAP_SUBJECTS]
            named += [("", name) for name in dict.fromkeys(row.backend for row in own)
                      if name not in [known for _, known in MAP_SUBJECTS]]
            for subject, name in named:
                if backend in (None, name):
                    table.add(*_map_line(results, subject, name, means, native, first(own, backend=name)))
            tables.append(table)
    return tables


def _map_line(results, subject, name, means, native, row):
    pub = ["%.0f" % means[subject], figure(native / means[subject])] if subject else ["", ""]
    ms = figure(row.ns_per_op * row.count / 1e6) if row else ""
    ratio = over(results, row, "malloc")[0]
    return [subject, name] + pub + [ms, figure(1 / ratio) if ratio else "", ratio_text(results, row, "malloc")]


# --- 004 ---

STAGES = {("base", True): ("os-delta",), ("base", False): ("nt-whole", "whole"),
          ("pr11_commit_delta", True): ("os-delta",), ("pr11_commit_delta", False): ("nt-delta", "delta"),
          ("pr12_virtualalloc", True): ("os-delta",), ("pr12_virtualalloc", False): ("delta",)}
DOCUMENT_TOTAL_BYTES = 25 << 20


def nearest_total(rows):
    """The row of a growth to the total nearest to the document's, or None."""
    return min(rows, key=lambda row: abs(row.size - DOCUMENT_TOTAL_BYTES), default=None)


def _growth_row(rows, names, step):
    """The row of the first strategy that was measured."""
    for name in names:
        own = [row for row in rows if row.backend == name and parameter(row, "step") == step]
        if own:
            return nearest_total(own)
    return None


def _half_width_pct(row):
    if row.ci_low_ns is None or row.ci_high_ns is None:
        return ""
    return figure((row.ci_high_ns - row.ci_low_ns) / 2 / row.ns_per_op * 100, 2)


def _growth_line(results, row, rows):
    own = _growth_row(rows, STAGES[row["stage"], row["benchmark"] == "VirtualAlloc"],
                      row["step_bytes"])
    measured = [""] * 5
    if own:
        ratio = over(results, own, "os-delta")[0]
        measured = [own.backend, figure(100 / ratio, 4) if ratio else "",
                    figure(own.ns_per_op, 4), _half_width_pct(own),
                    own.figures.get("pages_submitted", "")]
    return [row["stage"], row["step_bytes"], row["benchmark"], row["relative_pct"], row["ns_per_op"],
            row["op_per_s"], row["err_pct"], row["total_s"]] + measured


def growth(results, backend=None):
    columns = ["stage", "step", "benchmark", "relative % pub", "ns/op pub", "op/s pub", "err % pub",
               "total s pub", "strategy", "relative % meas", "ns/op meas", "err % meas",
               "pages submitted"]
    tables = []
    rows = rows_of(results, "growth", "grow", backend)
    for label, group in _or_empty(rows, "step", touch="none", huge="no"):
        table = Table(_title("004 growth: a region that grows to 25 MB in small steps", label), columns,
                      notes=_about_total(group))
        for row in published.read("004"):
            table.add(*_growth_line(results, row, group))
        tables.append(table)
        tables += _other_strategies(results, group, label)
    return tables


def _about_total(rows):
    nearest = nearest_total(rows)
    if nearest is None or nearest.size == DOCUMENT_TOTAL_BYTES:
        return []
    return ["Measured: growth to %s, the nearest total in the file." % size(nearest.size)]


def _other_strategies(results, rows, label):
    """All measured rows, since the document knows three of the strategies only."""
    if not rows:
        return []
    table = Table(_title("004 growth: every strategy, measured", label),
                  ["total", "step", "strategy", "ns/op", "time over os-delta", "commit calls",
                   "pages submitted", "new pages"])
    for row in rows:
        figures = row.figures
        table.add(size(row.size), parameter(row, "step"), row.backend, figure(row.ns_per_op, 4),
                  ratio_text(results, row, "os-delta"), figures.get("commit_calls"), figures.get("pages_submitted"),
                  figures.get("new_pages"))
    return [table]

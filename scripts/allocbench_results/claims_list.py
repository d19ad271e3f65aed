# SPDX-License-Identifier: MIT
"""The conclusions that the five documents draw, each with its rule. See claims.py for the verdicts.

A figure of one group is the column `ratio`, which is paired, where the run's baseline is the document's;
other figures, and those of several groups, are compared by Welch on their logarithms.
"""
import math

from .claims import Check, Claim, exact_quotient, missing, quotient, scaled
from .documents import block_backend, nearest_total
from .estimate import time_of
from .query import AMOUNTS, by_variant, counts_of, first, over, parameter, rows_of, sizes_of
from .units import size

ENDLESS = math.inf
ABOUT = 1.25  # "about": within this factor


def _about(value, factor=ABOUT):
    return value / factor, value * factor


def _variants(rows, *ignored):
    """Groups to judge; one empty group where nothing was measured."""
    return by_variant(rows, *(AMOUNTS + ignored)) or [("", [])]


def _over_malloc(results, row):
    return over(results, row, "malloc")[1]


def _as_documented(results, op, **other):
    fixed = {"touch": "none", "free": "decommit+release", "fragment": "0"}
    fixed.update(other)
    fixed = {name: value for name, value in fixed.items() if value is not None}
    return rows_of(results, "granularity", op, block_backend(results), **fixed)


# --- 000 ---

def _calls_per_byte(results):
    for label, rows in _variants(_as_documented(results, "alloc")):
        blocks = sizes_of(rows)
        if len(blocks) < 2:
            yield label, [missing("alloc of two block sizes")]
            continue
        small, large = first(rows, size=blocks[0]), first(rows, size=blocks[-1])
        per_byte = scaled(quotient(time_of(large), time_of(small)), blocks[0] / blocks[-1])
        yield label, [Check("time per byte, blocks of %s over %s" % (size(blocks[-1]), size(blocks[0])),
                            per_byte, 0, 0.5)]


def _obtainable(results):
    for label, rows in _variants(_as_documented(results, "reserve_all")):
        obtained = [(row.size, row.figures.get("obtained_bytes"))
                    for row in sorted(rows, key=lambda row: row.size)]
        obtained = [(block, count) for block, count in obtained if count]
        if len(obtained) < 2:
            yield label, [missing("obtained_bytes of two block sizes")]
            continue
        steps = [exact_quotient(b[1], a[1]) for a, b in zip(obtained, obtained[1:])]
        highest = max((step for step in steps if step is not None), key=lambda step: step.mean,
                      default=None)
        ends = exact_quotient(obtained[-1][1], obtained[0][1])
        yield label, [Check("highest step from one size to the next", highest, 0, 1),
                      Check("bytes at %s over %s" % (size(obtained[-1][0]), size(obtained[0][0])),
                            ends, 0, 0.99)]


def _toggle_exponent(results, from_smallest, low, high, **fixed):
    """Growth of the toggle time over the block size: from the smallest block, or over the last factor
    of at least four, where a constant part weighs least."""
    for label, rows in _variants(_as_documented(results, "toggle", **fixed)):
        blocks = sizes_of(rows)
        starts = blocks[:1] if from_smallest else [b for b in blocks if b * 4 <= blocks[-1]][-1:]
        if not starts or starts[0] == blocks[-1]:
            yield label, [missing("toggle of two block sizes")]
            continue
        small, large = first(rows, size=starts[0]), first(rows, size=blocks[-1])
        yield label, [Check("exponent from %s to %s" % (size(starts[0]), size(blocks[-1])),
                            quotient(time_of(large), time_of(small)), low, high,
                            power=blocks[-1] / starts[0])]


# --- 001 ---

NURSERIES = (("262144", ".NET 1.1"), ("1048576", ".NET 2.0"))


def _managed(results, wanted, low, high):
    """`wanted(size)`, and the sizes that must be there."""
    is_wanted, needed = wanted
    for nursery, runtime in NURSERIES:
        rows = rows_of(results, "churn", "replace", "gc", rng="msvc", touch="none",
                       dispatch="inline", huge="no", nursery=nursery)
        name = "gc, nursery %s, for %s" % (size(int(nursery)), runtime)
        for label, group in _variants(rows):
            checks = [Check("gc over malloc at %d B" % object_size,
                            _over_malloc(results, first(group, size=object_size)), low, high)
                      for object_size in sizes_of(group) if is_wanted(object_size)]
            checks += [missing("gc at %d B" % object_size) for object_size in needed
                       if object_size not in sizes_of(group)]
            yield " ".join(part for part in (name, label) if part), checks


# --- 002 ---

def _batch(results, backend):
    return rows_of(results, "batch", "total", backend, dispatch="inline", huge="no", order="fifo")


def _repeats(rows):
    return sorted({int(parameter(row, "repeat") or 0) for row in rows})


def _at(rows, object_size, count, repeat):
    for row in rows:
        if (row.size, row.count) == (object_size, count) and parameter(row, "repeat") == str(repeat):
            return row
    return None


def _single_counts(rows):
    return counts_of([row for row in rows if row.size == 4])


COUNTS_NEEDED = 3  # two points lie on any curve


def _linear_in_count(results):
    checks = []
    for name in ("malloc", "pool"):
        rows = _batch(results, name)
        counts = _single_counts(rows)
        if len(counts) < COUNTS_NEEDED:
            checks.append(missing("%s with %d counts" % (name, COUNTS_NEEDED)))
            continue
        last = _repeats(rows)[-1]
        for few, many in zip(counts, counts[1:]):
            small, large = _at(rows, 4, few, last), _at(rows, 4, many, last)
            label = "%s, exponent from %d to %d objects" % (name, few, many)
            if small is None or large is None:
                checks.append(missing("%s, repeat %d" % (label, last)))
                continue
            growth = scaled(quotient(time_of(large), time_of(small)), many / few)
            checks.append(Check(label, growth, 0.8, 1.2, power=many / few))
    yield "", checks


def _pool_against_heap(results, low, high, repeat_of):
    rows = [row for row in _batch(results, "pool") if row.size == 4]
    if not rows:
        return [missing("pool with 4 B")]
    repeat, count = repeat_of(_repeats(rows)), _single_counts(rows)[-1]
    row = _at(rows, 4, count, repeat)
    label = "pool over malloc, %d x 4 B, repeat %d" % (count, repeat)
    return [Check(label, _over_malloc(results, row), low, high) if row else missing(label)]


def _on(system, judge):
    """The checks of a claim about one operating system."""
    def checks_of(results):
        found = results.facts.get("os", "")
        if not found.lower().startswith(system.lower()):
            return [missing("%s (this run: %s)" % (system, found or "unknown system"))]
        return judge(results)
    return _plain(checks_of)


def _over_repeats(results, backend, low, high):
    """Last repeat over the first."""
    rows = [row for row in _batch(results, backend) if row.size == 4]
    repeats = _repeats(rows)
    if len(repeats) < 2:
        return [missing("%s with two repeats" % backend)]
    count = _single_counts(rows)[-1]
    start, end = (_at(rows, 4, count, repeat) for repeat in (repeats[0], repeats[-1]))
    label = "%s, %d x 4 B, repeat %d over %d" % (backend, count, repeats[-1], repeats[0])
    if start is None or end is None:
        return [missing(label)]
    return [Check(label, quotient(time_of(end), time_of(start)), low, high)]


def _five_pools(results):
    rows = _batch(results, "pool")
    mixes = [row for row in rows if parameter(row, "mix")]
    if not mixes or not _single_counts(rows):
        return [missing("pool with 4 B and with a mix")]
    last, mix_count = _repeats(rows)[-1], counts_of(mixes)[-1]
    count = min(_single_counts(rows), key=lambda single: abs(single - mix_count))
    single, mix = _at(rows, 4, count, last), _at(mixes, None, mix_count, last)
    if single is None or mix is None:
        return [missing("pool, repeat %d of both" % last)]
    return [Check("(pool over malloc, mix) over (pool over malloc, 4 B), repeat %d" % last,
                  quotient(_over_malloc(results, mix), _over_malloc(results, single)), 1,
                  ENDLESS)]


# --- 003 ---

FACTORS = (("autofree", 2.8), ("scope", 3.0), ("scope-shared", 4.1))


def _map(results):
    rows = rows_of(results, "map", "total", order="ascending", block="16352", dispatch="inline",
                   huge="no")
    for label, group in _variants(rows):
        counts = counts_of(group)
        count = min(counts, key=lambda n: abs(n - 20000)) if counts else None
        yield label, {row.backend: row for row in group if row.count == count}


def _regions(results, bounds_of):
    for label, by_backend in _map(results):
        yield label, [
            Check("%s over malloc" % name, _over_malloc(results, by_backend[name]), *bounds_of(factor))
            if name in by_backend else missing(name) for name, factor in FACTORS]


def _one_over_other(results, a, b, low, high):
    for label, by_backend in _map(results):
        if a not in by_backend or b not in by_backend:
            yield label, [missing("%s and %s" % (a, b))]
        else:
            yield label, [Check("%s over %s" % (a, b), over(results, by_backend[a], b)[1], low, high)]


# --- 004 ---

SPEEDS = (("1009", 0.6), ("4096", 2.3))  # of committing all, in per cent of the reference


def _grow(results, *names):
    """Rows of the first backend that was measured."""
    for name in names:
        rows = rows_of(results, "growth", "grow", name, touch="none", huge="no")
        if rows:
            return rows
    return []


def _of_step(rows, step):
    """Rows of a step by falling total."""
    return sorted((row for row in rows if parameter(row, "step") == step),
                  key=lambda row: -(row.size or 0))


def _over_os_delta(results, row):
    return over(results, row, "os-delta")[1]


def _against_os_delta(results, names, bounds_of):
    """One check a step, at the total nearest to the document's; `bounds_of` its per cent."""
    rows = _grow(results, *names)
    for step, percent in SPEEDS:
        own = nearest_total(_of_step(rows, step))
        label = "%s over os-delta, step %s" % (names[-1], step)
        if own is None:
            yield missing(label)
        else:
            yield Check("%s, %s" % (label, size(own.size)), _over_os_delta(results, own),
                        *bounds_of(percent))


def _whole_speed(results):
    yield "", list(_against_os_delta(results, ("nt-whole", "whole"),
                                     lambda percent: _about(100 / percent, 2)))


def _whole_exponent(results, names, low, quotient_of):
    rows, checks = _grow(results, *names), []
    for step in sorted({parameter(row, "step") or "" for row in rows}, key=lambda s: (len(s), s)):
        own = _of_step(rows, step)
        if len(own) > 1 and own[0].size != own[-1].size:
            large, small = own[0], own[-1]
            checks.append(Check("%s, step %s, exponent from %s to %s" % (
                large.backend, step, size(small.size), size(large.size)),
                quotient_of(large, small), low, 2.2, power=large.size / small.size))
    return checks or [missing("%s with two totals" % names[-1])]


def _submitted(large, small):
    return exact_quotient(large.figures.get("pages_submitted"), small.figures.get("pages_submitted"))


def _delta(results):
    yield "", list(_against_os_delta(results, ("delta",), lambda percent: (0, 1 / 0.95)))


def _api(results):
    own, other = _grow(results, "delta"), _grow(results, "nt-delta")
    checks = []
    for step, _ in SPEEDS:
        a, b = nearest_total(_of_step(other, step)), nearest_total(_of_step(own, step))
        label = "nt-delta over delta, step %s" % step
        checks.append(Check(label, quotient(_over_os_delta(results, a), _over_os_delta(results, b)),
                            *_about(1, 1.05)) if a and b else missing(label + " (Windows)"))
    yield "", checks


def _plain(judge):
    return lambda results: [("", judge(results))]


CLAIMS = (
    Claim("000", "calls-per-byte", "Bigger blocks need fewer calls, hence less time, per byte",
          "time per byte of alloc at the largest block is below half of that at the smallest",
          _calls_per_byte),
    Claim("000", "obtainable-bytes", "Bigger blocks waste address space: fewer bytes can be had",
          "obtained_bytes never rises from one size to the next, and ends below 99 % of its start",
          _obtainable),
    Claim("000", "toggle-linear", "A random toggle takes time linear in the block size",
          "toggle time grows with an exponent of 0.8 to 1.2 over the last factor 4 of block sizes",
          lambda results: _toggle_exponent(results, False, 0.8, 1.2, touch=None)),
    Claim("000", "release-flat", "Release without decommit does not depend on the block size",
          "with free=release the toggle time has an exponent of -0.2 to 0.2 over all block sizes",
          lambda results: _toggle_exponent(results, True, -0.2, 0.2, free="release")),
    Claim("001", "managed-wins", "The collector wins through 256 B",
          "gc over malloc is below 1 at every size up to 256 B, 256 B among them",
          lambda results: _managed(results, (lambda n: n <= 256, (256,)), 0, 1)),
    Claim("001", "managed-loses", "The collector loses from 512 B",
          "gc over malloc is above 1 at every size from 512 B, 512 and 1024 B among them",
          lambda results: _managed(results, (lambda n: n >= 512, (512, 1024)), 1, ENDLESS)),
    Claim("001", "half-speed", "At 1 KiB the collector takes about twice as long",
          "gc over malloc at 1024 B is 1.6 to 2.5 (2 within a factor of 1.25)",
          lambda results: _managed(results, (lambda n: n == 1024, (1024,)), *_about(2))),
    Claim("002", "linear-in-count", "The time changes linearly with the number of objects",
          "time of the last repeat grows with an exponent of 0.8 to 1.2 from each of three counts of 4 B "
          "or more to the next",
          _linear_in_count),
    Claim("002", "fresh-pool", "A fresh pool is faster than the heap",
          "pool over malloc is below 1 in the first repeat of the largest count of 4 B",
          _plain(lambda results: _pool_against_heap(results, 0, 1, lambda repeats: repeats[0]))),
    Claim("002", "grown-pool", "A grown pool is faster than the heap",
          "pool over malloc is below 1 in the last repeat of the largest count of 4 B",
          _plain(lambda results: _pool_against_heap(results, 0, 1, lambda repeats: repeats[-1]))),
    Claim("002", "grown-pool-factor", "Linux: a grown pool is 3 times as fast as the heap",
          "pool over malloc in the last repeat is 1/3 within a factor of 1.25 (0.267 to 0.417)",
          _on("Linux", lambda results: _pool_against_heap(results, *_about(1 / 3),
                                                          repeat_of=lambda repeats: repeats[-1]))),
    Claim("002", "heap-speeds-up", "Linux: the heap gets (slightly) faster over the repeats",
          "malloc's last repeat over its first is below 1",
          _on("Linux", lambda results: _over_repeats(results, "malloc", 0, 1))),
    Claim("002", "heap-slows-down", "Windows: the heap gets slower over the repeats",
          "malloc's last repeat over its first is above 1",
          _on("Windows", lambda results: _over_repeats(results, "malloc", 1, ENDLESS))),
    Claim("002", "pool-reused", "Windows: a grown pool is 20 to 30 % faster than its own first run",
          "pool's last repeat over its first is 0.65 to 0.85",
          _on("Windows", lambda results: _over_repeats(results, "pool", 0.65, 0.85))),
    Claim("002", "five-pools", "With five pools the gap between heap and pool narrows",
          "pool over malloc in the last repeat is higher with the mix than with 4 B alone",
          _plain(_five_pools)),
    Claim("003", "regions-win", "Region allocators beat new/delete in an ordered map",
          "autofree, scope and scope-shared over malloc are each below 1",
          lambda results: _regions(results, lambda factor: (0, 1))),
    Claim("003", "region-factors", "They do so by 2.8, 3.0 and 4.1 times",
          "each over malloc is the published ratio within a factor of 1.25",
          lambda results: _regions(results, lambda factor: _about(1 / factor))),
    Claim("003", "scope-like-autofree", "A scope allocator is as fast as the automatic one",
          "scope over autofree is 1 within a factor of 1.25",
          lambda results: _one_over_other(results, "scope", "autofree", *_about(1))),
    Claim("003", "sharing-helps", "A block pool that outlives the scope helps",
          "scope-shared over scope is below 1",
          lambda results: _one_over_other(results, "scope-shared", "scope", 0, 1)),
    Claim("004", "whole-slow", "Committing the whole range at each step has 0.6 % and 2.3 % of the speed",
          "whole over os-delta is 167 at 1009 and 43 at 4096 bytes a step, within a factor of 2",
          _whole_speed),
    Claim("004", "whole-quadratic-pages", "Committing the whole range submits quadratically many pages",
          "pages_submitted of whole grows with an exponent of 1.8 to 2.2 over the totals",
          _plain(lambda results: _whole_exponent(results, ("whole",), 1.8, _submitted))),
    Claim("004", "whole-quadratic-time", "Committing the whole range takes quadratic time",
          "time of whole grows with an exponent of 1.5 to 2.2 over the totals",
          _plain(lambda results: _whole_exponent(
              results, ("nt-whole", "whole"), 1.5,
              lambda large, small: quotient(time_of(large), time_of(small))))),
    Claim("004", "populate-quadratic", "Where each committed page is visited, whole is quadratic in time",
          "time of populate-whole grows with an exponent of 1.5 to 2.2 over the totals",
          _plain(lambda results: _whole_exponent(
              results, ("populate-whole",), 1.5,
              lambda large, small: quotient(time_of(large), time_of(small))))),
    Claim("004", "delta-restores", "Committing the new part alone restores the speed",
          "delta over os-delta is below 1.053 (95 % of the speed) at both steps", _delta),
    Claim("004", "api-same", "Which API is called makes no difference",
          "nt-delta over delta is 0.95 to 1.05 at both steps", _api),
)

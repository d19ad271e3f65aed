# SPDX-License-Identifier: MIT
"""Made-up runs of each scenario, by the figures that the claims rest on."""

BLOCKS = (65536, 1 << 20, 4 << 20, 16 << 20)


def granularity(csv, toggle=lambda block: block / 4096.0, alloc=lambda block: 2000.0,
                obtained=lambda block: (1 << 31) - 8 * block, pct=1.0, touch="none",
                free="decommit+release", fragment=0, backend="pages-map"):
    """Times in ns by block size."""
    variant = "fragment=%s;free=%s;space=2147483648;toggles=1000;total=1073741824;touch=%s" % (
        fragment, free, touch)
    for block in BLOCKS:
        more = {"size_bytes": block, "count": (1 << 30) // block, "variant": variant, "pct": pct}
        csv.add("granularity", "reserve_all", backend, 1500, ratio=1, ops=(1 << 31) // block,
                extra="blocks=%d;obtained_bytes=%d" % (obtained(block) // block, obtained(block)),
                **more)
        for op, ns in (("alloc", alloc(block)), ("free", alloc(block)), ("toggle", toggle(block))):
            csv.add("granularity", op, backend, ns, ratio=1,
                    ops=1000 if op == "toggle" else (1 << 30) // block, **more)


SIZES = (4, 64, 256, 512, 1024)


def churn(csv, ratio=lambda size: size / 380.0, nursery=1048576, pct=1.0, sizes=SIZES, pool=0.5):
    variant = "dispatch=inline;huge=no;nursery=%d;ops=1000;rng=msvc;touch=none" % nursery
    for size in sizes:
        more = {"size_bytes": size, "count": 32768, "variant": variant}
        csv.add("churn", "replace", "malloc", 800, ratio=1, **more)
        csv.add("churn", "replace", "gc", 800 * ratio(size), ratio=ratio(size), pct=pct, **more)
        if pool:
            csv.add("churn", "replace", "pool", 800 * pool, ratio=pool, pct=pct, **more)


def batch(csv, heap=lambda count, repeat: 30 - repeat, pool=lambda repeat: 0.5 / repeat ** 0.3,
          mix_ratio=0.6, counts=(250000, 500000, 1000000), pct=1.0):
    """ns of the heap per object by count and repeat; ratio of the pool by repeat."""
    for mix in (None, "4+8+12+16+20"):
        for count in counts if mix is None else counts[-1:]:
            for repeat in (1, 2, 3, 4):
                variant = "dispatch=inline;huge=no;%sorder=fifo;repeat=%d" % (
                    "mix=%s;" % mix if mix else "", repeat)
                more = {"size_bytes": "" if mix else 4, "count": count, "variant": variant}
                ratio = pool(repeat) if mix is None else mix_ratio
                csv.add("batch", "total", "malloc", heap(count, repeat), ratio=1, pct=pct, **more)
                csv.add("batch", "total", "pool", heap(count, repeat) * ratio, ratio=ratio, pct=pct,
                        **more)


def map_(csv, autofree=1 / 2.8, scope=1 / 3.0, shared=1 / 4.1, pct=1.0):
    more = {"size_bytes": 40, "count": 20000,
            "variant": "block=16352;dispatch=inline;huge=no;order=ascending"}
    csv.add("map", "total", "malloc", 300, ratio=1, **more)
    for name, ratio in (("autofree", autofree), ("scope", scope), ("scope-shared", shared)):
        csv.add("map", "total", name, 300 * ratio, ratio=ratio, pct=pct, **more)


TOTALS = (1 << 20, 25 << 20)


def growth(csv, whole=lambda step: {1009: 170.0, 4096: 43.0}[step], whole_power=2.0, pages_power=2.0,
           delta=1.01, nt_delta=None, populate_power=None, pct=1.0, totals=TOTALS):
    for total in totals:
        factor = total / float(totals[-1])
        for step in (1009, 4096):
            more = {"size_bytes": total, "count": total // step, "variant": "step=%d;touch=none" % step}

            def add(name, ns, ratio, submitted):
                csv.add("growth", "grow", name, ns, ratio=ratio, pct=pct if ratio != 1 else 1.0,
                        extra="commit_calls=%d;pages_submitted=%d;new_pages=%d;worst_step_ns=9"
                        % (total // step, submitted, total // 4096), **more)

            add("os-delta", 5e6 * factor, 1, total // 4096)
            add("delta", 5e6 * factor * delta, delta, total // 4096)
            whole_ns = 5e6 * whole(step) * factor ** whole_power
            add("whole", whole_ns, whole_ns / (5e6 * factor), 2e7 * factor ** pages_power)
            if nt_delta:
                add("nt-delta", 5e6 * factor * nt_delta, nt_delta, total // 4096)
            if populate_power:
                add("populate-whole", 9e8 * factor ** populate_power, 180.0, 2e7 * factor ** 2)

# SPDX-License-Identifier: MIT
"""Every claim, provoked in all three ways."""
import scripts_test
from scripts_test import Csv, check, check_equal

import made_up
from allocbench_results import claims, claims_list, reading

REPRODUCED, REFUTED, UNRESOLVED = claims.REPRODUCED, claims.REFUTED, claims.UNRESOLVED
WIDE = 900.0  # per cent: an interval that decides nothing


def _verdicts(t, make, name, facts):
    csv = Csv(**facts)
    make(csv)
    if not csv.rows:
        csv.add("other", "work", "malloc")
    results = reading.read_results(t.path(t.write("made.csv", csv)))
    claim = [claim for claim in claims_list.CLAIMS if claim.name == name]
    return claims.findings(claim, results, [claim[0].document])


def _three_ways(t, name, reproduced, refuted, *unresolved, label=None, **facts):
    """Each is a function that fills a Csv."""
    for expected, make in [(REPRODUCED, reproduced), (REFUTED, refuted)] + \
            [(UNRESOLVED, make) for make in unresolved] + [(UNRESOLVED, lambda csv: None)]:
        found = [finding for finding in _verdicts(t, make, name, facts)
                 if label is None or label in finding.label]
        check_equal([finding.verdict for finding in found], [expected] * max(1, len(found)), name,
                    [finding.figures for finding in found])


def _granularity(**options):
    return lambda csv: made_up.granularity(csv, **options)


def case_calls_per_byte(t):
    _three_ways(t, "calls-per-byte", _granularity(), _granularity(alloc=lambda block: block * 1.0),
                _granularity(pct=WIDE * 100))


def case_obtainable_bytes(t):
    _three_ways(t, "obtainable-bytes", _granularity(), _granularity(obtained=lambda block: 1 << 30),
                lambda csv: csv.add("granularity", "reserve_all", "pages-map", size_bytes=65536,
                                    extra="obtained_bytes=65536"))


def case_obtainable_bytes_rise(t):
    finding = _verdicts(t, _granularity(obtained=lambda block: (1 << 30) + block), "obtainable-bytes", {})
    check_equal(finding[0].verdict, REFUTED)


def case_toggle_linear(t):
    _three_ways(t, "toggle-linear", _granularity(), _granularity(toggle=lambda block: 3000.0),
                _granularity(pct=WIDE))


def case_toggle_linear_by_touch(t):
    def both(csv):
        made_up.granularity(csv, touch="write")
        made_up.granularity(csv, toggle=lambda block: 3000.0)
    found = _verdicts(t, both, "toggle-linear", {})
    check_equal({finding.label: finding.verdict for finding in found},
                {"touch=write": REPRODUCED, "touch=none": REFUTED})


def case_release_flat(t):
    _three_ways(t, "release-flat", _granularity(free="release", toggle=lambda block: 3000.0),
                _granularity(free="release"),
                _granularity(free="release", toggle=lambda block: 3000.0, pct=WIDE), _granularity())


def _churn(**options):
    def make(csv):
        made_up.churn(csv, **options)
        made_up.churn(csv, nursery=262144, **options)
    return make


def case_managed_wins(t):
    _three_ways(t, "managed-wins", _churn(), _churn(ratio=lambda size: size / 200.0),
                _churn(pct=WIDE), _churn(sizes=(4, 64)))


def case_managed_loses(t):
    _three_ways(t, "managed-loses", _churn(), _churn(ratio=lambda size: size / 600.0),
                _churn(pct=WIDE), _churn(sizes=(4, 1024)))


def case_half_speed(t):
    _three_ways(t, "half-speed", _churn(ratio=lambda size: size / 512.0),
                _churn(ratio=lambda size: size / 300.0), _churn(pct=50), _churn(sizes=(512,)))


def case_nurseries_are_apart(t):
    def make(csv):
        made_up.churn(csv, ratio=lambda size: 3.0, nursery=262144)
        made_up.churn(csv)
    verdicts = [finding.verdict for finding in _verdicts(t, make, "managed-wins", {})]
    check_equal(verdicts, [REFUTED, REPRODUCED])


def _batch(**options):
    return lambda csv: made_up.batch(csv, **options)


def case_linear_in_count(t):
    _three_ways(t, "linear-in-count", _batch(), _batch(heap=lambda count, repeat: count / 10000.0),
                _batch(pct=WIDE), _batch(counts=(250000, 1000000)))


def case_linear_between_all_counts(t):
    """From end to end it may look linear when it is not."""
    times = {250000: 30.0, 500000: 90.0, 1000000: 30.0}
    found = _verdicts(t, _batch(heap=lambda count, repeat: times[count]), "linear-in-count", {})
    check_equal([finding.verdict for finding in found], [REFUTED])


def case_other_baseline(t):
    """Claims are about malloc and os-delta, whichever backend the run's ratios are over."""
    def make(heap, is_there=True):
        def fill(csv):
            more = {"size_bytes": 4, "count": 1000, "variant": "dispatch=inline;huge=no;order=fifo;repeat=1"}
            csv.add("batch", "total", "jemalloc", 10, ratio=1, **more)
            csv.add("batch", "total", "pool", 20, ratio=2, **more)
            if is_there:
                csv.add("batch", "total", "malloc", 10 * heap, ratio=heap, **more)
        return fill
    _three_ways(t, "fresh-pool", make(4), make(0.5), make(4, False))
    def grown(whole):
        def fill(csv):
            more = {"size_bytes": 25 << 20, "variant": "huge=no;step=%d;touch=none"}
            for step, factor in ((1009, 167), (4096, 43)):
                more = {"size_bytes": 25 << 20, "count": 9, "variant": "huge=no;step=%d;touch=none" % step}
                csv.add("growth", "grow", "delta", 10, ratio=1, **more)
                csv.add("growth", "grow", "os-delta", 5, ratio=0.5, **more)
                csv.add("growth", "grow", "whole", 5 * factor * whole, ratio=0.5 * factor * whole, **more)
        return fill
    _three_ways(t, "whole-slow", grown(1), grown(0.1))


def case_fresh_pool(t):
    _three_ways(t, "fresh-pool", _batch(), _batch(pool=lambda repeat: 1.5 if repeat == 1 else 0.5),
                _batch(pct=WIDE))


def case_grown_pool(t):
    _three_ways(t, "grown-pool", _batch(), _batch(pool=lambda repeat: 1.5 if repeat == 4 else 0.5),
                _batch(pct=WIDE))


def case_grown_pool_factor(t):
    _three_ways(t, "grown-pool-factor", _batch(pool=lambda repeat: 0.33),
                _batch(pool=lambda repeat: 0.17), _batch(pool=lambda repeat: 0.26, pct=5),
                _batch(pct=WIDE))


def case_grown_pool_factor_needs_linux(t):
    found = _verdicts(t, _batch(pool=lambda repeat: 0.33), "grown-pool-factor", {"os": "Windows"})
    check_equal(found[0].verdict, UNRESOLVED)


def case_heap_speeds_up(t):
    _three_ways(t, "heap-speeds-up", _batch(), _batch(heap=lambda count, repeat: 30 + repeat),
                _batch(pct=WIDE))


def case_heap_speeds_up_needs_linux(t):
    found = _verdicts(t, _batch(), "heap-speeds-up", {"os": "Windows"})
    check_equal(found[0].verdict, UNRESOLVED)


def case_heap_slows_down(t):
    _three_ways(t, "heap-slows-down", _batch(heap=lambda count, repeat: 30 + repeat), _batch(),
                _batch(pct=WIDE), os="Windows")


def case_pool_reused(t):
    _three_ways(t, "pool-reused", _batch(heap=lambda count, repeat: 30, pool=lambda r: 0.8 - 0.05 * r),
                _batch(heap=lambda count, repeat: 30, pool=lambda repeat: 0.5), _batch(pct=WIDE),
                os="Windows")


def case_five_pools(t):
    _three_ways(t, "five-pools", _batch(), _batch(mix_ratio=0.1), _batch(pct=WIDE))


def _map(**options):
    return lambda csv: made_up.map_(csv, **options)


def case_regions_win(t):
    _three_ways(t, "regions-win", _map(), _map(autofree=1.2), _map(pct=WIDE))


def case_region_factors(t):
    _three_ways(t, "region-factors", _map(), _map(scope=0.7), _map(pct=40))


def case_scope_like_autofree(t):
    _three_ways(t, "scope-like-autofree", _map(), _map(scope=0.2), _map(pct=50))


def case_sharing_helps(t):
    _three_ways(t, "sharing-helps", _map(), _map(shared=0.5), _map(pct=50))


def _growth(**options):
    return lambda csv: made_up.growth(csv, **options)


def case_whole_slow(t):
    _three_ways(t, "whole-slow", _growth(), _growth(whole=lambda step: 1.1), _growth(pct=WIDE))


def case_whole_slow_at_the_documents_total(t):
    """Larger totals are measured as well, and large pages; the document's growth is what counts."""
    def make(csv):
        made_up.growth(csv, totals=(25 << 20,))
        larger = Csv()
        made_up.growth(larger, whole=lambda step: 4 * {1009: 170.0, 4096: 43.0}[step], totals=(100 << 20,))
        huge = Csv()
        made_up.growth(huge, whole=lambda step: 1.1, totals=(25 << 20,))
        csv.rows += larger.rows + [dict(row, variant="huge=yes;" + row["variant"]) for row in huge.rows]
    for name in ("whole-slow", "delta-restores"):
        check_equal([finding.verdict for finding in _verdicts(t, make, name, {})], [REPRODUCED], name)


def case_whole_quadratic_pages(t):
    _three_ways(t, "whole-quadratic-pages", _growth(), _growth(pages_power=1.0),
                _growth(totals=(25 << 20,)))


def case_whole_quadratic_time(t):
    _three_ways(t, "whole-quadratic-time", _growth(), _growth(whole_power=1.0),
                _growth(totals=(25 << 20,)), _growth(pct=WIDE * 100))


def case_populate_quadratic(t):
    _three_ways(t, "populate-quadratic", _growth(populate_power=2), _growth(populate_power=1),
                _growth(), _growth(populate_power=2, pct=WIDE * 100))


def case_delta_restores(t):
    _three_ways(t, "delta-restores", _growth(), _growth(delta=1.3), _growth(pct=20))


def case_api_same(t):
    _three_ways(t, "api-same", _growth(nt_delta=1.02), _growth(nt_delta=1.5),
                _growth(nt_delta=1.02, pct=20), _growth())


def case_every_claim_is_here(t):
    cases = {name[5:].replace("_", "-") for name in globals() if name.startswith("case_")}
    names = [claim.name for claim in claims_list.CLAIMS]
    check(len(set(names)) == len(names), "a name is there twice")
    check(not set(names) - cases, "no test of", set(names) - cases)


def case_one_process_is_unresolved(t):
    csv = Csv()
    made_up.map_(csv)
    for row in csv.rows:
        row.update(processes="1", ci_low_ns="", ci_high_ns="", ratio_low="", ratio_high="", verdict="")
    t.write("x.csv", csv)
    out = t.run("tables", "x.csv", "--claims", "--document", "003").expect(0).out
    check("Claims: 0 reproduced, 0 not reproduced, 4 unresolved." in out, out)
    check("takes two processes" in out, out)


def _everything():
    csv = Csv()
    made_up.granularity(csv)
    made_up.churn(csv)
    made_up.batch(csv)
    made_up.map_(csv)
    made_up.growth(csv)
    return csv


def case_output_text(t):
    t.write("x.csv", _everything())
    t.golden("claims.txt", t.run("tables", "x.csv", "--claims").expect(0).out)


def case_output_markdown(t):
    t.write("x.csv", _everything())
    t.golden("claims.md", t.run("tables", "x.csv", "--claims", "--format", "markdown").expect(0).out)


def case_output_csv(t):
    t.write("x.csv", _everything())
    t.golden("claims.csv", t.run("tables", "x.csv", "--claims", "--format", "csv").expect(0).out)


scripts_test.main(globals())

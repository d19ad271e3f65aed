/* SPDX-License-Identifier: MIT
 *
 * How rounds begin and how long they last. Passes here wait for a time and take notes; what is
 * checked holds however late the machine lets them run.
 */
#include "test.h"

#include "harness/sampler.h"
#include "harness/warmth.h"
#include "os/clock.h"

enum { MAIN_PART, OTHER_PART, PARTS };
enum { OPS = 8 };
static const uint64_t warm_up_ns = 2000000;

typedef struct notes {
    unsigned prerolls, passes;
    uint64_t first_begin_ns, end_ns, end_before_ns; /* of pre-rolls: last, and the last but one */
    uint64_t timed_begin_ns;                        /* of the first pass that counts */
} notes;
static uint64_t eighth_ns;
static notes seen[PARTS];

static void wait_ns(uint64_t ns)
{
    uint64_t begin_ns = ab_clock_now_ns();

    while (ab_clock_now_ns() - begin_ns < ns) {
    }
}

static void noting_pass(ab_run *run, unsigned part)
{
    notes *n = &seen[part];
    uint64_t begin_ns = ab_clock_now_ns();

    if (run->is_preroll) {
        n->first_begin_ns = n->prerolls++ == 0 ? begin_ns : n->first_begin_ns;
    } else {
        n->timed_begin_ns = n->passes++ == 0 ? begin_ns : n->timed_begin_ns;
    }
    ab_start(run);
    wait_ns(run->is_preroll ? eighth_ns : 8 * eighth_ns);
    ab_stop(run, part, OPS);
    if (run->is_preroll) {
        n->end_before_ns = n->end_ns;
        n->end_ns = ab_clock_now_ns();
    }
}

static const ab_contender contender = {.own_name = "noting", .pass = noting_pass};
static const ab_scenario scenario = {.name = "noting",
                                     .operation_count = PARTS,
                                     .part_count = PARTS,
                                     .preroll_parts = 1u << MAIN_PART,
                                     .contenders = &contender,
                                     .contender_count = 1};

/* Nanoseconds from before the round to its first timed pass. */
static uint64_t run_round(bool is_warm, uint64_t eighth, ab_meter *meter)
{
    ab_run run = {.scenario = &scenario, .contender = &contender, .meter = meter};
    uint64_t begin_ns;

    CHECK_EQ(ab_clock_init(), 0);
    ab_meter_init(meter, 1u << MAIN_PART | 1u << OTHER_PART, warm_up_ns);
    eighth_ns = eighth;
    memset(seen, 0, sizeof seen);
    begin_ns = ab_clock_now_ns();
    ab_run_round(&run, is_warm);
    ab_meter_close(meter);
    return seen[MAIN_PART].timed_begin_ns - begin_ns;
}

TEST(passes_of_nothing_warm_up_for_the_least_time)
{
    ab_meter meter;
    uint64_t passed_ns = run_round(true, 0, &meter);

    CHECK(passed_ns >= warm_up_ns);
    /* Fewer passes only where other programs took the CPU for the most time. */
    CHECK(seen[MAIN_PART].prerolls == AB_WARM_UP_PASSES ||
          (seen[MAIN_PART].prerolls < AB_WARM_UP_PASSES &&
           passed_ns >= AB_WARM_UP_MOST * warm_up_ns) ||
          seen[MAIN_PART].end_before_ns - seen[MAIN_PART].first_begin_ns < warm_up_ns);
}

/* 24 times 0.15 ms are more than the least and less than the most. */
TEST(three_passes_warm_up)
{
    ab_meter meter;
    uint64_t passed_ns = run_round(true, 150000, &meter);

    CHECK(seen[MAIN_PART].prerolls == AB_WARM_UP_PASSES ||
          passed_ns >= AB_WARM_UP_MOST * warm_up_ns);
}

TEST(long_passes_warm_up_for_the_most_time)
{
    ab_meter meter;

    CHECK(run_round(true, 3 * warm_up_ns / 2, &meter) >= warm_up_ns);
    CHECK(seen[MAIN_PART].prerolls >= 1 && seen[MAIN_PART].prerolls <= 3);
    CHECK(seen[MAIN_PART].end_before_ns <
          seen[MAIN_PART].first_begin_ns + AB_WARM_UP_MOST * warm_up_ns);
}

TEST(warm_up_does_not_count)
{
    ab_meter meter;

    run_round(true, 100000, &meter);
    for (unsigned i = 0; i < PARTS; i++) {
        CHECK_EQ(meter.operation[i].sample.passes, seen[i].passes);
        CHECK_EQ(meter.operation[i].sample.ops, OPS);
        CHECK(meter.operation[i].sample.wall_ns >= seen[i].passes * 8 * eighth_ns);
    }
    CHECK(seen[MAIN_PART].prerolls > 0);
    CHECK_EQ(seen[OTHER_PART].prerolls, 0);
}

/* A part also ends when it has been going on for ten times as long, which another program's turn at
 * the CPU may take. */
static void check_length(const ab_meter *meter, uint64_t target_ns)
{
    CHECK(meter->operation[MAIN_PART].sample.wall_ns >= target_ns ||
          ab_clock_now_ns() - seen[MAIN_PART].timed_begin_ns >= 10 * target_ns);
}

TEST(warm_rounds_last_twice_the_warm_up)
{
    ab_meter meter;

    run_round(true, 10000, &meter);
    check_length(&meter, 2 * warm_up_ns);
}

TEST(the_first_round_does_not_warm_up)
{
    ab_meter meter;

    run_round(false, 10000, &meter);
    CHECK_EQ(seen[MAIN_PART].prerolls, 0);
    check_length(&meter, 1000000);
}

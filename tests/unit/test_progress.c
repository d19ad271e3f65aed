/* SPDX-License-Identifier: MIT
 *
 * Time left: what of it is known to be done, and what is learned from steps that took longer. Steps
 * here wait for a time; what is checked holds however late the machine lets them run.
 */
#include "test.h"

#include "harness/progress.h"
#include "os/clock.h"

#include <math.h>

enum { PROCESSES = 2, ROUNDS = 5 };

static void wait_ms(unsigned ms)
{
    uint64_t begin_ns = ab_clock_now_ns();

    while (ab_clock_now_ns() - begin_ns < ms * UINT64_C(1000000)) {
    }
}

/* Two groups of two cells. */
static void begin(ab_progress *progress, ab_plan *plan)
{
    char *arguments[] = {(char[]){"allocbench"},          (char[]){"--scenario=churn"},
                         (char[]){"--backend=none,pool"}, (char[]){"--size=4,16"},
                         (char[]){"--processes=2"},       (char[]){"--rounds=5"}};
    ab_options options;
    ab_error error;

    CHECK_EQ(ab_clock_init(), 0);
    CHECK(ab_options_parse(sizeof arguments / sizeof arguments[0], arguments, &options, &error));
    CHECK(ab_plan_make(&options, plan, &error));
    CHECK_EQ(plan->group_count, 2);
    ab_progress_begin(progress, false, plan);
    progress->is_shown = true; /* what it would show is asked, */
    progress->out.handle = -1; /* and nothing is drawn */
}

static void do_rounds(ab_progress *progress, size_t group, unsigned process, unsigned ms)
{
    for (unsigned round = 0; round < ROUNDS; round++) {
        for (size_t cell = 0; cell < 2; cell++) {
            wait_ms(ms);
            ab_progress_step(progress, group, cell, round == 0 ? AB_STEP_COLD : AB_STEP_WARM, 1,
                             false);
        }
    }
    for (size_t cell = 0; cell < 2; cell++) {
        ab_progress_step(progress, group, cell, process == 0 ? AB_STEP_PROOF : AB_STEP_COLD,
                         process == 0, false);
    }
}

TEST(nothing_is_left_at_the_end)
{
    ab_progress progress;
    ab_plan plan;

    begin(&progress, &plan);
    CHECK(ab_progress_left_ns(&progress) == ab_plan_estimate_ns(&plan));
    for (size_t group = 0; group < 2; group++) {
        for (unsigned process = 0; process < PROCESSES; process++) {
            CHECK(ab_progress_left_ns(&progress) > 0);
            do_rounds(&progress, group, process, 1);
        }
    }
    CHECK(ab_progress_left_ns(&progress) == 0);
    ab_plan_free(&plan);
}

TEST(skipped_steps_are_done_and_teach_nothing)
{
    ab_progress progress;
    ab_plan plan;

    begin(&progress, &plan);
    double before_ns = ab_progress_left_ns(&progress);
    double step_ns =
        ab_step_estimate_ns(&plan, &plan.groups[0], &plan.groups[0].cells[1], AB_STEP_COLD);
    wait_ms(50);
    ab_progress_step(&progress, 0, 1, AB_STEP_COLD, 1, true);
    double gone_ns = before_ns - ab_progress_left_ns(&progress);
    CHECK(gone_ns > 0.999 * step_ns && gone_ns < 1.001 * step_ns);
    ab_plan_free(&plan);
}

TEST(each_kind_of_step_has_a_pace_of_its_own)
{
    ab_progress progress;
    ab_plan plan;
    double warm_ns = 0;

    begin(&progress, &plan);
    for (size_t cell = 0; cell < 2; cell++) {
        const ab_group *group = &plan.groups[0];
        warm_ns =
            fmax(warm_ns, ab_step_estimate_ns(&plan, group, &group->cells[cell], AB_STEP_WARM));
    }
    /* Ten times slower than estimated: so will be the rest, whose objects are larger. */
    unsigned slow_ms = (unsigned)(10 * warm_ns / 1e6) + 1;
    unsigned steps_left = 2 * ROUNDS * (PROCESSES - 1 + PROCESSES);
    do_rounds(&progress, 0, 0, slow_ms);
    double left_ns = ab_progress_left_ns(&progress);
    CHECK(left_ns > 0.99e6 * slow_ms * steps_left);

    /* A long proof makes the other group's proof longer, not its rounds. */
    uint64_t begin_ns = ab_clock_now_ns();
    wait_ms(10 * slow_ms);
    ab_progress_step(&progress, 0, 0, AB_STEP_PROOF, 0, false);
    double waited_ns = (double)(ab_clock_now_ns() - begin_ns);
    double more_ns = ab_progress_left_ns(&progress) - left_ns;
    CHECK(more_ns > 0 && more_ns < 1.01 * waited_ns);
    ab_plan_free(&plan);
}

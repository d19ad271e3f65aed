/* SPDX-License-Identifier: MIT
 *
 * Threads, the barrier, and the CPUs that threads are pinned to.
 */
#include "test.h"

#include "os/cpu.h"
#include "os/threads.h"
#include "os/usage.h"

typedef struct crew {
    ab_barrier barrier;
    unsigned members, rounds;
    unsigned
        *seen; /* rounds that each member has begun; plain, so that a sanitizer sees the order */
    _Atomic unsigned last; /* times that a member was the last one */
} crew;

typedef struct sailor {
    crew *crew;
    unsigned number;
    ab_thread thread;
} sailor;

/* Between two barriers everybody's round is the same. */
static void sail(void *argument)
{
    const sailor *self = argument;
    crew *all = self->crew;

    for (unsigned round = 1; round <= all->rounds; round++) {
        all->seen[self->number] = round;
        if (ab_barrier_arrive(&all->barrier)) {
            atomic_fetch_add(&all->last, 1);
            ab_barrier_open(&all->barrier);
        }
        CHECK_EQ(all->seen[(self->number + 1) % all->members], round);
        if (ab_barrier_arrive(&all->barrier)) {
            ab_barrier_open(&all->barrier);
        }
    }
}

static void sail_together(unsigned members, unsigned rounds, unsigned spins)
{
    crew all = {.members = members, .rounds = rounds};
    sailor *sailors = calloc(members, sizeof *sailors);

    all.seen = calloc(members, sizeof *all.seen);
    CHECK(sailors != NULL && all.seen != NULL);
    CHECK_EQ(ab_barrier_init(&all.barrier, members, spins), 0);
    for (unsigned i = 0; i < members; i++) {
        sailors[i].crew = &all;
        sailors[i].number = i;
        CHECK_EQ(ab_thread_start(&sailors[i].thread, sail, &sailors[i]), 0);
    }
    for (unsigned i = 0; i < members; i++) {
        ab_thread_join(&sailors[i].thread);
    }
    CHECK_EQ(atomic_load(&all.last), rounds);
    ab_barrier_free(&all.barrier);
    free(all.seen);
    free(sailors);
}

TEST(barrier_hundred_thousand_rounds)
{
    sail_together(2, 50000, 100);
}

TEST(barrier_without_spinning)
{
    sail_together(3, 5000, 0);
}

TEST(barrier_of_most_members)
{
    sail_together(AB_BARRIER_MEMBERS_MAX, 20, 0);
}

TEST(barrier_of_one)
{
    sail_together(1, 1000, 10);
}

static void arrive_once(void *argument)
{
    ab_barrier *barrier = argument;

    if (ab_barrier_arrive(barrier)) {
        ab_barrier_open(barrier);
    }
}

/* Whoever leaves does not keep the others waiting, whichever comes first. */
TEST(barrier_left)
{
    for (int i = 0; i < 2000; i++) {
        ab_barrier barrier;
        ab_thread thread[2];
        CHECK_EQ(ab_barrier_init(&barrier, 3, i % 2 == 0 ? 0 : 50), 0);
        CHECK_EQ(ab_thread_start(&thread[0], arrive_once, &barrier), 0);
        CHECK_EQ(ab_thread_start(&thread[1], arrive_once, &barrier), 0);
        if (ab_barrier_leave(&barrier)) {
            ab_barrier_open(&barrier);
        }
        ab_thread_join(&thread[0]);
        ab_thread_join(&thread[1]);
        CHECK_EQ(ab_barrier_members(&barrier), 2);
        ab_barrier_set(&barrier, 1);
        CHECK_EQ(ab_barrier_members(&barrier), 1);
        ab_barrier_free(&barrier);
    }
}

TEST(barrier_left_by_all)
{
    ab_barrier barrier;

    CHECK_EQ(ab_barrier_init(&barrier, 2, 0), 0);
    CHECK(!ab_barrier_leave(&barrier));
    CHECK(!ab_barrier_leave(&barrier));
    CHECK_EQ(ab_barrier_members(&barrier), 0);
    ab_barrier_free(&barrier);
}

static uint64_t time_of(void (*read)(ab_usage *out))
{
    ab_usage usage;

    read(&usage);
    return usage.user_ns + usage.sys_ns;
}

static void burn(void *argument)
{
    uint64_t begin = time_of(ab_usage_read), wanted = *(const uint64_t *)argument;

    while (time_of(ab_usage_read) - begin < wanted) {
        for (int i = 0; i < 100000; i++) {
            AB_KEEP(&i);
        }
    }
}

/* The process's time is that of all its threads, those that have ended too. */
TEST(usage_of_all_threads)
{
    uint64_t wanted = 4 * ab_usage_tick_ns(), before = time_of(ab_usage_read_process);
    ab_thread thread;

    CHECK_EQ(ab_thread_start(&thread, burn, &wanted), 0);
    ab_thread_join(&thread);
    CHECK(time_of(ab_usage_read_process) - before >= wanted / 2);
}

/* Going down from the highest one meets every CPU once, and then the highest one again. */
TEST(cpus_in_turn)
{
    int first = ab_cpu_default(), cpu = first, count = 0;

    if (first < 0) {
        CHECK_EQ(ab_cpu_next(3), -1);
        SKIP("this platform cannot pin");
    }
    do {
        int next = ab_cpu_next(cpu);
        CHECK(next < cpu || next == first);
        cpu = next;
        count++;
    } while (cpu != first);
    CHECK_EQ(count, ab_cpu_count());
    CHECK_EQ(ab_cpu_next(1 << 20), first);
}

TEST(cpu_try_does_not_stay)
{
    int first = ab_cpu_default(), count = ab_cpu_count();

    CHECK(ab_cpu_try(-1) > 0);
    CHECK(ab_cpu_try(1 << 20) > 0);
    if (first < 0) {
        CHECK(ab_cpu_try(0) > 0);
        SKIP("this platform cannot pin");
    }
    CHECK_EQ(ab_cpu_try(first), 0);
    CHECK_EQ(ab_cpu_count(), count);
}

/* SPDX-License-Identifier: MIT
 *
 * The clock: exact conversion at the ends of 64 bits, monotonic, measurable.
 */
#include "test.h"

#include "os/clock.h"

/* The 128-bit product by 32-bit halves, divided bit by bit: slow, and unlike the code under test.
 */
static uint64_t reference_ns(uint64_t ticks, uint64_t frequency)
{
    const uint64_t billion = 1000000000u;
    uint64_t low = (ticks & 0xFFFFFFFFu) * billion;
    uint64_t high = (ticks >> 32) * billion + (low >> 32);
    uint64_t words[2] = {high >> 32, high << 32 | (low & 0xFFFFFFFFu)};
    uint64_t rest = 0;
    uint64_t quotient = 0;

    for (int bit = 127; bit >= 0; bit--) {
        uint64_t carry = rest >> 63;
        rest = rest << 1 | (words[bit >= 64 ? 0 : 1] >> (bit % 64) & 1u);
        if (carry != 0 || rest >= frequency) {
            rest -= frequency;
            CHECK(bit < 64);
            quotient |= UINT64_C(1) << bit;
        }
    }
    return quotient;
}

TEST(ticks_known_values)
{
    CHECK(ab_ticks_to_ns(0, 1000000000u) == 0);
    CHECK(ab_ticks_to_ns(18446744073u, 1) == UINT64_C(18446744073000000000));
    CHECK(ab_ticks_to_ns(INT64_MAX, 1000000000u) == INT64_MAX);
    CHECK(ab_ticks_to_ns(UINT64_MAX, 1000000000u) == UINT64_MAX);
    CHECK(ab_ticks_to_ns(UINT64_C(24000001), 24000000) == 1000000041u);
    CHECK(ab_ticks_to_ns(INT64_MAX, INT64_MAX) == 1000000000u);
    CHECK(ab_ticks_to_ns(INT64_MAX - 1, INT64_MAX) == 999999999u);
    CHECK(ab_ticks_to_ns(7, 0) == 0);
}

TEST(ticks_near_the_limits)
{
    static const uint64_t frequencies[] = {1,
                                           3,
                                           1000,
                                           3579545,
                                           10000000,
                                           24000000,
                                           25000000,
                                           1000000000,
                                           1000000007,
                                           UINT64_C(3000000000),
                                           UINT64_C(18446744073),
                                           UINT64_C(18446744074),
                                           UINT64_C(1) << 40,
                                           (UINT64_C(1) << 62) + 1,
                                           INT64_MAX - 1,
                                           INT64_MAX};
    uint64_t seed = 1;

    for (size_t i = 0; i < sizeof frequencies / sizeof *frequencies; i++) {
        uint64_t frequency = frequencies[i];
        uint64_t most = UINT64_MAX / 1000000000u;
        /* The largest count whose nanoseconds still fit. */
        uint64_t limit = frequency > UINT64_MAX / most ? UINT64_MAX : frequency * most;
        const uint64_t counts[] = {limit,
                                   limit - 1,
                                   INT64_MAX,
                                   (uint64_t)INT64_MAX + 1,
                                   (uint64_t)INT64_MAX - 1,
                                   frequency,
                                   frequency - 1,
                                   frequency + 1};
        for (size_t k = 0; k < 200; k++) {
            seed = seed * 6364136223846793005u + 1442695040888963407u;
            uint64_t count = k < 8 ? counts[k] : seed >> (k % 64);
            if (count <= limit) {
                CHECK(ab_ticks_to_ns(count, frequency) == reference_ns(count, frequency));
            }
        }
    }
}

TEST(clock_goes_forward)
{
    CHECK_EQ(ab_clock_init(), 0);
    CHECK(ab_clock_frequency() > 0);
    uint64_t last = ab_clock_ticks();
    for (int i = 0; i < 100000; i++) {
        uint64_t now = ab_clock_ticks();
        CHECK(now >= last);
        last = now;
    }
}

TEST(clock_sleeps_at_least)
{
    CHECK_EQ(ab_clock_init(), 0);
    uint64_t before = ab_clock_now_ns();
    ab_sleep_ns(5000000);
    /* Windows may count the current tick as a whole one. */
    CHECK(ab_clock_now_ns() - before >= 2000000);
}

TEST(clock_is_measured)
{
    CHECK_EQ(ab_clock_init(), 0);
    ab_clock_quality quality = ab_clock_measure();
    CHECK(quality.step_ns > 0);
    CHECK(quality.read_ns > 0);
    CHECK(quality.read_ns < 1e7);
}

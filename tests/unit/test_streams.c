/* SPDX-License-Identifier: MIT
 *
 * The documents' generators and the digest, against known values.
 */
#include "test.h"

#include "harness/digest.h"
#include "harness/rng.h"

TEST(dotnet_random_of_one)
{
    static const uint32_t wanted[] = {534011718,  237820880,  1002897798, 1657007234,
                                      1412011072, 929393559,  760389092,  2026928803,
                                      217468053,  1379662799, 61497087,   532638534};
    static const uint32_t below[] = {4074, 1814, 7651, 12641, 10772, 7090, 5801, 15464};
    ab_rng_dotnet rng;

    ab_rng_dotnet_seed(&rng, 1);
    for (size_t i = 0; i < sizeof wanted / sizeof wanted[0]; i++) {
        CHECK_EQ(ab_rng_dotnet_next(&rng), wanted[i]);
    }
    ab_rng_dotnet_seed(&rng, 1);
    for (size_t i = 0; i < sizeof below / sizeof below[0]; i++) {
        CHECK_EQ(ab_rng_dotnet_below(&rng, 16384), below[i]);
    }
}

TEST(dotnet_random_of_other_seeds)
{
    ab_rng_dotnet rng, same;

    ab_rng_dotnet_seed(&rng, 0);
    CHECK_EQ(ab_rng_dotnet_next(&rng), 1559595546);
    CHECK_EQ(ab_rng_dotnet_next(&rng), 1755192844);
    /* The original takes the magnitude of the seed, and the least int for the greatest. */
    ab_rng_dotnet_seed(&rng, (uint32_t)-5);
    ab_rng_dotnet_seed(&same, 5);
    CHECK_EQ(ab_rng_dotnet_next(&rng), ab_rng_dotnet_next(&same));
    ab_rng_dotnet_seed(&rng, 0x80000000u);
    ab_rng_dotnet_seed(&same, 2147483647u);
    for (int i = 0; i < 1000; i++) {
        uint32_t r = ab_rng_dotnet_next(&rng);
        CHECK_EQ(r, ab_rng_dotnet_next(&same));
        CHECK(r < 2147483647u);
    }
}

TEST(msvc_rand_of_one)
{
    static const uint32_t wanted[] = {41, 18467, 6334, 26500, 19169, 15724, 11478, 29358};
    ab_rng_msvc rng = {1};

    for (size_t i = 0; i < sizeof wanted / sizeof wanted[0]; i++) {
        CHECK_EQ(ab_rng_msvc_next(&rng), wanted[i]);
    }
}

TEST(digest_is_fnv_1a)
{
    ab_stream stream = ab_stream_start();

    CHECK(stream.hash == UINT64_C(0xcbf29ce484222325));
    ab_stream_bytes(&stream, 'a', 1);
    CHECK(stream.hash == UINT64_C(0xaf63dc4c8601ec8c)); /* FNV-1a of "a" */
}

TEST(stream_counts)
{
    ab_stream stream = ab_stream_start();

    ab_stream_alloc(&stream, 0, 100);
    ab_stream_alloc(&stream, 1, 10);
    ab_stream_free(&stream, 0, 100);
    ab_stream_alloc(&stream, 0, 50);
    CHECK_EQ(stream.allocs, 3);
    CHECK_EQ(stream.frees, 1);
    CHECK_EQ(stream.live, 2);
    CHECK_EQ(stream.live_peak, 2);
    CHECK_EQ(stream.live_bytes_peak, 110);
}

/* SPDX-License-Identifier: MIT
 *
 * Seeding of the .NET generator: see rng.h. The constants and the order of the mixing passes are
 * those of System.Random, which differ from Knuth's in the place of the second index.
 */
#include "rng.h"

#include <stddef.h>

enum { MBIG = 2147483647, MSEED = 161803398 };

static uint32_t wrap_negative(uint32_t x)
{
    return x >> 31 ? x + MBIG : x;
}

void ab_rng_dotnet_seed(ab_rng_dotnet *rng, uint32_t seed)
{
    /* |seed| as the original takes it: the least int becomes the greatest. */
    uint32_t magnitude = seed == 0x80000000u ? MBIG : seed >> 31 ? 0u - seed : seed;
    uint32_t mj = MSEED - magnitude;
    uint32_t mk = 1;

    *rng = (ab_rng_dotnet){.next = 0, .next_p = 21};
    rng->a[55] = mj;
    for (uint32_t i = 1; i < 55; i++) {
        uint32_t ii = (21 * i) % 55;
        rng->a[ii] = mk;
        mk = wrap_negative(mj - mk);
        mj = rng->a[ii];
    }
    for (int pass = 0; pass < 4; pass++) {
        for (uint32_t i = 1; i < 56; i++) {
            rng->a[i] = wrap_negative(rng->a[i] - rng->a[1 + (i + 30) % 55]);
        }
    }
}

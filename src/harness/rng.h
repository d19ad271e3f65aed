/* SPDX-License-Identifier: MIT
 *
 * The documents' own random numbers, and the harness's. State belongs to the caller; equal seeds
 * give equal streams on every machine.
 */
#ifndef AB_HARNESS_RNG_H
#define AB_HARNESS_RNG_H

#include "allocbench/compiler.h"

#include <stdint.h>

/* System.Random(seed) of .NET: Knuth's subtractive generator as that library has it, with the
 * second index at 21. Arithmetic is unsigned, so that it wraps as the original does. */
typedef struct ab_rng_dotnet {
    uint32_t a[56]; /* a[0] is unused */
    uint32_t next, next_p;
} ab_rng_dotnet;
void ab_rng_dotnet_seed(ab_rng_dotnet *rng, uint32_t seed);

/* In [0, 2147483647). */
static AB_ALWAYS_INLINE uint32_t ab_rng_dotnet_next(ab_rng_dotnet *rng)
{
    uint32_t next = rng->next == 55 ? 1 : rng->next + 1;
    uint32_t next_p = rng->next_p == 55 ? 1 : rng->next_p + 1;
    uint32_t r = rng->a[next] - rng->a[next_p];

    r -= r == 2147483647u;
    r += 2147483647u & (0u - (r >> 31)); /* no branch: the sign is a coin's throw */
    rng->a[next] = r;
    rng->next = next;
    rng->next_p = next_p;
    return r;
}

/* In [0, n), n < 2^31: floor(r * n / 2147483647), which equals the original's floating-point form.
 */
static AB_ALWAYS_INLINE uint32_t ab_rng_dotnet_below(ab_rng_dotnet *rng, uint32_t n)
{
    return (uint32_t)((uint64_t)ab_rng_dotnet_next(rng) * n / 2147483647u);
}

/* rand() of the Microsoft C library: in [0, 32768). */
typedef struct ab_rng_msvc {
    uint32_t state; /* = the seed */
} ab_rng_msvc;

static AB_ALWAYS_INLINE uint32_t ab_rng_msvc_next(ab_rng_msvc *rng)
{
    rng->state = rng->state * 214013u + 2531011u;
    return (rng->state >> 16) & 0x7fffu;
}

/* The harness's own choices (orders, padding): splitmix64. */
typedef struct ab_rng {
    uint64_t state; /* = the seed */
} ab_rng;

static inline uint64_t ab_rng_next(ab_rng *rng)
{
    uint64_t z = rng->state += UINT64_C(0x9e3779b97f4a7c15);

    z = (z ^ (z >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
    z = (z ^ (z >> 27)) * UINT64_C(0x94d049bb133111eb);
    return z ^ (z >> 31);
}

/* In [0, n), n > 0; the bias of 64-bit modulo is below n / 2^64. */
static inline uint64_t ab_rng_below(ab_rng *rng, uint64_t n)
{
    return ab_rng_next(rng) % n;
}

#endif

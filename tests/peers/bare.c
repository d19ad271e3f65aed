/* SPDX-License-Identifier: MIT
 *
 * churn without a harness: a table of slots, malloc and free, a clock around it. Prints nanoseconds
 * per operation of the middle one of some rounds. Under LD_PRELOAD it tells what another malloc
 * costs. Arguments: bytes of an object, operations of a round, rounds.
 */
#define _POSIX_C_SOURCE 200809L
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

enum { SLOTS = 32768, ROUNDS_MAX = 100 };

static double now_ns(void)
{
    struct timespec t;

    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec * 1e9 + (double)t.tv_nsec;
}

static int by_value(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

int main(int argc, char **argv)
{
    static void *slot[SLOTS];
    size_t bytes = argc > 1 ? strtoull(argv[1], NULL, 10) : 64;
    long ops = argc > 2 ? strtol(argv[2], NULL, 10) : 262144;
    int rounds = argc > 3 ? (int)strtol(argv[3], NULL, 10) : 9;
    double ns[ROUNDS_MAX];
    uint32_t state = 1;

    rounds = rounds < 1 ? 1 : rounds > ROUNDS_MAX ? ROUNDS_MAX : rounds;
    for (int round = -1; round < rounds; round++) { /* the first one fills the table */
        double begin_ns = now_ns();
        for (long n = 0; n < ops; n++) {
            state = state * 214013u + 2531011u;
            unsigned i = (state >> 16) & (SLOTS - 1);
            if (slot[i] != NULL) {
                free(slot[i]);
            }
            slot[i] = malloc(bytes);
            __asm__ volatile("" : : "r"(slot[i]) : "memory");
        }
        if (round >= 0) {
            ns[round] = (now_ns() - begin_ns) / (double)ops;
        }
    }
    qsort(ns, (size_t)rounds, sizeof ns[0], by_value);
    printf("%.4f\n", ns[rounds / 2]);
    return 0;
}

/* SPDX-License-Identifier: MIT
 *
 * See turns.h. E. J. Williams, Experimental designs balanced for the estimation of residual effects
 * of treatments, 1949: the first row zigzags 0, 1, n-1, 2, n-2, ...; the others are its shifts, and
 * for odd n the mirror images of all of them follow.
 */
#include "turns.h"
#include "rng.h"

#include <stdlib.h>

static bool make_room(size_t cells, unsigned rounds, ab_turns *out)
{
    *out = (ab_turns){calloc(cells * rounds + 1, sizeof *out->turn), 0};
    return out->turn != NULL;
}

static void append(ab_turns *turns, size_t cell, unsigned round, size_t position)
{
    turns->turn[turns->count++] = (ab_turn_at){cell, round, (unsigned)position};
}

bool ab_turns_in_sequence(size_t cells, unsigned rounds, ab_turns *out)
{
    if (!make_room(cells, rounds, out)) {
        return false;
    }
    for (size_t cell = 0; cell < cells; cell++) {
        for (unsigned round = 0; round < rounds; round++) {
            append(out, cell, round, 0);
        }
    }
    return true;
}

/* Who stands at a place of a row of the square, before the permutation. */
static size_t square_at(size_t cells, size_t row, size_t place)
{
    bool is_mirrored = row >= cells;
    size_t at = is_mirrored ? cells - 1 - place : place;
    size_t zigzag = at % 2 == 1 ? (at + 1) / 2 : (cells - at / 2) % cells;

    return (zigzag + row) % cells;
}

bool ab_turns_in_lockstep(size_t cells, unsigned rounds, uint64_t seed, ab_turns *out)
{
    size_t rows = cells % 2 == 0 ? cells : 2 * cells;
    size_t *permuted = calloc(cells + 1, sizeof *permuted);
    ab_rng rng = {seed};

    if (permuted == NULL || !make_room(cells, rounds, out)) {
        free(permuted);
        return false;
    }
    for (size_t i = 0; i < cells; i++) {
        size_t j = (size_t)ab_rng_below(&rng, i + 1);
        permuted[i] = permuted[j];
        permuted[j] = i;
    }
    for (unsigned round = 0; round < rounds; round++) {
        for (size_t place = 0; place < cells; place++) {
            append(out, permuted[square_at(cells, round % rows, place)], round, place);
        }
    }
    free(permuted);
    return true;
}

void ab_turns_free(ab_turns *turns)
{
    free(turns->turn);
    *turns = (ab_turns){0};
}

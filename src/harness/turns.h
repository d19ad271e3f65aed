/* SPDX-License-Identifier: MIT
 *
 * The order in which the workers of a group take their turns, fixed beforehand. Pure functions; a
 * list belongs to its caller.
 */
#ifndef AB_HARNESS_TURNS_H
#define AB_HARNESS_TURNS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct ab_turn_at {
    size_t cell;
    unsigned round;
    unsigned position; /* place in the round, 0 = first */
} ab_turn_at;

typedef struct ab_turns {
    ab_turn_at *turn; /* from malloc */
    size_t count;
} ab_turns;

/* Every cell runs all its rounds before the next one starts. false: no memory. */
bool ab_turns_in_sequence(size_t cells, unsigned rounds, ab_turns *out);

/* One round each in turn. Round r follows row r of a Williams square over the cells (n rows; 2n
 * where n is odd; from the top again when there are more rounds), in which every cell stands at
 * every place, and behind every other cell, equally often. The cells are permuted by a draw from
 * `seed`, which should differ from process to process. false: no memory. */
bool ab_turns_in_lockstep(size_t cells, unsigned rounds, uint64_t seed, ab_turns *out);

void ab_turns_free(ab_turns *turns);

#endif

/* SPDX-License-Identifier: MIT
 *
 * The order of turns: every cell once a round, every place and every predecessor equally often.
 */
#include "test.h"

#include "harness/turns.h"

enum { CELLS_MAX = 12 };

static void check_balance(size_t cells, unsigned rounds, uint64_t seed)
{
    unsigned at[CELLS_MAX][CELLS_MAX] = {{0}}, behind[CELLS_MAX][CELLS_MAX] = {{0}};
    ab_turns turns;

    CHECK(ab_turns_in_lockstep(cells, rounds, seed, &turns));
    CHECK_EQ(turns.count, cells * rounds);
    for (size_t i = 0; i < turns.count; i++) {
        const ab_turn_at *turn = &turns.turn[i];
        CHECK_EQ(turn->round, i / cells);
        CHECK_EQ(turn->position, i % cells);
        CHECK(turn->cell < cells);
        at[turn->cell][turn->position]++;
        if (turn->position > 0) {
            behind[turn->cell][turns.turn[i - 1].cell]++;
        }
    }
    for (size_t a = 0; a < cells; a++) {
        for (size_t b = 0; b < cells; b++) {
            CHECK_EQ(at[a][b] * cells, rounds);
            CHECK_EQ(behind[a][b] * cells, a == b ? 0 : rounds);
        }
    }
    ab_turns_free(&turns);
}

TEST(squares_are_balanced)
{
    for (size_t cells = 2; cells <= CELLS_MAX; cells++) {
        unsigned rows = (unsigned)(cells % 2 == 0 ? cells : 2 * cells);
        check_balance(cells, rows, 1);
        check_balance(cells, 3 * rows, 99);
    }
}

TEST(one_cell_has_one_order)
{
    ab_turns turns;

    CHECK(ab_turns_in_lockstep(1, 3, 5, &turns));
    CHECK_EQ(turns.count, 3);
    CHECK_EQ(turns.turn[2].round, 2);
    ab_turns_free(&turns);
    CHECK(ab_turns_in_lockstep(0, 3, 5, &turns));
    CHECK_EQ(turns.count, 0);
    ab_turns_free(&turns);
}

TEST(every_round_holds_every_cell_once)
{
    for (uint64_t seed = 0; seed < 50; seed++) {
        ab_turns turns;
        CHECK(ab_turns_in_lockstep(5, 7, seed, &turns));
        for (size_t round = 0; round < 7; round++) {
            unsigned seen = 0;
            for (size_t place = 0; place < 5; place++) {
                seen |= 1u << turns.turn[round * 5 + place].cell;
            }
            CHECK_EQ(seen, 31);
        }
        ab_turns_free(&turns);
    }
}

TEST(seeds_change_the_order)
{
    bool differs = false;

    for (uint64_t seed = 1; seed < 20 && !differs; seed++) {
        ab_turns a, b;
        CHECK(ab_turns_in_lockstep(6, 1, 0, &a) && ab_turns_in_lockstep(6, 1, seed, &b));
        differs = memcmp(a.turn, b.turn, 6 * sizeof *a.turn) != 0;
        ab_turns_free(&a);
        ab_turns_free(&b);
    }
    CHECK(differs);
}

TEST(sequence_goes_cell_by_cell)
{
    ab_turns turns;

    CHECK(ab_turns_in_sequence(2, 3, &turns));
    CHECK_EQ(turns.count, 6);
    CHECK_EQ(turns.turn[2].cell, 0);
    CHECK_EQ(turns.turn[3].cell, 1);
    CHECK_EQ(turns.turn[3].round, 0);
    ab_turns_free(&turns);
}

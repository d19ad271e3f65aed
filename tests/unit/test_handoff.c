/* SPDX-License-Identifier: MIT
 *
 * What handoff says of heaps that do not do their work, by pattern: its proof finds it and its
 * passes end.
 */
#include "test_cell.h"

#include "harness/team.h"
#include "os/sanitizer.h"

#include <stdint.h>

/* A heap that does something wrong at some allocations. When it does, it hands out one place after
 * the other and takes none back, since what a failed proof leaves behind is nobody's. */
enum { PLACE_BYTES = 96, PLACES = 20000 };
static _Alignas(16) unsigned char places[PLACES][PLACE_BYTES];
typedef enum wrong { NOTHING, SAME_AGAIN, MISALIGNED, EXHAUSTED } wrong;
static wrong what;
static _Atomic unsigned allocations;
static _Atomic(void *) kept;

static int broken_open(const ab_backend_config *config, ab_heap **out)
{
    *out = (ab_heap *)config->pages;
    return 0;
}

static void *broken_alloc(ab_heap *heap, size_t bytes)
{
    unsigned number = atomic_fetch_add(&allocations, 1);
    void *object;

    (void)heap;
    if (what == EXHAUSTED && number >= 100) {
        return NULL;
    }
    if (what == SAME_AGAIN && number >= 10 && number % 2 == 1 &&
        (object = atomic_load(&kept)) != NULL) {
        return object; /* which is in use */
    }
    CHECK(what == NOTHING || (bytes < PLACE_BYTES && number < PLACES));
    object = what == NOTHING ? malloc(bytes) : places[number];
    if (what == SAME_AGAIN) {
        atomic_store(&kept, object);
    }
    return what == MISALIGNED && number == 50 ? (char *)object + 1 : object;
}

static void broken_free(ab_heap *heap, void *p, size_t bytes)
{
    (void)heap, (void)bytes;
    if (what == NOTHING) {
        free(p);
    }
}

static void broken_close(ab_heap *heap)
{
    (void)heap;
}

static const ab_backend broken = {
    .abi = AB_BACKEND_ABI,
    .can = AB_BACKEND_FREES_ONE | AB_BACKEND_ANY_SIZE | AB_BACKEND_THREAD_SAFE,
    .name = "broken",
    .max_object_bytes = SIZE_MAX,
    .alignment = 16,
    .open = broken_open,
    .alloc = broken_alloc,
    .free = broken_free,
    .close = broken_close,
};

static test_cell cell;
static ab_team team;
static ab_contender contender;

static const ab_operation_state *run_broken(const char *pattern, unsigned threads, wrong how,
                                            bool runs)
{
    char id[200];
    ab_error error;

    snprintf(id, sizeof id,
             "scenario=handoff;backend=malloc;seed=1;pattern=%s;threads=%u;size=64;ops=2000;"
             "dispatch=indirect",
             pattern, threads);
    CHECK_EQ(ab_clock_init(), 0);
    CHECK(ab_cell_id_read(id, &cell.id, &error));
    contender = *cell.id.contender;
    contender.backend = &broken;
    cell.run = (ab_run){.scenario = cell.id.scenario,
                        .contender = &contender,
                        .params = cell.id.params.bytes,
                        .seed = cell.id.seed,
                        .meter = &cell.meter};
    ab_meter_init(&cell.meter, 1, 0);
    ab_pages_init(&cell.run.pages);
    cell.run.config.pages = &cell.run.pages;
    what = how;
    atomic_store(&allocations, 0);
    atomic_store(&kept, NULL);
    ab_team_init(&team, &cell.run, -1);
    CHECK(ab_team_open(&cell.run));
    if (runs) {
        ab_run_round(&cell.run, false);
    } else {
        ab_team_prove(&cell.run);
    }
    return &cell.meter.operation[0];
}

static void end_broken(void)
{
    ab_team_close(&cell.run);
    ab_meter_close(&cell.meter);
}

static const char *const patterns[] = {"pair", "ring", "shared", "adjacent"};

static void expect_of_all(wrong how, bool runs, ab_status status, const char *reason)
{
    for (size_t i = 0; i < sizeof patterns / sizeof patterns[0]; i++) {
        for (unsigned threads = 2; threads <= 4; threads += 2) {
            const ab_operation_state *state = run_broken(patterns[i], threads, how, runs);
            if (state->status != status || strstr(state->reason, reason) == NULL) {
                FAIL("%s, %u threads: %s", patterns[i], threads, state->reason);
            }
            end_broken();
        }
    }
}

TEST(sound_heap)
{
    expect_of_all(NOTHING, false, AB_STATUS_OK, "");
    expect_of_all(NOTHING, true, AB_STATUS_OK, "");
}

TEST(proof_finds_objects_in_use)
{
    if (AB_HAS_SHADOW) {
        SKIP("a sanitizer sees the race that is to be found here");
    }
    for (size_t i = 0; i < 3; i++) { /* adjacent looks at addresses: below */
        CHECK_EQ(run_broken(patterns[i], 2, SAME_AGAIN, false)->status, AB_STATUS_FAILED);
        CHECK(strstr(cell.meter.operation[0].reason, "was overwritten") != NULL);
        end_broken();
    }
    CHECK_EQ(run_broken("adjacent", 2, SAME_AGAIN, false)->status, AB_STATUS_FAILED);
    CHECK(strstr(cell.meter.operation[0].reason, "overlap") != NULL);
    end_broken();
}

TEST(proof_finds_misaligned)
{
    expect_of_all(MISALIGNED, false, AB_STATUS_FAILED, "misaligned");
}

TEST(proof_ends_without_memory)
{
    expect_of_all(EXHAUSTED, false, AB_STATUS_NOMEM, "got no memory");
}

TEST(pass_ends_without_memory)
{
    expect_of_all(EXHAUSTED, true, AB_STATUS_NOMEM, "no memory");
}

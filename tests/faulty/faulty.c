/* SPDX-License-Identifier: MIT
 *
 * A scenario whose contenders misbehave, so that the tests see what becomes of them. A pass is two
 * milliseconds of work, hence a round is one pass; a fault happens in the contender's own function,
 * which knows point and round. Linked with the program's own main and harness.
 */
#include "broken_heaps.h"
#include "faulty.h"

#include "harness/sampler.h"
#include "harness/scenario.h"
#include "os/clock.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { WORK, OPERATIONS };
enum { OBJECTS = 16, OBJECT_BYTES = 256 };
#define EAT_AT_MOST ((size_t)1 << 30) /* the limit that the test sets is far below */

typedef struct faulty_params {
    uint64_t point, ops;
} faulty_params;

static const ab_param params[] = {
    AB_PARAM_COUNT("point", NULL, faulty_params, point, AB_IN_KEY, 1, 1000, "1",
                   "number of the group"),
    AB_PARAM_COUNT("ops", NULL, faulty_params, ops, AB_IN_VARIANT, 1, 1000000, "1000",
                   "operations"),
};

static uint64_t point_of(const ab_run *run)
{
    return ((const faulty_params *)run->params)->point;
}

static void work(ab_run *run)
{
    const uint64_t pass_ns = 2000000;
    uint64_t begin_ns = ab_clock_now_ns();

    ab_start(run);
    while (ab_clock_now_ns() - begin_ns < pass_ns) {
        AB_KEEP(&begin_ns);
    }
    ab_stop(run, WORK, ((const faulty_params *)run->params)->ops);
}

/* --- the faults --- */

static void write_through_null(void)
{
    volatile int *volatile nowhere = NULL;
    *nowhere = 1;
}

static void busy_forever(void)
{
    for (volatile unsigned turns = 0;; turns++) {
    }
}

static void pass_well(ab_run *run, unsigned part)
{
    (void)part;
    work(run);
}

static void pass_crash(ab_run *run, unsigned part)
{
    (void)part;
    write_through_null();
    work(run);
}

static void pass_late_crash(ab_run *run, unsigned part)
{
    static unsigned round;

    (void)part;
    round += run->meter->operation[WORK].ticks == 0; /* the first pass of a round */
    if (round == 3) {
        write_through_null();
    }
    work(run);
}

static void pass_abort(ab_run *run, unsigned part)
{
    (void)run;
    (void)part;
    abort();
}

static void pass_exit3(ab_run *run, unsigned part)
{
    (void)run;
    (void)part;
    exit(3);
}

static void pass_hang(ab_run *run, unsigned part)
{
    (void)run;
    (void)part;
    busy_forever();
}

static void pass_sleep(ab_run *run, unsigned part)
{
    (void)run;
    (void)part;
    faulty_sleep();
}

static void pass_late_hang(ab_run *run, unsigned part)
{
    if (point_of(run) >= 2) {
        pass_hang(run, part);
    }
    work(run);
}

static void pass_late_sleep(ab_run *run, unsigned part)
{
    if (point_of(run) >= 2) {
        pass_sleep(run, part);
    }
    work(run);
}

static void pass_eat(ab_run *run, unsigned part)
{
    const size_t bite = 1 << 20;
    size_t eaten = 0;
    void *block;

    (void)part;
    while (eaten < EAT_AT_MOST && (block = malloc(bite)) != NULL) {
        memset(block, 1, bite);
        AB_KEEP(block);
        eaten += bite;
    }
    if (eaten < EAT_AT_MOST) {
        ab_fail(run, WORK, AB_STATUS_NOMEM, "no more after %zu MiB", eaten >> 20);
    } else {
        ab_fail(run, WORK, AB_STATUS_FAILED, "nothing stopped it");
    }
}

static void pass_elided(ab_run *run, unsigned part)
{
    (void)part;
    work(run);
    run->meter->operation[WORK].sample.ops = UINT64_C(1) << 40;
}

static void pass_chatty(ab_run *run, unsigned part)
{
    (void)part;
    printf("granularity,alloc,1,2,3\n.\ns 0 1 1 1 1 1 1 1 1\n");
    fflush(stdout);
    fprintf(stderr, "chatty says something\n");
    work(run);
}

static void pass_nonsense(ab_run *run, unsigned part)
{
    static const char text[] = "\x01\xff nonsense, not an answer\n";

    (void)part;
    faulty_answer(text, sizeof text - 1);
    work(run);
}

static void pass_endless(ab_run *run, unsigned part)
{
    static char text[5000]; /* without LF */

    (void)part;
    memset(text, 'x', sizeof text);
    faulty_answer(text, sizeof text);
    work(run);
}

static void pass_stranger(ab_run *run, unsigned part)
{
    static const char text[] = "f 9 failed of an operation that there is not\n";

    (void)part;
    faulty_answer(text, sizeof text - 1);
    work(run);
}

/* --- the table --- */

static const ab_contender contenders[] = {
#define OWN(id, text, function)                                                                    \
    {                                                                                              \
        .own_name = id, .own_summary = text, .pass = function                                      \
    }
    OWN("well", "does what it should", pass_well),
    OWN("crash", "writes through NULL", pass_crash),
    OWN("late-crash", "the same in its third round", pass_late_crash),
    OWN("prove-crash", "the same in the proof", pass_well),
    OWN("prove-hang", "busy forever in the proof", pass_well),
    OWN("abort", "calls abort", pass_abort),
    OWN("exit3", "calls exit(3)", pass_exit3),
    OWN("hang", "busy forever", pass_hang),
    OWN("sleep", "blocked forever", pass_sleep),
    OWN("late-hang", "busy forever from point 2 on", pass_late_hang),
    OWN("late-sleep", "blocked forever from point 2 on", pass_late_sleep),
    OWN("eat", "takes memory until it is refused", pass_eat),
    OWN("huge", "says that it needs more memory than there is", pass_crash),
    OWN("elided", "says that it did more than it can have done", pass_elided),
    OWN("chatty", "writes to stdout and stderr", pass_chatty),
    OWN("nonsense", "sends the coordinator nonsense", pass_nonsense),
    OWN("endless", "sends the coordinator a line without an end", pass_endless),
    OWN("stranger", "answers about an operation that there is not", pass_stranger),
    {.backend = &broken_overlapping, .pass = pass_well},
    {.backend = &broken_misaligned, .pass = pass_well},
    {.backend = &broken_overwriting, .pass = pass_well},
    {.backend = &broken_exhausted, .pass = pass_well},
    {.backend = &broken_unopenable, .pass = pass_well},
};

static bool is_named(const ab_run *run, const char *name)
{
    return strcmp(ab_contender_name(run->contender), name) == 0;
}

static bool complete(void *params_bytes, const ab_page_info *info, ab_error *error)
{
    (void)params_bytes;
    (void)info;
    (void)error;
    return true;
}

static ab_key key(const void *params_bytes)
{
    return (ab_key){AB_NO_COUNT, ((const faulty_params *)params_bytes)->point, 1};
}

static uint32_t operations_of(const ab_contender *contender, const void *params_bytes)
{
    (void)contender;
    (void)params_bytes;
    return 1u << WORK;
}

static uint64_t footprint_bytes(const ab_contender *contender, const void *params_bytes)
{
    (void)params_bytes;
    return strcmp(ab_contender_name(contender), "huge") == 0 ? UINT64_MAX / 2 : 1 << 20;
}

static double estimate_ns(const ab_contender *contender, const void *params_bytes,
                          const ab_prices *prices)
{
    (void)contender;
    (void)params_bytes;
    (void)prices;
    return 2e6;
}

static bool open_heap(ab_run *run)
{
    const ab_backend *backend = run->contender->backend;
    int code;

    run->config.object_bytes = OBJECT_BYTES;
    run->config.live_objects = OBJECTS;
    code = backend == NULL ? 0 : backend->open(&run->config, &run->heap[0]);
    if (code != 0) {
        ab_fail(run, WORK, AB_STATUS_NOMEM, "the heap cannot be opened: OS error %d", code);
    } else if (backend != NULL) {
        run->heap_count = 1;
    }
    return code == 0;
}

static void prove(ab_run *run)
{
    ab_contents contents;
    void **slot = ab_scratch(run, OBJECTS * sizeof *slot);

    if (is_named(run, "prove-crash")) {
        write_through_null();
    } else if (is_named(run, "prove-hang")) {
        busy_forever();
    }
    if (slot == NULL) {
        ab_fail(run, WORK, AB_STATUS_NOMEM, "no memory for the proof");
    }
    if (run->contender->backend == NULL || slot == NULL ||
        !ab_contents_open(&contents, run, WORK, slot, OBJECTS)) {
        return;
    }
    bool ok = true;
    for (size_t i = 0; i < OBJECTS && ok; i++) {
        ok = ab_contents_alloc(&contents, i, OBJECT_BYTES);
    }
    ok = ok && ab_contents_are_apart(&contents);
    for (size_t i = 0; i < OBJECTS && ok; i++) {
        ok = ab_contents_free(&contents, i);
    }
    ab_contents_close(&contents);
}

static void close_heap(ab_run *run)
{
    if (run->contender->backend != NULL) {
        run->contender->backend->close(run->heap[0]);
    }
}

static const ab_operation operations[OPERATIONS] = {[WORK] = {"work", true}};

const ab_scenario ab_scenario_faulty = {
    .name = "faulty",
    .summary = "contenders that misbehave",
    .params = params,
    .param_count = sizeof params / sizeof params[0],
    .params_bytes = sizeof(faulty_params),
    .scale = {{"point=1", 2, 3}, {"point=1", 2, 3}, {"point=1", 2, 3}},
    .default_backends = "well",
    .operations = operations,
    .operation_count = OPERATIONS,
    .part_count = 1,
    .contenders = contenders,
    .contender_count = sizeof contenders / sizeof contenders[0],
    .rounds_offset = SIZE_MAX,
    .ops_offset = SIZE_MAX,
    .complete = complete,
    .key = key,
    .operations_of = operations_of,
    .footprint_bytes = footprint_bytes,
    .estimate_ns = estimate_ns,
    .open = open_heap,
    .prove = prove,
    .close = close_heap,
};

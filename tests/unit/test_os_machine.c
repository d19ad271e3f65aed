/* SPDX-License-Identifier: MIT
 *
 * CPUs, usage counters, memory figures and machine facts: plausible, and well formed.
 */
#include "test.h"

#include "os/clock.h"
#include "os/cpu.h"
#include "os/facts.h"
#include "os/findings.h"
#include "os/usage.h"

#include <stdbool.h>

TEST(cpu_pins)
{
    int cpu = ab_cpu_default();

    CHECK(ab_cpu_count() >= 1);
    CHECK(ab_cpu_pin(-1) > 0);
    CHECK(ab_cpu_pin(1 << 20) > 0);
    if (cpu < 0) {
        CHECK(ab_cpu_pin(0) > 0);
        SKIP("this platform cannot pin");
    }
    CHECK_EQ(ab_cpu_pin(cpu), 0);
}

/* Burns time until the counters move, however coarse they are. */
TEST(usage_counts_time)
{
    ab_usage before;
    ab_usage after;

    CHECK(ab_usage_tick_ns() > 0);
    ab_usage_read(&before);
    CHECK(before.user_ns != AB_UNKNOWN && before.sys_ns != AB_UNKNOWN);
    do {
        for (int i = 0; i < 1000000; i++) {
            AB_KEEP(&i);
        }
        ab_usage_read(&after);
        CHECK(after.user_ns >= before.user_ns && after.sys_ns >= before.sys_ns);
    } while (after.user_ns + after.sys_ns == before.user_ns + before.sys_ns);
}

TEST(usage_counts_faults)
{
    enum { BYTES = 32 << 20 };
    ab_usage before;
    ab_usage after;

    ab_usage_read(&before);
    if (before.minor_faults == AB_UNKNOWN) {
        SKIP("page faults are not counted here");
    }
    char *block = malloc(BYTES);
    CHECK(block != NULL);
    memset(block, 1, BYTES);
    AB_KEEP(block);
    ab_usage_read(&after);
    free(block);
    CHECK(after.minor_faults > before.minor_faults);
}

TEST(memory_figures)
{
    enum { BYTES = 32 << 20 };
    ab_memory before;
    ab_memory after;

    ab_memory_read(&before);
    char *block = malloc(BYTES);
    CHECK(block != NULL);
    memset(block, 1, BYTES);
    AB_KEEP(block);
    ab_memory_read(&after);
    free(block);
    if (before.resident_bytes != AB_UNKNOWN) {
        CHECK(before.resident_bytes > 0);
        CHECK(after.resident_bytes >= before.resident_bytes + BYTES / 2);
    }
    if (before.peak_resident_bytes != AB_UNKNOWN) {
        CHECK(after.peak_resident_bytes >= before.peak_resident_bytes + BYTES / 2);
    }
    if (before.mapped_bytes != AB_UNKNOWN) {
        CHECK(after.mapped_bytes >= before.mapped_bytes + BYTES);
    }
    CHECK(ab_memory_available_bytes() > 0);
}

static int fact_count;
static int os_count;
static int warning_count;

static void check_fact(void *context, const char *key, const char *value)
{
    CHECK(context == &fact_count);
    CHECK(key[0] != '\0' && key[strspn(key, "abcdefghijklmnopqrstuvwxyz0123456789_")] == '\0');
    CHECK(value[0] != '\0' && value[0] != ' ' && value[strlen(value) - 1] != ' ');
    for (const char *c = value; *c != '\0'; c++) {
        CHECK((unsigned char)*c >= 0x20 && *c != 0x7f);
    }
    printf("%s: %s\n", key, value);
    fact_count++;
    os_count += strcmp(key, "os") == 0;
    warning_count += strncmp(key, "warning", 7) == 0;
}

TEST(facts_are_well_formed)
{
    size_t count = 0;
    const ab_finding *findings = ab_findings(&count);
    int present = 0;

    ab_machine_facts(check_fact, &fact_count);
    CHECK(fact_count >= 4);
    CHECK_EQ(os_count, 1);
    for (size_t i = 0; i < count; i++) {
        char what[128] = {0};
        CHECK(findings[i].name[0] != '\0' && findings[i].effect[0] != '\0');
        CHECK(findings[i].remedy[0] != '\0');
        if (findings[i].is_present(what, sizeof what)) {
            CHECK(what[0] != '\0');
            present++;
        }
    }
    /* The load may have crossed its limit in between. */
    CHECK(present >= warning_count - 1 && present <= warning_count + 1);
}

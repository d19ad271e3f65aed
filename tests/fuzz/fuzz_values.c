/* SPDX-License-Identifier: MIT
 *
 * Values and lists: the first byte chooses what is parsed. What is accepted lies in its domain, and
 * its canonical text parses to the same value.
 */
#include "fuzz.h"

#include "harness/values.h"

static const ab_domain domains[] = {
    {AB_SIZE, 1, UINT64_MAX, NULL},
    {AB_COUNT, 0, 4294967295u, NULL},
    {AB_COUNT, 5, 5000, NULL},
    {AB_MIX, 1, (uint64_t)1 << 40, NULL},
    {AB_CHOICE, 0, 0, "none|first|read|write|all|populate"},
};
enum { DOMAINS = sizeof domains / sizeof domains[0] };

static void check_value(const ab_value *value, const ab_domain *domain)
{
    char text[256], text_again[256];
    ab_list again;
    ab_error error;

    ab_value_print(value, domain, text, sizeof text);
    FUZZ_CHECK(ab_list_parse(text, domain, &again, &error));
    FUZZ_CHECK(again.count == 1);
    ab_value_print(&again.item[0], domain, text_again, sizeof text_again);
    FUZZ_CHECK(strcmp(text, text_again) == 0);
    ab_list_free(&again);
    if (domain->kind == AB_SIZE || domain->kind == AB_COUNT) {
        FUZZ_CHECK(value->number >= domain->min && value->number <= domain->max);
    }
}

static void parse_list(const char *text, const ab_domain *domain)
{
    ab_list list;
    ab_error error = {{0}};

    if (!ab_list_parse(text, domain, &list, &error)) {
        FUZZ_CHECK(fuzz_is_line(error.text, sizeof error.text));
        return;
    }
    FUZZ_CHECK(list.count >= 1 && list.count <= AB_LIST_MAX);
    for (size_t i = 0; i < list.count; i++) {
        check_value(&list.item[i], domain);
    }
    ab_list_free(&list);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static const char *const names[] = {"granularity", "churn", "batch", "map", "growth", NULL};

    if (size == 0) {
        return 0;
    }
    char *text = fuzz_text(data + 1, size - 1);
    unsigned chosen = data[0] % (DOMAINS + 3);
    ab_error error = {{0}};
    uint64_t ns;
    double pct;
    bool is_fine = true;

    if (chosen < DOMAINS) {
        parse_list(text, &domains[chosen]);
    } else if (chosen == DOMAINS) {
        is_fine = ab_duration_parse(text, &ns, &error);
    } else if (chosen == DOMAINS + 1) {
        is_fine = ab_percent_parse(text, &pct, &error);
        FUZZ_CHECK(!is_fine || (pct >= 0 && pct <= 100));
    } else {
        ab_suggest(text, names);
    }
    FUZZ_CHECK(is_fine || fuzz_is_line(error.text, sizeof error.text));
    free(text);
    return 0;
}

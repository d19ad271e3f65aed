/* SPDX-License-Identifier: MIT
 *
 * The grammar of option values: what is taken, what is refused and with which words.
 */
#include "test.h"

#include "harness/values.h"

static const ab_domain sizes = {AB_SIZE, 1, UINT64_C(1) << 40, NULL};
static const ab_domain mixes = {AB_MIX, 1, UINT64_C(1) << 40, NULL};
static const ab_domain choices = {AB_CHOICE, 0, 0, "none|first|all"};

static ab_list parsed(const char *text, const ab_domain *domain)
{
    ab_list list;
    ab_error error;

    if (!ab_list_parse(text, domain, &list, &error)) {
        FAIL("'%s' was refused: %s", text, error.text);
    }
    return list;
}

static void check_numbers(const char *text, size_t count, const uint64_t *numbers)
{
    ab_list list = parsed(text, &sizes);

    CHECK_EQ(list.count, count);
    for (size_t i = 0; i < count; i++) {
        CHECK_EQ(list.item[i].number, numbers[i]);
    }
    ab_list_free(&list);
}

static void check_refused(const char *text, const ab_domain *domain, const char *words)
{
    ab_list list;
    ab_error error;

    CHECK(!ab_list_parse(text, domain, &list, &error));
    if (strstr(error.text, words) == NULL || strstr(error.text, text) == NULL) {
        FAIL("'%s' was refused with: %s", text, error.text);
    }
}

TEST(sizes_are_binary)
{
    check_numbers("4096", 1, (const uint64_t[]){4096});
    check_numbers("64K", 1, (const uint64_t[]){65536});
    check_numbers("64KiB,1M,1MiB,1G", 4, (const uint64_t[]){65536, 1048576, 1048576, 1073741824});
}

TEST(ranges_double_multiply_or_add)
{
    check_numbers("4..32", 4, (const uint64_t[]){4, 8, 16, 32});
    check_numbers("4..100:x4", 3, (const uint64_t[]){4, 16, 64});
    check_numbers("1M..2M:+512K", 3, (const uint64_t[]){1048576, 1572864, 2097152});
    check_numbers("7..7", 1, (const uint64_t[]){7});
}

TEST(bad_sizes_are_refused)
{
    check_refused("0", &sizes, "not between");
    check_refused("-1", &sizes, "not a whole number");
    check_refused("4k..1k", &sizes, "downwards; write 1K..4K");
    check_refused("64K..256M:x1", &sizes, "never ends");
    check_refused("64K..256M:+0", &sizes, "never ends");
    check_refused("1e3", &sizes, "not a whole number");
    check_refused("4096q", &sizes, "not a whole number");
    check_refused("99999999999G", &sizes, "too large");
    check_refused("18446744073709551616", &sizes, "too large");
    check_refused("", &sizes, "empty");
    check_refused("4,,8", &sizes, "empty item");
    check_refused("4..", &sizes, "not a whole number");
    check_refused("4..8:2", &sizes, "not a range");
    check_refused("4..8:x2x", &sizes, "behind its step");
    check_refused(" 4", &sizes, "not a whole number");
    check_refused("+4", &sizes, "not a whole number");
    check_refused("1..1000000:+1", &sizes, "more than");
}

TEST(range_ends_at_the_top_of_the_type)
{
    const ab_domain all = {AB_SIZE, 1, UINT64_MAX, NULL};
    ab_list list = parsed("4611686018427387904..18446744073709551615", &all);

    CHECK_EQ(list.count, 2);
    ab_list_free(&list);
}

TEST(mixes)
{
    ab_list list = parsed("4+8+12,16", &mixes);

    CHECK_EQ(list.count, 2);
    CHECK_EQ(list.item[0].mix.count, 3);
    CHECK_EQ(list.item[0].mix.bytes[2], 12);
    CHECK_EQ(list.item[1].mix.count, 1);
    char text[64];
    ab_value_print(&list.item[0], &mixes, text, sizeof text);
    CHECK_STR(text, "4+8+12");
    ab_list_free(&list);
    check_refused("4+", &mixes, "not a whole number");
    check_refused("4-8", &mixes, "not a size");
    check_refused("1+2+3+4+5+6+7+8+9", &mixes, "mixes more than 8");
}

TEST(choices_are_whole_words)
{
    ab_list list = parsed("all,none", &choices);

    CHECK_EQ(list.item[0].number, 2);
    CHECK_EQ(list.item[1].number, 0);
    char text[16];
    ab_value_print(&list.item[0], &choices, text, sizeof text);
    CHECK_STR(text, "all");
    ab_list_free(&list);
    check_refused("al", &choices, "not one of none|first|all");
    check_refused("none|first", &choices, "not one of");
}

TEST(durations_print_with_two_digits)
{
    static const struct {
        double s;
        const char *text;
    } cases[] = {{0.02, "0.1 s"},  {2, "2 s"},       {9.4, "9.4 s"},   {89, "89 s"},
                 {140, "2.3 min"}, {594, "9.9 min"}, {1200, "20 min"}, {7200, "2.0 h"}};
    char text[32];

    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        ab_duration_print(cases[i].s * 1e9, text, sizeof text);
        CHECK(strcmp(text, cases[i].text) == 0);
    }
}

TEST(durations_need_a_unit)
{
    uint64_t ns;
    ab_error error;

    CHECK(ab_duration_parse("5s", &ns, &error) && ns == 5000000000u);
    CHECK(ab_duration_parse("1.5m", &ns, &error) && ns == 90000000000u);
    CHECK(ab_duration_parse("250ms", &ns, &error) && ns == 250000000u);
    CHECK(!ab_duration_parse("5", &ns, &error));
    CHECK(!ab_duration_parse("-5s", &ns, &error));
    CHECK(!ab_duration_parse("0s", &ns, &error));
    CHECK(!ab_duration_parse("5sec", &ns, &error));
    CHECK(!ab_duration_parse("1e3s", &ns, &error));
    CHECK(!ab_duration_parse("99999999999999999999s", &ns, &error));
}

TEST(percentages)
{
    double pct;
    ab_error error;

    CHECK(ab_percent_parse("2.5%", &pct, &error) && pct > 2.49 && pct < 2.51);
    CHECK(!ab_percent_parse("2", &pct, &error));
    CHECK(!ab_percent_parse("-1%", &pct, &error));
    CHECK(!ab_percent_parse("101%", &pct, &error));
    CHECK(!ab_percent_parse("2.%", &pct, &error));
}

TEST(sizes_print_in_the_largest_unit)
{
    char text[32];

    ab_size_print(65536, text, sizeof text);
    CHECK_STR(text, "64K");
    ab_size_print(1000, text, sizeof text);
    CHECK_STR(text, "1000");
    ab_size_print(UINT64_C(3) << 30, text, sizeof text);
    CHECK_STR(text, "3G");
    ab_size_print(0, text, sizeof text);
    CHECK_STR(text, "0");
}

TEST(suggestions_are_near_or_none)
{
    const char *const names[] = {"granularity", "churn", "batch", "map", NULL};

    CHECK_STR(ab_suggest("granularty", names), "granularity");
    CHECK_STR(ab_suggest("chrun", names), "churn");
    CHECK_STR(ab_suggest("gran", names), "granularity");
    CHECK(ab_suggest("zzzzzz", names) == NULL);
    CHECK(ab_suggest("", names) == NULL);
}

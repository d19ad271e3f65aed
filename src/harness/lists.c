/* SPDX-License-Identifier: MIT
 *
 * Lists and ranges of values, and the search for the name that was meant. See values.h.
 */
#include "values.h"
#include "values_internal.h"

#include <stdlib.h>
#include <string.h>

static bool append(ab_list *list, const ab_value *value, const char *text, ab_error *error)
{
    if (list->count == AB_LIST_MAX) {
        return ab_error_set(error, "'%s' has more than %d values", text, AB_LIST_MAX);
    }
    list->item[list->count++] = *value;
    return true;
}

/* The step behind "A..B": ":xN" multiplies, ":+N" adds; nothing doubles. */
static bool take_step(const char *text, const char *at, bool *multiplies, uint64_t *step,
                      ab_error *error)
{
    *multiplies = true;
    *step = 2;
    if (*at == '\0') {
        return true;
    }
    if (at[0] != ':' || (at[1] != 'x' && at[1] != '+')) {
        return ab_error_set(error, "'%s' is not a range such as 4..1024, 4..1024:x4 or 1M..5M:+1M",
                            text);
    }
    *multiplies = at[1] == 'x';
    at += 2;
    if (!ab_take_size(text, &at, step, error)) {
        return false;
    }
    if (*at != '\0') {
        return ab_error_set(error, "'%s' has something behind its step", text);
    }
    if (*step < (*multiplies ? 2u : 1u)) {
        return ab_error_set(error, "'%s' never ends: the step must be at least %s", text,
                            *multiplies ? "x2" : "+1");
    }
    return true;
}

static bool parse_range(const char *text, const ab_domain *domain, ab_list *out, ab_error *error)
{
    const char *at = text;
    uint64_t low, high, step;
    bool multiplies;

    if (!ab_take_size(text, &at, &low, error)) {
        return false;
    }
    at += 2; /* the caller saw ".." */
    if (!ab_take_size(text, &at, &high, error) || !take_step(text, at, &multiplies, &step, error) ||
        !ab_check_range(text, low, domain, error) || !ab_check_range(text, high, domain, error)) {
        return false;
    }
    if (low > high) {
        char a[24], b[24];
        ab_size_print(high, a, sizeof a);
        ab_size_print(low, b, sizeof b);
        return ab_error_set(error, "'%s' runs downwards; write %s..%s", text, a, b);
    }
    for (uint64_t number = low;;) {
        ab_value value = {.number = number};
        if (domain->kind == AB_MIX) {
            value.mix = (ab_mix){.count = 1, .bytes = {number}};
        }
        if (!append(out, &value, text, error)) {
            return false;
        }
        if (multiplies ? number > high / step : number > high - step || high < step) {
            return true;
        }
        number = multiplies ? number * step : number + step;
    }
}

bool ab_value_parse(const char *text, const ab_domain *domain, ab_value *out, ab_error *error)
{
    *out = (ab_value){0};
    switch (domain->kind) {
    case AB_CHOICE:
        return ab_choice_parse(text, domain, out, error);
    case AB_MIX:
        return ab_mix_parse(text, domain, out, error);
    case AB_SIZE:
    case AB_COUNT:
        break;
    }
    return ab_size_parse(text, &out->number, error) &&
           ab_check_range(text, out->number, domain, error);
}

static bool parse_item(const char *text, const ab_domain *domain, ab_list *out, ab_error *error)
{
    ab_value value;

    if (domain->kind != AB_CHOICE) {
        const char *at = text;
        uint64_t first;
        ab_error ignored;
        if (ab_take_size(text, &at, &first, &ignored) && strncmp(at, "..", 2) == 0) {
            return parse_range(text, domain, out, error);
        }
    }
    return ab_value_parse(text, domain, &value, error) && append(out, &value, text, error);
}

bool ab_list_parse(const char *text, const ab_domain *domain, ab_list *out, ab_error *error)
{
    char item[256];
    const char *at = text;

    *out = (ab_list){0, calloc(AB_LIST_MAX, sizeof *out->item)};
    if (out->item == NULL) {
        return ab_error_set(error, "out of memory");
    }
    for (;;) {
        size_t width = strcspn(at, ",");
        if (width == 0) {
            ab_list_free(out);
            return *text == '\0' ? ab_error_set(error, "the value is empty")
                                 : ab_error_set(error, "'%s' has an empty item", text);
        }
        if (width >= sizeof item) {
            ab_list_free(out);
            return ab_error_set(error, "'%.40s...' is too long", at);
        }
        memcpy(item, at, width);
        item[width] = '\0';
        if (!parse_item(item, domain, out, error)) {
            ab_list_free(out);
            return false;
        }
        if (at[width] == '\0') {
            return true;
        }
        at += width + 1;
    }
}

void ab_list_free(ab_list *list)
{
    free(list->item);
    *list = (ab_list){0};
}

/* Levenshtein distance with swaps of neighbours, cut off at the length of a name. */
static size_t distance(const char *a, const char *b)
{
    enum { LONGEST = 40 };
    size_t rows[3][LONGEST + 1];
    size_t la = strlen(a), lb = strlen(b);

    if (la > LONGEST || lb > LONGEST) {
        return LONGEST;
    }
    for (size_t j = 0; j <= lb; j++) {
        rows[0][j] = j;
    }
    for (size_t i = 1; i <= la; i++) {
        size_t *now = rows[i % 3], *before = rows[(i + 2) % 3], *two_before = rows[(i + 1) % 3];
        now[0] = i;
        for (size_t j = 1; j <= lb; j++) {
            size_t best = before[j - 1] + (a[i - 1] != b[j - 1]);
            best = before[j] + 1 < best ? before[j] + 1 : best;
            best = now[j - 1] + 1 < best ? now[j - 1] + 1 : best;
            if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1] &&
                two_before[j - 2] + 1 < best) {
                best = two_before[j - 2] + 1;
            }
            now[j] = best;
        }
    }
    return rows[la % 3][lb];
}

const char *ab_suggest(const char *name, const char *const *names)
{
    const char *nearest = NULL;
    size_t least = strlen(name) / 3 + 1; /* a third of the letters may be wrong */

    for (; *names != NULL; names++) {
        size_t d = distance(name, *names);
        bool is_start = strlen(name) >= 3 && strncmp(name, *names, strlen(name)) == 0;
        if (is_start) {
            d = 1;
        }
        if (d <= least && (nearest == NULL || d < least || (d == least && is_start))) {
            nearest = *names;
            least = d;
        }
    }
    return nearest;
}

/* SPDX-License-Identifier: MIT
 *
 * Between values.c (single values) and lists.c (lists and ranges of them).
 */
#ifndef AB_HARNESS_VALUES_INTERNAL_H
#define AB_HARNESS_VALUES_INTERNAL_H

#include "values.h"

/* Takes a size from the start of *text and moves *text behind it; `whole` is for the message. */
bool ab_take_size(const char *whole, const char **text, uint64_t *out, ab_error *error);
bool ab_check_range(const char *text, uint64_t number, const ab_domain *domain, ab_error *error);
bool ab_choice_parse(const char *text, const ab_domain *domain, ab_value *out, ab_error *error);
bool ab_mix_parse(const char *text, const ab_domain *domain, ab_value *out, ab_error *error);

#endif

/* SPDX-License-Identifier: MIT
 *
 * The facts of all platforms: the platform's own, then a warning for each finding that is present.
 * Values are clean whatever a file in /proc or a registry key contained. No state.
 */
#include "facts.h"

#include "facts_emit.h"
#include "findings.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

void ab_fact_emit(ab_fact_fn *fact, void *context, const char *key, const char *format, ...)
{
    char text[512];
    va_list arguments;

    va_start(arguments, format);
    int length = vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    if (length <= 0) {
        return;
    }
    for (char *c = text; *c != '\0'; c++) {
        unsigned char byte = (unsigned char)*c;
        if (byte < 0x20 || byte == 0x7f) {
            *c = ' ';
        }
    }
    char *begin = text + strspn(text, " ");
    size_t end = strlen(begin);
    while (end > 0 && begin[end - 1] == ' ') {
        end--;
    }
    begin[end] = '\0';
    if (end > 0) {
        fact(context, key, begin);
    }
}

void ab_machine_facts(ab_fact_fn *fact, void *context)
{
    size_t count = 0;
    const ab_finding *findings = ab_findings(&count);

    ab_platform_facts(fact, context);
    for (size_t i = 0; i < count; i++) {
        char what[128];
        if (findings[i].is_present(what, sizeof what)) {
            ab_fact_emit(fact, context, "warning", "%s: %s", what, findings[i].effect);
        }
    }
}

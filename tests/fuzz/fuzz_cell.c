/* SPDX-License-Identifier: MIT
 *
 * The text that tells a worker what to measure. A worker is started by its own program, yet anybody
 * can start one; what is accepted has a scenario, a contender of it, and parameters in their
 * ranges.
 */
#include "fuzz.h"

#include "harness/plan.h"
#include "harness/registry.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    char *text = fuzz_text(data, size);
    ab_cell_id id;
    ab_error error = {{0}};

    if (!ab_cell_id_read(text, &id, &error)) {
        FUZZ_CHECK(fuzz_is_line(error.text, sizeof error.text));
    } else {
        FUZZ_CHECK(ab_contender_named(id.scenario, ab_contender_name(id.contender)) != NULL);
        for (size_t i = 0; i < id.scenario->param_count; i++) {
            char value[256];
            ab_param_print(&id.scenario->params[i], id.params.bytes, value, sizeof value);
            FUZZ_CHECK(memchr(value, '\0', sizeof value) != NULL);
        }
        id.scenario->key(id.params.bytes);
        id.scenario->operations_of(id.contender, id.params.bytes);
    }
    free(text);
    return 0;
}

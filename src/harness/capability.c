/* SPDX-License-Identifier: MIT
 *
 * See capability.h.
 */
#include "capability.h"

#include <stdio.h>

bool ab_can_serve(const ab_scenario *scenario, const ab_contender *contender, const void *params,
                  const ab_page_info *info, char *reason, size_t reason_bytes)
{
    static const struct {
        uint32_t bit;
        const char *lack;
    } lacks[] = {
        {AB_BACKEND_FREES_ONE, "cannot free single objects"},
        {AB_BACKEND_RESETS, "cannot drop all objects at once"},
        {AB_BACKEND_COLLECTS, "is no collector"},
        {AB_BACKEND_THREAD_SAFE, "is not thread safe"},
    };
    const ab_backend *backend = contender->backend;
    ab_error text = {{0}};

    if (backend != NULL && (backend->can & AB_BACKEND_ABSENT) != 0) {
        snprintf(reason, reason_bytes, "%s does not exist on this platform", backend->name);
        return false;
    }
    if (backend != NULL) {
        for (size_t i = 0; i < sizeof lacks / sizeof lacks[0]; i++) {
            bool is_needed = (scenario->needs & lacks[i].bit) != 0 ||
                             ((scenario->needs_one_of & lacks[i].bit) != 0 &&
                              (scenario->needs_one_of & backend->can) == 0);
            if (is_needed && (backend->can & lacks[i].bit) == 0) {
                snprintf(reason, reason_bytes, "%s %s", ab_contender_name(contender),
                         lacks[i].lack);
                return false;
            }
        }
    }
    const char *why =
        scenario->refuses == NULL ? NULL : scenario->refuses(contender, params, info, &text);
    snprintf(reason, reason_bytes, "%s", why == NULL ? "" : why);
    return why == NULL;
}

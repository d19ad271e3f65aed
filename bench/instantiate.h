/* SPDX-License-Identifier: MIT
 *
 * Stamps a scenario's kernel out once per backend. The includer defines AB_TEMPLATE, the name of an
 * always-inline function (ab_run *, unsigned part, const ab_backend *) whose backend is a constant
 * at every use here, so that the compiler folds the calls and the timed loop holds no indirect one.
 * With "--dispatch indirect" the same template runs over a backend that is not a constant, which
 * shows what that would cost. Defines the static table `contenders`.
 */
#include "backends_all.h" /* generated from backends.def: includes the headers */

static void run_indirect(ab_run *run, unsigned part)
{
    const ab_backend *backend = run->contender->backend;

    __asm__ volatile("" : "+r"(backend));
    AB_TEMPLATE(run, part, backend);
}

#define AB_BACKEND(id)                                                                             \
    AB_NOINLINE static void kernel_##id(ab_run *run, unsigned part)                                \
    {                                                                                              \
        AB_TEMPLATE(run, part, &id##_backend);                                                     \
    }                                                                                              \
    static void pass_##id(ab_run *run, unsigned part)                                              \
    {                                                                                              \
        bool is_own = run->contender->backend == &id##_backend; /* else a plug-in */               \
        (run->is_dispatch_indirect || !is_own ? run_indirect : kernel_##id)(run, part);            \
    }
#include "backends/backends.def"
#undef AB_BACKEND

static const ab_contender contenders[] = {
#define AB_BACKEND(id) {.backend = &id##_backend, .pass = pass_##id},
#include "backends/backends.def"
#undef AB_BACKEND
};

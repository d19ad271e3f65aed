/* SPDX-License-Identifier: MIT
 *
 * Loading a library and asking what it is: see foreign_use.h. The trial of its memory is in
 * foreign_check.c.
 */
#include "foreign_use.h"
#include "sampler.h"
#include "capability.h"
#include "foreign_internal.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

enum { WHY_MAX = 160 };

void ab_foreign_fail(ab_run *run, ab_status status, const char *format, ...)
{
    char text[200];
    va_list arguments;

    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    for (unsigned i = 0; i < run->scenario->operation_count; i++) {
        ab_fail(run, i, status, "%s", text);
    }
}

/* --- plug-ins --- */

static bool is_plain_name(const char *name)
{
    size_t length = name != NULL ? strlen(name) : 0;

    return length > 0 && length < AB_NAME_MAX &&
           strspn(name, "abcdefghijklmnopqrstuvwxyz0123456789-") == length;
}

bool ab_backend_stats_are_sound(const ab_backend_stats *stats)
{
    const size_t most = sizeof((ab_extra_value *)NULL)->name - 1;

    if (stats->count > AB_BACKEND_STATS_MAX) {
        return false;
    }
    for (size_t i = 0; i < stats->count; i++) {
        const char *name = stats->item[i].name;
        size_t length = name != NULL ? strlen(name) : 0;
        if (length == 0 || length > most ||
            strspn(name, "abcdefghijklmnopqrstuvwxyz0123456789_") != length) {
            return false;
        }
    }
    return true;
}

/* What is wrong with a plug-in's table, or NULL. */
static const char *fault_of(const ab_backend *backend)
{
    const uint32_t known = (AB_BACKEND_MALLOC_ALIGNS << 1) - 1;

    if (backend->open == NULL || backend->alloc == NULL || backend->free == NULL ||
        backend->close == NULL) {
        return "open, alloc, free or close is missing";
    }
    if ((backend->can & AB_BACKEND_RESETS) != 0 && backend->reset == NULL) {
        return "it says that it resets, but reset is missing";
    }
    if ((backend->can & ~known) != 0 || (backend->can & AB_BACKEND_NOT_FOR_PLUG_INS) != 0) {
        return "`can` holds a bit that no plug-in has";
    }
    if (!is_plain_name(backend->name)) {
        return "its name is not one of [a-z0-9-], shorter than 40";
    }
    if (backend->alignment == 0 || (backend->alignment & (backend->alignment - 1)) != 0) {
        return "its alignment is no power of two";
    }
    return backend->max_object_bytes == 0 ? "max_object_bytes is 0" : NULL;
}

static bool use_plug_in(ab_foreign_use *use, ab_backend_entry *entry, ab_run *run)
{
    const ab_backend *backend = entry();
    char reason[WHY_MAX];

    if (backend == NULL) {
        ab_foreign_fail(run, AB_STATUS_FAILED, "the plug-in answers with no table");
        return false;
    }
    if (backend->abi != AB_BACKEND_ABI) {
        ab_foreign_fail(run, AB_STATUS_FAILED,
                        "the plug-in was made for interface %u; this program has %u",
                        (unsigned)backend->abi, AB_BACKEND_ABI);
        return false;
    }
    const char *fault = fault_of(backend);
    if (fault != NULL) {
        ab_foreign_fail(run, AB_STATUS_FAILED, "the plug-in's table is broken: %s", fault);
        return false;
    }
    use->contender = *run->contender;
    use->contender.backend = backend;
    if (!ab_can_serve(run->scenario, &use->contender, run->params, &run->pages.info, reason,
                      sizeof reason)) {
        ab_foreign_fail(run, AB_STATUS_UNSUPPORTED, "%s", reason);
        return false;
    }
    run->contender = &use->contender;
    return true;
}

/* --- libraries --- */

static ab_function *function_of(const ab_foreign_use *use, const char *prefix, const char *name)
{
    char whole[AB_PREFIX_MAX + 40];

    snprintf(whole, sizeof whole, "%s%s", prefix, name);
    return ab_library_function(&use->library, whole);
}

static bool use_functions(ab_foreign_use *use, ab_run *run)
{
    const char *prefix = use->foreign->prefix;
    ab_function *allocate = function_of(use, prefix, "malloc");
    ab_function *release = function_of(use, prefix, "free");

    if (allocate == NULL || release == NULL) {
        ab_foreign_fail(run, AB_STATUS_FAILED, "the library exports %s%s%s%s",
                        *prefix == '\0' ? "neither " AB_BACKEND_ENTRY " nor " : "no ", prefix,
                        allocate == NULL ? "malloc" : "free",
                        *prefix == '\0' ? "; perhaps lib:PREFIX@PATH" : "");
        return false;
    }
    use->calls = (ab_lib_calls){(void *(*)(size_t))allocate, (void (*)(void *))release};
    run->config.calls = &use->calls;
    return true;
}

bool ab_foreign_use_begin(ab_foreign_use *use, const ab_foreign *foreign, ab_run *run)
{
    char why[WHY_MAX];

    *use = (ab_foreign_use){.foreign = foreign};
    if (foreign->kind == AB_FOREIGN_PRELOAD) {
        if (ab_library_preloaded(&use->library, foreign->path, why, sizeof why)) {
            return true;
        }
        ab_foreign_fail(run, AB_STATUS_FAILED, "not in effect: %s", why);
        return false;
    }
    if (!ab_library_open(&use->library, foreign->path, why, sizeof why)) {
        ab_foreign_fail(run, AB_STATUS_FAILED, "the library cannot be opened: %s", why);
        return false;
    }
    ab_function *entry =
        foreign->prefix[0] == '\0' ? ab_library_function(&use->library, AB_BACKEND_ENTRY) : NULL;
    return entry != NULL ? use_plug_in(use, (ab_backend_entry *)entry, run)
                         : use_functions(use, run);
}

/* --- what it tells of itself --- */

/* The library's version in its own words; "": it tells none that is known here. */
static void find_version(const ab_foreign_use *use, const char *prefix, char *out, size_t out_bytes)
{
    typedef int mallctl_fn(const char *, void *, size_t *, void *, size_t);
    typedef int mi_version_fn(void);
    typedef const char *tc_version_fn(int *, int *, const char **);
    mallctl_fn *mallctl = (mallctl_fn *)function_of(use, prefix, "mallctl");
    mi_version_fn *mi_version = (mi_version_fn *)function_of(use, "", "mi_version");
    tc_version_fn *tc_version = (tc_version_fn *)function_of(use, "", "tc_version");
    const char *text = NULL, *patch;
    size_t bytes = sizeof text;
    int major, minor;

    out[0] = '\0';
    if (mallctl != NULL && mallctl("version", &text, &bytes, NULL, 0) != 0) {
        text = NULL;
    }
    if (text == NULL && tc_version != NULL) {
        text = tc_version(&major, &minor, &patch);
    }
    if (text != NULL) {
        snprintf(out, out_bytes, "%s", text);
    } else if (mi_version != NULL) {
        snprintf(out, out_bytes, "%d", mi_version());
    }
    for (char *c = out; *c != '\0'; c++) { /* what separates the parts of `extra` and of a line */
        if (strchr("=;,\"", *c) != NULL || (unsigned char)*c < ' ') {
            *c = '_';
        }
    }
}

void ab_foreign_use_tell(const ab_foreign_use *use, ab_run *run)
{
    char version[60];

    find_version(use, use->foreign->prefix, version, sizeof version);
    for (unsigned i = 0; i < run->scenario->operation_count; i++) {
        if (use->foreign->kind == AB_FOREIGN_LIB) {
            ab_extra_text(run, i, "dispatch", "indirect");
        }
        if (version[0] != '\0') {
            ab_extra_text(run, i, "version", version);
        }
    }
}

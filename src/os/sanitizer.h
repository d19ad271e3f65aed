/* SPDX-License-Identifier: MIT
 *
 * Whether this build runs with a sanitizer whose shadow memory fills the address space, so that the
 * space cannot be bounded. A macro, no state.
 */
#ifndef AB_OS_SANITIZER_H
#define AB_OS_SANITIZER_H

/* gcc defines macros, clang answers questions. */
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#define AB_HAS_SHADOW 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer) ||                         \
    __has_feature(memory_sanitizer)
#define AB_HAS_SHADOW 1
#endif
#endif
#ifndef AB_HAS_SHADOW
#define AB_HAS_SHADOW 0
#endif

#endif

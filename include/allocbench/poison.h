/* SPDX-License-Identifier: MIT
 *
 * Manual poisoning: tells AddressSanitizer which bytes of an allocator are free. The macros vanish
 * in builds without it. An allocator that gives memory back must unpoison it first, since the
 * addresses may be mapped again by somebody else.
 */
#ifndef ALLOCBENCH_POISON_H
#define ALLOCBENCH_POISON_H

#if defined(__SANITIZE_ADDRESS__)
#define AB_HAS_POISON 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
#define AB_HAS_POISON 1
#endif
#endif

#if defined(AB_HAS_POISON)
#include <sanitizer/asan_interface.h>
#define AB_POISON(p, n) __asan_poison_memory_region((p), (n))
#define AB_UNPOISON(p, n) __asan_unpoison_memory_region((p), (n))
#else
#define AB_HAS_POISON 0
#define AB_POISON(p, n) ((void)(p), (void)(n))
#define AB_UNPOISON(p, n) ((void)(p), (void)(n))
#endif

#endif

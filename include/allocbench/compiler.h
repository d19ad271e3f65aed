/* SPDX-License-Identifier: MIT
 *
 * What differs between compilers, and the only header outside src/os/ that may ask for the
 * platform. Everything here is a macro without state.
 */
#ifndef ALLOCBENCH_COMPILER_H
#define ALLOCBENCH_COMPILER_H

/* Inlined at every optimisation level: the kernels are templates over constant operation structs.
 */
#define AB_ALWAYS_INLINE inline __attribute__((always_inline))
/* The way out of a hot path: kept out of line so that it costs the hot path one call and no
 * registers. */
#define AB_COLD __attribute__((noinline, cold))
#define AB_NOINLINE __attribute__((noinline))

#define AB_LIKELY(x) __builtin_expect(!!(x), 1)
#define AB_UNLIKELY(x) __builtin_expect(!!(x), 0)

/* The compiler must forget what it knows about where the value came from. */
#define AB_OPAQUE(p) __asm__ volatile("" : "+r"(p))

/* As likely as not: a branch would be mispredicted every other time. */
#define AB_UNPREDICTABLE(x) __builtin_expect_with_probability(!!(x), 1, 0.5)

/* The compiler must assume that the pointer is read and that memory changed: nothing is elided. */
#define AB_KEEP(p) __asm__ volatile("" : : "r"(p) : "memory")

#if defined(__MINGW32__)
#define AB_PRINTF(string, first) __attribute__((format(gnu_printf, string, first)))
#else
#define AB_PRINTF(string, first) __attribute__((format(printf, string, first)))
#endif

/* Symbols of a plug-in (see backend.h). */
#if defined(_WIN32)
#define AB_EXPORT __declspec(dllexport)
#else
#define AB_EXPORT __attribute__((visibility("default")))
#endif

#endif

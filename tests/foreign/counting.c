/* SPDX-License-Identifier: MIT
 *
 * Preloaded into allocbench by a test: counts what is taken from malloc and tells at the end. glibc
 * only, whose own allocator is reached by its other names.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

void *__libc_malloc(size_t bytes);
void *__libc_calloc(size_t count, size_t bytes);
void *__libc_realloc(void *p, size_t bytes);

static unsigned long count;

void *malloc(size_t bytes)
{
    count++;
    return __libc_malloc(bytes);
}

void *calloc(size_t number, size_t bytes)
{
    count++;
    return __libc_calloc(number, bytes);
}

void *realloc(void *p, size_t bytes)
{
    count++;
    return __libc_realloc(p, bytes);
}

__attribute__((destructor)) static void tell(void)
{
    char text[64], line[4096];
    unsigned long counted = count;
    FILE *file = fopen("/proc/self/cmdline", "rb");
    size_t got = file != NULL ? fread(line, 1, sizeof line, file) : 0;
    int is_worker = 0;

    for (size_t i = 0; i + 9 < got; i++) {
        is_worker = is_worker || memcmp(line + i, "--handles", 9) == 0;
    }
    int length =
        snprintf(text, sizeof text, "counted %s %lu\n", is_worker ? "worker" : "other", counted);
    if (write(2, text, (size_t)length) != length) {
        _exit(1);
    }
}

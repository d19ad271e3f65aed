/* SPDX-License-Identifier: MIT
 *
 * What a Windows machine is. No state.
 */
#include "facts_emit.h"

#include "cpu.h"
#include "machine_win32.h"
#include "text_win32.h"

#include <inttypes.h>
#include <stdint.h>
#include <windows.h>

#if defined(_UCRT)
#define LIBC_NAME "ucrt"
#else
#define LIBC_NAME "msvcrt"
#endif

#if defined(__x86_64__)
#define MACHINE_NAME "x86_64"
#elif defined(__i386__)
#define MACHINE_NAME "i386"
#elif defined(__aarch64__)
#define MACHINE_NAME "aarch64"
#else
#define MACHINE_NAME ""
#endif

/* GetVersionEx tells what the program's manifest claims to know; this one tells the truth. */
static void kernel_fact(ab_fact_fn *fact, void *context)
{
    typedef LONG WINAPI version_fn(OSVERSIONINFOW * version);
    OSVERSIONINFOW version = {.dwOSVersionInfoSize = sizeof version};
    HMODULE library = GetModuleHandleW(L"ntdll.dll");

    if (library == NULL) {
        return;
    }
    version_fn *ask = (version_fn *)(void (*)(void))GetProcAddress(library, "RtlGetVersion");
    if (ask != NULL && ask(&version) == 0) {
        ab_fact_emit(fact, context, "kernel", "%lu.%lu.%lu " MACHINE_NAME, version.dwMajorVersion,
                     version.dwMinorVersion, version.dwBuildNumber);
    }
}

static void cpu_fact(ab_fact_fn *fact, void *context)
{
    wchar_t wide[128] = {0};
    DWORD bytes = sizeof wide - sizeof *wide;
    char text[384];

    if (RegGetValueW(HKEY_LOCAL_MACHINE, L"HARDWARE\\DESCRIPTION\\System\\CentralProcessor\\0",
                     L"ProcessorNameString", RRF_RT_REG_SZ, NULL, wide, &bytes) == 0) {
        (void)ab_win32_utf8_into(wide, text, sizeof text);
        ab_fact_emit(fact, context, "cpu", "%s", text);
    }
}

void ab_platform_facts(ab_fact_fn *fact, void *context)
{
    const char *wine = ab_win32_wine_version();
    MEMORYSTATUSEX status = {.dwLength = sizeof status};
    bool is_vm;

    if (wine != NULL) {
        ab_fact_emit(fact, context, "os", "Windows (Wine %s)", wine);
    } else {
        ab_fact_emit(fact, context, "os", "Windows");
    }
    kernel_fact(fact, context);
    cpu_fact(fact, context);
    ab_fact_emit(fact, context, "cpus", "%d", ab_cpu_count());
    if (GlobalMemoryStatusEx(&status)) {
        ab_fact_emit(fact, context, "memory_bytes", "%" PRIu64, (uint64_t)status.ullTotalPhys);
    }
    ab_fact_emit(fact, context, "libc", LIBC_NAME);
    if (ab_win32_is_vm(&is_vm)) {
        ab_fact_emit(fact, context, "vm", "%s", is_vm ? "yes" : "no");
    }
}

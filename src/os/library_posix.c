/* SPDX-License-Identifier: MIT
 *
 * Libraries by the dynamic linker. See library.h. Whose function a name is, is asked of the linker
 * and decided by device and inode of the file, since a path may lead there by links.
 */
#include "library.h"

#include "file.h"
#include "library_unix.h"
#include "output.h"
#include "process.h"
#include "sanitizer.h"

#include <dlfcn.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

const char *ab_library_cannot_open(void)
{
    return NULL;
}

const char *ab_library_cannot_preload(void)
{
    return AB_HAS_SHADOW ? "this build's sanitizer takes the place of malloc" : NULL;
}

bool ab_library_preload_variable(const char *path, char *out, size_t out_bytes)
{
    struct stat status;

    /* The linker would complain on stderr about what is not there; the worker tells it anyway. */
    if (strpbrk(path, UNIX_PRELOAD_SEPARATORS) != NULL || stat(path, &status) != 0) {
        return false;
    }
    const char *others = getenv(UNIX_PRELOAD_NAME); /* every worker has those */
    bool has_others = others != NULL && *others != '\0';
    int length = snprintf(out, out_bytes, "%s=%s%s%s", UNIX_PRELOAD_NAME, path,
                          has_others ? ":" : "", has_others ? others : "");
    return length > 0 && (size_t)length < out_bytes;
}

bool ab_library_open_variable(char *out, size_t out_bytes)
{
    return unix_open_variable(out, out_bytes);
}

static bool find_file(const char *path, uint64_t file[2])
{
    struct stat status;

    if (stat(path, &status) != 0) {
        return false;
    }
    file[0] = (uint64_t)status.st_dev;
    file[1] = (uint64_t)status.st_ino;
    return true;
}

typedef struct file_head {
    unsigned char bytes[20];
    size_t used;
} file_head;

static void take_head(void *context, const void *data, size_t bytes)
{
    file_head *head = context;
    size_t room = sizeof head->bytes - head->used;
    size_t taken = bytes < room ? bytes : room;

    memcpy(head->bytes + head->used, data, taken);
    head->used += taken;
}

static bool is_elf(const file_head *head)
{
    return head->used == sizeof head->bytes && memcmp(head->bytes, "\177ELF", 4) == 0;
}

/* What can be told without the linker, which says of a library for another machine that there is no
 * such file. */
static bool can_be_opened(const char *path, char *why, size_t why_bytes)
{
    enum { ELF_CLASS = 4, ELF_ORDER = 5, ELF_MACHINE = 18 };
    file_head head = {{0}, 0}, own = {{0}, 0};
    char self[1024];
    int code = ab_file_read(path, take_head, &head);

    if (code != 0) {
        ab_os_error_text(code, why, why_bytes);
        return false;
    }
    if (ab_self_path(self, sizeof self) != 0 || ab_file_read(self, take_head, &own) != 0 ||
        !is_elf(&own) || !is_elf(&head)) {
        return true; /* the linker's word counts */
    }
    if (head.bytes[ELF_CLASS] == own.bytes[ELF_CLASS] &&
        head.bytes[ELF_ORDER] == own.bytes[ELF_ORDER] &&
        memcmp(head.bytes + ELF_MACHINE, own.bytes + ELF_MACHINE, 2) == 0) {
        return true;
    }
    (void)snprintf(why, why_bytes, "it is for another architecture");
    return false;
}

/* The linker's last error in one line, without the path that the user knows. */
static void linker_error(const char *path, char *why, size_t why_bytes)
{
    const char *text = dlerror();
    size_t length = strlen(path);

    text = text != NULL ? text : "the dynamic linker gives no reason";
    if (strncmp(text, path, length) == 0 && strncmp(text + length, ": ", 2) == 0) {
        text += length + 2;
    }
    (void)snprintf(why, why_bytes, "%.*s", (int)strcspn(text, "\r\n"), text);
}

bool ab_library_open(ab_library *out, const char *path, char *why, size_t why_bytes)
{
    *out = (ab_library){0};
    if (!can_be_opened(path, why, why_bytes)) {
        return false;
    }
    out->handle = dlopen(path, RTLD_NOW | RTLD_LOCAL);
    if (out->handle == NULL) {
        linker_error(path, why, why_bytes);
        return false;
    }
    if (!find_file(path, out->file)) {
        ab_os_error_text(errno, why, why_bytes);
        return false;
    }
    return true;
}

/* The function of this name that the linker finds, and the path of its file; NULL: there is none.
 */
static ab_function *find(void *handle, const char *name, const char **path)
{
    Dl_info info;
    void *found = dlsym(handle, name);
    ab_function *function;

    *path = found != NULL && dladdr(found, &info) != 0 ? info.dli_fname : NULL;
    memcpy(&function, &found, sizeof function);
    return function;
}

ab_function *ab_library_function(const ab_library *library, const char *name)
{
    const char *path;
    uint64_t file[2];
    ab_function *function = find(library->handle, name, &path);
    bool is_own = function != NULL && path != NULL && find_file(path, file) &&
                  memcmp(file, library->file, sizeof file) == 0;

    return is_own ? function : NULL;
}

/* Why the linker did not take malloc and free from the library. */
static void explain(const char *path, char *why, size_t why_bytes)
{
    static const char *const needed[] = {"malloc", "free"};
    ab_library library;
    const char *other;

    if (strpbrk(path, UNIX_PRELOAD_SEPARATORS) != NULL) {
        (void)snprintf(why, why_bytes, "%s cannot hold this path's %s; make a link to it",
                       UNIX_PRELOAD_NAME, UNIX_PRELOAD_SEPARATORS_NAMED);
        return;
    }
    if (!ab_library_open(&library, path, why, why_bytes)) {
        return;
    }
    for (size_t i = 0; i < sizeof needed / sizeof needed[0]; i++) {
        if (ab_library_function(&library, needed[i]) == NULL) {
            (void)snprintf(why, why_bytes, "it has no %s", needed[i]);
            return;
        }
    }
    (void)find(RTLD_DEFAULT, "malloc", &other);
    (void)snprintf(why, why_bytes, "malloc is that of %s", other != NULL ? other : "this program");
}

bool ab_library_preloaded(ab_library *out, const char *path, char *why, size_t why_bytes)
{
    *out = (ab_library){.handle = RTLD_DEFAULT};
    if (find_file(path, out->file) && ab_library_function(out, "malloc") != NULL &&
        ab_library_function(out, "free") != NULL) {
        return true;
    }
    explain(path, why, why_bytes);
    return false;
}

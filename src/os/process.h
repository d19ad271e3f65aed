/* SPDX-License-Identifier: MIT
 *
 * Starting this program again as a child with a pair of pipes. The pipes are handles of their own,
 * never stdin or stdout; the child's stdin and stdout are the null device, its stderr is inherited.
 * Only the two pipe ends meant for a child reach it. A child dies with its parent, idle or busy.
 * An ab_child belongs to the caller and must be ended by ab_child_kill or ab_child_wait, then
 * ab_child_close.
 */
#ifndef AB_OS_PROCESS_H
#define AB_OS_PROCESS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Resolved path of the running program, so that a child does not run as "/proc/self/exe".
 * 0 or a positive OS error code. */
int ab_self_path(char *out, size_t out_bytes);

typedef struct ab_child {
    intptr_t process; /* pid or process handle; 0 = none */
    intptr_t to;      /* write end of the child's commands; -1 = closed */
    intptr_t from;    /* read end of the child's answers; -1 = closed */
    intptr_t job;     /* Windows: job object that ends the child; else 0 */
} ab_child;

typedef struct ab_child_spec {
    const char *program;            /* resolved path */
    const char *const *arguments;   /* after the program's name, NULL-terminated; passed through
                                       unchanged whatever characters they hold */
    const char *const *environment; /* extra "NAME=value" strings, NULL-terminated, or NULL; these
                                       replace variables of the same name */
} ab_child_spec;

/* The child finds its pipe ends with ab_parent_attach: one more argument,
 * "--handles=...", is appended to its arguments. Call it from a thread that lives as long as the
 * children: Linux ends them with that thread. 0 or a positive OS error code. */
int ab_child_start(ab_child *child, const ab_child_spec *spec);

/* Results of the transfers below besides 0 and positive OS error codes. */
enum { AB_PIPE_TIMEOUT = -1, AB_PIPE_END = -2, AB_PIPE_SIGNAL = -3 };

/* Writes all bytes. 0, AB_PIPE_END when the child is gone, or a code. */
int ab_child_write(ab_child *child, const void *data, size_t bytes);
/* Waits at most timeout_ns for at least one byte, reads at most `bytes`, sets *got. 0,
 * AB_PIPE_TIMEOUT, AB_PIPE_END, AB_PIPE_SIGNAL when ab_signal_pending became non-zero meanwhile, or
 * a code. */
int ab_child_read(ab_child *child, void *data, size_t bytes, uint64_t timeout_ns, size_t *got);

/* Closes the command pipe: the child reads AB_PIPE_END and, idle, ends by itself. */
void ab_child_hang_up(ab_child *child);

typedef enum ab_exit_kind { AB_EXIT_RUNNING, AB_EXIT_CODE, AB_EXIT_SIGNAL } ab_exit_kind;
typedef struct ab_exit {
    ab_exit_kind kind;
    uint32_t value;  /* exit code, signal number, or Windows exception code */
    bool was_killed; /* from outside, as when the OS takes memory back */
    char text[64];   /* "exit code 3", "signal 11 (SIGSEGV)", "exception 0xC0000005" */
} ab_exit;

/* Waits at most timeout_ns for the end of the child. kind is AB_EXIT_RUNNING if it still runs; its
 * end is told once, and the child is forgotten then (process = 0). */
ab_exit ab_child_wait(ab_child *child, uint64_t timeout_ns);
/* Ends the child at once and waits for its end. */
void ab_child_kill(ab_child *child);
/* Closes all handles. The child must have been waited for or killed. */
void ab_child_close(ab_child *child);

/* --- in the child --- */
typedef struct ab_parent {
    intptr_t from; /* commands */
    intptr_t to;   /* answers */
} ab_parent;

/* Takes the value of --handles=; makes this process end when its parent does, ignore SIGINT (the
 * parent decides), end at once when it crashes (no dialog, no debugger, no core), and be the first
 * victim when memory runs out. 0, or a positive OS error code (bad handles included). */
int ab_parent_attach(ab_parent *parent, const char *handles);
/* Block. 0 (*got > 0; all bytes written), AB_PIPE_END, or a code. */
int ab_parent_read(ab_parent *parent, void *data, size_t bytes, size_t *got);
int ab_parent_write(ab_parent *parent, const void *data, size_t bytes);

/* --- signals of the coordinator --- */
/* SIGINT, SIGTERM (Windows: Ctrl-C, Ctrl-Break, close) are recorded instead of ending the process;
 * a second one ends it at once. A broken pipe or a file size limit is a code of the write, not a
 * signal. That the end of children is ignored, which a program inherits, is undone. */
void ab_signals_install(void);
/* 0, or the number of the first signal received (2 or 15). */
int ab_signal_pending(void);

#endif

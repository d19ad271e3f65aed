/* SPDX-License-Identifier: MIT
 *
 * What this machine is and which of its settings disturb a measurement; read, never changed. Facts
 * come as key and value, one line each; a warning key begins with "warning". No state.
 */
#ifndef AB_OS_FACTS_H
#define AB_OS_FACTS_H

/* Called once per fact; the strings live during the call only. key is [a-z0-9_]+, value is one line
 * of UTF-8 without control characters. */
typedef void ab_fact_fn(void *context, const char *key, const char *value);

/* os, kernel, cpu, cpus, memory_bytes, libc, and per platform: governor, turbo, thp, overcommit,
 * aslr, load, steal, vm, cgroup_cpu_quota, cgroup_memory_limit; then the warnings. What cannot be
 * read is left out. */
void ab_machine_facts(ab_fact_fn *fact, void *context);

#endif

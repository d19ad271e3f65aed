/* SPDX-License-Identifier: MIT
 *
 * The program as a worker: measures one cell and answers the coordinator's commands. See
 * protocol.h.
 */
#ifndef AB_HARNESS_WORKER_H
#define AB_HARNESS_WORKER_H

#define AB_WORKER_OPTION "--worker="
#define AB_WORKER_PIN "--pin="

/* Runs until the coordinator says quit or goes away; the exit code of the process. argv as main got
 * it: the cell, the CPU or -1, the handles. */
int ab_worker_main(int argc, char **argv);

#endif

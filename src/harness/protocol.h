/* SPDX-License-Identifier: MIT
 *
 * What coordinator and worker say to each other: lines of text. The coordinator sends commands; the
 * worker answers each with lines of results and a final AB_SAID_END. Pure functions; the
 * coordinator trusts nothing that a worker says, so the parser checks everything.
 *
 *   commands   cold         run the first round
 *              warm         run another one; parts that warm up do that first
 *              latency      time single operations
 *              report       memory, proof and figures of the run so far
 *              check        try a library out before it is measured
 *              quit
 *   answers    s OP OPS PASSES WALL USER SYS MINFLT MAJFLT NIVCSW     sample ("-" = not available)
 *              f OP STATUS REASON...                                  operation cannot be measured
 *              x OP NAME VALUE                                        figure for `extra`
 *              d OP DIGEST                                            stream digest
 *              l OP P50 P99 P999 MAX                                  latencies in nanoseconds
 *              m REQUESTED RESERVED COMMITTED RESIDENT                memory ladder
 *              o SET                                                  operations of a plug-in
 *              .                                                      end of the answer
 */
#ifndef AB_HARNESS_PROTOCOL_H
#define AB_HARNESS_PROTOCOL_H

#include "scenario.h"

enum { AB_LINE_MAX = 512 };
#define AB_COMMAND_COLD "cold"
#define AB_COMMAND_WARM "warm"
#define AB_COMMAND_LATENCY "latency"
#define AB_COMMAND_REPORT "report"
#define AB_COMMAND_CHECK "check"
#define AB_COMMAND_QUIT "quit"

typedef enum ab_said_kind {
    AB_SAID_SAMPLE,
    AB_SAID_FAILURE,
    AB_SAID_EXTRA,
    AB_SAID_DIGEST,
    AB_SAID_LATENCY,
    AB_SAID_MEMORY,
    AB_SAID_OPERATIONS,
    AB_SAID_END
} ab_said_kind;

typedef struct ab_ladder {
    uint64_t requested_bytes, reserved_bytes, committed_bytes, resident_bytes; /* or AB_NO_COUNT */
} ab_ladder;

typedef struct ab_latencies {
    uint64_t p50_ns, p99_ns, p999_ns, max_ns;
} ab_latencies;

typedef struct ab_said {
    ab_said_kind kind;
    unsigned operation; /* below the scenario's operation_count */
    ab_sample sample;
    ab_status status;
    ab_ladder memory;
    ab_latencies latency;
    uint32_t operations; /* bit set, not empty */
    char name[40];       /* of an extra */
    char text[256];      /* reason, value or digest */
} ab_said;

/* Writes a line with its LF; the length, at most AB_LINE_MAX. */
size_t ab_said_print(const ab_said *said, char out[AB_LINE_MAX]);
/* Parses a line without its LF; false when it is not one of the above. */
bool ab_said_parse(const char *line, unsigned operation_count, ab_said *out);

/* Lines out of a stream of bytes. */
typedef struct ab_line_buffer {
    char bytes[AB_LINE_MAX * 4];
    size_t used;
} ab_line_buffer;
/* Takes the first whole line out, without LF and CR; false when there is none yet. *is_too_long:
 * there never will be one. */
bool ab_line_take(ab_line_buffer *buffer, char out[AB_LINE_MAX], bool *is_too_long);

#endif

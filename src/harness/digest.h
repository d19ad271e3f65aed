/* SPDX-License-Identifier: MIT
 *
 * The proof of equal work: FNV-1a, 64 bits, over one record per allocator call (kind, slot, size),
 * and the counts of the same stream. State belongs to the caller.
 */
#ifndef AB_HARNESS_DIGEST_H
#define AB_HARNESS_DIGEST_H

#include <stdint.h>

typedef struct ab_stream {
    uint64_t hash;
    uint64_t allocs, frees, live, live_peak;
    uint64_t live_bytes, live_bytes_peak;
} ab_stream;

static inline ab_stream ab_stream_start(void)
{
    return (ab_stream){.hash = UINT64_C(0xcbf29ce484222325)};
}

static inline void ab_stream_bytes(ab_stream *stream, uint64_t value, int bytes)
{
    for (int i = 0; i < bytes; i++, value >>= 8) {
        stream->hash = (stream->hash ^ (value & 0xff)) * UINT64_C(0x100000001b3);
    }
}

static inline void ab_stream_alloc(ab_stream *stream, uint32_t slot, uint64_t bytes)
{
    ab_stream_bytes(stream, 1, 1);
    ab_stream_bytes(stream, slot, 4);
    ab_stream_bytes(stream, bytes, 8);
    stream->allocs++;
    stream->live++;
    stream->live_bytes += bytes;
    if (stream->live > stream->live_peak) {
        stream->live_peak = stream->live;
    }
    if (stream->live_bytes > stream->live_bytes_peak) {
        stream->live_bytes_peak = stream->live_bytes;
    }
}

static inline void ab_stream_free(ab_stream *stream, uint32_t slot, uint64_t bytes)
{
    ab_stream_bytes(stream, 2, 1);
    ab_stream_bytes(stream, slot, 4);
    ab_stream_bytes(stream, bytes, 8);
    stream->frees++;
    stream->live--;
    stream->live_bytes -= bytes;
}

#endif

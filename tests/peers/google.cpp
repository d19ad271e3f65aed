// SPDX-License-Identifier: MIT
//
// Three loops under Google Benchmark, to hold allocbench's figures against: malloc and a bare free list
// through churn's table of slots, and a bare bump pointer through batch's table of objects. Steady state
// before the first iteration, as in warm rounds.
#include <benchmark/benchmark.h>

#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <vector>

namespace {

constexpr unsigned slots = 32768;
constexpr int churn_ops = 65536, batch_count = 250000;

struct generator {
    uint32_t state = 1;
    unsigned next()
    {
        state = state * 214013u + 2531011u;
        return (state >> 16) & (slots - 1);
    }
};

// The object is there, and what an allocator knows lies in its struct in memory, as anywhere but in a
// loop that has one allocator alone.
void keep(void *object)
{
    benchmark::DoNotOptimize(object);
    benchmark::ClobberMemory();
}

struct system_heap {
    explicit system_heap(size_t bytes) : bytes(bytes) {}
    void *alloc() { return std::malloc(bytes); }
    void free(void *p) { std::free(p); }
    size_t bytes;
};

struct free_list {
    explicit free_list(size_t bytes) : memory(bytes * (slots + 1))
    {
        for (size_t i = slots + 1; i-- > 0;) {
            free(&memory[i * bytes]);
        }
    }
    void *alloc()
    {
        void *p = head;
        std::memcpy(&head, p, sizeof head);
        return p;
    }
    void free(void *p)
    {
        std::memcpy(p, &head, sizeof head);
        head = p;
    }
    std::vector<char> memory;
    void *head = nullptr;
};

template <class Heap> void churn(benchmark::State &state)
{
    Heap heap(static_cast<size_t>(state.range(0)));
    std::vector<void *> table(slots);
    void **slot = table.data();
    generator random;
    benchmark::DoNotOptimize(&heap);

    auto replace = [&](int count) {
        for (int n = 0; n < count; n++) {
            unsigned i = random.next();
            if (slot[i] != nullptr) {
                heap.free(slot[i]);
            }
            slot[i] = heap.alloc();
            keep(slot[i]);
        }
    };
    replace(16 * slots);
    for (auto _ : state) {
        replace(churn_ops);
    }
    state.SetItemsProcessed(state.iterations() * churn_ops);
    for (void *p : table) {
        if (p != nullptr) {
            heap.free(p);
        }
    }
}

struct bump_region {
    void *alloc(size_t bytes)
    {
        if (static_cast<size_t>(end - at) < bytes) {
            return nullptr;
        }
        char *p = at;
        at += bytes;
        return p;
    }
    char *at, *end;
};

void bump(benchmark::State &state)
{
    const size_t bytes = static_cast<size_t>(state.range(0));
    std::vector<char> memory(bytes * batch_count);
    std::vector<void *> table(batch_count);
    void **object = table.data();
    bump_region region;

    benchmark::DoNotOptimize(&region);
    for (auto _ : state) {
        region = {memory.data(), memory.data() + memory.size()};
        for (int i = 0; i < batch_count; i++) {
            object[i] = region.alloc(bytes);
            keep(object[i]);
        }
    }
    state.SetItemsProcessed(state.iterations() * batch_count);
}

BENCHMARK_TEMPLATE(churn, system_heap)->Name("malloc")->Arg(64)->UseRealTime();
BENCHMARK_TEMPLATE(churn, free_list)->Name("free-list")->Arg(64)->UseRealTime();
BENCHMARK(bump)->Name("bump")->Arg(16)->UseRealTime();

} // namespace

BENCHMARK_MAIN();

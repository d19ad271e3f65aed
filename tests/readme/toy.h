#include "backends/place.h"
#include "allocbench/backend.h"
#include <stdlib.h>

typedef struct toy_heap {
    ab_place place; /* where this struct lies */
    void *free;     /* freed objects; each begins with the address of the next */
} toy_heap;

static int toy_open(const ab_backend_config *config, ab_heap **out)
{
    return ab_place_make(config->pages, sizeof(toy_heap), (void **)out);
}
static AB_ALWAYS_INLINE void *toy_alloc(ab_heap *heap, size_t bytes)
{
    void **object = ((toy_heap *)heap)->free;
    if (object == NULL) {
        return malloc(bytes < sizeof(void *) ? sizeof(void *) : bytes);
    }
    ((toy_heap *)heap)->free = *object;
    return object;
}
static AB_ALWAYS_INLINE void toy_free(ab_heap *heap, void *p, size_t bytes)
{
    *(void **)p = ((toy_heap *)heap)->free;
    ((toy_heap *)heap)->free = p;
    (void)bytes;
}
static void toy_close(ab_heap *heap)
{
    ab_place_free(&((toy_heap *)heap)->place);
}
static const ab_backend toy_backend = {
    .abi = AB_BACKEND_ABI, .can = AB_BACKEND_FREES_ONE, .name = "toy", .summary = "a LIFO list",
    .max_object_bytes = SIZE_MAX, .alignment = sizeof(void *), .open = toy_open,
    .alloc = toy_alloc, .free = toy_free, .close = toy_close};
